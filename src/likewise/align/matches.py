"""Matches with their passages, aligned when they are looked at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from likewise.align.align import Alignment, align_sides
from likewise.align.side import Side, side_of
from likewise.language import Lexicon
from likewise.model import Document, Match, Matches, Picture
from likewise.reading.pictures import SAME_BITS
from likewise.settings import Settings

_SIDES_KEPT = 256


def aligned(match: Match, a: Document, b: Document, settings: Settings) -> Match:
    """The match of two documents, with the passages they share."""
    lexicon = Lexicon(settings)
    found = align_sides(side_of(a, lexicon), side_of(b, lexicon))
    return _with(match, found, a, b)


def _with(match: Match, found: Alignment, a: Document, b: Document) -> Match:
    return replace(
        match,
        passages=found.passages,
        fragments=found.fragments,
        pictures=shared_pictures(a.pictures, b.pictures),
    )


def shared_pictures(
    ours: Sequence[Picture], theirs: Sequence[Picture]
) -> tuple[tuple[Picture, Picture], ...]:
    """Each picture of ours that looks like one of theirs, with the one it is most like."""
    shared = []
    for picture in ours:
        nearest = min(theirs, key=picture.bits_apart, default=None)
        if nearest and picture.bits_apart(nearest) <= SAME_BITS:
            shared.append((picture, nearest))
    return tuple(shared)


def with_passages(
    matches: Matches, left: Iterable[Document], right: Iterable[Document] | None = None
) -> Matches:
    """The same matches, each with its passages; `left` and `right` are what was compared."""
    first = {document.name: document for document in left}
    second = first if right is None else {document.name: document for document in right}
    lexicon = Lexicon(matches.settings)

    @lru_cache(maxsize=_SIDES_KEPT)
    def side(is_first: bool, name: str) -> Side:
        return side_of((first if is_first else second)[name], lexicon)

    def match_at(k: int) -> Match:
        match = matches[k]
        found = align_sides(side(True, match.a), side(right is None, match.b))
        return _with(match, found, first[match.a], second[match.b])

    return Matches(
        len(matches),
        match_at,
        clusters=matches.clusters,
        unread=matches.unread,
        settings=matches.settings,
        method=matches.method,
        documents=matches.documents,
        compared=matches.compared,
        notes=matches.notes,
    )
