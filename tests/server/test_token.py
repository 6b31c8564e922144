"""Logging in, access tokens, and the cookie of a browser, over HTTP."""

from __future__ import annotations

import base64
import json
import logging
from datetime import UTC, datetime, timedelta

import jwt
import pytest

from likewise.server.context import utc_now
from likewise.server.people import passwords
from likewise.server.people.tokens import AUDIENCE, ISSUER, signing_keys_of
from likewise.server.people.users import add_person

from .accounts import OTHER, PASSWORD, bearer, client_of, rows, tables, turn
from .accounts import another_server as another
from .conftest import CHEAP_HASHER, REAL_HASHER

PAGE = {"X-Likewise": "page"}
COOKIE = "likewise_refresh"


@pytest.fixture
def aigul(context):
    return add_person(context, "aigul", PASSWORD)


def log_in(client, name="aigul", password=PASSWORD, **more):
    return client.post("/token", json={"name": name, "password": password, **more})


def tokens(client, **more):
    answer = log_in(client, **more)
    assert answer.status_code == 200, answer.text
    return answer.json()


def kind(answer):
    return answer.status_code, answer.json()["kind"]


NOT_LOGGED_IN = (401, "not logged in")
WRONG = (401, "wrong name or password")


# Logging in.


def test_a_name_and_its_password_give_a_short_token_and_a_refresh_token(anybody, aigul):
    answer = log_in(anybody)
    assert answer.status_code == 200
    given = answer.json()
    assert given["token_type"] == "Bearer" and given["expires_in"] == 900
    assert given["refresh_token"].startswith("lwr_")
    assert answer.headers["cache-control"] == "no-store"
    assert "set-cookie" not in answer.headers
    me = anybody.get("/me", headers=bearer(given["access_token"])).json()
    assert me["name"] == "aigul" and me["session"] == given["session"]


def test_a_name_is_the_same_however_it_is_written(anybody, aigul):
    for name in ("AIGUL", "  Aigul ", "ａｉｇｕｌ"):
        assert log_in(anybody, name).status_code == 200


def test_a_password_is_the_same_however_accents_are_put_together(anybody, context):
    add_person(context, "bolat", "caf\u00e9 at the river")
    assert log_in(anybody, "bolat", "cafe\u0301 at the river").status_code == 200
    assert kind(log_in(anybody, "bolat", "Caf\u00e9 at the river")) == WRONG


def test_whatever_is_wrong_the_answer_is_the_same(anybody, context, aigul):
    add_person(context, "gone", PASSWORD)
    with context.store.beside() as connection:
        users = tables.users
        connection.execute(users.update().where(users.c.name == "gone").values(is_active=False))
    answers = [
        log_in(anybody, "aigul", "not the password"),
        log_in(anybody, "nobody", PASSWORD),
        log_in(anybody, "gone", PASSWORD),
        log_in(anybody, "", ""),
        log_in(anybody, "a b c / '; DROP TABLE users; --", PASSWORD),
        log_in(anybody, "zero\0in", PASSWORD),
    ]
    assert {kind(answer) for answer in answers} == {WRONG}
    assert len({answer.text for answer in answers}) == 1
    assert answers[0].headers["www-authenticate"] == "Bearer"


