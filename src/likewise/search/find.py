"""Documents in, matches out: inside one collection, or between two."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from likewise.errors import BadInput
from likewise.language import Lexicon, Tokens, tokens_of
from likewise.measure import Profile, measure_pair, profile_of
from likewise.model import Cluster, Collection, Document, Match, Matches, Message, Unread
from likewise.progress import Progress
from likewise.search.clusters import components
from likewise.search.meaning import pairs_by_meaning
from likewise.search.owners import Owners, PairsOfOthers
from likewise.search.pairs import Pairs
from likewise.search.similar import similar
from likewise.settings import Settings
from likewise.sketch import Sets, build_sets, common_words

# How much of two documents is the same in other words; 0 where they have no such passage.
MeaningJudge = Callable[[Document, Document], float]

_MOST_PROFILES, _MOST_TOKENS = 1024, 256


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How pairs are searched: what changes the answer, and what does not (threads, memory).

    With a `judge`, pairs are looked for by meaning too: candidates are chosen by their concepts,
    and those stay of which it says that they have something in common. Two documents that share an
    owner are no pair; `owners` tells them by the documents' names.
    """

    settings: Settings = field(default_factory=Settings)
    jobs: int = 1
    memory: int | None = None
    judge: MeaningJudge | None = None
    owners: Owners | None = None


def find_in(
    documents: Sequence[Document],
    options: SearchOptions,
    *,
    label: str = "",
    unread: Sequence[Unread] = (),
    collections: tuple[Collection, ...] = (),
    progress: Progress | None = None,
) -> Matches:
    """Similar pairs inside one collection."""
    documents = _by_name(documents)
    names, labels = _names(documents), (label,) if label else ()
    return _matches(documents, None, names, options, unread, labels, collections, progress)


def cross_between(
    left: Sequence[Document],
    right: Sequence[Document],
    options: SearchOptions,
    *,
    labels: tuple[str, str] = ("a", "b"),
    unread: Sequence[Unread] = (),
    collections: tuple[Collection, ...] = (),
    progress: Progress | None = None,
) -> Matches:
    """Similar pairs with one document from each collection; `a` is always from the first.

    A name that stands in both is told with the label of its collection.
    """
    left, right = _by_name(left), _by_name(right)
    twice = {document.name for document in left} & {document.name for document in right}
    names = [
        f"{label}/{document.name}" if document.name in twice else document.name
        for label, side in zip(labels, (left, right), strict=True)
        for document in side
    ]
    sides = np.repeat(np.array([0, 1], dtype=np.uint8), [len(left), len(right)])
    both = [*left, *right]
    return _matches(both, sides, names, options, unread, labels, collections, progress)


def _matches(
    documents: Sequence[Document],
    sides: NDArray[np.uint8] | None,
    names: Sequence[str],
    options: SearchOptions,
    unread: Sequence[Unread],
    labels: tuple[str, ...],
    collections: tuple[Collection, ...],
    progress: Progress | None,
) -> Matches:
    settings, jobs, memory = options.settings, options.jobs, options.memory
    texts = [document.compared_text for document in documents]
    lexicon = Lexicon(settings)
    if settings.drop_common is not None:
        share = settings.drop_common
        lexicon = lexicon.without(common_words(texts, lexicon, share, jobs=jobs))
    sets = _sketched(texts, settings, lexicon, jobs, memory, progress)
    if progress:
        progress("comparing", 0, 0)
    pairs = similar(sets, settings, sides=sides, jobs=jobs, memory=memory)
    empty = [
        Unread(names[i], _why_empty(documents[i])) for i in np.flatnonzero(sets.sizes == 0).tolist()
    ]
    places = _Places(pairs)
    others = None
    if options.owners is not None:
        others = PairsOfOthers.of(pairs, places.pair_at, names, options.owners)
    length = len(pairs) if others is None else len(others)
    reworded: list[tuple[int, int, float]] = []
    if options.judge is not None:
        reworded = _find_reworded(documents, texts, pairs, sides, options.judge, progress)
    numbers = {id(document): i for i, document in enumerate(documents)}
    # The filters of paper 001 count repetitions apart: of multisets the measures count anew.
    is_counted = settings.filter == "prefix" or settings.measure != "multiset"

    @lru_cache(maxsize=_MOST_TOKENS)
    def tokens(i: int) -> Tokens:
        return tokens_of(texts[i], lexicon)

    @lru_cache(maxsize=_MOST_PROFILES)
    def profile(i: int) -> Profile:
        return profile_of(texts[i], settings, lexicon, tokens(i).hash)

    def cached_tokens(document: Document) -> Tokens | None:
        i = numbers.get(id(document))
        return None if i is None else tokens(i)

    def match_at(k: int) -> Match:
        i, j, shared, share = (
            (*(places.pair_at(k) if others is None else others.pair_at(k)), None)
            if k < length
            else (*reworded[k - length][:2], None, reworded[k - length][2])
        )
        match = measure_pair(
            documents[i],
            documents[j],
            profile(i),
            profile(j),
            settings,
            shared=shared if is_counted else None,
        )
        if share is None and (match.a, match.b) == (names[i], names[j]):
            return match
        return replace(match, a=names[i], b=names[j], meaning_share=share)

    return Matches(
        length + len(reworded),
        match_at,
        clusters=tuple(
            Cluster(tuple(names[i] for i in component.members), component.weakest)
            for component in (components(pairs) if others is None else others.components())
        ),
        unread=(*unread, *empty),
        settings=settings,
        method=pairs.method,
        documents=len(documents),
        compared=pairs.compared,
        notes=tuple(
            (name, note)
            for name, document in zip(names, documents, strict=True)
            for note in document.notes
        ),
        histogram=pairs.histogram if others is None else others.histogram,
        names=labels,
        collections=collections,
        # Common words are dropped from shingles alone: the alignment reads with them.
        tokens=cached_tokens if settings.drop_common is None else None,
        pairs_by_meaning=len(reworded) if options.judge is not None else None,
    )


