"""Who took what out of the count and why, who agrees with the report, what a commission decided,
and who comments on what.
"""

from __future__ import annotations

from collections.abc import Sequence

from likewise.catalogue import Words
from likewise.model import Span
from likewise.report.characters import in_one_line, shorten
from likewise.report.names import called_in
from likewise.report.paper.blocks import Block, Paragraph, Section, Table
from likewise.report.paper.passages import comments_by_passage
from likewise.report.paper.sections import LONGEST_NAME
from likewise.report.paper.sentences import on_pages
from likewise.report.view import CheckView, DecisionView
from likewise.results import CommentRow, PageRange

LONGEST_OPENING = 80  # characters of a passage


def decisions_section(view: CheckView, words: Words) -> Section | None:
    """What people took out of the count."""
    blocks = decision_blocks(view, words)
    return Section(words("decided.heading"), blocks) if blocks else None


def confirmations_section(view: CheckView, words: Words) -> Section | None:
    """Who else has read the report and agrees."""
    blocks = confirmation_blocks(view, words)
    return Section(words("confirmed.heading"), blocks) if blocks else None


def commission_section(view: CheckView, words: Words) -> Section | None:
    """What a commission decided, and what the figures do not say."""
    blocks = commission_blocks(view, words)
    return Section(words("commission.heading"), blocks) if blocks else None


def comments_section(view: CheckView, words: Words) -> Section | None:
    """What people wrote beside places where no passage is printed."""
    beside = {one.id for comments in comments_by_passage(view).values() for one in comments}
    blocks = comment_blocks([one for one in view.comments if one.id not in beside], view, words)
    return Section(words("comments.heading"), blocks) if blocks else None


def comment_blocks(
    comments: Sequence[CommentRow], view: CheckView, words: Words
) -> tuple[Block, ...]:
    if not comments:
        return ()
    rows = tuple(
        (
            describe_place(comment.span, view, words),
            in_one_line(comment.comment),
            in_one_line(comment.by),
            words.day_and_time(comment.on),
        )
        for comment in comments
    )
    heads = (
        *(words("comments.place"), words("confirmed.comment")),
        *(words("decided.by"), words("decided.on")),
    )
    return (Table(heads, (5, 5, 3, 3), (False,) * 4, rows),)


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


def commission_blocks(view: CheckView, words: Words) -> tuple[Block, ...]:
    if not view.commission:
        return ()
    rows = tuple(
        (
            words(f"commission.{one.decision}"),
            in_one_line(one.comment),
            in_one_line(one.by),
            words.day_and_time(one.on),
        )
        for one in view.commission
    )
    heads = (
        *(words("commission.decision"), words("paper.reason")),
        *(words("decided.by"), words("decided.on")),
    )
    table = Table(heads, (4, 6, 3, 3), (False,) * 4, rows)
    return table, Paragraph(words("commission.limits"), "faint")


def describe_decision(decision: DecisionView, view: CheckView, words: Words) -> str:
    """A source by its name, or a passage by how it begins and where it stands."""
    if decision.source is not None:
        return words("decided.source", name=shorten(called_in(view, decision.source), LONGEST_NAME))
    return _describe_stretch(decision.place, decision.pages, view, words)


def describe_place(place: Span, view: CheckView, words: Words) -> str:
    """How a place of the text begins, and where it stands."""
    return _describe_stretch(place, view.document.pages_at(place), view, words)


def _describe_stretch(
    place: Span | None, pages: PageRange | None, view: CheckView, words: Words
) -> str:
    text = shorten(passage_opening(place, view), LONGEST_OPENING)
    opening = words("decided.passage", text=text)
    on = on_pages(pages, words)
    return f"{opening}, {on}" if on else opening


def passage_opening(place: Span | None, view: CheckView) -> str:
    """How a passage begins; the report holds the checked text whole."""
    if place is None or not view.document.stretches:
        return ""
    stretch_start, stretch = view.document.stretches[0]
    start, end = place.start, min(place.end, place.start + 400)
    return in_one_line(stretch[start - stretch_start : end - stretch_start])
