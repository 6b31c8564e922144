"""What cannot be undone needs the password once more, and leaves a line that its owner sees."""

from __future__ import annotations

from datetime import timedelta

import pytest

from likewise.library.registry import write_value
from likewise.server.context import LEAST_AUDIT_DAYS, utc_now
from likewise.server.people.users import add_person

from .accounts import OTHER, PASSWORD, acts_of, bearer, client_of, rows, tables, turn

LATE = (403, "authenticate again")


@pytest.fixture
def bolat(context):
    return add_person(context, "bolat", PASSWORD)


def kind(answer):
    return answer.status_code, answer.json()["kind"]


def later(context, minutes=16):
    moment = utc_now() - timedelta(minutes=minutes)
    turn(context, tables.sessions, authenticated_on=moment, made_on=moment)


def dangerous(bolat):
    """Every act that lets somebody in or keeps somebody out."""
    person = f"/users/{bolat.id}"
    return (
        ("POST", f"{person}/password", {}),
        ("PATCH", person, {"role": "administrator"}),
        ("PATCH", person, {"is_active": False}),
        ("PATCH", person, {"email": "other@example.kz"}),
        ("DELETE", person, None),
        ("POST", "/users", {"name": "second", "role": "administrator"}),
        ("POST", "/keys", {"name": "script", "scopes": ["checks:read"]}),
        ("PATCH", "/me", {"email": "me@example.kz"}),
    )


def test_what_cannot_be_undone_needs_a_password_given_lately(context, administrator, bolat):
    later(context)
    for method, path, body in dangerous(bolat):
        answer = administrator.request(method, path, json=body)
        assert kind(answer) == LATE, f"{method} {path}: {answer.text}"
    answer = administrator.post("/me/authenticate", json={"password": PASSWORD})
    assert answer.status_code == 204, answer.text
    for method, path, body in dangerous(bolat):
        answer = administrator.request(method, path, json=body)
        assert answer.status_code < 300, f"{method} {path}: {answer.text}"
    assert len(acts_of(administrator, "authenticated again")) == 1


def test_what_harms_nobody_does_not(context, administrator, bolat):
    later(context)
    for method, path, body in (
        ("PATCH", f"/users/{bolat.id}", {"shown_name": "Bolat", "role": "teacher", "email": None}),
        ("POST", "/users", {"name": "third"}),
        ("PATCH", "/me", {"shown_name": "Dean", "email": None}),
        ("POST", f"/users/{bolat.id}/end-sessions", None),
    ):
        assert administrator.request(method, path, json=body).status_code < 300, path


def test_a_wrong_password_proves_nothing(context, administrator, bolat):
    later(context)
    answer = administrator.post("/me/authenticate", json={"password": "wrong"})
    assert kind(answer) == (401, "wrong name or password")
    assert kind(administrator.post(f"/users/{bolat.id}/password")) == LATE
    (noted,) = acts_of(administrator, "authentication refused")
    assert noted["user_name"] == "dean"


def test_sessions_of_an_older_version_are_as_old_as_their_log_in(context, administrator, bolat):
    turn(context, tables.sessions, authenticated_on=None)
    assert administrator.post(f"/users/{bolat.id}/end-sessions").status_code == 204
    assert administrator.post(f"/users/{bolat.id}/password").status_code == 200
    turn(context, tables.sessions, made_on=utc_now() - timedelta(hours=1))
    assert kind(administrator.post(f"/users/{bolat.id}/password")) == LATE


def test_refreshing_a_session_proves_nothing_about_who_sits_there(context, bolat):
    add_person(context, "dean", PASSWORD, role="administrator")
    client = client_of(context)
    given = client.post("/token", json={"name": "dean", "password": PASSWORD}).json()
    later(context)
    new = client.post("/token/refresh", json={"refresh_token": given["refresh_token"]}).json()
    client.headers.update(bearer(new["access_token"]))
    assert kind(client.post(f"/users/{bolat.id}/password")) == LATE


