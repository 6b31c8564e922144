"""What people decide about a report: counted anew everywhere, with who, when and why."""

from __future__ import annotations

import csv
import io
import json

import docx
import pypdfium2
import pytest

from likewise.server.database import tables
from tests.server.checking import MARKET, RIVER, checked, small_library, thesis

WHY = "The supervisor's own lecture notes, used with permission"


@pytest.fixture
def colleague(log_in):
    return log_in("bolat")


@pytest.fixture
def id(context, teacher, work_off):
    small_library(context)
    return checked(teacher, work_off)


def exclude(client, id, **given):
    return client.post(f"/checks/{id}/exclusions", json={"reason": WHY, **given})


def similar(client, id):
    result = client.get(f"/checks/{id}/result").json()
    summary = client.get(f"/checks/{id}").json()["summary"]
    assert summary["shares"] == result["shares"]
    return result["shares"]["similar"]


def text_of(client, id, format, language="en"):
    """What a person finds in a report."""
    report = client.get(f"/checks/{id}/report", params={"format": format, "language": language})
    assert report.status_code == 200, report.text
    if format == "pdf":
        pages = pypdfium2.PdfDocument(report.content)
        found = " ".join(page.get_textpage().get_text_bounded() for page in pages)
        pages.close()
    elif format == "docx":
        document = docx.Document(io.BytesIO(report.content))
        cells = [c.text for t in document.tables for row in t.rows for c in row.cells]
        found = " ".join([*(p.text for p in document.paragraphs), *cells])
    elif format == "csv":
        rows = csv.reader(io.StringIO(report.content.decode("utf-8-sig")))
        found = " ".join(cell for row in rows for cell in row)
    else:
        found = report.text
    return " ".join(found.split())


def test_a_source_that_is_taken_out_counts_nowhere_and_comes_back(teacher, id):
    before = similar(teacher, id)
    made = exclude(teacher, id, source="river.txt")
    assert made.status_code == 201
    told = made.json()
    assert (told["source"], told["span"], told["by"], told["reason"]) == (
        *("river.txt", None, "aigul"),
        WHY,
    )
    assert similar(teacher, id) < before
    result = teacher.get(f"/checks/{id}/result").json()
    assert result["taken_out"] == ["river.txt"] and result["decisions"] == [told]
    assert result["shares_before"]["similar"] == before
    view = teacher.get(f"/checks/{id}/view").json()
    assert view["taken_out"] == ["river.txt"]
    assert [one["reason"] for one in view["decisions"]] == [WHY]
    assert teacher.get(f"/checks/{id}/exclusions").json() == [told]
    assert teacher.get(f"/checks/{id}").json()["exclusions"] == [told]
    assert exclude(teacher, id, source="river.txt").status_code == 409
    assert teacher.delete(f"/checks/{id}/exclusions/{told['id']}").status_code == 204
    assert similar(teacher, id) == before
    assert teacher.delete(f"/checks/{id}/exclusions/{told['id']}").status_code == 404


def test_a_stretch_of_the_text_is_taken_out_whoever_holds_it(teacher, id):
    start = thesis().index(MARKET)
    made = exclude(teacher, id, span=[start, start + len(MARKET)])
    assert made.status_code == 201 and made.json()["span"] == [start, start + len(MARKET)]
    result = teacher.get(f"/checks/{id}/result").json()
    taken = [one for one in result["exclusions"] if one["reason"] == "reader"]
    assert [one["span"] for one in taken] == [[start, start + len(MARKET)]]
    assert result["shares"]["excluded"] > 0.3
    assert teacher.get(f"/checks/{id}").json()["summary"]["exclusions"] == 1


def test_what_the_check_does_not_know_cannot_be_taken_out(teacher, id):
    length = len(thesis())
    for given in (
        *({"source": "nobody.txt"}, {"span": [0, length + 1]}, {"span": [5, 5]}),
        *({"span": [9, 3]}, {"span": [-1, 3]}, {}, {"source": "river.txt", "span": [0, 9]}),
        *({"source": "river.txt", "reason": " \n"}, {"source": "river.txt", "reason": "\x00"}),
    ):
        refused = exclude(teacher, id, **given)
        assert (refused.status_code, refused.json()["kind"]) == (422, "bad request"), given
    assert teacher.get(f"/checks/{id}/exclusions").json() == []


