"""Guessing passwords, tokens and keys: slow for a name, and never the end of its owner's day."""

from __future__ import annotations

import re
import threading
from datetime import timedelta

import pytest

from likewise.server.context import SiteSettings, utc_now
from likewise.server.people import login_throttle
from likewise.server.people.users import add_person

from .accounts import (
    OTHER,
    PASSWORD,
    acts_of,
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
def aigul(context):
    return add_person(context, "aigul", PASSWORD)


@pytest.fixture
def stranger(context):
    """A browser that nobody has logged in with; it keeps no cookies from one call to the next."""
    return client_of(context)


def log_in(client, name="aigul", password=PASSWORD):
    answer = client.post("/token", json={"name": name, "password": password})
    client.cookies.clear()
    return answer


def known_browser(context, name="aigul", password=PASSWORD):
    client = client_of(context)
    body = {"name": name, "password": password, "cookie": True}
    answer = client.post("/token", json=body)
    assert answer.status_code == 200, answer.text
    return client


def kind(answer):
    return answer.status_code, answer.json()["kind"]


def guess(client, name="aigul", tries=5):
    for _ in range(tries):
        assert kind(log_in(client, name, "wrong")) == WRONG


def guess_until_held(client, name="aigul"):
    """Guess as fast as one may; the answer that says to wait."""
    for _ in range(20):
        answer = log_in(client, name, "wrong")
        if answer.status_code == 429:
            return answer
    raise AssertionError("nothing held it up")


def hold(context, client, name="aigul"):
    """Guess until the next try has to wait for half a minute, whoever makes it."""
    guess(client, name)
    column, now = tables.guesses.c, utc_now()
    with context.store.beside() as connection:
        of_names = column.of.startswith("name ") & ~column.of.contains(" at ")
        held = tables.guesses.update().where(of_names, column.failures >= 5)
        held = held.values(failures=50, locked_until=now + timedelta(seconds=30))
        assert connection.execute(held).rowcount >= 1


def pass_seconds(context, seconds):
    """As if so much time had gone by."""
    for row in rows(context, tables.guesses):
        until = row.locked_until and row.locked_until - timedelta(seconds=seconds)
        with context.store.beside() as connection:
            column = tables.guesses.c
            connection.execute(
                tables.guesses.update()
                .where(column.of == row.of)
                .values(last_on=row.last_on - timedelta(seconds=seconds), locked_until=until)
            )


def test_a_few_wrong_passwords_make_the_next_try_wait_and_not_for_long(stranger, context):
    guess(stranger)
    held = guess_until_held(stranger)
    assert kind(held) == LOCKED and 1 <= int(held.headers["retry-after"]) <= 30
    assert held.json()["details"] == {"retry_after": int(held.headers["retry-after"])}
    assert "try again in" in held.json()["message"]


def test_after_the_wait_the_right_password_opens(stranger, context):
    guess(stranger)
    held = guess_until_held(stranger)
    pass_seconds(context, int(held.headers["retry-after"]))
    assert log_in(stranger).status_code == 200


def test_however_long_somebody_guesses_nobody_waits_longer_than_half_a_minute(stranger, context):
    guess(stranger)
    waits = []
    for _ in range(9):
        held = guess_until_held(stranger)
        waits.append(int(held.headers["retry-after"]))
        pass_seconds(context, waits[-1])
    assert waits == sorted(waits) and waits[-1] == 30
    assert log_in(stranger).status_code == 200, "and then the right password is taken"


def test_a_browser_that_has_logged_in_before_is_never_held_up_by_others(stranger, context):
    own = known_browser(context)
    hold(context, stranger)
    for _ in range(3):
        answer = own.post("/token", json={"name": "aigul", "password": PASSWORD})
        assert answer.status_code == 200, answer.text


def test_nor_by_what_others_do_at_the_same_address(context):
    own = known_browser(context)
    with context.store.beside() as connection:
        while not login_throttle.try_address(
            connection, "password", "testclient", context.settings
        ):
            pass
    assert kind(log_in(client_of(context))) == LOCKED
    assert own.post("/token", json={"name": "aigul", "password": PASSWORD}).status_code == 200


def test_a_stolen_cookie_gives_no_free_guesses(context):
    thief = known_browser(context)
    answers = [
        kind(thief.post("/token", json={"name": "aigul", "password": f"guess {i}"}))
        for i in range(12)
    ]
    assert answers[:5] == [WRONG] * 5 and LOCKED in answers
    assert log_in(client_of(context)).status_code == 200, "and holds up nobody else"


def test_the_cookie_of_one_person_is_none_for_another(stranger, context):
    add_person(context, "bolat", OTHER)
    bolats = known_browser(context, "bolat", OTHER)
    hold(context, stranger)
    assert kind(bolats.post("/token", json={"name": "aigul", "password": PASSWORD})) == LOCKED


def test_two_people_share_a_browser(stranger, context):
    add_person(context, "bolat", OTHER)
    shared = known_browser(context, "bolat", OTHER)
    body = {"name": "aigul", "password": PASSWORD, "cookie": True}
    assert shared.post("/token", json=body).status_code == 200
    for name in ("aigul", "bolat"):
        hold(context, stranger, name)
    for name, password in (("bolat", OTHER), ("aigul", PASSWORD)):
        body = {"name": name, "password": password}
        assert shared.post("/token", json=body).status_code == 200


@pytest.mark.parametrize(
    "forged",
    ["", "x", "~~~", "a.b.c", "0" * 24 + ".1." + "0" * 64, "é", "0" * 5000, "1.2.3~" * 200],
)
@pytest.mark.parametrize("engine_name", ["sqlite"])
def test_a_cookie_that_is_not_ours_counts_for_nothing(stranger, context, forged):
    hold(context, stranger)
    cookie = {"Cookie": f"likewise_device={forged}".encode()}
    body = {"name": "aigul", "password": PASSWORD}
    assert kind(stranger.post("/token", json=body, headers=cookie)) == LOCKED


@pytest.mark.parametrize("engine_name", ["sqlite"])
def test_a_cookie_with_a_letter_changed_or_too_old_counts_for_nothing(stranger, context):
    own = known_browser(context)
    good = own.cookies["likewise_device"]
    hold(context, stranger)
    id, made_on, signature = good.split(".")
    older = f"{id}.{int(made_on) - 1}.{signature}"
    other = f"{id}.{made_on}.{signature[:-1]}{'0' if signature[-1] != '0' else '1'}"
    body = {"name": "aigul", "password": PASSWORD}
    for value in (older, other):
        cookie = {"Cookie": f"likewise_device={value}"}
        assert kind(stranger.post("/token", json=body, headers=cookie)) == LOCKED
    cookie = {"Cookie": f"likewise_device={good}"}
    assert stranger.post("/token", json=body, headers=cookie).status_code == 200


@pytest.mark.parametrize("engine_name", ["sqlite"])
def test_no_script_reads_the_cookie_and_it_names_nobody(context, aigul):
    client = client_of(context)
    answer = client.post("/token", json={"name": "aigul", "password": PASSWORD, "cookie": True})
    (cookie,) = [
        one for one in answer.headers.get_list("set-cookie") if one.startswith("likewise_device=")
    ]
    lowered = cookie.lower()
    assert "httponly" in lowered and "samesite=lax" in lowered and "path=/api/v1/token" in lowered
    assert "secure" not in lowered, "over plain http a browser would not keep it"
    assert "aigul" not in lowered and aigul.id not in lowered
    with another_server(context.library.name, public_url="https://likewise.kz") as second:
        body = {"name": "aigul", "password": PASSWORD, "cookie": True}
        cookies = client_of(second).post("/token", json=body).headers.get_list("set-cookie")
        assert len(cookies) == 2 and all("; secure" in one.lower() for one in cookies)


def test_the_cookie_is_good_on_every_server(place, stranger, context):
    own = known_browser(context)
    hold(context, stranger)
    with another_server(place) as second:
        other = client_of(second)
        other.cookies.update(own.cookies)
        answer = other.post("/token", json={"name": "aigul", "password": PASSWORD})
        assert answer.status_code == 200


def test_a_network_that_was_not_wrong_today_does_not_wait_for_those_who_were(context):
    """Somebody who guesses all day keeps the owner out of no new browser."""
    now, settings = utc_now(), SiteSettings()
    with context.store.beside() as connection:

        def tried(address):
            return login_throttle.try_password(connection, "aigul", address, settings, now=now)

        for _ in range(30):
            tried("198.51.100.9")
        assert tried("198.51.100.9") > 0
        assert [tried("203.0.113.5") > 0 for _ in range(3)] == [False, False, True]


def test_new_networks_do_not_wait_only_so_often_a_day(context, monkeypatch):
    monkeypatch.setattr(login_throttle, "NEW_NETWORKS_A_DAY", 20)
    now, settings = utc_now(), SiteSettings()
    with context.store.beside() as connection:
        passed = [
            login_throttle.try_password(
                connection, "aigul", f"203.0.{i // 200}.{i % 200}", settings, now=now
            )
            == 0
            for i in range(60)
        ]
    assert sum(passed) == 5 + 20


def test_a_name_that_nobody_has_is_held_up_in_the_same_way(stranger, context):
    answers: dict[str, list] = {}
    for name in ("aigul", "nobody"):
        wrong = [log_in(stranger, name, "wrong") for _ in range(5)]
        answers[name] = [(one.status_code, one.json()) for one in wrong]
        held = guess_until_held(stranger, name)
        answers[name] += [re.sub(r"\d+ seconds?", "n seconds", held.json()["message"])]
    assert answers["aigul"] == answers["nobody"]


def test_another_spelling_of_the_name_is_no_way_around(stranger, context):
    hold(context, stranger)
    for name in ("AIGUL", " aigul ", "ａｉｇｕｌ"):
        assert kind(log_in(stranger, name)) == LOCKED


def test_the_count_holds_across_servers(place, stranger):
    with another_server(place) as second:
        other = client_of(second)
        guess(stranger, tries=3)
        guess(other, tries=2)
        assert kind(guess_until_held(stranger)) == LOCKED


def test_many_guesses_at_the_same_moment_are_many_guesses(place, context):
    """Counted before they are looked at: none slips through while others are being hashed."""
    found = []
    with another_server(place) as second:
        start, now = threading.Barrier(12), utc_now()

        def attempt(server):
            start.wait()
            with server.store.beside() as connection:
                found.append(
                    login_throttle.try_password(
                        connection, "aigul", "198.51.100.9", SiteSettings(), now=now
                    )
                )

        runners = [threading.Thread(target=attempt, args=(one,)) for one in [context, second] * 6]
        for runner in runners:
            runner.start()
        for runner in runners:
            runner.join()
    assert sorted(wait > 0 for wait in found) == [False] * 5 + [True] * 7


def test_what_is_tried_while_one_waits_makes_nobody_wait_longer(stranger, context):
    guess(stranger)
    first = int(guess_until_held(stranger).headers["retry-after"])
    for _ in range(5):
        assert int(log_in(stranger, password="wrong").headers["retry-after"]) <= first


def test_the_right_password_forgets_what_this_network_got_wrong(stranger):
    for _ in range(3):
        guess(stranger, tries=4)
        assert log_in(stranger).status_code == 200


def test_the_right_password_does_not_forget_what_others_got_wrong(context):
    settings, now = SiteSettings(), utc_now()
    with context.store.beside() as connection:
        for _ in range(5):
            login_throttle.try_password(connection, "aigul", "198.51.100.9", settings, now=now)
    assert log_in(client_of(context)).status_code == 200
    with context.store.beside() as connection:
        later = utc_now() + timedelta(seconds=40)
        waits = [
            login_throttle.try_password(connection, "aigul", "198.51.100.9", settings, now=later)
            for _ in range(2)
        ]
    assert waits[0] == 0 and waits[1] >= 1, "the one who guesses is as slow as before"


def test_wrong_passwords_of_yesterday_are_forgotten(stranger, context):
    guess(stranger, tries=4)
    pass_seconds(context, 25 * 3600)
    guess(stranger, tries=4)
    assert log_in(stranger).status_code == 200


def test_a_lock_of_an_older_version_ends_after_half_a_minute(stranger, context):
    guess(stranger, tries=3)
    turn(context, tables.guesses, locked_until=utc_now() + timedelta(hours=4))
    assert int(log_in(stranger).headers["retry-after"]) <= 30


def test_the_settings_say_after_how_many_one_waits(stranger, context):
    decide(context, SiteSettings(lock_after=2))
    guess(stranger, tries=2)
    assert kind(guess_until_held(stranger)) == LOCKED


def test_one_name_that_waits_is_nobody_elses_trouble(stranger, context):
    add_person(context, "bolat", OTHER)
    hold(context, stranger)
    assert log_in(stranger, "bolat", OTHER).status_code == 200


def test_an_administrator_unlocks_a_name(stranger, context):
    hold(context, stranger)
    with context.store.beside() as connection:
        assert login_throttle.reset_name(connection, "aigul")
        assert not login_throttle.reset_name(connection, "aigul")
    assert log_in(stranger).status_code == 200


def test_an_administrator_sees_who_has_to_wait_and_ends_it(stranger, context, administrator, aigul):
    def shown():
        people = administrator.get("/users").json()["items"]
        return {one["name"]: one["log_in_delay"] for one in people}

    assert shown() == {"aigul": None, "dean": None}
    guess_until_held(stranger)
    delay = shown()["aigul"]
    assert delay["wrong_passwords"] >= 5 and delay["seconds"] >= 1 and delay["until"]
    assert shown()["dean"] is None
    assert administrator.get(f"/users/{aigul.id}").json()["log_in_delay"] == delay
    pass_seconds(context, 60)  # the wait is over, and the next wrong one makes it longer
    assert shown()["aigul"] == delay | {"until": None}
    assert administrator.post(f"/users/{aigul.id}/unlock").status_code == 204
    assert shown()["aigul"] is None
    assert log_in(stranger).status_code == 200
    (noted,) = acts_of(administrator, "unlocked")
    assert (noted["user_name"], noted["target"]) == ("dean", "aigul")


def test_a_delay_in_the_persons_own_browser_is_seen_and_ended_too(
    stranger, context, administrator, aigul
):
    assert log_in(stranger).status_code == 200  # from now on the browser is known
    guess_until_held(stranger)
    assert administrator.get(f"/users/{aigul.id}").json()["log_in_delay"]["until"]
    assert administrator.post(f"/users/{aigul.id}/unlock").status_code == 204
    assert administrator.get(f"/users/{aigul.id}").json()["log_in_delay"] is None
    assert log_in(stranger).status_code == 200


def test_one_address_cannot_try_a_password_at_many_names(context):
    most, now = login_throttle.most_from_address(context.settings), utc_now()
    assert most == 50
    with context.store.beside() as connection:
        waits = [
            login_throttle.try_password(
                connection, f"name{i}", "198.51.100.9", context.settings, now=now
            )
            for i in range(most + 1)
        ]
    assert not any(waits[:most]) and 0 < waits[-1] <= 30
    with context.store.beside() as connection:
        later = now + timedelta(seconds=waits[-1])
        assert not login_throttle.try_password(
            connection, "another", "198.51.100.9", context.settings, now=later
        )


def test_right_passwords_do_not_fill_the_count_of_an_address(stranger, context):
    for _ in range(4):
        assert log_in(stranger).status_code == 200
    assert {row.failures for row in rows(context, tables.guesses)} <= {0}


def test_right_passwords_do_not_empty_it_either(stranger, context):
    add_person(context, "bolat", OTHER)
    guess(stranger, tries=3)
    assert log_in(stranger, "bolat", OTHER).status_code == 200
    (from_address,) = [
        row for row in rows(context, tables.guesses) if row.of.startswith("password")
    ]
    assert from_address.failures == 3


def test_refresh_tokens_and_keys_cannot_be_guessed_without_end(anybody, context):
    decide(context, SiteSettings(lock_after=1))
    most = login_throttle.most_from_address(context.settings)
    for secret, attempt in (
        ("refresh token", lambda: anybody.post("/token/refresh", json={"refresh_token": "lwr_x"})),
        ("key", lambda: anybody.get("/me", headers=bearer("lwk_0123456789abcdef_guess"))),
    ):
        assert kind(attempt()) == (401, "not logged in")
        of = f"{secret} from testclient"
        with context.store.beside() as connection:
            column = tables.guesses.c
            connection.execute(
                tables.guesses.update()
                .where(column.of == of)
                .values(failures=most, last_on=utc_now() + timedelta(seconds=30))
            )
        answer = attempt()
        assert kind(answer) == LOCKED and int(answer.headers["retry-after"]) > 0
    assert log_in(anybody).status_code == 200, "passwords are counted apart"


def test_a_right_key_works_whatever_others_at_the_address_do(anybody, context):
    own = bearer(log_in(anybody).json()["access_token"])
    body = {"name": "script", "scopes": ["checks:read"]}
    key = anybody.post("/keys", json=body, headers=own).json()["secret"]
    with context.store.beside() as connection:
        for _ in range(login_throttle.most_from_address(context.settings) + 1):
            login_throttle.try_address(connection, "key", "testclient", context.settings)
    assert kind(anybody.get("/me", headers=bearer("lwk_00_x"))) == LOCKED
    assert anybody.get("/me", headers=bearer(key)).status_code == 200


def test_guessing_the_password_of_an_open_session_is_slow_and_its_own_matter(stranger, context):
    own = bearer(log_in(stranger).json()["access_token"])
    for path, body in (
        ("/me/password", {"old": "wrong", "new": OTHER}),
        ("/me/authenticate", {"password": "wrong"}),
    ):
        answers = [kind(stranger.post(path, json=body, headers=own)) for _ in range(12)]
        assert LOCKED in answers
    assert log_in(stranger).status_code == 200, "the door is not held up by it"
    other = bearer(known_token(context))
    answer = stranger.post("/me/authenticate", json={"password": PASSWORD}, headers=other)
    assert answer.status_code == 204, "nor an open session by the door"


def known_token(context):
    with context.store.beside() as connection:
        login_throttle.reset_name(connection, "aigul")
    token = log_in(client_of(context)).json()["access_token"]
    stranger = client_of(context)
    hold(context, stranger)
    return token


def test_names_are_counted_without_being_kept(stranger, context):
    log_in(stranger, "oops i typed my password", "here")
    assert "oops" not in str(rows(context, tables.guesses))


def test_old_counts_make_room_for_new_ones(stranger, context):
    guess(stranger, "nobody", tries=1)
    turn(context, tables.guesses, last_on=utc_now() - timedelta(days=2))
    guess(stranger, "somebody", tries=1)
    assert len(rows(context, tables.guesses)) == 3


@pytest.mark.parametrize("engine_name", ["postgresql"])
def test_two_who_forget_old_guesses_do_not_wait_for_each_other(context):
    settings = SiteSettings()
    names = {"bota": "198.51.100.1", "marat": "198.51.100.2"}
    with context.store.beside() as connection:
        for name, address in names.items():
            login_throttle.try_password(connection, name, address, settings)
    turn(context, tables.guesses, last_on=utc_now() - timedelta(days=2), locked_until=None)
    both = threading.Barrier(2)
    forgotten = []

    def hold_and_forget(name):
        with context.store.beside() as connection:
            login_throttle.try_password(connection, name, names[name], settings)
            both.wait(30)
            forgotten.append(login_throttle.delete_old_counts(connection))

    threads = [threading.Thread(target=hold_and_forget, args=[name]) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert forgotten == [0, 0]
    assert len(rows(context, tables.guesses)) == 6
