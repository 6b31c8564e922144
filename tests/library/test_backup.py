"""Backups, made and put back while others work."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from likewise.library import Library, LibraryError, back_up, copy_library, restore
from likewise.model import Document

from .texts import MARKET, OWN, RIVER, invented


@pytest.fixture
def filled(library: Library) -> Library:
    library.add_texts({"river": RIVER, "market": MARKET}, owner="dean", tags=("a", "b"))
    library.add_texts((f"t{i}", invented(50, seed=i)) for i in range(30))
    return library


def test_a_backup_is_a_library_in_one_file(filled, tmp_path):
    path = tmp_path / "monday.db"
    assert back_up(filled, path) == len(filled) == 32
    assert [file.name for file in tmp_path.glob("*monday*")] == ["monday.db"]
    with Library(path, read_only=True) as backup:
        assert backup.list(limit=None) == filled.list(limit=None)
        assert backup.verify() == ()
    assert [file.name for file in tmp_path.glob("*monday*")] == ["monday.db"]


def test_a_backup_overwrites_nothing(filled, tmp_path):
    path = tmp_path / "monday.db"
    path.write_text("dear", "utf-8")
    with pytest.raises(LibraryError, match="there is a file already"):
        back_up(filled, path)
    with pytest.raises(LibraryError, match="no such folder"):
        back_up(filled, tmp_path / "nowhere" / "monday.db")
    assert path.read_text("utf-8") == "dear"


def test_a_backup_is_of_one_moment_while_others_write(filled, opened, tmp_path):
    stop = threading.Event()
    added: list[int] = []

    def write() -> None:
        other = opened()
        number = 0
        while not stop.is_set():
            number += 1
            added.extend(other.add_texts({f"w{number}": invented(30, seed=10_000 + number)}).ids)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        counts = []
        for i in range(3):
            counts.append(back_up(filled, tmp_path / f"{i}.db"))
    finally:
        stop.set()
        writer.join()
    assert counts == sorted(counts)
    assert len(filled) == 32 + len(added)
    for i, count in enumerate(counts):
        with Library(tmp_path / f"{i}.db", read_only=True) as backup:
            assert len(backup) == count
            assert backup.verify() == ()


def test_what_is_restored_is_what_was_there(filled, place, tmp_path):
    path = tmp_path / "monday.db"
    before, stop_words = filled.list(limit=None), filled.stop_words()
    question = Document.from_text(f"{OWN} {RIVER}", "question")
    found = filled.check(question)
    back_up(filled, path)
    filled.remove(1, 2)
    filled.add_texts({"another river": RIVER + " Evening."})
    filled.set_stop_words("en", ["herons"])
    filled.rebuild()
    assert [source.name for source in filled.check(question).sources] == ["another river"]
    assert restore(path, place) == 32
    assert filled.list(limit=None) == before, "a library that was open sees it"
    assert filled.stop_words() == stop_words
    assert filled.check(question) == found
    assert filled.verify() == ()
    assert filled.add_texts({"new": invented(40, seed=77)}).ids == (33,)
    assert filled.verify() == ()


def test_a_backup_makes_a_library_where_there_was_none(filled, tmp_path, request):
    from .places import empty_place

    path = tmp_path / "monday.db"
    back_up(filled, path)
    for engine in ("sqlite", "postgresql"):
        with empty_place(engine, tmp_path, request) as place:
            assert restore(path, place) == 32
            with Library(place, create=False) as again:
                assert again.list(limit=None) == filled.list(limit=None)
                assert again.verify() == ()
                assert again.uid != filled.uid


def test_a_damaged_file_is_moved_aside(tmp_path, own_cache):
    place, path = tmp_path / "library.db", tmp_path / "monday.db"
    with Library(place) as library:
        library.add_texts((f"t{i}", invented(300, seed=i)) for i in range(30))
        back_up(library, path)
    damaged = bytearray(place.read_bytes())
    damaged[4096 * 3 : 4096 * 9] = bytes(4096 * 6)
    place.write_bytes(damaged)
    assert restore(path, place) == 30
    with Library(place) as library:
        assert library.verify() == ()
    assert Path(f"{place}.damaged").read_bytes() == damaged
    again = damaged[:-1] + b"x"
    place.write_bytes(again)
    assert restore(path, place) == 30
    assert Path(f"{place}.damaged").read_bytes() == damaged
    assert Path(f"{place}.damaged-2").read_bytes() == again


def test_a_library_in_use_can_be_restored_from_too(tmp_path, own_cache):
    with Library(tmp_path / "one.db") as library:
        library.add_texts({"river": RIVER, "market": MARKET})
        assert (tmp_path / "one.db-wal").stat().st_size > 0, "not all of it is in the file itself"
        assert restore(tmp_path / "one.db", tmp_path / "two.db") == 2
        library.add_texts({"own": OWN})
    with Library(tmp_path / "two.db") as other:
        assert len(other) == 2
        assert other.verify() == ()


def test_what_is_no_backup_is_refused(filled, place, tmp_path):
    nonsense = tmp_path / "nonsense.db"
    nonsense.write_bytes(b"no database at all" * 500)
    with pytest.raises(LibraryError, match="not a Likewise library"):
        restore(nonsense, place)
    with pytest.raises(LibraryError, match="there is no library"):
        restore(tmp_path / "nowhere.db", place)
    assert len(filled) == 32


def test_nobody_else_reads_a_library_or_its_backup(tmp_path, own_cache):
    """A server's signing keys are in it."""
    path, saved, copied = (tmp_path / name for name in ("a.db", "backup.db", "copy.db"))
    with Library(path) as library:
        library.add_texts({"a": "Steppe and sky."})
        back_up(library, saved)
        copy_library(library, copied)
    assert [oct(one.stat().st_mode & 0o777) for one in (path, saved, copied)] == ["0o600"] * 3
