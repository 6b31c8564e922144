"""Keys for programs: shown once, with less than their person's rights, and gone at once."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from likewise.server.context import utc_now

from .accounts import OTHER, acts_of, bearer, rows, tables, turn


def kind(answer):
    return answer.status_code, answer.json()["kind"]


def make(client, *scopes, name="script", **more):
    return client.post("/keys", json={"name": name, "scopes": list(scopes), **more})


@pytest.fixture
def secret(teacher):
    answer = make(teacher, "documents:read", "checks:read")
    assert answer.status_code == 201, answer.text
    return answer.json()["secret"]


def works(client, secret):
    return client.get("/me", headers=bearer(secret)).status_code == 200


def test_a_key_is_shown_once(teacher):
    made = make(teacher, "documents:read").json()
    key, secret = made["key"], made["secret"]
    assert secret.startswith(f"lwk_{key['id']}_") and len(secret) > 60
    listed = teacher.get("/keys")
    assert listed.json() == {"items": [key], "total": 1}
    assert secret.split("_", 2)[2] not in listed.text
    assert key["scopes"] == ["documents:read"] and key["user_name"] == "aigul"
    assert key["ends_on"] is key["used_on"] is key["ended_on"] is None


def test_a_program_is_its_person_with_the_scopes_of_the_key(anybody, secret):
    me = anybody.get("/me", headers=bearer(secret)).json()
    assert me["name"] == "aigul" and me["session"] is None
    assert me["scopes"] == ["checks:read", "documents:read"]
    assert secret.startswith(f"lwk_{me['key']}_")


def test_only_a_hash_of_it_is_kept(context, secret):
    (row,) = rows(context, tables.api_keys)
    assert len(bytes(row.hash)) == 32 and secret.split("_", 2)[2] not in str(row)


def test_a_wrong_secret_or_another_keys_is_refused(anybody, teacher, secret):
    other = make(teacher, "checks:read").json()["secret"]
    _, id, own = secret.split("_", 2)
    _, other_id, _ = other.split("_", 2)
    for wrong in (f"lwk_{id}_", f"lwk_{id}", f"lwk_{id}_{own}x", f"lwk_{other_id}_{own}"):
        assert kind(anybody.get("/me", headers=bearer(wrong))) == (401, "not logged in")
    assert works(anybody, secret)


def test_a_key_looks_after_no_account(anybody, administrator):
    key = bearer(make(administrator, "administer").json()["secret"])
    for method, path in (
        *(("PATCH", "/me"), ("POST", "/me/password"), ("GET", "/me/sessions")),
        *(("POST", "/me/end-everywhere"), ("GET", "/keys"), ("POST", "/keys")),
    ):
        bodies = {"/me/password": {"old": OTHER, "new": OTHER}, "/me": {}}
        body = bodies.get(path, {"name": "k", "scopes": ["administer"]})
        sent = None if method == "GET" or path.endswith("where") else body
        answer = anybody.request(method, path, json=sent, headers=key)
        assert kind(answer) == (403, "not allowed"), path


def test_a_key_without_the_scope_is_refused_even_for_an_administrator(anybody, administrator):
    key = bearer(make(administrator, "documents:read", "metrics").json()["secret"])
    assert kind(anybody.get("/users", headers=key)) == (403, "not allowed")
    key = bearer(make(administrator, "administer").json()["secret"])
    assert anybody.get("/users", headers=key).status_code == 200


def test_a_teacher_makes_no_key_that_measures_or_administers(teacher):
    for scope in ("metrics", "administer"):
        assert kind(make(teacher, "documents:read", scope)) == (403, "not allowed")
    assert teacher.get("/keys").json()["total"] == 0


@pytest.mark.parametrize(
    "body",
    [
        {"name": "k", "scopes": []},
        {"name": "k", "scopes": ["everything"]},
        {"name": "", "scopes": ["checks:read"]},
        {"name": "a\r\nb", "scopes": ["checks:read"]},
        {"name": "k", "scopes": ["checks:read"], "ends_on": "2020-01-01T00:00:00Z"},
        {"name": "k", "scopes": ["checks:read"], "ends_on": "2090-01-01T00:00:00"},
        {"name": "k", "scopes": ["checks:read"], "ends_on": "0001-01-01T00:00:00+14:00"},
        {"name": "k", "scopes": ["checks:read"], "user_id": "x"},
        {"scopes": ["checks:read"]},
    ],
)
def test_what_is_no_key_is_refused(teacher, body):
    assert kind(teacher.post("/keys", json=body)) == (422, "bad request")


def test_a_key_ends_when_it_was_to_end(anybody, context, teacher):
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    made = make(teacher, "checks:read", ends_on=tomorrow.isoformat()).json()
    assert made["key"]["ends_on"][:16] == tomorrow.isoformat()[:16]
    assert works(anybody, made["secret"])
    turn(context, tables.api_keys, ends_on=utc_now() - timedelta(seconds=1))
    assert not works(anybody, made["secret"])


def test_a_revoked_key_stops_at_once_and_stays_in_the_list(anybody, teacher, secret):
    (key,) = teacher.get("/keys").json()["items"]
    assert teacher.delete(f"/keys/{key['id']}").status_code == 204
    assert not works(anybody, secret)
    assert teacher.get("/keys").json()["items"][0]["ended_on"] is not None
    assert kind(teacher.delete(f"/keys/{key['id']}")) == (404, "not found")


def test_nobody_sees_or_revokes_the_keys_of_another(anybody, log_in, administrator, secret):
    other, id = log_in("bolat"), secret.split("_")[1]
    assert other.get("/keys").json()["total"] == 0
    assert kind(other.get("/keys", params={"everybody": True})) == (403, "not allowed")
    assert kind(other.delete(f"/keys/{id}")) == (404, "not found")
    assert works(anybody, secret)
    assert administrator.get("/keys").json()["total"] == 0
    everybodys = administrator.get("/keys", params={"everybody": True}).json()["items"]
    assert [key["user_name"] for key in everybodys] == ["aigul"]
    assert administrator.delete(f"/keys/{id}").status_code == 204
    assert not works(anybody, secret)


def test_a_key_stops_with_its_person(anybody, teacher, administrator, secret):
    me = teacher.get("/me").json()["id"]
    administrator.patch(f"/users/{me}", json={"is_active": False})
    assert not works(anybody, secret)
    administrator.patch(f"/users/{me}", json={"is_active": True})
    assert not works(anybody, secret), "nobody remembers what it was for"


def test_the_keys_of_a_demoted_administrator_stop_at_once(anybody, log_in, administrator):
    vice = log_in("vice", "administrator")
    secrets = [make(vice, scope).json()["secret"] for scope in ("administer", "documents:read")]
    assert anybody.get("/users", headers=bearer(secrets[0])).status_code == 200
    administrator.patch(f"/users/{vice.get('/me').json()['id']}", json={"role": "teacher"})
    for secret in secrets:
        assert kind(anybody.get("/users", headers=bearer(secret))) == (401, "not logged in")


def test_a_teachers_key_never_administers_whatever_the_database_says(
    anybody, context, secret, teacher
):
    turn(context, tables.api_keys, scopes='["administer", "metrics", "checks:read", "unheard-of"]')
    assert anybody.get("/me", headers=bearer(secret)).json()["scopes"] == ["checks:read"]
    assert kind(anybody.get("/users", headers=bearer(secret))) == (403, "not allowed")


def test_a_key_of_somebody_who_must_change_the_password_waits(anybody, context, secret):
    turn(context, tables.users, must_change=True)
    assert kind(anybody.get("/openapi.json", headers=bearer(secret))) == (
        403,
        "password must be changed",
    )


def test_its_use_is_written_at_most_once_a_minute(anybody, context, teacher, secret):
    def used():
        (row,) = rows(context, tables.api_keys)
        return row.used_on

    assert used() is None
    works(anybody, secret)
    first = used()
    assert first is not None
    works(anybody, secret)
    assert used() == first
    turn(context, tables.api_keys, used_on=first - timedelta(seconds=61))
    works(anybody, secret)
    assert used() > first
    assert teacher.get("/keys").json()["items"][0]["used_on"] is not None


def test_making_and_revoking_are_noted_without_the_secret(teacher, administrator, secret):
    id = secret.split("_")[1]
    teacher.delete(f"/keys/{id}")
    (made,), (revoked,) = acts_of(administrator, "key made"), acts_of(administrator, "key revoked")
    assert made["target"] == revoked["target"] == id
    assert made["detail"] == {"scopes": ["checks:read", "documents:read"]}


def test_what_a_program_does_is_noted_with_its_key(anybody, administrator):
    secret = make(administrator, "administer").json()["secret"]
    assert anybody.post("/users", json={"name": "bolat"}, headers=bearer(secret)).status_code == 201
    noted = acts_of(administrator, "person added")[0]
    assert noted["target"] == "bolat" and noted["detail"]["key"] == secret.split("_")[1]


def test_nobody_has_keys_without_number(teacher, context):
    from likewise.server.people.api_keys import MAX_KEYS

    for _ in range(MAX_KEYS):
        assert make(teacher, "checks:read").status_code == 201
    assert kind(make(teacher, "checks:read")) == (409, "conflict")
    first = teacher.get("/keys").json()["items"][0]["id"]
    teacher.delete(f"/keys/{first}")
    assert make(teacher, "checks:read").status_code == 201
