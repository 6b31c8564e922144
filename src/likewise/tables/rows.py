"""Which row is which, once the columns are known."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likewise.tables.prints import TablePrint
from likewise.tables.shared import SharedCells, one_to_one, votes

Floats = NDArray[np.float64]
Places = NDArray[np.int64]
Keys = NDArray[np.uint64]

_MOST_COMPOSED = 6  # columns that are taken two at a time to tell rows apart


def matching_rows(
    a: TablePrint, b: TablePrint, shared: SharedCells, columns_a: Places, columns_b: Places
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
    told = _telling(a, b, which[here], at_a, at_b, often, columns_a, columns_b)
    more_a, more_b = one_to_one(votes(at_a, at_b, told, b.shape[0]))
    rows_a, rows_b = np.concatenate([rows_a, more_a]), np.concatenate([rows_b, more_b])
    order = np.argsort(rows_a, kind="stable")
    return rows_a[order], rows_b[order]


def _telling(
    a: TablePrint,
    b: TablePrint,
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
    told: Floats = share[which] * (np.log2(most / np.minimum(often, most)) + 0.1)
    return told


def _rows_by_two_columns(
    a: TablePrint, b: TablePrint, columns_a: Places, columns_b: Places
) -> tuple[Places, Places]:
    """In tables too large for every pair of cells: rows that two columns together tell apart."""
    rows_a: list[Places] = []
    rows_b: list[Places] = []
    left_a, left_b = np.arange(a.shape[0]), np.arange(b.shape[0])
    taken = min(len(columns_a), _MOST_COMPOSED)
    for i in range(taken):
        for j in range(i + 1, taken):
            keys_a = _composed(a, left_a, int(columns_a[i]), int(columns_a[j]))
            keys_b = _composed(b, left_b, int(columns_b[i]), int(columns_b[j]))
            more_a, more_b = _unique_partners(keys_a, keys_b)
            rows_a.append(left_a[more_a])
            rows_b.append(left_b[more_b])
            left_a, left_b = np.delete(left_a, more_a), np.delete(left_b, more_b)
    if not rows_a:
        return left_a[:0], left_b[:0]
    return np.concatenate(rows_a), np.concatenate(rows_b)


def _composed(table: TablePrint, rows: Places, i: int, j: int) -> Keys:
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
