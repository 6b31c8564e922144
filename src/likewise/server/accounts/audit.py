"""What was done, by whom and from where; written in the transaction that does it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, insert, or_, select

from likewise.library import schema
from likewise.server.access import Caller
from likewise.server.accounts.lines import clean, containing
from likewise.server.site import this_moment

audit = schema.server.audit


@dataclass(frozen=True, slots=True)
class Noted:
    """One line of the log."""

    id: str
    on: datetime
    user_id: str | None
    user_name: str | None
    act: str
    target: str | None
    address: str | None
    detail: Mapping[str, Any]


def note(
    connection: Connection,
    caller: Caller | None,
    act: str,
    target: str | None = None,
    **detail: Any,
) -> None:
    """Write down what a caller does; without a caller it is the machine's own operator."""
    if caller is None:
        note_of(connection, None, None, None, act, target, **detail)
        return
    if caller.key is not None:
        detail = {"key": caller.key} | detail
    note_of(connection, caller.id, caller.name, caller.address, act, target, **detail)


def note_of(
    connection: Connection,
    user_id: str | None,
    user_name: str | None,
    address: str | None,
    act: str,
    target: str | None = None,
    **detail: Any,
) -> None:
    """The same for those who are no callers yet, such as whoever fails to log in."""
    connection.execute(
        insert(audit).values(
            id=secrets.token_hex(12),
            on=this_moment(),
            user_id=user_id,
            user_name=user_name,
            act=clean(act, 100),
            target=None if target is None else clean(target, 500),
            address=address,
            detail=json.dumps(detail, ensure_ascii=False, default=str).replace("\\u0000", ""),
        )
    )


def noted(
    connection: Connection,
    *,
    person: str | None = None,
    act: str | None = None,
    start: datetime | None = None,
    end: datetime | None = None,
    search: str | None = None,
    limit: int = 50,
    offset: int = 0,
) -> tuple[list[Noted], int]:
    """What was done, the newest first, and how much there is in all."""
    column = audit.c
    wanted: list[ColumnElement[bool]] = []
    if person:
        wanted.append(or_(column.user_id == person, column.user_name == person))
    if act:
        wanted.append(column.act == act)
    if start:
        wanted.append(column.on >= start)
    if end:
        wanted.append(column.on < end)
    if search:
        searched = (column.user_name, column.act, column.target, column.address, column.detail)
        wanted.append(or_(*(containing(one, search) for one in searched)))
    total = connection.execute(select(func.count()).select_from(audit).where(*wanted)).scalar_one()
    rows = connection.execute(
        select(audit)
        .where(*wanted)
        .order_by(column.on.desc(), column.id)
        .limit(limit)
        .offset(offset)
    ).mappings()
    found = [Noted(**{**row, "detail": json.loads(row["detail"])}) for row in rows]
    return found, total


def acts(connection: Connection) -> list[str]:
    """Every kind of act that was ever noted."""
    return list(connection.execute(select(audit.c.act).distinct().order_by(audit.c.act)).scalars())


def forget_before(connection: Connection, moment: datetime) -> int:
    """Drop what is older than the site keeps; how much it was."""
    return connection.execute(delete(audit).where(audit.c.on < moment)).rowcount