def test_every_report_says_who_took_what_out_and_why(teacher, colleague, id):
    exclude(teacher, id, source="river.txt")
    start = thesis().index(MARKET)
    exclude(teacher, id, span=[start, start + 60], reason="a saying that everybody knows")
    teacher.post(f"/checks/{id}/share", json={"shared": True})
    confirmed = colleague.post(f"/checks/{id}/confirmations", json={"comment": "I agree fully"})
    assert confirmed.status_code == 201
    for format in ("pdf", "docx", "csv", "json"):
        said = text_of(teacher, id, format)
        for wanted in ("river.txt", WHY, "a saying that everybody knows", "aigul"):
            assert wanted in said, (format, wanted)
        assert "bolat" in said and "I agree fully" in said, format
    for language, heading in (("ru", "Решения проверяющих"), ("kk", "Тексерушілердің шешімдері")):
        assert heading in text_of(teacher, id, "docx", language)
    # The page holds the same view, packed.
    view = teacher.get(f"/checks/{id}/view").json()
    assert [one["by"] for one in view["confirmations"]] == ["bolat"]
    assert [one["place"] for one in view["decisions"]] == [None, [start, start + 60]]


@pytest.mark.bundles
def test_reasons_are_data_in_every_format(teacher, id):
    reason = '=HYPERLINK("http://x") <script>alert(1)</script> #import "x" \\u{41}'
    exclude(teacher, id, source="river.txt", reason=reason)
    report = teacher.get(f"/checks/{id}/report", params={"format": "csv"})
    rows = list(csv.reader(io.StringIO(report.content.decode("utf-8-sig"))))
    assert all(len(row) == len(rows[0]) for row in rows)
    assert "'" + reason in rows[-1]
    assert "<script>alert(1)" in text_of(teacher, id, "pdf")
    assert reason in text_of(teacher, id, "docx")
    assert "<script>alert" not in text_of(teacher, id, "html")


def test_another_teacher_confirms_once_and_takes_it_back(teacher, colleague, id):
    path = f"/checks/{id}/confirmations"
    assert colleague.post(path, json={}).status_code == 404
    teacher.post(f"/checks/{id}/share", json={"shared": True})
    own = teacher.post(path, json={})
    assert (own.status_code, own.json()["kind"]) == (403, "not allowed")
    made = colleague.post(path, json={"comment": "read all of it"}).json()
    assert (made["by"], made["comment"]) == ("bolat", "read all of it")
    assert colleague.post(path, json={}).status_code == 409
    seen = teacher.get(f"/checks/{id}").json()
    assert [one["id"] for one in seen["confirmations"]] == [made["id"]]
    assert not colleague.get(f"/checks/{id}").json()["may_confirm"]
    assert teacher.delete(f"{path}/{made['id']}").status_code == 404
    assert colleague.delete(f"{path}/{made['id']}").status_code == 204
    assert teacher.get(f"/checks/{id}").json()["confirmations"] == []


def test_what_counts_otherwise_is_no_longer_confirmed(teacher, colleague, administrator, id):
    teacher.post(f"/checks/{id}/share", json={"shared": True})
    colleague.post(f"/checks/{id}/confirmations", json={})
    exclude(teacher, id, source="river.txt")
    assert teacher.get(f"/checks/{id}").json()["confirmations"] == []
    acts = [one["act"] for one in administrator.get("/audit").json()["items"]]
    assert {"check exclusion made", "check confirmed", "check confirmations withdrawn"} <= {*acts}


def test_who_decided_is_told_after_the_person_is_gone(context, teacher, id):
    exclude(teacher, id, source="river.txt")
    with context.store.beside() as connection:
        table = tables.check_exclusions
        connection.execute(table.update().values(user_id=None))
    assert teacher.get(f"/checks/{id}/exclusions").json()[0]["by"] == "aigul"


def test_a_check_that_is_not_done_has_nothing_to_decide_about(context, teacher):
    from tests.server.checking import post

    id = post(teacher, "/checks", {"a.txt": RIVER}).json()["id"]
    refused = exclude(teacher, id, source="river.txt")
    assert (refused.status_code, refused.json()["kind"]) == (409, "not ready")
    assert json.loads(teacher.get(f"/checks/{id}/exclusions").content) == []
