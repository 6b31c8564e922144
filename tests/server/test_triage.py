"""What needs attention, thresholds of shares, and many checks or documents at once."""

from __future__ import annotations

import csv
import io
import json
import secrets
from datetime import datetime, timedelta

import pytest
from sqlalchemy import insert, select, update

from likewise.server.config import Config
from likewise.server.database import tables
from tests.server.checking import MARKET, RIVER, add, checked, post, small_library, thesis

LONG_AGO = datetime(2026, 1, 1)
TRICKS = ["hidden text"]


@pytest.fixture
def colleague(log_in):
    return log_in("bolat")


def insert_checks(
    context, many, *, owner="aigul", similar=0.1, tricks=(), shared=False, batch=None
):
    """Rows of checks that are done, without results: their ids."""
    users = tables.users.c
    summary = {
        "shares": {"original": 1 - similar, "similar": similar, "quoted": 0.0, "excluded": 0.0},
        "documents": 3,
        "sources": 1,
        "passages": 2,
        "top": [],
        "language": "en",
        "words": 100,
        "pages": 1,
        "disguises": list(tricks),
        "in_part": False,
        "done_on": "2026-01-01T00:00:00Z",
        "ids": {},
    }
    with context.store.beside() as connection:
        person = connection.execute(select(users.id).where(users.name == owner)).scalar_one()
        rows = [
            {
                "id": secrets.token_hex(12),
                "user_id": person,
                "job_id": None,
                "batch_id": batch,
                "name": f"essay-{number}.txt",
                "request": json.dumps({"options": {}}),
                "made_on": LONG_AGO + timedelta(minutes=number),
                "is_shared": shared,
                "summary": json.dumps(summary),
            }
            for number in range(many)
        ]
        connection.execute(insert(tables.checks), rows)
    return [row["id"] for row in rows]


def insert_batch(context, owner="aigul", **values):
    users, id = tables.users.c, secrets.token_hex(12)
    summary = {
        "documents": 9,
        "unread": [],
        "pairs": 0,
        "clusters": 0,
        "similar": 0,
        "most_similar": None,
        "done_on": "2026-01-01T00:00:00Z",
    }
    with context.store.beside() as connection:
        person = connection.execute(select(users.id).where(users.name == owner)).scalar_one()
        row = {
            "id": id,
            "user_id": person,
            "job_id": "0" * 24,
            "name": "Class 4",
            "request": "{}",
            "made_on": LONG_AGO,
            "is_shared": False,
            "summary": json.dumps(summary),
        }
        connection.execute(insert(tables.batches), [row | values])
    return id


def listed(client, **filters):
    answer = client.get("/checks", params=filters)
    assert answer.status_code == 200, answer.text
    return answer.json()


# Thresholds


def test_thresholds_are_read_by_everybody_and_set_by_administrators(teacher, administrator):
    assert teacher.get("/thresholds").json() == {"notice": 0.2, "high": 0.4}
    assert teacher.put("/thresholds", json={"notice": 0.1, "high": 0.3}).status_code == 403
    changed = administrator.put("/thresholds", json={"notice": 0.1, "high": 0.3})
    assert changed.json() == {"notice": 0.1, "high": 0.3}
    assert teacher.get("/thresholds").json() == {"notice": 0.1, "high": 0.3}
    line = administrator.get("/audit", params={"act": "settings changed"}).json()["items"][0]
    assert line["detail"] == {"notice_share": [0.2, 0.1], "high_share": [0.4, 0.3]}


@pytest.mark.parametrize(
    "bad",
    [
        {"notice": 0.4, "high": 0.4},
        {"notice": 0.5, "high": 0.4},
        {"notice": 0, "high": 0.4},
        {"notice": 0.2, "high": 1.01},
        {"notice": 0.2},
        {"notice": "NaN", "high": 0.4},
    ],
)
def test_thresholds_out_of_order_are_refused(administrator, bad):
    assert administrator.put("/thresholds", json=bad).status_code == 422
    assert administrator.get("/thresholds").json() == {"notice": 0.2, "high": 0.4}


