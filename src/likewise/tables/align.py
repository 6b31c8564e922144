"""Which row and column of one table is which of another, in whatever order, turned or not."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from likewise.tables.prints import TablePrint
from likewise.tables.rows import matching_rows
from likewise.tables.scales import FEWEST, factor_between, line_factors, with_factors
from likewise.tables.shared import SharedCells, one_to_one, shared_cells, votes

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

_MANY = 0.3  # of a table's bits
_LEAST_SHARED = 0.2  # of two tables, before their rows are looked at
_MOST_COLUMNS_TO_SCALE = 12


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """Pairs of rows and pairs of columns; `factors` turn the numbers of a into those of b.

    There is one factor a pair of columns (one row of them) or a pair of rows (one column of them).
    """

    turned: bool  # b was turned before
    rows_a: Places
    rows_b: Places
    columns_a: Places
    columns_b: Places
    factors: Floats


def align(a: TablePrint, b: TablePrint) -> Alignment | None:
    """Rows and columns that belong together; None where the tables share nothing."""
    shared = shared_cells(a.keys, b.keys, a.bits, b.bits)
    if shared.weight.sum() < _MANY * min(a.bits.sum(), b.bits.sum()):  # rounded, perhaps
        a, b = replace(a, keys=a.coarse), replace(b, keys=b.coarse)
        shared = shared_cells(a.keys, b.keys, a.bits, b.bits)
        if _could_be_shared(a, b, shared) < _LEAST_SHARED:
            return None
    if _is_turned(shared, b.shape):
        shared = shared._replace(row_b=shared.column_b, column_b=shared.row_b)
        return _aligned(a, b.turned(), shared, turned=True)
    return _aligned(a, b, shared, turned=False)


def align_scaled(a: TablePrint, b: TablePrint) -> Alignment | None:
    """The same for tables all of whose numbers were multiplied: factors first, then rows."""
    for turned in (False, True):
        other = b.turned() if turned else b
        scaled = with_factors(a, other)
        if scaled is not None:
            shared = shared_cells(scaled.keys, other.coarse, a.bits, other.bits)
            return _aligned(scaled, replace(other, keys=other.coarse), shared, turned)
    return None


def _aligned(a: TablePrint, b: TablePrint, shared: SharedCells, turned: bool) -> Alignment | None:
    columns_a, columns_b = one_to_one(
        votes(shared.column_a, shared.column_b, shared.weight, b.shape[1])
    )
    rows_a, rows_b = matching_rows(a, b, shared, columns_a, columns_b)
    columns_a, columns_b = _more_columns(a, b, rows_a, rows_b, columns_a, columns_b)
    if not len(rows_a) or not len(columns_a):
        return None
    factors = line_factors(a.values[np.ix_(rows_a, columns_a)], b.values[np.ix_(rows_b, columns_b)])
    return Alignment(turned, rows_a, rows_b, columns_a, columns_b, factors)


def _could_be_shared(a: TablePrint, b: TablePrint, shared: SharedCells) -> float:
    """The share of both tables that stands in the other at all: no alignment explains more."""
    in_a, in_b = np.zeros(a.shape, dtype=bool), np.zeros(b.shape, dtype=bool)
    in_a[shared.row_a, shared.column_a] = True
    in_b[shared.row_b, shared.column_b] = True
    found = float(a.bits[in_a].sum()) * float(b.bits[in_b].sum())
    return float((found / max(float(a.bits.sum()) * float(b.bits.sum()), 1e-9)) ** 0.5)


def _is_turned(shared: SharedCells, shape_b: tuple[int, int]) -> bool:
    """Whether shared cells fall into fewer pairs of lines when rows of b are taken as columns."""
    straight = votes(shared.column_a, shared.column_b, shared.weight, shape_b[1]).concentration
    straight += votes(shared.row_a, shared.row_b, shared.weight, shape_b[0]).concentration
    across = votes(shared.column_a, shared.row_b, shared.weight, shape_b[0]).concentration
    across += votes(shared.row_a, shared.column_b, shared.weight, shape_b[1]).concentration
    return across > straight * 1.0001


def _more_columns(
    a: TablePrint,
    b: TablePrint,
    rows_a: Places,
    rows_b: Places,
    columns_a: Places,
    columns_b: Places,
) -> tuple[Places, Places]:
    """Columns of numbers left over that differ by a factor in the rows that are matched."""
    if len(rows_a) < FEWEST:
        return columns_a, columns_b
    taken_a, taken_b = set(columns_a.tolist()), set(columns_b.tolist())
    left_a = [c for c in range(a.shape[1]) if c not in taken_a][:_MOST_COLUMNS_TO_SCALE]
    left_b = [c for c in range(b.shape[1]) if c not in taken_b][:_MOST_COLUMNS_TO_SCALE]
    found = []
    for ca in left_a:
        x = a.values[rows_a, ca]
        for cb in left_b:
            y = b.values[rows_b, cb]
            both = np.isfinite(x) & np.isfinite(y)
            filled = int(both.sum())
            if filled < FEWEST or len(np.unique(x[both])) < FEWEST:
                continue
            _, agreeing = factor_between(x[both], y[both])
            if agreeing >= max(FEWEST, 0.4 * filled):
                found.append((agreeing / filled, ca, cb))
    more = []
    for _, ca, cb in sorted(found, reverse=True):
        if ca not in taken_a and cb not in taken_b:
            taken_a.add(ca)
            taken_b.add(cb)
            more.append((ca, cb))
    added = np.array(more, dtype=np.int64).reshape(-1, 2)
    return np.concatenate([columns_a, added[:, 0]]), np.concatenate([columns_b, added[:, 1]])
