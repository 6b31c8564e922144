"""Which passages are worth reporting."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np

from likewise.align.extend import Extent, extend
from likewise.align.kinds import kind_of
from likewise.align.pair import Box, Pair
from likewise.align.seeds import Runs
from likewise.kernels.relations import NAT
from likewise.model import Kind, Span

# On the longer side, and less where word for word; half of the longer document is always enough.
_LEAST_CHARS, _LEAST_VERBATIM_CHARS = 250, 200
_LEAST_STRENGTH = 15 * NAT
_LEAST_SCORE = 0.42
_LONG_RUN = 9  # words that count; whether they are enough, the evidence says
# Beside something copied word for word, a looser likeness must be three times as strong.
_BESIDE_VERBATIM = 3


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage with what is known of it."""

    extent: Extent
    a: Span
    b: Span
    kind: Kind
    score: float  # Dice of the words of both sides
    strength: int

    first_box: Box | None = None  # the first of several places that say the same and were joined

    @property
    def box(self) -> Box:
        return self.extent.box

    @property
    def chars(self) -> int:
        return max(len(self.a), len(self.b))


def examine(pair: Pair, extent: Extent) -> Candidate:
    """Measure a passage. Its strength is the weaker side's evidence by the share of shared words.

    Words that come again and again are counted once in that share: the same few terms make two
    texts on one subject look alike, not copied.
    """
    box = extent.box
    a = pair.a.numbers[box.a0 : box.a1]
    b = pair.b.numbers[box.b0 : box.b1]
    a, b = a[a != 0], b[b != 0]
    distinct, here = np.unique(a, return_counts=True)
    common = np.minimum(here, pair.count(distinct, b))
    size = max(len(a) + len(b), 1)
    strength = min(extent.evidence_a, extent.evidence_b) * 2 * int(np.count_nonzero(common)) // size
    return Candidate(
        extent,
        pair.a.side.span(box.a0, box.a1),
        pair.b.side.span(box.b0, box.b1),
        # of what is too weak for a passage nobody asks
        kind_of(a, b) if strength >= _LEAST_STRENGTH or not extent.evidence_a else "rewritten",
        2 * int(common.sum()) / size,
        strength,
    )


def examine_box(pair: Pair, box: Box) -> Candidate:
    """Measure a part of a passage that was judged as a whole."""
    return examine(pair, Extent(box, 0, 0))


def word_for_word(pair: Pair, box: Box) -> Candidate:
    """A passage of which it is known that both sides have the same words in the same order."""
    here, there = pair.a.side.span(box.a0, box.a1), pair.b.side.span(box.b0, box.b1)
    return Candidate(Extent(box, 0, 0), here, there, "verbatim", 1.0, 0)


def long_runs(pair: Pair, runs: Runs, candidates: Iterable[Candidate]) -> list[Candidate]:
    """Unbroken runs that are long enough to be judged by themselves, and stand in no passage."""
    is_covered = np.zeros(len(pair.a.numbers), dtype=bool)
    for one in candidates:
        is_covered[one.box.a0 : one.box.a1] = True
    more: list[Candidate] = []
    long = np.flatnonzero(runs.length >= _LONG_RUN)
    for k in long[np.argsort(-runs.length[long], kind="stable")].tolist():
        ends = [0, int(runs.length[k]) - 1]
        a0, a1 = pair.a.places[int(runs.a[k]) + np.array(ends)].tolist()
        b0, b1 = pair.b.places[int(runs.b[k]) + np.array(ends)].tolist()
        if not is_covered[a0 : a1 + 1].any():
            is_covered[a0 : a1 + 1] = True
            more.append(word_for_word(pair, Box(a0, a1 + 1, b0, b1 + 1)))
    return more