def test_settings_keep_the_thresholds_in_order_too(administrator):
    assert administrator.patch("/settings", json={"notice_share": 0.7}).status_code == 422
    both = administrator.patch("/settings", json={"notice_share": 0.7, "high_share": 0.9})
    assert both.status_code == 200
    assert administrator.get("/thresholds").json() == {"notice": 0.7, "high": 0.9}


def test_limits_are_told_before_anything_is_sent(context, teacher, administrator, log_in):
    administrator.patch("/settings", json={"most_upload_bytes": 5_000_000})
    limits = teacher.get("/limits").json()
    assert limits["upload_bytes"] == 5_000_000 and limits["files"] == 1_000
    assert limits["text_bytes"] == context.config.most_text_bytes >= 1_000_000
    assert log_in("daniyar", "student").get("/limits").json() == limits


# Attention


def test_attention_counts_all_checks_and_its_list_shows_exactly_these(context, teacher, colleague):
    insert_checks(context, 1_000)
    tricks = insert_checks(context, 3, tricks=TRICKS)
    high = insert_checks(context, 2, similar=0.4)
    insert_checks(context, 1, owner="bolat", tricks=TRICKS)
    shown = teacher.get("/checks/attention").json()
    assert shown == {"tricks": 3, "high": 2, "unconfirmed": 0, "failed": 0}
    of_tricks = listed(teacher, whose="mine", tricks=True, unopened=True)
    assert of_tricks["total"] == 3
    assert {one["id"] for one in of_tricks["items"]} == set(tricks)
    of_high = listed(teacher, whose="mine", level="high", unopened=True)
    assert {one["id"] for one in of_high["items"]} == set(high)
    assert listed(teacher, level="notice")["total"] == 2
    # What is open to nobody else is in nobody else's list or count.
    assert colleague.get("/checks/attention").json()["tricks"] == 1
    assert listed(colleague, whose="all", tricks=True)["total"] == 1


def test_the_list_follows_the_thresholds(context, teacher, administrator):
    insert_checks(context, 2, similar=0.35)
    assert listed(teacher, level="high")["total"] == 0
    administrator.put("/thresholds", json={"notice": 0.1, "high": 0.3})
    assert listed(teacher, level="high")["total"] == 2
    assert teacher.get("/checks/attention").json()["high"] == 2


def test_a_report_that_its_owner_has_opened_needs_no_attention(
    context, teacher, colleague, work_off
):
    small_library(context)
    id = checked(teacher, work_off, thesis(RIVER, MARKET))
    assert teacher.get("/checks/attention").json()["high"] == 1
    assert teacher.get(f"/checks/{id}").json()["is_opened"] is False
    teacher.post(f"/checks/{id}/share", json={"shared": True})
    assert colleague.get(f"/checks/{id}/view").status_code == 200
    assert teacher.get("/checks/attention").json()["high"] == 1
    assert teacher.get(f"/checks/{id}/view").status_code == 200
    assert teacher.get("/checks/attention").json()["high"] == 0
    assert listed(teacher, unopened=True)["total"] == 0
    assert listed(teacher)["items"][0]["is_opened"] is True


def test_a_report_awaits_a_second_reader_until_this_person_has_confirmed(
    context, teacher, colleague, log_in, work_off
):
    small_library(context)
    id = checked(teacher, work_off)
    teacher.post(f"/checks/{id}/share", json={"shared": True})
    third = log_in("dana")
    for one in (colleague, third):
        assert one.get("/checks/attention").json()["unconfirmed"] == 1
        assert listed(one, whose="shared", unconfirmed=True)["total"] == 1
    colleague.post(f"/checks/{id}/confirmations", json={"comment": ""})
    assert colleague.get("/checks/attention").json()["unconfirmed"] == 0
    assert listed(colleague, whose="shared", unconfirmed=True)["total"] == 0
    assert third.get("/checks/attention").json()["unconfirmed"] == 1
    assert teacher.get("/checks/attention").json()["unconfirmed"] == 0


