"""A person is erased everywhere: fifty marked sentences, names and addresses are found before.

They stand wherever the site keeps something of a person. Afterwards neither the product's own code
nor a look at the raw bytes finds any of them, and a backup that brings them back loses them again.
"""

from __future__ import annotations

import io
import json
import logging
import zipfile
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import zstandard
from fastapi.testclient import TestClient
from sqlalchemy import select, text, update

from likewise.library import Library, back_up, restore
from likewise.library import erase as erasing
from likewise.library.entries import list_entries, read_document, read_original
from likewise.library.filters import Filters
from likewise.library.store import Store
from likewise.reading.cache import cache_folder
from likewise.reading.serialization import unpack
from likewise.report.storage import pack_view, unpack_check, unpack_view
from likewise.report.student import student_view
from likewise.results import encode
from likewise.server.context import ServerContext, utc_now
from likewise.server.database import tables
from likewise.server.people.audit import record_act_of
from tests.library.traces import needles_of, traces_in_files, traces_in_rows
from tests.server.campus_rows import Campus, put
from tests.server.checking import MARKET, RIVER, add, checked, post
from tests.server.conftest import LogIn

WorkOff = Callable[[], int]

_WORDS = ("camel", "saddle", "ferry", "kettle", "lantern", "orchard", "pebble", "quarry")
MARKS = tuple(
    f"zq{number:02d}{word}zq" for number, word in zip(range(50), _WORDS * 7, strict=False)
)
LOGIN, SHOWN, MAIL = f"aigul-{MARKS[0]}", f"Aigul {MARKS[1]}", f"{MARKS[2]}@example.kz"
ADDRESS = "2001:db8:5:7::51"  # from which the person came


def sentence(number: int) -> str:
    """A sentence that holds a mark, in words that no other text of this test has."""
    odd = f"wenn{number} dort{number} nirgends{number} jemand{number} singt{number}"
    return f"On day {number} the {MARKS[number]} was carried over the pass, {odd} of salt."


def essay(first: int, last: int) -> str:
    return " ".join(sentence(number) for number in range(first, last))


@pytest.fixture
def timur(log_in: LogIn) -> TestClient:
    return log_in("timur")


@pytest.fixture
def erased(
    context: ServerContext, log_in: LogIn, timur: TestClient, work_off: WorkOff
) -> Iterator[TestClient]:
    """Whoever is going to be erased, with something in every room of the site."""
    add(context, market=MARKET, river=RIVER)
    client = log_in(LOGIN)
    own = {"shown_name": SHOWN, "email": MAIL}
    assert client.patch("/me", json=own).status_code == 200, "the password was given just now"
    _in_the_library(context, client, work_off)
    _in_checks(context, client, timur, work_off)
    _in_a_course(context, timur, work_off)
    _in_accounts(context)
    yield client


def _in_the_library(context: ServerContext, client: TestClient, work_off: WorkOff) -> None:
    private = {"name": f"Things {MARKS[4]}", "about": sentence(5)}
    collection = client.post("/collections", json=private).json()["id"]
    files = {f"{MARKS[6]}.html": f"<p>{essay(7, 11)}</p>"}
    metadata = {"author": f"Nur {MARKS[11]}", "tags": [f"about {MARKS[12]}"]}
    added = post(client, "/documents", files, metadata=metadata)
    assert added.status_code == 202, added.text
    in_private = {f"{MARKS[13]}.txt": essay(14, 17)}
    added = post(client, "/documents", in_private, collection=collection)
    assert added.status_code == 202, added.text
    work_off()
    waiting = {f"{MARKS[17]}.txt": essay(18, 20)}
    assert post(client, "/documents", waiting).status_code == 202
    with context.store.beside() as connection:  # it waits until somebody has seen to it
        later = update(tables.jobs).where(tables.jobs.c.state == "queued")
        connection.execute(later.values(not_before=utc_now() + timedelta(days=1)))


