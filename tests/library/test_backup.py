"""Backups, made and put back while others work."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, func, insert, select, update

from likewise.library import (
    Library,
    LibraryError,
    back_up,
    copy_library,
    restore,
    schema,
)
from likewise.library.store import now
from likewise.model import Document
from likewise.server.database import tables
from likewise.server.database.erase_accounts import REMOVED_PERSON
from likewise.server.database.restore_accounts import report_restore

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


@pytest.mark.postgres
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


# Who may come in after a restore.


def _a_server(library: Library) -> None:
    """Two people, each with a key and a session that lives."""
    from datetime import datetime, timedelta

    moment = datetime(2026, 5, 4)
    soon = now() + timedelta(days=3)
    with library.store.beside() as connection:
        for name, role in (("aigul", "teacher"), ("dean", "administrator")):
            person: dict[str, Any] = {"id": name, "name": name, "shown_name": name, "role": role}
            person |= {"password": "old hash", "must_change": False, "is_active": True}
            connection.execute(insert(tables.users).values(**person, made_on=moment))
            connection.execute(
                insert(tables.sessions).values(
                    id=f"s-{name}", user_id=name, made_on=moment, used_on=moment, ends_on=soon
                )
            )
            connection.execute(
                insert(tables.refresh_tokens).values(
                    hash=name.encode().ljust(32), session_id=f"s-{name}", made_on=moment
                )
            )
            key = {"id": f"k-{name}", "user_id": name, "name": f"{name}s script", "scopes": "[]"}
            connection.execute(
                insert(tables.api_keys).values(**key, hash=bytes(32), made_on=moment)
            )
            connection.execute(
                insert(tables.password_resets).values(
                    hash=name.encode().ljust(32), user_id=name, made_on=moment, ends_on=soon
                )
            )


def _told(library: Library, table: str, column: str) -> dict[str, object]:
    chosen = schema.metadata.tables[table]
    with library.store.reading() as connection:
        return dict(connection.execute(select(chosen.c.id, chosen.c[column])).all())


def _rows(library: Library, table: str) -> int:
    with library.store.reading() as connection:
        chosen = schema.metadata.tables[table]
        return connection.execute(select(func.count()).select_from(chosen)).scalar_one()


def test_nobody_is_logged_in_to_what_was_restored(library, place, tmp_path):
    _a_server(library)
    back_up(library, tmp_path / "monday.db")
    restore(tmp_path / "monday.db", place)
    assert None not in _told(library, "sessions", "ended_on").values()
    assert set(_told(library, "sessions", "ended_why").values()) == {"library restored"}
    assert _rows(library, "refresh_tokens") == _rows(library, "password_resets") == 0
    with Library(tmp_path / "monday.db", read_only=True) as backup:
        assert _rows(backup, "refresh_tokens") == 2, "the backup stays as it is"


def test_who_was_put_out_since_the_backup_stays_out(library, place, tmp_path):
    _a_server(library)
    back_up(library, tmp_path / "monday.db")
    moment = now()
    with library.store.beside() as connection:
        users, keys = tables.users, tables.api_keys
        connection.execute(update(users).where(users.c.id == "aigul").values(is_active=False))
        connection.execute(
            update(users).where(users.c.id == "dean").values(password="new hash", role="teacher")
        )
        connection.execute(update(keys).where(keys.c.id == "k-dean").values(ended_on=moment))
        line = {"id": "line", "on": moment, "act": "key revoked", "detail": "{}"}
        connection.execute(insert(tables.audit).values(**line, user_id="dean"))
    report = report_restore(tmp_path / "monday.db", place)
    assert report.people_kept_out == ("aigul",)
    assert report.keys_kept_out == (("aiguls script", "aigul"), ("deans script", "dean"))
    assert (report.people_revived, report.keys_revived) == ((), ())
    assert (report.sessions_ended, report.passwords_kept, report.roles_kept) == (2, 1, 1)
    assert _told(library, "users", "is_active") == {"aigul": False, "dean": True}
    restore(tmp_path / "monday.db", place)
    assert _told(library, "users", "is_active") == {"aigul": False, "dean": True}
    assert _told(library, "users", "password") == {"aigul": "old hash", "dean": "new hash"}
    assert _told(library, "users", "role") == {"aigul": "teacher", "dean": "teacher"}
    ended = _told(library, "api_keys", "ended_on")
    assert ended["k-dean"] == moment and ended["k-aigul"] is not None
    acts = sorted(map(str, _told(library, "audit", "act").values()))
    assert acts == ["key revoked", "library restored"], "what was noted since stays"


def test_who_was_removed_since_comes_back_without_a_way_in(library, place, tmp_path):
    import hashlib

    _a_server(library)
    back_up(library, tmp_path / "monday.db")
    key = REMOVED_PERSON + hashlib.sha256(b"aigul").hexdigest()
    with library.store.beside() as connection:
        connection.execute(delete(tables.users).where(tables.users.c.id == "aigul"))
        connection.execute(insert(schema.key_values).values(key=key, value=""))
    assert report_restore(tmp_path / "monday.db", place).people_kept_out == ("aigul",)
    restore(tmp_path / "monday.db", place)
    assert _told(library, "users", "is_active") == {"aigul": False, "dean": True}
    with library.store.reading() as connection:
        kept = select(schema.key_values.c.value).where(schema.key_values.c.key == key)
        assert connection.execute(kept).scalar() == "", "the name is never given again"


@pytest.mark.postgres
def test_into_an_empty_place_everybody_who_comes_back_is_listed(library, tmp_path, request):
    from .places import empty_place

    _a_server(library)
    back_up(library, tmp_path / "monday.db")
    for engine in ("sqlite", "postgresql"):
        with empty_place(engine, tmp_path, request) as place:
            report = report_restore(tmp_path / "monday.db", place)
            assert report.people_revived == ("aigul", "dean")
            assert [user for _, user in report.keys_revived] == ["aigul", "dean"]
            assert report.sessions_ended == 2
            restore(tmp_path / "monday.db", place)
            with Library(place, create=False) as again:
                assert None not in _told(again, "sessions", "ended_on").values()
                assert _rows(again, "refresh_tokens") == 0


@pytest.mark.parametrize(("of_backup", "of_library"), [(4096, 16_384), (16_384, 4096)])
def test_a_backup_with_pages_of_another_length_takes_the_place(
    tmp_path, own_cache, monkeypatch, of_backup, of_library
):
    place, path = tmp_path / "library.db", tmp_path / "monday.db"
    for file, name, page_bytes in ((path, "river", of_backup), (place, "market", of_library)):
        monkeypatch.setattr("likewise.library.engine._PAGE_BYTES", page_bytes)
        with Library(file) as library:
            library.add_texts({name: RIVER})
    with Library(place) as library:
        assert restore(path, place) == 1
        assert [entry.name for entry in library.list().entries] == ["river"]
    with Library(place) as library:
        assert library.verify() == ()
        assert [one.name for one in library.candidates(RIVER).ranked] == ["river"]
