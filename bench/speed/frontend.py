"""What a user of a peer writes first: words, shingles, hashes, in plain Python and NumPy."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

BATCH = 1000
_WORD = re.compile(r"[^\W_]+")
_ASCII_WORD = re.compile(r"[a-z0-9]+")
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xBF58476D1CE4E5B9)
T = TypeVar("T")


def words(text: str) -> list[str]:
    """Runs of letters and digits in lower case; the faster pattern where it says the same."""
    return (_ASCII_WORD if text.isascii() else _WORD).findall(text.lower())


def shingle_strings(text: str) -> list[str]:
    """Distinct runs of five words, as strings."""
    w = words(text)
    return list(set(map(" ".join, zip(w, w[1:], w[2:], w[3:], w[4:], strict=False))))


def shingle_numbers(texts: Sequence[str]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Distinct runs of five words as hashes, end to end, and where each document starts."""
    vocabulary: dict[str, int] = {}
    sets: list[NDArray[np.uint64]] = [np.zeros(0, np.uint64)]
    for text in texts:
        numbers = [vocabulary.setdefault(word, len(vocabulary) + 1) for word in words(text)]
        ids = np.array(numbers, dtype=np.uint64)
        runs = np.zeros(max(len(ids) - 4, 0), np.uint64)
        for k in range(5):
            runs = (runs ^ ids[k : k + len(runs)]) * _MULTIPLIER
            runs ^= runs >> np.uint64(29)
        runs *= _MIX
        sets.append(np.unique(runs ^ (runs >> np.uint64(32))))
    offsets = np.cumsum([len(s) for s in sets]).astype(np.uint64)
    return np.concatenate(sets), offsets


def batches(items: Sequence[T]) -> Iterator[tuple[int, Sequence[T]]]:
    """Pieces of a list, each with where it starts."""
    for first in range(0, len(items), BATCH):
        yield first, items[first : first + BATCH]


def ordered_pairs(left: NDArray[np.int64], right: NDArray[np.int64]) -> NDArray[np.int64]:
    """Each pair once, the smaller number first, none with itself."""
    pairs = np.stack((np.minimum(left, right), np.maximum(left, right)), axis=1)
    return np.unique(pairs[pairs[:, 0] < pairs[:, 1]], axis=0)


def pairs_of_answers(answers: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    """What each document was answered, as pairs."""
    asked = np.repeat(np.arange(len(answers)), [len(answer) for answer in answers])
    found = np.array([other for answer in answers for other in answer], dtype=np.int64)
    return ordered_pairs(asked, found)


def pairs_of_bands(signatures: NDArray[np.uint32], bands: int, rows: int) -> NDArray[np.int64]:
    """Documents that agree in all rows of a band, for engines that give signatures and no pairs."""
    found = [np.zeros((0, 2), np.int64)]
    for band in range(bands):
        part = np.ascontiguousarray(signatures[:, band * rows : (band + 1) * rows])
        keys = part.view(np.dtype((np.void, part.dtype.itemsize * rows))).ravel()
        _, group, counts = np.unique(keys, return_inverse=True, return_counts=True)
        shared = np.flatnonzero(counts[group] > 1)
        shared = shared[np.argsort(group[shared], kind="stable")]
        ends = np.flatnonzero(np.diff(group[shared], append=-1)) + 1
        for members in np.split(shared, ends[:-1]):
            a, b = np.triu_indices(len(members), 1)
            found.append(np.stack((members[a], members[b]), axis=1))
    flat = np.concatenate(found)
    return ordered_pairs(flat[:, 0], flat[:, 1])


def agreement(signatures: NDArray[np.generic], pairs: NDArray[np.int64]) -> NDArray[np.float64]:
    """The share of slots in which two signatures agree."""
    if not len(pairs):
        return np.zeros(0)
    shares: NDArray[np.float64] = (signatures[pairs[:, 0]] == signatures[pairs[:, 1]]).mean(axis=1)
    return shares
