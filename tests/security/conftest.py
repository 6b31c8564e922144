"""The same servers as in tests/server."""

from tests.server.conftest import (
    administrator,
    anybody,
    app,
    cheap_hasher,
    context,
    log_in,
    teacher,
    work_off,
)

__all__ = [
    "administrator",
    "anybody",
    "app",
    "cheap_hasher",
    "log_in",
    "context",
    "teacher",
    "work_off",
]
