"""The agreement of four measures, source by source."""

from __future__ import annotations

from likewise.catalogue import Words
from likewise.report.paper.blocks import Paragraph, Section, Table
from likewise.report.paper.characters import shortened
from likewise.report.view import CheckView, MeasuresView

FOUR = ("shingles", "signature", "tfidf", "words")


def measures_section(view: CheckView, words: Words) -> Section | None:
    """The four measures of each source with their interval, below the shares as they should be."""
    measured = [(i, s.measures) for i, s in enumerate(view.sources) if s.measures]
    if not measured:
        return None
    level = measured[0][1].level
    rows = tuple(
        (
            str(i + 1),
            shortened(view.sources[i].text.name, 60),
            *_four(measures, words),
            f"{words.share(measures.low)} – {words.share(measures.high)}",
            words.share(measures.agreement),
        )
        for i, measures in measured
    )
    heads = (
        *("№", words("sources.source"), *(words(f"measures.{name}") for name in FOUR)),
        *(words("paper.interval", level=str(level)), words("measures.agreement")),
    )
    table = Table(
        heads=heads,
        widths=(0, 4, 3, 3, 3, 3, 0, 0),
        to_the_right=(False, False, True, True, True, True, True, True),
        rows=rows,
        numbers=tuple(i for i, _ in measured),
    )
    told = [words("measures.explained"), words("paper.outside")]
    if any(not measures.inside for _, measures in measured):
        told.append(words("measures.contradict"))
    return Section(words("measures.heading"), (table, Paragraph(" ".join(told), "faint")))


def _four(measures: MeasuresView, words: Words) -> list[str]:
    """The four measures, those outside the interval in brackets."""
    values = (measures.jaccard, measures.signature, measures.tfidf, measures.words)
    told = [words.share(value) for value in values]
    return [
        share if name in measures.inside else f"({share})"
        for name, share in zip(FOUR, told, strict=True)
    ]
