"""Matches with their passages, aligned when they are looked at."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from likewise.align.align import align_sides
from likewise.align.side import Side, side_of
from likewise.language import Lexicon
from likewise.model import Document, Match, Matches
from likewise.settings import Settings

_SIDES_KEPT = 256


def aligned(match: Match, a: Document, b: Document, settings: Settings) -> Match:
    """The match of two documents, with the passages they share."""
    lexicon = Lexicon(settings)
    found = align_sides(side_of(a, lexicon), side_of(b, lexicon))
    return replace(match, passages=found.passages, fragments=found.fragments)


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
        return replace(match, passages=found.passages, fragments=found.fragments)

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
