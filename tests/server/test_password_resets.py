"""A forgotten password: a link by mail, good once, that tells nobody who has an account."""

from __future__ import annotations

import re
import time
from datetime import timedelta

import pytest

from likewise.errors import BadSettings
from likewise.server.config import Config
from likewise.server.context import utc_now
from likewise.server.mail import sender
from likewise.server.mail.addresses import is_address
from likewise.server.mail.background import background_of
from likewise.server.mail.sender import MailSender, send_due
from likewise.server.people.users import add_person
from likewise.server.workers.announcements import PREPARATIONS

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
from .smtp_listener import SmtpListener, plain_of

PUBLIC = "https://likewise.example.kz/campus"


@pytest.fixture
def listener():
    with SmtpListener() as found:
        yield found


@pytest.fixture
def mailing(place, context, listener, monkeypatch):
    """The server of this test, that sends mail; with aigul, who reads Kazakh."""
    monkeypatch.setattr(sender, "LOOK_EVERY_SECONDS", 0.05)
    add_person(context, "aigul", PASSWORD, email="aigul@example.kz", language="kk")
    with another_server(
        place,
        public_url=PUBLIC,
        mail_host="127.0.0.1",
        mail_port=listener.port,
        mail_from="likewise@example.kz",
        mail_tls="none",
        mail_user="likewise",
        mail_password="the secret of the post",
    ) as found:
        sending = MailSender(found, PREPARATIONS).start()
        yield found
        sending.stop()


@pytest.fixture
def visitor(mailing):
    return client_of(mailing)


def ask(client, name="aigul", **more):
    return client.post("/password-resets", json={"name": name, **more})


def use(client, token, password=OTHER):
    return client.post("/password-resets/use", json={"token": token, "password": password})


def token_in(letter):
    found = re.search(rf"{PUBLIC}/new-password#(\S+)", plain_of(letter))
    assert found, plain_of(letter)
    return found[1]


def log_in(client, password=PASSWORD):
    answer = client.post("/token", json={"name": "aigul", "password": password})
    client.cookies.clear()
    return answer


def finish(context):
    """Until nothing is left to look for, and nothing to be sent now."""
    background_of(context).finish()
    send_due(context, PREPARATIONS)
    end = time.monotonic() + 30
    while any(one.sent_on is one.failed_on is None for one in rows(context, tables.mail_queue)):
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_link_sets_a_new_password_and_ends_every_log_in(
    visitor, mailing, listener, administrator
):
    before = log_in(visitor).json()
    assert ask(visitor).status_code == 202
    ((to, letter),) = listener.wait_for(1)
    assert to == "aigul@example.kz" and letter["From"] == "likewise@example.kz"
    assert letter["Subject"] == "Likewise үшін жаңа құпиясөз", "in the language of the person"
    assert letter["Auto-Submitted"] == "auto-generated"
    assert use(visitor, token_in(letter)).status_code == 204
    assert visitor.get("/me", headers=bearer(before["access_token"])).status_code == 401
    assert log_in(visitor).status_code == 401
    opened = log_in(visitor, OTHER)
    assert opened.status_code == 200
    me = visitor.get("/me", headers=bearer(opened.json()["access_token"])).json()
    assert not me["must_change"]
    assert [one["act"] for one in me["notices"]] == ["password reset by mail"]
    (noted,) = acts_of(administrator, "password reset by mail")
    assert noted["user_name"] == noted["target"] == "aigul" and noted["address"] == "testclient"
    (asked,) = acts_of(administrator, "password link asked for")
    assert asked["target"] == "aigul" and asked["user_name"] is None
    _, (_, told) = listener.wait_for(2)
    assert told["Subject"] == "Likewise құпиясөзіңіз өзгертілді"


def test_a_link_is_good_once_and_all_others_end_with_it(visitor, listener):
    for _ in range(2):
        ask(visitor)
    (_, first), (_, second) = listener.wait_for(2)
    assert use(visitor, token_in(second)).status_code == 204
    for letter in (first, second):
        answer = use(visitor, token_in(letter), "another password entirely")
        assert (answer.status_code, answer.json()["kind"]) == (422, "bad request")
        assert answer.json()["message"] == "this link is not good any more; ask for another"
    assert log_in(visitor, OTHER).status_code == 200


