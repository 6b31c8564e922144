"""What is kept about a person, what students are asked, what is told in numbers, until when."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from fastapi.testclient import TestClient
from sqlalchemy import select, update

from likewise.library import schema
from likewise.library.registry import all_tables
from likewise.server.context import ServerContext, utc_now
from likewise.server.database import tables
from likewise.server.privacy.counts import COUNTED_AS
from likewise.server.privacy.personal_tables import AS_LOG, PERSONAL_TABLES
from likewise.server.privacy.retention import NOTICE_DAYS
from tests.server.accounts import acts_of, rows
from tests.server.campus_rows import Campus
from tests.server.checking import MARKET, OWN, checked
from tests.server.conftest import LogIn
from tests.server.handing_in import RIVER, STEPPE, hand_in, text
from tests.server.test_retention import tidied

WorkOff = Callable[[], int]
DAY = timedelta(days=1)


def archive_of(client: TestClient, address: str) -> zipfile.ZipFile:
    answer = client.get(address)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-disposition"].startswith("attachment")
    return zipfile.ZipFile(io.BytesIO(answer.content))


def told(archive: zipfile.ZipFile) -> dict[str, list[dict[str, Any]]]:
    told: dict[str, list[dict[str, Any]]] = json.loads(archive.read("data.json"))["rows"]
    return told


def test_every_column_that_leads_to_an_account_is_in_the_export() -> None:
    leading = {
        f"{table.name}.{column.name}"
        for table in all_tables()
        for column in table.c
        for key in column.foreign_keys
        if key.column.table is tables.users
    }
    covered = {f"{one.table.name}.{one.column}" for one in PERSONAL_TABLES}
    assert leading <= covered | AS_LOG, sorted(leading - covered - AS_LOG)
    below = {one.table for one in PERSONAL_TABLES}
    for one in PERSONAL_TABLES:
        assert one.hidden <= {column.name for column in one.table.c}, one.name
        binary = {c.name for c in one.table.c if c.name in ("packed", "data", "password", "hash")}
        assert one.extent == "act" or binary <= one.hidden, one.name
    assert tables.check_results in below


def test_people_take_along_all_that_is_kept_about_them(
    context: ServerContext,
    log_in: LogIn,
    teacher: TestClient,
    administrator: TestClient,
    work_off: WorkOff,
) -> None:
    campus = Campus(context, "aigul")
    hand_in(teacher, {"river.txt": text(RIVER)})
    work_off()
    check = checked(teacher, work_off, f"{OWN} {MARKET}", name="essay.txt")
    remark = {"span": [0, 5], "comment": "my own remark"}
    assert teacher.post(f"/checks/{check}/comments", json=remark).status_code == 201
    submission = campus.submission("aigul", check=check, student="Aigul N.")
    campus.self_check("aigul")
    campus.mail("aigul", "aigul@example.kz")
    archive = archive_of(teacher, "/me/data")
    mine = told(archive)
    assert mine["users"][0]["name"] == "aigul"
    assert mine["documents"][0]["name"] == "river.txt"
    assert mine["check_comments"][0]["comment"] == "my own remark"
    assert [one["id"] for one in mine["submissions"]] == [submission]
    assert mine["self_checks"] and mine["mail_queue"][0]["to"] == "aigul@example.kz"
    assert {one["act"] for one in mine["audit"]} >= {"logged in", "person added"}
    assert mine["audit"][0]["by"] in ("aigul", "dean", None)
    files = {name: archive.read(name) for name in archive.namelist()}
    assert any(name.startswith("files/library/") and RIVER[:30].encode() in data
               for name, data in files.items())  # fmt: skip
    assert OWN[:30].encode() in files[f"files/checks/{check}/essay.txt.txt"]
    whole = json.dumps(mine)
    assert "argon2" not in whole and "password" not in mine["users"][0]
    other = told(archive_of(log_in("bolat"), "/me/data"))
    assert "submissions" not in other and "aigul" not in json.dumps(other)


def test_people_see_how_much_is_kept_about_them_before_they_take_it_along(
    context: ServerContext, log_in: LogIn, teacher: TestClient, work_off: WorkOff
) -> None:
    campus = Campus(context, "aigul")
    hand_in(teacher, {"river.txt": text(RIVER)})
    work_off()
    check = checked(teacher, work_off, f"{OWN} {MARKET}", name="essay.txt")
    own = campus.id_of("aigul")
    campus.submission("aigul", check=check, student="Aigul N.", handed_in_by=own)
    campus.submission(None, student="Timur Kim", handed_in_by=own)
    campus.mail("aigul", "aigul@example.kz")
    counts = teacher.get("/me/data/counts").json()["counts"]
    mine = told(archive_of(teacher, "/me/data"))
    assert (counts["documents"], counts["submissions"], counts["mail"]) == (1, 1, 1)
    assert counts["checks"] == len(mine["checks"]) and counts["sessions"] == len(mine["sessions"])
    assert 0 < counts["log"] <= len(mine["audit"])
    assert counts["keys"] == counts["self_checks"] == 0
    assert counts["acts"] == 3, "a course, an assignment, and what was handed in for another"
    other = log_in("timur", "student").get("/me/data/counts").json()["counts"]
    assert other["documents"] == other["submissions"] == other["checks"] == 0
    assert other["sessions"] == 1


def test_every_table_of_the_export_is_counted_as_something_that_people_know() -> None:
    assert {one.name for one in PERSONAL_TABLES} == set(COUNTED_AS)


def test_an_export_says_how_long_it_is(teacher: TestClient) -> None:
    answer = teacher.get("/me/data")
    assert int(answer.headers["content-length"]) == len(answer.content) > 0


def test_administrators_export_for_somebody_who_is_told_of_it(
    log_in: LogIn, teacher: TestClient, administrator: TestClient
) -> None:
    id = teacher.get("/me").json()["id"]
    mine = told(archive_of(administrator, f"/users/{id}/data"))
    assert mine["users"][0]["name"] == "aigul"
    (noted,) = acts_of(administrator, "personal data exported")
    assert (noted["user_name"], noted["target"]) == ("dean", "aigul")
    assert "personal data exported" in [one["act"] for one in teacher.get("/me").json()["notices"]]
    assert log_in("bolat").get(f"/users/{id}/data").status_code == 403
    assert administrator.get(f"/users/{'0' * 24}/data").status_code == 404


def test_a_consent_text_is_never_changed_and_the_newest_is_asked(
    context: ServerContext, log_in: LogIn, administrator: TestClient
) -> None:
    first = {"en": "We keep your text.", "ru": "Мы храним ваш текст.", "kk": ""}
    made = administrator.post("/consent-texts", json={"texts": first})
    assert made.status_code == 201, made.text
    second = administrator.post("/consent-texts", json={"texts": {"en": "For two years."}})
    student = log_in("timur", "student")
    listed = student.get("/consent-texts").json()
    assert listed["total"] == 2
    assert [one["id"] for one in listed["items"]] == [second.json()["id"], made.json()["id"]]
    assert listed["items"][1]["texts"] == {"en": first["en"], "ru": first["ru"]}
    assert student.post("/consent-texts", json={"texts": {}}).status_code == 403
    bad = administrator.post("/consent-texts", json={"texts": {"xx": "?"}})
    assert bad.status_code == 422
    for method in ("PUT", "PATCH", "DELETE"):
        assert student.request(method, f"/consent-texts/{made.json()['id']}").status_code in (
            404,
            405,
        )
    assert len(acts_of(administrator, "consent text added")) == 2


def test_statistics_name_nobody_and_leave_out_what_is_about_few(
    context: ServerContext, administrator: TestClient, teacher: TestClient
) -> None:
    campus = Campus(context, "aigul")
    shares = [0.05] * 12 + [0.3] * 2 + [0.8] * 6
    for number, share in enumerate(shares):
        summary = json.dumps({"shares": {"similar": share}})
        check = campus.check(summary=summary, name=f"Student {number}.docx")
        campus.submission(None, check=check, student=f"Student {number}", is_late=number < 3)
    small = Campus(context, "aigul", name="Small course", term="2026/1")
    small.submission(None, student="Only One")
    assert administrator.get("/statistics").status_code == 200
    by_name = {one["course"]: one for one in administrator.get("/statistics").json()}
    course = by_name["Ecology of steppes"]
    assert (course["students"], course["submissions"], course["late"]) == (20, 20, None)
    assert course["levels"] == {"low": 12, "notice": None, "high": None}
    one = by_name["Small course"]
    assert one["students"] is one["submissions"] is one["late"] is None
    assert set(one["levels"].values()) == {None} and one["assignments"] == 1
    of_term = administrator.get("/statistics", params={"term": "2026/1"})
    assert [each["course"] for each in of_term.json()] == ["Small course"]
    assert "Student" not in administrator.get("/statistics").text
    assert teacher.get("/statistics").status_code == 403
    table = administrator.get("/statistics/export", params={"language": "en"})
    assert table.headers["content-disposition"].startswith("attachment")
    assert table.content.decode("utf-8-sig").splitlines() == [
        "Term,Course,Code,Assignments,Students,Hand-ins,Late,"
        "Little similar text,Some similar text,Much similar text",
        "2026/2,Ecology of steppes,EC,1,20,20,fewer than five,12,not told,not told",
        "2026/1,Small course,EC,1,fewer than five,fewer than five,fewer than five,"
        "not told,not told,not told",
    ]
    russian = administrator.get("/statistics/export", params={"language": "ru", "term": "2026/1"})
    assert russian.content.decode("utf-8-sig").splitlines()[1:] == [
        "2026/1;Small course;EC;1;менее пяти;менее пяти;менее пяти;"
        "не сообщается;не сообщается;не сообщается"
    ]
    assert teacher.get("/statistics/export").status_code == 403


def test_a_collection_keeps_documents_as_long_as_it_says_and_tells_beforehand(
    context: ServerContext, teacher: TestClient, administrator: TestClient, work_off: WorkOff
) -> None:
    collection = teacher.post("/collections", json={"name": "spring"}).json()["id"]
    answer = hand_in(teacher, {"a.txt": text(STEPPE)}, collection=collection)
    assert answer.status_code == 202, answer.text
    work_off()
    assert teacher.patch(f"/collections/{collection}", json={"keep_days": 0}).status_code == 422
    changed = teacher.patch(f"/collections/{collection}", json={"keep_days": 30})
    assert changed.json()["keep_days"] == 30
    with context.store.beside() as connection:
        old = update(schema.documents).values(added_on=utc_now() - 40 * DAY)
        connection.execute(old)
    assert tidied(context, work_off)["documents"] == 0, "nobody was told yet"
    (coming,) = teacher.get("/retention").json()
    assert (coming["kind"], coming["name"], coming["items"]) == ("collection", "spring", 1)
    assert coming["announced_on"] < coming["begins_on"] <= coming["first_on"]
    on = datetime.fromisoformat(coming["first_on"])
    assert on.replace(tzinfo=None) > utc_now() + (NOTICE_DAYS - 1) * DAY
    assert [one["name"] for one in administrator.get("/retention").json()] == [None]
    (announced,) = acts_of(administrator, "deletion announced")
    assert announced["target"] == collection
    _turn_back(context, NOTICE_DAYS + 1)
    assert tidied(context, work_off)["documents"] == 1
    assert teacher.get("/documents", params={"collection": collection}).json()["total"] == 0
    teacher.patch(f"/collections/{collection}", json={"keep_days": None})
    assert teacher.get("/retention").json() == []


def test_an_assignment_forgets_what_was_handed_in_when_its_time_is_over(
    context: ServerContext, teacher: TestClient, administrator: TestClient, work_off: WorkOff
) -> None:
    campus = Campus(context, "aigul", keep_days=100, due_on=utc_now() - 90 * DAY)
    check = campus.check()
    campus.submission(None, check=check, student="Somebody")
    tidied(context, work_off)
    _turn_back(context, NOTICE_DAYS + 1)
    tidied(context, work_off)
    assert len(rows(context, tables.submissions)) == 1, "ten days are left"
    (coming,) = teacher.get("/retention").json()
    assert (coming["kind"], coming["items"]) == ("assignment", 1)
    with context.store.beside() as connection:
        over = update(tables.assignments).values(due_on=utc_now() - 101 * DAY)
        connection.execute(over)
    assert tidied(context, work_off)["submissions"] == 1
    for table in (tables.submissions, tables.checks, tables.batches):
        assert rows(context, table) == []
    assert len(rows(context, tables.assignments)) == 1


def _turn_back(context: ServerContext, days: int) -> None:
    """As if rules had been told of so many days ago."""
    with context.store.beside() as connection:
        column = schema.key_values.c
        query = select(column.key, column.value).where(column.key.startswith("server.retention "))
        for key, value in connection.execute(query).all():
            known = json.loads(value)
            since = datetime.fromisoformat(known["since"]) - days * DAY
            known["since"] = since.isoformat()
            changed = update(schema.key_values).where(column.key == key)
            connection.execute(changed.values(value=json.dumps(known)))
