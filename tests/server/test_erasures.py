"""Administrators erase documents and people, from reports and jobs too, with a receipt."""

from __future__ import annotations

import json
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from likewise.library import EraseRequest, schema
from likewise.library.receipts import count_keys, staying_keys, unreached_keys
from likewise.model import Document
from likewise.reading.cache import cache_folder
from likewise.report.redaction import BAR, ERASED_DOCUMENT
from likewise.report.storage import pack_check
from likewise.server.caller import Caller
from likewise.server.checks.job import summary_with_ids
from likewise.server.context import ServerContext, utc_now
from likewise.server.database import tables
from likewise.server.database.erase_accounts import REMOVED_PERSON
from likewise.server.erasures.service import LocalErasures, ask_for_erasure, find_erasure
from likewise.server.jobs import leases
from likewise.server.jobs.queue import read_job
from likewise.server.people.users import add_person, removed_key
from likewise.server.workers import supervisor
from tests.library.traces import needles_of, traces_in_files, traces_in_rows
from tests.server.checking import MARKET, OWN, add, checked, post
from tests.server.conftest import PASSWORD
from tests.server.jobbing import kill, running, until_at_work, until_ended

WorkOff = Callable[[], int]
MARKERS = ("Quuxmarker", "zyzzyvabird")
SECRET = (
    f"{MARKERS[0]} walked along the ditch behind the brewery for eleven evenings in a row and "
    "wrote down the shape of every cloud that was lit from below by the furnaces of the glass "
    "works, until the notebook smelled of malt and smoke and nobody but "
    f"{MARKERS[1]} could read the pencil."
)
PAGE = f"<html><body><p>{SECRET}</p></body></html>"
NAME = "frumious essay.html"


@pytest.fixture
def erased_id(context: ServerContext, teacher: TestClient, work_off: WorkOff) -> int:
    """A document of one teacher, beside others; its number."""
    add(context, market=MARKET)
    answer = post(teacher, "/documents", {NAME: PAGE}, metadata={"author": "Frumious Bander"})
    assert answer.status_code == 202, answer.text
    work_off()
    (found,) = teacher.get("/documents", params={"search": "frumious"}).json()["items"]
    return int(found["id"])


def erase(client: TestClient, work_off: WorkOff, **asked: Any) -> dict[str, Any]:
    answer = client.post("/erasures", json=asked)
    assert answer.status_code == 202, answer.text
    work_off()
    job = client.get(f"/jobs/{answer.json()['job']}").json()
    assert job["state"] == "done", job
    receipt: dict[str, Any] = client.get(f"/erasures/{answer.json()['id']}").json()
    assert receipt["state"] == "done"
    return receipt


def nothing_is_left(context: ServerContext, tmp_path: Path, *more: str) -> None:
    needles = needles_of((*MARKERS, "frumious", *more))
    assert traces_in_rows(context.store, needles) == []
    folders = [cache_folder(), *Path(tempfile.gettempdir()).glob("likewise-report-*")]
    folders += [tmp_path] if context.store.is_file else []
    assert traces_in_files(folders, needles) == []


def quoting(teacher: TestClient, work_off: WorkOff) -> str:
    """Another's check, whose text holds a paraphrase of the document without its marker words."""
    copied = SECRET.replace(MARKERS[0], "Somebody").replace(MARKERS[1], "a clerk")
    return checked(teacher, work_off, f"{OWN}\n\n{copied}\n\n{MARKET}", name="thesis.txt")


def test_a_report_that_quotes_an_erased_document_is_blackened(
    context: ServerContext,
    log_in: Any,
    administrator: TestClient,
    work_off: WorkOff,
    erased_id: int,
    tmp_path: Path,
) -> None:
    other = log_in("timur")
    check = quoting(other, work_off)
    before = other.get(f"/checks/{check}/result").json()
    assert [one["name"] for one in before["sources"]] == [NAME, "market.txt"]
    receipt = erase(administrator, work_off, documents=[erased_id])
    assert receipt["counts"]["checks_blackened"] == 1
    assert receipt["counts"]["passages_blackened"] >= 1
    after = other.get(f"/checks/{check}/result").json()
    assert [one["name"] for one in after["sources"]] == [ERASED_DOCUMENT, "market.txt"]
    assert after["sources"][0]["document"] is None
    for whole in (before, after):
        for source in whole["sources"]:
            for key in ("name", "document", "author", "title"):
                source.pop(key)
            source["match"].pop("b")  # its name again
    assert after == before  # every figure and every place is as it was
    page = other.get(f"/checks/{check}/report", params={"format": "json"}).json()
    shown = json.dumps(page, ensure_ascii=False)
    assert BAR * 7 in shown
    assert "a clerk could read the pencil" in shown  # the checked text belongs to its author
    nothing_is_left(context, tmp_path)
    listed = administrator.get("/documents").json()["items"]
    assert [one["name"] for one in listed] == ["market.txt"]
    assert context.library.verify() == ()


