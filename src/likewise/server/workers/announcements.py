"""What people are told by mail of jobs: their own that have ended, and administrators of failures.

Looked for once a minute, whatever process ended the job. Many that end together are told in one
letter, and nobody gets another within the hour: a letter counts what has ended since the last one.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, and_, func, or_, select, update

from likewise.library import schema
from likewise.library.registry import read_value, write_value
from likewise.server.context import ServerContext
from likewise.server.database import tables
from likewise.server.jobs.queue import database_now, jobs
from likewise.server.links.mail import prepare_link, tell_of_endings
from likewise.server.mail.kinds import LONG_MINUTES, MailKind, choice_of
from likewise.server.mail.queue import Mail, enqueue_mail, has_waiting, last_sent
from likewise.server.mail.sender import Chore, Preparations
from likewise.server.people.password_resets import prepare_invitation, prepare_reset
from likewise.server.privacy.announcements import tell_of_deletions

users = tables.users

_LOOKED = "server: jobs looked at for mail"
_OVERLAP = timedelta(minutes=5)  # what ended a moment ago may have been written only now
_LOOKED_BACK = timedelta(days=1)
GAP = timedelta(hours=1)  # between two letters of a kind to one person
_TOGETHER = timedelta(minutes=1)  # for what ends together
_ENDED = ("done", "failed")


def tell_of_jobs(context: ServerContext) -> None:
    """Ask for letters about what has ended since this was done last, by whatever server."""
    with context.store.beside() as connection:
        now = database_now(connection)
        stored = read_value(connection, _LOOKED)
        if stored is None:  # mail was set up a moment ago: nobody waits for news of before
            write_value(connection, _LOOKED, now.isoformat())
            return
        column = schema.key_values.c
        mine = update(schema.key_values).where(column.key == _LOOKED, column.value == stored)
        if connection.execute(mine.values(value=now.isoformat())).rowcount != 1:
            return  # another server was quicker
        last = datetime.fromisoformat(stored)
        since = max(min(last, now) - _OVERLAP, now - _LOOKED_BACK)
        for person in _askers(connection, since):
            _ask_once(connection, "finished", person, since, now)
        for person in _administrators_to_tell(connection, since):
            _ask_once(connection, "failed jobs", person, since, now)


def _askers(connection: Connection, since: datetime) -> list[Any]:
    """People with an address some of whose checks or classes have ended."""
    ended = [
        select(table.c.user_id)
        .select_from(table.join(jobs, jobs.c.id == table.c.job_id))
        .where(jobs.c.state.in_(_ENDED), jobs.c.ended_on > since)
        for table in (tables.checks, tables.batches)
    ]
    is_asker = or_(*(users.c.id.in_(each) for each in ended))
    return _people(connection, is_asker)


def _administrators_to_tell(connection: Connection, since: datetime) -> list[Any]:
    failed = select(jobs.c.id).where(jobs.c.state == "failed", jobs.c.ended_on > since)
    if connection.execute(failed.limit(1)).first() is None:
        return []
    people = _people(connection, users.c.role == "administrator")
    return [person for person in people if choice_of(person.mail_kinds).failed_jobs]


def _people(connection: Connection, condition: ColumnElement[bool]) -> list[Any]:
    column = users.c
    query = select(column.id, column.email, column.language, column.mail_kinds)
    is_told = (column.is_active, column.email.is_not(None), condition)
    return list(connection.execute(query.where(*is_told).order_by(column.id)))


def _ask_once(
    connection: Connection, kind: MailKind, person: Any, since: datetime, now: datetime
) -> None:
    """One letter that waits tells of everything; the next one an hour after the last."""
    if has_waiting(connection, kind, person.id):
        return
    last = last_sent(connection, kind, person.id)
    start = since if last is None else max(last, since)
    if not sum(_count(connection, kind, person, start)):
        return
    begin = now + _TOGETHER if last is None else max(now + _TOGETHER, last + GAP)
    enqueue_mail(
        connection,
        kind,
        person.email,
        user=person.id,
        language=person.language,
        key=f"{kind} {person.id} {start.isoformat()}",
        not_before=begin,
        since=start.isoformat(),
    )


def _count(connection: Connection, kind: MailKind, person: Any, since: datetime) -> tuple[int, int]:
    """How many are to be told of: that went well, that failed."""
    if kind == "failed jobs":
        failed = select(func.count()).select_from(jobs)
        count = failed.where(jobs.c.state == "failed", jobs.c.ended_on > since)
        return 0, int(connection.execute(count).scalar_one())
    done = failures = 0
    for table in (tables.checks, tables.batches):
        for row in _ended(connection, table, person, since):
            done, failures = done + (row.state == "done"), failures + (row.state == "failed")
    return done, failures


def _ended(connection: Connection, table: Table, person: Any, since: datetime) -> list[Any]:
    """Checks or classes of a person that have ended, as far as the person wants to know."""
    wanted = choice_of(person.mail_kinds).finished
    if wanted == "never":
        return []
    ended = and_(jobs.c.state.in_(_ENDED), jobs.c.ended_on > since)
    rows = connection.execute(
        select(table.c.id, jobs.c.state, jobs.c.made_on, jobs.c.ended_on)
        .select_from(table.join(jobs, jobs.c.id == table.c.job_id))
        .where(table.c.user_id == person.id, ended)
    )
    long = timedelta(minutes=LONG_MINUTES)
    return [row for row in rows if wanted == "always" or row.ended_on - row.made_on >= long]


def prepare_finished(
    context: ServerContext, connection: Connection, mail: Mail
) -> Mapping[str, Any] | None:
    """How many have ended by now, and the page of the only one, or of all."""
    people = _people(connection, users.c.id == mail.user_id)
    if not people:
        return None
    since = datetime.fromisoformat(mail.values["since"])
    rows = [
        (path, row)
        for path, table in (("/checks", tables.checks), ("/classes", tables.batches))
        for row in _ended(connection, table, people[0], since)
    ]
    if not rows:
        return None
    (path, row), failed = rows[0], sum(row.state == "failed" for _, row in rows)
    page = f"{path}/{row.id}" if len(rows) == 1 else path
    return {"n": len(rows), "failed": failed, "link": _page(context, page)}


def prepare_failed(
    context: ServerContext, connection: Connection, mail: Mail
) -> Mapping[str, Any] | None:
    """How many have failed by now."""
    people = _people(connection, users.c.id == mail.user_id)
    if not people:
        return None
    since = datetime.fromisoformat(mail.values["since"])
    _, failed = _count(connection, "failed jobs", people[0], since)
    if not failed:
        return None
    return {"n": failed, "link": _page(context, "/administration/jobs")}


def _page(context: ServerContext, path: str) -> str:
    return context.config.public_url.rstrip("/") + path


PREPARATIONS: Preparations = {
    "reset link": prepare_reset,
    "invitation": prepare_invitation,
    "report link": prepare_link,
    "finished": prepare_finished,
    "failed jobs": prepare_failed,
}
CHORES: tuple[Chore, ...] = (tell_of_jobs, tell_of_endings, tell_of_deletions)
