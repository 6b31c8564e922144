"""Quotation marks: which belong together.

One pass over the marks of a text. Marks that never close, apostrophes, inches and marks of code
pair with nothing: a pair stays inside a paragraph and a bounded length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

MOST_CHARS = 2_000  # between two marks: more than the words that a quotation may have
_DEEPEST = 4  # quotations inside each other
_MOST_TRIES = 8

_MARK = re.compile("[«»“”„‟\"‹›‘’‚']|``|\n[ \t\r\x0b\x0c\u00a0]*\n|\f")
_CLOSES = {"«": "»", "“": "”", "„": '“”‟"', "‹": "›", "``": "", '"': '"', "”": "”"}
_SINGLE = {"‘": "’", "‚": "‘’", "'": "'"}
_SINGLES = frozenset("‘’‚'")
_BEFORE_OPENING = frozenset(" \t\n\r\f\u00a0([{—–-«“„‘\"'")
_BEFORE_STRAIGHT = frozenset(" \t\n\r\f\u00a0—–«“„")  # code writes ("…") and ["…"]
_AFTER_CLOSING_STRAIGHT = re.compile(r"[\s.,;:!?…)\]»”—–-]|\d|[¹²³⁰⁴-⁹]|$")


class Pair(NamedTuple):
    """Two marks that belong together: from before the first to after the second."""

    start: int
    end: int
    mark: str

    @property
    def is_straight(self) -> bool:
        return self.mark in "\"'"

    @property
    def is_single(self) -> bool:
        return self.mark in _SINGLE


def paired_marks(text: str) -> Iterator[Pair]:
    """Every pair of quotation marks, inner ones before outer ones.

    A single mark may be an apostrophe, so that an opening one is paired with each of several that
    may close it.

    >>> text = "«Жолда “ескі үй” тұр», it's 5\\" wide"
    >>> [text[pair.start:pair.end] for pair in paired_marks(text)]
    ['“ескі үй”', '«Жолда “ескі үй” тұр»']
    """
    open_marks: list[tuple[str, int]] = []
    single, tries = -1, 0  # where a single mark opened, and how many may have closed it
    for match in _MARK.finditer(text):
        mark, at, end = match[0], match.start(), match.end()
        if mark[0] in "\n\f":
            open_marks.clear()
            single = -1
            continue
        before = text[at - 1] if at else "\n"
        after = text[end] if end < len(text) else "\n"
        if mark in _SINGLES:
            if mark == "'" == after and open_marks and open_marks[-1][0] == "``":
                start = open_marks.pop()[1]
                if end - start <= MOST_CHARS:
                    yield Pair(start, end + 1, "``")
            elif single >= 0 and mark in _SINGLE[text[single]] and _closes_single(before, after):
                tries += 1
                if end - single <= MOST_CHARS and tries <= _MOST_TRIES:
                    yield Pair(single, end, text[single])
                else:
                    single = -1
            elif mark in _SINGLE and before in _BEFORE_OPENING and not after.isspace():
                single, tries = at, 0
            continue
        opened_at = _opened_at(open_marks, mark, before, text, end)
        if opened_at is not None:
            if end - opened_at <= MOST_CHARS:
                yield Pair(opened_at, end, text[opened_at])
        elif _opens(mark, before, after):
            open_marks.append((mark, at))
            del open_marks[:-_DEEPEST]


def _opened_at(
    open_marks: list[tuple[str, int]], mark: str, before: str, text: str, end: int
) -> int | None:
    """Where the mark that this one closes stands; those opened after it never close."""
    if mark in '"”' and before.isspace():
        return None
    if mark == '"' and not _AFTER_CLOSING_STRAIGHT.match(text, end):
        return None
    for depth in range(len(open_marks) - 1, -1, -1):
        if mark in _CLOSES[open_marks[depth][0]]:
            start = open_marks[depth][1]
            del open_marks[depth:]
            return start
    return None


def _opens(mark: str, before: str, after: str) -> bool:
    if mark == '"':
        return before in _BEFORE_STRAIGHT and not after.isspace() and after not in '",.;:)]}'
    if mark == "”":  # some write it on both sides
        return before in _BEFORE_OPENING and after.isalnum()
    return mark in _CLOSES


def _closes_single(before: str, after: str) -> bool:
    return not before.isspace() and not after.isalnum()
