"""What can go wrong with a library, in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from likewise.errors import LikewiseError


class LibraryError(LikewiseError):
    """A library cannot be used as was asked; what it holds is as it was before."""


class WrongRecipe(LibraryError):
    """The fingerprints of a library were made otherwise than this machine makes them."""


RESTORE = "restore a backup with `likewise library restore`"

# What the engines say, and what that means for the person at the keyboard.
_MEANINGS: tuple[tuple[str, ...], ...] = (
    ("file is not a database", "this is not a Likewise library, or its first page is damaged"),
    ("malformed", "the file is damaged; restore a backup, `likewise library verify` tells more"),
    ("readonly database", "it may only be read; ask for the right to write to the file"),
    ("read-only transaction", "it may only be read; ask the administrator for the right to write"),
    ("permission denied", "this user has no right to do that; ask the administrator"),
    ("disk is full", "the disk is full; nothing half-written was kept. Make room and go on"),
    ("No space left on device", "the server's disk is full; nothing half-written was kept"),
    ("could not extend file", "the server has no room for more; nothing half-written was kept"),
    ("disk I/O error", "the disk refuses to read or write; look after the disk, then go on"),
    ("unable to open database file", "it cannot be opened; is the folder there, and yours?"),
    ("database is locked", "another program has been writing for a long time; try again later"),
    ("password authentication failed", "the server refuses this user or password"),
    ('database "', "there is no such database on the server", "does not exist"),
    ('role "', "there is no such user on the server", "does not exist"),
    ('relation "', f"a table of the library is missing; {RESTORE}", "does not exist"),
    ("no such table", f"a table of the library is missing; {RESTORE}"),
    ("no such column", f"a column of the library is missing; {RESTORE}"),
    ("too many clients", "the server serves as many as it can; try again later"),
    ("too many connections", "the server serves as many as it can; try again later"),
    ("no password supplied", "the server asks for a password; PGPASSWORD or ~/.pgpass gives it"),
    ("could not translate host name", "there is no server of that name"),
    ("onnection refused", "no server answers there; is it started, are host and port right?"),
    ("failed to resolve host", "there is no server of that name"),
)
_LOST = "the connection to the server was lost; what was not finished was undone, try again"


def meaning_of(said: str) -> str:
    """What an engine says, for people, and its own words behind.

    >>> meaning_of("database is locked")
    'another program has been writing for a long time; try again later (database is locked)'
    """
    first = said.splitlines()[0]
    for sign, meaning, *more in _MEANINGS:
        if all(part in said for part in (sign, *more)):
            return f"{meaning} ({first})"
    return f"the database says: {first}"


@contextmanager
def explained(place: str) -> Iterator[None]:
    """Errors of the database as sentences about a place."""
    try:
        yield
    except DBAPIError as error:
        said = str(error.orig).strip()
        if error.connection_invalidated:
            raise LibraryError(f"{place}: {_LOST}.") from error
        raise LibraryError(f"{place}: {meaning_of(said or type(error).__name__)}.") from error
    except (TypeError, ValueError) as error:
        if "isoformat" not in str(error):
            raise
        raise LibraryError(
            f"{place}: a date in it is damaged; `likewise library verify` says which"
        ) from error
    except SQLAlchemyError as error:
        raise LibraryError(f"{place}: {str(error).splitlines()[0]}") from error
