"""Seeds: places in both documents where the same words stand, found through an index.

A word shared by both documents is a point (place in a, place in b); so are two neighbouring words
in either order. The rarer, the more it says. Words that stand often in both are left to the pairs
of words around them: every feature gives a bounded number of points, so that work stays linear.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.align.pair import Numbers, Pair
from likewise.kernels import shingle_runs

RUN = 8  # words in a row that make a run worth showing

_MOST_POINTS_OF_A_WORD = 64  # its frequency here times its frequency there
_MOST_POINTS_OF_TWO_WORDS = 36
_MOST_POINTS_OF_A_RUN = 16
UNIT = 5040  # weight of a word that stands once here and once there; divides by most counts
_WEIGHT_OF_TWO_WORDS = 3, 2  # one and a half units: as a fraction
_RUN_STEP = 4  # of a run, every fourth word is a seed, for four


class Seeds(NamedTuple):
    """Points with weights, in units of a word that stands once on either side."""

    a: Numbers
    b: Numbers
    weight: Numbers


class Runs(NamedTuple):
    """Equal words in a row, as long as they go: first word here, first there, how many.

    Counted in words that count, not in all words.
    """

    a: Numbers
    b: Numbers
    length: Numbers


_NONE = np.zeros(0, dtype=np.int64)
NO_RUNS = Runs(_NONE, _NONE, _NONE)


def seeds_of(pair: Pair, runs: Runs) -> Seeds:
    """Points where both documents say the same."""
    a, b = pair.a.numbers[pair.a.places], pair.b.numbers[pair.b.places]
    words = _numbered_points(a, b, pair.vocabulary, _MOST_POINTS_OF_A_WORD)
    two = equal_points(_in_twos(a, pair), _in_twos(b, pair), _MOST_POINTS_OF_TWO_WORDS)
    times, over = _WEIGHT_OF_TWO_WORDS
    two = Seeds(two.a, two.b, two.weight * times // over)
    loose = _not_inside(Seeds(*map(np.concatenate, zip(words, two, strict=True))), runs, pair)
    steps = _steps_along(runs)
    seeds = Seeds(*map(np.concatenate, zip(loose, steps, strict=True)))
    return Seeds(pair.a.places[seeds.a], pair.b.places[seeds.b], seeds.weight)


def runs_of(pair: Pair) -> Runs:
    """All runs of at least `RUN` words, longest stretches of them."""
    a, b = pair.a.numbers[pair.a.places], pair.b.numbers[pair.b.places]
    points = equal_points(
        in_runs(a, RUN), in_runs(b, RUN), _MOST_POINTS_OF_A_RUN, keep_frequent=True
    )
    # keys that overlap on one diagonal make one run
    a_first, b_first, steps = diagonals(points.a, points.b, RUN)
    return Runs(a_first, b_first, steps + RUN)


def diagonals(a: Numbers, b: Numbers, step: int) -> tuple[Numbers, Numbers, Numbers]:
    """Points in a row by equal steps on both axes, none longer than `step`.

    The first point of each row, and how far its last is from there.
    """
    diagonal = b - a
    order = np.lexsort((a, diagonal))
    diagonal, at = diagonal[order], a[order]
    new = np.ones(len(at), dtype=bool)
    new[1:] = (diagonal[1:] != diagonal[:-1]) | (at[1:] > at[:-1] + step)
    first = np.flatnonzero(new)
    last = np.append(first, len(at))[1:] - 1
    return at[first], at[first] + diagonal[first], at[last] - at[first]


def expand(first: Numbers, count: Numbers) -> tuple[Numbers, Numbers]:
    """All of `first[k], first[k] + 1, …`, `count[k]` of them, and for each the k it is of."""
    which = np.repeat(np.arange(len(count)), count)
    steps = np.arange(len(which)) - np.repeat(np.cumsum(count) - count, count)
    return which, first[which] + steps


def equal_points(a: Numbers, b: Numbers, most: int, keep_frequent: bool = False) -> Seeds:
    """Where keys of a stand in b, unless that is too often.

    Frequent ones can be kept as one point for each time the key stands on the side where it is
    more frequent: the first here with the first there, and so on, round and round.
    """
    distinct, number = np.unique(np.concatenate((a, b)), return_inverse=True)
    return _numbered_points(number[: len(a)], number[len(a) :], len(distinct), most, keep_frequent)


def _numbered_points(
    of_a: Numbers, of_b: Numbers, size: int, most: int, keep_frequent: bool = False
) -> Seeds:
    """The same for keys that are small numbers."""
    here = np.bincount(of_a, minlength=size)
    there = np.bincount(of_b, minlength=size)
    points = here * there
    order = np.argsort(of_b, kind="stable")
    first = np.cumsum(there) - there
    at = np.flatnonzero(((points > 0) & (points <= most))[of_a])
    key = of_a[at]
    which, place = expand(first[key], there[key])
    parts = [(at[which], order[place])]
    if keep_frequent and (points > most).any():
        parts.append(_in_turn(of_a, of_b, np.flatnonzero(points > most), here, there))
    x, y = (np.concatenate(ends) for ends in zip(*parts, strict=True))
    return Seeds(x, y, UNIT // np.maximum(here, there)[of_a[x]])


def _in_turn(
    of_a: Numbers, of_b: Numbers, keys: Numbers, here: Numbers, there: Numbers
) -> tuple[Numbers, Numbers]:
    order_a, order_b = np.argsort(of_a, kind="stable"), np.argsort(of_b, kind="stable")
    first_a, first_b = np.cumsum(here) - here, np.cumsum(there) - there
    which, turn = expand(np.zeros(len(keys), np.int64), np.maximum(here, there)[keys])
    key = keys[which]
    return order_a[first_a[key] + turn % here[key]], order_b[first_b[key] + turn % there[key]]


def _in_twos(words: Numbers, pair: Pair) -> Numbers:
    """Neighbouring words in either order, as one number."""
    low, high = np.minimum(words[1:], words[:-1]), np.maximum(words[1:], words[:-1])
    return low * pair.vocabulary + high


def in_runs(words: Numbers, length: int) -> Numbers:
    """So many words in a row, as one number."""
    if len(words) < length:
        return np.zeros(0, dtype=np.int64)
    offsets = np.array([0, len(words)], dtype=np.int64)
    keys, _ = shingle_runs(words.astype(np.uint64), offsets, length)
    return keys.view(np.int64)


def _not_inside(seeds: Seeds, runs: Runs, pair: Pair) -> Seeds:
    """Without the seeds that runs cover on both sides: there the runs say it better."""
    if not len(runs.a):
        return seeds
    inside_a = _covered(runs.a, runs.length, pair.a.size)
    inside_b = _covered(runs.b, runs.length, pair.b.size)
    loose = ~(inside_a[seeds.a] & inside_b[seeds.b])
    return Seeds(seeds.a[loose], seeds.b[loose], seeds.weight[loose])


def _covered(first: Numbers, length: Numbers, size: int) -> NDArray[np.bool_]:
    edges = np.zeros(size + 1, dtype=np.int64)
    np.add.at(edges, first, 1)
    np.add.at(edges, first + length, -1)
    covered: NDArray[np.bool_] = np.cumsum(edges)[:size] > 0
    return covered


def _steps_along(runs: Runs) -> Seeds:
    """The first word of each run and every fourth behind it, down to the last."""
    count = (runs.length + _RUN_STEP - 1) // _RUN_STEP
    which, step = expand(np.zeros(len(count), np.int64), count)
    last = np.minimum((step + 1) * _RUN_STEP, runs.length[which]) - 1
    a = np.concatenate((runs.a, runs.a[which] + last))
    b = np.concatenate((runs.b, runs.b[which] + last))
    return Seeds(a, b, np.full(len(a), UNIT * _RUN_STEP, dtype=np.int64))