def test_every_refusal_costs_exactly_one_look_at_a_password(anybody, context, aigul, monkeypatch):
    """Timing would be another's business; the work is what can be counted.

    Who has to wait is told so before anything is looked at, whether anybody has the name or not.
    """
    add_person(context, "gone", PASSWORD)
    add_person(context, "locked", PASSWORD)
    for name in ("locked", "locked nobody"):
        for _ in range(context.settings.lock_after):
            log_in(anybody, name, "wrong")
    turn(context, tables.guesses, locked_until=utc_now() + timedelta(seconds=30))
    with context.store.beside() as connection:
        users = tables.users
        connection.execute(users.update().where(users.c.name == "gone").values(is_active=False))
    looked = []
    hasher = passwords._hasher.current_hasher
    real = hasher.verify
    passwords.verify_password("warm", None)  # the hash of nobody is made once
    monkeypatch.setattr(hasher, "verify", lambda *given: looked.append(1) or real(*given))
    hashed = []
    real_hash = hasher.hash
    monkeypatch.setattr(
        hasher, "hash", lambda *given, **more: hashed.append(1) or real_hash(*given, **more)
    )
    tries = [
        ("aigul", PASSWORD, 200),
        ("aigul", "wrong", 401),
        ("nobody", "wrong", 401),
        ("not a name at all", "wrong", 401),
        ("gone", PASSWORD, 401),
        ("locked", PASSWORD, 429),
        ("locked", "wrong", 429),
        ("locked nobody", "wrong", 429),
    ]
    for name, password, status in tries:
        looked.clear()
        assert log_in(anybody, name, password).status_code == status, name
        assert len(looked) == (0 if status == 429 else 1), name
    assert not hashed


def test_a_hash_with_old_figures_is_renewed_at_the_next_log_in(
    anybody, context, aigul, monkeypatch
):
    old = CHEAP_HASHER.hash(PASSWORD)
    monkeypatch.setattr(passwords, "_hasher", REAL_HASHER)
    turn(context, tables.users, password=old)
    assert log_in(anybody).status_code == 200
    (row,) = rows(context, tables.users)
    assert row.password != old and "m=19456,t=2,p=1" in row.password
    assert log_in(anybody).status_code == 200


def test_a_hash_that_nobody_understands_opens_nothing(anybody, context, aigul):
    turn(context, tables.users, password="plain")
    assert kind(log_in(anybody, password="plain")) == WRONG


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": "aigul"},
        {"name": "aigul", "password": PASSWORD, "role": "administrator"},
        {"name": ["aigul"], "password": PASSWORD},
        {"name": "aigul", "password": "x" * 5000},
        {"name": "x" * 5000, "password": PASSWORD},
        [],
        None,
    ],
)
def test_what_is_no_log_in_is_refused_and_not_repeated(anybody, aigul, body):
    answer = anybody.post("/token", json=body)
    assert kind(answer) == (422, "bad request")
    assert PASSWORD not in answer.text and "xxxx" not in answer.text


