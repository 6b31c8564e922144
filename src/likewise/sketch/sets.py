"""Texts to shingle sets, in batches, on as many threads as asked: the same sets for any number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from likewise.kernels import shingle_runs, shingle_sets
from likewise.language import Lexicon, canonical_text, scan, settle
from likewise.settings import Settings
from likewise.sketch.growing import GrowingArray

Hashes = NDArray[np.uint64]
Offsets = NDArray[np.int64]
T = TypeVar("T")
R = TypeVar("R")

BATCH_CHARS = (
    1 << 19
)  # small enough to stay in the processor's cache, large enough to hide the calls
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
    progress: Callable[[int], None] | None = None,
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

    def shingle(batch: tuple[Hashes, Offsets]) -> tuple[Hashes, Offsets, NDArray[np.uint32] | None]:
        return shingle_sets(batch[0], batch[1], settings.shingle, counts or multiset)

    with _threads(jobs) as pool:
        for flat, offsets, count in _in_rounds(
            pool, jobs, shingle, _word_batches(texts, settings, lexicon, pool, jobs, progress)
        ):
            if count is not None and counts:
                repeats.append(count)
            elif count is not None:
                flat, offsets = with_repetitions(flat, offsets, count)
            hashes.append(flat)
            lengths.append(np.diff(offsets))
    sizes = np.concatenate(lengths) if lengths else np.zeros(0, dtype=np.int64)
    offsets = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    return Sets(hashes.finish(), offsets, repeats.finish() if counts else None)


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
    with _threads(jobs) as pool:
        for hashes, offsets in _scanned_batches(texts, lexicon, pool, jobs, None):
            documents += len(offsets) - 1
            document = np.repeat(np.arange(len(offsets) - 1, dtype=np.uint64), np.diff(offsets))
            # each document counts once for a word, however often it stands there
            order = np.lexsort((hashes, document))
            h, d = hashes[order], document[order]
            first = np.ones(len(h), dtype=bool)
            first[1:] = (h[1:] != h[:-1]) | (d[1:] != d[:-1])
            words, numbers = np.unique(h[first], return_counts=True)
            holders.update(dict(zip(words.tolist(), numbers.tolist(), strict=True)))
    limit = max(1.0, share * documents)
    return sorted(word for word, number in holders.items() if word and number > limit)


def runs_of(text: str, settings: Settings, lexicon: Lexicon) -> Hashes:
    """The shingles of one text in their order, repetitions included."""
    words, offsets = next(_word_batches([text], settings, lexicon, None, 1, None))
    return shingle_runs(words, offsets, settings.shingle)[0]


def _word_batches(
    texts: Iterable[str],
    settings: Settings,
    lexicon: Lexicon,
    pool: Executor | None,
    jobs: int,
    progress: Callable[[int], None] | None,
) -> Iterator[tuple[Hashes, Offsets]]:
    """Batches of what shingles are made of: hashes of canonical words, or their characters."""
    if settings.unit == "words":
        yield from _scanned_batches(texts, lexicon, pool, jobs, progress)
        return
    forms: dict[int, str] = {}
    for batch in _batches(texts):
        written = [canonical_text(text, lexicon, forms) for text in batch]
        codes = np.frombuffer(
            "".join(written).encode("utf-32-le", "surrogatepass"), dtype=np.uint32
        )
        ends = np.cumsum([0, *map(len, written)]).astype(np.int64)
        yield codes.astype(np.uint64), ends
        if progress:
            progress(len(batch))


def _scanned_batches(
    texts: Iterable[str],
    lexicon: Lexicon,
    pool: Executor | None,
    jobs: int,
    progress: Callable[[int], None] | None,
) -> Iterator[tuple[Hashes, Offsets]]:
    """Scan in rounds: all threads read the lexicon, then one teaches it."""
    for scanned in _in_rounds(pool, jobs, lambda batch: scan(batch, lexicon), _batches(texts)):
        yield settle(scanned, lexicon)
        if progress:
            progress(len(scanned[1]) - 1)


def _in_rounds(
    pool: Executor | None, jobs: int, work: Callable[[T], R], items: Iterable[T]
) -> Iterator[R]:
    """`map` that finishes `jobs` items before it hands out the first of them, in order."""
    if pool is None or jobs <= 1:
        for item in items:
            yield work(item)
        return
    iterator = iter(items)
    while taken := list(islice(iterator, jobs)):
        yield from list(pool.map(work, taken))


def _batches(texts: Iterable[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    chars = 0
    for text in texts:
        batch.append(text)
        chars += len(text)
        if chars >= BATCH_CHARS:
            yield batch
            batch, chars = [], 0
    if batch:
        yield batch


class _NoThreads:
    def __enter__(self) -> None:
        return None

    def __exit__(self, *problem: object) -> None:
        return None


def _threads(jobs: int) -> ThreadPoolExecutor | _NoThreads:
    return ThreadPoolExecutor(jobs) if jobs > 1 else _NoThreads()
