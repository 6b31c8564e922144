"""A second look at what words do not explain: passages found by meaning, beside those by words.

What was copied or edited stays as it is. Where it is only a part of something larger, the rest is
looked at without it: one copied sentence does not hide a translated page. A loose passage by words
gives way to a rendering that says it and more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise.align import meaning
from likewise.align.candidates import Candidate
from likewise.align.kinds import unchanged_words
from likewise.align.meaning import Rendering, meaning_of
from likewise.align.pair import Box
from likewise.align.side import Side
from likewise.language import detect
from likewise.model import Kind, Passage

COPIED: tuple[Kind, ...] = ("verbatim", "edited")
_MOST = 4, 5  # of a rendering: then the words say it already
_WORD_FOR_WORD = 0.9  # of the words of a rendering: then it is none


@dataclass(frozen=True, slots=True, eq=False)
class SecondLook:
    """What may render another document, held against chance."""

    a: Side
    b: Side
    renderings: Sequence[Rendering]
    documents: int  # that were looked at
    held: NDArray[np.float64] | None  # the share of other documents that hold each word of a
    rivals: Sequence[Rendering]  # what other documents render of the same text

    def accepted(self, parts: Sequence[Candidate]) -> list[Rendering]:
        """The renderings that are sure, without what passages by words explain."""
        sure = list(filter(None, map(self._sure, self.renderings)))
        copied = [part.box for part in parts if part.kind in COPIED]
        loose = [part.box for part in parts if part.kind not in COPIED]
        if any(self._has_rest(each.box, copied) for each in sure):
            rest = self.a.without(self.a.span(box.a0, box.a1) for box in copied)
            others = meaning.renderings(meaning_of(rest), meaning_of(self.b))
            sure = [
                each._replace(box=box)
                for each in filter(None, map(self._sure, others))
                for box in self._around(each.box, copied)
            ]
        else:
            sure = [each for each in sure if not any(map(each.box.meets_in_a, copied))]
        accepted: list[Rendering] = []
        for each in sure:
            is_long = meaning.is_much_longer(each.words_a, each.words_b)
            if not any(
                _is_most_of(box, each.box) or (is_long and box.meets(each.box)) for box in loose
            ) and not any(each.box.meets_in_a(other.box) for other in accepted):
                accepted.append(each)
        return [each for each in accepted if not self._is_word_for_word(each.box)]

    def denies(self, loose: Box) -> bool:
        """Whether a loose passage by words is none by its meaning, though it was looked at."""
        scores = [
            each.score
            for each in self.renderings
            if gives_way(loose, each.box) and gives_way(each.box, loose)
        ]
        return bool(scores) and max(scores) < meaning.DENIED

    def passage(self, rendering: Rendering) -> Passage:
        """As a passage, of which a person must say what it is."""
        box = rendering.box
        a, b = self.a.span(box.a0, box.a1), self.b.span(box.b0, box.b1)
        literal, unchanged = unchanged_words(a.of(self.a.text), b.of(self.b.text), a.start)
        languages = self._languages(box)
        kind: Kind = "summarised" if rendering.is_summary else "rewritten"
        return Passage(
            a,
            b,
            "translated" if languages else kind,
            meaning.likeness(meaning_of(self.a), meaning_of(self.b), box),
            literal,
            meaning.expected_number(rendering.surplus, bool(languages)),
            languages,
            by_meaning=True,
            unchanged=unchanged,
        )

    def _sure(self, each: Rendering) -> Rendering | None:
        """The rendering with what it scores beyond all that it needs, if it scores enough."""
        sides = meaning_of(self.a), meaning_of(self.b)
        least = meaning.score_needed(*sides, self.documents, across=True)  # nothing needs less
        if each.score < least or each.is_inflated:
            return None
        is_across = self._languages(each.box) is not None
        needed = meaning.score_needed_by(each, *sides, self.documents, is_across)
        needed += meaning.score_of_genre(each.box, self.rivals)
        score = each.score
        if score >= needed and self.held is not None:
            score = min(score, meaning.score_among(*sides, each, self.held))
        return each._replace(surplus=score - needed) if score >= needed else None

    def _languages(self, box: Box) -> tuple[str, str] | None:
        """Of both sides, if they are two that are known."""
        here = self.a.span(box.a0, box.a1).of(self.a.text)
        there = self.b.span(box.b0, box.b1).of(self.b.text)
        ours = detect(here) or detect(self.a.text)
        theirs = detect(there) or detect(self.b.text)
        return (ours, theirs) if ours and theirs and ours != theirs else None

    def _is_word_for_word(self, box: Box) -> bool:
        """Whether nearly all of it is copied: words had their say on that already."""
        here, there = self.a.span(box.a0, box.a1), self.b.span(box.b0, box.b1)
        literal, _ = unchanged_words(here.of(self.a.text), there.of(self.b.text))
        return literal >= _WORD_FOR_WORD

    def _has_rest(self, box: Box, copied: list[Box]) -> bool:
        """Whether there is something of it beside what was copied in it."""
        inside = list(filter(box.meets_in_a, copied))
        return bool(inside) and bool(self._around(box, inside))

    def _around(self, box: Box, copied: list[Box]) -> list[Box]:
        """What is left of it between what was copied."""
        pieces, start = [], box.a0
        for other in sorted(filter(box.meets_in_a, copied)):
            pieces.append(box._replace(a0=start, a1=max(other.a0, start)))
            start = max(start, other.a1)
        pieces.append(box._replace(a0=start, a1=max(box.a1, start)))
        counted = np.concatenate(([0], np.cumsum(self.a.hash != 0)))
        return [
            piece
            for piece in pieces
            if int(counted[piece.a1] - counted[piece.a0]) >= meaning.FEWEST_WORDS
        ]


def gives_way(loose: Box, rendering: Box) -> bool:
    """Whether a rendering says most of a loose passage by words."""
    return loose.meets(rendering) and 2 * loose.overlap_in_a(rendering) >= loose.a1 - loose.a0


def _is_most_of(loose: Box, rendering: Box) -> bool:
    """Whether a loose passage by words is most of what a rendering says, or lies beside it."""
    if not loose.meets(rendering):
        return False
    times, over = _MOST
    is_most = over * loose.overlap_in_a(rendering) >= times * (rendering.a1 - rendering.a0)
    return is_most or not gives_way(loose, rendering)
