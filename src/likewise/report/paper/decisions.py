"""Who took what out of the count and why, and who agrees with the report."""

from __future__ import annotations

from likewise.catalogue import Words
from likewise.report.characters import in_one_line, shorten
from likewise.report.paper.blocks import Block, Paragraph, Section, Table
from likewise.report.paper.sections import LONGEST_NAME
from likewise.report.paper.sentences import on_pages
from likewise.report.view import CheckView, DecisionView

LONGEST_OPENING = 80  # characters of a passage


def decisions_section(view: CheckView, words: Words) -> Section | None:
    """What people took out of the count."""
    blocks = decision_blocks(view, words)
    return Section(words("decided.heading"), blocks) if blocks else None


def confirmations_section(view: CheckView, words: Words) -> Section | None:
    """Who else has read the report and agrees."""
    blocks = confirmation_blocks(view, words)
    return Section(words("confirmed.heading"), blocks) if blocks else None


def decision_blocks(view: CheckView, words: Words) -> tuple[Block, ...]:
    if not view.decisions:
        return ()
    rows = tuple(
        (
            describe_decision(decision, view, words),
            in_one_line(decision.reason),
            in_one_line(decision.by),
            words.day_and_time(decision.on),
        )
        for decision in view.decisions
    )
    heads = (
        *(words("decided.what"), words("paper.reason")),
        *(words("decided.by"), words("decided.on")),
    )
    table = Table(heads, (5, 5, 3, 3), (False,) * 4, rows)
    return table, Paragraph(words("decided.explained"), "faint")


def confirmation_blocks(view: CheckView, words: Words) -> tuple[Block, ...]:
    if not view.confirmations:
        return ()
    rows = tuple(
        (in_one_line(decision.by), words.day_and_time(decision.on), in_one_line(decision.comment))
        for decision in view.confirmations
    )
    heads = (words("decided.by"), words("decided.on"), words("confirmed.comment"))
    return (Table(heads, (3, 3, 6), (False,) * 3, rows),)


def describe_decision(decision: DecisionView, view: CheckView, words: Words) -> str:
    """A source by its name, or a passage by how it begins and where it stands."""
    if decision.source is not None:
        return words("decided.source", name=shorten(decision.source, LONGEST_NAME))
    opening = words(
        "decided.passage", text=shorten(passage_opening(decision, view), LONGEST_OPENING)
    )
    pages = on_pages(decision.pages, words)
    return f"{opening}, {pages}" if pages else opening


def passage_opening(decision: DecisionView, view: CheckView) -> str:
    """How a passage begins; the report holds the checked text whole."""
    if decision.place is None or not view.document.stretches:
        return ""
    stretch_start, stretch = view.document.stretches[0]
    start, end = decision.place.start, min(decision.place.end, decision.place.start + 400)
    return in_one_line(stretch[start - stretch_start : end - stretch_start])