def _in_checks(
    context: ServerContext, client: TestClient, timur: TestClient, work_off: WorkOff
) -> None:
    own = checked(client, work_off, f"{essay(20, 23)} {MARKET}", name=f"{MARKS[23]}.txt")
    decided = {"source": "market.txt", "reason": sentence(24)}
    assert client.post(f"/checks/{own}/exclusions", json=decided).status_code == 201
    quoted = essay(7, 9).replace(MARKS[7], "freight").replace(MARKS[8], "burden")
    theirs = checked(timur, work_off, f"My own words about it. {MARKET} {quoted}")
    timur.post(f"/checks/{theirs}/share", json={"shared": True})
    for what, told in (
        ("confirmations", {"comment": sentence(25)}),
        ("comments", {"span": [0, 5], "comment": sentence(26)}),
    ):
        answer = client.post(f"/checks/{theirs}/{what}", json=told)
        assert answer.status_code == 201, answer.text


def _in_a_course(context: ServerContext, timur: TestClient, work_off: WorkOff) -> None:
    student = f"Student {MARKS[27]}"
    files = {
        f"{MARKS[31]}.txt": f"{essay(28, 31)} {essay(32, 34)}",
        "other.txt": f"Another student began thus, at length and alone. {MARKET} {RIVER}",
        "third.txt": "A third one wrote of nothing but wind and grass, for pages and pages.",
    }
    batch = post(timur, "/batches", files, name="class of spring").json()["id"]
    work_off()
    members = timur.get(f"/batches/{batch}/checks").json()["items"]
    ids = {one["name"]: one["id"] for one in members}
    own, other = ids[f"{MARKS[31]}.txt"], ids["other.txt"]
    campus = Campus(context, "timur")
    with context.store.beside() as connection:
        of = tables.assignments
        connection.execute(update(of).where(of.c.batch_id == campus.batch).values(batch_id=None))
        connection.execute(update(of).values(batch_id=batch))
    receipt = json.dumps({"notes": [sentence(34)]})
    data = files[f"{MARKS[31]}.txt"].encode()
    handed_in = {"name": f"{MARKS[31]}.txt", "group_name": f"Group {MARKS[35]}"}
    campus.submission(LOGIN, student=student, check=own, data=data, receipt=receipt, **handed_in)
    campus.submission(None, student="Bolat", check=other, name="other.txt", data=b"other")
    with context.store.reading() as connection:
        result = tables.check_results
        packed = connection.execute(select(result.c.packed).where(result.c.check_id == own))
        summary = {"note": sentence(36)}
        campus.self_check(
            LOGIN,
            name=f"{MARKS[37]}.docx",
            summary=json.dumps(summary),
            packed=pack_view(student_view(unpack_check(bytes(packed.scalar_one())), set())),
        )
    answer = timur.post(f"/checks/{own}/comments", json={"span": [0, 5], "comment": sentence(38)})
    assert answer.status_code == 201
    issued = {"language": "en", "author": student, "title": sentence(39)}
    assert timur.post(f"/checks/{own}/certificates", json=issued).status_code == 201
    shown = {"recipient": SHOWN, "recipient_id": campus.id_of(LOGIN), "email": f"{MARKS[40]}@ex.kz"}
    link = campus.link(other, is_commission=True, **shown)
    opened = {"link_id": link, "user_id": campus.id_of(LOGIN), "address": f"fe80::{MARKS[41]}"}
    put(context, tables.report_link_openings, **opened)
    decision = {"check_id": other, "link_id": link, "user_id": campus.id_of(LOGIN)}
    put(
        context,
        tables.commission_decisions,
        **decision,
        user_name=SHOWN,
        decision="no_breach",
        comment=sentence(42),
    )
    campus.mail(LOGIN, MAIL, course=sentence(43))
    campus.mail("timur", "timur@example.kz", student=student)


