"""Where a library is, and what of it may be shown."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import text

from likewise.library import Library, LibraryError, upgrade, version_at
from likewise.library.engine import address_of, display_address
from likewise.library.errors import explain_engine_error

SECRET = "s3cr3t"


@pytest.mark.parametrize(
    "written",
    [
        f"postgresql://me:{SECRET}@campus/library",
        f"postgres://me:{SECRET}@campus:5432/library?sslmode=require",
        f"postgresql://me@campus/library?password={SECRET}&passfile=/{SECRET}&sslpassword={SECRET}",
        f"postgresql+psycopg://me:{SECRET}%2F@campus/library",
    ],
)
def test_no_password_is_shown(written):
    assert SECRET not in display_address(address_of(written))
    assert "campus" in display_address(address_of(written))


@pytest.mark.parametrize(
    "written",
    [
        f"postgresql://me:{SECRET}@{SECRET}@campus/library",
        f"postgresql://me:{SECRET}",
        f"postgresql:/me:{SECRET}@campus/library",
        f"postgresql//me:{SECRET}@campus/library",
        f"postgres:me:{SECRET}@campus",
        f"host=campus user=me password={SECRET}",
        f"me:{SECRET}@campus/library",
        f"mysql://me:{SECRET}@campus/library",
        f"postgresql+asyncpg://me:{SECRET}@campus/library",
        f"postgresql://campus/me:{SECRET}@library",
    ],
)
def test_what_is_no_address_is_not_repeated(written):
    for use in (Library, upgrade, version_at):
        with pytest.raises(LibraryError) as told:
            use(written)
        assert SECRET not in str(told.value)


def test_a_refusing_server_hears_the_password_and_nobody_else():
    with pytest.raises(LibraryError) as told:
        Library(f"postgresql://me:{SECRET}@127.0.0.1:9/library?passfile=/{SECRET}")
    assert SECRET not in str(told.value)


def test_the_library_of_a_server_is_named_without_a_password(library, engine_name):
    assert "password" not in repr(library) and "***" not in library.name


def test_a_file_may_be_called_like_a_person(tmp_path):
    folder = tmp_path / "me@campus"
    folder.mkdir()
    with Library(folder / "postgres.db") as library:
        assert library.name.endswith("postgres.db")


def test_the_home_folder_is_known(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert display_address(address_of("~/campus.db")) == str(tmp_path / "campus.db")
    assert display_address(address_of("sqlite:///~/campus.db")) == str(tmp_path / "campus.db")


@pytest.mark.parametrize("written", ["sqlite://", "sqlite:///:memory:", ":memory:", "", " "])
def test_a_library_in_sqlite_needs_a_file(written):
    with pytest.raises(LibraryError, match="needs a file"):
        Library(written)


@pytest.mark.parametrize(
    ("written", "driver"),
    [
        ("postgresql+psycopg2://campus/library", "psycopg2"),
        ("postgresql+asyncpg://campus/library", "asyncpg"),
        ("sqlite+aiosqlite:///campus.db", "aiosqlite"),
    ],
)
def test_other_drivers_are_refused(written, driver):
    with pytest.raises(LibraryError, match=f"without {driver}"):
        Library(written)


def test_one_library_has_one_address_wherever_one_stands(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Library("campus.db") as near, Library(tmp_path / "campus.db") as far:
        assert near._store.address == far._store.address == str(Path("campus.db").resolve())


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ('FATAL:  database "campus" does not exist', "there is no such database"),
        ('FATAL:  role "me" does not exist', "there is no such user"),
        ('relation "documents" does not exist', "a table of the library is missing"),
        ("FATAL:  the database system is in recovery mode", "the server is starting"),
        ("FATAL:  the database system is not yet accepting connections", "the server is starting"),
        ("operator does not exist: bigint = text", "the database says"),
    ],
)
def test_what_the_server_says_is_taken_for_what_it_means(said, told):
    assert str(explain_engine_error(said)).startswith(told)


def test_a_connection_in_hand_when_a_library_is_closed_is_closed_when_it_is_given_back(place):
    library = Library(place)
    with library.store.reading() as connection:
        entry = connection.connection
        library.close()
        assert connection.execute(text("SELECT 1")).scalar() == 1, "whoever has it may finish"
        raw = entry.dbapi_connection
    if place.startswith("postgresql"):
        assert raw.closed
    else:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            raw.execute("SELECT 1")
