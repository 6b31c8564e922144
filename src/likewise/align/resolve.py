"""Several sources for the same text: each character counts once, for the source that explains most.

Greedy, as for a set cover: the source that explains the most characters not yet explained comes
first, of equals the one with the longest passage, of those the first by name. What a source adds is
counted for it; a source that adds nothing is listed under the one that explains most of its text.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise.model import Span


@dataclass(frozen=True, slots=True)
class Resolved:
    """A source, the text that it covers, the part counted for it, and where it is listed."""

    name: str
    covered: tuple[Span, ...]
    counted: tuple[Span, ...]
    under: str | None = None


def resolve(length: int, sources: Mapping[str, Sequence[Span]]) -> tuple[Resolved, ...]:
    """The sources of a text of so many characters, the one that explains most first.

    >>> found = resolve(100, {"a": [Span(0, 50)], "b": [Span(40, 60)], "c": [Span(10, 30)]})
    >>> [(source.name, source.counted, source.under) for source in found]
    [('a', (Span(start=0, end=50),), None), ('b', (Span(start=50, end=60),), None),
     ('c', (), 'a')]
    """
    covered = {name: union(spans) for name, spans in sources.items() if any(map(len, spans))}
    longest = {name: max(map(len, sources[name])) for name in covered}
    owner = np.full(length, -1, dtype=np.int32)
    names: list[str] = []
    resolved: list[Resolved] = []
    # What a source adds only shrinks as others are taken: an old figure is an upper bound, and is
    # counted anew only when it leads.
    queue = [(-sum(map(len, spans)), -longest[n], n, 0) for n, spans in covered.items()]
    heapq.heapify(queue)
    without: list[str] = []
    while queue:
        added, length_of_longest, name, counted_at = heapq.heappop(queue)
        if counted_at < len(names):
            added = -sum(int((owner[s.start : s.end] < 0).sum()) for s in covered[name])
            heapq.heappush(queue, (added, length_of_longest, name, len(names)))
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
    for name in sorted(without, key=lambda name: (-sum(map(len, covered[name])), name)):
        holders = np.concatenate([owner[s.start : s.end] for s in covered[name]])
        most = int(np.bincount(holders).argmax())
        resolved.append(Resolved(name, covered[name], (), names[most]))
    return tuple(resolved)


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
