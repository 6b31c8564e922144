"""The same stretch found again and again: told once, or a bounded number of times."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from likewise.align.pair import Box, Pair
from likewise.align.validate import Found

_MOST_PLACES = 16  # of the other document, for the same words of this one


def without_repetitions(pair: Pair, found: Iterable[Found]) -> list[Found]:
    """Passages that repeat one stretch without a break as one; not too many for the same words."""
    joined = _runs(pair, found, _by_b, _follows_in_a)
    joined = _runs(pair, joined, _by_a, _follows_in_b)
    kept = []
    places: dict[tuple[int, int], int] = {}
    for each in sorted(joined, key=_by_a):
        words = each.box.a0, each.box.a1
        places[words] = places.get(words, 0) + 1
        if places[words] <= _MOST_PLACES:
            kept.append(each)
    return kept


def _runs(
    pair: Pair,
    found: Iterable[Found],
    order: Callable[[Found], tuple[int, ...]],
    follows: Callable[[Box, Box], bool],
) -> list[Found]:
    """Verbatim passages that follow one another, joined."""
    joined: list[Found] = []
    last = None
    for each in sorted(found, key=order):
        if joined and last and each.kind == "verbatim" and follows(last, each.box):
            joined[-1] = _joined(pair, joined[-1], each)
        else:
            joined.append(each)
        last = each.box if each.kind == "verbatim" else None
    return joined


def _joined(pair: Pair, one: Found, next_one: Found) -> Found:
    """Both as one passage, as like as the likelier of them."""
    box = one.box.joined(next_one.box)
    return replace(
        one,
        extent=one.extent._replace(box=box),
        a=pair.a.side.span(box.a0, box.a1),
        b=pair.b.side.span(box.b0, box.b1),
        score=max(one.score, next_one.score),
        judged=one.judged or one.box,
    )


def _follows_in_a(last: Box, box: Box) -> bool:
    return (last.b0, last.b1) == (box.b0, box.b1) and last.a1 == box.a0


def _follows_in_b(last: Box, box: Box) -> bool:
    return (last.a0, last.a1) == (box.a0, box.a1) and last.b1 == box.b0


def _by_a(found: Found) -> tuple[int, ...]:
    return found.box


def _by_b(found: Found) -> tuple[int, ...]:
    return found.box.b0, found.box.b1, found.box.a0, found.box.a1
