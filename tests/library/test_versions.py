"""Libraries of every version that ever was, brought up to date."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, MetaData, insert, select, text

from likewise.library import Library, LibraryError, back_up, restore, schema, upgrade, version_at
from likewise.library.engine import address_of, engine_at
from likewise.library.store import now
from likewise.library.versions import UNFINISHED, VERSION_TABLE, differences, upgrade_tables
from likewise.model import Document
from likewise.server.database import tables
from likewise.server.people.audit import list_entries

from .texts import MARKET, RIVER

DUMPS = sorted(Path(__file__).parent.glob("version-*.sql"))


@contextmanager
def engine_of(place: str | Path) -> Iterator[Engine]:
    engine = engine_at(address_of(place))
    try:
        yield engine
    finally:
        engine.dispose()


@pytest.fixture(params=DUMPS, ids=lambda path: path.stem)
def old(
    request: pytest.FixtureRequest, place: str, tmp_path: Path, own_cache: Path, engine_name: str
) -> str:
    """A library as it was written by the version in the file's name."""
    path = place if engine_name == "sqlite" else str(tmp_path / "old.db")
    with closing(sqlite3.connect(path)) as raw:
        raw.executescript(request.param.read_text("utf-8"))
    if engine_name != "sqlite":
        version = request.param.stem.removeprefix("version-")
        with engine_of(path) as source, engine_of(place) as target:
            upgrade_tables(target, to=version)
            copy_rows(source, target)
    return place


def copy_rows(source: Engine, target: Engine) -> None:
    """The rows of a library to tables of the same version, whatever these are today."""
    there, here = MetaData(), MetaData()
    there.reflect(source)
    here.reflect(target)
    with source.connect() as reading, target.begin() as writing:
        for table in here.sorted_tables:
            if table.name == VERSION_TABLE:
                continue
            rows = reading.execute(select(there.tables[table.name])).mappings().all()
            if rows:
                writing.execute(insert(table), [dict(row) for row in rows])


LINES = (
    ("1", "u", "aigul", "logged in", None, "192.0.2.7", "{}"),
    ("2", "u", "aigul", "sessions ended", "bolat", "192.0.2.7", '{"sessions": 2}'),
    ("3", None, "gulnar", "logged in", None, "192.0.2.9", "{}"),
    ("4", None, None, "check of another read", "c", None, '{"owner": "aigul"}'),
    ("5", "u", "aigul", "person changed", "aigul", None, '{"email": "a@example.kz", "role": "x"}'),
    ("6", None, "erased person", "logged in", "erased person", None, "{}"),
)


def test_lines_of_an_old_audit_log_name_people_by_numbers_after_the_upgrade(place):
    with engine_of(place) as engine:
        upgrade_tables(engine, to="6")
        with engine.begin() as connection:
            user = {"id": "u", "name": "aigul", "shown_name": "Aigul N.", "role": "teacher"}
            other = {"password": "", "must_change": False, "is_active": True, "made_on": now()}
            old = MetaData()
            old.reflect(connection, only=["users", "audit"])
            connection.execute(insert(old.tables["users"]).values(**user, **other))
            names = ("id", "user_id", "user_name", "act", "target", "address", "detail")
            for line in LINES:
                values = dict(zip(names, line, strict=True)) | {"on": now()}
                connection.execute(insert(old.tables["audit"]).values(**values))
    upgrade(place)
    with Library(place) as library, library.store.reading() as connection:
        kept = str(connection.execute(text("SELECT * FROM audit")).all())
        assert not any(one in kept for one in ("aigul", "Aigul", "bolat", "192.0.2", "gulnar"))
        assert "example.kz" not in kept
        lines = {one.id: one for one in list_entries(connection)[0]}
        before = {line[0]: line for line in LINES}
        for id, entry in lines.items():
            assert (entry.user_name, entry.act, entry.target, entry.address) == before[id][2:6], id
        assert lines["4"].detail == {"owner": "aigul"}
        assert lines["5"].detail == {"email": None, "role": "x"}
        assert lines["1"].user_id == "u" and lines["3"].user_id is None
        assert [one.id for one in list_entries(connection, person="gulnar")[0]] == ["3"]