def test_a_link_ends_after_half_an_hour(visitor, mailing, listener):
    ask(visitor)
    ((_, letter),) = listener.wait_for(1)
    (row,) = rows(mailing, tables.password_resets)
    assert row.ends_on - row.made_on == timedelta(minutes=30)
    turn(mailing, tables.password_resets, ends_on=utc_now() - timedelta(seconds=1))
    assert use(visitor, token_in(letter)).status_code == 422


def test_a_weak_password_is_refused_and_the_link_stays_good(visitor, listener):
    ask(visitor)
    ((_, letter),) = listener.wait_for(1)
    assert use(visitor, token_in(letter), "aigul12345").status_code == 422
    assert use(visitor, token_in(letter)).status_code == 204


def test_only_a_hash_of_the_link_is_kept(visitor, mailing, listener):
    ask(visitor)
    ((_, letter),) = listener.wait_for(1)
    assert token_in(letter) not in str(rows(mailing, tables.password_resets))
    assert token_in(letter) not in str(rows(mailing, tables.audit))


def test_nobody_learns_who_has_an_account(visitor, mailing, listener, context):
    add_person(context, "bolat", PASSWORD)  # without an address
    add_person(context, "dana", PASSWORD, email="dana@example.kz")
    turn(context, tables.users, is_active=True)
    with context.store.beside() as connection:
        gone = tables.users.update().where(tables.users.c.name == "dana")
        connection.execute(gone.values(is_active=False))
    names = ("aigul", "bolat", "dana", "nobody", "no@body.kz", "AIGUL@example.kz")
    answers = [ask(visitor, name) for name in names]
    assert {(one.status_code, one.text) for one in answers} == {(202, answers[0].text)}
    assert {tuple(sorted(set(one.headers) - {"x"})) for one in answers} == {
        tuple(sorted(answers[0].headers))
    }
    finish(mailing)
    assert sorted(to for to, _ in listener.letters) == ["aigul@example.kz"] * 2


def test_the_request_itself_does_no_work_that_depends_on_the_person(visitor, mailing, context):
    """The same rows are touched whoever is asked for; the rest is the sender's, later."""
    statements = []
    from sqlalchemy import event

    def seen(_connection, _cursor, statement, *_more):
        import threading

        if threading.current_thread().name not in ("mail", "mail sender"):
            statements.append(statement)

    event.listen(mailing.store._engine, "before_cursor_execute", seen)
    ask(visitor, "warm")
    counts = []
    for name in ("aigul", "nobody"):
        statements.clear()
        assert ask(visitor, name).status_code == 202
        counts.append(list(statements))
    assert counts[0] == counts[1]


def test_asking_without_end_is_refused(visitor, mailing, listener):
    for _ in range(3):
        assert ask(visitor).status_code == 202
    answer = ask(visitor)
    assert (answer.status_code, answer.json()["kind"]) == (429, "locked out")
    assert int(answer.headers["retry-after"]) <= 3600
    ask(visitor, "aigul@example.kz")
    finish(mailing)
    assert len(listener.letters) == 3, "nor by the address in place of the name"
    for number in range(30):
        answer = ask(visitor, f"name{number}")
    assert answer.status_code == 429, "nor one name after the other"


def test_tokens_cannot_be_guessed_without_end(visitor):
    answers = [use(visitor, f"guess{i}").status_code for i in range(60)]
    assert answers[0] == 422 and answers[-1] == 429


def test_the_host_that_a_request_names_is_in_no_link(visitor, listener):
    answer = visitor.post("/password-resets", json={"name": "aigul"}, headers={"Host": "evil.kz"})
    assert answer.status_code == 202
    ((_, letter),) = listener.wait_for(1)
    assert "evil" not in plain_of(letter) and token_in(letter)


