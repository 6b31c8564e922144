"""The audit log: what was done, by whom, from where; found again by administrators."""

from __future__ import annotations

import ast
import csv
import re
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from sqlalchemy import select

import likewise.server
from likewise.catalogue import Message
from likewise.server.app import make_app
from likewise.server.caller import Caller
from likewise.server.context import SiteSettings, utc_now
from likewise.server.people import audit
from likewise.server.people.cleanup import tidy_accounts
from likewise.server.people.users import add_person
from likewise.server.problems import Problem

from .accounts import PASSWORD, client_of, rows, tables, turn

LOG = r"(?:tables\.audit|audit|entries|audit\.entries)"  # its table, as modules call it


@pytest.fixture
def caller(context):
    person = add_person(context, "aigul", PASSWORD)
    return Caller(person.id, person.name, person.role, "192.0.2.7")


@pytest.fixture
def noted(context, caller):
    """Three acts, an hour apart."""
    with context.store.beside() as connection:
        audit.record_act(connection, caller, "document added", "17", name="50% of_it.docx", size=3)
        audit.record_act(connection, caller, "document removed", "17")
        audit.record_act(connection, None, "library rebuilt")
        for hours, act in ((3, "document added"), (2, "document removed"), (1, "library rebuilt")):
            connection.execute(
                tables.audit.update()
                .where(tables.audit.c.act == act)
                .values(on=utc_now() - timedelta(hours=hours))
            )


def found(client, **asked):
    answer = client.get("/audit", params=asked)
    assert answer.status_code == 200, answer.text
    return [one["act"] for one in answer.json()["items"]]


def test_an_act_says_who_what_when_and_where(administrator, noted, caller):
    (one,) = administrator.get("/audit", params={"act": "document added"}).json()["items"]
    assert one["user_id"] == caller.id and one["user_name"] == "aigul"
    assert one["target"] == "17" and one["address"] == "192.0.2.7"
    assert one["detail"] == {"name": "50% of_it.docx", "size": 3}
    assert one["on"].endswith("Z")


def test_acts_are_found_by_person_act_time_and_text(administrator, noted, caller):
    hour = timedelta(hours=1)
    moment = utc_now()
    newest = ["person added", "logged in", "person added"]
    assert found(administrator)[:3] == newest, "the newest first"
    aiguls = ["document removed", "document added"]
    assert found(administrator, person="aigul") == aiguls
    assert found(administrator, person=caller.id) == aiguls
    assert found(administrator, act="library rebuilt") == ["library rebuilt"]
    past = {"to": f"{(moment - hour / 2).isoformat()}Z"}
    assert found(administrator, **past) == ["library rebuilt", *aiguls]
    since = {"from": (moment - 2.5 * hour).isoformat()}
    assert found(administrator, **past, **since) == ["library rebuilt", "document removed"]
    assert found(administrator, search="0% OF_IT") == ["document added"]
    assert found(administrator, search="of%it") == []
    assert found(administrator, search="192.0.2") == aiguls
    assert found(administrator, search="' OR ''='") == []
    assert found(administrator, person="nobody") == []


def test_the_log_itself_holds_neither_names_nor_addresses(context, administrator, noted, caller):
    mail = {"email": "aigul@example.kz", "shown_name": "Aigul Nurlanovna"}
    assert administrator.patch(f"/users/{caller.id}", json=mail).status_code == 200
    with context.store.beside() as connection:
        told = {"to": "somebody@example.kz", "both": ["aigul", "dean"]}
        audit.record_act(connection, caller, "letter sent", "aigul", **told)
    kept = str(rows(context, tables.audit))
    for name in ("aigul", "Aigul", "dean", "192.0.2.7", "example.kz", "testclient"):
        assert name not in kept, name
    (one,) = administrator.get("/audit", params={"act": "letter sent"}).json()["items"]
    assert one["user_name"] == one["target"] == "aigul" and one["address"] == "192.0.2.7"
    assert one["detail"] == told
    assert found(administrator, search="SOMEBODY@example") == ["letter sent"]


