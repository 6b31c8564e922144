"""Small collections that share runs of words, and what a search must find in them."""

from __future__ import annotations

from collections import Counter
from itertools import chain, combinations

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from likewise.search import Pairs
from likewise.settings import Settings
from likewise.sketch import Sets

Lookup = dict[tuple[int, int], tuple[int, int, int]]

WORDS = [f"w{i}" for i in range(40)]
THRESHOLDS = [0.1, 0.2, 0.25, 0.28, 0.3, 0.4, 0.5, 0.6, 2 / 3, 0.7, 0.75, 0.8, 0.9, 1.0]

_run = st.tuples(st.integers(0, 25), st.integers(0, 14)).map(lambda r: WORDS[r[0] : r[0] + r[1]])
_text = st.lists(_run, max_size=3).map(lambda runs: " ".join(chain.from_iterable(runs)))


@st.composite
def collections(draw: st.DrawFn) -> list[str]:
    """Texts made of runs of the same words; some stand there twice, some are empty."""
    texts = draw(st.lists(_text, max_size=7))
    again = draw(st.lists(st.sampled_from(texts), max_size=3)) if texts else []
    return texts + again


thresholds = st.one_of(st.sampled_from(THRESHOLDS), st.floats(0.01, 1.0))


def repeatable(examples: int) -> settings:
    return settings(derandomize=True, deadline=None, max_examples=examples)


def slow_shingles(text: str, width: int) -> Counter[tuple[str, ...]]:
    words = text.split()
    runs = [tuple(words[i : i + width]) for i in range(len(words) - width + 1)]
    return Counter(runs or ([tuple(words)] if words else []))


def brute_force(texts: list[str], chosen: Settings, sides: list[int] | None = None) -> Lookup:
    """Every pair that reaches the threshold: shared shingles, size of a, size of b."""
    counted = [slow_shingles(text, chosen.shingle) for text in texts]
    if chosen.measure != "multiset":
        counted = [Counter(dict.fromkeys(counter, 1)) for counter in counted]
    found = {}
    for a, b in combinations(range(len(texts)), 2):
        shared = (counted[a] & counted[b]).total()
        sizes = counted[a].total(), counted[b].total()
        base = min(sizes) if chosen.measure == "containment" else sum(sizes) - shared
        if shared and shared / base >= chosen.threshold and (not sides or sides[a] != sides[b]):
            found[a, b] = (shared, *sizes)
    return found


def listed(pairs: Pairs) -> Lookup:
    """The pairs of documents of an answer, each of which must stand there once, strongest first."""
    found: Lookup = {}
    strengths = []
    for a, b, shared, size_a, size_b in pairs.documents():
        assert a < b and (a, b) not in found
        found[a, b] = shared, size_a, size_b
        contained = pairs.measure == "containment"
        strengths.append(shared / (min(size_a, size_b) if contained else size_a + size_b - shared))
    assert len(found) == len(pairs)
    assert strengths == sorted(strengths, reverse=True)
    return found


def sets_of(*documents: set[int] | range) -> Sets:
    """Sets of small numbers, as hashes spread over 64 bits."""
    spread = np.random.default_rng(1).integers(1, 2**64, size=2000, dtype=np.uint64)
    items = [spread[sorted(document)] for document in documents]
    ends = np.cumsum([0, *map(len, items)]).astype(np.int64)
    return Sets(np.concatenate([np.zeros(0, np.uint64), *items]), ends)


def alternating(n: int) -> np.ndarray:
    return (np.arange(n) % 2).astype(np.uint8)
