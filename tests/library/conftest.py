"""Every test of the library runs on SQLite and on a real PostgreSQL server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from likewise.library import Library, sketch_rows


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


@pytest.fixture(autouse=True)
def _short_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """On PostgreSQL as few and as short documents as those of the tests share rows."""
    monkeypatch.setattr(sketch_rows, "_PIECE_BYTES", 1)
    monkeypatch.setattr(sketch_rows, "_MOST_PIECES", 16 * 1_996)


@pytest.fixture
def separate_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each document has a row of its own, on both engines."""
    monkeypatch.setattr(sketch_rows, "_SHARING_ENGINES", frozenset())
