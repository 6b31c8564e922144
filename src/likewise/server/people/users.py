"""People: who may log in, as what, how much each may hold, and what is changed of them.

What is changed holds from the next call on.
"""

from __future__ import annotations

import hashlib
import secrets
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    Table,
    delete,
    func,
    or_,
    select,
    update,
)

from likewise.library import schema
from likewise.library.conflicts import insert_if_new
from likewise.library.registry import write_value
from likewise.server.caller import Caller, Role
from likewise.server.context import ServerContext, read_settings, utc_now
from likewise.server.database import tables
from likewise.server.database.audit_people import keep_name_of_removed
from likewise.server.database.campus_owners import another_administrator, hand_over_classes
from likewise.server.database.erase_accounts import REMOVED_PERSON
from likewise.server.mail.addresses import is_address
from likewise.server.people import audit
from likewise.server.people.api_keys import end_keys
from likewise.server.people.login_throttle import reset_name
from likewise.server.people.notices import delete_notices_mark
from likewise.server.people.passwords import ensure_strong, hash_password, retire_password_file
from likewise.server.people.sessions import Why, end_sessions
from likewise.server.people.ways_in import vouched_administrators
from likewise.server.problems import Problem, not_found
from likewise.server.shapes import clean_line, contains_text

users, resets = tables.users, tables.password_resets