def test_a_source_that_was_taken_out_stays_out_under_its_new_name(
    log_in: Any, administrator: TestClient, work_off: WorkOff, erased_id: int
) -> None:
    other = log_in("timur")
    check = quoting(other, work_off)
    reason = {"source": NAME, "reason": "it is cited"}
    assert other.post(f"/checks/{check}/exclusions", json=reason).status_code == 201
    before = other.get(f"/checks/{check}/result").json()
    erase(administrator, work_off, documents=[erased_id])
    after = other.get(f"/checks/{check}/result").json()
    assert after["shares"] == before["shares"]
    assert after["taken_out"] == [ERASED_DOCUMENT]
    assert after["decisions"][0]["source"] == ERASED_DOCUMENT


def test_checks_of_an_erased_document_are_deleted_and_jobs_forget_its_name(
    context: ServerContext,
    teacher: TestClient,
    administrator: TestClient,
    work_off: WorkOff,
    erased_id: int,
    tmp_path: Path,
) -> None:
    by_file = checked(teacher, work_off, PAGE, name=NAME)
    answer = post(teacher, "/checks", {}, document=erased_id)
    work_off()
    by_number = answer.json()["id"]
    mine = checked(teacher, work_off, f"{OWN} {MARKET}", name="mine.txt")
    receipt = erase(administrator, work_off, documents=[erased_id])
    assert receipt["counts"]["checks_deleted"] == 2
    for gone in (by_file, by_number):
        assert teacher.get(f"/checks/{gone}").status_code == 404
    assert teacher.get(f"/checks/{mine}").json()["state"] == "done"
    nothing_is_left(context, tmp_path, "Bander")


def test_a_class_loses_an_erased_member_and_keeps_the_others(
    context: ServerContext,
    teacher: TestClient,
    administrator: TestClient,
    work_off: WorkOff,
    erased_id: int,
    tmp_path: Path,
) -> None:
    copied = SECRET.replace(MARKERS[0], "Somebody").replace(MARKERS[1], "a clerk")
    files = {NAME: PAGE, "other.txt": f"{OWN} {copied}", "third.txt": f"{OWN} {MARKET}"}
    batch = post(teacher, "/batches", files).json()["id"]
    work_off()
    assert teacher.get(f"/batches/{batch}").json()["state"] == "done"
    receipt = erase(administrator, work_off, documents=[erased_id])
    assert receipt["counts"]["batches_blackened"] == 1
    members = teacher.get(f"/batches/{batch}/checks").json()["items"]
    assert sorted(one["name"] for one in members) == ["other.txt", "third.txt"]
    for format in ("json", "html"):
        report = teacher.get(f"/batches/{batch}/report", params={"format": format})
        assert report.status_code == 200
        assert not any(word in report.text for word in (*MARKERS, NAME))
    nothing_is_left(context, tmp_path, "Bander")


