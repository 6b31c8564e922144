"""What others did with somebody's account and texts, for that person to see."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Connection, and_, func, or_, select

from likewise.library.key_values import read_value, write_value
from likewise.server.caller import Caller
from likewise.server.context import set_value, this_moment
from likewise.server.database import tables

audit = tables.audit

LOOKED_BACK = timedelta(days=90)  # as long as the audit log is kept at least
TAKEN_OVER = ("password reset", "password reset by mail", "person changed", "sessions ended")
READS = (
    *("document of another read", "original of another read"),
    *("check of another read", "batch of another read"),
)
_SEEN = "server.notices seen:"


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
    only_new: bool = False,
    with_reads: bool = True,
    limit: int = 50,
    offset: int = 0,
) -> tuple[list[Notice], int]:
    """What others did, the newest first, and how much it is."""
    column, seen = audit.c, _seen_on(connection, caller.id)
    since = this_moment() - LOOKED_BACK
    is_about = and_(column.act.in_(TAKEN_OVER), column.target == caller.name)
    if with_reads:
        is_about = or_(is_about, and_(column.act.in_(READS), _is_of(caller.name)))
    is_others = or_(
        column.user_id.is_(None),
        column.user_id != caller.id,
        column.act == "password reset by mail",  # whoever held the link
    )
    wanted = [is_about, is_others, column.on > (max(since, seen) if only_new and seen else since)]
    total = connection.execute(select(func.count()).select_from(audit).where(*wanted)).scalar_one()
    rows = connection.execute(
        select(column.id, column.on, column.user_name, column.act, column.target, column.detail)
        .where(*wanted)
        .order_by(column.on.desc(), column.id)
        .limit(limit)
        .offset(offset)
    )
    found = [
        Notice(
            id=row.id,
            on=row.on,
            by=row.user_name,
            act=row.act,
            target=row.target,
            changed=tuple(json.loads(row.detail)) if row.act == "person changed" else (),
            is_new=seen is None or row.on > seen,
        )
        for row in rows
    ]
    return found, total


def mark_seen(connection: Connection, caller: Caller) -> None:
    """The person has read them."""
    set_value(connection, _SEEN + caller.id, this_moment().isoformat())


def forget_notices(connection: Connection, user: str) -> None:
    """Of a person who is gone."""
    write_value(connection, _SEEN + user, None)


def _seen_on(connection: Connection, user: str) -> datetime | None:
    kept = read_value(connection, _SEEN + user)
    return None if kept is None else datetime.fromisoformat(kept)


def _is_of(name: str) -> ColumnElement[bool]:
    """Lines whose detail names an owner; quotes in texts are escaped, so none looks like it."""
    return audit.c.detail.contains(
        f'"owner": {json.dumps(name, ensure_ascii=False)}', autoescape=True
    )