def test_failed_checks_are_counted_until_they_are_deleted(teacher, work_off):
    accepted = post(teacher, "/checks", {"empty.txt": "   "})
    assert accepted.status_code == 202
    work_off()
    assert teacher.get("/checks/attention").json()["failed"] == 1
    filters = {"whose": "mine", "state": "failed"}
    deleted = teacher.post("/checks/delete", json={"filters": filters})
    assert deleted.json() == {"checks": 1, "skipped": 0}
    assert teacher.get("/checks/attention").json()["failed"] == 0
    assert listed(teacher)["total"] == 0


# Many checks


def test_all_that_match_are_deleted_without_sending_their_ids(context, teacher, colleague):
    insert_checks(context, 1_000)
    with_tricks = insert_checks(context, 4, tricks=TRICKS)
    others = insert_checks(context, 2, owner="bolat", tricks=TRICKS, shared=True)
    body = {"filters": {"tricks": True}, "without": with_tricks[:1]}
    assert teacher.post("/checks/delete", json=body).json() == {"checks": 3, "skipped": 2}
    assert listed(teacher, whose="mine")["total"] == 1_001
    assert listed(colleague, whose="mine")["total"] == len(others)
    assert teacher.post("/checks/delete", json={"filters": {}}).json()["checks"] == 1_001
    assert listed(teacher, whose="mine")["total"] == 0


def test_several_checks_are_shared_and_taken_back(context, teacher, colleague):
    ids = insert_checks(context, 600)
    in_class = insert_checks(context, 1, batch=insert_batch(context))
    shared = teacher.post("/checks/share", json={"ids": [*ids, *in_class], "shared": True})
    assert shared.json() == {"checks": 600, "skipped": 1}
    assert listed(colleague, whose="shared", limit=1)["total"] == 600
    back = teacher.post("/checks/share", json={"filters": {"whose": "mine"}, "shared": False})
    assert back.json()["checks"] == 600
    assert listed(colleague, whose="shared")["total"] == 0


def test_a_selection_holds_nothing_of_what_is_not_the_callers_to_open(context, teacher, colleague):
    (secret,) = insert_checks(context, 1, owner="bolat")
    for path, more in (("delete", {}), ("share", {"shared": True}), ("again", {}), ("figures", {})):
        assert teacher.post(f"/checks/{path}", json={"ids": [secret], **more}).status_code == 404
    assert teacher.post("/checks/delete", json={"filters": {"whose": "all"}}).json()["checks"] == 0
    assert listed(colleague)["total"] == 1
    for bad in ({}, {"ids": [], "filters": {}}, {"ids": [secret], "filters": {}}):
        assert teacher.post("/checks/delete", json=bad).status_code == 422, bad


def test_nothing_is_done_to_a_list_that_others_have_changed_meanwhile(context, teacher):
    ids = insert_checks(context, 3)
    chosen = {"filters": {"whose": "mine"}, "without": ids[:1], "expected": 3}
    insert_checks(context, 1)  # in another window
    refused = teacher.post("/checks/delete", json=chosen)
    assert (refused.status_code, refused.json()["code"]) == (409, "server.list_changed")
    assert refused.json()["values"] == {"n": 4} and listed(teacher)["total"] == 4
    assert teacher.post("/checks/delete", json=chosen | {"expected": 4}).json()["checks"] == 3
    add(context, "aigul", one=RIVER, two=MARKET)
    own = {"filters": {"owner": ["aigul"]}, "expected": 1}
    assert teacher.post("/documents/delete", json=own).status_code == 409
    assert teacher.patch("/documents", json=own | {"metadata": {"year": 1}}).status_code == 409
    assert teacher.post("/documents/check", json={"documents": own}).status_code == 409
    assert teacher.post("/documents/delete", json=own | {"expected": 2}).json()["documents"] == 2