SHORTEST, LONGEST = 2, 64
_SIGNS = "._-"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who may log in."""

    id: str
    name: str
    shown_name: str
    role: Role
    must_change: bool
    is_active: bool
    made_on: datetime
    language: str | None
    most_documents: int | None
    most_bytes: int | None
    most_checks_a_day: int | None
    email: str | None


COLUMNS = tuple(users.c[name] for name in Person.__slots__)


def login_name(text: str) -> str:
    """A name as it is kept: however it is written, it is the same person's.

    >>> login_name(" Aigul.Nur ")
    'aigul.nur'
    >>> login_name("ＡＩＧＵＬ")
    'aigul'
    """
    name = fold_name(text)
    is_fit = all(c.isalnum() or c in _SIGNS for c in name) and name[:1].isalnum()
    if not (SHORTEST <= len(name) <= LONGEST and is_fit):
        raise Problem("bad request", "server.name_signs", n=SHORTEST, most=LONGEST)
    return name


def fold_name(text: str) -> str:
    """What a name is compared by; it need not be a fit one."""
    once = unicodedata.normalize("NFKC", text[:256]).casefold()
    return unicodedata.normalize("NFKC", once).strip()


def mail_address(text: str | None) -> str | None:
    """An address of mail as it is kept; None for none.

    >>> mail_address(" Aigul@Example.KZ "), mail_address("")
    ('aigul@example.kz', None)
    """
    address = fold_name(text or "")
    if address and not is_address(address):
        raise Problem("bad request", "server.mail_address")
    return address or None


def add_person(
    context: ServerContext,
    name: str,
    password: str,
    *,
    role: Role = "teacher",
    shown_name: str = "",
    must_change: bool = False,
    or_keep: bool = False,
    by: Caller | None = None,
    **more: Any,
) -> Person:
    """A new person; with `or_keep` whoever has the name already stays as they are."""
    name = login_name(name)
    if or_keep:
        with context.store.reading() as connection:
            there = person_by_name(connection, name)
        if there is not None:
            return there
    ensure_strong(password, name, context.settings.least_password_length)
    hashed = hash_password(password)
    with context.store.beside() as connection:
        person = insert_person(
            connection,
            name,
            hashed,
            role=role,
            shown_name=shown_name,
            must_change=must_change,
            **more,
        )
        if person is not None:
            audit.record_act(connection, by, "person added", person.name, role=role)
            return person
        there = person_by_name(connection, name)
    if or_keep and there is not None:
        return there
    raise Problem("conflict", "server.name_taken", name=name)


def insert_person(
    connection: Connection,
    name: str,
    hashed: str,
    *,
    role: Role,
    shown_name: str = "",
    must_change: bool = False,
    **more: Any,
) -> Person | None:
    """A new row, with `more` of its columns; None where the name is taken."""
    if is_removed(connection, name):
        return None
    id = secrets.token_hex(12)
    row = {
        "id": id,
        "name": name,
        "shown_name": clean_line(shown_name, 200) or name,
        "role": role,
        "password": hashed,
        "must_change": must_change,
        "is_active": True,
        "made_on": utc_now(),
    }
    is_new = insert_if_new(connection, users, row | more, key="name")
    return person_by_id(connection, id) if is_new else None


def person_by_id(connection: Connection, id: str) -> Person | None:
    """A person by the letters of the row."""
    return _person(connection.execute(select(*COLUMNS).where(users.c.id == id)).mappings().first())


def person_by_name(connection: Connection, name: str) -> Person | None:
    """A person by the name to log in by."""
    query = select(*COLUMNS).where(users.c.name == name)
    return _person(connection.execute(query).mappings().first())


def has_password(connection: Connection, id: str) -> bool:
    """Whether a person may log in by a password; else only by those who vouch."""
    return bool(connection.execute(select(users.c.password).where(users.c.id == id)).scalar())


def is_removed(connection: Connection, name: str) -> bool:
    """Whether somebody of this name was here and is gone."""
    column = schema.key_values.c
    rows = connection.execute(select(column.key).where(column.key == removed_key(name)))
    return rows.first() is not None


def removed_key(name: str) -> str:
    """Says that a name was used, without keeping it: documents are owned by name."""
    return REMOVED_PERSON + hashlib.sha256(name.encode()).hexdigest()


def _person(row: RowMapping | None) -> Person | None:
    return None if row is None else Person(**row)


# What may be changed of a person, and how it reads in the log.
OWN = frozenset({"shown_name", "language", "email"})
QUOTAS = frozenset({"most_documents", "most_bytes", "most_checks_a_day"})
ALL = OWN | QUOTAS | {"role", "is_active"}
_PERSONAL = frozenset({"shown_name", "email"})  # the log says that they changed, and not to what


def list_people(
    connection: Connection,
    *,
    search: str | None = None,
    role: str | None = None,
    is_active: bool | None = None,
    limit: int = 50,
    offset: int = 0,
) -> tuple[list[Person], int]:
    """People by name, and how many there are in all."""
    conditions: list[ColumnElement[bool]] = []
    if search:
        conditions.append(
            or_(contains_text(users.c.name, search), contains_text(users.c.shown_name, search))
        )
    if role is not None:
        conditions.append(users.c.role == role)
    if is_active is not None:
        conditions.append(users.c.is_active == is_active)
    total = connection.execute(
        select(func.count()).select_from(users).where(*conditions)
    ).scalar_one()
    query = select(*COLUMNS).where(*conditions).order_by(users.c.name).limit(limit).offset(offset)
    return [Person(**row) for row in connection.execute(query).mappings()], total


def require_person(connection: Connection, id: str) -> Person:
    """A person who must be there."""
    person = person_by_id(connection, id)
    if person is None:
        raise not_found("server.noun_person")
    return person


def change_person(
    connection: Connection, caller: Caller | None, id: str, changes: Mapping[str, Any]
) -> Person:
    """Change what is given. Who loses a right loses it at once, with all keys made under it."""
    if not set(changes) <= ALL:
        raise ValueError(f"not to be changed: {sorted(set(changes) - ALL)}")
    might_lose = {"role", "is_active"} & set(changes)
    administrators = _lock_administrators(connection) if might_lose else set()
    before = require_person(connection, id)
    altered = {name: new for name, new in changes.items() if getattr(before, name) != new}
    if not altered:
        return before
    is_demoted = before.role == "administrator" and "role" in altered
    is_deactivated = altered.get("is_active") is False
    if is_demoted or is_deactivated:
        _ensure_another(administrators, id)
        end_keys(connection, id)
    if is_deactivated:
        end_sessions(connection, id, "deactivated")
    if "email" in altered:  # nobody has shown yet that the new one is theirs
        connection.execute(update(users).where(users.c.id == id).values(email_verified_on=None))
        connection.execute(delete(resets).where(resets.c.user_id == id))
    connection.execute(update(users).where(users.c.id == id).values(**altered))
    shown = {name: None if name in _PERSONAL else new for name, new in altered.items()}
    audit.record_act(connection, caller, "person changed", before.name, **shown)
    return require_person(connection, id)


def set_password(
    connection: Connection,
    caller: Caller | None,
    id: str,
    hashed: str,
    *,
    why: Why,
    must_change: bool,
    but: str | None = None,
    is_noted: bool = True,
) -> Person:
    """Give a person another password; all sessions end, but perhaps the one that asks for it."""
    values = {"password": hashed, "must_change": must_change}
    if connection.execute(update(users).where(users.c.id == id).values(**values)).rowcount != 1:
        raise not_found("server.noun_person")
    person = require_person(connection, id)
    end_sessions(connection, id, why, but=but)
    reset_name(connection, person.name)
    retire_password_file(connection, id)
    if is_noted:
        audit.record_act(connection, caller, why, person.name)
    return person


def count_holdings(connection: Connection, person: Person) -> dict[str, int]:
    """How much a person has of what is deleted or changes hands with the person."""
    checks, batches, jobs = tables.checks, tables.batches, tables.jobs
    keys, collections = tables.api_keys, tables.collections
    queries: dict[str, tuple[Table, ColumnElement[bool]]] = {
        "documents": (schema.documents, schema.documents.c.owner == person.name),
        "collections": (collections, collections.c.owner_id == person.id),
        "checks": (checks, (checks.c.user_id == person.id) & checks.c.batch_id.is_(None)),
        "batches": (batches, batches.c.user_id == person.id),
        "api_keys": (keys, (keys.c.user_id == person.id) & keys.c.ended_on.is_(None)),
        "jobs": (jobs, (jobs.c.user_id == person.id) & jobs.c.state.in_(("queued", "running"))),
    }
    return {
        what: int(
            connection.execute(
                select(func.count()).select_from(table).where(condition)
            ).scalar_one()
        )
        for what, (table, condition) in queries.items()
    }


def remove_person(
    connection: Connection, caller: Caller, id: str, *, heir: str | None = None
) -> None:
    """Remove a person for good, with sessions and keys; the log stays.

    Checks and batches that are done go to the `heir`, with collections; without an heir they are
    deleted, and collections go to the administrator who does it, or nobody could reach them any
    more. Classes of a course stay with its other teachers. Documents stay in the library under the
    person's name, which is never given again.
    """
    administrators = _lock_administrators(connection)
    person = require_person(connection, id)
    if person.id == caller.id:
        raise Problem("conflict", "server.yourself")
    _ensure_another(administrators, id)
    detail: dict[str, Any] = {}
    inheriting = None if heir is None else require_person(connection, heir)
    if inheriting is not None and (heir == id or not inheriting.is_active):
        raise Problem("bad request", "server.heir")
    teaches = inheriting is not None and inheriting.role != "student"
    keeper = another_administrator(connection, id)
    hand_over_classes(connection, id, heir=heir if teaches else None, keeper=keeper)
    if inheriting is not None:
        handed_over = [
            connection.execute(
                update(table)
                .where(table.c.user_id == id, table.c.summary.is_not(None))
                .values(user_id=heir)
            ).rowcount
            for table in (tables.batches, tables.checks)
        ]
        detail = {"heir": inheriting.name, "checks": handed_over[1], "batches": handed_over[0]}
    collections = tables.collections
    handed = connection.execute(
        update(collections).where(collections.c.owner_id == id).values(owner_id=heir or caller.id)
    ).rowcount
    jobs = tables.jobs
    connection.execute(update(jobs).where(jobs.c.user_id == id).values(is_unwanted=True))
    audit.record_act(
        connection, caller, "person removed", person.name, collections_taken_over=handed, **detail
    )
    keep_name_of_removed(connection, id, person.name)
    connection.execute(delete(users).where(users.c.id == id))
    delete_notices_mark(connection, id)
    write_value(connection, removed_key(person.name), "")


def _lock_administrators(connection: Connection) -> set[str]:
    """Those who can look after the site; held, so that two cannot demote each other at once."""
    column = users.c
    query = select(column.id).where(column.role == "administrator", column.is_active)
    held = set(connection.execute(query.order_by(column.id).with_for_update()).scalars())
    if read_settings(connection).passwords_allowed:
        return held
    return (held & vouched_administrators(connection)) or held  # nobody else can log in


def _ensure_another(administrators: set[str], id: str) -> None:
    if administrators == {id}:
        raise Problem("conflict", "server.last_administrator")
