"""A library to another place, between the engines both ways."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from likewise.library import Library, LibraryError, copy_library, schema
from likewise.library.copying import OF_DOCUMENTS, checksum
from likewise.model import Document
from tests.tables.tables import UNRELATED, table

from .places import empty_place
from .texts import MARKET, OWN, RIVER, invented


@pytest.fixture(params=["sqlite", "postgresql"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with empty_place(request.param, tmp_path, request) as place:
        yield place


def fill(library: Library, folder: Path) -> None:
    """A little of everything that a library can hold."""
    folder.mkdir()
    (folder / "river.txt").write_text(RIVER, "utf-8")
    (folder / "river-again.html").write_text(f"<p>{RIVER}</p>", "utf-8")
    library.add(folder, keep_original=True, owner="dean", year=2024, month=5, tags=("spring", "ә"))
    library.add(folder / "river.txt", owner="another", author="Ә. Нұр")
    library.add_texts({"market": MARKET, "own": OWN, "empty": ""}, type="essay")
    library.add_texts((f"t{i}", invented(60, seed=i)) for i in range(40))
    library.remove(*(entry.id for entry in library.list(search="t7").entries))
    library.set_stop_words("en", library.stop_words("en") | {"herons"})
    library.set_value("greeting", "сәлем")
    library.add(Document("lengths", "Irtysh 4248", tables=(table(UNRELATED),)))


def test_a_copy_is_equal_and_works(library, target, tmp_path):
    fill(library, tmp_path / "files")
    copied = copy_library(library, target)
    assert (copied.documents, copied.before) == (len(library), 0)
    with Library(target, create=False) as copy:
        assert copy.list(limit=None) == library.list(limit=None)
        assert copy.stop_words() == library.stop_words()
        assert copy.value("greeting") == "сәлем"
        assert copy.original(1) == library.original(1) is not None
        assert copy.uid != library.uid
        with library._store.reading() as one, copy._store.reading() as two:
            for table in (schema.documents, schema.removals, schema.recipes, *OF_DOCUMENTS):
                assert checksum(one, table) == checksum(two, table), table.name
        question = Document.from_text(RIVER + " " + invented(30, seed=99), "question")
        assert copy.check(question).shares == library.check(question).shares
        assert copy.verify() == ()
        added = copy.add_texts({"new": invented(50, seed=1000)})
        assert added.ids == (copy.list(sort="-id", limit=1).entries[0].id,)
        assert copy.rebuild() > 0, "what was stale is stale there too"
        assert copy.verify() == ()


def test_a_copy_that_was_stopped_goes_on(library, target, tmp_path, monkeypatch):
    fill(library, tmp_path / "files")
    monkeypatch.setattr("likewise.library.copying._MOST_DOCUMENTS", 10)

    def stop(stage: str, done: int, total: int) -> None:
        if stage == "copying" and done >= 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        copy_library(library, target, stop)
    with pytest.raises(LibraryError, match="was not finished"):
        Library(target)
    copied = copy_library(library, target)
    assert copied.before == 20
    with Library(target) as copy:
        assert copy.verify() == ()
        assert copy.list(limit=None) == library.list(limit=None)


def test_a_copy_of_another_moment_begins_anew(library, target, tmp_path, monkeypatch):
    fill(library, tmp_path / "files")
    monkeypatch.setattr("likewise.library.copying._MOST_DOCUMENTS", 10)

    def stop(stage: str, done: int, total: int) -> None:
        if done >= 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        copy_library(library, target, stop)
    library.remove(3, 4)
    library.add_texts({"later": invented(50, seed=500)})
    assert copy_library(library, target).before == 0
    with Library(target) as copy:
        assert copy.verify() == ()
        assert copy.list(limit=None) == library.list(limit=None)


def test_what_is_written_meanwhile_is_not_in_the_copy(library, target, tmp_path, monkeypatch):
    fill(library, tmp_path / "files")
    monkeypatch.setattr("likewise.library.copying._MOST_DOCUMENTS", 10)
    before = library.list(limit=None)

    def write(stage: str, done: int, total: int) -> None:
        if stage == "copying":
            library.add_texts({f"meanwhile {done}": invented(40, seed=700 + done)})
            library.remove(before.entries[-1 - done // 10].id)

    copy_library(library, target, write)
    with Library(target) as copy:
        assert copy.list(limit=None) == before
        assert copy.verify() == ()


def test_a_place_with_a_library_is_refused(library, target):
    with Library(target) as other:
        other.add_texts({"mine": OWN})
        with pytest.raises(LibraryError, match="there is a library already"):
            copy_library(library, target)
        assert len(other) == 1


def test_a_file_of_something_else_is_refused(library, tmp_path):
    import sqlite3

    path = tmp_path / "other.db"
    with sqlite3.connect(path) as raw:
        raw.execute("CREATE TABLE mine (x)")
    raw.close()
    with pytest.raises(LibraryError, match="a database of something else"):
        copy_library(library, path)
