"""The agreement of the measures, source by source."""

from __future__ import annotations

from likewise.catalogue import Words
from likewise.measure import agreeing, values_in_agreement
from likewise.report.measures import agreement_explained, agreement_heading, measure_name
from likewise.report.paper.blocks import Paragraph, Section, Table
from likewise.report.paper.characters import shortened
from likewise.report.view import CheckView, MeasuresView


def measures_section(view: CheckView, words: Words) -> Section | None:
    """The measures of each source that are to agree with their interval, below the shares."""
    measured = [(i, s.measures) for i, s in enumerate(view.sources) if s.measures]
    if not measured:
        return None
    level = measured[0][1].level
    names = [each.agrees_as for each in agreeing() if each.agrees_as is not None]
    rows = tuple(
        (
            str(i + 1),
            shortened(view.sources[i].text.name, 60),
            *(_share(name, measures, words) for name in names),
            f"{words.share(measures.low)} – {words.share(measures.high)}",
            words.share(measures.agreement),
        )
        for i, measures in measured
    )
    heads = (
        *("№", words("sources.source"), *(measure_name(name, words) for name in names)),
        *(words("paper.interval", level=str(level)), words("measures.agreement")),
    )
    table = Table(
        heads=heads,
        widths=(0, 4, *(3 for _ in names), 0, 0),
        to_the_right=(False, False, *(True for _ in names), True, True),
        rows=rows,
        numbers=tuple(i for i, _ in measured),
    )
    told = [agreement_explained(words), words("paper.outside")]
    if any(not measures.inside for _, measures in measured):
        told.append(words("measures.contradict"))
    return Section(agreement_heading(words), (table, Paragraph(" ".join(told), "faint")))


def _share(name: str, measures: MeasuresView, words: Words) -> str:
    """One of the measures, in brackets if it lies outside the interval."""
    value = values_in_agreement(measures.values).get(name)
    if value is None:  # kept before there was such a measure
        return "–"
    return words.share(value) if name in measures.inside else f"({words.share(value)})"