def _in_accounts(context: ServerContext) -> None:
    with context.store.reading() as connection:
        query = select(tables.users.c.id).where(tables.users.c.name == LOGIN)
        user = connection.execute(query).scalar_one()
    provider = put(context, tables.login_providers, name="University", options="{}")
    known = {"user_id": user, "provider_id": provider, "subject": f"subject {MARKS[44]}"}
    put(context, tables.identities, **known)
    put(context, tables.second_factors, user_id=user, secret=f"secret {MARKS[45]}".encode())
    put(context, tables.recovery_codes, user_id=user, hash=f"hash {MARKS[46]}".encode())
    put(context, tables.api_keys, user_id=user, name=f"key {MARKS[47]}", scopes="[]")
    for agent in (MARKS[3], sentence(48)):
        put(context, tables.sessions, user_id=user, address=ADDRESS, agent=agent)
    failed = {"user_id": user, "kind": "check", "state": "failed", "request": "{}"}
    put(context, tables.jobs, **failed, error=sentence(49))
    with context.store.beside() as connection:
        record_act_of(connection, user, LOGIN, ADDRESS, "letter sent", LOGIN, to=MAIL)


def _everything(context: ServerContext, administrator: TestClient) -> Iterator[tuple[str, str]]:
    """All that is kept, as the product's own code reads it: where it stands, and what it says."""
    with context.store.reading() as connection:
        for entry in list_entries(connection, Filters(), None, "id", None, 0).entries:
            yield "library", f"{entry} {read_document(connection, entry.id).text}"
            yield "originals", str(read_original(connection, entry.id))
        for table, unpacked in (
            (tables.check_results, unpack_check),
            (tables.batch_results, unpack_view),
        ):
            for row in connection.execute(select(table.c.packed)):
                yield table.name, encode(unpacked(bytes(row.packed)))
        for row in connection.execute(select(tables.self_checks.c.packed)):
            yield "self_checks", encode(unpack_view(bytes(row.packed)))
        for table in tables.TABLES:
            for row in connection.execute(select(table)):
                yield table.name, str(row)
    for path in sorted((cache_folder() / "documents").glob("??/*")):
        plain = zstandard.ZstdDecompressor().decompress(path.read_bytes())
        yield "cache", unpack(plain, "file").text
    yield "audit as shown", administrator.get("/audit", params={"limit": 500}).text
    yield "audit as a file", administrator.get("/audit/export").text
    for (code,) in _codes(context):
        yield "certificates", administrator.get(f"/certificates/{code}/verify").text


def _codes(context: ServerContext) -> list[Any]:
    with context.store.reading() as connection:
        return list(connection.execute(select(tables.certificates.c.id)))


def _marks_in(context: ServerContext, administrator: TestClient) -> set[str]:
    said = " ".join(told for _, told in _everything(context, administrator))
    return {mark for mark in (*MARKS, ADDRESS) if mark in said}


def _raw(context: ServerContext, folder: Path) -> list[str]:
    """Files of the database and of the cache that hold a mark."""
    needles = needles_of((*MARKS, ADDRESS))
    found = traces_in_files([cache_folder()], needles)
    if context.store.is_file:
        return found + traces_in_files([folder], needles)
    return found + [name for name, data in _files_of_server(context.store)
                    if any(needle in data for needle in needles)]  # fmt: skip


def _files_of_server(store: Store) -> Iterator[tuple[str, bytes]]:
    """Tables of PostgreSQL as they lie on disk, once the room they gave free is given back."""
    with store.outside_transactions() as connection:
        connection.execute(text("VACUUM (FULL, ANALYZE)"))
        connection.execute(text("CHECKPOINT"))
    own = (
        "SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
        "WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'i')"
    )
    toast = f"SELECT reltoastrelid FROM pg_class WHERE oid IN ({own}) AND reltoastrelid <> 0"
    files = (
        "SELECT c.relname, pg_read_binary_file(pg_relation_filepath(c.oid)) "
        f"FROM pg_class c WHERE c.oid IN ({own}) OR c.oid IN ({toast})"
    )
    with store.reading() as connection:
        for name, data in connection.execute(text(files)):
            yield name, bytes(data)


class Killed(BaseException):
    """The worker is lost."""


