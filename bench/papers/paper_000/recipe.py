"""The paper's own formulas, word for word, in NumPy: three hash functions and how bands collide.

What the paper leaves open is chosen here: a blank counts 0 in the alphabet, and the modulus of
`listHash`, "higher of the numberOfDocuments", is the one modulus that the paper names.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bench.papers.paper_000 import published

Hashes = NDArray[np.uint64]
Numbers = NDArray[np.int64]

SHINGLE_MODULUS = 1_000_003
PRIME = 10_000_013
_BLOCK = 256  # shingles hashed at a time, so that all values stay in the processor's cache


def shingle_hashes(codes: Hashes, offsets: Numbers) -> Numbers:
    """h = Σ alphabet[s[i]] · 31ⁱ mod m, of every window inside a row (section 3.2).

    >>> codes = np.array([ord(c) for c in "abcdefghijk"], dtype=np.uint64)
    >>> first, second = shingle_hashes(codes, np.array([0, 11])).tolist()
    >>> first == sum((i + 1) * 31**i for i in range(10)) % 1_000_003
    True
    """
    width = published.SHINGLE_CHARS
    letters = np.where((codes >= 97) & (codes <= 122), codes - np.uint64(96), 0).astype(np.int64)
    hashed = np.zeros(max(len(letters) - width + 1, 0), dtype=np.int64)
    for i in range(width):
        hashed += letters[i : i + len(hashed)] * 31**i  # below 2⁵⁰
    row = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    inside = row[: len(hashed)] == row[width - 1 :]
    return _modulo(hashed[inside], SHINGLE_MODULUS)


def signatures(sets: Sequence[Numbers], functions: Numbers, shingles: int) -> Numbers:
    """The smallest ((a·x + b) mod p) mod n of every set, for every (a, b) (section 4.1)."""
    out = np.empty((len(sets), len(functions)), dtype=np.int64)
    a, b = functions[:, :1], functions[:, 1:]
    for i, items in enumerate(sets):
        least = np.full(len(functions), shingles, dtype=np.int64)
        for first in range(0, len(items), _BLOCK):
            values = _modulo(_modulo(a * items[first : first + _BLOCK] + b, PRIME), shingles)
            np.minimum(least, values.min(axis=1), out=least)
        out[i] = least
    return out


def random_functions(dice: np.random.Generator) -> Numbers:
    """The (a, b) of a hundred functions."""
    return dice.integers(1, PRIME, size=(published.SLOTS, 2))


def list_hashes(signatures: Numbers, bands: int, rows: int) -> Numbers:
    """`listHash` of every band: the list in positional notation, mod m (section 6.1).

    >>> list_hashes(np.array([[1, 4, 2]]), 1, 3).tolist()
    [[142]]
    """
    keys = np.zeros((bands, len(signatures)), dtype=np.int64)
    for row in range(rows):
        keys = keys * 10 + signatures[:, row : bands * rows : rows].T
        keys %= SHINGLE_MODULUS  # the same as at the end, and nothing overflows
    return keys


def _modulo(values: Numbers, modulus: int) -> Numbers:
    # NumPy divides by a constant several times as fast as it takes remainders.
    return values - values // modulus * modulus
