"""Clusters of seeds that lie close together in both documents: where a passage may be."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from likewise.align.pair import Box, Numbers
from likewise.align.seeds import UNIT, Seeds, expand

_REACH = 32  # words: seeds that near on both sides belong together if others support them
_SMALLEST_CELL = 4  # words, on both sides; twice and four times as many where seeds are too dense
_MOST_NEIGHBOURS = 3_000_000
_LEAST_SUPPORT = 4 * UNIT  # of a seed, itself included
_LEAST_WEIGHT = 4 * UNIT  # of a cluster
# No more clusters than passages could fill a document; the heaviest are kept.
_FEWEST_CLUSTERS, _WORDS_OF_A_CLUSTER = 500, 25


class _Strips(NamedTuple):
    """For each point the rows of points, in an order, that stand near it; three strips of them."""

    order: Numbers
    rows: list[tuple[Numbers, Numbers]]  # first of a row, how many

    @property
    def size(self) -> int:
        return sum(int(count.sum()) for _, count in self.rows)


def boxes_of(seeds: Seeds) -> list[Box]:
    """The words that each cluster spans in either document.

    Seeds in the same few words of both documents are taken together first: however dense they
    are, each has a bounded number of neighbours.
    """
    if not len(seeds.a):
        return []
    size = _SMALLEST_CELL
    while True:
        across = int(seeds.b.max()) // size + 1
        cells, cell = np.unique(seeds.a // size * across + seeds.b // size, return_inverse=True)
        a, b = cells // across * size, cells % across * size
        strips = _strips(a, b, _REACH)
        if size == _REACH or strips.size <= _MOST_NEIGHBOURS:
            break
        size *= 2
    weight = np.bincount(cell, weights=seeds.weight)
    one, other = _neighbours(b, strips, _REACH)
    dense = np.bincount(one, weights=weight[other], minlength=len(cells)) >= _LEAST_SUPPORT
    tied = dense[one] & dense[other]
    label = _components(len(cells), one[tied], other[tied])
    label[~dense] = -1
    return _boxes(seeds, label[cell])


def _boxes(seeds: Seeds, label: Numbers) -> list[Box]:
    """The corners of all seeds with the same label, if they weigh enough; -1 is none."""
    order = np.argsort(label, kind="stable")
    order = order[label[order] >= 0]
    if not len(order):
        return []
    a, b = seeds.a[order], seeds.b[order]
    first = np.flatnonzero(np.diff(label[order], prepend=-1))
    weight = np.add.reduceat(seeds.weight[order], first)
    words = max(int(seeds.a.max()), int(seeds.b.max())) + 1
    most = max(_FEWEST_CLUSTERS, words // _WORDS_OF_A_CLUSTER)
    heaviest = np.argsort(-weight, kind="stable")[:most]
    heavy = heaviest[weight[heaviest] >= _LEAST_WEIGHT]
    corners = (
        np.minimum.reduceat(a, first)[heavy],
        np.maximum.reduceat(a, first)[heavy] + 1,
        np.minimum.reduceat(b, first)[heavy],
        np.maximum.reduceat(b, first)[heavy] + 1,
    )
    return sorted(Box(*box) for box in zip(*(corner.tolist() for corner in corners), strict=True))


def _strips(a: Numbers, b: Numbers, reach: int) -> _Strips:
    """Points sorted into strips along b, as wide as the reach, and by a inside.

    The neighbours of a point stand in three strips, each time in a row.
    """
    strip = b // (reach + 1)
    width = int(a.max()) + 2 * reach + 2
    key = strip * width + a + reach
    order = np.argsort(key, kind="stable")
    keys = key[order]
    rows = []
    for step in (-1, 0, 1):
        middle = key + step * width
        first = np.searchsorted(keys, middle - reach)
        rows.append((first, np.searchsorted(keys, middle + reach, side="right") - first))
    return _Strips(order, rows)


def _neighbours(b: Numbers, strips: _Strips, reach: int) -> tuple[Numbers, Numbers]:
    """All pairs of points that are within reach on both axes, each in both orders."""
    ones, others = [], []
    for first, count in strips.rows:
        one, place = expand(first, count)
        other = strips.order[place]
        near = np.abs(b[one] - b[other]) <= reach
        ones.append(one[near])
        others.append(other[near])
    return np.concatenate(ones), np.concatenate(others)


def _components(points: int, one: Numbers, other: Numbers) -> Numbers:
    """For each point the smallest point that it is connected with, ties given in both orders."""
    label = np.arange(points)
    while True:
        smallest = label.copy()
        np.minimum.at(smallest, one, label[other])
        smallest = smallest[smallest]
        if np.array_equal(smallest, label):
            return label
        label = smallest
