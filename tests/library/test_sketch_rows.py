"""Rows of fingerprints that several documents share, and each document as if it had its own."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import event, select, update

from likewise.library import (
    Library,
    LibraryError,
    back_up,
    copy_library,
    restore,
    schema,
    sketch_rows,
)
from likewise.library.copying import checksum
from likewise.library.rebuild import _without
from likewise.library.segments import TEXTS, RowsOfPart
from likewise.library.sketch_rows import (
    SPAN,
    count_sketches,
    numbers_in,
    read_sketches,
    row_numbers,
    share_rows,
    sketched_numbers,
    split_row,
)
from tests.library.places import empty_place
from tests.library.texts import RIVER, invented

ROOM = 16 * 1_996
TOGETHER = [(f"{n}", invented(60, seed=n)) for n in range(30)]


@pytest.fixture
def real_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sketch_rows, "_PIECE_BYTES", 1_996)
    monkeypatch.setattr(sketch_rows, "_MOST_PIECES", 16)


def row_of(number: int, data: bytes, change: int = 1, recipe_id: int = 1) -> dict[str, Any]:
    return {
        "document_id": number,
        "recipe_id": recipe_id,
        "change": change,
        "shingles": 9,
        "fingerprints": len(data) // 7,
        "others": None,
        "hashes": data,
    }


def documents_in(rows: list[dict[str, Any]]) -> list[tuple[int, bytes]]:
    return [
        pair for row in rows for pair in split_row(row["document_id"], row["others"], row["hashes"])
    ]


# Rows alone.


@given(st.lists(st.tuples(st.integers(1, 40), st.binary(max_size=300)), max_size=60))
def test_what_is_shared_comes_back_as_it_was(steps):
    number, rows = 0, []
    for step, data in steps:
        number += step
        rows.append(row_of(number, data))
    shared = share_rows(rows, "postgresql")
    assert documents_in(shared) == [(row["document_id"], row["hashes"]) for row in rows]
    for row in shared:
        numbers = numbers_in(row["document_id"], row["others"])
        assert numbers[-1] - numbers[0] < SPAN
        assert (row["others"] or 0) < 1 << 63, "it is no negative number of a database"
    assert sum(row["fingerprints"] for row in shared) == sum(row["fingerprints"] for row in rows)
    assert share_rows(shared, "postgresql") == shared, "those that are shared stay so"
    assert share_rows(rows, "sqlite") == rows


def test_documents_of_other_changes_and_recipes_share_no_row():
    kinds = [(1, 1), (1, 1), (2, 1), (2, 1), (2, 2)]
    rows = [row_of(n, b"1234567", *kind) for n, kind in enumerate(kinds, 1)]
    shared = share_rows(rows, "postgresql")
    numbers = [numbers_in(row["document_id"], row["others"]) for row in shared]
    assert numbers == [[1, 2], [3, 4], [5]]
    assert [(row["change"], row["recipe_id"]) for row in shared] == [(1, 1), (2, 1), (2, 2)]


def test_a_row_ends_where_a_piece_of_postgresql_does(real_pieces):
    rows = [row_of(number, bytes(500 + number % 100)) for number in range(1, 501)]
    shared = share_rows(rows, "postgresql")
    long = [row for row in shared if row["others"] is not None]
    assert len(long) <= 10
    assert all(14 * 1_996 < len(row["hashes"]) <= ROOM for row in long[:8])
    assert all(len(row["hashes"]) % 1_996 > 1_996 - 700 for row in long)
    assert len(shared) - len(long) < 8, "few are left over"


def test_few_bytes_and_long_documents_have_rows_of_their_own(real_pieces):
    few = [row_of(number, bytes(600)) for number in range(1, 6)]
    assert share_rows(few, "postgresql") == few
    long = [row_of(number, bytes(ROOM)) for number in range(1, 7)]
    assert share_rows(long, "postgresql") == long


# A library whose documents share rows.


@pytest.fixture
def filled(library: Library, monkeypatch: pytest.MonkeyPatch) -> Library:
    """Rows are shared on both engines: those of SQLite may come from a copy."""
    monkeypatch.setattr(sketch_rows, "_SHARING_ENGINES", {"sqlite", "postgresql"})
    library.add_texts(TOGETHER)
    library.add_texts({"river": RIVER})
    return library


def rows_in(library: Library) -> list[Any]:
    with library.store.reading() as connection:
        query = select(schema.sketches).order_by(schema.sketches.c.document_id)
        return list(connection.execute(query))


def all_found(library: Library, without: Collection[int] = ()) -> bool:
    return all(
        [one.name for one in library.candidates(text).ranked]
        == ([] if number in without else [name])
        for number, (name, text) in enumerate(TOGETHER, 1)
    )


def test_rows_are_shared_on_postgresql_alone(library, engine_name):
    library.add_texts(TOGETHER)
    library.add_texts({"river": RIVER})
    numbers = [numbers_in(row.document_id, row.others) for row in rows_in(library)]
    if engine_name == "sqlite":
        assert numbers == [[n] for n in range(1, 32)]
    else:
        assert numbers == [[*range(1, 31)], [31]], "those of one change stand together"
    assert all_found(library)
    assert library.verify() == ()


def test_each_document_is_asked_for_by_its_number(filled):
    with filled.store.reading() as connection:
        whole = read_sketches(connection, 1, range(1, 100))
        assert list(whole) == [*range(1, 32)]
        assert read_sketches(connection, 1, [17, 4, 99]) == {17: whole[17], 4: whole[4]}
        assert sketched_numbers(connection, 1, [4, 17, 31, 32]) == {4, 17, 31}
        assert sketched_numbers(connection, 2, [4, 17, 31, 32]) == set()
        assert count_sketches(connection, [4, 17, 31, 32]) == 3
        assert read_sketches(connection, 1, []) == {}
        assert connection.execute(_without(1)).all() == []
        assert len(connection.execute(_without(2)).all()) == 31


@pytest.mark.parametrize("gone", [{1}, {5}, {1, 2, 3}, {30}, set(range(1, 31)), {7, 31}])
def test_a_document_goes_out_of_a_row_and_the_others_stay(filled, opened, gone):
    before = {number: filled.get(number).text for number in range(1, 32)}
    filled.remove(*gone)
    assert all_found(filled, gone) and all_found(opened(), gone)
    assert filled.verify() == () == opened().verify()
    with filled.store.reading() as connection:
        left = read_sketches(connection, 1, before)
    assert set(left) == set(before) - gone
    assert filled.stats().postings == opened().stats().postings
    filled.add_texts({"more": invented(60, seed=99)})
    assert filled.verify() == ()


def test_no_byte_of_a_document_stays_in_a_row_that_it_shared(filled):
    with filled.store.reading() as connection:
        packed = read_sketches(connection, 1, [5])[5]
    filled.remove(5)
    assert not any(packed[4:20] in bytes(row.hashes) for row in rows_in(filled))


@pytest.mark.parametrize("number", [1, 12])
def test_a_copy_takes_over_fingerprints_out_of_a_shared_row(filled, opened, number):
    _name, text = TOGETHER[number - 1]
    added = filled.add_texts({"copy": text.replace(" ", "  ")})
    assert added.copies == 1
    filled.remove(number)
    for library in (filled, opened()):
        assert [one.name for one in library.candidates(text).ranked] == ["copy"]
        assert library.verify() == ()
    assert [numbers_in(row.document_id, row.others) for row in rows_in(filled)][-1] == [32]


def test_a_rebuild_shares_rows_and_knows_what_is_done(filled, monkeypatch):
    monkeypatch.setattr("likewise.library.rebuild.MOST_DOCUMENTS", 8)
    filled.set_stop_words("en", filled.stop_words("en") | {"herons"})
    assert filled.stats().stale == 31
    assert filled.rebuild() == 31
    assert filled.stats().stale == 0
    assert all_found(filled)
    assert filled.verify() == ()
    assert [len(numbers_in(row.document_id, row.others)) for row in rows_in(filled)] == [8, 8, 8, 7]


def test_near_duplicates_are_found_in_shared_rows(filled):
    filled.add_texts({"near": TOGETHER[3][1] + " and a little more"})
    (pair,) = filled.duplicates(threshold=0.5)
    assert (pair.a, pair.b) == (4, 32)


# Between engines.


@pytest.mark.parametrize("other", ["sqlite", "postgresql"])
def test_documents_with_rows_of_their_own_share_them_after_a_copy_to_postgresql(
    library, separate_rows, monkeypatch, other, tmp_path, request
):
    library.add_texts(TOGETHER)
    library.remove(9)
    monkeypatch.setattr(sketch_rows, "_SHARING_ENGINES", {"postgresql"})
    with empty_place(other, tmp_path, request) as place:
        copy_library(library, place)
        with Library(place) as copy:
            with library.store.reading() as one, copy.store.reading() as two:
                assert checksum(one, schema.sketches) == checksum(two, schema.sketches)
            assert len(rows_in(copy)) == (29 if other == "sqlite" else 1)
            assert all_found(copy, {9})
            assert copy.verify() == ()


@pytest.mark.parametrize("other", ["sqlite", "postgresql"])
def test_a_copy_holds_what_shared_rows_hold(filled, other, tmp_path, request, monkeypatch):
    monkeypatch.setattr("likewise.library.copying._MOST_DOCUMENTS", 7)
    filled.remove(9)
    with empty_place(other, tmp_path, request) as place:
        copy_library(filled, place)
        with Library(place) as copy:
            with filled.store.reading() as one, copy.store.reading() as two:
                assert checksum(one, schema.sketches) == checksum(two, schema.sketches)
            assert all_found(copy, {9})
            assert copy.verify() == ()
            copy.remove(1, 3)
            assert all_found(copy, {1, 3, 9})
            assert copy.verify() == ()


def test_a_backup_and_what_is_restored_of_it(filled, place, tmp_path):
    path = tmp_path / "monday.db"
    back_up(filled, path)
    with Library(path) as backup:
        assert backup.verify() == ()
    filled.remove(2, 3)
    filled.close()
    restore(path, place)
    with Library(place) as again:
        assert all_found(again)
        assert again.verify() == ()


# Damage, and how it is asked for.


def set_row(library: Library, **values: Any) -> None:
    row = schema.sketches.c
    with library.store.writing() as (connection, _change):
        connection.execute(update(schema.sketches).where(row.document_id == 1).values(**values))


def problems_of(library: Library) -> str:
    return "\n".join(map(str, library.verify()))


def test_a_shared_row_that_cannot_be_told_apart_is_told_of_all_its_documents(filled, opened):
    (row, _river) = rows_in(filled)
    set_row(filled, hashes=bytes(row.hashes)[:-3])
    problems = problems_of(opened())
    for number in (1, 17, 30):
        assert f"document {number} ({number - 1}): its fingerprints are damaged" in problems
    assert "document 31" not in problems
    with pytest.raises(LibraryError, match="fingerprints of a document are damaged"):
        opened().candidates(RIVER)
    filled.remove(17)  # whose bytes must not stay
    assert [row.document_id for row in rows_in(filled)] == [31]
    assert "document 16 (15): its fingerprints are missing" in problems_of(opened())


def test_a_document_that_is_damaged_inside_a_shared_row(filled, opened):
    (row, _river) = rows_in(filled)
    data = bytearray(row.hashes)
    data[2 * 30] = 255  # the first byte of the first document
    set_row(filled, hashes=bytes(data))
    problems = problems_of(opened())
    assert "document 1 (0): its fingerprints are damaged" in problems
    assert "document 2 (1)" not in problems
    filled.remove(1)
    assert opened().verify() == ()
    assert all_found(opened(), {1})


def test_wrong_counts_of_a_shared_row(filled):
    set_row(filled, fingerprints=7)
    assert "document 1 (0): the counts of its fingerprints are wrong" in problems_of(filled)


def test_a_document_that_shares_a_row_and_is_not_there(filled):
    (row, _river) = rows_in(filled)
    lost = 31 + 8  # a number that nobody has
    data = bytes(row.hashes)
    more = (0).to_bytes(2, "little")
    set_row(filled, others=row.others | 1 << lost - 2, hashes=data[:60] + more + data[60:])
    assert "the table sketches: 1 row belongs to no document" in problems_of(filled)


def test_shared_rows_are_found_by_their_index_whatever_else_there_is(filled, engine_name):
    with filled.store.reading() as connection:
        statements: list[tuple[str, Any]] = []
        event.listen(
            connection,
            "before_cursor_execute",
            lambda _connection, _cursor, statement, values, *_: statements.append(
                (statement, values)
            ),
        )
        row_numbers(connection, 1, [4, 17])
        count_sketches(connection, [4, 17])
        TEXTS.sums_in(connection, RowsOfPart(1, 0, 10))
        connection.execute(_without(1)).all()
        asked = [one for one in statements if "others IS NOT NULL" in one[0]]
        assert len(asked) == 4
        if engine_name == "sqlite":  # the server decides by what it counts
            for statement, values in asked:
                plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
                assert "COVERING INDEX ix_sketches_others" in "".join(row[3] for row in plan)
