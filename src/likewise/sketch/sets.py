"""Texts to shingle sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise.kernels import shingle_runs, shingle_sets
from likewise.language import Lexicon
from likewise.progress import Count
from likewise.settings import Settings
from likewise.sketch.batches import Batch, sketched
from likewise.sketch.growing import GrowingArray

Hashes = NDArray[np.uint64]
Offsets = NDArray[np.int64]

_REPEAT = np.uint64(0x9E3779B97F4A7C15)
_FINISH = np.uint64(0xFF51AFD7ED558CCD)


@dataclass(frozen=True, slots=True, eq=False)
class Sets:
    """Shingle sets of many documents, end to end; document i has hashes[offsets[i]:offsets[i + 1]].

    Shingles stand in the order in which they first occur. `counts`, if kept, says how often each
    occurs in its document.
    """

    hashes: Hashes
    offsets: Offsets
    counts: NDArray[np.uint32] | None = None

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, i: int) -> Hashes:
        return self.hashes[self.offsets[i] : self.offsets[i + 1]]

    @property
    def sizes(self) -> Offsets:
        """The number of distinct shingles of each document."""
        return np.diff(self.offsets)


def build_sets(
    texts: Iterable[str],
    settings: Settings,
    lexicon: Lexicon | None = None,
    *,
    counts: bool = False,
    jobs: int = 1,
    memory: int | None = None,
    progress: Count | None = None,
) -> Sets:
    """The shingle sets of many texts; past `memory` bytes they are kept in an unnamed file.

    For the multiset measure, unless the counts are asked for, the n-th occurrence of a shingle is
    an element of its own: Jaccard of these sets is the weighted Jaccard of the multisets.

    >>> sets = build_sets(["a b c d", "b c d"], Settings.plain(shingle=2))
    >>> sets.sizes.tolist()
    [3, 2]
    """
    lexicon = Lexicon(settings) if lexicon is None else lexicon
    multiset = settings.measure == "multiset" and not counts
    hashes = GrowingArray(np.dtype(np.uint64), memory)
    repeats = GrowingArray(np.dtype(np.uint32), memory)
    lengths: list[Offsets] = []

    def shingle(batch: Batch) -> tuple[Hashes, Offsets, NDArray[np.uint32] | None]:
        return shingle_sets(*batch, settings.shingle, counts or multiset)

    for flat, offsets, count in sketched(texts, settings, lexicon, shingle, jobs, progress):
        if count is not None and counts:
            repeats.append(count)
        elif count is not None:
            flat, offsets = with_repetitions(flat, offsets, count)
        hashes.append(flat)
        lengths.append(np.diff(offsets))
    sizes = np.concatenate(lengths) if lengths else np.zeros(0, dtype=np.int64)
    offsets = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    return Sets(hashes.finish(), offsets, repeats.finish() if counts else None)


def sets_of_words(words: Hashes, settings: Settings) -> Sets:
    """The shingle set of one document by its canonical words, 0 where one is dropped.

    >>> sets_of_words(np.array([3, 5, 0, 7], dtype=np.uint64), Settings(shingle=2)).sizes.tolist()
    [2]
    """
    multiset = settings.measure == "multiset"
    offsets = np.array([0, len(words)], dtype=np.int64)
    hashes, offsets, counts = shingle_sets(words, offsets, settings.shingle, multiset)
    if counts is not None:
        hashes, offsets = with_repetitions(hashes, offsets, counts)
    return Sets(hashes, offsets)


def with_repetitions(
    hashes: Hashes, offsets: Offsets, counts: NDArray[np.uint32]
) -> tuple[Hashes, Offsets]:
    """Sets in which the n-th occurrence of a shingle is an element of its own."""
    total = np.concatenate(([0], np.cumsum(counts, dtype=np.int64)))
    repeated = np.repeat(hashes, counts)
    nth = np.arange(total[-1]) - np.repeat(total[:-1], counts)
    mixed = (repeated + nth.astype(np.uint64) * _REPEAT) * _FINISH
    mixed ^= mixed >> np.uint64(29)
    mixed = np.where(mixed == 0, np.uint64(1), mixed)
    return np.where(nth == 0, repeated, mixed), total[offsets]


def common_words(texts: Iterable[str], lexicon: Lexicon, share: float, jobs: int = 1) -> list[int]:
    """Canonical words that stand in more than this share of the texts (and in more than one)."""
    holders: Counter[int] = Counter()
    documents = 0
    by_words = lexicon.settings.but(unit="words")
    for distinct, texts_read in sketched(texts, by_words, lexicon, _distinct_words, jobs):
        documents += texts_read
        words, numbers = np.unique(distinct, return_counts=True)
        holders.update(dict(zip(words.tolist(), numbers.tolist(), strict=True)))
    limit = max(1.0, share * documents)
    return sorted(word for word, number in holders.items() if word and number > limit)


def _distinct_words(batch: Batch) -> tuple[Hashes, int]:
    """The words of each text, each text's once, and how many texts there are."""
    words, offsets = batch
    text = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    order = np.lexsort((words, text))
    word, text = words[order], text[order]
    first = np.ones(len(word), dtype=bool)
    first[1:] = (word[1:] != word[:-1]) | (text[1:] != text[:-1])
    return word[first], len(offsets) - 1


def runs_of(text: str, settings: Settings, lexicon: Lexicon) -> Hashes:
    """The shingles of one text in their order, repetitions included."""
    (runs,) = sketched(
        [text], settings, lexicon, lambda batch: shingle_runs(*batch, settings.shingle)[0]
    )
    return runs
