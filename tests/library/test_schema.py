"""One schema for both engines, made at once or by migrations, and of no other version."""

from __future__ import annotations

import threading
import time

import pytest
from sqlalchemy import create_engine, inspect, text

from likewise.library import Library, LibraryError, upgrade
from likewise.library.engine import address_of
from likewise.library.schema import VERSION
from likewise.library.versions import VERSION_TABLE, differences, make_tables


@pytest.fixture
def engine(place):
    engine = create_engine(address_of(place))
    yield engine
    engine.dispose()


def test_a_new_library_is_what_the_schema_says(library, engine):
    with engine.connect() as connection:
        assert differences(connection) == []


def test_the_migrations_lead_to_the_same_schema(place, engine):
    upgrade(place)
    with engine.connect() as connection:
        assert differences(connection) == []
        found = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar_one()
    assert found == VERSION


def test_migrated_and_made_at_once_are_alike(place, engine, tmp_path, engine_name):
    upgrade(place)
    migrated = inspect(engine)
    other = create_engine(f"sqlite:///{tmp_path / 'other.db'}")
    with other.begin() as connection:
        make_tables(connection)
    made = inspect(other)
    for table in made.get_table_names():
        assert {c["name"] for c in made.get_columns(table)} == {
            c["name"] for c in migrated.get_columns(table)
        }
        for what in ("get_indexes", "get_foreign_keys", "get_unique_constraints"):
            names = [{one["name"] for one in getattr(i, what)(table)} for i in (made, migrated)]
            if engine_name == "sqlite":
                assert names[0] == names[1], (table, what)
    other.dispose()


def test_upgrading_an_up_to_date_library_changes_nothing(library, place):
    library.add_texts({"a": "Steppe and sky."})
    upgrade(place)
    assert len(library) == 1


def test_a_library_of_a_newer_version_is_refused(library, place, engine):
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '99'"))
    with pytest.raises(LibraryError, match=r"version 99.*install a newer Likewise"):
        Library(place)


def test_a_library_of_an_older_version_asks_for_an_upgrade(library, place, engine):
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '0'"))
    with pytest.raises(LibraryError, match="library upgrade"):
        Library(place)


def test_rows_are_read_in_order_by_as_small_an_index_as_the_engine_has(place, engine, engine_name):
    upgrade(place)
    for table in ("sketches", "document_tables", "concept_blocks"):
        columns = {one["name"]: one["column_names"] for one in inspect(engine).get_indexes(table)}
        if engine_name == "sqlite":
            in_order = columns[f"ix_{table}_in_order"]
            assert in_order[:3] == ["recipe_id", "change", "document_id"]
        else:  # a key that many rows share is kept once
            columns.pop("ix_sketches_others", None)  # of those few that several documents share
            assert columns == {f"ix_{table}_change": ["recipe_id", "change"]}


@pytest.mark.parametrize("engine_name", ["postgresql"])
def test_a_migration_gives_way_to_whoever_holds_a_table_and_tries_again(library, place, engine):
    """Whoever has read one table and asks for another never waits for a migration that waits."""
    library.add_texts({"a": "Steppe and sky."})
    first = engine.connect()
    first.begin()
    first.execute(text("SELECT count(*) FROM texts"))  # of the tables, one of the last
    migration = threading.Thread(target=upgrade, args=(place,))
    migration.start()
    try:
        for _ in range(8):
            time.sleep(0.3)
            with engine.begin() as other:  # asks for what the migration takes first
                other.execute(text("SET LOCAL lock_timeout = '2s'"))
                other.execute(text("SELECT count(*) FROM documents"))
        assert migration.is_alive()
        first.execute(text("SELECT count(*) FROM documents"))
    finally:
        first.close()
        migration.join(30)
    assert not migration.is_alive()
    assert len(library) == 1
