"""Columns that differ by a factor: other units, other currencies, per cent for shares."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from likewise.tables.arrays import COARSE, TableArrays, number_keys

Floats = NDArray[np.float64]

FEWEST = 3  # pairs of numbers that a factor needs
TOLERANCE = 0.006  # of a ratio: what rounding to three digits can do
_MOST_SAMPLED = 48
_MOST_COLUMNS = 16
_MOST_ROWS = 60


def factor_between(a: Floats, b: Floats) -> tuple[float, int]:
    """The factor that most pairs of numbers in the same row agree on, and how many do.

    >>> factor_between(np.array([1.0, 2, 3, 4]), np.array([2.54, 5.08, 9.9, 10.16]))
    (2.54, 3)
    """
    both = (a != 0) & (b != 0) & np.isfinite(a) & np.isfinite(b)
    if not both.any():
        return 1.0, 0
    with np.errstate(over="ignore", under="ignore"):
        return _densest(b[both] / a[both])


def line_factors(x: Floats, y: Floats) -> Floats:
    """What aligned numbers must be multiplied by, a factor a column or a row; 1 where none is.

    A column of a table that was turned has become a row.
    """
    by_column = np.array([_factor(x[:, c], y[:, c]) for c in range(x.shape[1])])
    if not (by_column != 1).any() and len(x) <= _MOST_ROWS:
        by_row = np.array([_factor(x[r], y[r]) for r in range(len(x))])
        if (by_row != 1).any():
            return by_row[:, None]
    return by_column[None, :]


def _factor(x: Floats, y: Floats) -> float:
    """The factor of one line; 1 unless most of its numbers agree on something else."""
    both = np.isfinite(x) & np.isfinite(y)
    if both.sum() < FEWEST:
        return 1.0
    x, y = x[both], y[both]
    plain = int((np.abs(y - x) <= 0.003 * np.abs(y)).sum())
    if plain >= 0.6 * len(x):
        return 1.0
    factor, agreeing = factor_between(x, y)
    return factor if agreeing > plain + 1 and agreeing >= 0.4 * len(x) else 1.0


def with_factors(a: TableArrays, b: TableArrays) -> TableArrays | None:
    """`a` with the keys of its numbers as they would be in b; None where no column fits another.

    Rows are not known yet: the ratio that comes most often among all pairs of two columns shows.
    Of n numbers each, about n pairs agree where one column is the other times a factor.
    """
    keys = a.coarse.copy()
    has_factor = False
    ours, theirs = _largest(a.values), _largest(b.values)
    for column, numbers in ours.items():
        best, factor = 0, 1.0
        for others in theirs.values():
            times, agreeing = _factor_of_columns(numbers, others)
            if agreeing > best:
                best, factor = agreeing, times
        if best:
            has_factor = True
            numeric = np.isfinite(a.values[:, column])
            keys[numeric, column] = number_keys(a.values[numeric, column] * factor, COARSE)
    return replace(a, keys=keys) if has_factor else None


def _largest(values: Floats) -> dict[int, Floats]:
    """The largest numbers of each column: they are the same in a copy, however the rows stand."""
    largest = {}
    for column in range(min(values.shape[1], _MOST_COLUMNS)):
        numbers = values[:, column]
        numbers = np.unique(numbers[np.isfinite(numbers) & (numbers != 0)])
        if len(numbers) >= FEWEST + 2:
            largest[column] = numbers[-_MOST_SAMPLED:]
    return largest


def _factor_of_columns(a: Floats, b: Floats) -> tuple[float, int]:
    """The commonest ratio of two columns, and how often it comes; 0 unless chance is beaten."""
    with np.errstate(over="ignore", under="ignore", divide="ignore"):
        ratios = (b[None, :] / a[:, None]).ravel()
        sizes = np.log(np.abs(ratios[np.isfinite(ratios) & (ratios != 0)]))
    spread = float(np.ptp(sizes)) if len(sizes) else 0.0
    if spread <= TOLERANCE:
        return 1.0, 0
    by_chance = 3 * len(sizes) * TOLERANCE / spread  # they heap in the middle
    factor, agreeing = _densest(ratios)
    enough = max(0.3 * min(len(a), len(b)), by_chance + 4 * by_chance**0.5 + 1)
    return (factor, agreeing) if agreeing >= enough else (1.0, 0)


def _densest(ratios: Floats) -> tuple[float, int]:
    """The middle of the narrowest heap of ratios, and how many are in it."""
    ratios = ratios[np.isfinite(ratios) & (ratios != 0)]
    if not len(ratios):
        return 1.0, 0
    sign = 1.0 if 2 * int((ratios > 0).sum()) >= len(ratios) else -1.0
    logs = np.sort(np.log(ratios[ratios * sign > 0] * sign))
    ends = np.searchsorted(logs, logs + TOLERANCE, side="right")
    counts = ends - np.arange(len(logs))
    best = int(np.argmax(counts))
    factor = float(np.exp(np.median(logs[best : ends[best]])))
    power = 10.0 ** round(float(np.log10(factor)))
    if abs(factor / power - 1) < TOLERANCE:  # a power of ten is meant exactly
        factor = power
    return sign * round(factor, 12) if factor > 1e-6 else sign * factor, int(counts[best])
