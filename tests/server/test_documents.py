"""Documents over the API: who sees what, what is kept, and what names may not do."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi.testclient import TestClient

from likewise.server.context import ServerContext
from likewise.server.documents.job import add_uploads
from likewise.server.jobs.queue import Job, read_job
from likewise.server.jobs.work import Cancelled, Work
from tests.server.conftest import LogIn
from tests.server.handing_in import RIVER, STEPPE, add_one, added, hand_in, text, zipped

FILES = Path(__file__).parents[1] / "files"
EXAMPLES = Path(__file__).parents[2] / "examples"
WorkOff = Callable[[], int]


@pytest.fixture
def other(log_in: LogIn) -> TestClient:
    return log_in("bota")


def own_collection(client: TestClient, name: str = "mine", **given: Any) -> str:
    answer = client.post("/collections", json={"name": name, **given})
    assert answer.status_code == 201, answer.text
    id: str = answer.json()["id"]
    return id


def names(client: TestClient, **asked: Any) -> list[str]:
    answer = client.get("/documents", params={"sort": "name", **asked})
    assert answer.status_code == 200, answer.text
    return [one["name"] for one in answer.json()["items"]]


# Handing in


def test_an_upload_becomes_a_document_of_the_caller(teacher: TestClient, work_off: WorkOff) -> None:
    answer = hand_in(
        teacher,
        {"essay.txt": text(STEPPE)},
        metadata={"author": "A. Nur", "year": 2024, "type": "essay", "tags": ["a", "b"]},
    )
    assert answer.status_code == 202
    accepted = answer.json()
    assert accepted["files"] == [{"name": "essay.txt", "size": len(text(STEPPE))}]
    assert accepted["collection"] == "library"
    work_off()
    outcome = teacher.get(f"/jobs/{accepted['job']}").json()["outcome"]
    (one,) = outcome["documents"]
    assert (one["name"], one["state"], one["reason"]) == ("essay.txt", "new", None)
    assert outcome["counts"] == {"new": 1, "copy": 0, "again": 0, "known": 0, "unread": 0}
    shown = teacher.get(f"/documents/{one['id']}").json()
    assert shown["owner"] == "aigul"
    assert (shown["author"], shown["year"], shown["type"]) == ("A. Nur", 2024, "essay")
    assert shown["tags"] == ["a", "b"]
    assert shown["language"] == "en"
    assert shown["has_original"] and shown["may_change"] and shown["may_remove"]


def test_what_was_handed_in_before_is_told(
    teacher: TestClient, other: TestClient, work_off: WorkOff
) -> None:
    first = add_one(teacher, work_off)
    same = added(teacher, work_off, {"essay.txt": text(STEPPE)})
    assert [one["state"] for one in same["documents"]] == ["known"]
    renamed = added(other, work_off, {"other.txt": text(STEPPE)})
    assert [(one["state"], one["id"]) for one in renamed["documents"]] == [("again", first)]
    copy = added(other, work_off, {"copy.txt": text(STEPPE) + b"\n"})
    assert [one["state"] for one in copy["documents"]] == ["copy"]
    shown = teacher.get(f"/documents/{first}").json()
    assert [(one["name"], one["owner"]) for one in shown["references"]] == [("other.txt", "bota")]
    assert [one["name"] for one in shown["copies"]] == ["copy.txt"]
    copied = other.get(f"/documents/{copy['documents'][0]['id']}").json()
    assert copied["copy_of"] == first


def test_a_table_tells_of_single_documents_but_not_whose_they_are(
    teacher: TestClient, work_off: WorkOff
) -> None:
    table = b"file,author,year,owner,added_on\na.txt,Dana,2021,dean,2001-01-01\nnone.txt,X,2020,,\n"
    outcome = added(
        teacher,
        work_off,
        {"a.txt": text(STEPPE), "b.txt": text(RIVER)},
        table=table,
        metadata={"author": "Somebody"},
    )
    assert outcome["unmatched"] == ["none.txt"]
    shown = [teacher.get(f"/documents/{one['id']}").json() for one in outcome["documents"]]
    assert [(one["author"], one["year"]) for one in shown] == [("Dana", 2021), ("Somebody", None)]
    assert {one["owner"] for one in shown} == {"aigul"}
    assert not shown[0]["added_on"].startswith("2001")


def test_one_of_the_files_may_be_the_table(teacher: TestClient, work_off: WorkOff) -> None:
    files = {"a.txt": text(STEPPE), "list.csv": b"file;author\na.txt;Dana\n"}
    outcome = added(teacher, work_off, files, table_name="list.csv")
    assert [one["name"] for one in outcome["documents"]] == ["a.txt"]
    assert teacher.get("/documents").json()["items"][0]["author"] == "Dana"
    assert hand_in(teacher, files, table_name="no.csv").status_code == 422


def test_a_table_that_cannot_be_used_is_refused_at_once(teacher: TestClient) -> None:
    answer = hand_in(teacher, {"a.txt": text(STEPPE)}, table=b"author,year\nDana,2021\n")
    assert answer.status_code == 422
    assert "table.csv" in answer.json()["message"]
    assert "/" not in answer.json()["message"].partition("table.csv")[0]


@pytest.mark.parametrize(
    "request_",
    [
        {"metadata": {"owner": "dean"}},
        {"metadata": {"year": 20_000}},
        {"metadata": {"month": "May"}},
        {"unknown": 1},
        {"metadata": {"name": "one name"}},
    ],
)
def test_what_an_upload_may_not_say(teacher: TestClient, request_: dict[str, Any]) -> None:
    answer = hand_in(teacher, {"a.txt": text(STEPPE), "b.txt": text(RIVER)}, **request_)
    assert answer.status_code == 422
    assert answer.json()["kind"] == "bad request"


def test_an_upload_needs_a_file(teacher: TestClient) -> None:
    answer = teacher.post("/documents", files=[("request", (None, "{}"))])
    assert answer.status_code == 422


def real_files() -> Iterator[tuple[str, bytes]]:
    """Thirty files of every kind, some of which nobody can read."""
    for path in sorted((EXAMPLES / "essays").glob("*.txt"))[:14]:
        yield f"essays/{path.name}", path.read_bytes()
    for name in ("steppe.docx", "steppe.odt", "steppe.pdf", "steppe.rtf", "steppe.html"):
        yield f"formats/{name}", (FILES / "essays" / "en" / name).read_bytes()
    for name in ("lake.docx", "lake.pdf", "lake.txt", "tram.pdf"):
        yield f"ru/{name}", (FILES / "essays" / "ru" / name).read_bytes()
    for name in ("apple.docx", "apple-utf16.txt", "dombra.docx"):
        yield f"kk/{name}", (FILES / "essays" / "kk" / name).read_bytes()
    for name in ("locked.pdf", "truncated.docx", "random.bin", "program.exe"):
        yield f"broken/{name}", (FILES / "broken" / name).read_bytes()


def test_an_archive_of_thirty_files_is_looked_into(teacher: TestClient, work_off: WorkOff) -> None:
    members = dict(real_files())
    assert len(members) == 30
    outcome = added(teacher, work_off, {"class.zip": zipped(members)}, metadata={"name": "all"})
    told = {one["name"]: one for one in outcome["documents"]}
    assert set(told) == set(members)
    unread = {name for name, one in told.items() if one["state"] == "unread"}
    assert unread >= {"broken/locked.pdf", "broken/program.exe", "broken/random.bin"}
    assert unread <= {name for name in members if name.startswith("broken/")}
    assert all(told[name]["reason"] for name in unread)
    assert told["formats/steppe.docx"]["state"] == "new"
    assert sum(outcome["counts"].values()) == 30
    assert teacher.get("/documents").json()["total"] == 30 - len(unread)


HOSTILE = {
    "../../etc/passwd": "passwd",
    "..\\..\\windows\\a.txt": "a.txt",
    "C:\\x": "x",
    "/etc/shadow": "shadow",
    "evil\u202etxt.exe": "eviltxt.exe",
    "<img src=x onerror=alert(1)>.txt": "<img src=x onerror=alert(1)>.txt",
}


def test_names_of_uploads_are_never_paths(teacher: TestClient, work_off: WorkOff) -> None:
    files = {name: text(f"{STEPPE}{n} ") for n, name in enumerate(HOSTILE)}
    outcome = added(teacher, work_off, files)
    assert [one["name"] for one in outcome["documents"]] == list(HOSTILE.values())
    assert set(names(teacher)) == set(HOSTILE.values())


def test_names_in_archives_are_never_paths(
    teacher: TestClient, work_off: WorkOff, tmp_path: Path
) -> None:
    members = {
        "../../../escape.txt": text(STEPPE),
        "C:\\x\\drive.txt": text(RIVER),
        "/absolute.txt": text(STEPPE, 4),
        "turned\u202etxt.txt": text(RIVER, 4),
        "<b>bold</b>.txt": text(STEPPE, 5),
    }
    before = set(tmp_path.rglob("*.txt"))
    outcome = added(teacher, work_off, {"work.zip": zipped(members)})
    found = {one["name"] for one in outcome["documents"]}
    assert all(".." not in name and not name.startswith("/") for name in found)
    assert {"escape.txt", "absolute.txt", "turnedtxt.txt"} <= found
    assert set(tmp_path.rglob("*.txt")) == before
    assert not any("\u202e" in name for name in found)


def test_a_name_with_html_comes_back_as_json_text(teacher: TestClient, work_off: WorkOff) -> None:
    number = add_one(teacher, work_off, "<script>alert(1)</script>.txt")
    answer = teacher.get(f"/documents/{number}")
    assert answer.headers["content-type"].startswith("application/json")
    assert answer.json()["name"] == "script>.txt"


# Attempts


def the_job(context: ServerContext, id: str) -> Job:
    with context.store.reading() as connection:
        job = read_job(connection, id)
    assert job is not None
    return job


def no_telling(_stage: str, _done: int, _total: int) -> None:
    """Nobody listens."""


def test_a_job_that_was_killed_after_its_work_tells_the_same_again(
    context: ServerContext, teacher: TestClient, other: TestClient, work_off: WorkOff
) -> None:
    add_one(other, work_off, "first.txt", text(RIVER))
    files = {
        "new.txt": text(STEPPE),
        "twice.txt": text(STEPPE),
        "theirs.txt": text(RIVER),
        "copy.txt": text(RIVER) + b"\n",
        "broken.bin": (FILES / "broken" / "random.bin").read_bytes(),
    }
    answer = hand_in(teacher, {"all.zip": zipped(files)})
    job = the_job(context, answer.json()["job"])
    once = add_uploads(Work(context, job, no_telling))  # and its end is never written down
    total = teacher.get("/documents").json()["total"]
    again = add_uploads(Work(context, job, no_telling))
    assert again == once
    assert {one["name"]: one["state"] for one in once["documents"]} == {
        "new.txt": "new",
        "twice.txt": "again",
        "theirs.txt": "again",
        "copy.txt": "copy",
        "broken.bin": "unread",
    }
    assert teacher.get("/documents").json()["total"] == total
    assert work_off() == 1
    assert teacher.get(f"/jobs/{job.id}").json()["outcome"] == once


@pytest.mark.parametrize("killed_at", [1, 4, 7])
def test_a_job_that_was_killed_half_way_goes_on(
    context: ServerContext, teacher: TestClient, work_off: WorkOff, killed_at: int
) -> None:
    files = {f"{n}.txt": text(f"{STEPPE}{n} ", 2 + n) for n in range(6)}
    answer = hand_in(teacher, files)
    job = the_job(context, answer.json()["job"])
    told: list[str] = []

    def dies(stage: str, _done: int, _total: int) -> None:
        told.append(stage)
        if len(told) == killed_at:
            raise Cancelled

    with pytest.raises(Cancelled):
        add_uploads(Work(context, job, dies))
    outcome = add_uploads(Work(context, job, no_telling))
    assert [one["state"] for one in outcome["documents"]] == ["new"] * 6
    assert teacher.get("/documents").json()["total"] == 6


def test_progress_counts_files_and_pages(
    context: ServerContext, teacher: TestClient, engine_name: str
) -> None:
    pdf = (FILES / "essays" / "en" / "steppe-scan.pdf").read_bytes()  # which takes a while
    pdf += f"\n% {engine_name}".encode()  # what was read once is known, and has no pages to tell
    answer = hand_in(teacher, {"a.pdf": pdf, "b.txt": text(RIVER)})
    told: list[tuple[str, int, int]] = []
    job = the_job(context, answer.json()["job"])
    add_uploads(Work(context, job, lambda *step: told.append(step)))
    assert ("reading files", 2, 2) in told
    assert any(stage == "reading pages 1/2" and total >= 1 for stage, _, total in told)


def test_documents_go_with_a_collection_that_is_removed_meanwhile(
    context: ServerContext, teacher: TestClient
) -> None:
    collection = own_collection(teacher)
    answer = hand_in(teacher, {"a.txt": text(STEPPE)}, collection=collection)
    job = the_job(context, answer.json()["job"])
    gone: list[bool] = []

    def removes(stage: str, _done: int, _total: int) -> None:
        if stage == "adding" and not gone:
            gone.append(teacher.delete(f"/collections/{collection}").status_code == 200)

    with pytest.raises(Exception, match="no such collection"):
        add_uploads(Work(context, job, removes))
    assert gone == [True]
    assert len(context.library) == 0


# Listing


@pytest.fixture
def shelf(teacher: TestClient, other: TestClient, work_off: WorkOff) -> dict[str, int]:
    """Documents of two teachers in the library, and one in a private collection of each."""
    numbers: dict[str, int] = {}
    for n, (client, author) in enumerate(((teacher, "Dana"), (other, "Erlan"))):
        files = {f"{author} {m}.txt": text(f"{STEPPE}{author}{m} ", 2 + m) for m in range(3)}
        years = {0: "2020", 1: "2021", 2: ""}
        rows = [f"{author} {m}.txt,{author},{years[m]},type {m},t{m}" for m in range(3)]
        table = "\n".join(["file,author,year,type,tags", *rows]).encode()
        outcome = added(client, work_off, files, table=table)
        numbers |= {one["name"]: one["id"] for one in outcome["documents"]}
        collection = own_collection(client, f"private {n}")
        name = f"secret of {author}.txt"
        numbers[name] = add_one(
            client,
            work_off,
            name,
            text(f"{RIVER}{author} "),
            collection=collection,
            metadata={"organisation": f"house of {author}", "type": f"hidden {author}"},
        )
    return numbers


def test_a_list_holds_what_the_caller_may_read(
    teacher: TestClient, other: TestClient, administrator: TestClient, shelf: dict[str, int]
) -> None:
    of_all = {f"{author} {m}.txt" for author in ("Dana", "Erlan") for m in range(3)}
    assert set(names(teacher)) == of_all | {"secret of Dana.txt"}
    assert set(names(other)) == of_all | {"secret of Erlan.txt"}
    assert set(names(administrator)) == of_all
    assert administrator.get("/documents").json()["total"] == 6
    assert teacher.get("/documents", params={"search": "secret"}).json()["total"] == 1


def test_a_list_is_filtered(teacher: TestClient, shelf: dict[str, int]) -> None:
    assert names(teacher, author="Dana", year_from=2021) == ["Dana 1.txt"]
    assert names(teacher, owner="bota", tag="t0") == ["Erlan 0.txt"]
    assert names(teacher, type=["type 0", "type 1"], owner="aigul") == ["Dana 0.txt", "Dana 1.txt"]
    assert names(teacher, collection="library", search="dana") == [
        f"Dana {m}.txt" for m in range(3)
    ]
    assert names(teacher, language="kk") == []
    assert names(teacher, search="' OR 1=1 --") == []
    assert names(teacher, search="%") == []
    answer = teacher.get("/documents", params={"sort": "name; DROP TABLE users"})
    assert answer.status_code == 422
    assert teacher.get("/documents", params={"limit": 501}).status_code == 422
    assert teacher.get("/documents", params={"nothing": 1}).status_code == 422


def test_pages_follow_each_other(teacher: TestClient, shelf: dict[str, int]) -> None:
    for sort in ("id", "name", "author", "added_on", "year", "type", "words"):
        for sign in ("", "-"):
            are_in_order(teacher, sort, sign)


def are_in_order(teacher: TestClient, sort: str, sign: str) -> None:
    whole = teacher.get("/documents", params={"sort": sign + sort}).json()
    assert whole["total"] == len(whole["items"]) == 7
    paged: list[int] = []
    for offset in range(0, 10, 2):
        page = teacher.get(
            "/documents", params={"sort": sign + sort, "limit": 2, "offset": offset}
        ).json()
        assert page["total"] == 7
        paged += [one["id"] for one in page["items"]]
    assert paged == [one["id"] for one in whole["items"]]
    values = [one[sort] for one in whole["items"] if one[sort] is not None]
    assert values == sorted(values, reverse=bool(sign))
    missing = [one[sort] is None for one in whole["items"]]
    assert missing == sorted(missing)  # those without come last


def test_what_is_of_others_is_not_there(
    teacher: TestClient, administrator: TestClient, shelf: dict[str, int]
) -> None:
    hidden, absent = shelf["secret of Erlan.txt"], 999_999
    for client in (teacher, administrator):
        for path in ("", "/text", "/original"):
            answers = [client.get(f"/documents/{id}{path}") for id in (hidden, absent)]
            assert [one.status_code for one in answers] == [404, 404]
            assert answers[0].json() == answers[1].json()
        change = {"metadata": {"type": "x"}, "ids": [hidden]}
        assert client.patch(f"/documents/{hidden}", json={"type": "x"}).status_code == 404
        assert client.patch("/documents", json=change).status_code == 404
        assert client.delete(f"/documents/{hidden}").status_code == 404
        assert client.post("/documents/delete", json={"ids": [hidden]}).status_code == 404
        facets = json.dumps(client.get("/documents/facets").json())
        assert "Erlan" not in facets
        assert client.get("/documents", params={"organisation": "house of Erlan"}).json() == {
            "items": [],
            "total": 0,
        }
    (month,) = teacher.get("/documents/growth").json()["months"]
    assert (month["documents"], month["total"]) == (7, 7)
    assert len(month["month"]) == 7


def test_a_hidden_copy_is_not_told_of(
    teacher: TestClient, other: TestClient, work_off: WorkOff
) -> None:
    secret = own_collection(other)
    first = add_one(other, work_off, "first.txt", collection=secret)
    outcome = added(teacher, work_off, {"mine.txt": text(STEPPE) + b"\n"})
    assert outcome["documents"][0]["state"] == "new"
    number = outcome["documents"][0]["id"]
    shown = teacher.get(f"/documents/{number}").json()
    assert (shown["copy_of"], shown["copies"]) == (None, [])
    assert teacher.get("/documents").json()["items"][0]["copy_of"] is None
    second = added(teacher, work_off, {"more.txt": text(STEPPE) + b"\n\n"})["documents"][0]
    assert second["state"] == "copy"
    assert teacher.get(f"/documents/{second['id']}").json()["copy_of"] == number
    seen = other.get(f"/documents/{first}").json()
    assert [one["id"] for one in seen["copies"]] == [number, second["id"]]
    same = added(teacher, work_off, {"same.txt": text(STEPPE)})["documents"][0]
    assert same["state"] == "copy" and same["id"] != first


def test_facets_count_what_is_readable(teacher: TestClient, shelf: dict[str, int]) -> None:
    facets = teacher.get("/documents/facets").json()
    assert {"value": "type 0", "documents": 2} in facets["type"]
    assert {"value": "hidden Dana", "documents": 1} in facets["type"]
    assert {"value": 2020, "documents": 2} in facets["year"]
    assert {"value": "t1", "documents": 2} in facets["tag"]
    assert facets["language"] == [{"value": "en", "documents": 7}]


def test_facets_are_of_now_where_every_answer_takes_long(
    teacher: TestClient, work_off: WorkOff, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = itertools.count(1_000.0)
    busy = SimpleNamespace(monotonic=lambda: next(seconds))
    monkeypatch.setattr("likewise.server.context.time", busy)
    for number, essay in enumerate((STEPPE, RIVER), 1):
        add_one(teacher, work_off, f"{number}.txt", text(essay))
        facets = teacher.get("/documents/facets").json()
        assert facets["language"] == [{"value": "en", "documents": number}]


# One document


def test_the_text_comes_plain_or_with_its_pages(teacher: TestClient, work_off: WorkOff) -> None:
    pdf = (FILES / "essays" / "en" / "steppe.pdf").read_bytes()
    number = add_one(teacher, work_off, "steppe.pdf", pdf)
    plain = teacher.get(f"/documents/{number}/text")
    assert plain.headers["content-type"] == "text/plain; charset=utf-8"
    assert plain.headers["x-content-type-options"] == "nosniff"
    whole = teacher.get(f"/documents/{number}/text", params={"as": "json"}).json()
    assert whole["text"] == plain.text
    assert whole["pages"][0]["number"] == 1
    assert whole["pages"][-1]["end"] <= len(whole["text"])
    shown = teacher.get(f"/documents/{number}").json()
    assert shown["pages"] == len(whole["pages"])


def test_tricks_are_told_of(teacher: TestClient, work_off: WorkOff) -> None:
    hidden = (FILES / "tricks" / "hidden.docx").read_bytes()
    number = add_one(teacher, work_off, "hidden.docx", hidden)
    shown = teacher.get(f"/documents/{number}").json()
    assert shown["tricks"] == ["hidden text"]
    assert any(note["is_trick"] for note in shown["notes"])


def test_an_original_is_saved_and_never_shown(teacher: TestClient, work_off: WorkOff) -> None:
    page = b"<html><script>alert(1)</script><p>" + text(STEPPE) + b"</p></html>"
    number = add_one(teacher, work_off, "a.html", page)
    teacher.patch(f"/documents/{number}", json={"name": 'Дала "мен" аспан.html'})
    answer = teacher.get(f"/documents/{number}/original")
    assert answer.content == page
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["x-content-type-options"] == "nosniff"
    disposition = answer.headers["content-disposition"]
    assert disposition.startswith('attachment; filename="')
    assert "filename*=UTF-8''%D0%94%D0%B0%D0%BB%D0%B0%20%22" in disposition


def test_no_name_breaks_out_of_a_header(teacher: TestClient, work_off: WorkOff) -> None:
    number = add_one(teacher, work_off)
    evil = 'a"; filename="b.exe\r\nSet-Cookie: x=y'
    assert teacher.patch(f"/documents/{number}", json={"name": evil}).status_code == 200
    answer = teacher.get(f"/documents/{number}/original")
    assert "set-cookie" not in answer.headers
    assert answer.headers["content-disposition"].count('"') == 2


def test_originals_are_not_there_where_they_are_not_kept(
    context: ServerContext, administrator: TestClient, teacher: TestClient, work_off: WorkOff
) -> None:
    assert administrator.patch("/settings", json={"keep_originals": False}).status_code == 200
    number = add_one(teacher, work_off)
    assert teacher.get(f"/documents/{number}/original").status_code == 404
    assert not teacher.get(f"/documents/{number}").json()["has_original"]


# Changing and removing


def test_metadata_is_corrected_by_owner_and_administrator(
    teacher: TestClient,
    other: TestClient,
    administrator: TestClient,
    shelf: dict[str, int],
) -> None:
    number = shelf["Dana 0.txt"]
    answer = teacher.patch(f"/documents/{number}", json={"author": "Dana B.", "year": None})
    assert (answer.json()["author"], answer.json()["year"]) == ("Dana B.", None)
    assert names(teacher, search="dana b.") == ["Dana 0.txt"]
    assert other.patch(f"/documents/{number}", json={"type": "x"}).status_code == 403
    changed = administrator.patch(f"/documents/{number}", json={"tags": ["seen"]})
    assert changed.json()["tags"] == ["seen"]
    for bad in ({}, {"owner": "bota"}, {"name": ""}, {"year": 0}, {"path": "/etc"}):
        assert teacher.patch(f"/documents/{number}", json=bad).status_code == 422


def test_many_are_corrected_or_none(teacher: TestClient, shelf: dict[str, int]) -> None:
    mine = [shelf["Dana 0.txt"], shelf["Dana 1.txt"]]
    many = {"ids": mine, "metadata": {"organisation": "KazNU"}}
    assert teacher.patch("/documents", json=many).json() == {"documents": 2}
    assert names(teacher, organisation="KazNU") == ["Dana 0.txt", "Dana 1.txt"]
    mixed = {"ids": [*mine, shelf["Erlan 0.txt"]], "metadata": {"organisation": "X"}}
    assert teacher.patch("/documents", json=mixed).status_code == 403
    assert names(teacher, organisation="X") == []


def test_removing_is_for_owners_and_administrators(
    teacher: TestClient, other: TestClient, administrator: TestClient, shelf: dict[str, int]
) -> None:
    number = shelf["Dana 0.txt"]
    assert other.delete(f"/documents/{number}").status_code == 403
    removed = teacher.delete(f"/documents/{number}")
    assert removed.json() == {"documents": 1, "references": 0}
    assert teacher.get(f"/documents/{number}").status_code == 404
    other_number = shelf["Erlan 0.txt"]
    assert administrator.delete(f"/documents/{other_number}").status_code == 200
    acts = [one["act"] for one in administrator.get("/audit").json()["items"]]
    assert acts.count("documents removed") == 2


def test_what_others_have_handed_in_too_stays_with_them(
    teacher: TestClient, other: TestClient, work_off: WorkOff
) -> None:
    number = add_one(teacher, work_off)
    added(other, work_off, {"again.txt": text(STEPPE)})
    assert teacher.delete(f"/documents/{number}").json() == {"documents": 0, "references": 1}
    shown = other.get(f"/documents/{number}").json()
    assert (shown["owner"], shown["name"], shown["references"]) == ("bota", "again.txt", [])
    assert teacher.delete(f"/documents/{number}").status_code == 403


def test_all_that_fits_is_removed(
    teacher: TestClient, administrator: TestClient, shelf: dict[str, int]
) -> None:
    assert teacher.post("/documents/delete", json={}).status_code == 422
    theirs = {"filters": {"owner": ["bota"]}}
    assert teacher.post("/documents/delete", json=theirs).status_code == 403
    years = {"filters": {"year_from": 2021}}
    assert teacher.post("/documents/delete", json=years).json()["documents"] == 1
    assert "Erlan 1.txt" in names(teacher) and "Dana 1.txt" not in names(teacher)
    assert administrator.post("/documents/delete", json=theirs).json()["documents"] == 3
    assert set(names(teacher)) == {"Dana 0.txt", "Dana 2.txt", "secret of Dana.txt"}


def test_keys_and_strangers(
    anybody: TestClient, teacher: TestClient, shelf: dict[str, int]
) -> None:
    number = shelf["Dana 0.txt"]
    for method, path in (
        ("GET", "/documents"),
        ("POST", "/documents"),
        ("PATCH", "/documents"),
        ("POST", "/documents/delete"),
        ("GET", "/documents/facets"),
        ("GET", "/documents/growth"),
        ("GET", f"/documents/{number}"),
        ("GET", f"/documents/{number}/text"),
        ("GET", f"/documents/{number}/original"),
        ("PATCH", f"/documents/{number}"),
        ("DELETE", f"/documents/{number}"),
        ("GET", "/collections"),
        ("POST", "/collections"),
        ("GET", "/document-types"),
        ("GET", "/stop-words/en"),
        ("GET", "/settings"),
        ("GET", "/usage"),
        ("POST", "/rebuild"),
    ):
        assert anybody.request(method, path).status_code == 401, path


def test_the_list_stays_exact_while_documents_come(teacher: TestClient, work_off: WorkOff) -> None:
    for n in range(4):
        add_one(teacher, work_off, f"{n}.txt", text(f"{STEPPE}{n} "))
        page = teacher.get("/documents", params={"limit": 1}).json()
        assert page["total"] == n + 1
        found = teacher.get("/documents", params={"limit": 1, "search": "txt"}).json()
        assert found["total"] == n + 1