def test_an_account_is_erased_with_all_that_is_its_own(
    context: ServerContext,
    log_in: Any,
    teacher: TestClient,
    administrator: TestClient,
    work_off: WorkOff,
    erased_id: int,
    tmp_path: Path,
) -> None:
    collection = teacher.post("/collections", json={"name": "frumious things"}).json()["id"]
    post(teacher, "/documents", {"private.html": PAGE + "<p>x</p>"}, collection=collection)
    work_off()
    quoting(teacher, work_off)
    teacher.patch("/me", json={"shown_name": "Aigul Frumious"})
    other = log_in("timur")
    check = quoting(other, work_off)
    other.post(f"/checks/{check}/share", json={"shared": True})
    confirmed = teacher.post(f"/checks/{check}/confirmations", json={"comment": "frumious indeed"})
    assert confirmed.status_code == 201, confirmed.text
    remark = {"span": [0, 5], "comment": "frumious, all of it"}
    assert teacher.post(f"/checks/{check}/comments", json=remark).status_code == 201
    receipt = erase(administrator, work_off, user="aigul")
    assert receipt["counts"]["accounts"] == 1
    assert receipt["counts"]["documents"] == 2
    assert teacher.get("/me").status_code == 401
    agreed = other.get(f"/checks/{check}/result").json()["confirmations"]
    assert [one["by"] for one in agreed] == ["erased person"]
    assert receipt["counts"]["comments"] == 2
    (comment,) = other.get(f"/checks/{check}").json()["comments"]
    assert comment["by"] == "erased person" and set(comment["comment"]) == {"█", " "}
    nothing_is_left(context, tmp_path, "aigul")
    with context.store.reading() as connection:
        keys = set(connection.execute(select(schema.key_values.c.key)).scalars())
    assert removed_key("aigul") in keys
    assert removed_key("aigul").startswith(REMOVED_PERSON)
    again = administrator.post("/users", json={"name": "aigul"})
    assert again.status_code == 409


def test_a_preview_tells_what_would_go_and_changes_nothing(
    context: ServerContext, administrator: TestClient, erased_id: int
) -> None:
    seen = administrator.post("/erasures/preview", json={"person": "frumious BANDER"})
    assert seen.status_code == 200, seen.text
    assert seen.json()["documents"] == [{"id": erased_id, "name": NAME}]
    assert seen.json()["counts"]["originals"] == 1
    assert administrator.get("/erasures").json() == {"items": [], "total": 0}
    assert administrator.get(f"/documents/{erased_id}").status_code == 200


def test_receipts_are_listed_and_downloaded_in_three_languages(
    administrator: TestClient, work_off: WorkOff, erased_id: int
) -> None:
    receipt = erase(administrator, work_off, person="Frumious Bander")
    assert receipt["documents"] == [erased_id]
    assert receipt["by"] == "dean"
    assert administrator.get("/erasures").json()["items"] == [receipt]
    texts = set()
    for language in ("en", "ru", "kk"):
        for format in ("txt", "html", "json"):
            file = administrator.get(
                f"/erasures/{receipt['id']}/receipt",
                params={"format": format, "language": language},
            )
            assert file.status_code == 200
            assert receipt["sha256s"][0] in file.text
            assert not any(word in file.text for word in (*MARKERS, "rumious", "Bander"))
            texts.add(file.text if format != "json" else "")
    assert len(texts) == 7
    here = {"format": "txt", "time_zone": "Asia/Almaty"}
    told = administrator.get(f"/erasures/{receipt['id']}/receipt", params=here).text
    assert "(UTC+5)" in told and " UTC\n" not in told
    assert set(receipt["counts"]) <= set(count_keys())
    assert set(receipt["unreached"]) <= set(unreached_keys())
    assert set(receipt["stays"]) <= set(staying_keys()) and receipt["backups"] == []


def test_the_request_of_a_person_does_not_keep_the_name(
    context: ServerContext, administrator: TestClient, work_off: WorkOff, erased_id: int
) -> None:
    erase(administrator, work_off, person="Frumious Bander")
    jobs = administrator.get("/jobs", params={"kind": "erase"}).json()["items"]
    with context.store.reading() as connection:
        job = read_job(connection, jobs[0]["id"])
    assert job is not None
    assert set(job.request) == {"erasure"}
    assert traces_in_rows(context.store, needles_of(["Frumious"])) == []


