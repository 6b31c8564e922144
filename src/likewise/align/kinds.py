"""How a passage was taken: word for word, edited, or retold; and which of its words differ."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np

from likewise.align.pair import Numbers
from likewise.model import Kind

_VERBATIM = 0.95  # share of the longer side's words that stand in the same order on the other
_EDITED = 0.6


def kind_of(a: Numbers, b: Numbers) -> Kind:
    """The kind of a passage from the words that count on either side.

    >>> import numpy as np
    >>> one = np.arange(1, 21)
    >>> kind_of(one, one), kind_of(one, np.delete(one, [3, 9, 15])), kind_of(one, one[::-1])
    ('verbatim', 'edited', 'paraphrased')
    """
    longer = max(len(a), len(b), 1)
    in_order = len(chain(a, b)[0]) / longer
    if in_order >= _VERBATIM:
        return "verbatim"
    return "edited" if in_order >= _EDITED else "paraphrased"


def chain(a: Numbers, b: Numbers) -> tuple[Numbers, Numbers]:
    """Places of words that stand in both in the same order, a long such chain.

    The first of a word here is matched with the first there, the second with the second: so it is
    found in n log n steps, and is the longest wherever words do not repeat.
    """
    common = nth_to_nth(a, b)
    tails: list[int] = []
    ends: list[int] = []
    behind = np.full(len(common[0]), -1, dtype=np.int64)
    for k, place in enumerate(common[1].tolist()):
        at = bisect_left(tails, place)
        if at:
            behind[k] = ends[at - 1]
        if at == len(tails):
            tails.append(place)
            ends.append(k)
        else:
            tails[at], ends[at] = place, k
    picked = []
    k = ends[-1] if ends else -1
    while k >= 0:
        picked.append(k)
        k = int(behind[k])
    picked.reverse()
    return common[0][picked], common[1][picked]


def nth_to_nth(a: Numbers, b: Numbers) -> tuple[Numbers, Numbers]:
    """Places of the n-th of each word here and there, in the order of a."""
    distinct, number = np.unique(np.concatenate((a, b)), return_inverse=True)
    keys = [
        of * (len(number) + 1) + _rank(of, len(distinct))
        for of in (number[: len(a)], number[len(a) :])
    ]
    _, at_a, at_b = np.intersect1d(keys[0], keys[1], assume_unique=True, return_indices=True)
    order = np.argsort(at_a)
    return at_a[order], at_b[order]


def _rank(number: Numbers, size: int) -> Numbers:
    """How many times each number has come before."""
    order = np.argsort(number, kind="stable")
    count = np.bincount(number, minlength=size)
    rank = np.empty(len(number), dtype=np.int64)
    rank[order] = np.arange(len(number)) - np.repeat(np.cumsum(count) - count, count)
    return rank
