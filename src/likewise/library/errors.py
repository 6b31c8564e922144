"""What can go wrong with a library, in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from likewise.catalogue import Message
from likewise.errors import LikewiseError


class LibraryError(LikewiseError):
    """A library cannot be used as was asked; what it holds is as it was before."""


class WrongRecipe(LibraryError):
    """The fingerprints of a library were made otherwise than this machine makes them."""


# What the engines say, and what that means for the person at the keyboard.
_MEANINGS: tuple[tuple[str, ...], ...] = (
    ("library.not_a_library", "file is not a database"),
    ("library.file_damaged", "malformed"),
    ("library.read_only", "readonly database"),
    ("library.read_only_server", "read-only transaction"),
    ("library.no_permission", "permission denied"),
    ("library.disk_full", "disk is full"),
    ("library.server_disk_full", "No space left on device"),
    ("library.server_no_room", "could not extend file"),
    ("library.disk_error", "disk I/O error"),
    ("library.cannot_be_opened", "unable to open database file"),
    ("library.locked", "database is locked"),
    ("library.wrong_password", "password authentication failed"),
    ("library.no_database", 'database "', "does not exist"),
    ("library.no_server_user", 'role "', "does not exist"),
    ("library.table_missing", 'relation "', "does not exist"),
    ("library.table_missing", "no such table"),
    ("library.column_missing", "no such column"),
    ("library.server_busy", "too many clients"),
    ("library.server_busy", "too many connections"),
    ("library.server_not_ready", "database system is"),  # starting up, in recovery mode, and so on
    ("library.no_password", "no password supplied"),
    ("library.no_server", "could not translate host name"),
    ("library.server_silent", "onnection refused"),
    ("library.no_server", "failed to resolve host"),
)


def explain_engine_error(words: str) -> Message:
    """What an engine says, for people, and its own words behind.

    >>> print(explain_engine_error("database is locked"))
    another program has been writing for a long time; try again later (database is locked).
    """
    key = next(
        (key for key, *signs in _MEANINGS if all(sign in words for sign in signs)),
        "library.database_says",
    )
    return Message(key, {"words": Message.verbatim(words.splitlines()[0])})


@contextmanager
def explain_errors(place: str) -> Iterator[None]:
    """Errors of the database as sentences about a place."""
    try:
        yield
    except DBAPIError as error:
        if error.connection_invalidated:
            raise LibraryError("library.connection_lost", about=place) from error
        words = str(error.orig).strip() or type(error).__name__
        raise LibraryError(explain_engine_error(words), about=place) from error
    except (TypeError, ValueError) as error:
        if "isoformat" not in str(error):
            raise
        raise LibraryError("library.date_damaged", about=place) from error
    except SQLAlchemyError as error:
        sentence = Message.verbatim(str(error).splitlines()[0])
        raise LibraryError("library.database_error", about=place, words=sentence) from error
