"""Mail: waits in the database, goes once, is tried again where that may help, and says no text."""

from __future__ import annotations

import json
import re
import threading
from contextlib import ExitStack
from datetime import timedelta

import pytest

from likewise.catalogue import LANGUAGES
from likewise.server.context import utc_now
from likewise.server.database import tables
from likewise.server.links.mail import tell_of_endings
from likewise.server.mail import queue
from likewise.server.mail.queue import enqueue_mail, take_mail
from likewise.server.mail.sender import send_due
from likewise.server.mail.templates import TEMPLATES, compose_mail
from likewise.server.people.users import add_person
from likewise.server.problems import Problem
from likewise.server.workers.announcements import PREPARATIONS, tell_of_jobs
from tests.server.accounts import OTHER, PASSWORD, another_server, bearer, client_of, rows, turn
from tests.server.checking import checked, small_library
from tests.server.smtp_listener import SmtpListener, make_certificate, page_of, plain_of

PUBLIC = "https://likewise.example.kz/campus"
SAID = {"name": "aigul", "by": "dean"}
HOUR = timedelta(hours=1)


@pytest.fixture
def listener():
    with SmtpListener() as found:
        yield found


def mail_config(listener, **more):
    return {
        "public_url": PUBLIC,
        "mail_host": "127.0.0.1",
        "mail_port": listener.port,
        "mail_from": "likewise@example.kz",
        "mail_tls": "none",
    } | more


@pytest.fixture
def mailing(place, context, listener):
    add_person(context, "aigul", PASSWORD, email="aigul@example.kz", language="ru")
    add_person(context, "dean", PASSWORD, role="administrator", email="dean@example.kz")
    with another_server(place, **mail_config(listener)) as found:
        yield found


def person(context, name="aigul"):
    (row,) = [one for one in rows(context, tables.users) if one.name == name]
    return row


def entered(context, name):
    client = client_of(context)
    token = client.post("/token", json={"name": name, "password": PASSWORD}).json()["access_token"]
    client.headers.update(bearer(token))
    return client


def enqueue(context, to="aigul@example.kz", kind="password changed", **more):
    with context.store.beside() as connection:
        return enqueue_mail(connection, kind, to, **(SAID | more))


def send(context):
    return send_due(context, PREPARATIONS)


def queued(context):
    return rows(context, tables.mail_queue)


def later(context, **ago):
    """So much time has passed for what waits."""
    (*_,) = queued(context)
    turn(context, tables.mail_queue, not_before=utc_now() - timedelta(**ago))


# What a letter is


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", TEMPLATES)
def test_every_letter_is_said_in_every_language_as_text_and_as_a_page(kind, language):
    said = {
        "name": "a<b>",
        "by": "D&D",
        "n": 3,
        "failed": 1,
        "documents": 2,
        "submissions": 5,
        "day": "1 May",
        "link": "https://a.kz/?b&c",
    }
    letter = compose_mail(kind, language, said, public_url="https://a.kz", institution="<i>Uni")
    assert letter.language == language and not re.search(r"[{}]", letter.text + letter.subject)
    assert "<b>" not in letter.html and "<i>" not in letter.html and "D&D" not in letter.html
    assert not re.search(r"<(img|script|link|iframe)|src=|url\(", letter.html)
    assert re.findall(r'href="([^"]*)"', letter.html) == ["https://a.kz/?b&amp;c"]
    assert "https://a.kz/?b&c\n" in letter.text and "<i>Uni" in letter.text
    is_chosen = TEMPLATES[kind].is_chosen
    assert ("https://a.kz/profile" in letter.text) == is_chosen


def test_a_letter_goes_as_text_and_page_and_says_that_nobody_wrote_it(mailing, listener):
    enqueue(mailing, language="kk")
    assert send(mailing) == (1, True)
    ((to, letter),) = listener.letters
    assert (to, letter["From"]) == ("aigul@example.kz", "likewise@example.kz")
    assert letter.get_content_type() == "multipart/alternative"
    assert letter["Subject"] == "Likewise құпиясөзіңіз өзгертілді"
    assert (letter["Auto-Submitted"], letter["Content-Language"]) == ("auto-generated", "kk")
    assert "aigul" in plain_of(letter) and "aigul" in page_of(letter)
    (row,) = queued(mailing)
    assert letter["Message-ID"] == f"<{row.id}@example.kz>"
    assert row.sent_on and row.values == "{}", "what it said is not kept"
    assert send(mailing) == (0, True)


