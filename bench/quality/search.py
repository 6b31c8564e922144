"""Texts to pairs of names, the way the benchmarks ask for them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from likewise.search import Pairs, components, similar
from likewise.settings import Settings
from likewise.sketch import build_sets

Pair = tuple[str, str]


def search(texts: Iterable[str], settings: Settings) -> Pairs:
    """What Likewise finds."""
    return similar(build_sets(texts, settings), settings)


def as_array(pairs: Pairs) -> NDArray[np.int64]:
    """Pairs of document numbers, a row each."""
    return np.array([(a, b) for a, b, *_ in pairs.documents()], np.int64).reshape(-1, 2)


def named_pairs(pairs: Pairs, names: list[str]) -> set[Pair]:
    """The pairs found, by name."""
    return {ordered(names[a], names[b]) for a, b, *_ in pairs.documents()}


def clustered_pairs(pairs: Pairs, names: list[str]) -> set[Pair]:
    """All pairs that stand in one cluster, by name."""
    return {
        ordered(names[a], names[b])
        for cluster in components(pairs)
        for a, b in combinations(cluster.members, 2)
    }


def ordered(a: str, b: str) -> Pair:
    """A pair is the same either way round."""
    return (a, b) if a < b else (b, a)