def _find_reworded(
    documents: Sequence[Document],
    texts: Sequence[str],
    pairs: Pairs,
    sides: NDArray[np.uint8] | None,
    judge: MeaningJudge,
    progress: Progress | None,
) -> list[tuple[int, int, float]]:
    """Pairs that no words brought together: two documents, and how much of one the other says.

    Of copies one asks, is asked and is judged for all; what most is the same of stands first.
    """
    copies = pairs.copies
    first = copies.first.tolist()

    def on_text(done: int) -> None:
        if progress:
            progress("looking by meaning", done, len(first))

    candidates = pairs_by_meaning(
        [texts[i] for i in first],
        sides=None if sides is None else sides[copies.first].tolist(),
        known=(pairs.left.astype(np.int64), pairs.right.astype(np.int64)),
        progress=on_text,
    )
    reworded: list[tuple[int, int, float]] = []
    for done, (g, h) in enumerate(candidates, 1):
        share = judge(documents[first[g]], documents[first[h]])
        if share > 0:
            for a in copies.of(g).tolist():
                reworded += ((min(a, b), max(a, b), share) for b in copies.of(h).tolist())
        if progress:
            progress("comparing passages", done, len(candidates))
    return sorted(reworded, key=lambda pair: (-pair[2], pair[0], pair[1]))


def _why_empty(document: Document) -> Message:
    """What its reader noted explains best why there is nothing in a document."""
    if document.notes:
        return Message("core.no_words_why", {"why": document.notes[0].message})
    return Message("core.no_words")


def _sketched(
    texts: Sequence[str],
    settings: Settings,
    lexicon: Lexicon,
    jobs: int,
    memory: int | None,
    progress: Progress | None,
) -> Sets:
    done = 0

    def step(more: int) -> None:
        nonlocal done
        done += more
        if progress:
            progress("reading words", done, len(texts))

    counts = settings.filter != "prefix"  # the filters of paper 001 look at repetitions
    return build_sets(
        texts, settings, lexicon, counts=counts, jobs=jobs, memory=memory, progress=step
    )


class _Places:
    """Which two documents are the k-th pair, without listing the pairs before it."""

    def __init__(self, pairs: Pairs) -> None:
        self._pairs = pairs
        self._identical = pairs.identical().tolist()
        sizes = pairs.copies.sizes
        within = [int(sizes[g]) * (int(sizes[g]) - 1) // 2 for g in self._identical]
        between = (sizes[pairs.left] * sizes[pairs.right]).tolist()
        self._ends = list(accumulate([*within, *between]))

    def pair_at(self, k: int) -> tuple[int, int, int]:
        """The two documents, and how many shingles they share."""
        block = bisect_right(self._ends, k)
        k -= self._ends[block - 1] if block else 0
        copies = self._pairs.copies
        if block < len(self._identical):
            members = copies.of(self._identical[block])
            row, column = _triangle(k, len(members))
            size = int(self._pairs.sizes[self._identical[block]])
            return int(members[row]), int(members[column]), size
        pair = block - len(self._identical)
        left = copies.of(int(self._pairs.left[pair]))
        right = copies.of(int(self._pairs.right[pair]))
        a, b = int(left[k // len(right)]), int(right[k % len(right)])
        shared = int(self._pairs.shared[pair])
        return (a, b, shared) if a < b else (b, a, shared)


def _triangle(k: int, n: int) -> tuple[int, int]:
    """The k-th of the pairs (0, 1), (0, 2) … (1, 2) … of n things.

    >>> [_triangle(k, 4) for k in range(6)]
    [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    """
    low, high = 0, n - 2
    while low < high:  # the last row that starts at or before k
        middle = (low + high + 1) // 2
        if middle * (2 * n - middle - 1) // 2 <= k:
            low = middle
        else:
            high = middle - 1
    return low, k - low * (2 * n - low - 1) // 2 + low + 1


def ensure_own_names(documents: Iterable[Document]) -> None:
    """Documents of one collection are told apart by their names."""
    for one, two in pairwise(sorted(document.name for document in documents)):
        if one == two:
            raise BadInput("core.name_twice", name=one)


def _by_name(documents: Sequence[Document]) -> list[Document]:
    ensure_own_names(documents)
    return sorted(documents, key=lambda document: document.name)


def _names(documents: Sequence[Document]) -> list[str]:
    return [document.name for document in documents]
