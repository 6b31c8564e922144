"""Whoever loses something by retention is told by mail, two weeks before and once."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import update

from likewise.library import schema
from likewise.server.context import ServerContext, utc_now
from likewise.server.database import tables
from likewise.server.mail.sender import send_due
from likewise.server.people.users import add_person
from likewise.server.privacy.announcements import tell_of_deletions
from likewise.server.privacy.retention import apply_rules
from likewise.server.workers.announcements import CHORES, PREPARATIONS
from tests.server.accounts import PASSWORD, another_server, rows
from tests.server.campus_rows import Campus, put
from tests.server.smtp_listener import SmtpListener, page_of, plain_of

DAY = timedelta(days=1)
PUBLIC = "https://likewise.example.kz"


@pytest.fixture
def listener() -> Iterator[SmtpListener]:
    with SmtpListener() as opened:
        yield opened


@pytest.fixture
def mailing(place: str, context: ServerContext, listener: SmtpListener) -> Iterator[ServerContext]:
    add_person(context, "aigul", PASSWORD, email="aigul@example.kz", language="ru")
    add_person(context, "bolat", PASSWORD, email="bolat@example.kz", language="kk")
    add_person(context, "dean", PASSWORD, role="administrator", email="dean@example.kz")
    config: dict[str, Any] = {
        "public_url": PUBLIC,
        "mail_host": "127.0.0.1",
        "mail_port": listener.port,
        "mail_from": "likewise@example.kz",
        "mail_tls": "none",
    }
    with another_server(place, **config) as server:
        yield server


def overdue_assignment(context: ServerContext, keep_days: int = 30) -> Campus:
    """Of aigul and bolat; nothing of it may stand in a letter."""
    campus = Campus(
        context, "aigul", name="Secret course", keep_days=keep_days, due_on=utc_now() - 90 * DAY
    )
    row = {"course_id": campus.course, "user_id": campus.id_of("bolat"), "role": "teacher"}
    put(context, tables.course_members, **row)
    check = campus.check(name="A diploma on bridges.docx")
    campus.submission(None, check=check, student="Timur Kim")
    return campus


def test_teachers_are_told_once_two_weeks_before_what_was_handed_in_goes(
    mailing: ServerContext, listener: SmtpListener
) -> None:
    overdue_assignment(mailing)
    assert tell_of_deletions in CHORES
    assert tell_of_deletions(mailing) == 0, "not announced yet"
    assert apply_rules(mailing)["submissions"] == 0
    assert tell_of_deletions(mailing) == 2
    assert tell_of_deletions(mailing) == 0, "once"
    assert send_due(mailing, PREPARATIONS) == (2, True)
    letters = dict(listener.letters)
    assert set(letters) == {"aigul@example.kz", "bolat@example.kz"}
    for to, language in (("aigul@example.kz", "ru"), ("bolat@example.kz", "kk")):
        letter = letters[to]
        assert letter["Content-Language"] == language
        for part in (plain_of(letter), page_of(letter)):
            assert f"{PUBLIC}/retention" in part
            for secret in ("Secret", "diploma", "Timur", "essay", "First"):
                assert secret not in part
        assert "Secret" not in letter["Subject"]
    # What was sent goes after a while; nobody is told again because of it.
    with mailing.store.beside() as connection:
        connection.execute(tables.mail_queue.delete())
    apply_rules(mailing)
    assert tell_of_deletions(mailing) == 0


def test_a_rule_that_became_shorter_is_told_of_again_and_one_that_acts_late_waits(
    mailing: ServerContext,
) -> None:
    campus = overdue_assignment(mailing, keep_days=150)  # sixty days are left
    apply_rules(mailing)
    assert tell_of_deletions(mailing) == 0, "it is too early"
    _keep(mailing, campus, 100)  # ten days
    apply_rules(mailing)
    assert tell_of_deletions(mailing) == 2
    _keep(mailing, campus, 95)
    apply_rules(mailing)
    assert tell_of_deletions(mailing) == 2
    assert tell_of_deletions(mailing) == 0


def test_the_owner_of_a_collection_is_told_and_nobody_else(
    mailing: ServerContext, listener: SmtpListener
) -> None:
    with mailing.store.reading() as connection:
        query = tables.users.select().where(tables.users.c.name == "aigul")
        owner = connection.execute(query).one().id
    whose = {"owner_id": owner, "name": "Secret collection", "keep_days": 5}
    collection = put(mailing, tables.collections, **whose)
    mailing.library.add_texts({"hidden.txt": "The steppe is wide and the river is not."})
    with mailing.store.beside() as connection:
        moved = update(schema.documents)
        connection.execute(moved.values(collection=collection, added_on=utc_now() - 9 * DAY))
    apply_rules(mailing)
    assert tell_of_deletions(mailing) == 1
    assert send_due(mailing, PREPARATIONS) == (1, True)
    ((to, letter),) = listener.letters
    assert to == "aigul@example.kz"
    assert "Secret" not in plain_of(letter) and "hidden" not in plain_of(letter)
    assert "1 документ" in plain_of(letter)
    assert [row.user_id for row in rows(mailing, tables.mail_queue)] == [owner]


def _keep(context: ServerContext, campus: Campus, days: int) -> None:
    with context.store.beside() as connection:
        mine = tables.assignments.c.id == campus.assignment
        connection.execute(update(tables.assignments).where(mine).values(keep_days=days))
