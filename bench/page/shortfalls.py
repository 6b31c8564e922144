"""Every figure that falls short, collected from the pages themselves.

In the tables a figure that a paper, a peer or what was asked is better than stands in bold, in any
column but the first; or its row ends with "no" under "reached". A paragraph that begins with
"**Not reached" is one too. So no list has to be kept beside the tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bench.page.headings import heading_of, headings

EXAMPLES = 4  # of one part; the others are counted

HEAD = """\
In the tables a figure stands in bold where what was asked, a paper or a peer is better, with the
reason below its table. This list is made from the tables themselves."""


class Shortfall(NamedTuple):
    """The figures of a row, and where they stand."""

    section: str
    address: str
    figures: str


def shortfalls(subjects: dict[str, list[str]]) -> Iterator[Shortfall]:
    """In the order of the pages."""
    for name, paragraphs in subjects.items():
        places = headings(paragraphs)
        above, address, section = "", "", ""
        for paragraph in paragraphs:
            if heading := heading_of(paragraph):
                level, title = heading
                above = title.partition(":")[0] if level == 1 else above
                section = above if level == 1 else f"{above}, {title}"
                address = f"{name}.md#{next(places).address}"
            for figures in _in(paragraph):
                yield Shortfall(section, address, figures)


def shortfalls_page(subjects: dict[str, list[str]]) -> Iterator[str]:
    """The page of them, if there are any."""
    rows = list(shortfalls(subjects))
    if rows:
        yield "# Where we are worse"
        yield HEAD
        yield listed(rows)


def listed(rows: Iterable[Shortfall]) -> str:
    """A line for each part of a page that has any."""
    parts: dict[tuple[str, str], list[str]] = {}
    for shortfall in rows:
        parts.setdefault((shortfall.section, shortfall.address), []).append(shortfall.figures)
    lines = []
    for (section, address), figures in parts.items():
        more = f"; and {len(figures) - EXAMPLES} more" if len(figures) > EXAMPLES else ""
        lines.append(f"- [{section}]({address}): {'; '.join(figures[:EXAMPLES])}{more}")
    return "\n".join(lines)


def _in(paragraph: str) -> Iterator[str]:
    if paragraph.startswith("**Not reached"):
        yield " ".join(paragraph.split())
    if not paragraph.startswith("| "):
        return
    head, _, *rows = [
        [cell.strip() for cell in line[1:-1].split("|")] for line in paragraph.splitlines()
    ]
    for row in rows:
        if head[-1] == "reached" and row[-1] == "no":
            measured = head.index("measured")
            yield f"{row[0]} (asked: {row[measured - 1]}): **{row[measured]}**"
            continue
        short = [place for place in range(1, len(row)) if re.search(r"\*\*.+\*\*", row[place])]
        if short:
            figures = ", ".join(f"{head[place]} {row[place]}" for place in short)
            yield f"{_label(row, short[0])}: {figures}"


def _label(row: list[str], column: int) -> str:
    """The cells in front of the figures, which say what a row is about."""
    words = [row[0]]
    for cell in row[1:column]:
        if not re.search(r"[^\W\d]{2}", cell) or "**" in cell:
            break
        words.append(cell)
    return ", ".join(word.replace("**", "") for word in words)
