"""What administrators do to people, and people to themselves; it holds from the next call on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, or_, select, update

from likewise.server.caller import Caller
from likewise.server.context import set_value
from likewise.server.database import tables
from likewise.server.fields import containing
from likewise.server.people import audit, first_password
from likewise.server.people.api_keys import end_keys
from likewise.server.people.login_throttle import forget_name
from likewise.server.people.notices import forget_notices
from likewise.server.people.sessions import Why, end_sessions
from likewise.server.people.users import (
    COLUMNS,
    Person,
    person_of,
    removed_key,
    users,
)
from likewise.server.problems import Problem, not_found

# What may be changed of a person, and how it reads in the log.
OWN = frozenset({"shown_name", "language", "email"})
QUOTAS = frozenset({"most_documents", "most_bytes", "most_checks_a_day"})
ALL = OWN | QUOTAS | {"role", "is_active"}


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
    wanted: list[ColumnElement[bool]] = []
    if search:
        wanted.append(or_(containing(users.c.name, search), containing(users.c.shown_name, search)))
    if role is not None:
        wanted.append(users.c.role == role)
    if is_active is not None:
        wanted.append(users.c.is_active == is_active)
    total = connection.execute(select(func.count()).select_from(users).where(*wanted)).scalar_one()
    query = select(*COLUMNS).where(*wanted).order_by(users.c.name).limit(limit).offset(offset)
    return [Person(**row) for row in connection.execute(query).mappings()], total


def the_person(connection: Connection, id: str) -> Person:
    """A person who must be there."""
    found = person_of(connection, id)
    if found is None:
        raise not_found("server.noun_person")
    return found


def change_person(
    connection: Connection, caller: Caller | None, id: str, changes: Mapping[str, Any]
) -> Person:
    """Change what is given. Who loses a right loses it at once, with all keys made under it."""
    if not set(changes) <= ALL:
        raise ValueError(f"not to be changed: {sorted(set(changes) - ALL)}")
    might_lose = {"role", "is_active"} & set(changes)
    administrators = _held_administrators(connection) if might_lose else set()
    before = the_person(connection, id)
    altered = {name: new for name, new in changes.items() if getattr(before, name) != new}
    if not altered:
        return before
    is_demoted = before.role == "administrator" and altered.get("role") == "teacher"
    is_deactivated = altered.get("is_active") is False
    if is_demoted or is_deactivated:
        _ensure_another(administrators, id)
        end_keys(connection, id)
    if is_deactivated:
        end_sessions(connection, id, "deactivated")
    connection.execute(update(users).where(users.c.id == id).values(**altered))
    audit.note(connection, caller, "person changed", before.name, **altered)
    return the_person(connection, id)


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
    person = the_person(connection, id)
    end_sessions(connection, id, why, but=but)
    forget_name(connection, person.name)
    first_password.is_changed(connection, id)
    if is_noted:
        audit.note(connection, caller, why, person.name)
    return person


def remove_person(connection: Connection, caller: Caller, id: str) -> None:
    """Remove a person for good, with sessions, keys, checks and batches; the log stays.

    Documents stay in the library under the person's name, which is never given again.
    Collections go to the administrator who does it, or nobody could reach them any more.
    """
    administrators = _held_administrators(connection)
    person = the_person(connection, id)
    if person.id == caller.id:
        raise Problem("conflict", "server.yourself")
    _ensure_another(administrators, id)
    collections = tables.collections
    handed = connection.execute(
        update(collections).where(collections.c.owner_id == id).values(owner_id=caller.id)
    ).rowcount
    jobs = tables.jobs
    connection.execute(update(jobs).where(jobs.c.user_id == id).values(is_unwanted=True))
    connection.execute(delete(users).where(users.c.id == id))
    forget_notices(connection, id)
    set_value(connection, removed_key(person.name), "")
    audit.note(connection, caller, "person removed", person.name, collections_taken_over=handed)


def _held_administrators(connection: Connection) -> set[str]:
    """Those who can look after the site; held, so that two cannot demote each other at once."""
    column = users.c
    query = select(column.id).where(column.role == "administrator", column.is_active)
    return set(connection.execute(query.order_by(column.id).with_for_update()).scalars())


def _ensure_another(administrators: set[str], id: str) -> None:
    if administrators == {id}:
        raise Problem("conflict", "server.last_administrator")