def test_another_site_cannot_ask_for_it(visitor):
    for headers in ({"Origin": "https://evil.kz"}, {"Sec-Fetch-Site": "cross-site"}):
        answer = visitor.post("/password-resets", json={"name": "aigul"}, headers=headers)
        assert answer.status_code == 403


def test_the_mail_server_is_logged_in_to_and_its_password_never_shown(mailing, visitor, listener):
    ask(visitor)
    listener.wait_for(1)
    assert listener.logged_in == [("likewise", "the secret of the post")]
    assert "the secret of the post" not in repr(mailing.config)


def test_a_letter_that_is_refused_stops_nobody(place, context, capfd):
    add_person(context, "aigul", PASSWORD, email="aigul@example.kz")
    config = {"public_url": PUBLIC, "mail_from": "likewise@example.kz", "mail_tls": "none"}
    with (
        SmtpListener(refuse="550 nobody here") as listener,
        another_server(place, mail_host="127.0.0.1", mail_port=listener.port, **config) as found,
    ):
        assert ask(client_of(found)).status_code == 202
        finish(found)
        assert listener.letters == []
        listener.refuse = ""
        assert ask(client_of(found)).status_code == 202
        finish(found)
        assert len(listener.letters) == 1


def test_without_mail_nothing_is_offered(anybody, context):
    assert anybody.get("/password-resets").json() == {"is_possible": False}
    assert ask(anybody).json()["kind"] == "not allowed"
    assert use(anybody, "x").json()["kind"] == "not allowed"


def test_with_mail_it_is_offered_to_whoever_is_not_logged_in(visitor):
    assert visitor.get("/password-resets").json() == {"is_possible": True}


def test_who_has_a_password_reset_by_an_administrator_is_told(mailing, listener, visitor, log_in):
    log_in("dean", "administrator")
    dean = client_of(mailing)
    opened = dean.post("/token", json={"name": "dean", "password": PASSWORD}).json()
    dean.headers.update(bearer(opened["access_token"]))
    (aigul,) = dean.get("/users", params={"search": "aigul"}).json()["items"]
    password = dean.post(f"/users/{aigul['id']}/password").json()["password"]
    ((to, letter),) = listener.wait_for(1)
    assert to == "aigul@example.kz" and "dean" in plain_of(letter)
    body = {"name": "aigul", "password": password}
    own = bearer(visitor.post("/token", json=body).json()["access_token"])
    (notice,) = visitor.get("/me", headers=own).json()["notices"]
    assert (notice["act"], notice["by"], notice["is_new"]) == ("password reset", "dean", True)
    assert visitor.post("/me/notices/seen", headers=own).status_code == 204
    assert visitor.get("/me", headers=own).json()["notices"] == []


def test_an_old_address_is_told_when_mail_goes_elsewhere(visitor, listener):
    own = bearer(log_in(visitor).json()["access_token"])
    answer = visitor.patch("/me", json={"email": "Other@Example.KZ"}, headers=own)
    assert answer.json()["email"] == "other@example.kz"
    ((to, letter),) = listener.wait_for(1)
    assert (
        to == "aigul@example.kz" and letter["Subject"] == "Likewise пошта мекенжайыңыз өзгертілді"
    )


@pytest.mark.parametrize(
    "address", ["aigul", "a@b@c.kz", "a b@c.kz", "a@b.kz\nBcc: c@d.kz", "<a@b.kz>", "@b.kz", "a@"]
)
@pytest.mark.parametrize("engine_name", ["sqlite"])
def test_what_is_no_address_is_refused(teacher, address):
    assert not is_address(address)
    assert teacher.patch("/me", json={"email": address}).status_code == 422


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"public_url": PUBLIC},
        {"public_url": PUBLIC, "mail_from": "likewise"},
        {"public_url": PUBLIC, "mail_from": "a@b.kz", "mail_tls": "perhaps"},
        {"public_url": PUBLIC, "mail_from": "a@b.kz", "mail_tls": "none", "mail_user": "me"},
    ],
)
def test_half_a_configuration_of_mail_is_refused(given):
    with pytest.raises(BadSettings):
        Config(mail_host="mail.example.kz", **given)
