"""The first administrator of a site that has none."""

from __future__ import annotations

import sys
from pathlib import Path

from sqlalchemy import Connection, select, text

from likewise.library.engine import address_of
from likewise.machine import data_folder
from likewise.server.context import ServerContext
from likewise.server.people import audit
from likewise.server.people.passwords import (
    delete_retired_password_file,
    hash_password,
    random_password,
    remember_password_file,
    write_password_file,
)
from likewise.server.people.users import Person, insert_person, users

NAME = "administrator"
_MAKING = 0xF125  # the lock under which it is done on PostgreSQL


def ensure_first_administrator(context: ServerContext, place: str | Path) -> str | None:
    """An administrator, where there is none; what to tell whoever started the server.

    The password itself goes to a terminal or into a file, and is never part of the answer: the
    answer may be logged. It must be changed at the first log in.
    """
    with context.store.reading() as connection:
        is_there = _has_administrator(connection)
    delete_retired_password_file(context)
    if is_there:
        return None
    password = random_password()
    hashed = hash_password(password)
    path: Path | None = None
    try:
        with context.store.beside() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(text(f"SELECT pg_advisory_xact_lock({_MAKING})"))
            if _has_administrator(connection):
                return None  # another server was quicker
            person = _insert(connection, hashed)
            audit.record_act(connection, None, "first administrator made", person.name)
            if not _is_terminal():
                path = write_password_file(folder_for(place), person.name, password)
                remember_password_file(connection, person.id, path)
    except BaseException:
        if path is not None:
            path.unlink(missing_ok=True)
        raise
    if path is not None:
        return f"the first administrator is {person.name}; the password is in {path}"
    print(
        f"The first administrator is {person.name} with the password {password}\n"
        "It must be changed at the first log in and is not shown again.",
        file=sys.stderr,
        flush=True,
    )
    return None


def folder_for(place: str | Path) -> Path:
    """Beside a library in a file; for a server's, where this user's own things belong."""
    url = address_of(place)
    if url.get_backend_name() == "sqlite":
        return Path(str(url.database)).absolute().parent
    return data_folder()


def _has_administrator(connection: Connection) -> bool:
    query = select(users.c.id).where(users.c.role == "administrator", users.c.is_active).limit(1)
    return connection.execute(query).first() is not None


def _insert(connection: Connection, hashed: str) -> Person:
    """Under the usual name, or the next where somebody has it."""
    number = 1
    while True:
        name = NAME if number == 1 else f"{NAME}{number}"
        person = insert_person(connection, name, hashed, role="administrator", must_change=True)
        if person is not None:
            return person
        number += 1


def _is_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()
