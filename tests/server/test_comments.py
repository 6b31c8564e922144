"""Comments on places of a checked text, and what a report says of its document."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from typing import Any

import docx
import pytest

from likewise.catalogue import Words
from likewise.server.checks import comments
from likewise.server.database import tables
from tests.server.checking import (
    APPLES,
    MARKET,
    RIVER,
    checked,
    post,
    small_library,
    thesis,
    zipped,
)
from tests.server.test_exclusions import text_of

EN = Words("en")
SAYS = "Ask her where the herders count; see page 4"


@pytest.fixture
def colleague(log_in):
    return log_in("bolat")


@pytest.fixture
def id(context, teacher, work_off):
    small_library(context)
    return checked(teacher, work_off)


def river() -> list[int]:
    start = thesis().index(RIVER)
    return [start, start + len(RIVER)]


def comment(client, id, span=None, comment=SAYS):
    return client.post(f"/checks/{id}/comments", json={"span": span or river(), "comment": comment})


def test_whoever_may_open_a_check_comments_on_it_and_takes_back_what_is_his(teacher, colleague, id):
    assert comment(colleague, id).status_code == 404
    teacher.post(f"/checks/{id}/share", json={"shared": True})
    theirs = comment(colleague, id)
    assert theirs.status_code == 201
    told = theirs.json()
    assert (told["span"], told["by"], told["comment"]) == (river(), "bolat", SAYS)
    assert told["is_mine"] and told["on"].endswith("Z")
    mine = comment(teacher, id, [0, 9], "  a fine\n question ").json()
    assert mine["comment"] == "a fine question"
    seen = teacher.get(f"/checks/{id}").json()["comments"]
    assert seen == [mine, told | {"is_mine": False}]  # in the order of the text
    result = teacher.get(f"/checks/{id}/result").json()["comments"]
    assert result == [{k: v for k, v in one.items() if k != "is_mine"} for one in seen]
    assert teacher.delete(f"/checks/{id}/comments/{told['id']}").status_code == 404
    assert colleague.delete(f"/checks/{id}/comments/{told['id']}").status_code == 204
    assert colleague.delete(f"/checks/{id}/comments/{told['id']}").status_code == 404
    assert teacher.get(f"/checks/{id}").json()["comments"] == [mine]


def test_a_comment_leaves_confirmations_alone_and_a_line_in_the_audit_log(
    teacher, colleague, administrator, id
):
    teacher.post(f"/checks/{id}/share", json={"shared": True})
    colleague.post(f"/checks/{id}/confirmations", json={})
    made = comment(teacher, id).json()
    teacher.delete(f"/checks/{id}/comments/{made['id']}")
    assert teacher.get(f"/checks/{id}").json()["confirmations"]
    acts = [one["act"] for one in administrator.get("/audit").json()["items"]]
    assert {"check comment made", "check comment deleted"} <= {*acts}


def test_a_comment_has_words_and_a_place_in_the_text(teacher, id, monkeypatch):
    for span in ([0, len(thesis()) + 1], [5, 5], [9, 3], [-1, 3], [0]):
        assert comment(teacher, id, span).status_code == 422, span
    for said in ("", " \n ", "x" * 1_001, "\x00"):
        assert comment(teacher, id, comment=said).status_code == 422, said
    assert comment(teacher, id, [0, len(thesis())]).status_code == 201
    monkeypatch.setattr(comments, "MOST_COMMENTS", 1)
    refused = comment(teacher, id)
    assert (refused.status_code, refused.json()["code"]) == (409, "server.many_comments")


def test_a_check_that_is_not_done_cannot_be_commented_on(teacher):
    id = post(teacher, "/checks", {"a.txt": RIVER}).json()["id"]
    refused = comment(teacher, id, [0, 5])
    assert (refused.status_code, refused.json()["kind"]) == (409, "not ready")


def test_every_report_shows_comments_beside_their_places(teacher, id):
    comment(teacher, id)
    comment(teacher, id, [0, 9], "=1+1 <b>a question</b>")
    for format in ("pdf", "csv", "json"):
        said = text_of(teacher, id, format)
        assert SAYS in said and "=1+1 <b>a question</b>" in said and "aigul" in said, format
    told = text_of(teacher, id, "pdf")
    # One stands beside its passage, the other in a table before them.
    assert told.index(SAYS) > told.index(EN("passage.heading")) > told.index("=1+1")
    report = teacher.get(f"/checks/{id}/report", params={"format": "docx"})
    margin = docx.Document(io.BytesIO(report.content)).comments
    assert {one.text for one in margin if one.author == "aigul"} == {SAYS, "=1+1 <b>a question</b>"}
    sheet = teacher.get(f"/checks/{id}/report", params={"format": "csv"})
    rows = list(csv.reader(io.StringIO(sheet.content.decode("utf-8-sig"))))
    assert {len(row) for row in rows} == {len(rows[0])}
    assert rows[-2][-1] == "'=1+1 <b>a question</b>" and rows[-1][11:13] == [*map(str, river())]


def test_the_report_of_a_class_shows_comments_on_its_members(context, teacher, work_off):
    small_library(context)
    files = {"class.zip": zipped({"a.txt": thesis(), "b.txt": thesis(APPLES, MARKET)})}
    about = {"advisor": "B. Serik", "year": 2026}
    batch = post(teacher, "/batches", files, metadata=about).json()["id"]
    work_off()
    member = teacher.get(f"/batches/{batch}/checks").json()["items"][0]
    assert comment(teacher, member["id"], [0, 9]).status_code == 201
    for format in ("pdf", "csv", "json"):
        report = teacher.get(f"/batches/{batch}/report", params={"format": format})
        assert report.status_code == 200
    view = teacher.get(f"/batches/{batch}/view").json()
    told = [(one["document"]["advisor"], one["document"]["year"]) for one in view["checks"]]
    assert told == [("B. Serik", 2026)] * 2
    assert [one["comment"] for check in view["checks"] for one in check["comments"]] == [SAYS]
    sheet = teacher.get(f"/batches/{batch}/report", params={"format": "csv"}).text
    assert SAYS in sheet


# What a report says of its document


def test_a_check_tells_the_numbers_of_documents_that_the_caller_may_open(
    context, teacher, colleague, work_off
):
    small_library(context)
    own = teacher.post("/collections", json={"name": "mine alone"}).json()["id"]
    context.library.add_texts({"notes.txt": f"{APPLES} {MARKET}"}, owner="aigul", collection=own)
    id = checked(teacher, work_off, thesis(OWN_PART, RIVER, APPLES, MARKET))
    result = {one["name"]: one["document"] for one in sources(teacher, id)}
    seen = teacher.get(f"/checks/{id}").json()
    assert seen["documents"] == result and "notes.txt" in result
    assert seen["document_id"] is None
    teacher.post(f"/checks/{id}/share", json={"shared": True})
    theirs = colleague.get(f"/checks/{id}").json()
    assert theirs["documents"] == {k: v for k, v in result.items() if k != "notes.txt"}


OWN_PART = "Nobody has written this before me, and it is not to be found in any other place."


def sources(client: Any, id: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get(f"/checks/{id}/result").json()["sources"]
    return found


def test_a_document_of_the_library_is_told_with_its_author_advisor_year_and_type(
    context, teacher, colleague, work_off
):
    small_library(context)
    own = teacher.post("/collections", json={"name": "mine alone"}).json()["id"]
    about = {"author": "Әлия Нұр", "advisor": "B. Serik", "year": 2025, "type": "thesis"}
    answer = post(teacher, "/documents", {"a.txt": thesis()}, collection=own, metadata=about)
    assert answer.status_code == 202
    work_off()
    (document,) = teacher.get("/documents", params={"collection": own}).json()["items"]
    started = post(teacher, "/checks", {}, document=document["id"])
    work_off()
    id = started.json()["id"]
    assert teacher.get(f"/checks/{id}").json()["document_id"] == document["id"]
    told = teacher.get(f"/checks/{id}/view").json()["document"]
    assert {name: told[name] for name in about} == about
    for format in ("pdf", "docx", "json"):
        said = text_of(teacher, id, format)
        assert all(str(value) in said for value in about.values()), format
    teacher.patch(f"/documents/{document['id']}", json={"advisor": "C. Omar"})
    assert teacher.get(f"/checks/{id}/view").json()["document"]["advisor"] == "C. Omar"
    # Others read the report, and nothing of a document that they may not open.
    teacher.post(f"/checks/{id}/share", json={"shared": True})
    theirs = colleague.get(f"/checks/{id}/view").json()["document"]
    assert (theirs["author"], theirs["advisor"], theirs["year"]) == ("", "", None)
    assert colleague.get(f"/checks/{id}").json()["document_id"] is None
    # The same bytes, checked as a file, are known again.
    again = checked(teacher, work_off, thesis())
    assert teacher.get(f"/checks/{again}").json()["document_id"] == document["id"]
    assert teacher.get(f"/checks/{again}/view").json()["document"]["year"] == 2025
    listed = teacher.get("/checks").json()["items"]
    assert not any("sha256" in one["summary"] for one in listed)


def test_sources_of_the_library_are_told_as_the_library_knows_them(
    context, teacher, colleague, work_off
):
    own = teacher.post("/collections", json={"name": "mine alone"}).json()["id"]
    about = {"author": "Әлия Нұр", "advisor": "B. Serik", "year": 2019}
    # What a program wrote into the file is not who wrote the text.
    source = {"river.docx": word_file(RIVER, author="python-docx")}
    assert post(teacher, "/documents", source, collection=own, metadata=about).status_code == 202
    work_off()
    id = checked(teacher, work_off, thesis(OWN_PART, RIVER))
    (told,) = [one["text"] for one in teacher.get(f"/checks/{id}/view").json()["sources"]]
    assert {name: told[name] for name in about} == about
    for format in ("pdf", "docx"):
        said = text_of(teacher, id, format)
        assert all(str(value) in said for value in about.values()), format
    (document,) = teacher.get("/documents", params={"collection": own}).json()["items"]
    teacher.patch(f"/documents/{document['id']}", json={"year": 2020})
    (told,) = [one["text"] for one in teacher.get(f"/checks/{id}/view").json()["sources"]]
    assert told["year"] == 2020
    # Others read the report, and nothing of a document that they may not open.
    teacher.post(f"/checks/{id}/share", json={"shared": True})
    (theirs,) = [one["text"] for one in colleague.get(f"/checks/{id}/view").json()["sources"]]
    assert (theirs["advisor"], theirs["year"]) == ("", None)


def word_file(text: str, author: str) -> bytes:
    made = docx.Document()
    made.core_properties.author = author
    made.add_paragraph(text)
    written = io.BytesIO()
    made.save(written)
    return written.getvalue()


def test_what_the_request_says_of_a_file_stands_in_its_report(context, teacher, work_off):
    small_library(context)
    about = {"author": "A. Nur", "year": 2024}
    id = checked(teacher, work_off, metadata=about)
    told = teacher.get(f"/checks/{id}/view").json()["document"]
    assert (told["author"], told["year"], told["advisor"]) == ("A. Nur", 2024, "")


def test_a_report_names_its_address_where_the_server_has_a_public_one(
    context, teacher, id, monkeypatch
):
    assert teacher.get(f"/checks/{id}/view").json()["made"]["address"] == ""
    config = replace(context.config, public_url="https://likewise.example.kz/")
    monkeypatch.setattr(context, "config", config)
    address = f"https://likewise.example.kz/checks/{id}"
    assert teacher.get(f"/checks/{id}/view").json()["made"]["address"] == address
    for format in ("docx", "json"):
        assert address in text_of(teacher, id, format)
    assert address in text_of(teacher, id, "pdf").replace(" ", "")


# Times


def test_exports_tell_times_as_the_clock_of_who_asks(teacher, id):
    def said(format: str, **params: str) -> str:
        asked = {"format": format, **params}
        report = teacher.get(f"/checks/{id}/report", params=asked)
        assert report.status_code == 200, report.text
        return str(docx.Document(io.BytesIO(report.content)).sections[0].footer.paragraphs[0].text)

    assert " UTC" in said("docx") and "(UTC+5)" not in said("docx")
    assert "(UTC+5)" in said("docx", time_zone="Asia/Almaty")
    assert "(UTC+5:30)" in said("docx", time_zone="Asia/Kolkata", language="kk")
    assert said("docx") == said("docx", time_zone="Etc/UTC")
    for zone in ("Mars/Olympus", "../../etc/passwd", "/etc/localtime", "", "Asia", "x" * 65):
        asked = {"format": "csv", "time_zone": zone}
        refused = teacher.get(f"/checks/{id}/report", params=asked)
        assert refused.status_code == 422, zone
    html = teacher.get(f"/checks/{id}/report", params={"time_zone": "Asia/Almaty"})
    assert html.status_code == 200  # a page tells its reader's time
    data = teacher.get(f"/checks/{id}/report", params={"format": "json"})
    assert json.loads(data.content)["made"]["date"].endswith("Z")


# Failed and cancelled ones


@pytest.mark.parametrize("kind", ["checks", "batches"])
def test_what_failed_or_was_cancelled_is_deleted_with_its_files(context, teacher, work_off, kind):
    failed = post(teacher, f"/{kind}", {"broken.pdf": "%PDF-1.7 broken"}).json()
    work_off()
    cancelled = post(teacher, f"/{kind}", {"a.txt": RIVER}).json()
    assert teacher.post(f"/jobs/{cancelled['job']}/cancel").status_code in (200, 204)
    for one, state in ((failed, "failed"), (cancelled, "cancelled")):
        assert teacher.get(f"/{kind}/{one['id']}").json()["state"] == state
        assert teacher.delete(f"/{kind}/{one['id']}").status_code == 204
        assert teacher.get(f"/{kind}/{one['id']}").status_code == 404
    assert teacher.get(f"/{kind}").json()["total"] == 0
    with context.store.reading() as connection:
        assert connection.execute(tables.uploads.select()).first() is None
