"""Every test of the library runs on SQLite and on a real PostgreSQL server."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import URL

from likewise.library import Library
from tests.library.postgres import NoServer, on_server, postgres_server

_numbers = count(1)


@pytest.fixture(scope="session")
def server() -> Iterator[URL]:
    """One server for all tests."""
    try:
        with postgres_server() as url:
            yield url
    except NoServer as problem:
        pytest.skip(f"there is no PostgreSQL server: {problem}")


@pytest.fixture(params=["sqlite", "postgresql"])
def engine_name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def place(engine_name: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """Where a library can be made: an empty file or schema, gone after the test."""
    if engine_name == "sqlite":
        yield str(tmp_path / "library.db")
        return
    # A schema is made in a moment, a database in a tenth of a second.
    server: URL = request.getfixturevalue("server")
    name = f"likewise_{os.getpid()}_{next(_numbers)}"
    on_server(server, f'CREATE SCHEMA "{name}"')
    own = server.update_query_dict({"options": f"-csearch_path={name}"})
    yield own.render_as_string(hide_password=False)
    on_server(server, f'DROP SCHEMA "{name}" CASCADE')


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder for this test alone."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("LIKEWISE_CACHE", str(folder))
    return folder


@pytest.fixture
def opened(place: str, own_cache: Path) -> Iterator[Callable[..., Library]]:
    """Opens the library of this test, again and again if asked, and closes all in the end."""
    libraries: list[Library] = []

    def open_it(**how: object) -> Library:
        libraries.append(Library(place, **how))  # type: ignore[arg-type]
        return libraries[-1]

    yield open_it
    for library in libraries:
        library.close()


@pytest.fixture
def library(opened: Callable[..., Library]) -> Library:
    return opened()
