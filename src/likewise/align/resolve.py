"""Several sources for the same text: each character counts once, for the source that explains most.

Greedy, as for a weighted set cover: the source that explains most of what is not yet explained
comes first, a character for as much as the passage is alike, so that a word for word copy stands
before a rewritten form of the same text; of equals the one with the longest passage, of those the
first by name. What a source adds is counted for it; a source that adds nothing is listed under the
one that explains most of its text.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from likewise.model import Span

Weighed = tuple[Span, int]  # a passage, and how much alike it is, in thousandths, at least 1


@dataclass(frozen=True, slots=True)
class Resolved:
    """A source, the text that it covers, the part counted for it, and where it is listed."""

    name: str
    covered: tuple[Span, ...]
    counted: tuple[Span, ...]
    under: str | None = None


def resolve(length: int, sources: Mapping[str, Sequence[Weighed]]) -> tuple[Resolved, ...]:
    """The sources of a text of so many characters, the one for which most is counted first.

    >>> a, b, c = (Span(0, 50), 900), (Span(40, 60), 900), (Span(10, 30), 900)
    >>> found = resolve(100, {"a": [a], "b": [b], "c": [c]})
    >>> [(source.name, source.counted, source.under) for source in found]
    [('a', (Span(start=0, end=50),), None), ('b', (Span(start=50, end=60),), None),
     ('c', (), 'a')]
    """
    pieces = {name: weighed for name, passages in sources.items() if (weighed := _pieces(passages))}
    covered = {name: union(span for span, _ in passages) for name, passages in pieces.items()}
    longest = {name: max(len(span) for span, _ in sources[name]) for name in pieces}
    owner = np.full(length, -1, dtype=np.int32)
    names: list[str] = []
    resolved: list[Resolved] = []

    def adds(name: str) -> int:
        return sum(w * int((owner[s.start : s.end] < 0).sum()) for s, w in pieces[name])

    # What a source adds only shrinks as others are taken: an old figure is an upper bound, and is
    # counted anew only when it leads.
    queue = [(-adds(name), -longest[name], name, 0) for name in pieces]
    heapq.heapify(queue)
    without: list[str] = []
    while queue:
        added, length_of_longest, name, counted_at = heapq.heappop(queue)
        if counted_at < len(names):
            heapq.heappush(queue, (-adds(name), length_of_longest, name, len(names)))
            continue
        if not added:
            without.append(name)
            continue
        free = np.zeros(length, dtype=bool)
        for span in covered[name]:
            free[span.start : span.end] = owner[span.start : span.end] < 0
        owner[free] = len(names)
        names.append(name)
        resolved.append(Resolved(name, covered[name], runs_of(free)))
    resolved.sort(key=lambda source: -sum(map(len, source.counted)))
    for name in sorted(without, key=lambda name: (-sum(map(len, covered[name])), name)):
        holders = np.concatenate([owner[s.start : s.end] for s in covered[name]])
        most = int(np.bincount(holders).argmax())
        resolved.append(Resolved(name, covered[name], (), names[most]))
    return tuple(resolved)


def _pieces(passages: Sequence[Weighed]) -> list[Weighed]:
    """The same characters apart from each other, each with the most that it is alike.

    >>> _pieces([(Span(0, 9), 500), (Span(3, 5), 900)])
    [(Span(start=0, end=3), 500), (Span(start=3, end=5), 900), (Span(start=5, end=9), 500)]
    """
    starting = sorted((span.start, span.end, weight) for span, weight in passages if span)
    cuts = sorted({cut for start, end, _ in starting for cut in (start, end)})
    pieces: list[Weighed] = []
    open_: list[tuple[int, int]] = []  # most alike first, with where it ends
    following = 0
    for cut, after in pairwise(cuts):
        while following < len(starting) and starting[following][0] == cut:
            _, end, weight = starting[following]
            heapq.heappush(open_, (-weight, end))
            following += 1
        while open_ and open_[0][1] <= cut:
            heapq.heappop(open_)
        if open_:
            pieces.append((Span(cut, after), -open_[0][0]))
    return pieces


def union(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The same characters in as few spans as possible.

    >>> union([Span(5, 9), Span(0, 3), Span(2, 6)])
    (Span(start=0, end=9),)
    """
    joined: list[Span] = []
    for span in sorted(span for span in spans if span):
        if joined and span.start <= joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, span.end))
        else:
            joined.append(span)
    return tuple(joined)


def runs_of(mask: NDArray[np.bool_]) -> tuple[Span, ...]:
    """Where a mask is set.

    >>> runs_of(np.array([True, True, False, True]))
    (Span(start=0, end=2), Span(start=3, end=4))
    """
    edges = np.flatnonzero(np.diff(np.concatenate(([False], mask, [False])).astype(np.int8)))
    ends = edges.tolist()
    return tuple(Span(a, b) for a, b in zip(ends[::2], ends[1::2], strict=True))
