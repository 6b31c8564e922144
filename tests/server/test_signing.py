"""Signing keys: in the database, shared, renewed, and never two where one is needed."""

from __future__ import annotations

import threading
from datetime import timedelta

import jwt
import pytest

from likewise.server.context import utc_now
from likewise.server.people import tokens as signing
from likewise.server.people.tokens import make_access_token, read_access_token, signing_keys_of
from likewise.server.people.users import add_person

from .accounts import another_server, rows, tables, turn


def age(context, **by):
    """Make every key older."""
    for row in rows(context, tables.signing_keys):
        with context.store.beside() as connection:
            connection.execute(
                tables.signing_keys.update()
                .where(tables.signing_keys.c.id == row.id)
                .values(
                    made_on=row.made_on - timedelta(**by), ends_on=row.ends_on - timedelta(**by)
                )
            )


@pytest.fixture
def fresh(place):
    """A server that has just started: it knows what is in the database, and no more."""
    with another_server(place) as second:
        yield second


def kid(token):
    return jwt.get_unverified_header(token)["kid"]


def test_a_key_is_made_at_first_need_and_then_stays(context):
    assert rows(context, tables.signing_keys) == []
    token = make_access_token(context, "u", "s")
    assert kid(token) == kid(make_access_token(context, "u", "s"))
    (row,) = rows(context, tables.signing_keys)
    assert len(bytes(row.secret)) >= 32
    assert row.ends_on - row.made_on == timedelta(days=context.config.key_days + 1)


def test_every_server_verifies_what_another_signed(context, fresh):
    token = make_access_token(context, "u", "s")
    found = read_access_token(fresh, token)
    assert found is not None and (found.user, found.session) == ("u", "s")
    assert kid(make_access_token(fresh, "u", "s")) == kid(token)


def test_servers_that_start_at_once_make_one_key(place, context):
    with another_server(place) as second, another_server(place) as third:
        servers = [context, second, third]
        start, found = threading.Barrier(len(servers) * 3), []

        def sign(server):
            start.wait()
            found.append(kid(make_access_token(server, "u", "s")))

        runners = [threading.Thread(target=sign, args=(one,)) for one in servers * 3]
        for runner in runners:
            runner.start()
        for runner in runners:
            runner.join()
    assert len(found) == 9 and len(set(found)) == 1
    assert len(rows(context, tables.signing_keys)) == 1


def test_a_key_signs_for_its_days_and_verifies_a_day_longer(context, place):
    old = make_access_token(context, "u", "s")
    age(context, days=context.config.key_days)
    with another_server(place) as fresh:
        new = make_access_token(fresh, "u", "s")
        assert kid(new) != kid(old)
        assert read_access_token(fresh, old) is not None, "it has not expired yet"
    assert len(rows(context, tables.signing_keys)) == 2


def test_a_key_that_ended_verifies_nothing_and_is_removed(context, place):
    old = make_access_token(context, "u", "s")
    age(context, days=context.config.key_days + 1)
    with another_server(place) as fresh:
        assert read_access_token(fresh, old) is None
        new = make_access_token(fresh, "u", "s")
    assert [row.id for row in rows(context, tables.signing_keys)] == [kid(new)]


def test_a_running_server_notices_that_its_key_has_ended(context):
    token = make_access_token(context, "u", "s")
    keys = signing_keys_of(context)
    age(context, days=context.config.key_days + 1)
    keys._read_at = float("-inf")  # a minute later
    assert read_access_token(context, token) is None
    assert kid(make_access_token(context, "u", "s")) != kid(token)


def test_the_newest_key_signs_on_every_server(context, place):
    first = make_access_token(context, "u", "s")
    age(context, days=context.config.key_days)
    with another_server(place) as second, another_server(place) as third:
        newest = kid(make_access_token(second, "u", "s"))
        assert newest != kid(first)
        assert kid(make_access_token(third, "u", "s")) == newest


def test_an_unknown_key_is_looked_for_but_not_at_every_call(context, fresh, monkeypatch):
    make_access_token(context, "u", "s")
    assert signing_keys_of(fresh).find("unknown") is None
    read = []
    keys = signing_keys_of(fresh)
    real = keys._read
    monkeypatch.setattr(keys, "_read", lambda: read.append(1) or real())
    for _ in range(50):
        keys.find("unknown")
    assert read == []
    keys._read_at -= signing.RELOAD_SECONDS + 1
    keys.find("unknown")
    assert read == [1]


def test_a_server_hears_of_a_key_that_was_made_after_it_started(context, place):
    with another_server(place) as second:
        make_access_token(second, "u", "s")
        age(context, days=context.config.key_days)
        token = make_access_token(context, "u", "s")
        signing_keys_of(second)._read_at -= signing.RELOAD_SECONDS + 1
        assert read_access_token(second, token) is not None


def test_secrets_differ_from_site_to_site(context):
    make_access_token(context, "u", "s")
    (row,) = rows(context, tables.signing_keys)
    assert len(set(bytes(row.secret))) > 16


def test_a_removed_key_ends_every_token_that_it_signed(context, anybody):
    """What an administrator does after a leak: empty the table."""
    add_person(context, "aigul", "wormwood after rain")
    body = {"name": "aigul", "password": "wormwood after rain"}
    token = anybody.post("/token", json=body).json()["access_token"]
    with context.store.beside() as connection:
        connection.execute(tables.signing_keys.delete())
    signing_keys_of(context)._read_at = float("-inf")
    own = {"Authorization": f"Bearer {token}"}
    assert anybody.get("/me", headers=own).status_code == 401
    assert anybody.post("/token", json=body).status_code == 200


def test_the_clock_of_a_key_is_the_databases(context):
    make_access_token(context, "u", "s")
    turn(context, tables.signing_keys, ends_on=utc_now() + signing.LONGEST_TOKEN)
    signing_keys_of(context)._read_at = float("-inf")
    make_access_token(context, "u", "s")
    assert len(rows(context, tables.signing_keys)) == 2, "what would end too early signs no more"
