"""Empty places for libraries, beside the one that a test has anyway."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import URL

from tests.library.postgres import on_server

_numbers = count(1)


@contextmanager
def empty_place(engine: str, folder: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """A path or a URL where there is nothing yet."""
    number = next(_numbers)
    if engine == "sqlite":
        yield str(folder / f"elsewhere-{number}.db")
        return
    server: URL = request.getfixturevalue("server")
    name = f"likewise_else_{os.getpid()}_{number}"
    on_server(server, f'CREATE SCHEMA "{name}"')
    own = server.update_query_dict({"options": f"-csearch_path={name}"})
    yield own.render_as_string(hide_password=False)
    on_server(server, f'DROP SCHEMA "{name}" CASCADE')