def test_figures_of_all_that_match_are_a_table(context, teacher):
    insert_checks(context, 3, similar=0.25, tricks=TRICKS)
    (named,) = insert_checks(context, 1)
    with context.store.beside() as connection:
        formula = update(tables.checks).where(tables.checks.c.id == named)
        connection.execute(formula.values(name="=1+1"))
    answer = teacher.post("/checks/figures", json={"filters": {}})
    assert "attachment" in answer.headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert len(rows) == 4
    assert {row["document"] for row in rows} >= {"'=1+1", "essay-2.txt"}
    one = next(row for row in rows if row["document"] == "essay-2.txt")
    assert (one["similar to a source"], one["tricks"]) == ("0.25", "Hidden text")
    russian = teacher.post("/checks/figures?language=ru", json={"filters": {"tricks": True}})
    lines = russian.content.decode("utf-8-sig").splitlines()
    assert len(lines) == 4 and ";0,25;" in lines[1]


def test_what_failed_and_what_stands_in_the_library_is_checked_again(context, teacher, work_off):
    small_library(context)
    number = context.library.list(search="river").entries[0].id
    of_library = post(teacher, "/checks", {}, document=number).json()["id"]
    uploaded = checked(teacher, work_off)
    assert post(teacher, "/checks", {"empty.txt": "  "}).status_code == 202
    work_off()
    again = teacher.post("/checks/again", json={"filters": {"whose": "mine"}})
    assert again.json() == {"checks": 2, "skipped": 1}
    work_off()
    states = [(one["name"], one["state"]) for one in listed(teacher)["items"]]
    assert sorted(states) == [
        ("empty.txt", "failed"),
        ("river.txt", "done"),
        ("river.txt", "done"),
        ("thesis.txt", "done"),
    ]
    assert of_library and uploaded


# Documents of the library


def test_all_documents_that_match_are_checked(context, teacher, work_off):
    small_library(context)
    add(context, owner="aigul", meadow=RIVER + " And more.")
    body = {"documents": {"filters": {}, "search": "river"}}
    started = teacher.post("/documents/check", json=body)
    assert (started.status_code, started.json()) == (202, {"checks": 1})
    everything = {"documents": {"filters": {"owner": ["dean"]}}}
    assert teacher.post("/documents/check", json=everything).json() == {"checks": 3}
    work_off()
    assert {one["state"] for one in listed(teacher)["items"]} == {"done"}
    assert listed(teacher)["total"] == 4


def test_more_checks_than_a_day_allows_are_refused_together(context, teacher, administrator):
    small_library(context)
    administrator.patch("/settings", json={"most_checks_a_day": 2})
    refused = teacher.post("/documents/check", json={"documents": {"filters": {}}})
    assert refused.json()["kind"] == "quota reached"
    assert listed(teacher)["total"] == 0


def test_private_documents_are_in_no_selection_of_others(context, teacher, colleague):
    private = teacher.post("/collections", json={"name": "mine"}).json()["id"]
    add(context, "aigul", private, secret=RIVER)
    number = context.library.list(collection=private).entries[0].id
    body = {"documents": {"ids": [number]}}
    assert colleague.post("/documents/check", json=body).status_code == 404
    all_of_it = {"documents": {"filters": {}}}
    assert colleague.post("/documents/check", json=all_of_it).json() == {"checks": 0}


def test_all_that_match_are_corrected_and_removed_but_for_some(context, teacher, colleague):
    add(context, "aigul", one=RIVER, two=MARKET, three=RIVER + " Once more.")
    add(context, "bolat", four=MARKET + " And again.")
    numbers = {one.name: one.id for one in context.library.list().entries}
    body = {"filters": {}, "without": [numbers["two.txt"]], "metadata": {"year": 2024}}
    assert teacher.patch("/documents", json=body).json() == {"documents": 2}
    years = {one["name"]: one["year"] for one in teacher.get("/documents").json()["items"]}
    assert years == {"one.txt": 2024, "two.txt": None, "three.txt": 2024, "four.txt": None}
    removed = teacher.post(
        "/documents/delete",
        json={"filters": {"owner": ["aigul"]}, "without": [numbers["three.txt"]]},
    )
    assert removed.json()["documents"] == 2
    left = {one["name"] for one in teacher.get("/documents").json()["items"]}
    assert left == {"three.txt", "four.txt"}


