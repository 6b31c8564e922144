"""What a job that adds makes of names, values and collections that are not as they should be."""

from __future__ import annotations

import io
import random
import re
import zipfile
from collections.abc import Callable

import docx
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from likewise.library import schema
from likewise.server.context import ServerContext
from likewise.server.documents.job import _Adding, add_uploads
from likewise.server.jobs.leases import take_job
from likewise.server.jobs.work import Work
from likewise.server.problems import Problem
from tests.server.handing_in import STEPPE, add_one, added, hand_in, zipped

WorkOff = Callable[[], int]


def unusual(letters: int) -> str:
    """Letters that no engine packs into fewer bytes."""
    chosen = random.Random(letters)
    return "".join(chr(chosen.randrange(0x4E00, 0x9FA0)) for _ in range(letters))


def test_a_name_in_an_archive_may_be_long_and_the_others_are_added(
    teacher: TestClient, work_off: WorkOff
) -> None:
    deep = "/".join(unusual(letters) for letters in range(150, 170)) + "/essay.txt"
    outcome = added(teacher, work_off, {"a.zip": zipped({deep: STEPPE.encode(), "b.txt": b"a b"})})
    assert [one["state"] for one in outcome["documents"]] == ["new", "new"]
    shown = outcome["documents"][0]["name"]
    assert deep.endswith(shown)
    assert 200 < len(shown) <= 500


def test_values_in_a_table_may_be_long_and_are_shortened(
    teacher: TestClient, work_off: WorkOff
) -> None:
    columns = ("author", "organisation", "type", "name", "tags")
    cells = ",".join(unusual(3_000 + number) for number in range(5))
    table = f"file,{','.join(columns)}\na.txt,{cells}\n".encode()
    job = hand_in(teacher, {"a.txt": STEPPE.encode()}, table=table).json()["job"]
    work_off()
    shown = teacher.get(f"/jobs/{job}").json()
    assert shown["state"] == "done", shown["error"]
    assert shown["outcome"]["counts"]["new"] == 1
    number = shown["outcome"]["documents"][0]["id"]
    document = teacher.get(f"/documents/{number}").json()
    assert all(0 < len(document[name]) <= 500 for name in columns[:4])


def test_an_author_whom_a_file_names_at_length_does_not_keep_it_out(
    teacher: TestClient, work_off: WorkOff
) -> None:
    document = docx.Document()
    document.add_paragraph(STEPPE)
    made = io.BytesIO()
    document.save(made)
    author = unusual(5_000)
    packed, old = io.BytesIO(), zipfile.ZipFile(made)
    with zipfile.ZipFile(packed, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "docProps/core.xml":
                data = re.sub(
                    rb"<dc:creator>.*?</dc:creator>",
                    f"<dc:creator>{author}</dc:creator>".encode(),
                    data,
                )
            new.writestr(name, data)
    number = add_one(teacher, work_off, "essay.docx", packed.getvalue())
    shown = teacher.get(f"/documents/{number}").json()["author"]
    assert len(shown) == 500
    assert author.startswith(shown[:200])


def test_nothing_stays_of_a_job_whose_collection_was_removed_meanwhile(
    context: ServerContext, teacher: TestClient
) -> None:
    place = teacher.post("/collections", json={"name": "mine"}).json()["id"]
    assert hand_in(teacher, {"a.txt": STEPPE.encode()}, collection=place).status_code == 202
    job = take_job(context.store, "worker", 30)
    assert job is not None
    removed = []

    def tell(stage: str, done: int, total: int) -> None:
        if stage == "adding":
            removed.append(teacher.delete(f"/collections/{place}").status_code)

    work = Work(context, job, tell)
    attempt = _Adding(work)
    attempt.add(list(attempt.items()))
    assert removed == [200]
    with context.store.reading() as connection:
        assert connection.execute(select(schema.documents.c.id)).all()
    with pytest.raises(Problem):
        add_uploads(work)
    with context.store.reading() as connection:
        assert not connection.execute(select(schema.documents.c.id)).all()


def test_marks_that_nobody_sees_are_in_no_value(teacher: TestClient, work_off: WorkOff) -> None:
    unseen = {"author": "A.\u202e Nur\x01", "type": "es\u200bsay", "tags": ["a\u2066b"]}
    table = "file,organisation\na.txt,Kaz\u202eNU\n".encode()
    job = hand_in(teacher, {"a.txt": STEPPE.encode()}, table=table, metadata=unseen).json()["job"]
    work_off()
    number = teacher.get(f"/jobs/{job}").json()["outcome"]["documents"][0]["id"]
    shown = teacher.get(f"/documents/{number}").json()
    values = (shown["author"], shown["type"], shown["tags"], shown["organisation"])
    assert values == ("A. Nur", "essay", ["ab"], "KazNU")
    corrected = teacher.patch(f"/documents/{number}", json={"name": "txt\u202ecod.exe\r\n"}).json()
    assert corrected["name"] == "txtcod.exe"
