"""The rows that fingerprints stand in: one for each document, or for several that came together.

Beside what it holds, a row of PostgreSQL takes some 120 bytes, as many as sixteen
fingerprints. So short documents that come in one change share a row there: its number is that of
the first, and `others` has a bit for each of those that follow. A row of SQLite has next to nothing
beside what it holds, and long ones would leave much of a page empty. Rows of either kind are read
on both engines.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import (
    ColumnElement,
    Connection,
    Integer,
    and_,
    cast,
    delete,
    func,
    insert,
    select,
    update,
)

from likewise.library import schema
from likewise.library.errors import LibraryError
from likewise.library.filters import NUMBERS, split_numbers
from likewise.library.sketches import hashes_from

Row = dict[str, Any]
Numbers = NDArray[np.int64]

SPAN = 64  # numbers of documents that a row may have: its own, and a bit for each that follows
_SHARING_ENGINES = frozenset({"postgresql"})
# PostgreSQL cuts long values into pieces of so many bytes, of which four fill a page: a row that is
# shared ends where its last piece is nearly full, and has two at least, or nothing would be gained.
_PIECE_BYTES = 1_996
_FEWEST_PIECES, _MOST_PIECES = 2, 16
_LENGTH = np.dtype("<u2")
_DAMAGED = b"\0"  # what `hashes_from` refuses

_row = schema.sketches.c
_IS_SHARED = _row.others.is_not(None)
# Sums, since SQLite would go through all rows of a recipe or of a change to find those few that are
# shared; these have an index of their own.
_recipe_of_shared, _change_of_shared = _row.recipe_id + 0, _row.change + 0


# In


def share_rows(rows: Iterable[Row], engine: str) -> list[Row]:
    """Rows of single documents as an engine should keep them; those that are shared stay so."""
    if engine not in _SHARING_ENGINES:
        return list(rows)
    shared: list[Row] = []
    run: list[Row] = []
    for row in rows:
        if run and not _may_share(run[-1], row):
            shared += _share(run)
            run = []
        run.append(row)
    return [*shared, *_share(run)]


def _may_share(row: Row, following: Row) -> bool:
    return (
        row["others"] is following["others"] is None
        and (row["recipe_id"], row["change"]) == (following["recipe_id"], following["change"])
        and row["document_id"] < following["document_id"]
    )


def _share(run: Sequence[Row]) -> Iterator[Row]:
    """Rows of one change by ascending number, as many in each as numbers and pieces allow."""
    numbers = [row["document_id"] for row in run]
    ends = list(accumulate(len(row["hashes"]) + _LENGTH.itemsize for row in run))
    place = 0
    while place < len(run):
        before = ends[place - 1] if place else 0
        end = min(
            bisect_left(numbers, numbers[place] + SPAN),
            bisect_right(ends, before + _MOST_PIECES * _PIECE_BYTES),
        )
        size = ends[end - 1] - before if end > place else 0
        pieces = (size + _PIECE_BYTES // 4) // _PIECE_BYTES
        end = min(end, bisect_right(ends, before + pieces * _PIECE_BYTES))
        if pieces < _FEWEST_PIECES or end < place + 2:
            end = place + 1
        yield _join_rows(run[place:end])
        place = end


def _join_rows(rows: Sequence[Row]) -> Row:
    """One row for several documents: before their fingerprints stand the lengths of these."""
    first, *others = rows
    if not others:
        return first
    lengths = np.array([len(row["hashes"]) for row in rows], dtype=_LENGTH)
    behind = (row["document_id"] - first["document_id"] - 1 for row in others)
    return first | {
        "others": sum(1 << place for place in behind),
        "shingles": 0,
        "fingerprints": sum(row["fingerprints"] for row in rows),
        "hashes": lengths.tobytes() + b"".join(row["hashes"] for row in rows),
    }


# Out


def numbers_in(first: int, others: int | None) -> list[int]:
    """The documents of a row, by its own number and its `others`.

    >>> numbers_in(7, None), numbers_in(7, 0b101)
    ([7], [7, 8, 10])
    """
    bits = others or 0
    return [first, *(first + 1 + place for place in range(bits.bit_length()) if bits >> place & 1)]


def _following_numbers(
    connection: Connection, *conditions: ColumnElement[bool]
) -> tuple[Numbers, Numbers]:
    """The documents that follow the first ones of shared rows, and the numbers of their rows."""
    query = select(_row.document_id, _row.others).where(_IS_SHARED, *conditions)
    rows = [(row.document_id, row.others) for row in connection.execute(query)]
    firsts, others = np.array(rows, dtype=np.int64).reshape(-1, 2).T
    which, place = np.nonzero(others[:, None] >> np.arange(SPAN - 1) & 1)
    return firsts[which] + 1 + place, firsts[which]


def following_in_changes(connection: Connection, recipe_id: int, after: int, until: int) -> Numbers:
    """The documents that follow the first ones of the rows of some changes."""
    is_meant = (
        _recipe_of_shared == recipe_id,
        _change_of_shared > after,
        _change_of_shared <= until,
    )
    return _following_numbers(connection, *is_meant)[0]


def split_row(
    first: int, others: int | None, hashes: bytes | memoryview
) -> list[tuple[int, bytes]]:
    """The documents of a row with the fingerprints of each, as `hashes_to` packs them."""
    data, numbers = bytes(hashes), numbers_in(first, others)
    if len(numbers) == 1:
        return [(first, data)]
    begin = len(numbers) * _LENGTH.itemsize
    lengths = np.frombuffer(data[:begin].ljust(begin, b"\0"), dtype=_LENGTH)
    bounds = [begin, *(begin + np.cumsum(lengths, dtype=np.int64)).tolist()]
    if bounds[-1] != len(data):
        raise LibraryError("library.fingerprints_damaged")
    return [
        (number, data[start:end])
        for number, start, end in zip(numbers, bounds, bounds[1:], strict=False)
    ]


def row_numbers(connection: Connection, recipe_id: int, documents: Collection[int]) -> set[int]:
    """The numbers that rows of some documents may have: their own, or those of others."""
    _, firsts = _following(connection, documents, _recipe_of_shared == recipe_id)
    return {*documents, *firsts.tolist()}


def _following(
    connection: Connection, documents: Collection[int], *conditions: ColumnElement[bool]
) -> tuple[Numbers, Numbers]:
    """Those documents that follow the first ones of shared rows, and the numbers of these rows.

    All rows between the first and the last document are looked at: a million documents share so few
    that this is sooner done than asking for each.
    """
    low, high = min(documents, default=0) - SPAN + 1, max(documents, default=0)
    is_between = _row.document_id.between(low, high)
    numbers, firsts = _following_numbers(connection, is_between, *conditions)
    is_meant = np.isin(numbers, np.fromiter(documents, dtype=np.int64))
    return numbers[is_meant], firsts[is_meant]


def read_sketches(
    connection: Connection, recipe_id: int, documents: Collection[int]
) -> dict[int, bytes]:
    """The packed fingerprints of those documents that have some by a recipe."""
    sketches: dict[int, bytes] = {}
    query = select(_row.document_id, _row.others, _row.hashes).where(
        _row.recipe_id == recipe_id, _row.document_id.in_(NUMBERS)
    )
    for part in split_numbers(sorted(row_numbers(connection, recipe_id, documents))):
        for row in connection.execute(query, {"numbers": part}):
            try:
                sketches.update(split_row(*row))
            except LibraryError:
                sketches.update(dict.fromkeys(numbers_in(row.document_id, row.others), _DAMAGED))
    return {number: sketches[number] for number in documents if number in sketches}


def sketched_numbers(
    connection: Connection, recipe_id: int, documents: Collection[int]
) -> set[int]:
    """Those documents that have fingerprints by a recipe."""
    following, _ = _following(connection, documents, _recipe_of_shared == recipe_id)
    numbers: set[int] = set(following.tolist())
    query = select(_row.document_id).where(
        _row.recipe_id == recipe_id, _row.document_id.in_(NUMBERS)
    )
    for part in split_numbers(sorted(documents)):
        numbers.update(connection.execute(query, {"numbers": part}).scalars())
    return numbers


def count_sketches(connection: Connection, documents: Sequence[int]) -> int:
    """How many sets of fingerprints documents have, by whatever recipes."""
    count = len(_following(connection, documents)[0])
    query = select(func.count()).where(_row.document_id.in_(NUMBERS))
    for part in split_numbers(documents):
        count += int(connection.execute(query, {"numbers": part}).scalar_one())
    return count


def count_lost(connection: Connection) -> int:
    """How many documents that share a row are not there."""
    numbers = np.unique(_following_numbers(connection)[0])
    query = select(schema.documents.c.id).execution_options(yield_per=10_000)
    known = np.fromiter(connection.execute(query).scalars(), dtype=np.int64) if len(numbers) else ()
    return int((~np.isin(numbers, known)).sum())


def lacks_sketch(document: ColumnElement[int], recipe_id: int) -> ColumnElement[bool]:
    """Whether a document has no fingerprints by a recipe."""
    own = select(_row.document_id).where(_row.recipe_id == recipe_id, _row.document_id == document)
    place = cast((document - _row.document_id - 1).bitwise_and(SPAN - 1), Integer)
    following = select(_row.document_id).where(
        _IS_SHARED,
        _recipe_of_shared == recipe_id,
        _row.document_id.between(document - (SPAN - 1), document - 1),
        _row.others.bitwise_rshift(place).bitwise_and(1) == 1,
    )
    return and_(~own.exists(), ~following.exists())


# What goes, or becomes another's


def take_out_sketches(connection: Connection, documents: Sequence[int]) -> None:
    """Take fingerprints out of rows that are shared; rows of one document go with that."""
    for row in _shared_rows(connection, documents):
        _rewrite_without(connection, row, set(documents))


def hand_over_sketches(connection: Connection, change: int, document: int, heir: int) -> None:
    """The fingerprints of a document, by all recipes, become those of another."""
    for row in _shared_rows(connection, [document]):
        parts = _rewrite_without(connection, row, {document})
        values = [
            {
                "document_id": heir,
                "recipe_id": row.recipe_id,
                "change": change,
                "shingles": 0,
                "fingerprints": _count_hashes(data),
                "hashes": data,
            }
            for data in parts
        ]
        if values:
            connection.execute(insert(schema.sketches), values)
    connection.execute(
        update(schema.sketches)
        .where(_row.document_id == document)
        .values(document_id=heir, change=change)
    )


def _shared_rows(connection: Connection, documents: Sequence[int]) -> list[Any]:
    """The shared rows that hold fingerprints of some documents, by all recipes."""
    firsts = {*documents, *_following(connection, documents)[1].tolist()}
    query = select(schema.sketches).where(_IS_SHARED, _row.document_id.in_(NUMBERS))
    rows: list[Any] = []
    for part in split_numbers(sorted(firsts)):
        rows += connection.execute(query, {"numbers": part}).all()
    return rows


def _rewrite_without(connection: Connection, row: Any, documents: Collection[int]) -> list[bytes]:
    """Write a shared row again without some documents; what it had of them.

    Of a row that cannot be told apart nothing stays: it may hold what is to be erased.
    """
    try:
        parts = split_row(row.document_id, row.others, row.hashes)
    except LibraryError:
        parts = []
    is_row = and_(_row.document_id == row.document_id, _row.recipe_id == row.recipe_id)
    remaining = [
        {
            "document_id": number,
            "others": None,
            "fingerprints": _count_hashes(data),
            "hashes": data,
        }
        for number, data in parts
        if number not in documents
    ]
    if remaining:
        values = _join_rows(remaining)
        connection.execute(update(schema.sketches).where(is_row).values(**values))
    else:
        connection.execute(delete(schema.sketches).where(is_row))
    return [data for number, data in parts if number in documents]


def _count_hashes(data: bytes) -> int:
    """How many there are; 0 where they are damaged, which `verify` tells."""
    try:
        return len(hashes_from(data))
    except LibraryError:
        return 0
