"""People: who may log in, as what, and how much each may hold."""

from __future__ import annotations

import hashlib
import secrets
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, select

from likewise.library import schema
from likewise.library.restore_accounts import REMOVED_PERSON
from likewise.server.caller import Caller, Role
from likewise.server.context import Site, this_moment
from likewise.server.database import tables
from likewise.server.fields import clean
from likewise.server.people import audit
from likewise.server.people.mail import is_address
from likewise.server.people.passwords import ensure_strong, hash_of
from likewise.server.problems import Problem

users = tables.users

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


def login_name(written: str) -> str:
    """A name as it is kept: however it is written, it is the same person's.

    >>> login_name(" Aigul.Nur ")
    'aigul.nur'
    >>> login_name("ＡＩＧＵＬ")
    'aigul'
    """
    name = folded(written)
    is_fit = all(c.isalnum() or c in _SIGNS for c in name) and name[:1].isalnum()
    if not (SHORTEST <= len(name) <= LONGEST and is_fit):
        raise Problem("bad request", "server.name_signs", n=SHORTEST, most=LONGEST)
    return name


def folded(written: str) -> str:
    """What a name is compared by; it need not be a fit one."""
    once = unicodedata.normalize("NFKC", written[:256]).casefold()
    return unicodedata.normalize("NFKC", once).strip()


def mail_address(written: str | None) -> str | None:
    """An address of mail as it is kept; None for none.

    >>> mail_address(" Aigul@Example.KZ "), mail_address("")
    ('aigul@example.kz', None)
    """
    address = folded(written or "")
    if address and not is_address(address):
        raise Problem("bad request", "server.mail_address")
    return address or None


def add_person(
    site: Site,
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
        with site.store.reading() as connection:
            there = person_named(connection, name)
        if there is not None:
            return there
    ensure_strong(password, name, site.settings.least_password_length)
    hashed = hash_of(password)
    with site.store.beside() as connection:
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
            audit.note(connection, by, "person added", person.name, role=role)
            return person
        there = person_named(connection, name)
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
    if connection.dialect.name == "postgresql":
        from sqlalchemy.dialects.postgresql import insert as insert_or
    else:
        from sqlalchemy.dialects.sqlite import insert as insert_or  # type: ignore[assignment]
    if is_removed(connection, name):
        return None
    id = secrets.token_hex(12)
    done = connection.execute(
        insert_or(users)
        .values(
            id=id,
            name=name,
            shown_name=clean(shown_name, 200) or name,
            role=role,
            password=hashed,
            must_change=must_change,
            is_active=True,
            made_on=this_moment(),
            **more,
        )
        .on_conflict_do_nothing(index_elements=["name"])
        .returning(users.c.id)
    )
    return None if done.first() is None else person_of(connection, id)


def person_of(connection: Connection, id: str) -> Person | None:
    """A person by the letters of the row."""
    return _person(connection.execute(select(*COLUMNS).where(users.c.id == id)).mappings().first())


def person_named(connection: Connection, name: str) -> Person | None:
    """A person by the name to log in by."""
    query = select(*COLUMNS).where(users.c.name == name)
    return _person(connection.execute(query).mappings().first())


def is_removed(connection: Connection, name: str) -> bool:
    """Whether somebody of this name was here and is gone."""
    kept = schema.key_values.c
    found = connection.execute(select(kept.key).where(kept.key == removed_key(name)))
    return found.first() is not None


def removed_key(name: str) -> str:
    """Says that a name was used, without keeping it: documents are owned by name."""
    return REMOVED_PERSON + hashlib.sha256(name.encode()).hexdigest()


def _person(row: RowMapping | None) -> Person | None:
    return None if row is None else Person(**row)
