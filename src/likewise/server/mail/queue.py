"""Mail that waits in the database, so that none is lost, and none is sent by two servers.

Whoever takes a letter holds it for some minutes, in which nobody else does; one that could not be
sent waits longer each time. Of what a letter says only values are kept, never a text of a document,
and after it was sent not even these. A key says what a letter is about: nobody is told twice.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, or_, select, update

from likewise.library.conflicts import insert_if_new
from likewise.library.store import Store
from likewise.server.context import utc_now
from likewise.server.database import tables
from likewise.server.mail.addresses import is_address
from likewise.server.mail.kinds import MailKind
from likewise.server.problems import Problem, not_found
from likewise.server.shapes import clean_line

mail = tables.mail_queue

HELD = timedelta(minutes=10)  # far longer than a mail server may take to answer
# Before the second attempt, the third, …; after the last one it has failed.
WAITS = tuple(timedelta(minutes=n) for n in (1, 5, 15, 60, 180, 360, 720))
SENT_KEPT, FAILED_KEPT = timedelta(days=7), timedelta(days=30)
MailState = Literal["waiting", "sent", "failed"]


@dataclass(frozen=True, slots=True)
class Mail:
    """A letter that was taken, to be sent now."""

    id: str
    user_id: str | None
    to: str
    kind: MailKind
    language: str | None
    values: Mapping[str, Any]
    made_on: datetime
    attempts: int  # this one among them
    taken_on: datetime


def enqueue_mail(
    connection: Connection,
    kind: MailKind,
    to: str,
    *,
    user: str | None = None,
    language: str | None = None,
    key: str | None = None,
    not_before: datetime | None = None,
    **values: Any,
) -> bool:
    """Have something said by mail; whether it is new. It goes with the person whom it is about."""
    if not is_address(to):
        raise Problem("bad request", "server.mail_address")
    now = utc_now()
    row = {
        "id": secrets.token_hex(12),
        "user_id": user,
        "to": to,
        "kind": kind,
        "language": language,
        "values": json.dumps(values, ensure_ascii=False),
        "key": key,
        "made_on": now,
        "not_before": not_before or now,
        "attempts": 0,
    }
    if key is None:
        connection.execute(insert(mail).values(row))
        return True
    return insert_if_new(connection, mail, row, key="key")


def take_mail(store: Store) -> Mail | None:
    """The letter that has waited longest; nobody else takes it for some minutes."""
    while True:
        now = utc_now()
        with store.reading() as connection:
            due = select(mail.c.id, mail.c.attempts).where(_waits(), mail.c.not_before <= now)
            row = connection.execute(due.order_by(mail.c.not_before, mail.c.id).limit(1)).first()
        if row is None:
            return None
        with store.beside() as connection:
            # Of two at once one finds it as it was: PostgreSQL looks again after waiting.
            as_it_was = (mail.c.id == row.id, mail.c.attempts == row.attempts, _waits())
            mine = update(mail).where(*as_it_was, mail.c.not_before <= now)
            held = mine.values(attempts=row.attempts + 1, not_before=now + HELD)
            if connection.execute(held).rowcount != 1:
                continue
            taken = connection.execute(select(mail).where(mail.c.id == row.id)).one()
        return Mail(
            id=taken.id,
            user_id=taken.user_id,
            to=taken.to,
            kind=taken.kind,
            language=taken.language,
            values=json.loads(taken.values),
            made_on=taken.made_on,
            attempts=taken.attempts,
            taken_on=now,
        )


def _waits() -> ColumnElement[bool]:
    return and_(mail.c.sent_on.is_(None), mail.c.failed_on.is_(None))


def _held(letter: Mail) -> ColumnElement[bool]:
    return and_(mail.c.id == letter.id, mail.c.attempts == letter.attempts, _waits())


def mark_sent(connection: Connection, letter: Mail) -> None:
    """It has gone; as of when it was written, so that later events are told by another."""
    sent = {"sent_on": letter.taken_on, "values": "{}", "error": None}
    connection.execute(update(mail).where(_held(letter)).values(**sent))


def mark_not_sent(connection: Connection, letter: Mail, error: str, *, is_final: bool) -> bool:
    """It waits for another attempt, or has failed; whether it has."""
    has_failed = is_final or letter.attempts > len(WAITS)
    now = utc_now()
    values: dict[str, Any] = {"error": clean_line(error, 300)}
    if has_failed:
        values["failed_on"] = now
    else:
        values["not_before"] = now + WAITS[letter.attempts - 1]
    connection.execute(update(mail).where(_held(letter)).values(**values))
    return has_failed


def drop_mail(connection: Connection, letter: Mail) -> None:
    """There is nothing to say any more."""
    connection.execute(delete(mail).where(_held(letter)))


def has_waiting(connection: Connection, kind: MailKind, user: str) -> bool:
    """Whether a person is going to be told of something anyway."""
    query = select(mail.c.id).where(_waits(), mail.c.kind == kind, mail.c.user_id == user)
    return connection.execute(query.limit(1)).first() is not None


def last_sent(connection: Connection, kind: MailKind, user: str) -> datetime | None:
    """When a person was told of such things last."""
    query = select(func.max(mail.c.sent_on)).where(mail.c.kind == kind, mail.c.user_id == user)
    return connection.execute(query).scalar()


def count_since(connection: Connection, kind: MailKind, user: str, since: datetime) -> int:
    """How many letters of a kind were asked for about a person."""
    query = select(func.count()).where(
        mail.c.kind == kind, mail.c.user_id == user, mail.c.made_on > since
    )
    return int(connection.execute(query).scalar_one())


# For administrators


@dataclass(frozen=True, slots=True)
class QueuedMail:
    """A letter as administrators see it: to whom and of which kind, not what it says."""

    id: str
    to: str
    kind: str
    made_on: datetime
    not_before: datetime
    attempts: int
    sent_on: datetime | None
    failed_on: datetime | None
    error: str | None

    @property
    def state(self) -> MailState:
        if self.sent_on is not None:
            return "sent"
        return "waiting" if self.failed_on is None else "failed"


def list_mail(
    connection: Connection, *, state: MailState | None, limit: int, offset: int
) -> tuple[list[QueuedMail], int]:
    """The newest first, and how much there is."""
    of_state: dict[MailState | None, list[ColumnElement[bool]]] = {
        None: [],
        "waiting": [_waits()],
        "sent": [mail.c.sent_on.is_not(None)],
        "failed": [mail.c.failed_on.is_not(None)],
    }
    conditions = of_state[state]
    count = select(func.count()).select_from(mail).where(*conditions)
    rows = connection.execute(
        select(*(mail.c[name] for name in QueuedMail.__slots__))
        .where(*conditions)
        .order_by(mail.c.made_on.desc(), mail.c.id)
        .limit(limit)
        .offset(offset)
    ).mappings()
    return [QueuedMail(**row) for row in rows], int(connection.execute(count).scalar_one())


def retry_mail(connection: Connection, id: str) -> QueuedMail:
    """Try again at once what has failed, or waits."""
    if connection.execute(select(mail.c.id).where(mail.c.id == id)).first() is None:
        raise not_found("server.noun_mail")
    again = update(mail).where(mail.c.id == id, mail.c.sent_on.is_(None))
    anew = again.values(failed_on=None, attempts=0, not_before=utc_now())
    if connection.execute(anew).rowcount != 1:
        raise Problem("conflict", "server.mail_sent")
    row = connection.execute(
        select(*(mail.c[name] for name in QueuedMail.__slots__)).where(mail.c.id == id)
    ).mappings()
    return QueuedMail(**row.one())


def delete_old_mail(connection: Connection) -> int:
    """Drop what was sent, or could not be, long ago; how much it was."""
    now = utc_now()
    is_old = or_(mail.c.sent_on < now - SENT_KEPT, mail.c.made_on < now - FAILED_KEPT)
    return connection.execute(delete(mail).where(is_old)).rowcount