def test_no_name_and_no_address_adds_a_header(mailing, listener):
    evil = "dean\r\nBcc: evil@example.kz\r\n\r\nbody"
    enqueue(mailing, kind="password reset", by=evil, link="https://a.kz")
    send(mailing)
    ((_, letter),) = listener.letters
    assert letter["Bcc"] is None and listener.envelopes == [
        ("likewise@example.kz", ("aigul@example.kz",))
    ]
    assert "deanBcc: evil@example.kz" in plain_of(letter)
    for wrong in ("a@b.kz\nBcc: c@d.kz", "a@b.kz,c@d.kz", "<a@b.kz>", "a@b@c", "a", "a b@c.kz"):
        with pytest.raises(Problem):
            enqueue(mailing, to=wrong)
    letter = compose_mail("report link", "en", {"by": evil, "day": "", "link": ""}, public_url="")
    assert "\n" not in letter.subject and "\r" not in letter.text


# Sent once


def test_two_servers_never_send_the_same_letter_twice(place, mailing, listener):
    for number in range(20):
        enqueue(mailing, to=f"a{number}@example.kz")
    with ExitStack() as stack:
        servers = [
            stack.enter_context(another_server(place, **mail_config(listener))) for _ in range(3)
        ]
        threads = [threading.Thread(target=send, args=[server]) for server in servers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(to for to, _ in listener.letters) == sorted(
        f"a{number}@example.kz" for number in range(20)
    )


def test_what_a_process_took_that_ended_is_sent_by_another_after_a_while(mailing, listener):
    enqueue(mailing)
    assert take_mail(mailing.store) is not None
    assert send(mailing) == (0, True), "somebody holds it"
    later(mailing, seconds=1)
    assert send(mailing) == (1, True)
    assert queued(mailing)[0].attempts == 2


def test_nobody_is_told_twice_of_one_thing_and_nothing_before_its_time(mailing, listener):
    assert enqueue(mailing, key="one thing")
    assert not enqueue(mailing, key="one thing")
    assert enqueue(mailing, key="another", not_before=utc_now() + HOUR)
    assert send(mailing) == (1, True)
    later(mailing, seconds=1)
    assert send(mailing) == (1, True)
    assert not enqueue(mailing, key="one thing"), "nor after it was sent"


# Refused


@pytest.mark.parametrize("where", ["refuse", "refuse_letter"])
def test_what_is_refused_for_now_is_tried_again_after_longer_and_longer(mailing, listener, where):
    setattr(listener, where, "451 greylisted, try later")
    enqueue(mailing)
    waits = []
    for _ in range(len(queue.WAITS)):
        now = utc_now()
        assert send(mailing) == (0, True)
        (row,) = queued(mailing)
        assert row.failed_on is None and row.error.startswith("451")
        waits.append(round((row.not_before - now).total_seconds() / 60))
        later(mailing, seconds=1)
    assert waits == [1, 5, 15, 60, 180, 360, 720]
    send(mailing)
    (row,) = queued(mailing)
    assert row.failed_on is not None and row.attempts == len(queue.WAITS) + 1
    setattr(listener, where, "")
    dean = entered(mailing, "dean")
    assert dean.post(f"/mail/{row.id}/retry").json()["state"] == "waiting"
    assert send(mailing) == (1, True)


@pytest.mark.parametrize("where", ["refuse", "refuse_letter"])
def test_what_is_refused_for_good_has_failed_and_administrators_see_why(mailing, listener, where):
    setattr(listener, where, "550 no such mailbox")
    enqueue(mailing)
    enqueue(mailing, to="bolat@example.kz")
    assert send(mailing) == (0, True), "one refused letter does not keep the next"
    assert all(row.failed_on and row.attempts == 1 for row in queued(mailing))
    dean, aigul = entered(mailing, "dean"), entered(mailing, "aigul")
    listed = dean.get("/mail", params={"state": "failed"}).json()
    assert listed["total"] == 2
    told = next(one for one in listed["items"] if one["to"] == "aigul@example.kz")
    assert (told["kind"], told["error"]) == ("password changed", "550 no such mailbox")
    assert "values" not in told
    assert dean.get("/mail", params={"state": "sent"}).json()["total"] == 0
    assert aigul.get("/mail").status_code == 403
    assert aigul.post(f"/mail/{told['id']}/retry").status_code == 403
    setattr(listener, where, "")
    assert dean.post(f"/mail/{told['id']}/retry").status_code == 200
    assert send(mailing) == (1, True)
    assert dean.post(f"/mail/{told['id']}/retry").json()["code"] == "server.mail_sent"
    assert dean.post(f"/mail/{'0' * 24}/retry").status_code == 404


def test_a_mail_server_that_is_away_loses_no_letter(place, context, listener):
    with another_server(place, **mail_config(listener, mail_port=9)) as found:
        enqueue(found)
        enqueue(found, to="bolat@example.kz")
        assert send(found) == (0, False), "the second need not try"
        assert sorted(row.attempts for row in queued(found)) == [0, 1]
        assert all(row.failed_on is None for row in queued(found))
    later(context, seconds=1)
    with another_server(place, **mail_config(listener)) as found:
        assert send(found) == (2, True)


def test_a_wrong_password_at_the_mail_server_is_for_administrators_to_mend(place, context):
    with SmtpListener(wrong_password=True) as listener:
        own = mail_config(listener, mail_user="likewise", mail_password="wrong")
        with another_server(place, **own) as found:
            enqueue(found)
            assert send(found) == (0, False)
            (row,) = queued(found)
            assert row.failed_on is None and row.error.startswith("535")


# Encrypted


@pytest.mark.parametrize("tls", ["tls", "starttls"])
def test_letters_go_encrypted_to_a_server_that_is_trusted(
    place, context, tmp_path, monkeypatch, tls
):
    certificate = make_certificate(tmp_path)
    with SmtpListener(tls=tls, certificate=certificate) as listener:
        own = mail_config(listener, mail_tls=tls, mail_user="likewise", mail_password="secret")
        with another_server(place, **own) as found:
            enqueue(found)
            assert send(found) == (0, False), "nobody has said that it is to be trusted"
            assert listener.letters == [] and listener.logged_in == []
            assert "CERTIFICATE" in queued(found)[0].error.upper()
            monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
            later(found, seconds=1)
            assert send(found) == (1, True)
            assert listener.encrypted == [True] and listener.logged_in == [("likewise", "secret")]


def test_nothing_is_sent_in_the_clear_where_encryption_is_asked_for(place, context, listener):
    with another_server(place, **mail_config(listener, mail_tls="starttls")) as found:
        enqueue(found)
        assert send(found) == (0, False)
        assert listener.letters == [] and queued(found)[0].failed_on is None


# Invitations


def test_an_account_is_made_with_an_invitation_to_choose_a_password(mailing, listener):
    dean = entered(mailing, "dean")
    body = {"name": "bolat", "email": "Bolat@Example.KZ", "language": "kk", "invite": True}
    added = dean.post("/users", json=body)
    assert added.status_code == 201 and added.json()["password"] is None
    assert send(mailing) == (1, True)
    ((to, letter),) = listener.letters
    assert to == "bolat@example.kz" and letter["Subject"] == "Likewise жүйесіндегі тіркелгіңіз"
    assert "bolat" in plain_of(letter) and "dean" in plain_of(letter)
    token = re.search(rf"{PUBLIC}/new-password#(\S+)", plain_of(letter))[1]
    assert token not in str(queued(mailing)) + str(rows(mailing, tables.password_resets))
    (reset,) = rows(mailing, tables.password_resets)
    assert reset.ends_on - reset.made_on == timedelta(days=7)
    visitor = client_of(mailing)
    used = visitor.post("/password-resets/use", json={"token": token, "password": OTHER})
    assert used.status_code == 204
    opened = visitor.post("/token", json={"name": "bolat", "password": OTHER}).json()
    assert not visitor.get("/me", headers=bearer(opened["access_token"])).json()["must_change"]
    assert send(mailing) == (1, True), "that the password was changed"
    assert dean.post(f"/users/{added.json()['user']['id']}/invite").status_code == 204
    assert send(mailing) == (1, True)


def test_who_cannot_be_written_to_is_not_invited(mailing, context):
    dean = entered(mailing, "dean")
    for more, code in (
        ({}, "server.invite_address"),
        ({"email": "b@example.kz", "password": PASSWORD}, "server.invite_password"),
    ):
        answer = dean.post("/users", json={"name": "bolat", "invite": True} | more)
        assert (answer.status_code, answer.json()["code"]) == (422, code)
    without = entered(context, "dean")
    answer = without.post("/users", json={"name": "bolat", "invite": True, "email": "b@e.kz"})
    assert (answer.status_code, answer.json()["code"]) == (403, "server.no_mail")
    assert without.get("/users", params={"search": "bolat"}).json()["total"] == 0


# What people choose


def test_people_choose_what_they_are_told(mailing, context):
    aigul = entered(mailing, "aigul")
    told = aigul.get("/me/mail").json()
    assert told["is_possible"] and told["address"] == "aigul@example.kz"
    every = {"links": True, "decisions": True, "failed_jobs": True}
    assert told["choice"] == {"finished": "long"} | every
    choice = {"finished": "never", "links": False, "decisions": False, "failed_jobs": True}
    assert aigul.put("/me/mail", json={"choice": choice}).json()["choice"] == choice
    assert aigul.get("/me/mail").json()["choice"] == choice
    assert aigul.put("/me/mail", json={"choice": {"finished": "perhaps"}}).status_code == 422
    assert not entered(context, "aigul").get("/me/mail").json()["is_possible"]


def choose(context, name="aigul", **choice):
    with context.store.beside() as connection:
        own = tables.users.update().where(tables.users.c.name == name)
        connection.execute(own.values(mail_kinds=json.dumps(choice)))


# Checks and jobs


def end_jobs(context, state="done", minutes=0):
    """All jobs have ended just now, after so many minutes."""
    now = utc_now()
    began = now - timedelta(minutes=minutes)
    turn(context, tables.jobs, state=state, ended_on=now, made_on=began)


@pytest.mark.parametrize(
    ("wanted", "minutes", "letters"),
    [("long", 1, 0), ("long", 11, 1), ("always", 0, 1), ("never", 60, 0)],
)
def test_who_asked_for_a_check_is_told_that_it_is_finished(
    mailing, listener, context, work_off, wanted, minutes, letters
):
    small_library(context)
    choose(mailing, finished=wanted, failed_jobs=False)
    tell_of_jobs(mailing)
    id = checked(entered(mailing, "aigul"), work_off, name="Secret thesis of Aliya.txt")
    end_jobs(mailing, minutes=minutes)
    for _ in range(2):
        tell_of_jobs(mailing)
    later(mailing, seconds=1)
    assert send(mailing)[0] == letters
    if letters:
        ((to, letter),) = listener.letters
        assert to == "aigul@example.kz" and letter["Subject"] == "Ваша проверка завершена"
        assert f"{PUBLIC}/checks/{id}" in plain_of(letter)
        assert "Secret" not in plain_of(letter) + page_of(letter), "nor the name of a file"
        tell_of_jobs(mailing)
        assert len(queued(mailing)) == 1, "it is told once"


def test_many_that_end_together_are_told_in_one_letter(mailing, listener, context, work_off):
    small_library(context)
    choose(mailing, finished="always")
    tell_of_jobs(mailing)
    client = entered(mailing, "aigul")
    for number in range(3):
        checked(client, work_off, name=f"{number}.txt")
    tell_of_jobs(mailing)
    later(mailing, seconds=1)
    assert send(mailing) == (1, True)
    assert f"{PUBLIC}/checks\n" in plain_of(listener.letters[0][1])
    assert "3 " in plain_of(listener.letters[0][1])


def test_administrators_are_told_of_failed_jobs_once_an_hour_at_most(
    mailing, listener, context, work_off
):
    small_library(context)
    tell_of_jobs(mailing)
    client = entered(mailing, "aigul")
    choose(mailing, finished="never")
    checked(client, work_off)
    end_jobs(mailing, "failed")
    tell_of_jobs(mailing)
    later(mailing, seconds=1)
    assert send(mailing) == (1, True)
    ((to, letter),) = listener.letters
    assert to == "dean@example.kz" and letter["Subject"] == "A job failed"
    assert f"{PUBLIC}/administration/jobs" in plain_of(letter)
    checked(client, work_off, name="again.txt")
    end_jobs(mailing, "failed")
    tell_of_jobs(mailing)
    waiting = [row for row in queued(mailing) if row.sent_on is None]
    assert len(waiting) == 1
    assert waiting[0].not_before - listener_time(mailing) >= HOUR
    choose(mailing, "dean", failed_jobs=False)
    end_jobs(mailing, "failed")
    tell_of_jobs(mailing)
    assert len(queued(mailing)) == 2


def listener_time(context):
    return max(row.sent_on for row in queued(context) if row.sent_on)


def test_news_of_before_mail_was_set_up_is_told_to_nobody(mailing, context, work_off):
    small_library(context)
    choose(mailing, finished="always")
    checked(entered(mailing, "aigul"), work_off)
    tell_of_jobs(mailing)
    assert queued(mailing) == []


# Links


def make_link(client, id, **said):
    answer = client.post(f"/checks/{id}/links", json=said)
    assert answer.status_code == 201, answer.text
    return answer.json()


@pytest.fixture
def id(mailing, context, work_off):
    small_library(context)
    return checked(entered(mailing, "aigul"), work_off)


def test_a_link_is_sent_to_whom_it_is_for_and_told_to_nobody_else(mailing, listener, id):
    aigul, visitor = entered(mailing, "aigul"), client_of(mailing)
    assert aigul.get(f"/checks/{id}/links").json()["sends_mail"]
    answer = make_link(
        aigul, id, recipient="The commission", email="Dean@Other.KZ", send=True, is_commission=True
    )
    assert answer["token"] is None and answer["address"] == ""
    assert answer["link"]["email"] == "dean@other.kz"
    assert send(mailing) == (1, True)
    ((to, letter),) = listener.letters
    assert to == "dean@other.kz" and "thesis" not in plain_of(letter)
    token = re.search(rf"{PUBLIC}/shared#(\S+)", plain_of(letter))[1]
    assert token not in str(queued(mailing)) + str(rows(mailing, tables.report_links))
    told = visitor.get("/shared", headers={"Link-Token": token}).json()
    assert told["recipient"] == "The commission" and told["is_commission"]
    for more in ({}, {"email": "nowhere"}):
        refused = aigul.post(f"/checks/{id}/links", json={"recipient": "x", "send": True} | more)
        assert refused.status_code == 422


def test_a_colleague_gets_a_link_at_the_address_of_the_account(mailing, listener, id):
    aigul = entered(mailing, "aigul")
    make_link(aigul, id, colleague="dean", email="elsewhere@evil.kz", send=True)
    assert send(mailing) == (1, True)
    ((to, letter),) = listener.letters
    assert to == "dean@example.kz" and letter["Content-Language"] == "en"
    token = re.search(rf"{PUBLIC}/shared#(\S+)", plain_of(letter))[1]
    dean = entered(mailing, "dean")
    assert dean.get("/shared", headers={"Link-Token": token}).status_code == 200


def test_a_link_that_was_revoked_meanwhile_is_not_sent(mailing, listener, id):
    aigul = entered(mailing, "aigul")
    link = make_link(aigul, id, recipient="x", email="a@b.kz", send=True)["link"]["id"]
    aigul.post(f"/links/{link}/revoke")
    assert send(mailing) == (0, True)
    assert listener.letters == [] and queued(mailing) == []


def test_who_made_links_is_told_three_days_before_they_end(mailing, listener, id):
    aigul = entered(mailing, "aigul")
    soon = (utc_now() + timedelta(days=2)).isoformat() + "Z"
    links = [make_link(aigul, id, recipient="x")["link"]["id"] for _ in range(2)]
    make_link(aigul, id, recipient="for two days", ends_on=soon)
    assert tell_of_endings(mailing) == 0
    ends, began = utc_now() + timedelta(days=2), utc_now() - timedelta(days=27)
    with mailing.store.beside() as connection:
        column = tables.report_links.c
        of_two = tables.report_links.update().where(column.id.in_(links))
        connection.execute(of_two.values(ends_on=ends, made_on=began))
    assert tell_of_endings(mailing) == 1
    assert tell_of_endings(mailing) == 0, "once"
    assert send(mailing) == (1, True)
    ((to, letter),) = listener.letters
    assert to == "aigul@example.kz" and f"{PUBLIC}/checks/{id}" in plain_of(letter)
    assert person(mailing).language == letter["Content-Language"] == "ru"


def test_whose_report_a_commission_decides_about_is_told_that_it_did_and_never_what(
    mailing, listener, id
):
    aigul, commission = entered(mailing, "aigul"), client_of(mailing)
    token = make_link(aigul, id, recipient="The commission", is_commission=True)["token"]
    why = "Two pages are another's"

    def decide():
        said = {"decision": "revise", "comment": why}
        headers = {"Link-Token": token}
        assert commission.post("/shared/decisions", headers=headers, json=said).status_code == 201

    decide()
    assert why not in str(rows(mailing, tables.mail_queue))
    assert send(mailing) == (1, True)
    ((to, letter),) = listener.letters
    assert to == "aigul@example.kz" and letter["Content-Language"] == "ru"
    told = plain_of(letter)
    assert "The commission" in told and f"{PUBLIC}/checks/{id}" in told
    assert why not in letter.as_string() and "thesis" not in told
    choose(mailing, decisions=False)
    decide()
    assert send(mailing) == (0, True)


def test_letters_of_a_person_go_with_the_person_and_old_ones_are_forgotten(mailing):
    enqueue(mailing, user=person(mailing).id)
    enqueue(mailing, to="other@example.kz")
    send(mailing)
    with mailing.store.beside() as connection:
        connection.execute(tables.users.delete().where(tables.users.c.name == "aigul"))
    assert [row.to for row in queued(mailing)] == ["other@example.kz"]
    turn(mailing, tables.mail_queue, sent_on=utc_now() - timedelta(days=8))
    with mailing.store.beside() as connection:
        assert queue.delete_old_mail(connection) == 1