def test_a_key_never_does_it(administrator, anybody, bolat):
    scopes = ["administer", "documents:write", "checks:write"]
    made = administrator.post("/keys", json={"name": "sync", "scopes": scopes}).json()
    anybody.headers.update(bearer(made["secret"]))
    for method, path, body in dangerous(bolat):
        answer = anybody.request(method, path, json=body)
        assert kind(answer) == (403, "not allowed"), f"{method} {path}: {answer.text}"
    body = {"name": "fourth"}
    assert anybody.post("/users", json=body).status_code == 201, "what it may is as before"
    assert kind(anybody.post("/me/authenticate", json={"password": PASSWORD}))[0] == 403


def test_changing_my_password_proves_it_too(context, teacher):
    later(context)
    assert kind(teacher.post("/keys", json={"name": "k", "scopes": ["checks:read"]})) == LATE
    body = {"old": PASSWORD, "new": OTHER}
    assert teacher.post("/me/password", json=body).status_code == 204
    key = {"name": "k", "scopes": ["checks:read"]}
    assert teacher.post("/keys", json=key).status_code == 201


# Reads.


@pytest.fixture
def document(teacher, work_off):
    files = [("file", ("river.txt", "The river bends twice before the mill. " * 9, "text/plain"))]
    answer = teacher.post("/documents", files=files)
    assert answer.status_code == 202, answer.text
    work_off()
    return teacher.get("/documents").json()["items"][0]["id"]


def test_who_opens_the_document_of_another_is_noted_once_an_hour(
    teacher, administrator, document, context
):
    for _ in range(3):
        for path in ("", "/text", "/original"):
            for reader in (teacher, administrator):
                assert reader.get(f"/documents/{document}{path}").status_code == 200
    for act in ("document of another read", "original of another read"):
        (line,) = acts_of(administrator, act)
        assert (line["user_name"], line["target"]) == ("dean", str(document))
        assert line["detail"] == {"owner": "aigul"}
    with context.store.beside() as connection:
        gone = tables.audit.delete().where(tables.audit.c.act == "document of another read")
        connection.execute(gone)  # as if it were another hour
    administrator.get(f"/documents/{document}/text")
    assert len(acts_of(administrator, "document of another read")) == 1


def test_the_owner_sees_who_read_it(teacher, administrator, document):
    administrator.get(f"/documents/{document}/text")
    (notice,) = teacher.get("/me/notices").json()["items"]
    assert (notice["by"], notice["act"]) == ("dean", "document of another read")
    assert notice["target"] == str(document)
    assert administrator.get("/me/notices").json()["total"] == 0
    assert teacher.get("/me").json()["notices"] == [], "no alarm: it is in the profile"


def test_who_corrects_a_document_has_not_read_it(administrator, document):
    answer = administrator.patch(f"/documents/{document}", json={"author": "Abay"})
    assert answer.status_code == 200, answer.text
    assert acts_of(administrator, "document of another read") == []


def test_a_change_of_role_by_another_is_told(administrator, teacher):
    id = teacher.get("/me").json()["id"]
    administrator.patch(f"/users/{id}", json={"role": "administrator"})
    (notice,) = teacher.get("/me").json()["notices"]
    assert (notice["by"], notice["act"], notice["changed"]) == ("dean", "person changed", ["role"])


def test_the_log_is_kept_for_a_term_at_least(administrator, context):
    for days in (1, LEAST_AUDIT_DAYS - 1):
        for method in ("PATCH", "PUT"):
            answer = administrator.request(method, "/settings", json={"keep_audit_days": days})
            assert kind(answer) == (422, "bad request")
            assert answer.json()["message"] == "the audit log is kept for at least 90 days"
    answer = administrator.patch("/settings", json={"keep_audit_days": LEAST_AUDIT_DAYS})
    assert answer.status_code == 200


def test_what_an_older_version_allowed_is_lifted_to_that(administrator, context):
    with context.store.beside() as connection:
        write_value(connection, "server.settings", '{"keep_audit_days": 1}')
    assert administrator.get("/settings").json()["keep_audit_days"] == LEAST_AUDIT_DAYS
    assert rows(context, tables.audit)
