"""Words related to words, and the stretch they speak for: the readable form of `_relations.pyx`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


def related_mass(
    own: Numbers, others: Numbers, closeness: Numbers, counts: Numbers, size: int
) -> Numbers:
    """For each of `size` own words, how many related ones there are among some others.

    Row k relates word `own[k]` to `others[k]`, of which there are `counts[others[k]]`.

    >>> rows = np.array([0, 0, 2]), np.array([1, 0, 1]), np.array([1000, 500, 250])
    >>> related_mass(*rows, np.array([3, 1]), 3).tolist()
    [2500, 0, 250]
    """
    mass = np.zeros(size, dtype=np.int64)
    np.add.at(mass, own, closeness * counts[others])
    return mass


def best_stretch(
    words: Numbers,
    evidence: Numbers,
    available: Numbers,
    repeated: int,
    ends: Numbers,
    core: tuple[int, int],
    most_loss: int,
) -> tuple[int, int, int]:
    """The words around a core with the most evidence: the first, the one behind the last, and it.

    Words are numbers from 0; evidence and how often each is available are told for each place.
    Where a word comes more often, counted from the middle outwards, each further one counts as
    `repeated`. Beginning and end weigh in too, by `ends`; beyond the core the stretch grows until
    more than `most_loss` is lost again.

    >>> words, evidence = np.array([0, 1, 1, 0, 2]), np.array([-5, 4, 4, -5, 2])
    >>> available, ends = np.array([9, 2, 2, 9, 1]), np.zeros(6, dtype=np.int64)
    >>> best_stretch(words, evidence, available, -1, ends, (1, 3), 7)
    (1, 3, 8)
    """
    first, last = core
    again = is_repeated(words, available, first + last)
    total = np.zeros(len(words) + 1, dtype=np.int64)
    np.cumsum(np.where(again, repeated, evidence), out=total[1:])
    middle = (first + last) // 2
    end = middle + best_end(total[middle:], ends[middle:], last - middle, most_loss)
    start = middle - best_end(-total[middle::-1], ends[middle::-1], middle - first, most_loss)
    return start, end, int(total[end] - total[start])


def best_end(total: Numbers, ends: Numbers, core: int, most_loss: int) -> int:
    """Where growing stops best; beyond the core, no farther than until too much is lost."""
    lost = np.maximum.accumulate(total) - total > most_loss
    lost[: core + 1] = False
    stop = int(np.argmax(lost)) or len(lost)
    return int(np.argmax(total[:stop] + ends[:stop]))


def is_repeated(words: Numbers, available: Numbers, twice_middle: int) -> NDArray[np.bool_]:
    """Which words come more often than available, counted from the middle outwards."""
    distance = np.abs(2 * np.arange(len(words)) - twice_middle)
    order = np.lexsort((distance, words))
    new = np.diff(words[order], prepend=-1) != 0
    place = np.arange(len(words))
    rank = place - np.maximum.accumulate(np.where(new, place, 0))
    repeated = np.zeros(len(words), dtype=bool)
    repeated[order] = rank >= available[order]
    return repeated