def test_a_person_is_erased_from_every_room_and_again_after_a_restore(
    context: ServerContext,
    erased: TestClient,
    timur: TestClient,
    administrator: TestClient,
    work_off: WorkOff,
    tmp_path: Path,
    place: str,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caplog.set_level(logging.DEBUG, "likewise")
    everything = {*MARKS, ADDRESS}
    assert _marks_in(context, administrator) == everything
    own = erased.get("/me/data")
    archive = zipfile.ZipFile(io.BytesIO(own.content))
    exported = " ".join(archive.read(one).decode("utf-8", "replace") for one in archive.namelist())
    elsewhere = {MARKS[number] for number in (36, 38, 39, 45, 46)}  # others' words, and secrets
    assert {mark for mark in MARKS if mark in exported} >= everything - elsewhere - {ADDRESS}
    assert MARKS[45] not in exported and MARKS[46] not in exported
    folder = tmp_path.parent / f"{tmp_path.name} backups"
    folder.mkdir()
    back_up(context.library, folder / "monday.db", keep_days=20)
    with context.store.reading() as connection:
        query = select(tables.assignments.c.batch_id)
        classes = str(connection.execute(query).scalar_one())

    asked = administrator.post("/erasures", json={"user": LOGIN})
    assert asked.status_code == 202, asked.text
    with monkeypatch.context() as patched:

        def killed(*_given: Any, **_more: Any) -> None:
            raise Killed

        patched.setattr(erasing, "erase_results", killed)
        with pytest.raises(Killed):
            work_off()
    with context.store.beside() as connection:
        jobs = tables.jobs
        lost = jobs.update().where(jobs.c.id == asked.json()["job"])
        connection.execute(lost.values(state="queued", worker=None, leased_until=None))
    work_off()
    receipt = administrator.get(f"/erasures/{asked.json()['id']}").json()
    assert receipt["state"] == "done", receipt
    for what in ("accounts", "documents", "submissions", "self_checks", "links", "decisions"):
        assert receipt["counts"][what] >= 1, what
    assert receipt["counts"]["mail"] == 2 and receipt["counts"]["audit"] >= 1

    assert _marks_in(context, administrator) == set()
    assert traces_in_rows(context.store, needles_of((*MARKS, ADDRESS))) == []
    assert _raw(context, tmp_path) == []
    assert not any(mark in caplog.text for mark in MARKS), "no log ever said it"
    assert erased.get("/me/data").status_code == 401
    _others_keep_theirs(timur, classes)
    _the_receipt_says_what_stays(administrator, receipt["id"])

    restore(folder / "monday.db", place)
    with Library(place) as library:
        again = ServerContext(library, context.config)
        assert _marks_in(again, administrator) == set()
        assert traces_in_rows(library.store, needles_of((*MARKS, ADDRESS))) == []
        assert _raw(again, tmp_path) == []


def _others_keep_theirs(timur: TestClient, classes: str) -> None:
    members = timur.get(f"/batches/{classes}/checks").json()["items"]
    assert sorted(one["name"] for one in members) == ["other.txt", "third.txt"]
    report = timur.get(f"/batches/{classes}/report", params={"format": "json"})
    assert report.status_code == 200, report.text
    assert not any(mark in report.text for mark in MARKS)


def _the_receipt_says_what_stays(administrator: TestClient, id: str) -> None:
    pages = set()
    for language in ("en", "ru", "kk"):
        told = {"format": "txt", "language": language}
        page = administrator.get(f"/erasures/{id}/receipt", params=told).text
        assert "monday.db" in page, "the backup that holds it, and until when"
        assert not any(mark in page for mark in MARKS)
        pages.add(page)
    english = administrator.get(f"/erasures/{id}/receipt", params={"format": "txt"}).text
    assert "What stays, and why" in english and "to be deleted by" in english
    receipt = json.loads(administrator.get(f"/erasures/{id}/receipt").content)
    (backup,) = receipt["backups"]
    assert backup["name"] == "monday.db" and backup["made_on"] < backup["expires_on"]
    assert len(pages) == 3
