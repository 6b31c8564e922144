"""Matches with their passages, aligned when they are looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from likewise.align.align import Alignment, align_sides
from likewise.align.meaning import lacks_concepts
from likewise.align.shares import CountedText
from likewise.align.side import Side, side_of
from likewise.language import Lexicon, borrow_lexicon, concepts, tokens_of
from likewise.measure import measure_pair, profile_of
from likewise.model import Document, Match, Matches, Message, Note, Picture
from likewise.reading.pictures import SAME_BITS
from likewise.settings import Settings

_MOST_SIDES = 256
_MOST_MATCHES = 10_000


def compare_pair(
    a: Document, b: Document, settings: Settings, level: int = 99, *, by_meaning: bool = True
) -> Match:
    """Two documents, with every measure and the passages they share; each is tokenised once."""
    with borrow_lexicon(settings) as lexicon:
        texts = a.compared_text, b.compared_text
        here, there = (tokens_of(text, lexicon) for text in texts)
        one = profile_of(texts[0], settings, lexicon, here.hash)
        two = profile_of(texts[1], settings, lexicon, there.hash)
        match = measure_pair(a, b, one, two, settings, level)
        sides = side_of(a, lexicon, tokens=here), side_of(b, lexicon, tokens=there)
        alignment = align_sides(*sides, by_meaning=by_meaning)
        aligned = _with_alignment(match, alignment, a, b, by_meaning=by_meaning)
    if not by_meaning or any(passage.by_meaning for passage in aligned.passages):
        return aligned
    note = Note("no concepts", Message("core.no_concepts"))
    notes = tuple((each.name, note) for each in (a, b) if lacks_concepts(each))
    return replace(aligned, notes=notes)


def _with_alignment(
    match: Match, alignment: Alignment, a: Document, b: Document, *, by_meaning: bool
) -> Match:
    return replace(
        match,
        passages=alignment.passages,
        fragments=alignment.fragments,
        listings=alignment.listings,
        pictures=shared_pictures(a.pictures, b.pictures),
        concepts=concepts.recipe() if by_meaning else "",
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


class SideCache:
    """Documents as the alignment needs them; the last ones are remembered."""

    def __init__(self, settings: Settings, tokens: Callable[[Document], Any] | None = None) -> None:
        self._lexicon = Lexicon(settings)
        self._tokens = tokens
        self._sides: dict[int, Side] = {}  # by the identity of a document, the last used at the end

    def __call__(self, document: Document) -> Side:
        side = self._sides.pop(id(document), None)
        if side is None:
            tokens = self._tokens(document) if self._tokens else None
            side = side_of(document, self._lexicon, tokens=tokens)
        self._sides[id(document)] = side
        if len(self._sides) > _MOST_SIDES:
            del self._sides[next(iter(self._sides))]
        return side


def shares_by_meaning(a: Side, b: Side, others: int) -> tuple[float, float]:
    """How much of each of two documents the other says in other words, one of so many others."""
    passages = [p for p in align_sides(a, b, others).passages if p.by_meaning]
    if not passages:
        return 0.0, 0.0
    return (
        CountedText(a.text, ()).share(passage.a for passage in passages),
        CountedText(b.text, ()).share(passage.b for passage in passages),
    )


def judge_by_meaning(settings: Settings, others: int) -> Callable[[Document, Document], float]:
    """A judge of pairs: how much of one document the other says in other words, at most."""
    side = SideCache(settings)
    return lambda a, b: max(shares_by_meaning(side(a), side(b), others))


def with_passages(matches: Matches) -> Matches:
    """The same matches, each with its passages; asked again, what was aligned is still known.

    Whether by meaning too, the matches say.
    """
    if matches.has_passages:
        return matches
    if matches.aligned is not None:
        return matches.aligned
    by_meaning = matches.by_meaning
    side = SideCache(matches.settings, matches.tokens)
    aligned_matches: dict[int, Match] = {}

    def match_at(k: int) -> Match:
        if k not in aligned_matches:
            match = aligned_at(k)
            if len(aligned_matches) >= _MOST_MATCHES:
                return match
            aligned_matches[k] = match
        return aligned_matches[k]

    def aligned_at(k: int) -> Match:
        match = matches[k]
        if match.documents is None:
            raise ValueError("a match without its documents cannot be aligned")
        a, b = match.documents
        others = max(matches.documents - 1, 1)
        alignment = align_sides(side(a), side(b), others, by_meaning=by_meaning)
        return _with_alignment(match, alignment, a, b, by_meaning=by_meaning)

    matches.aligned = matches.made_by(match_at, has_passages=True)
    matches.aligned.concepts = concepts.recipe() if by_meaning else ""
    return matches.aligned
