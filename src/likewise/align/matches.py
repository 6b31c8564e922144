"""Matches with their passages, aligned when they are looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from likewise.align.align import Alignment, align_sides
from likewise.align.side import Side, side_of
from likewise.language import Lexicon
from likewise.model import Document, Match, Matches, Picture
from likewise.reading.pictures import SAME_BITS
from likewise.settings import Settings

_SIDES_KEPT = 256
_MATCHES_KEPT = 10_000


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
        listings=found.listings,
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


def with_passages(matches: Matches) -> Matches:
    """The same matches, each with its passages; asked again, what was aligned is still known."""
    if matches.has_passages:
        return matches
    if matches.aligned is not None:
        return matches.aligned
    lexicon = Lexicon(matches.settings)
    sides: dict[int, Side] = {}  # by the identity of a document, the last used at the end

    def side(document: Document) -> Side:
        made = sides.pop(id(document), None) or side_of(document, lexicon)
        sides[id(document)] = made
        if len(sides) > _SIDES_KEPT:
            del sides[next(iter(sides))]
        return made

    known: dict[int, Match] = {}

    def match_at(k: int) -> Match:
        if k not in known:
            match = aligned_at(k)
            if len(known) >= _MATCHES_KEPT:
                return match
            known[k] = match
        return known[k]

    def aligned_at(k: int) -> Match:
        match = matches[k]
        if match.documents is None:
            raise ValueError("a match without its documents cannot be aligned")
        a, b = match.documents
        others = max(matches.documents - 1, 1)
        return _with(match, align_sides(side(a), side(b), others), a, b)

    matches.aligned = matches.made_by(match_at, has_passages=True)
    return matches.aligned
