"""Sessions: refresh tokens that are good once, and everything that ends a session."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest

from likewise.server.context import utc_now
from likewise.server.people.sessions import TOGETHER, NewSession, exchange_refresh_token
from likewise.server.people.users import add_person

from .accounts import (
    OTHER,
    PASSWORD,
    acts_of,
    another_server,
    bearer,
    client_of,
    rows,
    tables,
    turn,
)


@pytest.fixture
def aigul(context):
    return add_person(context, "aigul", PASSWORD)


@pytest.fixture
def given(anybody, aigul):
    return tokens(anybody)


def tokens(client, password=PASSWORD, **headers):
    body = {"name": "aigul", "password": password}
    answer = client.post("/token", json=body, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


def exchange(client, token, **headers):
    return client.post("/token/refresh", json={"refresh_token": token}, headers=headers)


def is_in(client, given):
    return client.get("/me", headers=bearer(given["access_token"])).status_code == 200


def later(context):
    """So much later that two calls no longer count as made at once."""
    turn(context, tables.refresh_tokens, used_on=utc_now() - 2 * TOGETHER)


def test_a_refresh_token_gives_a_new_pair_of_the_same_session(anybody, given):
    new = exchange(anybody, given["refresh_token"]).json()
    assert new["session"] == given["session"]
    assert new["refresh_token"] != given["refresh_token"]
    assert is_in(anybody, new) and is_in(anybody, given), "the old access token lives out its time"
    assert exchange(anybody, new["refresh_token"]).status_code == 200


def test_a_token_that_comes_back_ends_the_whole_session(anybody, context, given, administrator):
    new = exchange(anybody, given["refresh_token"]).json()
    with context.store.beside() as connection:
        kept = tables.refresh_tokens
        used = utc_now() - 2 * TOGETHER
        connection.execute(kept.update().where(kept.c.used_on.isnot(None)).values(used_on=used))
    answer = exchange(anybody, given["refresh_token"])
    assert (answer.status_code, answer.json()["kind"]) == (401, "not logged in")
    assert not is_in(anybody, new) and not is_in(anybody, given)
    assert exchange(anybody, new["refresh_token"]).status_code == 401
    (noted,) = acts_of(administrator, "session ended")
    assert noted["user_name"] == "aigul" and noted["target"] == given["session"]
    assert noted["detail"] == {"why": "token reused"}


def test_a_token_that_comes_back_from_elsewhere_ends_the_session_at_once(anybody, given):
    new = exchange(anybody, given["refresh_token"]).json()
    answer = exchange(anybody, given["refresh_token"], **{"User-Agent": "thief"})
    assert answer.status_code == 401
    assert not is_in(anybody, new)


def test_only_the_session_that_was_copied_ends(anybody, given):
    other = tokens(anybody)
    exchange(anybody, given["refresh_token"])
    exchange(anybody, given["refresh_token"], **{"User-Agent": "thief"})
    assert is_in(anybody, other) and not is_in(anybody, given)
    assert exchange(anybody, other["refresh_token"]).status_code == 200


def test_two_windows_at_once_do_not_log_each_other_out(anybody, given):
    """Nor does a page that was left before its new token came: the next brings the old one."""
    first = exchange(anybody, given["refresh_token"])
    second = exchange(anybody, given["refresh_token"])
    assert (first.status_code, second.status_code) == (200, 200)
    for answer in (first, second):
        assert answer.json()["session"] == given["session"] and is_in(anybody, answer.json())
        assert exchange(anybody, answer.json()["refresh_token"]).status_code == 200


def test_whoever_goes_on_with_a_used_token_is_found_out_a_little_later(anybody, context, given):
    new = exchange(anybody, given["refresh_token"]).json()
    again = exchange(anybody, given["refresh_token"]).json()
    later(context)
    assert exchange(anybody, given["refresh_token"]).status_code == 401
    assert not is_in(anybody, new) and not is_in(anybody, again)
    assert exchange(anybody, again["refresh_token"]).status_code == 401


def test_refreshes_at_the_same_instant_are_all_of_one_session(place, context, anybody, given):
    token = given["refresh_token"]
    found: list[Any] = []
    (row,) = rows(context, tables.sessions)
    with another_server(place) as second:
        start = threading.Barrier(8)

        def race(server):
            start.wait()
            with server.store.beside() as connection:
                found.append(
                    exchange_refresh_token(connection, token, server.config, row.address, row.agent)
                )

        runners = [threading.Thread(target=race, args=(one,)) for one in [context, second] * 4]
        for runner in runners:
            runner.start()
        for runner in runners:
            runner.join()
    assert all(isinstance(one, NewSession) and one.session == row.id for one in found)
    assert len({one.refresh_token for one in found}) == 8
    for one in found:
        assert exchange(anybody, one.refresh_token).status_code == 200


def test_a_session_ends_when_it_is_not_used(anybody, context, given):
    turn(context, tables.sessions, ends_on=utc_now() - timedelta(seconds=1))
    assert not is_in(anybody, given)
    assert exchange(anybody, given["refresh_token"]).status_code == 401


def test_every_use_lets_a_session_live_longer(anybody, context, given):
    turn(context, tables.sessions, ends_on=utc_now() + timedelta(minutes=1))
    exchange(anybody, given["refresh_token"])
    (session,) = rows(context, tables.sessions)
    assert session.ends_on > utc_now() + timedelta(days=context.config.refresh_days, minutes=-1)


def test_a_session_ends_in_the_end_however_much_it_is_used(anybody, context, given):
    config, moment = context.config, utc_now()
    assert config.session_days == 30
    begun = moment - timedelta(days=config.session_days - 1)
    turn(context, tables.sessions, made_on=begun)
    new = exchange(anybody, given["refresh_token"]).json()
    (session,) = rows(context, tables.sessions)
    assert session.ends_on == begun + timedelta(days=config.session_days)
    turn(context, tables.sessions, made_on=begun - timedelta(days=1, seconds=1))
    assert exchange(anybody, new["refresh_token"]).status_code == 401
    turn(context, tables.sessions, ends_on=moment - timedelta(seconds=1))
    assert not is_in(anybody, new)


def test_used_tokens_are_forgotten_when_no_session_could_be_that_idle(anybody, context, given):
    token = given["refresh_token"]
    for _ in range(3):
        token = exchange(anybody, token).json()["refresh_token"]
    turn(context, tables.refresh_tokens, made_on=utc_now() - timedelta(days=40))
    with context.store.beside() as connection:
        kept = tables.refresh_tokens
        used = utc_now() - timedelta(days=20)
        connection.execute(kept.update().where(kept.c.used_on.isnot(None)).values(used_on=used))
    assert exchange(anybody, token).status_code == 200
    assert len(rows(context, tables.refresh_tokens)) == 2


def test_only_hashes_of_tokens_are_kept(context, given):
    (row,) = rows(context, tables.refresh_tokens)
    assert len(bytes(row.hash)) == 32
    assert given["refresh_token"].encode() not in bytes(row.hash)


def test_i_see_where_i_am_logged_in(anybody, given):
    tokens(anybody, **{"User-Agent": "Phone of Aigul"})
    answer = anybody.get("/me/sessions", headers=bearer(given["access_token"])).json()
    assert answer["total"] == 2
    phone, this = answer["items"]
    assert phone["agent"] == "Phone of Aigul" and not phone["is_this"]
    assert this["is_this"] and this["id"] == given["session"]
    assert this["address"] == "testclient" and this["made_on"].endswith("Z")
    page = anybody.get(
        "/me/sessions", params={"limit": 1, "offset": 1}, headers=bearer(given["access_token"])
    ).json()
    assert page == {"items": [this], "total": 2}


def test_i_log_out_one_place(anybody, given):
    phone = tokens(anybody)
    own = bearer(given["access_token"])
    assert anybody.delete(f"/me/sessions/{phone['session']}", headers=own).status_code == 204
    assert not is_in(anybody, phone) and is_in(anybody, given)
    again = anybody.delete(f"/me/sessions/{phone['session']}", headers=own)
    assert (again.status_code, again.json()["kind"]) == (404, "not found")


def test_nobody_ends_the_session_of_another(anybody, given, log_in):
    other = log_in("bolat")
    answer = other.delete(f"/me/sessions/{given['session']}")
    assert answer.status_code == 404 and is_in(anybody, given)
    assert other.delete("/me/sessions/" + "0" * 24).json() == answer.json()
    assert [one["id"] for one in other.get("/me/sessions").json()["items"]] != [given["session"]]


def test_i_log_out_everywhere(anybody, given, log_in):
    phone, other = tokens(anybody), log_in("bolat")
    own = bearer(given["access_token"])
    assert anybody.post("/me/end-everywhere", headers=own).status_code == 204
    assert not is_in(anybody, phone) and not is_in(anybody, given)
    assert exchange(anybody, phone["refresh_token"]).status_code == 401
    assert other.get("/me").status_code == 200


def test_changing_my_password_ends_all_other_sessions(anybody, given):
    phone = tokens(anybody)
    own = bearer(given["access_token"])
    body = {"old": PASSWORD, "new": OTHER}
    assert anybody.post("/me/password", json=body, headers=own).status_code == 204
    assert is_in(anybody, given) and not is_in(anybody, phone)
    assert tokens(anybody, OTHER)


def test_a_reset_ends_all_sessions(anybody, given, aigul, administrator):
    assert administrator.post(f"/users/{aigul.id}/password").status_code == 200
    assert not is_in(anybody, given)
    assert exchange(anybody, given["refresh_token"]).status_code == 401


def test_a_session_is_good_on_every_server(place, anybody, given):
    with another_server(place) as second:
        other = client_of(second)
        assert is_in(other, given)
        new = exchange(other, given["refresh_token"]).json()
        assert is_in(anybody, new)
        anybody.post("/me/end-everywhere", headers=bearer(new["access_token"]))
        assert not is_in(other, new)
