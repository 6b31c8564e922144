"""Exact truth: every pair of documents with its Jaccard similarity, all that they share counted.

Words are runs of letters and digits in lower case, shingles are runs of five words. Nothing is
hashed and nothing is shared with the code under test.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.making.planting import SHINGLE_WORDS, WORD

Numbers = NDArray[np.int64]
_BLOCK = 1000  # documents multiplied with all others at a time


class Truth(NamedTuple):
    """Pairs of documents, left before right, that are at least so much alike."""

    left: Numbers
    right: Numbers
    jaccard: NDArray[np.float64]

    def among_first(self, documents: int) -> Truth:
        """Only pairs of the first documents."""
        kept = (self.left < documents) & (self.right < documents)
        return Truth(self.left[kept], self.right[kept], self.jaccard[kept])

    def at_least(self, threshold: float) -> Truth:
        """Only pairs that reach the threshold."""
        kept = self.jaccard >= threshold
        return Truth(self.left[kept], self.right[kept], self.jaccard[kept])


def true_pairs(texts: Iterable[str], least: float) -> Truth:
    """All pairs that are at least so much alike.

    >>> same = "a b c d e f"
    >>> true_pairs([same, "u v w x y z", same + " g"], least=0.3).jaccard.round(3).tolist()
    [0.667]
    """
    import scipy.sparse as sparse

    document, shingle, documents = _memberships(texts)
    sizes = np.bincount(document, minlength=documents)
    document, shingle, weight = _shared_only(document, shingle)
    shape = (documents, len(weight))
    holds = sparse.csr_matrix((np.ones(len(document), np.int32), (document, shingle)), shape=shape)
    weighted = holds.multiply(weight).tocsr()
    held_by = holds.T.tocsr()
    found = [Truth(*(np.zeros(0, np.int64),) * 2, np.zeros(0))]
    for first in range(0, documents, _BLOCK):
        counts = (weighted[first : first + _BLOCK] @ held_by).tocoo()
        left, right, shared = counts.row.astype(np.int64) + first, counts.col, counts.data
        ordered = left < right
        left, right, shared = left[ordered], right[ordered].astype(np.int64), shared[ordered]
        jaccard = shared / (sizes[left] + sizes[right] - shared)
        found.append(Truth(left, right, jaccard).at_least(least))
    return Truth(*(np.concatenate(column) for column in zip(*found, strict=True)))


def _memberships(texts: Iterable[str]) -> tuple[Numbers, Numbers, int]:
    """Which document holds which shingle, each once."""
    vocabulary: dict[str, int] = {}
    words, lengths = array("q"), array("q")
    for text in texts:
        found = [vocabulary.setdefault(w, len(vocabulary)) for w in WORD.findall(text.lower())]
        words.extend(found)
        lengths.append(len(found))
    one = np.frombuffer(words, dtype=np.int64)
    document = np.repeat(np.arange(len(lengths)), np.frombuffer(lengths, dtype=np.int64))
    starts = max(len(one) - SHINGLE_WORDS + 1, 0)
    if not starts:
        return np.zeros(0, np.int64), np.zeros(0, np.int64), len(lengths)
    two = _number(one[:-1], one[1:])
    four = _number(two[:-2], two[2:])
    five = _number(four[:-1], one[4:])
    inside = document[:starts] == document[SHINGLE_WORDS - 1 :]
    distinct = int(five.max()) + 1
    keys = np.unique(document[:starts][inside] * distinct + five[inside])
    return keys // distinct, keys % distinct, len(lengths)


def _number(a: Numbers, b: Numbers) -> Numbers:
    """Equal numbers for equal pairs."""
    _, numbers = np.unique(a * (int(b.max()) + 1) + b, return_inverse=True)
    return np.asarray(numbers, np.int64)


def _shared_only(document: Numbers, shingle: Numbers) -> tuple[Numbers, Numbers, NDArray[np.int32]]:
    """Without shingles of one document; those with the same holders become one of greater weight.

    That changes no count, and a licence of a hundred words costs what one word costs.
    """
    holders = np.bincount(shingle)
    kept = holders[shingle] > 1
    document, shingle = document[kept], shingle[kept]
    # A set of holders is told by the sum of random numbers, two for each document.
    dice = np.random.default_rng(1)
    marks = dice.integers(1 << 63, size=(2, int(document.max(initial=0)) + 1), dtype=np.uint64)
    sums = np.zeros((2, len(holders)), dtype=np.uint64)
    for mark, total in zip(marks, sums, strict=True):
        np.add.at(total, shingle, mark[document])
    shared = np.flatnonzero(holders > 1)
    _, first, group = np.unique(sums[:, shared], axis=1, return_index=True, return_inverse=True)
    weight = np.bincount(group, minlength=len(first)).astype(np.int32)
    column = np.full(len(holders), -1)
    column[shared[first]] = np.arange(len(first))
    chosen = column[shingle] >= 0
    return document[chosen], column[shingle[chosen]], weight