def test_half_a_character_is_refused(anybody, aigul):
    body = b'{"name": "\\ud800", "password": "\\udfff"}'
    answer = anybody.post("/token", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code in (401, 422)


def test_a_form_of_another_site_is_no_log_in(anybody, aigul):
    fields = {"name": "aigul", "password": PASSWORD, "cookie": "true"}
    assert anybody.post("/token", data=fields).status_code == 422
    text = json.dumps(fields | {"cookie": True})
    answer = anybody.post("/token", content=text, headers={"Content-Type": "text/plain"})
    assert answer.status_code == 422 and "set-cookie" not in answer.headers


# Access tokens.


def claims(context, aigul, session, **other):
    moment = datetime.now(UTC)
    return {
        "sub": aigul.id,
        "sid": session,
        "iat": moment,
        "exp": moment + timedelta(minutes=5),
        "iss": ISSUER,
        "aud": AUDIENCE,
    } | other


@pytest.fixture
def forged(context, anybody, aigul):
    """Signs whatever is asked; with everything right, the token opens the API."""
    session = tokens(anybody)["session"]
    key = signing_keys_of(context).newest()

    def forge(secret=key.secret, algorithm="HS256", kid=key.id, without=(), **other):
        said = claims(context, aigul, session, **other)
        for name in without:
            del said[name]
        return jwt.encode(said, secret, algorithm=algorithm, headers={"kid": kid})

    return forge


def refused(client, token):
    return kind(client.get("/me", headers=bearer(token))) == NOT_LOGGED_IN


def test_a_token_with_our_key_and_all_claims_is_good(anybody, forged):
    assert anybody.get("/me", headers=bearer(forged())).status_code == 200


def test_a_token_without_a_signature_is_refused(anybody, forged):
    assert refused(anybody, forged(secret=None, algorithm="none"))
    _, body, _ = forged().split(".")
    for alg in ("none", "None", "NONE", "nOnE", ""):
        header = jwt.get_unverified_header(forged()) | {"alg": alg}
        head = base64.urlsafe_b64encode(json.dumps(header).encode()).decode().rstrip("=")
        assert refused(anybody, f"{head}.{body}.")
        assert refused(anybody, f"{head}.{body}.{forged().split('.')[2]}")


@pytest.mark.filterwarnings("ignore::jwt.warnings.InsecureKeyLengthWarning")
def test_a_token_of_another_key_or_way_of_signing_is_refused(anybody, context, forged):
    assert refused(anybody, forged(secret=b"x" * 48))
    assert refused(anybody, forged(kid="0000000000000000"))
    assert refused(anybody, forged(secret=b"x", kid=""))
    assert refused(anybody, forged(algorithm="HS512"))
    assert refused(anybody, forged(algorithm="HS384"))


def test_an_expired_token_is_refused(anybody, forged):
    long_ago = datetime.now(UTC) - timedelta(hours=1)
    assert refused(anybody, forged(iat=long_ago, exp=long_ago + timedelta(minutes=15)))


def test_a_token_from_the_future_for_others_or_with_less_is_refused(anybody, forged):
    later = datetime.now(UTC) + timedelta(minutes=2)
    assert refused(anybody, forged(iat=later))
    assert refused(anybody, forged(nbf=later))
    assert refused(anybody, forged(aud="another-api"))
    assert refused(anybody, forged(iss="another"))
    for name in ("sub", "sid", "iat", "exp", "iss", "aud"):
        assert refused(anybody, forged(without=[name])), name


def test_a_token_for_another_session_or_person_is_refused(anybody, context, forged):
    other = add_person(context, "bolat", OTHER)
    assert refused(anybody, forged(sub=other.id))
    assert refused(anybody, forged(sid="000000000000000000000000"))
    assert refused(anybody, forged(sid=["x"]))


@pytest.mark.parametrize(
    "header",
    [
        *("", "Bearer", "Bearer ", "Basic YWlndWw6eA==", "Bearer a.b.c", "Bearer " + "a" * 9000),
        *("Bearer lwk_", "Bearer lwk__", "Bearer lwk_x_y", "bearer é".encode(), "Bearer a b c"),
        *("Bearer eyJhbGciOiJIUzI1NiIsImtpZCI6eyJhIjoxfX0.e30.x", "Bearer ..", "Bearer lwk_é_a"),
    ],
)
def test_what_is_no_token_is_refused(anybody, header):
    raw = header.encode("utf-8") if isinstance(header, str) else header
    answer = anybody.get("/me", headers={b"Authorization": raw})
    assert kind(answer) == NOT_LOGGED_IN


def test_a_refresh_token_is_no_access_token(anybody, aigul):
    assert refused(anybody, tokens(anybody)["refresh_token"])


def test_access_tokens_say_nothing_but_who_and_until_when(anybody, aigul):
    token = tokens(anybody)["access_token"]
    said = jwt.decode(token, options={"verify_signature": False})
    assert set(said) == {"sub", "sid", "iat", "exp", "iss", "aud"}
    assert said["exp"] - said["iat"] == 900


def test_deactivation_holds_at_once(anybody, administrator, aigul):
    given = tokens(anybody)
    assert anybody.get("/me", headers=bearer(given["access_token"])).status_code == 200
    assert administrator.delete(f"/users/{aigul.id}").status_code == 204
    assert refused(anybody, given["access_token"])
    body = {"refresh_token": given["refresh_token"]}
    assert kind(anybody.post("/token/refresh", json=body)) == NOT_LOGGED_IN
    assert kind(log_in(anybody)) == WRONG


def test_a_change_of_role_holds_at_once_in_both_directions(anybody, administrator, aigul):
    token = bearer(tokens(anybody)["access_token"])
    assert kind(anybody.get("/users", headers=token)) == (403, "not allowed")
    administrator.patch(f"/users/{aigul.id}", json={"role": "administrator"})
    assert anybody.get("/users", headers=token).status_code == 200
    administrator.patch(f"/users/{aigul.id}", json={"role": "teacher"})
    assert kind(anybody.get("/users", headers=token)) == (403, "not allowed")


# The cookie of a browser.


def test_a_browser_keeps_its_refresh_token_where_no_script_reads_it(anybody, aigul):
    answer = log_in(anybody, cookie=True)
    assert "refresh_token" not in answer.json()
    cookie = answer.headers["set-cookie"]
    parts = {part.strip().lower() for part in cookie.split(";")[1:]}
    assert parts >= {"httponly", "samesite=strict", "path=/api/v1/token", "max-age=1209600"}
    assert "secure" not in parts and not any(part.startswith("domain") for part in parts)


def test_the_cookie_is_secure_where_the_browser_speaks_https(place, context, aigul):
    assert "; Secure" in log_in(client_of_https(context), cookie=True).headers["set-cookie"]
    with another(place, public_url="https://campus.example/likewise/") as proxied:
        cookie = log_in(client_of(proxied), cookie=True).headers["set-cookie"]
    assert "; Secure" in cookie and "Path=/likewise/api/v1/token" in cookie


def client_of_https(context):
    client = client_of(context)
    client.base_url = "https://testserver/api/v1"
    return client


def test_a_page_refreshes_by_its_cookie(anybody, aigul):
    log_in(anybody, cookie=True)
    first = anybody.cookies[COOKIE]
    answer = anybody.post("/token/refresh", headers=PAGE)
    assert answer.status_code == 200 and "refresh_token" not in answer.json()
    assert anybody.cookies[COOKIE] != first
    assert anybody.get("/me", headers=bearer(answer.json()["access_token"])).status_code == 200
    assert anybody.post("/token/refresh", headers=PAGE, json={}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"X-Likewise": "script"},
        PAGE | {"Origin": "https://evil.example"},
        PAGE | {"Origin": "null"},
        PAGE | {"Origin": "http://testserver.evil.example"},
        PAGE | {"Origin": "http://testserver:8080"},
        PAGE | {"Origin": "http://[broken"},
        PAGE | {"Sec-Fetch-Site": "cross-site"},
        PAGE | {"Sec-Fetch-Site": "same-site"},
        PAGE | {"Sec-Fetch-Site": "none"},
        PAGE | {"Sec-Fetch-Site": "cross-site", "Origin": "http://testserver"},
    ],
)
def test_another_site_cannot_use_the_cookie(anybody, aigul, headers):
    log_in(anybody, cookie=True)
    for path in ("/token/refresh", "/token/end"):
        answer = anybody.post(path, headers=headers)
        assert kind(answer) == (403, "not allowed"), path
    assert anybody.post("/token/refresh", headers=PAGE).status_code == 200, "nothing was used up"


