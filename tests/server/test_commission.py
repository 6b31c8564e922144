"""A commission: comments and decisions by a link, told in every report and to the owner."""

from __future__ import annotations

import csv
import io

import pytest

from likewise.catalogue import Words
from likewise.server.checks import commission
from tests.server.accounts import acts_of
from tests.server.checking import RIVER, checked, small_library, thesis
from tests.server.test_exclusions import text_of
from tests.server.test_links import by, code_of, made, shared

WHO = "Commission of ethics"
WHY = "Two pages are another's; the student is to say so"


@pytest.fixture
def id(context, teacher, work_off):
    small_library(context)
    return checked(teacher, work_off)


@pytest.fixture
def token(teacher, id):
    return made(teacher, id, recipient=WHO, is_commission=True)["token"]


def decide(client, token, **said):
    body = {"decision": "revise", "comment": WHY} | said
    return client.post("/shared/decisions", headers=by(token), json=body)


def comment(client, token, span=None, comment="Not by this author?"):
    start = thesis().index(RIVER)
    body = {"span": span or [start, start + len(RIVER)], "comment": comment}
    return client.post("/shared/comments", headers=by(token), json=body)


def test_a_commission_decides_and_its_decision_stands_in_every_report(
    teacher, anybody, administrator, id, token
):
    first = decide(anybody, token).json()
    assert (first["by"], first["decision"], first["comment"]) == (WHO, "revise", WHY)
    second = decide(anybody, token, decision="no_breach", comment=" heard\n the student ").json()
    assert second["comment"] == "heard the student"
    told = shared(anybody, token).json()
    assert told["is_commission"] and told["decisions"] == [first, second]
    assert teacher.get(f"/checks/{id}").json()["commission"] == [first, second]
    assert teacher.get(f"/checks/{id}/view").json()["commission"] == [first, second]
    words = Words("en")
    for format in ("pdf", "docx", "csv"):
        said = text_of(teacher, id, format)
        for wanted in (WHY, WHO, words("commission.revise"), words("commission.no_breach")):
            assert wanted in said, (format, wanted)
    assert words("commission.limits")[:40] in text_of(teacher, id, "pdf")
    sheet = teacher.get(f"/checks/{id}/report", params={"format": "csv"}).content
    lines = list(csv.reader(io.StringIO(sheet.decode("utf-8-sig"))))
    assert {len(line) for line in lines} == {len(lines[0])}
    noted = acts_of(administrator, "commission decision recorded")
    assert [one["detail"]["decision"] for one in noted] == ["no_breach", "revise"]
    assert WHY not in str(noted)


def test_a_commission_comments_in_its_own_name_and_takes_back_what_is_its_own(
    teacher, anybody, id, token
):
    added = comment(anybody, token)
    assert added.status_code == 201 and added.json()["is_mine"]
    theirs = teacher.post(f"/checks/{id}/comments", json={"span": [0, 9], "comment": "mine"}).json()
    seen = shared(anybody, token).json()["comments"]
    assert [(one["by"], one["is_mine"]) for one in seen] == [("aigul", False), (WHO, True)]
    own = teacher.get(f"/checks/{id}").json()["comments"]
    assert [(one["by"], one["is_mine"]) for one in own] == [("aigul", True), (WHO, False)]
    delete = lambda id: anybody.delete(f"/shared/comments/{id}", headers=by(token)).status_code  # noqa: E731
    assert delete(theirs["id"]) == 404
    assert delete(added.json()["id"]) == 204
    assert delete(added.json()["id"]) == 404


def test_what_is_no_decision_or_no_place_of_the_text_is_refused(anybody, token, monkeypatch):
    for wrong in ({"decision": "expelled"}, {"comment": " "}, {"comment": "x" * 1_001}):
        assert decide(anybody, token, **wrong).status_code == 422, wrong
    assert comment(anybody, token, [0, len(thesis()) + 1]).status_code == 422
    monkeypatch.setattr(commission, "MOST_DECISIONS", 1)
    assert decide(anybody, token).status_code == 201
    assert code_of(decide(anybody, token)) == (409, "server.many_decisions")


def test_who_may_only_read_neither_comments_nor_decides(teacher, anybody, log_in, id):
    for said in ({"recipient": "A reader"}, {"colleague": "bolat"}):
        reader = log_in("bolat") if "colleague" in said else anybody
        token = made(teacher, id, **said)["token"]
        for answer in (decide(reader, token), comment(reader, token)):
            assert code_of(answer) == (403, "server.link_reads")


def test_a_link_that_was_revoked_says_nothing_more(teacher, anybody, id):
    told = made(teacher, id, recipient=WHO, is_commission=True)
    teacher.post(f"/links/{told['link']['id']}/revoke")
    for answer in (decide(anybody, told["token"]), comment(anybody, told["token"])):
        assert code_of(answer) == (404, "server.link_revoked")


def test_a_colleague_decides_under_the_own_name(teacher, log_in, id):
    bolat = log_in("bolat")
    token = made(teacher, id, colleague="bolat", is_commission=True)["token"]
    assert decide(bolat, token).json()["by"] == "bolat"
    assert comment(bolat, token).json()["by"] == "bolat"
    # What was written by a link is the colleague's own on the page of the check, too.
    teacher.post(f"/checks/{id}/share", json={"shared": True})
    assert [one["is_mine"] for one in bolat.get(f"/checks/{id}").json()["comments"]] == [True]


def test_what_a_commission_decided_outlives_its_link(context, teacher, anybody, id, token):
    from likewise.server.database import tables

    decide(anybody, token)
    with context.store.beside() as connection:
        connection.execute(tables.report_links.delete())
    (decision,) = teacher.get(f"/checks/{id}").json()["commission"]
    assert decision["by"] == WHO
