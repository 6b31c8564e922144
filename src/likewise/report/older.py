"""Results of before schema 4: what is word for word in their edited passages, found afterwards.

From the texts where the result holds both of them; else as many characters as the share of
unchanged words says, counted from the beginning of the passage, so that every sum is right.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from likewise.align import CountedText, unchanged_words
from likewise.model import WORDINGS, Check, Document, Passage, Span
from likewise.report.redaction import is_redacted
from likewise.report.view import (
    BatchView,
    CheckView,
    PassageView,
    SegmentsView,
    TextView,
    View,
    WordingsView,
)


def complete_check(check: Check) -> Check:
    """A check with its wordings."""
    counted = CountedText(check.document.compared_text, check.exclusions, check.count)
    sources = tuple(
        replace(
            source,
            passages=tuple(
                _complete_passage(check.document, check.texts[source.name], passage)
                for passage in source.passages
            ),
        )
        for source in check.sources
    )
    return replace(check, sources=sources, wordings=counted.wordings(sources))


def _complete_passage(here: Document, there: Document, passage: Passage) -> Passage:
    text_here, text_there = passage.a.of(here.compared_text), passage.b.of(there.compared_text)
    return replace(passage, unchanged=_unchanged(passage, text_here, text_there))


def _unchanged(passage: Passage | PassageView, here: str, there: str) -> tuple[Span, ...]:
    if here and there and not is_redacted(there):
        return unchanged_words(here, there, passage.a.start)[1]
    chars = round(passage.literal * len(passage.a))
    return (Span(passage.a.start, passage.a.start + chars),) if chars else ()


def complete_view(view: View) -> View:
    """A report with the wordings of its checks."""
    if isinstance(view, BatchView):
        return replace(view, checks=tuple(map(_complete_check_view, view.checks)))
    return _complete_check_view(view) if isinstance(view, CheckView) else view


def _complete_check_view(view: CheckView) -> CheckView:
    passages = tuple(
        replace(
            passage,
            unchanged=_unchanged(
                passage,
                view.document.at(passage.a),
                view.sources[passage.source].text.at(passage.b),
            ),
        )
        if passage.kind == "edited" and passage.counts
        else passage
        for passage in view.passages
    )
    ends = {end for one in passages for span in one.unchanged for end in (span.start, span.end)}
    segments = _cut(view.segments, ends, view.document)
    wordings = _wordings(segments, passages)
    return replace(view, passages=passages, segments=segments, wordings=wordings)


def _cut(segments: SegmentsView, ends: Iterable[int], document: TextView) -> SegmentsView:
    """The segments, cut at further ends; what could be seen of each stays the same in all."""
    further = sorted(set(ends) - set(segments.cuts))
    cuts: list[int] = list(segments.cuts[:1])
    visible: list[int] = []
    states = []
    at = 0
    bounds = zip(pairwise(segments.cuts), segments.visible, segments.state, strict=True)
    for (start, end), chars, state in bounds:
        while at < len(further) and further[at] < end:
            if further[at] > start:
                piece = document.at(Span(cuts[-1], further[at]))
                seen = min(chars, sum(map(len, piece.split())))
                cuts.append(further[at])
                visible.append(seen)
                states.append(state)
                chars -= seen
            at += 1
        cuts.append(end)
        visible.append(chars)
        states.append(state)
    return SegmentsView(tuple(cuts), tuple(visible), tuple(states))


def _wordings(segments: SegmentsView, passages: Iterable[PassageView]) -> WordingsView:
    places = {cut: i for i, cut in enumerate(segments.cuts)}
    strongest = [len(WORDINGS)] * len(segments.visible)
    for one in passages:
        if one.counts:
            for span, wording in Passage(
                one.a, one.b, one.kind, one.score, unchanged=one.unchanged
            ).wordings:
                rank = WORDINGS.index(wording)
                for i in range(places[span.start], places[span.end]):
                    strongest[i] = min(strongest[i], rank)
    sums = [0] * (len(WORDINGS) + 1)
    for rank, chars, state in zip(strongest, segments.visible, segments.state, strict=True):
        sums[rank] += 0 if state else chars
    return WordingsView(*sums[: len(WORDINGS)])
