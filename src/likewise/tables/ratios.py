"""Ratios inside columns: what stays when a column is given in another unit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Keys = NDArray[np.uint64]
Floats = NDArray[np.float64]

_MOST_RATIOS = 24  # of a column
_MOST_LINES = 16
_LARGEST = 24  # numbers of a column whose ratios are taken
_FEWEST = 4
_LEAST_COMMON = 0.25  # of the ratios of one of two tables, if numbers were multiplied
_STEP = 0.004  # of a logarithm: about three digits
_LEAST_APART = 0.2  # of logarithms: numbers close to each other have the same few ratios anywhere
_SALT = np.uint64(0x27D4EB2F165667C5)
_MIX = np.uint64(0x9E3779B97F4A7C15)


def ratios_in(values: Floats) -> Keys:
    """Keys of ratios of the largest numbers of each column, and of each row of a wide table.

    Of each line those with the smallest hashes are kept, which copies have in common.
    """
    parts = [np.zeros(0, dtype=np.uint64)]
    for lines in (values.T, values):
        if len(lines) <= _MOST_LINES:
            parts += [_ratios(line) for line in lines]
    return np.unique(np.concatenate(parts))


def may_be_scaled(a: Keys, b: Keys) -> bool:
    """Whether two tables have so many ratios in common that one may be the other times factors."""
    fewest = min(len(a), len(b))
    if fewest < _FEWEST:
        return False
    common = len(np.intersect1d(a, b, assume_unique=True))
    return common >= max(_FEWEST, _LEAST_COMMON * fewest)


def _ratios(line: Floats) -> Keys:
    numbers = np.abs(line[np.isfinite(line)])
    numbers = np.unique(numbers[numbers > 0])[-_LARGEST:]
    if len(numbers) < _FEWEST:
        return np.zeros(0, dtype=np.uint64)
    logs = np.log(numbers)
    first, second = np.triu_indices(len(numbers), 1)
    apart = logs[second] - logs[first]
    steps = np.rint(apart[apart > _LEAST_APART] / _STEP).astype(np.uint64)
    keys = (steps ^ _SALT) * _MIX
    return np.unique(keys ^ (keys >> np.uint64(31)))[:_MOST_RATIOS]