def test_there_is_a_library_of_every_version():
    versions = {path.stem.removeprefix("version-") for path in DUMPS}
    assert versions == {str(number) for number in range(1, int(schema.VERSION) + 1)}


def test_an_old_library_holds_after_the_upgrade_what_it_held_before(old):
    upgrade(old)
    assert version_at(old) == schema.VERSION
    with engine_of(old) as engine, engine.connect() as connection:
        assert differences(connection) == []
    with Library(old, create=False) as library:
        library.rebuild()  # this machine may know other stems than the one that wrote the file
        assert library.verify() == ()
        river, market, again = library.list().entries
        assert (river.name, river.author, river.year, river.month) == ("river", "Ә. Нұр", 2024, 5)
        assert (river.owner, river.type, river.advisor) == ("dean", "essay", "B")
        assert river.tags == ("history", "spring")
        assert [reference.owner for reference in market.again] == ["other"]
        assert again.copy_of == market.id
        assert library.get(river.id).text == RIVER
        assert library.stop_words("en") == {"the", "of", "and", "a"}
        assert library.value("greeting") == "сәлем"
        found = library.check(Document.from_text(MARKET, "question"))
        assert found.shares.similar == 1
        assert library.add_texts({"new": "Steppe and sky."}).ids == (5,)


def test_an_upgraded_library_takes_collections(old):
    upgrade(old)
    with Library(old, create=False) as library:
        library.rebuild()
        assert {entry.collection for entry in library.list(limit=None).entries} == {""}
        added = library.add_texts({"river": RIVER}, collection="history")
        assert (len(added.ids), added.copies) == (1, 1)
        assert library.check(Document.from_text(RIVER, "q"), collection="history").documents == 1
        assert library.verify() == ()


def test_a_backup_is_restored_over_an_old_library_whose_people_stay_out(old, tmp_path, engine_name):
    person: dict[str, Any] = {
        "id": "zarina",
        "name": "zarina",
        "shown_name": "Z.",
        "role": "teacher",
    }
    person |= {"password": "-", "must_change": False, "is_active": True, "made_on": now()}
    with Library(tmp_path / "today.db") as today:
        today.add_texts({"new": "Steppe and sky."})
        with today.store.beside() as connection:
            connection.execute(insert(tables.users).values(**person))
        back_up(today, tmp_path / "backup.db")
    there = MetaData()
    with engine_of(old) as engine:
        there.reflect(engine)
        if (users := there.tables.get("users")) is not None:
            with engine.begin() as connection:
                connection.execute(insert(users).values(**person | {"is_active": False}))
    if engine_name != "sqlite" and version_at(old) != schema.VERSION:
        # A file is replaced. The tables on a server are filled, and have to be those of today.
        with pytest.raises(LibraryError, match="of an older Likewise"):
            restore(tmp_path / "backup.db", old)
        upgrade(old)
    assert restore(tmp_path / "backup.db", old) == 1
    assert version_at(old) == schema.VERSION
    with Library(old, create=False) as library:
        assert [entry.name for entry in library.list().entries] == ["new"]
        assert library.verify() == ()
        with library.store.reading() as connection:
            is_active = connection.execute(select(tables.users.c.is_active)).scalar_one()
        assert is_active == (users is None)
    with engine_of(old) as engine, engine.connect() as connection:
        assert differences(connection) == []


def test_a_copy_that_was_not_finished_is_not_upgraded(old):
    with engine_of(old) as engine, engine.begin() as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '{UNFINISHED}'"))
    with pytest.raises(LibraryError, match="was not finished"):
        upgrade(old)