# Classes


def test_a_class_is_closed_and_reopened_by_its_owner(context, teacher, colleague):
    id = insert_batch(context, is_shared=True)
    insert_checks(context, 4, similar=0.1, batch=id)
    insert_checks(context, 2, similar=0.2, batch=id)
    insert_checks(context, 3, similar=0.9, tricks=TRICKS, batch=id)
    (open_one,) = teacher.get("/batches", params={"open": True}).json()["items"]
    assert open_one["counts"] == {"notice": 2, "high": 3, "tricks": 3}
    assert open_one["closed_on"] is None
    assert colleague.post(f"/batches/{id}/close").status_code == 403
    closed = teacher.post(f"/batches/{id}/close").json()
    assert closed["closed_on"] is not None and closed["counts"]["high"] == 3
    assert teacher.get("/batches", params={"open": True}).json()["total"] == 0
    assert teacher.get("/batches", params={"open": False}).json()["total"] == 1
    assert teacher.post(f"/batches/{id}/close").json()["closed_on"] == closed["closed_on"]
    assert teacher.post(f"/batches/{id}/reopen").json()["closed_on"] is None
    assert colleague.get("/batches", params={"whose": "mine"}).json()["total"] == 0
    assert colleague.get("/batches", params={"whose": "shared"}).json()["total"] == 1


def test_counts_of_a_class_follow_the_thresholds(context, teacher, administrator):
    id = insert_batch(context)
    insert_checks(context, 2, similar=0.35, batch=id)
    assert teacher.get(f"/batches/{id}").json()["counts"] == {"notice": 2, "high": 0, "tricks": 0}
    administrator.put("/thresholds", json={"notice": 0.1, "high": 0.3})
    assert teacher.get(f"/batches/{id}").json()["counts"] == {"notice": 0, "high": 2, "tricks": 0}


def test_a_class_without_a_result_cannot_be_closed(teacher):
    started = post(teacher, "/batches", {"one.txt": RIVER, "two.txt": MARKET})
    id = started.json()["id"]
    assert teacher.get(f"/batches/{id}").json()["counts"] is None
    assert teacher.post(f"/batches/{id}/close").json()["kind"] == "not ready"


# Texts that are too long


@pytest.fixture
def little_memory(context, monkeypatch):
    """A server whose workers have the memory for a text of three megabytes."""
    config = Config(workers=0, job_memory_mb=256)
    monkeypatch.setattr(context, "config", config)
    return config.most_text_bytes


def test_a_text_that_is_too_long_is_refused_at_once_in_megabytes(teacher, little_memory):
    assert little_memory == 3_000_000
    long = "a b c " * 600_000
    for path in ("/checks", "/batches"):
        refused = post(teacher, path, {"long.txt": long})
        assert refused.status_code == 413
        assert "3.6 MB" in refused.json()["message"] and "3 MB" in refused.json()["message"]
        assert refused.json()["about"] == "long.txt"
    assert teacher.get("/jobs").json()["total"] == 0


def test_a_text_found_to_be_too_long_fails_once(context, teacher, work_off, little_memory):
    add(context, long="word " * 700_000)
    number = context.library.list().entries[0].id
    id = post(teacher, "/checks", {}, document=number).json()["id"]
    work_off()
    failed = teacher.get(f"/checks/{id}").json()
    assert (failed["state"], failed["error_code"]) == ("failed", "server.text_too_long")
    (job,) = teacher.get("/jobs").json()["items"]
    assert job["attempts"] == 1


def test_limits_are_told_in_megabytes(teacher, administrator):
    administrator.patch("/settings", json={"most_upload_bytes": 1_500_000})
    refused = post(teacher, "/checks", {"large.txt": "word " * 400_000})
    assert refused.json()["message"] == "an upload may hold 1.5 MB in all"
