"""Whether an error means that the database was away, and all will be well when it is back."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy.exc import DBAPIError

# Of PostgreSQL: connections that fail, servers that stop or start, too many who want in, and two
# that stood in each other's way.
_AWAY = ("08", "57P", "53300", "40")


def is_lost(error: BaseException) -> bool:
    """Whether trying again later may help."""
    return any(isinstance(one, DBAPIError) and _is_away(one) for one in _causes(error))


def _is_away(error: DBAPIError) -> bool:
    if error.connection_invalidated:
        return True
    said, state = str(error.orig), getattr(error.orig, "sqlstate", None)
    if state is not None:
        return str(state).startswith(_AWAY)
    if "database is locked" in said:
        return True
    # psycopg gives no state where no connection came about.
    return (
        type(error.orig).__module__.startswith("psycopg")
        and "OperationalError" in type(error.orig).__name__
    )


def _causes(error: BaseException) -> Iterator[BaseException]:
    one: BaseException | None = error
    while one is not None:
        yield one
        one = one.__cause__
