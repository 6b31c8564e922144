"""What was done, by whom and from where; written in the transaction that does it."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, insert, or_, select

from likewise.library.store import Store
from likewise.server.caller import Caller
from likewise.server.context import this_moment
from likewise.server.database import tables
from likewise.server.fields import clean, containing

audit = tables.audit


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
    row = _row(user_id, user_name, address, act, target, detail)
    connection.execute(insert(audit).values(id=secrets.token_hex(12), **row))


def note_reading(store: Store, caller: Caller, act: str, target: str, owner: str) -> None:
    """Write down that somebody reads what is another's: one line an hour for each thing.

    The line is named by who, what and which hour, so that of many at once one is written.
    """
    if caller.name == owner:
        return
    said = "|".join((caller.id, act, target, this_moment().strftime("%Y-%m-%dT%H")))
    id = hashlib.sha256(said.encode()).hexdigest()[:24]
    with store.reading() as connection:
        if connection.execute(select(audit.c.id).where(audit.c.id == id)).first() is not None:
            return
    with store.beside() as connection:
        if connection.dialect.name == "postgresql":
            from sqlalchemy.dialects.postgresql import insert as insert_or
        else:
            from sqlalchemy.dialects.sqlite import insert as insert_or  # type: ignore[assignment]
        detail = {"owner": owner} | ({} if caller.key is None else {"key": caller.key})
        row = _row(caller.id, caller.name, caller.address, act, target, detail)
        new = insert_or(audit).values(id=id, **row)
        connection.execute(new.on_conflict_do_nothing(index_elements=["id"]))


def _row(
    user_id: str | None,
    user_name: str | None,
    address: str | None,
    act: str,
    target: str | None,
    detail: Mapping[str, Any],
) -> dict[str, Any]:
    return {
        "on": this_moment(),
        "user_id": user_id,
        "user_name": user_name,
        "act": clean(act, 100),
        "target": None if target is None else clean(target, 500),
        "address": address,
        "detail": json.dumps(detail, ensure_ascii=False, default=str).replace("\\u0000", ""),
    }


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