def test_whoever_is_removed_is_still_named_and_whoever_is_erased_is_not(
    context, administrator, noted, caller, work_off
):
    add_person(context, "bolat", PASSWORD)
    client = client_of(context)
    log_in = {"name": "bolat", "password": PASSWORD}
    assert client.post("/token", json=log_in).status_code == 200
    (bolat,) = administrator.get("/users", params={"search": "bolat"}).json()["items"]
    before = len(rows(context, tables.audit))
    gone = administrator.delete(f"/users/{bolat['id']}", params={"remove": True})
    assert gone.status_code == 204, gone.text
    assert found(administrator, person="bolat") == ["logged in"]
    (removed,) = administrator.get("/audit", params={"act": "person removed"}).json()["items"]
    assert removed["target"] == "bolat"
    for name in ("bolat", "aigul"):
        asked = {"user": name} if name == "aigul" else {"person": name}
        assert administrator.post("/erasures", json=asked).status_code == 202
        work_off()
        assert found(administrator, person=name) == []
    lines = administrator.get("/audit", params={"limit": 500}).json()["items"]
    assert len(lines) > before, "the log stays"
    (line,) = [one for one in lines if one["act"] == "document added"]
    assert line["user_name"] == "erased person" and line["user_id"] is line["address"] is None
    shown = str(lines) + str(rows(context, tables.audit_people))
    assert not any(name in shown for name in ("bolat", "aigul", "192.0.2.7"))
    with context.store.reading() as connection:
        numbers = connection.execute(select(tables.audit.c.person)).scalars().all()
    assert numbers.count(None) < len(numbers), "lines of one person are still of one number"


def test_no_address_of_the_api_changes_or_deletes_a_line(context):
    paths = make_app(context).openapi()["paths"]
    methods = {method for path, item in paths.items() if "/audit" in path for method in item}
    assert methods == {"get"}


