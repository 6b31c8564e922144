"""Hosts bring their tables: the library names none of them, and loses none."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import Column, Connection, DateTime, ForeignKey, LargeBinary, Table, Text, select

import likewise
from likewise.library import (
    EraseRequest,
    Library,
    back_up,
    copy_library,
    registry,
    restore,
    run_erasure,
    schema,
)
from likewise.library.receipts import receipt_text
from likewise.library.registry import HostTables, make_host_tables, register
from likewise.server.database.tables import TABLES
from tests.library.places import empty_place

from .texts import RIVER

LIBRARY = Path(likewise.__file__).parent / "library"
# Where a word is a name of a table and of something else: a field of receipts, an option, a module.
_OTHER_MEANINGS = {"erasure.py": {"users"}}


# The server


def test_the_library_names_no_table_of_the_server() -> None:
    names = {table.name for table in TABLES}
    offences = [
        f"{path.relative_to(LIBRARY)}:{node.lineno}: {node.value}"
        for path in sorted(LIBRARY.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node.value.partition(".")[0] in names - _OTHER_MEANINGS.get(path.name, set())
    ]
    assert offences == []


def test_the_library_names_one_module_of_the_server_and_imports_none() -> None:
    named = {
        (path.name, node.value)
        for path in sorted(LIBRARY.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and "likewise.server" in str(node.value)
    }
    assert named == {("registry.py", "likewise.server.database.host")}


def _run(code: str) -> str:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def test_a_library_of_plain_python_has_the_tables_of_a_server_and_so_has_its_backup(
    tmp_path: Path,
) -> None:
    code = f"""
import sqlite3, sys
from likewise import Library
from likewise.library import back_up
with Library({str(tmp_path / "campus.db")!r}) as library:
    library.add_texts({{"a": "Steppe and sky."}})
    back_up(library, {str(tmp_path / "monday.db")!r})
rows = sqlite3.connect({str(tmp_path / "monday.db")!r}).execute("SELECT name FROM sqlite_master")
print(*sorted(name for (name,) in rows))
print(*sorted({{"fastapi", "starlette", "uvicorn", "pydantic"}} & set(sys.modules)))
"""
    tables, _, web = _run(code).partition("\n")
    assert {table.name for table in TABLES} | {"erasures"} <= set(tables.split())
    assert web == ""


# Another host


loans = Table(
    "loans",
    schema.metadata,
    Column("id", Text, primary_key=True),
    Column("document_id", schema.Number, ForeignKey("documents.id", ondelete="CASCADE")),
    Column("borrower", Text, nullable=False),
    Column("until", DateTime),
    Column("slip", LargeBinary),
)
schema.metadata.remove(loans)  # other tests know nothing of it


class Lending(HostTables):
    name = "lending"
    tables = (loans,)


@pytest.fixture
def lending(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """A host that is there until the test says that it is not."""
    registry.registered_hosts()
    host = Lending()
    schema.metadata._add_table(loans.name, None, loans)
    register(host)

    def leave() -> None:
        if registry._hosts.pop(host.name, None):
            schema.metadata.remove(loans)

    yield leave
    leave()


def lend(connection: Connection) -> None:
    values = {"document_id": 1, "borrower": "Әсел", "slip": bytes(range(256))}
    connection.execute(loans.insert().values(id="l1", **values))


def lent(library: Library) -> list[tuple[object, ...]]:
    with library.store.reading() as connection:
        return [tuple(row) for row in connection.execute(select(loans.c.borrower, loans.c.slip))]


ROWS = [("Әсел", bytes(range(256)))]


def test_a_new_library_has_the_tables_of_every_host(lending, opened):
    library = opened()
    library.add_texts({"river": RIVER})
    with library.store.beside() as connection:
        lend(connection)
    assert lent(library) == ROWS
    assert library.verify() == ()


@pytest.mark.parametrize("is_there", [True, False], ids=["registered", "not registered"])
@pytest.mark.parametrize("other", ["sqlite", "postgresql"])
def test_a_copy_takes_the_tables_of_a_host_along(
    lending, opened, tmp_path, request, other, is_there
):
    library = opened()
    library.add_texts({"river": RIVER})
    with library.store.beside() as connection:
        lend(connection)
    if not is_there:
        lending()
    with empty_place(other, tmp_path, request) as target:
        copy_library(library, target)
        with Library(target, create=False) as copy:
            assert lent(copy) == ROWS


@pytest.mark.parametrize("is_there", [True, False], ids=["registered", "not registered"])
def test_a_backup_brings_the_tables_of_a_host_back(lending, opened, place, tmp_path, is_there):
    library = opened()
    library.add_texts({"river": RIVER})
    with library.store.beside() as connection:
        lend(connection)
    if not is_there:
        lending()
    back_up(library, tmp_path / "monday.db")
    with library.store.beside() as connection:
        connection.execute(loans.delete())
    restore(tmp_path / "monday.db", place)
    assert lent(opened()) == ROWS


def test_a_host_comes_to_a_library_that_was_made_before(lending, opened, tmp_path):
    lending()
    library = opened()
    library.add_texts({"river": RIVER})
    schema.metadata._add_table(loans.name, None, loans)
    register(Lending())
    back_up(library, tmp_path / "without.db")
    with library.store.beside() as connection:
        make_host_tables(connection, Lending())
        lend(connection)
    assert library.verify() == ()
    back_up(library, tmp_path / "with.db")
    with Library(tmp_path / "with.db", read_only=True) as backup:
        assert lent(backup) == ROWS


def test_a_receipt_says_that_a_host_was_not_there_to_erase(lending, opened):
    library = opened()
    library.add_texts({"river": RIVER})
    assert "host tables" not in run_erasure(library, EraseRequest(documents=(1,))).unreached
    lending()
    receipt = run_erasure(library, EraseRequest(documents=(1,)))
    assert receipt.unreached["host tables"] == 1
    assert "not installed here" in receipt_text(receipt)
