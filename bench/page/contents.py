"""Headings, the addresses that links give them, and the table of contents."""

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
    found = re.fullmatch(r"(#+) (.+)", paragraph)
    return (len(found[1]), found[2]) if found else None


def headings(paragraphs: Iterable[str]) -> Iterator[Heading]:
    """The headings in order; the second of a name gets a number, as on the sites that show it.

    >>> [h.address for h in headings(["## Paper 002, T1–T4", "Text.", "### PDF", "### PDF"])]
    ['paper-002-t1t4', 'pdf', 'pdf-1']
    """
    seen: Counter[str] = Counter()
    for paragraph in paragraphs:
        if found := heading_of(paragraph):
            level, title = found
            words = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
            number = seen[words]
            seen[words] += 1
            yield Heading(level, title, f"{words}-{number}" if number else words)


def contents(paragraphs: Iterable[str]) -> str:
    """The sections as a list, each with its parts behind it."""
    sections: list[tuple[str, list[str]]] = []
    for heading in headings(paragraphs):
        link = f"[{heading.title}](#{heading.address})"
        if heading.level == 2:
            sections.append((link, []))
        elif heading.level == 3 and sections:
            sections[-1][1].append(link)
    return "\n".join(
        f"- {section}: {' · '.join(parts)}" if parts else f"- {section}"
        for section, parts in sections
    )
