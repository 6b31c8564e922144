"""Every kind of damage is told as a problem, in a sentence, and never ends in an error."""

from __future__ import annotations

import pytest
import zstandard
from sqlalchemy import delete, insert, text, update

from likewise.library import LibraryError, schema
from tests.library.texts import MARKET, RIVER


@pytest.fixture
def filled(library, tmp_path):
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "river.txt").write_text(RIVER)
    library.add(folder, keep_original=True)
    library.add_texts({"market": MARKET})
    assert library.verify() == ()
    return library


def change(library, *statements):
    with library._store.writing() as (connection, _change):
        for statement in statements:
            connection.execute(statement)


def told(library) -> str:
    return "\n".join(map(str, library.verify()))


def test_fingerprints_of_a_wrong_length(filled, opened):
    change(filled, update(schema.sketches).values(hashes=b"12345"))
    assert "document 1 (river.txt): its fingerprints are damaged" in told(filled)
    assert "fingerprints are damaged" in told(opened())
    with pytest.raises(LibraryError, match="fingerprints of a document are damaged"):
        opened().candidates(RIVER)


@pytest.mark.parametrize("settings", ["{", "[]", '{"shingle": -3}', '{"shingle": "x"}', "7"])
def test_a_damaged_recipe(filled, opened, settings):
    change(filled, update(schema.recipes).values(settings=settings))
    assert "its recipe 1 is damaged; restore a backup" in told(opened())
    with pytest.raises(LibraryError, match="recipe 1 is damaged; restore a backup"):
        opened().candidates(RIVER)


def test_a_missing_row_of_the_library(filled, opened):
    change(filled, delete(schema.library))
    for use in (
        lambda library: library.verify(),
        lambda library: library.candidates(RIVER),
        lambda library: library.add_texts({"more": "more of it"}),
        lambda library: library.set_value("a", "b"),
    ):
        with pytest.raises(LibraryError, match="is missing; restore a backup"):
            use(opened())


def test_rows_of_no_document_and_of_no_recipe(filled, engine_name):
    if engine_name != "sqlite":
        return  # the server does not let it happen
    with filled._store._engine.connect() as connection:
        connection.exec_driver_sql("ROLLBACK")
        connection.exec_driver_sql("PRAGMA foreign_keys = off")
        connection.exec_driver_sql("INSERT INTO tags VALUES (77, 'nobody')")
        connection.exec_driver_sql("INSERT INTO texts VALUES (78, x'00')")
        connection.exec_driver_sql("UPDATE library SET recipe_id = 9")
        connection.exec_driver_sql("PRAGMA foreign_keys = on")
        connection.exec_driver_sql("BEGIN")
    problems = told(filled)
    assert "the table tags: 1 row belongs to no document" in problems
    assert "the table texts: 1 row belongs to no document" in problems
    assert "its recipe 9 is missing; restore a backup" in problems


def test_a_damaged_original(filled):
    change(filled, update(schema.originals).values(packed=b"nothing that was packed"))
    assert "document 1 (river.txt): its original in the library is damaged" in told(filled)
    with pytest.raises(LibraryError, match="is damaged; add the file again"):
        filled.original(1)


def test_an_original_that_is_another_file(filled):
    other = zstandard.ZstdCompressor().compress(b"another file")
    change(filled, update(schema.originals).values(packed=other))
    assert "document 1 (river.txt): its original is not the file that was added" in told(filled)


def test_numbers_that_would_be_given_twice(filled):
    change(filled, update(schema.library).values(last_document=1))
    assert "given out numbers up to 1, and there is document 2" in told(filled)


def test_a_date_that_is_none(filled, engine_name):
    if engine_name != "sqlite":
        return  # the server does not let it happen
    change(filled, text("UPDATE documents SET added_on = 'yesterday' WHERE id = 2"))
    assert "document 2: 'yesterday' is no date" in told(filled)
    with pytest.raises(LibraryError, match="a date in it is damaged"):
        filled.entry(2)


def test_an_index_of_the_database_that_lacks_a_row(filled, engine_name):
    if engine_name != "sqlite":
        return
    with filled._store._engine.connect() as connection:
        connection.exec_driver_sql("ROLLBACK")
        connection.exec_driver_sql("PRAGMA writable_schema = on")
        connection.exec_driver_sql(
            "UPDATE sqlite_master SET sql = sql || ' WHERE id > 1' WHERE name = 'ix_documents_name'"
        )
        connection.exec_driver_sql("PRAGMA writable_schema = off")
        connection.exec_driver_sql("BEGIN")
    filled.close()
    assert "the file:" in told(filled)


def test_a_table_that_is_not_text(filled):
    change(filled, update(schema.texts).values(packed=zstandard.ZstdCompressor().compress(b"[]")))
    assert "document 1 (river.txt)" in told(filled)


def test_tags_are_no_problem(filled):
    change(filled, insert(schema.tags).values(document_id=1, tag="spring"))
    assert filled.verify() == ()
