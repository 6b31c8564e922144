"""Headings, and the addresses that links give them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Heading(NamedTuple):
    """A heading of the page."""

    level: int
    title: str
    address: str


def heading_of(paragraph: str) -> tuple[int, str] | None:
    """Level and title, if a paragraph is a heading.

    >>> heading_of("### Side by side"), heading_of("#5 of them")
    ((3, 'Side by side'), None)
    """
    match = re.fullmatch(r"(#+) (.+)", paragraph)
    return (len(match[1]), match[2]) if match else None


def headings(paragraphs: Iterable[str]) -> Iterator[Heading]:
    """The headings in order; the second of a name gets a number, as on the sites that show it.

    >>> [h.address for h in headings(["## Paper 002, T1–T4", "Text.", "### PDF", "### PDF"])]
    ['paper-002-t1t4', 'pdf', 'pdf-1']
    """
    uses: Counter[str] = Counter()
    for paragraph in paragraphs:
        if heading := heading_of(paragraph):
            level, title = heading
            words = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
            number = uses[words]
            uses[words] += 1
            yield Heading(level, title, f"{words}-{number}" if number else words)
