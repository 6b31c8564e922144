"""Guessing passwords, tokens and keys: slow for one name, and never the end of a campus."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest

from likewise.server.accounts import guesses
from likewise.server.accounts.people import add_person
from likewise.server.site import SiteSettings, this_moment

from .accounts import (
    OTHER,
    PASSWORD,
    another_server,
    bearer,
    client_of,
    decide,
    rows,
    tables,
    turn,
)

WRONG, LOCKED = (401, "wrong name or password"), (429, "locked out")


@pytest.fixture(autouse=True)
def aigul(site):
    return add_person(site, "aigul", PASSWORD)


def log_in(client, name="aigul", password=PASSWORD):
    return client.post("/token", json={"name": name, "password": password})


def kind(answer):
    return answer.status_code, answer.json()["kind"]


def lock(client, name="aigul", tries=5):
    for _ in range(tries):
        assert kind(log_in(client, name, "wrong")) == WRONG


def pass_minutes(site, minutes):
    """As if so much time had gone by."""
    for row in rows(site, tables.guesses):
        until = row.locked_until and row.locked_until - timedelta(minutes=minutes)
        with site.store.beside() as connection:
            column = tables.guesses.c
            connection.execute(
                tables.guesses.update()
                .where(column.of == row.of)
                .values(last_on=row.last_on - timedelta(minutes=minutes), locked_until=until)
            )


def test_five_wrong_passwords_lock_a_name_even_for_the_right_one(anybody):
    lock(anybody)
    right, wrong = log_in(anybody), log_in(anybody, password="wrong")
    assert kind(right) == kind(wrong) == LOCKED
    assert right.json()["message"] == wrong.json()["message"]
    assert 890 < int(right.headers["retry-after"]) <= 900
    assert right.json()["details"] == {"retry_after": int(right.headers["retry-after"])}


def test_a_name_that_nobody_has_is_locked_in_the_same_way(anybody):
    lock(anybody)
    lock(anybody, "nobody")
    mine, nobodys = log_in(anybody), log_in(anybody, "nobody")
    assert kind(mine) == kind(nobodys) == LOCKED
    assert mine.json()["message"] == nobodys.json()["message"]


def test_another_spelling_of_the_name_is_no_way_around(anybody):
    lock(anybody)
    for name in ("AIGUL", " aigul ", "ａｉｇｕｌ"):
        assert kind(log_in(anybody, name)) == LOCKED


def test_the_count_holds_across_servers(place, anybody):
    with another_server(place) as second:
        other = client_of(second)
        lock(anybody, tries=3)
        lock(other, tries=2)
        assert kind(log_in(anybody)) == kind(log_in(other)) == LOCKED


def test_many_guesses_at_the_same_moment_are_many_guesses(place, site):
    """Counted before they are looked at: none slips through while others are being hashed."""
    found = []
    with another_server(place) as second:
        start = threading.Barrier(12)

        def guess(server):
            start.wait()
            with server.store.beside() as connection:
                found.append(guesses.try_name(connection, "aigul", SiteSettings()))

        runners = [threading.Thread(target=guess, args=(one,)) for one in [site, second] * 6]
        for runner in runners:
            runner.start()
        for runner in runners:
            runner.join()
    assert sorted(wait > 0 for wait in found) == [False] * 5 + [True] * 7


def test_the_right_password_clears_the_count(anybody):
    for _ in range(3):
        lock(anybody, tries=4)
        assert log_in(anybody).status_code == 200


def test_after_the_wait_the_right_password_opens(anybody, site):
    lock(anybody)
    pass_minutes(site, 16)
    assert log_in(anybody).status_code == 200
    lock(anybody, tries=4)
    assert log_in(anybody).status_code == 200, "the count began anew"


def test_every_further_wrong_password_doubles_the_wait(anybody, site):
    lock(anybody)
    waits = []
    for _ in range(6):
        waits.append(int(log_in(anybody).headers["retry-after"]))
        pass_minutes(site, waits[-1] / 60 + 1)
        assert kind(log_in(anybody, password="wrong")) == WRONG
    minutes = [-(-wait // 60) for wait in waits]
    assert minutes == [15, 30, 60, 120, 240, 240]


def test_what_is_tried_while_locked_does_not_lock_longer(anybody, site):
    lock(anybody)
    pass_minutes(site, 10)
    for _ in range(5):
        assert kind(log_in(anybody, password="wrong")) == LOCKED
    assert int(log_in(anybody).headers["retry-after"]) <= 300


def test_wrong_passwords_of_yesterday_are_forgotten(anybody, site):
    lock(anybody, tries=4)
    pass_minutes(site, 25 * 60)
    lock(anybody, tries=4)
    assert log_in(anybody).status_code == 200


def test_the_settings_say_how_often_and_how_long(anybody, site):
    decide(site, SiteSettings(lock_after=2, lock_minutes=60))
    lock(anybody, tries=2)
    assert 3590 < int(log_in(anybody).headers["retry-after"]) <= 3600


def test_one_locked_name_is_nobody_elses_trouble(anybody, site):
    add_person(site, "bolat", OTHER)
    lock(anybody)
    assert log_in(anybody, "bolat", OTHER).status_code == 200


def test_an_address_is_slowed_down_only_after_far_more_tries(anybody, site):
    most = guesses.most_from_address(site.settings)
    assert most == 200
    with site.store.beside() as connection:
        waits = [
            guesses.try_address(connection, "password", "testclient", site.settings)
            for _ in range(most + 1)
        ]
    assert not any(waits[:most]) and 0 < waits[-1] <= 5
    answer = log_in(anybody)
    assert kind(answer) == LOCKED and int(answer.headers["retry-after"]) <= 5
    pass_minutes(site, 1)
    assert log_in(anybody).status_code == 200, "a minute later there is room again"


def test_right_passwords_do_not_fill_the_count_of_an_address(anybody, site):
    for _ in range(4):
        assert log_in(anybody).status_code == 200
    assert [row.failures for row in rows(site, tables.guesses)] == [0]


def test_right_passwords_do_not_empty_it_either(anybody, site):
    add_person(site, "bolat", OTHER)
    lock(anybody, tries=3)
    assert log_in(anybody, "bolat", OTHER).status_code == 200
    (from_address,) = [row for row in rows(site, tables.guesses) if "from" in row.of]
    assert from_address.failures == 3


def test_refresh_tokens_and_keys_cannot_be_guessed_without_end(anybody, site):
    decide(site, SiteSettings(lock_after=1))
    most = guesses.most_from_address(site.settings)
    for secret, guess in (
        ("refresh token", lambda: anybody.post("/token/refresh", json={"refresh_token": "lwr_x"})),
        ("key", lambda: anybody.get("/me", headers=bearer("lwk_0123456789abcdef_guess"))),
    ):
        assert kind(guess()) == (401, "not logged in")
        of = f"{secret} from testclient"
        with site.store.beside() as connection:
            column = tables.guesses.c
            connection.execute(
                tables.guesses.update()
                .where(column.of == of)
                .values(failures=most, last_on=this_moment() + timedelta(seconds=30))
            )
        answer = guess()
        assert kind(answer) == LOCKED and int(answer.headers["retry-after"]) > 0
    assert log_in(anybody).status_code == 200, "passwords are counted apart"


def test_a_right_key_works_whatever_others_at_the_address_do(anybody, site):
    own = bearer(log_in(anybody).json()["access_token"])
    body = {"name": "script", "scopes": ["checks:read"]}
    key = anybody.post("/keys", json=body, headers=own).json()["secret"]
    with site.store.beside() as connection:
        for _ in range(201):
            guesses.try_address(connection, "key", "testclient", site.settings)
    assert kind(anybody.get("/me", headers=bearer("lwk_00_x"))) == LOCKED
    assert anybody.get("/me", headers=bearer(key)).status_code == 200


def test_guessing_the_old_password_of_an_open_session_counts_too(anybody):
    own = bearer(log_in(anybody).json()["access_token"])
    for _ in range(5):
        body = {"old": "wrong", "new": OTHER}
        assert kind(anybody.post("/me/password", json=body, headers=own)) == WRONG
    body = {"old": PASSWORD, "new": OTHER}
    assert kind(anybody.post("/me/password", json=body, headers=own)) == LOCKED


def test_names_are_counted_without_being_kept(anybody, site):
    log_in(anybody, "oops i typed my password", "here")
    assert "oops" not in str(rows(site, tables.guesses))


def test_old_counts_make_room_for_new_ones(anybody, site):
    lock(anybody, "nobody", tries=1)
    turn(site, tables.guesses, last_on=this_moment() - timedelta(days=2))
    lock(anybody, "somebody", tries=1)
    assert len(rows(site, tables.guesses)) == 2


@pytest.mark.parametrize("engine_name", ["postgresql"])
def test_two_who_forget_old_guesses_do_not_wait_for_each_other(site):
    settings = SiteSettings()
    with site.store.beside() as connection:
        for name in ("bota", "marat"):
            guesses.try_name(connection, name, settings)
    turn(site, tables.guesses, last_on=this_moment() - timedelta(days=2), locked_until=None)
    both = threading.Barrier(2)
    forgotten = []

    def hold_and_forget(name):
        with site.store.beside() as connection:
            guesses.try_name(connection, name, settings)
            both.wait(30)
            forgotten.append(guesses.forget_old(connection))

    threads = [threading.Thread(target=hold_and_forget, args=[name]) for name in ("bota", "marat")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert forgotten == [0, 0]
    assert len(rows(site, tables.guesses)) == 2