def test_nothing_in_the_program_changes_a_line_and_the_cleanup_alone_deletes_some() -> None:
    changed, deleted = [], []
    for path in sorted(Path(likewise.server.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                told = ast.unparse(node)
                place = f"{path.stem}.{node.name}"
                changed += [place] * len(re.findall(rf"\bupdate\({LOG}\)|{LOG}\.update\(", told))
                deleted += [place] * len(re.findall(rf"\bdelete\({LOG}\)|{LOG}\.delete\(", told))
    assert (changed, deleted) == ([], ["audit.delete_before"])


def test_a_time_zone_counts(administrator, noted):
    moment = utc_now() - timedelta(hours=2.5) + timedelta(hours=5)
    assert "document added" not in found(administrator, **{"from": f"{moment.isoformat()}+05:00"})
    assert "document removed" in found(administrator, **{"from": f"{moment.isoformat()}+05:00"})


def test_acts_come_in_pages(administrator, noted):
    everything = found(administrator)
    assert [found(administrator, limit=1, offset=i) for i in range(3)] == [
        [act] for act in everything[:3]
    ]
    assert administrator.get("/audit", params={"limit": 1}).json()["total"] == len(everything)


@pytest.mark.parametrize(
    "asked",
    [
        *({"limit": 0}, {"offset": -1}, {"from": "yesterday"}, {"search": "a\0"}),
        *({"person": "a\nb"}, {"from": "0001-01-01T00:00:00+14:00"}),
        {"to": "9999-12-31T23:59:59-14:00"},
    ],
)
def test_what_cannot_be_asked_is_refused(administrator, asked):
    assert administrator.get("/audit", params=asked).json()["kind"] == "bad request"


def test_the_kinds_of_acts_are_listed(administrator, noted):
    assert administrator.get("/audit/acts").json() == [
        *("document added", "document removed", "library rebuilt", "logged in", "person added"),
    ]


def test_teachers_do_not_read_it(teacher, anybody):
    for path in ("/audit", "/audit/acts"):
        assert teacher.get(path).status_code == 403
        assert anybody.get(path).status_code == 401


def test_an_act_that_fails_is_not_noted(context, caller):
    before = len(rows(context, tables.audit))
    with pytest.raises(Problem), context.store.beside() as connection:
        audit.record_act(connection, caller, "document added", "17")
        raise Problem("conflict", Message.verbatim("it did not come to it"))
    assert len(rows(context, tables.audit)) == before


def test_what_is_noted_cannot_break_a_line(context, caller, administrator):
    with context.store.beside() as connection:
        audit.record_act(connection, caller, "document added", "a\0b\r\nc", name="zero\0\u202e")
    (one,) = administrator.get("/audit", params={"act": "document added"}).json()["items"]
    assert one["target"] == "abc" and "\0" not in one["detail"]["name"]


def test_log_ins_and_their_refusals_are_noted(context, anybody, administrator, caller):
    for name, password in (("aigul", PASSWORD), ("aigul", "wrong"), ("a secret", "wrong")):
        anybody.post("/token", json={"name": name, "password": password})
    known, unknown = administrator.get("/audit", params={"act": "log in refused"}).json()["items"][
        ::-1
    ]
    assert known["user_name"] == "aigul" and known["detail"] == {"why": "wrong password"}
    assert unknown["user_name"] is None and unknown["detail"] == {"why": "unknown name"}
    assert known["address"] == "testclient"
    assert "a secret" not in str(rows(context, tables.audit))


def test_old_notes_sessions_guesses_and_keys_are_tidied_away(context, anybody, administrator):
    anybody.post("/token", json={"name": "nobody", "password": "wrong"})
    long_ago = utc_now() - timedelta(days=800)
    turn(context, tables.audit, on=long_ago)
    turn(context, tables.sessions, ends_on=long_ago)
    turn(context, tables.guesses, last_on=long_ago)
    turn(context, tables.signing_keys, ends_on=long_ago)
    with context.store.beside() as connection:
        gone = tidy_accounts(connection, SiteSettings())
    assert gone["audit"] >= 2 and gone["sessions"] == 1
    assert gone["guesses"] == 3 and gone["signing_keys"] == 1
    for table in (tables.audit, tables.sessions, tables.refresh_tokens, tables.guesses):
        assert rows(context, table) == []
    with context.store.beside() as connection:
        assert set(tidy_accounts(connection, SiteSettings()).values()) == {0}


def test_the_log_is_taken_along_as_a_table_in_which_nothing_is_run(administrator, noted):
    with_formula = administrator.post("/users", json={"name": "bolat", "shown_name": "=1+1"})
    assert with_formula.status_code == 201
    id = with_formula.json()["user"]["id"]
    administrator.patch(f"/users/{id}", json={"shown_name": "=cmd()"})
    administrator.post("/document-types", json={"name": "=HYPERLINK(1)"})
    answer = administrator.get("/audit/export")
    assert answer.headers["content-disposition"].startswith('attachment; filename="audit.csv"')
    table = list(csv.reader(StringIO(answer.content.decode("utf-8-sig"))))
    assert table[0] == ["on", "person", "act", "target", "address", "detail"]
    assert len(table) - 1 == administrator.get("/audit").json()["total"] - 1  # and itself
    assert not [cell for row in table for cell in row if cell.startswith(("=", "+", "@"))]
    assert "'=HYPERLINK(1)" in [cell for row in table for cell in row]
    assert administrator.get("/audit").json()["items"][0]["act"] == "audit exported"


def test_the_table_holds_what_was_selected(administrator, noted):
    chosen = {"person": "aigul", "limit": 500}
    answer = administrator.get("/audit/export", params={"person": "aigul"})
    table = list(csv.reader(StringIO(answer.content.decode("utf-8-sig"))))[1:]
    listed = administrator.get("/audit", params=chosen).json()["items"]
    assert [row[2] for row in table] == [one["act"] for one in listed]
    assert {row[1] for row in table} == {"aigul"}


def test_teachers_take_no_log_along(teacher):
    assert teacher.get("/audit/export").status_code == 403
