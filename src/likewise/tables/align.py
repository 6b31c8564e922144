"""Which row and column of one table is which of another, in whatever order, turned or not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.tables.arrays import TableArrays
from likewise.tables.scales import FEWEST, factor_between, line_factors, with_factors

Floats = NDArray[np.float64]
Places = NDArray[np.int64]
Keys = NDArray[np.uint64]

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


def align(a: TableArrays, b: TableArrays) -> Alignment | None:
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


def align_scaled(a: TableArrays, b: TableArrays) -> Alignment | None:
    """The same for tables all of whose numbers were multiplied: factors first, then rows."""
    for turned in (False, True):
        other = b.turned() if turned else b
        scaled = with_factors(a, other)
        if scaled is not None:
            shared = shared_cells(scaled.keys, other.coarse, a.bits, other.bits)
            return _aligned(scaled, replace(other, keys=other.coarse), shared, turned)
    return None


def _aligned(a: TableArrays, b: TableArrays, shared: SharedCells, turned: bool) -> Alignment | None:
    columns_a, columns_b = one_to_one(
        votes(shared.column_a, shared.column_b, shared.weight, b.shape[1])
    )
    rows_a, rows_b = matching_rows(a, b, shared, columns_a, columns_b)
    columns_a, columns_b = _more_columns(a, b, rows_a, rows_b, columns_a, columns_b)
    if not len(rows_a) or not len(columns_a):
        return None
    factors = line_factors(a.values[np.ix_(rows_a, columns_a)], b.values[np.ix_(rows_b, columns_b)])
    return Alignment(turned, rows_a, rows_b, columns_a, columns_b, factors)


def _could_be_shared(a: TableArrays, b: TableArrays, shared: SharedCells) -> float:
    """The share of both tables that stands in the other at all: no alignment explains more."""
    in_a, in_b = np.zeros(a.shape, dtype=bool), np.zeros(b.shape, dtype=bool)
    in_a[shared.row_a, shared.column_a] = True
    in_b[shared.row_b, shared.column_b] = True
    shared_bits = float(a.bits[in_a].sum()) * float(b.bits[in_b].sum())
    return float((shared_bits / max(float(a.bits.sum()) * float(b.bits.sum()), 1e-9)) ** 0.5)


def _is_turned(shared: SharedCells, shape_b: tuple[int, int]) -> bool:
    """Whether shared cells fall into fewer pairs of lines when rows of b are taken as columns."""
    straight = votes(shared.column_a, shared.column_b, shared.weight, shape_b[1]).concentration
    straight += votes(shared.row_a, shared.row_b, shared.weight, shape_b[0]).concentration
    across = votes(shared.column_a, shared.row_b, shared.weight, shape_b[0]).concentration
    across += votes(shared.row_a, shared.column_b, shared.weight, shape_b[1]).concentration
    return across > straight * 1.0001


def _more_columns(
    a: TableArrays,
    b: TableArrays,
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
    factors = []
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
                factors.append((agreeing / filled, ca, cb))
    more = []
    for _, ca, cb in sorted(factors, reverse=True):
        if ca not in taken_a and cb not in taken_b:
            taken_a.add(ca)
            taken_b.add(cb)
            more.append((ca, cb))
    added = np.array(more, dtype=np.int64).reshape(-1, 2)
    return np.concatenate([columns_a, added[:, 0]]), np.concatenate([columns_b, added[:, 1]])


# Which row is which, once the columns are known.


_MOST_COMPOSED = 6  # columns that are taken two at a time to tell rows apart


def matching_rows(
    a: TableArrays, b: TableArrays, shared: SharedCells, columns_a: Places, columns_b: Places
) -> tuple[Places, Places]:
    """Rows by the cells they share in columns that belong together."""
    if not len(columns_a):
        return columns_a, columns_b
    rows_a = rows_b = np.zeros(0, dtype=np.int64)
    if not shared.complete:
        rows_a, rows_b = _rows_by_two_columns(a, b, columns_a, columns_b)
    partner = np.full(a.shape[1], -1, dtype=np.int64)
    partner[columns_a] = np.arange(len(columns_a))
    which = partner[shared.column_a]
    free_a, free_b = np.ones(a.shape[0], dtype=bool), np.ones(b.shape[0], dtype=bool)
    free_a[rows_a] = free_b[rows_b] = False
    here = (which >= 0) & (columns_b[which] == shared.column_b)
    here &= free_a[shared.row_a] & free_b[shared.row_b]
    at_a, at_b = shared.row_a[here], shared.row_b[here]
    often = np.maximum(
        a.in_column[at_a, shared.column_a[here]], b.in_column[at_b, shared.column_b[here]]
    )
    weights = _row_weights(a, b, which[here], at_a, at_b, often, columns_a, columns_b)
    more_a, more_b = one_to_one(votes(at_a, at_b, weights, b.shape[0]))
    rows_a, rows_b = np.concatenate([rows_a, more_a]), np.concatenate([rows_b, more_b])
    order = np.argsort(rows_a, kind="stable")
    return rows_a[order], rows_b[order]


def _row_weights(
    a: TableArrays,
    b: TableArrays,
    which: Places,
    rows_a: Places,
    rows_b: Places,
    often: Floats,
    columns_a: Places,
    columns_b: Places,
) -> Floats:
    """How well each shared cell of a column tells its row from the other rows.

    That is log2(rows / times it stands in its column), times the share of the column that is found
    in the other one: where few cells of a column are shared, those few are by chance.
    """
    found_a = np.zeros((len(columns_a), a.shape[0]), dtype=bool)
    found_b = np.zeros((len(columns_b), b.shape[0]), dtype=bool)
    found_a[which, rows_a] = True
    found_b[which, rows_b] = True
    filled_a = np.maximum(np.count_nonzero(a.keys[:, columns_a], axis=0), 1)
    filled_b = np.maximum(np.count_nonzero(b.keys[:, columns_b], axis=0), 1)
    share = np.maximum(found_a.sum(axis=1) / filled_a, found_b.sum(axis=1) / filled_b)
    most = float(max(a.shape[0], b.shape[0]))
    weights: Floats = share[which] * (np.log2(most / np.minimum(often, most)) + 0.1)
    return weights


def _rows_by_two_columns(
    a: TableArrays, b: TableArrays, columns_a: Places, columns_b: Places
) -> tuple[Places, Places]:
    """In tables too large for every pair of cells: rows that two columns together tell apart."""
    rows_a: list[Places] = []
    rows_b: list[Places] = []
    left_a, left_b = np.arange(a.shape[0]), np.arange(b.shape[0])
    columns = min(len(columns_a), _MOST_COMPOSED)
    for i in range(columns):
        for j in range(i + 1, columns):
            keys_a = _composed(a, left_a, int(columns_a[i]), int(columns_a[j]))
            keys_b = _composed(b, left_b, int(columns_b[i]), int(columns_b[j]))
            more_a, more_b = _unique_partners(keys_a, keys_b)
            rows_a.append(left_a[more_a])
            rows_b.append(left_b[more_b])
            left_a, left_b = np.delete(left_a, more_a), np.delete(left_b, more_b)
    if not rows_a:
        return left_a[:0], left_b[:0]
    return np.concatenate(rows_a), np.concatenate(rows_b)


def _composed(table: TableArrays, rows: Places, i: int, j: int) -> Keys:
    first, second = table.keys[rows, i], table.keys[rows, j]
    keys = first * np.uint64(0x9E3779B97F4A7C15) + second
    return np.where((first != 0) & (second != 0), keys, np.uint64(0))


def _unique_partners(a: Keys, b: Keys) -> tuple[Places, Places]:
    """Places of keys that stand once in each."""
    known_a, at_a, times_a = np.unique(a, return_index=True, return_counts=True)
    known_b, at_b, times_b = np.unique(b, return_index=True, return_counts=True)
    once_a = (times_a == 1) & (known_a != 0)
    once_b = (times_b == 1) & (known_b != 0)
    _, of_a, of_b = np.intersect1d(
        known_a[once_a], known_b[once_b], assume_unique=True, return_indices=True
    )
    return at_a[once_a][of_a], at_b[once_b][of_b]


# Cells that two tables share, and what they say about which row and column is which.


MOST_PAIRS = 200_000  # of cells with a common key, for small tables all of them


class SharedCells(NamedTuple):
    """Pairs of cells with the same key, rarest keys first as far as there is room."""

    row_a: Places
    column_a: Places
    row_b: Places
    column_b: Places
    weight: Floats
    complete: bool  # whether there was room for all


def shared_cells(keys_a: Keys, keys_b: Keys, bits_a: Floats, bits_b: Floats) -> SharedCells:
    """Every pair of cells with a common key; a key that stands often weighs less in each place.

    Near-linear: a key that stands often in both tables makes many pairs, and those come last,
    within a budget that grows with the tables.
    """
    flat_a, flat_b = keys_a.ravel(), keys_b.ravel()
    order_a, order_b = np.argsort(flat_a, kind="stable"), np.argsort(flat_b, kind="stable")
    distinct, first_a, count_a = np.unique(flat_a[order_a], return_index=True, return_counts=True)
    sorted_b = flat_b[order_b]
    first_b = np.searchsorted(sorted_b, distinct, side="left")
    count_b = np.searchsorted(sorted_b, distinct, side="right") - first_b
    common = np.flatnonzero((count_b > 0) & (distinct != 0))
    pairs = count_a[common] * count_b[common]
    cheapest = np.argsort(pairs, kind="stable")
    budget = max(MOST_PAIRS, 8 * (flat_a.size + flat_b.size))
    affordable = cheapest[np.cumsum(pairs[cheapest]) <= budget]
    complete = len(affordable) == len(common)
    common = common[affordable]
    count_a, count_b = count_a[common], count_b[common]
    each = count_a * count_b
    total = int(each.sum())
    within = np.arange(total) - np.repeat(np.cumsum(each) - each, each)
    across = np.repeat(count_b, each)
    a = order_a[np.repeat(first_a[common], each) + within // np.maximum(across, 1)]
    b = order_b[np.repeat(first_b[common], each) + within % np.maximum(across, 1)]
    weight = np.minimum(bits_a.ravel()[a], bits_b.ravel()[b])
    weight = weight / np.repeat(np.maximum(count_a, count_b), each)
    row_a, column_a = np.divmod(a, max(keys_a.shape[1], 1))
    row_b, column_b = np.divmod(b, max(keys_b.shape[1], 1))
    return SharedCells(row_a, column_a, row_b, column_b, weight, complete)


class Votes(NamedTuple):
    """How much speaks for each pair of lines."""

    a: Places
    b: Places
    weight: Floats

    @property
    def concentration(self) -> float:
        """Large where few pairs of lines get all the votes."""
        return float((self.weight**2).sum())


def votes(a: Places, b: Places, weight: Floats, width: int) -> Votes:
    """The weights summed by pair."""
    pairs, which = np.unique(a * np.int64(width) + b, return_inverse=True)
    sums: Floats = np.bincount(which, weights=weight, minlength=len(pairs)).astype(np.float64)
    first, second = np.divmod(pairs, max(width, 1))
    return Votes(first, second, sums)


def one_to_one(ballot: Votes) -> tuple[Places, Places]:
    """Pairs of lines, best first, each line once; where votes are equal, the order decides.

    >>> a, b = one_to_one(Votes(np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([2.0, 3, 1])))
    >>> a.tolist(), b.tolist()
    ([0, 1], [1, 0])
    """
    order = np.lexsort((ballot.b, ballot.a, np.abs(ballot.a - ballot.b), -ballot.weight))
    taken_a: set[int] = set()
    taken_b: set[int] = set()
    pairs = []
    for a, b in zip(ballot.a[order].tolist(), ballot.b[order].tolist(), strict=True):
        if a not in taken_a and b not in taken_b:
            taken_a.add(a)
            taken_b.add(b)
            pairs.append((a, b))
    both = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)
    return both[:, 0], both[:, 1]
