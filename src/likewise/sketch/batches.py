"""Texts in batches, on several threads, in rounds.

All threads of a round read the lexicon; when they are done, one teaches it the new words of the
round. So nobody reads a table that changes, and the words are the same for any number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from likewise.language import Lexicon, canonical_text, scan, settle
from likewise.progress import Count
from likewise.settings import Settings

Batch = tuple[NDArray[np.uint64], NDArray[np.int64]]  # words of many texts, offsets of each text
T = TypeVar("T")
R = TypeVar("R")

BATCH_CHARS = 1 << 19  # small enough to stay in the processor's cache, large enough for a call
BATCHES_A_ROUND = 4  # for each thread: waiting for the last of a round should not matter


def sketched(
    texts: Iterable[str],
    settings: Settings,
    lexicon: Lexicon,
    sketch: Callable[[Batch], R],
    jobs: int = 1,
    progress: Count | None = None,
) -> Iterator[R]:
    """What `sketch` makes of each batch, in order: of its canonical words, or of their characters.

    A batch without new words is sketched by the thread that scanned it.
    """

    def read(batch: list[str]) -> tuple[int, Callable[[], R]]:
        scanned = scan(batch, lexicon)
        unknown = scanned[4]
        if unknown is not None and len(unknown[0]):
            return len(batch), lambda: sketch(settle(scanned, lexicon))
        sketch_of_batch = sketch(settle(scanned, lexicon))
        return len(batch), lambda: sketch_of_batch

    if settings.unit == "chars":
        rounds = _spelled(texts, lexicon, sketch)
    else:
        rounds = _in_rounds(read, _batches(texts), jobs)
    for size, result in rounds:
        yield result()
        if progress:
            progress(size)


def _spelled(
    texts: Iterable[str], lexicon: Lexicon, sketch: Callable[[Batch], R]
) -> Iterator[tuple[int, Callable[[], R]]]:
    """Batches of characters instead of words."""
    forms: dict[int, str] = {}
    for batch in _batches(texts):
        spellings = [canonical_text(text, lexicon, forms) for text in batch]
        together = "".join(spellings).encode("utf-32-le", "surrogatepass")
        codes = np.frombuffer(together, dtype=np.uint32).astype(np.uint64)
        result = sketch((codes, np.cumsum([0, *map(len, spellings)]).astype(np.int64)))
        yield len(batch), lambda result=result: result  # type: ignore[misc]


def _in_rounds(work: Callable[[T], R], items: Iterable[T], jobs: int) -> Iterator[R]:
    """`map` on threads that has finished a whole round before it hands out the first of it."""
    iterator = iter(items)
    pool: AbstractContextManager[Executor | None]
    pool = ThreadPoolExecutor(jobs) if jobs > 1 else nullcontext()
    with pool as threads:
        if threads is None:
            yield from map(work, iterator)
            return
        while batch_round := list(islice(iterator, jobs * BATCHES_A_ROUND)):
            yield from list(threads.map(work, batch_round))


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
