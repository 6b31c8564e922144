"""Every test of the library runs on SQLite and on a real PostgreSQL server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from likewise.library import Library


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
