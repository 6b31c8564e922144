"""Tables of contents: a heading and lines that end in page numbers, or unmistakable dot leaders."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from likewise.align.exclude.lines import (
    BIBLIOGRAPHY,
    CONTENTS,
    DetailedSpan,
    Line,
    begins_a_part,
    count_words,
    from_line_to_line,
    heading,
)
from likewise.catalogue import Message

_LONGEST_ENTRY = 300  # characters
_MOST_WORDS = 40  # in an entry; a longer line is prose
_FEWEST_ENTRIES = 3
_FEWEST_LEADERS = 5  # where no heading says what they are
_HIGHEST_FIRST_PAGE = 40
_HIGHEST_LAST_PAGE = 2_000
_FEWEST_DOTS = 3
_MOST_LINES_WITHOUT_PAGE = 2  # in a row: a title over two or three lines

_ROMAN = re.compile(r"(?<=[\s.…_·])[ivxlcIVXLC]{1,7}$")
_LEADER_SIGNS = ".…·_•"
_NUMBERED = re.compile(r"(?:\d{1,2}(?:\.\d{1,2})*[.)]?|[IVX]{1,5}[.)])\s")
_OVER_THE_PAGES = re.compile(r"(?<!\s)\s*+(?:стр|с|беті?|б|pages?|p)\.?$")


@dataclass(frozen=True, slots=True)
class _Entry:
    """A line that ends in a page number."""

    title: str
    page: int | None  # None for a Roman number
    has_leader: bool
    has_gap: bool  # a leader, a tab or several blanks before the number


def find_contents(lines: Sequence[Line]) -> list[DetailedSpan]:
    """The tables of contents among the lines of a text.

    >>> from likewise.align.exclude.lines import lines_of
    >>> text = "Contents\\nIntroduction .... 3\\n1 Steppe .... 5\\nReferences .... 9\\nIntroduction"
    >>> [(span.of(text)[-17:], str(detail)) for span, detail in find_contents(lines_of(text))]
    [('References .... 9', '3 entries')]
    """
    contents: list[DetailedSpan] = []
    last_place = _last_places(lines)
    i = 0
    while i < len(lines):
        walk = _Walk()
        if _is_heading(lines[i]):
            end, entries = _paged(lines, i + 1, walk)
            if end is None or not _is_contents(walk, last_place, end):
                end, entries = _unpaged(lines, i + 1, last_place)
        elif _leads_to_a_page(lines[i].text):
            end, entries = _paged(lines, i, walk)
            if not walk.is_unmistakable():
                i = i + 1 if end is None else end + 1
                continue
        else:
            i += 1
            continue
        if end is None:
            i += 1
        else:
            contents.append(
                (from_line_to_line(lines, i, end), Message("core.entries", {"n": entries}))
            )
            i = end + 1
    return contents


@dataclass(slots=True)
class _Walk:
    """What was met on the way down the lines after a heading."""

    entries: list[_Entry] = field(default_factory=list)
    leaders: int = 0

    def add(self, entry: _Entry) -> None:
        self.entries.append(entry)
        self.leaders += entry.has_leader

    def is_unmistakable(self) -> bool:
        """Whether leaders alone tell contents: from an early page on, and not a list of prices."""
        pages = [entry.page for entry in self.entries if entry.page is not None]
        return (
            self.leaders >= _FEWEST_LEADERS
            and self.rises(0.9)
            and pages[0] <= _HIGHEST_FIRST_PAGE
            and pages[-1] <= _HIGHEST_LAST_PAGE
        )

    def rises(self, share: float) -> bool:
        """Whether nearly every page number is at least the one before, and the last is higher."""
        pages = [entry.page for entry in self.entries if entry.page is not None]
        steps = list(pairwise(pages))
        if not steps or pages[-1] <= pages[0]:
            return False
        return sum(before <= after for before, after in steps) >= share * len(steps)


def _is_heading(line: Line) -> bool:
    return line.heading_text in CONTENTS or _OVER_THE_PAGES.sub("", line.heading_text) in CONTENTS


def _leads_to_a_page(text: str) -> bool:
    entry = _entry(text)
    return entry is not None and entry.has_leader


def _entry(text: str) -> _Entry | None:
    """A line read from its end: a page number, what leads to it, a title."""
    if len(text) > _LONGEST_ENTRY:
        return None
    before = text.rstrip("0123456789")
    number = text[len(before) :]
    if not number:
        roman = _ROMAN.search(text)
        if roman is None:
            return None
        before = text[: roman.start()]
    elif len(number) > 4:
        return None
    title = before.rstrip(_LEADER_SIGNS + " \t\u00a0")
    gap = before[len(title) :]
    if not gap or "...." in title or not any(char.isalpha() for char in title):
        return None
    dots = sum(3 if char == "…" else char in _LEADER_SIGNS for char in gap)
    has_leader = dots >= _FEWEST_DOTS
    has_gap = has_leader or "\t" in gap or len(gap) >= 3
    if not number and not has_gap:
        return None
    return _Entry(title, int(number) if number else None, has_leader, has_gap)


def _paged(lines: Sequence[Line], first: int, walk: _Walk) -> tuple[int | None, int]:
    """Go down while lines end in page numbers; the last of them, and how many there are."""
    end, without, highest = None, 0, 0
    for j in range(first, len(lines)):
        text = lines[j].text
        entry = _entry(text)
        if entry is None:
            without += 1
            is_page_alone = text.isdecimal() and len(text) <= 4
            if is_page_alone and end is not None and int(text) >= highest:
                without = 0
            too_long = len(text) > _LONGEST_ENTRY or count_words(text) > _MOST_WORDS
            if too_long or without > _MOST_LINES_WITHOUT_PAGE or _is_heading(lines[j]):
                break
            continue
        falls = entry.page is not None and entry.page < highest
        if falls and not entry.has_leader and len(walk.entries) >= _FEWEST_ENTRIES:
            break  # a line of the text that follows, with some number at its end
        walk.add(entry)
        highest = max(highest, entry.page or 0)
        end, without = j, 0
    return end, len(walk.entries)


def _is_contents(walk: _Walk, last_place: dict[str, int], end: int) -> bool:
    """Whether lines under a heading are entries, not the rows of some table."""
    entries = walk.entries
    if len(entries) < _FEWEST_ENTRIES or not walk.rises(0.8):
        return False
    if walk.leaders * 2 >= len(entries):
        return True
    titles = [heading(entry.title) for entry in entries]
    names_parts = any(map(_names_part, titles))
    numbered = sum(_NUMBERED.match(entry.title) is not None for entry in entries)
    return_later = sum(last_place.get(title, 0) > end for title in titles)
    return names_parts or numbered * 2 >= len(entries) or return_later * 2 >= len(entries)


def _names_part(title: str) -> bool:
    return title in BIBLIOGRAPHY or begins_a_part(title)


def _unpaged(
    lines: Sequence[Line], first: int, last_place: dict[str, int]
) -> tuple[int | None, int]:
    """Without page numbers: short lines under the heading that stand again in the text below."""
    end, again, others, others_at_end, names_parts = None, 0, 0, 0, False
    for j in range(first, len(lines)):
        text, title = lines[j].text, lines[j].heading_text
        if _is_heading(lines[j]) or len(text) > _LONGEST_ENTRY or count_words(text) > _MOST_WORDS:
            break
        if len(title) > 3 and last_place.get(title, 0) > j + 1:
            again += 1
            names_parts |= _names_part(title)
            end, others_at_end = j, others
        else:
            others += 1
            if others - others_at_end > _MOST_LINES_WITHOUT_PAGE:
                break
    if not names_parts or again < _FEWEST_ENTRIES or again < 0.6 * (again + others_at_end):
        return None, 0
    return end, again + others_at_end


def _last_places(lines: Sequence[Line]) -> dict[str, int]:
    """Where each heading-like line stands for the last time."""
    return {line.heading_text: i for i, line in enumerate(lines)}
