"""The log of queries: everything that was sent to search engines, word for word."""

from __future__ import annotations

from likewise.catalogue import Words
from likewise.report.paper.blocks import Paragraph, Section, Table
from likewise.report.paper.characters import in_one_line
from likewise.report.view import AskedView, CheckView


def asked_section(view: CheckView, words: Words) -> Section | None:
    """Which words went where and when, and how much came back."""
    if not view.asked:
        return None
    rows = tuple(
        (in_one_line(one.query), who_was_asked(one), words.moment(one.on), what_came(one, words))
        for one in view.asked
    )
    heads = (
        *(words("asked.query"), words("asked.sent_to")),
        *(words("decided.on"), words("asked.results")),
    )
    table = Table(heads, (6, 3, 2, 2), (False, False, False, True), rows)
    return Section(words("asked.heading"), (Paragraph(words("asked.explained"), "faint"), table))


def who_was_asked(one: AskedView) -> str:
    """The provider, with the host that the words went to."""
    return in_one_line(f"{one.provider} ({one.sent_to})")


def what_came(one: AskedView, words: Words) -> str:
    """How many results, or why none."""
    if one.problem:
        return in_one_line(words.say(one.said) if one.said else one.problem)
    return words.number(one.results)
