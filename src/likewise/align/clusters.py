"""Clusters of seeds that lie close together in both documents: where a passage may be."""

from __future__ import annotations

import numpy as np

from likewise.align.pair import Box, Numbers
from likewise.align.seeds import UNIT, Seeds, expand

_CELL = 4  # words, on both sides
_REACH = 32  # words: seeds that near on both sides belong together if others support them
_LEAST_SUPPORT = 4 * UNIT  # of a seed, itself included
_LEAST_WEIGHT = 4 * UNIT  # of a cluster


def boxes_of(seeds: Seeds) -> list[Box]:
    """The words that each cluster spans in either document.

    Seeds in the same few words of both documents are taken together first: however dense they
    are, each has a bounded number of neighbours.
    """
    if not len(seeds.a):
        return []
    across = int(seeds.b.max()) // _CELL + 1
    cells, cell = np.unique(seeds.a // _CELL * across + seeds.b // _CELL, return_inverse=True)
    weight = np.bincount(cell, weights=seeds.weight)
    a, b = cells // across * _CELL, cells % across * _CELL
    one, other = _neighbours(a, b, _REACH)
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
    heavy = np.add.reduceat(seeds.weight[order], first) >= _LEAST_WEIGHT
    corners = (
        np.minimum.reduceat(a, first)[heavy],
        np.maximum.reduceat(a, first)[heavy] + 1,
        np.minimum.reduceat(b, first)[heavy],
        np.maximum.reduceat(b, first)[heavy] + 1,
    )
    return sorted(Box(*box) for box in zip(*(corner.tolist() for corner in corners), strict=True))


def _neighbours(a: Numbers, b: Numbers, reach: int) -> tuple[Numbers, Numbers]:
    """All pairs of points that are within reach on both axes, each in both orders.

    Points are sorted into strips along b, as wide as the reach, and by a inside: the neighbours of
    a point stand in three strips, each time in a row.
    """
    strip = b // (reach + 1)
    width = int(a.max()) + 2 * reach + 2
    key = strip * width + a + reach
    order = np.argsort(key, kind="stable")
    keys = key[order]
    ones, others = [], []
    for step in (-1, 0, 1):
        middle = key + step * width
        first = np.searchsorted(keys, middle - reach)
        last = np.searchsorted(keys, middle + reach, side="right")
        one, place = expand(first, last - first)
        other = order[place]
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
