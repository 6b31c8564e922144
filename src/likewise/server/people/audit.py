"""What was done, by whom and from where; written in the transaction that does it.

What others did with somebody's account and texts is a notice to that person.
"""

from __future__ import annotations

import csv
import hashlib
import json
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from io import StringIO
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, or_, select

from likewise.library.registry import read_value, write_value
from likewise.library.store import Store
from likewise.report.csv import guarded
from likewise.server.caller import Caller
from likewise.server.context import set_value, utc_now
from likewise.server.database import tables
from likewise.server.shapes import clean_line, contains_text

entries = tables.audit


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One line of the log."""

    id: str
    on: datetime
    user_id: str | None
    user_name: str | None
    act: str
    target: str | None
    address: str | None
    detail: Mapping[str, Any]


def record_act(
    connection: Connection,
    caller: Caller | None,
    act: str,
    target: str | None = None,
    **detail: Any,
) -> None:
    """Write down what a caller does; without a caller it is the machine's own operator."""
    if caller is None:
        record_act_of(connection, None, None, None, act, target, **detail)
        return
    if caller.key is not None:
        detail = {"key": caller.key} | detail
    record_act_of(connection, caller.id, caller.name, caller.address, act, target, **detail)


def record_act_of(
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
    connection.execute(insert(entries).values(id=secrets.token_hex(12), **row))


def record_reading(store: Store, caller: Caller, act: str, target: str, owner: str) -> None:
    """Write down that somebody reads what is another's: one line an hour for each thing.

    The line is named by who, what and which hour, so that of many at once one is written.
    """
    if caller.name == owner:
        return
    identity = "|".join((caller.id, act, target, utc_now().strftime("%Y-%m-%dT%H")))
    id = hashlib.sha256(identity.encode()).hexdigest()[:24]
    with store.reading() as connection:
        if connection.execute(select(entries.c.id).where(entries.c.id == id)).first() is not None:
            return
    with store.beside() as connection:
        if connection.dialect.name == "postgresql":
            from sqlalchemy.dialects.postgresql import insert as insert_or
        else:
            from sqlalchemy.dialects.sqlite import insert as insert_or  # type: ignore[assignment]
        detail = {"owner": owner} | ({} if caller.key is None else {"key": caller.key})
        row = _row(caller.id, caller.name, caller.address, act, target, detail)
        new = insert_or(entries).values(id=id, **row)
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
        "on": utc_now(),
        "user_id": user_id,
        "user_name": user_name,
        "act": clean_line(act, 100),
        "target": None if target is None else clean_line(target, 500),
        "address": address,
        "detail": json.dumps(detail, ensure_ascii=False, default=str).replace("\\u0000", ""),
    }


def list_entries(
    connection: Connection,
    *,
    person: str | None = None,
    act: str | None = None,
    start: datetime | None = None,
    end: datetime | None = None,
    search: str | None = None,
    limit: int = 50,
    offset: int = 0,
) -> tuple[list[AuditEntry], int]:
    """What was done, the newest first, and how much there is in all."""
    column = entries.c
    conditions: list[ColumnElement[bool]] = []
    if person:
        conditions.append(or_(column.user_id == person, column.user_name == person))
    if act:
        conditions.append(column.act == act)
    if start:
        conditions.append(column.on >= start)
    if end:
        conditions.append(column.on < end)
    if search:
        searched = (column.user_name, column.act, column.target, column.address, column.detail)
        conditions.append(or_(*(contains_text(one, search) for one in searched)))
    total = connection.execute(
        select(func.count()).select_from(entries).where(*conditions)
    ).scalar_one()
    rows = connection.execute(
        select(*(column[name] for name in AuditEntry.__slots__))
        .where(*conditions)
        .order_by(column.on.desc(), column.id)
        .limit(limit)
        .offset(offset)
    ).mappings()
    matches = [AuditEntry(**{**row, "detail": json.loads(row["detail"])}) for row in rows]
    return matches, total


def entries_as_csv(some: Iterable[AuditEntry]) -> str:
    """A table for spreadsheets, in which nothing is run as a formula."""
    buffer = StringIO()
    writer = csv.writer(buffer)
    writer.writerow(["on", "person", "act", "target", "address", "detail"])
    for one in some:
        detail = "; ".join(f"{name}: {_plain(value)}" for name, value in one.detail.items())
        cells = (one.user_name, one.act, one.target, one.address, detail)
        on = one.on.isoformat(timespec="seconds") + "Z"
        writer.writerow([on, *(guarded(cell or "") for cell in cells)])
    return buffer.getvalue()


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def list_act_names(connection: Connection) -> list[str]:
    """Every kind of act that was ever noted."""
    return list(
        connection.execute(select(entries.c.act).distinct().order_by(entries.c.act)).scalars()
    )


def delete_before(connection: Connection, time: datetime) -> int:
    """Drop what is older than the site keeps; how much it was."""
    return connection.execute(delete(entries).where(entries.c.on < time)).rowcount


LOOKED_BACK = timedelta(days=90)  # as long as the audit log is kept at least
ACCOUNT_ACTS = (
    *("password reset", "password reset by mail", "person changed", "sessions ended"),
    "second factor taken away",
)
READ_ACTS = (
    *("document of another read", "original of another read"),
    *("check of another read", "batch of another read"),
)
_READ_UNTIL = "server.notices seen:"


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
    column, read_until = entries.c, _read_until(connection, caller.id)
    since = utc_now() - LOOKED_BACK
    is_about = and_(column.act.in_(ACCOUNT_ACTS), column.target == caller.name)
    if with_reads:
        is_about = or_(is_about, and_(column.act.in_(READ_ACTS), _is_of(caller.name)))
    is_others = or_(
        column.user_id.is_(None),
        column.user_id != caller.id,
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
        select(column.id, column.on, column.user_name, column.act, column.target, column.detail)
        .where(*conditions)
        .order_by(column.on.desc(), column.id)
        .limit(limit)
        .offset(offset)
    )
    notices = [
        Notice(
            id=row.id,
            on=row.on,
            by=row.user_name,
            act=row.act,
            target=row.target,
            changed=tuple(json.loads(row.detail)) if row.act == "person changed" else (),
            is_new=read_until is None or row.on > read_until,
        )
        for row in rows
    ]
    return notices, total


def mark_notices_read(connection: Connection, caller: Caller) -> None:
    """The person has read them."""
    set_value(connection, _READ_UNTIL + caller.id, utc_now().isoformat())


def delete_notices_mark(connection: Connection, user: str) -> None:
    """Of a person who is gone."""
    write_value(connection, _READ_UNTIL + user, None)


def _read_until(connection: Connection, user: str) -> datetime | None:
    stored = read_value(connection, _READ_UNTIL + user)
    return None if stored is None else datetime.fromisoformat(stored)


def _is_of(name: str) -> ColumnElement[bool]:
    """Lines whose detail names an owner; quotes in texts are escaped, so none looks like it."""
    return entries.c.detail.contains(
        f'"owner": {json.dumps(name, ensure_ascii=False)}', autoescape=True
    )
