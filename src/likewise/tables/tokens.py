"""What the index knows a table by: its cells, words and ratios, blind to their order."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from likewise.tables.prints import COARSE, FINE, TablePrint, number_keys

Keys = NDArray[np.uint64]
Floats = NDArray[np.float64]

MOST_TOKENS = 4_096  # of a table; of more, those with the smallest hashes, which copies share
_LEAST_BITS = 2.5  # what says less is in every table

_WORD_SALT = np.uint64(0x165667B19E3779F9)
_MIX = np.uint64(0x9E3779B97F4A7C15)


def tokens_of(table: TablePrint) -> Keys:
    """Distinct tokens: cells, numbers also with a digit or two less, words, ratios inside columns.

    A ratio stays when a column is given in another unit, whatever the factor.
    """
    telling = (table.bits >= _LEAST_BITS) & (table.keys != 0)
    numeric = telling & np.isfinite(table.values)
    parts = [
        table.keys[telling],
        *_rounded(table.values[numeric], table.grains[numeric]),
        _mixed(table.words ^ _WORD_SALT),
    ]
    parts.append(table.ratios)
    tokens = np.unique(np.concatenate(parts))
    if len(tokens) > MOST_TOKENS:
        tokens = np.sort(tokens[np.argsort(_mixed(tokens))[:MOST_TOKENS]])
    return tokens


def _rounded(values: Floats, grains: Floats) -> Iterator[Keys]:
    """Keys of numbers as they would be if rounded."""
    with np.errstate(divide="ignore", invalid="ignore"):
        power = np.floor(np.log10(np.abs(values)))
        digits = power - np.rint(np.log10(grains)) + 1
    for fewer in (1, 2):
        long = np.isfinite(digits) & (digits - fewer >= COARSE)
        last = 10.0 ** (power[long] - np.minimum(digits[long], FINE) + 1 + fewer)
        yield number_keys(np.rint(values[long] / last) * last, FINE)


def _mixed(keys: Keys) -> Keys:
    keys = keys * _MIX
    return keys ^ (keys >> np.uint64(31))
