"""Who may come in after a restore: nobody whom the present has put out comes back by it.

A backup is of another day. Since then sessions were ended, keys revoked, people deactivated and
passwords changed because they had become known. What the library in the place still knows of that
holds on; where there is none, what becomes active again is told, for somebody to look at.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, delete, func, insert, inspect, select, update

from likewise.library import schema
from likewise.library.backup import read_both
from likewise.library.store import now
from likewise.server.database import tables
from likewise.server.database.audit_people import (
    number_of_account,
    number_of_address,
    number_of_name,
    without_names,
)
from likewise.server.database.erase_accounts import REMOVED_PERSON

users, api_keys, sessions = tables.users, tables.api_keys, tables.sessions
audit, audit_people, key_values = tables.audit, tables.audit_people, schema.key_values

_WHY = "library restored"


@dataclass(frozen=True, slots=True)
class PresentAccounts:
    """What a library says of people and keys before it is replaced."""

    people: Mapping[str, Any]
    keys: Mapping[str, datetime | None]  # when each was revoked
    removed: frozenset[str]
    audit: tuple[Mapping[str, Any], ...]
    audit_people: tuple[Mapping[str, Any], ...]  # whose the numbers in the log are


@dataclass(frozen=True, slots=True)
class RestoreReport:
    """What a restore does to those who may come in."""

    sessions_ended: int
    people_revived: tuple[str, ...]  # active again, and not before: somebody should look
    keys_revived: tuple[tuple[str, str], ...]  # each with whose it is
    people_kept_out: tuple[str, ...]  # active in the backup, put out since
    keys_kept_out: tuple[tuple[str, str], ...]
    passwords_kept: int  # changed since
    roles_kept: int  # administrators of the backup who are none any more


@dataclass(frozen=True, slots=True)
class _Plan:
    report: RestoreReport
    people_out: tuple[str, ...]
    keys_out: tuple[str, ...]
    changes: Mapping[str, Mapping[str, Any]]


def read_present(connection: Connection, backup: Connection) -> PresentAccounts | None:
    """The accounts of a library that is going to be replaced, and what it noted since a backup."""
    if not inspect(connection).has_table("users"):
        return None
    column, key = users.c, api_keys.c
    columns = (column.id, column.name, column.role, column.password, column.must_change)
    people = connection.execute(select(*columns, column.is_active)).all()
    removed_keys = select(key_values.c.key).where(key_values.c.key.startswith(REMOVED_PERSON))
    since = backup.execute(select(func.max(audit.c.on))).scalar()
    # The library in the place may be of a version before people had numbers.
    there = {one["name"] for one in inspect(connection).get_columns(audit.name)}
    noted = select(*(column for column in audit.c if column.name in there))
    if since is not None:
        noted = noted.where(audit.c.on > since)
    return PresentAccounts(
        people={row.id: row for row in people},
        keys={row.id: row.ended_on for row in connection.execute(select(key.id, key.ended_on))},
        removed=frozenset(connection.execute(removed_keys).scalars()),
        audit=tuple(dict(row) for row in connection.execute(noted).mappings()),
        audit_people=tuple(dict(row) for row in connection.execute(select(audit_people)).mappings())
        if "person" in there
        else (),
    )


def report_restore(backup: str | Path, place: str | Path) -> RestoreReport:
    """Who would be logged out, come back or stay out if a backup were restored; changes nothing."""
    with read_both(backup, place) as (source, there):
        present = None if there is None else read_present(there, source)
        return _plan(source, present).report


def settle_accounts(connection: Connection, present: PresentAccounts | None) -> RestoreReport:
    """End every log in of what was restored, and keep out who was put out since."""
    plan, time = _plan(connection, present), now()
    living = sessions.c.ended_on.is_(None)
    connection.execute(update(sessions).where(living).values(ended_on=time, ended_why=_WHY))
    connection.execute(delete(tables.refresh_tokens))
    connection.execute(delete(tables.password_resets))
    for id, values in plan.changes.items():
        connection.execute(update(users).where(users.c.id == id).values(**values))
    for id in plan.people_out:
        connection.execute(update(users).where(users.c.id == id).values(is_active=False))
    for id in plan.keys_out:
        ended_on = (present.keys.get(id) if present else None) or time
        connection.execute(update(api_keys).where(api_keys.c.id == id).values(ended_on=ended_on))
    if present is not None:
        _carry_over(connection, present)
    _note(connection, plan.report, time)
    return plan.report


def _plan(backup: Connection, present: PresentAccounts | None) -> _Plan:
    column, key = users.c, api_keys.c
    columns = (column.id, column.name, column.role, column.password, column.is_active)
    people = backup.execute(select(*columns)).all()
    revived, out, changes = [], {}, {}
    passwords = roles = 0
    for row in people:
        there = present.people.get(row.id) if present else None
        if row.is_active and _is_out(row.name, there, present):
            out[row.id] = row.name
        elif row.is_active and (there is None or not there.is_active):
            revived.append(row.name)
        if there is None:
            continue
        values: dict[str, Any] = {}
        if there.password != row.password:
            values = {"password": there.password, "must_change": there.must_change}
            passwords += 1
        if there.role == "teacher" and row.role == "administrator":
            values["role"] = "teacher"
            roles += 1
        if values:
            changes[row.id] = values
    keys = backup.execute(
        select(key.id, key.name, key.user_id, column.name.label("user"))
        .select_from(api_keys.join(users))
        .where(key.ended_on.is_(None))
    ).all()
    present_keys = present.keys if present else {}
    keys_out = [row for row in keys if row.user_id in out or present_keys.get(row.id) is not None]
    keys_back = [row for row in keys if row.id not in present_keys and row.user_id not in out]
    living = select(func.count()).select_from(sessions)
    living = living.where(sessions.c.ended_on.is_(None), sessions.c.ends_on > now())
    report = RestoreReport(
        sessions_ended=int(backup.execute(living).scalar_one()),
        people_revived=tuple(sorted(revived)),
        keys_revived=tuple(sorted((row.name, row.user) for row in keys_back)),
        people_kept_out=tuple(sorted(out.values())),
        keys_kept_out=tuple(sorted((row.name, row.user) for row in keys_out)),
        passwords_kept=passwords,
        roles_kept=roles,
    )
    return _Plan(report, tuple(out), tuple(row.id for row in keys_out), changes)


def _is_out(name: str, there: Any, present: PresentAccounts | None) -> bool:
    """Whether somebody was deactivated, or removed for good, since the backup."""
    if present is None:
        return False
    if there is not None:
        return not there.is_active
    return REMOVED_PERSON + hashlib.sha256(name.encode()).hexdigest() in present.removed


def _carry_over(connection: Connection, present: PresentAccounts) -> None:
    """What was noted_ids since, and names that are never given again."""
    there = set(connection.execute(select(key_values.c.key)).scalars())
    new = [{"key": key, "value": ""} for key in sorted(present.removed - there)]
    if new:
        connection.execute(insert(key_values), new)
    people = set(connection.execute(select(users.c.id)).scalars())
    noted_ids = set(connection.execute(select(audit.c.id)).scalars())
    instead = _carry_over_people(connection, present.audit_people, people)
    lines = [
        _line_now(connection, line, people, instead)
        for line in present.audit
        if line["id"] not in noted_ids
    ]
    if lines:
        connection.execute(insert(audit), lines)


def _line_now(
    connection: Connection,
    line: Mapping[str, Any],
    people: Collection[str],
    instead: Mapping[str, str],
) -> dict[str, Any]:
    """A line of the log as it stands in what was restored: by the numbers of people there."""
    user = line["user_id"] if line["user_id"] in people else None
    if "person" in line:
        texts = {name: _renumbered(line[name], instead) for name in ("person", "target", "detail")}
        return {**line, **texts, "user_id": user}
    person = None
    if user is not None:
        person = number_of_account(connection, user)
    elif line["user_name"] is not None:
        person = number_of_name(connection, line["user_name"])
    told = [line["target"], json.loads(line["detail"])]
    target, detail = without_names(connection, told)
    return {
        **line,
        "user_id": None,
        "user_name": None,
        "person": person,
        "target": target,
        "address": number_of_address(connection, person, line["address"]),
        "detail": json.dumps(detail, ensure_ascii=False),
    }


def _carry_over_people(
    connection: Connection, present: Sequence[Mapping[str, Any]], people: Collection[str]
) -> dict[str, str]:
    """The keys to numbers given since; and which numbers the backup has instead."""
    column = audit_people.c
    rows = connection.execute(select(column.number, column.user_id)).all()
    numbers, of_accounts = {row.number for row in rows}, {row.user_id: row.number for row in rows}
    instead: dict[str, str] = {}
    for row in present:
        if row["number"] in numbers:
            continue
        user = row["user_id"]
        if user is not None and user in of_accounts:
            instead[row["number"]] = of_accounts[user]
        elif user is None or user in people:
            connection.execute(insert(audit_people).values(**row))
    return instead


def _renumbered(text: str | None, instead: Mapping[str, str]) -> str | None:
    for old, new in instead.items():
        text = text and text.replace(old, new)
    return text


def _note(connection: Connection, report: RestoreReport, time: datetime) -> None:
    if not connection.execute(select(users.c.id).limit(1)).first():
        return  # a library without a server has nobody who reads it
    detail = {
        "sessions_ended": report.sessions_ended,
        "people_revived": list(report.people_revived),
        "keys_revived": len(report.keys_revived),
        "people_kept_out": list(report.people_kept_out),
        "keys_kept_out": len(report.keys_kept_out),
    }
    connection.execute(
        insert(audit).values(
            id=secrets.token_hex(12),
            on=time,
            act="library restored",
            detail=json.dumps(without_names(connection, detail), ensure_ascii=False),
        )
    )