def test_our_own_page_may_use_the_cookie(anybody, place, context, aigul):
    log_in(anybody, cookie=True)
    for origin in ("http://testserver", "http://testserver:80", "https://testserver"):
        own = PAGE | {"Origin": origin, "Sec-Fetch-Site": "same-origin"}
        assert anybody.post("/token/refresh", headers=own).status_code == 200
    with another(place, public_url="https://campus.example") as proxied:
        client = client_of(proxied)
        client.base_url = "https://testserver/api/v1"
        assert log_in(client, cookie=True).status_code == 200
        own = PAGE | {"Origin": "https://campus.example"}
        assert client.post("/token/refresh", headers=own).status_code == 200


def test_another_site_cannot_log_a_browser_in(anybody, aigul):
    body = {"name": "aigul", "password": PASSWORD, "cookie": True}
    answer = anybody.post("/token", json=body, headers={"Origin": "https://evil.example"})
    assert kind(answer) == (403, "not allowed") and "set-cookie" not in answer.headers


def test_a_cookie_that_is_good_for_nothing_is_cleared(anybody, context, aigul):
    log_in(anybody, cookie=True)
    turn(context, tables.sessions, ended_on=datetime(2020, 1, 1))
    answer = anybody.post("/token/refresh", headers=PAGE)
    assert kind(answer) == NOT_LOGGED_IN
    assert 'likewise_refresh=""' in answer.headers["set-cookie"]
    assert COOKIE not in anybody.cookies


