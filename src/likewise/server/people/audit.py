"""What was done, by whom and from where; written in the transaction that does it.

Lines name people and addresses by numbers (`database/audit_people.py`); names stand in what is
shown, as long as somebody has an account or a key to the number.

What others did with somebody's account and texts is a notice to that person (`notices.py`).
"""

from __future__ import annotations

import csv
import hashlib
import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from io import StringIO
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, delete, func, insert, or_, select

from likewise.library.conflicts import insert_if_new
from likewise.library.erasure import ERASED_PERSON
from likewise.library.store import Store
from likewise.report.csv import guarded
from likewise.server.caller import Caller
from likewise.server.context import utc_now
from likewise.server.database import audit_people, tables
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
    """The same for those who are no callers yet, such as whoever fails to log in.

    Names to log in by and mail addresses become numbers, in the target and the detail too; other
    names, and texts, are not for the log.
    """
    row = _row(connection, user_id, user_name, address, act, target, detail)
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
        whose = audit_people.PERSON + audit_people.number_of_name(connection, owner)
        detail = {"owner": whose} | ({} if caller.key is None else {"key": caller.key})
        row = _row(connection, caller.id, caller.name, caller.address, act, target, detail)
        insert_if_new(connection, entries, {"id": id, **row}, key="id")


def _row(
    connection: Connection,
    user_id: str | None,
    user_name: str | None,
    address: str | None,
    act: str,
    target: str | None,
    detail: Mapping[str, Any],
) -> dict[str, Any]:
    person = None
    if user_id is not None:
        person = audit_people.number_of_account(connection, user_id)
    elif user_name is not None:
        person = audit_people.number_of_name(connection, user_name)
    plain = json.loads(json.dumps(detail, default=str))
    target, plain = audit_people.without_names(connection, [target, plain])
    return {
        "on": utc_now(),
        "person": person,
        "act": clean_line(act, 100),
        "target": None if target is None else clean_line(target, 500),
        "address": audit_people.number_of_address(connection, person, address),
        "detail": json.dumps(plain, ensure_ascii=False).replace("\\u0000", ""),
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
        conditions.append(column.person.in_(audit_people.numbers_named(exactly=person)))
    if act:
        conditions.append(column.act == act)
    if start:
        conditions.append(column.on >= start)
    if end:
        conditions.append(column.on < end)
    if search:
        conditions.append(_contains(connection, search))
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
    return with_names(connection, rows), total


def list_entries_about(connection: Connection, user: str) -> list[AuditEntry]:
    """What an account did, and what was done with it, the newest first."""
    people, column = tables.audit_people.c, entries.c
    query = select(people.number).where(people.user_id == user)
    number = connection.execute(query).scalar()
    if number is None:
        return []
    query = select(entries).where(_is_about(number)).order_by(column.on.desc(), column.id)
    return with_names(connection, connection.execute(query).all())


def count_entries_about(connection: Connection, user: str) -> int:
    """How many lines these are."""
    people = tables.audit_people.c
    number = connection.execute(select(people.number).where(people.user_id == user)).scalar()
    if number is None:
        return 0
    query = select(func.count()).select_from(entries).where(_is_about(number))
    return int(connection.execute(query).scalar_one())


def _is_about(number: str) -> ColumnElement[bool]:
    token, column = audit_people.PERSON + number, entries.c
    return or_(
        column.person == number,
        column.target == token,
        column.detail.contains(token, autoescape=True),
    )


_MOST_NAMED = 200  # people and addresses that a text is looked for in lines about


def _contains(connection: Connection, text: str) -> ColumnElement[bool]:
    """Lines that say a text, or are by or about somebody in whose name it stands."""
    column = entries.c
    named = audit_people.named_numbers().subquery()
    query = select(named.c.number).where(contains_text(named.c.name, text))
    numbers = list(connection.execute(query.limit(_MOST_NAMED)).scalars())
    tokens = [audit_people.PERSON + number for number in numbers]
    return or_(
        *(contains_text(one, text) for one in (column.act, column.target, column.detail)),
        column.person.in_(numbers),
        column.address.in_(numbers),
        column.target.in_(tokens),
        *(column.detail.contains(token, autoescape=True) for token in tokens),
    )


def with_names(connection: Connection, rows: Sequence[Row[Any]]) -> list[AuditEntry]:
    """Lines as they are read today: with the names of those who are there."""
    numbers = {one for row in rows for one in (row.person, row.address) if one}
    query = audit_people.named_numbers().where(tables.audit_people.c.number.in_(sorted(numbers)))
    people = {row.number: row for row in connection.execute(query)}
    said = [[row.target, json.loads(row.detail)] for row in rows]
    shown = audit_people.with_names(connection, said)
    lines = []
    for row, (target, detail) in zip(rows, shown, strict=True):
        by, address = people.get(row.person), people.get(row.address)
        lines.append(
            AuditEntry(
                id=row.id,
                on=row.on,
                user_id=by.user_id if by else None,
                user_name=None if row.person is None else by.name if by else ERASED_PERSON,
                act=row.act,
                target=target,
                address=address.name if address else None,
                detail=detail,
            )
        )
    return lines


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
    """Drop what is older than the site keeps, with its names; how many lines it was."""
    deleted = connection.execute(delete(entries).where(entries.c.on < time)).rowcount
    audit_people.delete_unused(connection)
    return deleted
