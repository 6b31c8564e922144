"""Passages as a report shows them: what differs or corresponds, their pages, who else has them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from likewise.align import correspondences, differences
from likewise.language import Lexicon
from likewise.model import IN_ORDER, Correspondence, Document, Passage, Span
from likewise.report.redaction import is_redacted
from likewise.report.texts import TextBudget
from likewise.report.view import PassageView
from likewise.results import Pages
from likewise.settings import Settings

CHARS_OF_A_CORRESPONDENCE = 60  # as JSON
HOLDS = 0.9  # of a passage that a document must share to be counted among its holders


class Differences:
    """What differs between the two sides of passages; of one lexicon, made once."""

    def __init__(self, settings: Settings) -> None:
        self._lexicon = Lexicon(settings)

    def of(
        self, a: Document, b: Document, passage: Passage
    ) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
        """The words of each side; none of one in other words, where marks would tire."""
        if passage.kind not in IN_ORDER:
            return (), ()
        return differences(a.compared_text, b.compared_text, passage, self._lexicon)


class PairPassages:
    """Passages of one pair of documents, made ready to be shown."""

    def __init__(
        self, a: Document, b: Document, lexicon: Lexicon, budget: TextBudget | None = None
    ) -> None:
        self._texts = a.compared_text, b.compared_text
        self._pages = Pages(a), Pages(b)
        self._lexicon = lexicon
        self._budget = budget

    def view(
        self, passage: Passage, *, source: int = 0, holders: int = 1, counts: bool = True
    ) -> PassageView:
        differs_a: tuple[Span, ...] = ()
        differs_b: tuple[Span, ...] = ()
        corresponding: tuple[Correspondence, ...] = ()
        there = passage.b.of(self._texts[1])
        # Of what was erased nobody knows, and of what is closed to the reader nothing is told.
        if counts and there and not is_redacted(there):
            if passage.kind in IN_ORDER:
                differs_a, differs_b = differences(*self._texts, passage, self._lexicon)
            else:  # so much differs that marks would tire
                corresponding = self._correspondences(passage)
        return PassageView(
            source=source,
            a=passage.a,
            b=passage.b,
            kind=passage.kind,
            score=passage.score,
            words=len(passage.a.of(self._texts[0]).split()),
            holders=holders,
            pages_a=self._pages[0].of(passage.a),
            pages_b=self._pages[1].of(passage.b),
            differs_a=differs_a,
            differs_b=differs_b,
            counts=counts,
            literal=passage.literal,
            expected=passage.expected,
            languages=passage.languages,
            by_meaning=passage.by_meaning,
            unchanged=passage.unchanged if passage.kind == "edited" else (),
            correspondences=corresponding,
        )

    def _correspondences(self, passage: Passage) -> tuple[Correspondence, ...]:
        """The words that correspond, as long as there is room for them in the report."""
        rows = correspondences(*self._texts, passage, self._lexicon)
        chars = CHARS_OF_A_CORRESPONDENCE * len(rows)
        return rows if self._budget is None or self._budget.take(chars) else ()


def number_passages(passages: Iterable[PassageView]) -> tuple[PassageView, ...]:
    """Passages in the order of the text; those that count have one number in every format."""
    numbered: list[PassageView] = []
    number = 0
    for passage in sorted(passages, key=lambda each: (each.a, each.source, each.b)):
        number += passage.counts
        numbered.append(replace(passage, number=number) if passage.counts else passage)
    return tuple(numbered)


def count_holders(sources: Sequence[Sequence[Passage]]) -> list[list[int]]:
    """Of each passage of each source, how many sources hold it, but for a word or two.

    >>> whole = Passage(Span(0, 10), Span(0, 10), "verbatim", 1.0)
    >>> half, other = (Passage(Span(*s), Span(0, 5), "verbatim", 1.0) for s in ((0, 5), (20, 25)))
    >>> count_holders([[whole], [half, other]])
    [[1], [2, 1]]
    """
    passages = [passage.a for own in sources for passage in own]
    if not passages:
        return [[] for _ in sources]
    cuts = np.unique([end for span in passages for end in (span.start, span.end)])
    lengths = np.diff(cuts)
    first = np.searchsorted(cuts, [span.start for span in passages])
    last = np.searchsorted(cuts, [span.end for span in passages])
    sizes = np.array([len(span) for span in passages])
    holders = np.zeros(len(passages), dtype=np.int64)
    begin = 0
    for own in sources:
        end = begin + len(own)
        edges = np.zeros(len(cuts), dtype=np.int64)
        np.add.at(edges, first[begin:end], 1)
        np.add.at(edges, last[begin:end], -1)
        covered = np.where(np.cumsum(edges)[:-1] > 0, lengths, 0)
        before = np.concatenate(([0], np.cumsum(covered)))
        is_holder = (before[last] - before[first]) >= HOLDS * sizes
        is_holder[begin:end] = True  # an empty stretch is held by its own source
        holders += is_holder
        begin = end
    numbers = iter(holders.tolist())
    return [[next(numbers) for _ in own] for own in sources]