# Logging out.


def test_logging_out_by_cookie_ends_the_session_and_clears_the_cookie(anybody, aigul):
    token = log_in(anybody, cookie=True).json()["access_token"]
    assert anybody.post("/token/end", headers=PAGE).status_code == 204
    assert COOKIE not in anybody.cookies
    assert refused(anybody, token)


def test_logging_out_by_either_token_ends_the_session(anybody, aigul):
    by_refresh, by_access = tokens(anybody), tokens(anybody)
    body = {"refresh_token": by_refresh["refresh_token"]}
    assert anybody.post("/token/end", json=body).status_code == 204
    assert kind(anybody.post("/token/end", json=body)) == NOT_LOGGED_IN
    own = bearer(by_access["access_token"])
    assert anybody.get("/me", headers=own).status_code == 200, "the other session lives"
    assert anybody.post("/token/end", headers=own).status_code == 204
    for given in (by_refresh, by_access):
        assert refused(anybody, given["access_token"])
        answer = anybody.post("/token/refresh", json={"refresh_token": given["refresh_token"]})
        assert kind(answer) == NOT_LOGGED_IN


def test_there_is_nothing_to_refresh_or_end_for_whoever_brings_nothing(anybody):
    for path in ("/token/refresh", "/token/end"):
        assert kind(anybody.post(path)) == NOT_LOGGED_IN
        assert kind(anybody.post(path, json={"refresh_token": "lwr_guess"})) == NOT_LOGGED_IN


# What is written down.


def test_no_password_and_no_token_is_written_anywhere(
    anybody, context, aigul, administrator, caplog
):
    caplog.set_level(logging.DEBUG)
    given = tokens(anybody)
    own = bearer(given["access_token"])
    log_in(anybody, "aigul", "my wrong password")
    log_in(anybody, "my password as a name", PASSWORD)
    new = anybody.post("/token/refresh", json={"refresh_token": given["refresh_token"]}).json()
    anybody.post("/me/password", json={"old": PASSWORD, "new": OTHER}, headers=own)
    made = anybody.post("/keys", json={"name": "k", "scopes": ["checks:read"]}, headers=own).json()
    reset = administrator.post(f"/users/{aigul.id}/password").json()
    anybody.post("/token/end", json={"refresh_token": new["refresh_token"]})
    kept = "".join(
        str(row)
        for table in (tables.audit, tables.guesses, tables.sessions, tables.api_keys, tables.users)
        for row in rows(context, table)
    )
    said = kept + caplog.text + administrator.get("/audit").text
    for secret in (
        *(PASSWORD, OTHER, "my wrong password", "my password as a name", reset["password"]),
        *(given["access_token"], given["refresh_token"], new["refresh_token"], made["secret"]),
        made["secret"].split("_", 2)[2],
    ):
        assert secret not in said


def test_an_agent_cannot_write_lines_into_our_lists(anybody, aigul):
    agent = b"Mozilla\x1b[31m \xe2\x80\xae \xc2\x85" + b"x" * 900
    body = {"name": "aigul", "password": PASSWORD}
    given = anybody.post("/token", json=body, headers={b"User-Agent": agent}).json()
    answer = anybody.get("/me/sessions", headers=bearer(given["access_token"]))
    (session,) = answer.json()["items"]
    assert session["agent"].isprintable() and len(session["agent"]) <= 200