@pytest.mark.parametrize("step", ["erase_results", "erase_local_copies", "scrub_database"])
def test_an_erasure_that_was_killed_goes_on_with_the_same_receipt(
    context: ServerContext,
    log_in: Any,
    administrator: TestClient,
    work_off: WorkOff,
    erased_id: int,
    tmp_path: Path,
    step: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The worker is lost before a step: what was committed until then is all that the next has."""
    from likewise.library import erase as erasing

    quoting(log_in("timur"), work_off)

    class Killed(BaseException):
        pass

    def killed(*_given: Any, **_more: Any) -> None:
        raise Killed

    answer = administrator.post("/erasures", json={"documents": [erased_id]})
    with monkeypatch.context() as patched:
        patched.setattr(erasing, step, killed)
        with pytest.raises(Killed):
            work_off()
    begun = administrator.get(f"/erasures/{answer.json()['id']}").json()
    assert begun["state"] == "running"
    assert begun["counts"]["documents"] == 1
    with context.store.beside() as connection:
        jobs = tables.jobs
        lost = jobs.update().where(jobs.c.id == answer.json()["job"])
        connection.execute(lost.values(state="queued", worker=None, leased_until=None))
    work_off()
    receipt = administrator.get(f"/erasures/{answer.json()['id']}").json()
    assert receipt["state"] == "done"
    assert receipt["counts"]["documents"] == receipt["counts"]["checks_blackened"] == 1
    assert administrator.get("/erasures").json()["total"] == 1
    nothing_is_left(context, tmp_path)


def test_another_machine_erases_its_own_cache_when_it_hears_of_it(
    context: ServerContext,
    administrator: TestClient,
    work_off: WorkOff,
    erased_id: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    elsewhere = tmp_path / "elsewhere"
    with monkeypatch.context() as patched:
        patched.setenv("LIKEWISE_CACHE", str(elsewhere))
        from likewise.reading import read_bytes

        read_bytes(PAGE.encode(), NAME)
        assert list((elsewhere / "documents").glob("??/*"))
    erase(administrator, work_off, documents=[erased_id])
    with monkeypatch.context() as patched:
        patched.setenv("LIKEWISE_CACHE", str(elsewhere))
        assert LocalErasures().follow(context) == 1
        assert not list((elsewhere / "documents").glob("??/*"))
        assert LocalErasures().follow(context) == 0


def test_only_administrators_erase_and_nobody_erases_themselves_or_the_last(
    teacher: TestClient, administrator: TestClient, erased_id: int
) -> None:
    asked = {"documents": [erased_id]}
    assert teacher.post("/erasures", json=asked).status_code == 403
    assert teacher.post("/erasures/preview", json=asked).status_code == 403
    assert teacher.get("/erasures").status_code == 403
    scopes = ["documents:write", "documents:read"]
    made = administrator.post("/keys", json={"name": "k", "scopes": scopes}).json()
    key = {"Authorization": f"Bearer {made['secret']}"}
    assert administrator.post("/erasures", json=asked, headers=key).status_code == 403
    for wrong in ({}, {"user": "dean"}, {"user": "nobody"}, {"person": "a", "again": True}):
        answer = administrator.post("/erasures", json=wrong)
        assert answer.status_code in (400, 404, 409, 422), answer.text


def test_a_worker_is_killed_while_it_erases_and_another_goes_on(
    place: str, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "RETRY_SECONDS", (0.1, 0.1))
    monkeypatch.setattr(supervisor, "_LIVED_SECONDS", 0.0)
    quoted = 40
    with running(place) as workers:
        context = workers.context
        person = add_person(context, "dean", PASSWORD, role="administrator")
        caller = Caller(person.id, person.name, "administrator", address="")
        (number,) = context.library.add_texts({NAME: SECRET}).ids
        copied = SECRET.replace(MARKERS[0], "Somebody").replace(MARKERS[1], "a clerk")
        check = context.library.check(Document.from_text(f"{copied} {OWN}", name="thesis"))
        packed, summary = pack_check(check), summary_with_ids(check, "2026-01-01T00:00:00Z")
        with context.store.beside() as connection:
            for each in range(quoted):
                values: dict[str, Any] = {"user_id": person.id, "name": "thesis", "request": "{}"}
                values |= {"made_on": utc_now(), "is_shared": False, "summary": summary}
                connection.execute(tables.checks.insert().values(id=f"c{each}", **values))
                kept = tables.check_results.insert().values(check_id=f"c{each}", packed=packed)
                connection.execute(kept)
        id, job = ask_for_erasure(context, caller, EraseRequest(documents=(number,)))
        process = until_at_work(context, job)
        time.sleep(random.uniform(0, 0.5))
        kill(process)
        ended = until_ended(context, job)
        assert (ended.state, ended.error) == ("done", None)
        receipt = find_erasure(context, id)
        assert receipt.state == "done"
        assert receipt.counts["documents"] == 1
        assert receipt.counts["checks_blackened"] == quoted
        assert traces_in_rows(context.store, needles_of((*MARKERS, "frumious"))) == []
        assert context.library.verify() == ()
