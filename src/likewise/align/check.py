"""One document against many: where each piece of its text comes from, each piece counted once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from likewise.align.align import Alignment, align_sides
from likewise.align.exclude import Common, Exclusions, Templates, exclude
from likewise.align.resolve import resolve
from likewise.align.side import side_of
from likewise.language import Lexicon, words_of
from likewise.model import (
    Check,
    Document,
    Exclusion,
    Note,
    Passage,
    Shares,
    Source,
    Span,
    Unread,
)
from likewise.settings import Settings

Progress = Callable[[str, int, int], None]
FEWEST_WORDS = 1  # canonical words in a passage that counts: the alignment has judged it already
MOST_COMMON = 0.25  # of a document can be common to the collection
LEAST_BESIDE = 5  # words of a passage beside what is excluded of it
FEWEST_HOLDERS = 5  # other documents that hold a text before it can be common; fewer are sources
ALL_EXCLUSIONS = Exclusions()

Mask = NDArray[np.bool_]


def check_against(
    document: Document,
    others: Sequence[Document],
    settings: Settings,
    *,
    which: Exclusions = ALL_EXCLUSIONS,
    templates: Sequence[Document] = (),
    skip: Iterable[str] = (),
    min_words: int = FEWEST_WORDS,
    unread: Sequence[Unread] = (),
    progress: Progress | None = None,
) -> Check:
    """The sources of a document among others.

    A source called in `skip` is not compared. A passage of fewer than `min_words` canonical words
    that are not excluded is shown among the fragments and not counted.
    """
    lexicon = Lexicon(settings)
    skipped = sorted({document.name, *skip} & {other.name for other in others})
    compared = [other for other in others if other.name not in skipped]
    common = None
    if which.common:
        common = Common.of(compared, settings, fewest=FEWEST_HOLDERS)
    prepared = Templates.of(templates, settings) if templates else ()
    exclusions = exclude(document, which, common=common, templates=prepared)
    text = document.compared_text
    visible = _visible(text)
    if _share(visible, _of(exclusions, "common"), int(visible.sum())) > MOST_COMMON:
        # A form is a small part of what is handed in; this is a text that many have copied.
        exclusions = exclude(document, replace(which, common=False), templates=prepared)
    excluded = _mask(len(text), (exclusion.span for exclusion in exclusions))
    words = _Words(text, lexicon, excluded)
    side = side_of(document, lexicon)
    found: dict[str, Alignment] = {}
    for i, other in enumerate(compared):
        aligned = _counted(align_sides(side, side_of(other, lexicon)), words, min_words)
        if aligned.passages or aligned.fragments:
            found[other.name] = aligned
        if progress:
            progress("comparing", i + 1, len(compared))
    resolved = resolve(
        len(text), {name: [p.a for p in aligned.passages] for name, aligned in found.items()}
    )
    counts = visible & ~excluded
    whole = int(visible.sum())
    sources = [
        Source(
            name=source.name,
            passages=found[source.name].passages,
            fragments=found[source.name].fragments,
            share=_share(counts, source.covered, whole),
            counted=_share(counts, source.counted, whole),
            spans=source.counted,
            under=source.under,
        )
        for source in resolved
    ]
    known = {source.name for source in resolved}
    sources += [
        Source(name, (), aligned.fragments, 0.0, 0.0, ())
        for name, aligned in sorted(found.items())
        if name not in known
    ]
    return Check(
        name=document.name,
        shares=_shares(visible, exclusions, [source.spans for source in sources]),
        sources=tuple(sources),
        exclusions=exclusions,
        skipped=tuple(skipped),
        documents=len(compared),
        unread=tuple(unread),
        notes=_notes([document, *compared]),
        settings=settings,
    )


class _Words:
    """How many words of a stretch of the checked text count."""

    def __init__(self, text: str, lexicon: Lexicon, excluded: Mask) -> None:
        words = words_of(text, lexicon)
        self._starts = words.start.astype(np.int64)
        counts = ~excluded[self._starts] if len(text) else np.zeros(0, dtype=bool)
        self._before = np.concatenate(([0], np.cumsum(counts)))

    def all_within(self, span: Span) -> int:
        first, last = np.searchsorted(self._starts, (span.start, span.end))
        return int(last - first)

    def within(self, span: Span) -> int:
        """Those that are not excluded."""
        first, last = np.searchsorted(self._starts, (span.start, span.end))
        return int(self._before[last] - self._before[first])


def _counted(aligned: Alignment, words: _Words, min_words: int) -> Alignment:
    """The passages with enough words that count; the others are shown as fragments."""
    enough: list[Passage] = []
    short: list[Passage] = []
    for passage in aligned.passages:
        within, all_words = words.within(passage.a), words.all_within(passage.a)
        # What a passage has besides an exclusion may be no more than an unsharp edge.
        if within >= min(max(min_words, LEAST_BESIDE), max(min_words, all_words)):
            enough.append(passage)
        elif within:
            short.append(passage)
    fragments = [fragment for fragment in aligned.fragments if words.within(fragment.a)]
    return Alignment(tuple(enough), tuple(sorted([*fragments, *short], key=lambda p: (p.a, p.b))))


def _shares(
    visible: Mask, exclusions: Sequence[Exclusion], covered: Sequence[Sequence[Span]]
) -> Shares:
    """Quotations and other exclusions first, then what has a source; the rest is original."""
    length, whole = len(visible), int(visible.sum())
    quoted = _mask(length, (e.span for e in exclusions if e.reason == "quotation")) & visible
    excluded = _mask(length, (e.span for e in exclusions if e.reason != "quotation")) & visible
    excluded &= ~quoted
    similar = _mask(length, (span for spans in covered for span in spans)) & visible
    similar &= ~quoted & ~excluded
    counts = [int(mask.sum()) for mask in (similar, quoted, excluded)]
    if not whole:
        return Shares(1.0, 0.0, 0.0, 0.0)
    return Shares((whole - sum(counts)) / whole, *(count / whole for count in counts))


def _share(counts: Mask, spans: Iterable[Span], whole: int) -> float:
    return int((_mask(len(counts), spans) & counts).sum()) / whole if whole else 0.0


def _mask(length: int, spans: Iterable[Span]) -> Mask:
    mask = np.zeros(length, dtype=bool)
    for span in spans:
        mask[span.start : span.end] = True
    return mask


def _of(exclusions: Iterable[Exclusion], reason: str) -> list[Span]:
    return [exclusion.span for exclusion in exclusions if exclusion.reason == reason]


def _visible(text: str) -> Mask:
    """Which characters can be seen: what is left out is blank already."""
    codes = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
    blank = np.zeros(0x110000, dtype=bool)
    blank[[ord(c) for c in map(chr, range(0x3001)) if c.isspace()]] = True
    return ~blank[codes]


def _notes(documents: Iterable[Document]) -> tuple[tuple[str, Note], ...]:
    return tuple((document.name, note) for document in documents for note in document.notes)