def strong(pair: Pair, candidates: Iterable[Candidate]) -> list[Candidate]:
    """The passages that stand by themselves: long enough, and with enough evidence."""
    half = max(len(pair.a.side.text), len(pair.b.side.text)) // 2
    good = [
        f
        for f in candidates
        if f.strength >= _LEAST_STRENGTH
        and f.score >= _LEAST_SCORE
        and f.chars >= min(half, _LEAST_VERBATIM_CHARS if f.kind == "verbatim" else _LEAST_CHARS)
    ]
    if any(f.kind == "verbatim" for f in good):
        least = _LEAST_STRENGTH * _BESIDE_VERBATIM
        good = [f for f in good if f.kind == "verbatim" or f.strength >= least]
    return good


def without_overlaps(pair: Pair, boxes: Iterable[Box]) -> list[Extent]:
    """The passages around clusters; those that meet on both sides become one."""
    extents = _extended(pair, boxes)
    while True:
        joined = _joined([extent.box for extent in extents])
        if len(joined) == len(extents):
            return extents
        extent_of = {extent.box: extent for extent in extents}
        extents = [extent_of[box] for box in joined if box in extent_of]
        extents += _extended(pair, (box for box in joined if box not in extent_of))
        extents.sort()


def _extended(pair: Pair, boxes: Iterable[Box]) -> list[Extent]:
    extents = (extend(pair, box) for box in boxes)
    return sorted({extent for extent in extents if extent is not None})


def _joined(boxes: list[Box]) -> list[Box]:
    """Boxes that meet, joined; looks only at boxes that begin before another one's end."""
    done: list[Box] = []
    open_: list[Box] = []
    for box in sorted(boxes):
        still = []
        for earlier in open_:
            if earlier.a1 <= box.a0:
                done.append(earlier)
            elif earlier.meets(box):
                box = box.joined(earlier)
            else:
                still.append(earlier)
        open_ = [*still, box]
    return sorted(done + open_)


# The same stretch found again and again: told once, or a bounded number of times.


_MOST_PLACES = 16  # of the other document, for the same words of this one


def without_repetitions(pair: Pair, candidates: Iterable[Candidate]) -> list[Candidate]:
    """Passages that repeat one stretch without a break as one; not too many for the same words."""
    joined = _join_rows(pair, candidates, _by_b, _follows_in_a)
    joined = _join_rows(pair, joined, _by_a, _follows_in_b)
    distinct = []
    places: dict[tuple[int, int], int] = {}
    for each in sorted(joined, key=_by_a):
        words = each.box.a0, each.box.a1
        places[words] = places.get(words, 0) + 1
        if places[words] <= _MOST_PLACES:
            distinct.append(each)
    return distinct


def _join_rows(
    pair: Pair,
    candidates: Iterable[Candidate],
    order: Callable[[Candidate], tuple[int, ...]],
    follows: Callable[[Box, Box], bool],
) -> list[Candidate]:
    """Verbatim passages that follow one another, joined."""
    joined: list[Candidate] = []
    last = None
    for each in sorted(candidates, key=order):
        if joined and last and each.kind == "verbatim" and follows(last, each.box):
            joined[-1] = _join_repetition(pair, joined[-1], each)
        else:
            joined.append(each)
        last = each.box if each.kind == "verbatim" else None
    return joined


def _join_repetition(pair: Pair, one: Candidate, next_one: Candidate) -> Candidate:
    """Both as one passage, as like as the likelier of them."""
    box = one.box.joined(next_one.box)
    return replace(
        one,
        extent=one.extent._replace(box=box),
        a=pair.a.side.span(box.a0, box.a1),
        b=pair.b.side.span(box.b0, box.b1),
        score=max(one.score, next_one.score),
        first_box=one.first_box or one.box,
    )


def _follows_in_a(last: Box, box: Box) -> bool:
    return (last.b0, last.b1) == (box.b0, box.b1) and last.a1 == box.a0


def _follows_in_b(last: Box, box: Box) -> bool:
    return (last.a0, last.a1) == (box.a0, box.a1) and last.b1 == box.b0


def _by_a(candidate: Candidate) -> tuple[int, ...]:
    return candidate.box


def _by_b(candidate: Candidate) -> tuple[int, ...]:
    return candidate.box.b0, candidate.box.b1, candidate.box.a0, candidate.box.a1
