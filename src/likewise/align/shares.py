"""What a checked text is made of: each visible character counted once, and counted anew."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from math import floor, fsum

import numpy as np
from numpy.typing import NDArray

from likewise.align.align import Alignment
from likewise.align.resolve import resolve
from likewise.model import (
    WORDINGS,
    Check,
    Exclusion,
    Passage,
    Shares,
    Source,
    Span,
    Wording,
    Wordings,
)

Mask = NDArray[np.bool_]
NOT_COUNTED = 3  # the state of a character of which the wording does not count


def literal_of(sources: Iterable[Source]) -> float:
    """How much of a text stands unchanged in its sources, each piece of it counted once."""
    return fsum(source.literal for source in sources)


class CountedText:
    """The characters of a text that count: those that can be seen and are not excluded."""

    def __init__(
        self,
        text: str,
        exclusions: Sequence[Exclusion],
        count: Collection[Wording] = WORDINGS,
    ) -> None:
        self._uncounted = [WORDINGS.index(each) for each in WORDINGS if each not in count]
        self.visible = _visible(text)
        self.whole = int(self.visible.sum())
        quotations = (e.span for e in exclusions if e.reason == "quotation")
        others = (e.span for e in exclusions if e.reason != "quotation")
        # What the reader takes out is excluded, whatever it was before.
        by_reader = _mask(len(text), (e.span for e in exclusions if e.reason == "reader"))
        self._quoted = _mask(len(text), quotations) & ~by_reader
        self._excluded = _mask(len(text), others) & ~self._quoted

    @property
    def excluded(self) -> Mask:
        """What does not count, quoted or otherwise."""
        return self._quoted | self._excluded

    def states(self, sources: Iterable[Source]) -> NDArray[np.uint8]:
        """Of each character: 0 where it counts, 1 in a quotation, 2 where it is excluded.

        3 where it is similar by a wording that does not count.
        """
        states = np.where(self._is_uncounted(_passages(sources)), NOT_COUNTED, 0)
        states[self._excluded] = 2
        states[self._quoted] = 1
        return states.astype(np.uint8)

    def share(self, spans: Iterable[Span]) -> float:
        """How much of the visible text some spans are, excluded or not."""
        covered = _mask(len(self.visible), spans) & self.visible
        return int(covered.sum()) / self.whole if self.whole else 0.0

    def covered(self, spans: Iterable[Span]) -> float:
        """How much of the visible text some spans are that is not excluded."""
        return self._share(self.visible & ~self.excluded, spans)

    def sources(self, alignments: Mapping[str, Alignment]) -> tuple[Source, ...]:
        """Where the text comes from, the source that explains most first."""
        counts = self._counting(p for aligned in alignments.values() for p in aligned.passages)
        weighed = {
            name: [(passage.a, _weight(passage)) for passage in aligned.passages]
            for name, aligned in alignments.items()
        }
        sources = [
            Source(
                name=source.name,
                passages=alignments[source.name].passages,
                fragments=alignments[source.name].fragments,
                share=self._share(counts, source.covered),
                counted=self._share(counts, source.counted),
                spans=source.counted,
                under=source.under,
                literal=self._literal(counts, alignments[source.name].passages, source.counted),
                listings=alignments[source.name].listings,
            )
            for source in resolve(len(self.visible), weighed)
        ]
        names = {source.name for source in sources}
        short = [name for name in sorted(alignments) if name not in names]
        return (
            *sources,
            *(
                Source(
                    n, (), alignments[n].fragments, 0.0, 0.0, (), listings=alignments[n].listings
                )
                for n in short
            ),
        )

    def shares(self, sources: Sequence[Source]) -> Shares:
        """Quotations and other exclusions first, then what has a source; the rest is original.

        What is similar by a wording that does not count is excluded too.
        """
        if not self.whole:
            return Shares(1.0, 0.0, 0.0, 0.0)
        states = self.states(sources)
        similar = _mask(len(states), (span for source in sources for span in source.spans))
        masks = (similar & (states == 0), states == 1, states >= 2)
        counts = [int((mask & self.visible).sum()) for mask in masks]
        original = self.whole - sum(counts)
        return Shares(original / self.whole, *(count / self.whole for count in counts))

    def wordings(self, sources: Iterable[Source]) -> Wordings:
        """What is similar by its wording, whether it counts or not; each character once."""
        if not self.whole:
            return Wordings(0.0, 0.0, 0.0)
        wording = self._strongest(_passages(sources))[self.visible & ~self.excluded]
        return Wordings(*(int((wording == i).sum()) / self.whole for i in range(len(WORDINGS))))

    def _strongest(self, passages: Iterable[Passage]) -> NDArray[np.uint8]:
        """Of each character the strongest wording, by its place among all; else their number."""
        strongest = np.full(len(self.visible), len(WORDINGS), dtype=np.uint8)
        for passage in passages:
            for span, wording in passage.wordings:
                part = strongest[span.start : span.end]
                np.minimum(part, WORDINGS.index(wording), out=part)
        return strongest

    def _is_uncounted(self, passages: Iterable[Passage]) -> Mask:
        if not self._uncounted:
            return np.zeros(len(self.visible), dtype=bool)
        return np.isin(self._strongest(passages), self._uncounted)

    def _counting(self, passages: Iterable[Passage]) -> Mask:
        """The characters that count, where these passages are all that was found."""
        return self.visible & ~self.excluded & ~self._is_uncounted(passages)

    def _literal(self, counts: Mask, passages: Iterable[Passage], counted: Iterable[Span]) -> float:
        """How much of the text stands unchanged in a source, of what is counted for it."""
        unchanged = (span for passage in passages for span in passage.unchanged)
        return self._share(counts & _mask(len(self.visible), unchanged), counted)

    def _share(self, counts: Mask, spans: Iterable[Span]) -> float:
        """How much of the visible text is marked within some spans."""
        marked = _mask(len(self.visible), spans) & counts
        return int(marked.sum()) / self.whole if self.whole else 0.0


def _passages(sources: Iterable[Source]) -> Iterator[Passage]:
    return (passage for source in sources for passage in source.passages)


def without(check: Check, *, sources: Collection[str] = (), spans: Iterable[Span] = ()) -> Check:
    """The same check, counted anew without what its reader takes out.

    A source is taken out as if it had not been compared; a span of the checked text becomes
    excluded, whichever sources hold it.
    """
    by_reader = tuple(Exclusion(span, "reader") for span in spans)
    taken_out = set(sources) & {source.name for source in check.sources}
    if not by_reader and not taken_out:
        return check
    exclusions = (*check.exclusions, *by_reader)
    counted = CountedText(check.document.compared_text, exclusions, check.count)
    remaining = {source.name: source for source in check.sources if source.name not in sources}
    alignments = {
        name: Alignment(source.passages, source.fragments, source.listings)
        for name, source in remaining.items()
    }
    counted_anew = tuple(
        replace(source, match=remaining[source.name].match)
        for source in counted.sources(alignments)
    )
    return replace(
        check,
        shares=counted.shares(counted_anew),
        sources=counted_anew,
        exclusions=tuple(sorted(exclusions, key=lambda exclusion: exclusion.span)),
        documents=check.documents - len(taken_out),
        texts={name: text for name, text in check.texts.items() if name not in taken_out},
        tables=tuple((name, match) for name, match in check.tables if name not in taken_out),
        taken_out=tuple(sorted({*check.taken_out, *taken_out})),
        before=check.before or check.shares,
        literal=literal_of(counted_anew),
        wordings=counted.wordings(counted_anew),
    )


def _weight(passage: Passage) -> int:
    """How much alike, in thousandths; the page rounds in the same way."""
    return max(1, floor(passage.score * 1000 + 0.5))


def _mask(length: int, spans: Iterable[Span]) -> Mask:
    mask = np.zeros(length, dtype=bool)
    for span in spans:
        mask[span.start : span.end] = True
    return mask


def _visible(text: str) -> Mask:
    """Which characters can be seen: what is left out is blank already."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    return ~_blank()[codes]


@cache
def _blank() -> Mask:
    """For each code point, whether it is white space."""
    blank = np.zeros(0x110000, dtype=bool)
    blank[[ord(c) for c in map(chr, range(0x3001)) if c.isspace()]] = True
    return blank
