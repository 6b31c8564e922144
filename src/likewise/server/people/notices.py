"""What others did with somebody's account, and who read what is theirs: notices to that person.

They are lines of the audit log (`audit.py`), told to whom they are about.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import ColumnElement, Connection, and_, func, or_, select

from likewise.library.registry import read_value, write_value
from likewise.server.caller import Caller
from likewise.server.context import utc_now
from likewise.server.database import audit_people, tables
from likewise.server.database.erase_accounts import NOTICES_SEEN
from likewise.server.people.audit import entries, with_names

LOOKED_BACK = timedelta(days=90)  # as long as the audit log is kept at least
ACCOUNT_ACTS = (
    *("password reset", "password reset by mail", "person changed", "sessions ended"),
    *("second factor taken away", "personal data exported"),
)
READ_ACTS = (
    *("document of another read", "original of another read"),
    *("check of another read", "batch of another read", "report link opened"),
)
NoticeKind = Literal["account", "reading"]


@dataclass(frozen=True, slots=True)
class Notice:
    """One act of somebody else."""

    id: str
    on: datetime
    by: str | None
    act: str
    target: str | None
    changed: tuple[str, ...]
    is_new: bool


def list_notices(
    connection: Connection,
    caller: Caller,
    *,
    kind: NoticeKind | None = None,
    only_new: bool = False,
    limit: int = 50,
    offset: int = 0,
) -> tuple[list[Notice], int]:
    """What others did, the newest first, and how much it is."""
    column, read_until = entries.c, _read_until(connection, caller.id)
    since = utc_now() - LOOKED_BACK
    people = tables.audit_people.c
    query = select(people.number).where(people.user_id == caller.id)
    number = connection.execute(query).scalar()
    if number is None:
        return [], 0  # no line is about somebody without a number
    of_kinds: dict[NoticeKind, ColumnElement[bool]] = {
        "account": and_(
            column.act.in_(ACCOUNT_ACTS), column.target == audit_people.PERSON + number
        ),
        "reading": and_(column.act.in_(READ_ACTS), _is_of(number)),
    }
    is_about = or_(*of_kinds.values()) if kind is None else of_kinds[kind]
    is_others = or_(
        column.person.is_(None),
        column.person != number,
        column.act == "password reset by mail",  # whoever held the link
    )
    conditions = [
        is_about,
        is_others,
        column.on > (max(since, read_until) if only_new and read_until else since),
    ]
    total = connection.execute(
        select(func.count()).select_from(entries).where(*conditions)
    ).scalar_one()
    rows = connection.execute(
        select(entries)
        .where(*conditions)
        .order_by(column.on.desc(), column.id)
        .limit(limit)
        .offset(offset)
    ).all()
    notices = [
        Notice(
            id=line.id,
            on=line.on,
            by=line.user_name,
            act=line.act,
            target=line.target,
            changed=tuple(line.detail) if line.act == "person changed" else (),
            is_new=read_until is None or line.on > read_until,
        )
        for line in with_names(connection, rows)
    ]
    return notices, total


def mark_notices_read(connection: Connection, caller: Caller) -> None:
    """The person has read them."""
    write_value(connection, NOTICES_SEEN + caller.id, utc_now().isoformat())


def delete_notices_mark(connection: Connection, user: str) -> None:
    """Of a person who is gone."""
    write_value(connection, NOTICES_SEEN + user, None)


def _read_until(connection: Connection, user: str) -> datetime | None:
    stored = read_value(connection, NOTICES_SEEN + user)
    return None if stored is None else datetime.fromisoformat(stored)


def _is_of(number: str) -> ColumnElement[bool]:
    """Lines whose detail names an owner; quotes in texts are escaped, so none looks like it."""
    owner = f'"owner": "{audit_people.PERSON}{number}"'
    return entries.c.detail.contains(owner, autoescape=True)
