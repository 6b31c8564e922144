"""Two tables that were found alike, cell by cell."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from likewise.tables.align import Alignment, align, align_scaled
from likewise.tables.arrays import TableArrays, may_be_scaled
from likewise.tables.score import ALTERED, EQUAL, NOTHING, Explained, explain

CellState = Literal["equal", "moved", "altered", "empty"]
Pairs = tuple[tuple[int, int], ...]

LEAST_SCORE = 0.36  # less than one pair of unrelated tables in a thousand reaches it
_DOUBTFUL = 0.5  # below it other readings of the pair are tried


@dataclass(frozen=True, slots=True)
class TableMatch:
    """Tables `a` and `b` (their places among those compared) that share cells.

    `score` runs from 0 to 1 and tells how much of the two tables is explained by each other,
    corrected for what unrelated tables share by chance (see `score.explain`); `share_a` and
    `share_b` tell it for each. `rows` and `columns` pair places in the tables as they were read;
    where b is `transposed`, its rows stand among the columns and its columns among the rows.
    `cells` has a state for each pair of rows, by pair of columns: `moved` is equal in a row or
    column that stands elsewhere. A row or column of `factors` turned numbers of a into those of b.
    """

    a: int
    b: int
    score: float
    share_a: float
    share_b: float
    transposed: bool
    rows: Pairs
    columns: Pairs
    cells: tuple[tuple[CellState, ...], ...]
    row_factors: tuple[float, ...] = ()
    column_factors: tuple[float, ...] = ()


def compare_arrays(a: TableArrays, b: TableArrays) -> tuple[Explained, Alignment | None]:
    """The best alignment of two tables and what it explains."""
    alignment = align(a, b)
    best = explain(a, b, alignment) if alignment else NOTHING
    if best.score < _DOUBTFUL and may_be_scaled(a.ratios, b.ratios):
        scaled = align_scaled(a, b)
        if scaled is not None:
            other = explain(a, b, scaled)
            if other.score > best.score:
                return other, scaled
    return best, alignment


def match_of(
    a: TableArrays,
    b: TableArrays,
    places: tuple[int, int],
    explained: Explained,
    alignment: Alignment,
) -> TableMatch:
    """The match in the places of the tables as they were read."""
    rows_b, columns_b = b.layout.row_places, b.layout.column_places
    if alignment.turned:
        rows_b, columns_b = columns_b, rows_b
    by_row = alignment.factors.shape[1] == 1 and alignment.factors.shape[0] > 1
    factors = tuple(alignment.factors.ravel().tolist()) if (alignment.factors != 1).any() else ()
    return TableMatch(
        *places,
        explained.score,
        explained.share_a,
        explained.share_b,
        alignment.turned,
        _pairs(alignment.rows_a.tolist(), alignment.rows_b.tolist(), a.layout.row_places, rows_b),
        _pairs(
            alignment.columns_a.tolist(),
            alignment.columns_b.tolist(),
            a.layout.column_places,
            columns_b,
        ),
        _states(explained, alignment),
        factors if by_row else (),
        () if by_row else factors,
    )


def _pairs(
    a: Sequence[int], b: Sequence[int], places_a: Sequence[int], places_b: Sequence[int]
) -> Pairs:
    return tuple((places_a[i], places_b[j]) for i, j in zip(a, b, strict=True))


def _states(explained: Explained, alignment: Alignment) -> tuple[tuple[CellState, ...], ...]:
    moved_rows = out_of_order(
        list(zip(alignment.rows_a.tolist(), alignment.rows_b.tolist(), strict=True))
    )
    columns = zip(alignment.columns_a.tolist(), alignment.columns_b.tolist(), strict=True)
    moved_columns = out_of_order(list(columns))

    def state(code: int, moved: bool) -> CellState:
        if code == EQUAL:
            return "moved" if moved else "equal"
        return "altered" if code == ALTERED else "empty"

    return tuple(
        tuple(
            state(code, row in moved_rows or column in moved_columns)
            for column, code in enumerate(codes)
        )
        for row, codes in enumerate(explained.states.tolist())
    )


def out_of_order(pairs: Sequence[tuple[int, int]]) -> set[int]:
    """Pairs outside the longest run of pairs that keep their order, by patience sorting.

    >>> out_of_order([(0, 1), (1, 2), (2, 0), (3, 3)])
    {2}
    """
    piles: list[int] = []  # the smallest last place of a run of each length
    tops: list[int] = []
    before: dict[int, int | None] = {}
    for i in sorted(range(len(pairs)), key=lambda i: pairs[i]):
        length = bisect_left(piles, pairs[i][1])
        before[i] = tops[length - 1] if length else None
        piles[length : length + 1] = [pairs[i][1]]
        tops[length : length + 1] = [i]
    moved = set(range(len(pairs)))
    last = tops[-1] if tops else None
    while last is not None:
        moved.discard(last)
        last = before[last]
    return moved
