"""The lines of a text, and what a line says if it is a heading."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from likewise.model import Message, Span

UPPER = "A-ZÀ-ÖØ-ÞŠŽА-ЯЁӘҒҚҢӨҰҮҺІЇЄ"

# What is to be excluded, and what tells it: words of the document itself, or a message.
Found = tuple[Span, str | Message]

LONGEST_HEADING = 90  # characters

_WORD = re.compile(r"[^\W\d_]+(?:[-’'ʼ][^\W\d_]+)*")
_NUMBER_OF_HEADING = re.compile(
    r"(?:[ivxlcіх]{1,6}[.)]|[ivx]{1,4}(?=\s)|\d{1,2}(?:\.\d{1,2}){0,3}[.)]?(?=\s)|\d{1,2}[.)])\s*"
)
_ANCHOR = re.compile(r"(?<!\s)\s*+\{#[^{}]{0,80}\}$")
_ONE_BY_ONE = re.compile(r"(?:\w {1,3}){3,}\w")  # L I K E  T H I S


_CODE = re.compile(
    r"[{}\\<>|=]|\w[(_]\w|\w\(\)|;\s*$|\w\[[\"']|\([\"']|[\"']\s*\)|://|^\s*(?:>>>|\$|#|@|//)"
)


class Line(NamedTuple):
    """A line that is not blank, without the white space around it."""

    start: int
    end: int
    text: str
    said: str  # if it is a heading
    indent: int
    after_blank: bool
    after_page_break: bool


def lines_of(text: str) -> list[Line]:
    """The lines of a text that say something.

    >>> [(line.text, line.after_blank) for line in lines_of("one\\n  two \\n\\nthree")]
    [('one', True), ('two', False), ('three', True)]
    """
    lines: list[Line] = []
    position, blank, page_break = 0, True, False
    for raw in text.splitlines(keepends=True):
        stripped = raw.strip()
        if stripped:
            indent = len(raw) - len(raw.lstrip())
            start = position + indent
            end = start + len(stripped)
            lines.append(Line(start, end, stripped, heading(stripped), indent, blank, page_break))
            blank = page_break = False
        else:
            blank = True
        if raw[-1] == "\f":
            blank = page_break = True
        position += len(raw)
    return lines


def count_words(text: str) -> int:
    """How many words there are; numbers are none.

    >>> count_words("In 1995 the well-known poet wrote: «Тау – таза.»")
    7
    """
    return len(_WORD.findall(text))


def heading(text: str) -> str:
    """What a line says if it is a heading: without its number, marks and capitals.

    >>> heading("## 5. СПИСОК  ЛИТЕРАТУРЫ:"), heading("L I T E R A T U R E"), heading("x" * 99)
    ('список литературы', 'literature', '')
    """
    if len(text) > LONGEST_HEADING:
        return ""
    words = _ANCHOR.sub("", text).strip("#*_=:. ").casefold()
    if _ONE_BY_ONE.fullmatch(words):
        words = " ".join(word.replace(" ", "") for word in words.split("  "))
    words = " ".join(words.split())
    numbered = _NUMBER_OF_HEADING.match(words)
    return words[numbered.end() :] if numbered else words


def is_code(text: str) -> bool:
    """Whether part of a line looks like a program's, or like mathematics.

    >>> is_code("x = f(y)"), is_code("grass (it is green) grows; grass, that is: grass")
    (True, False)
    """
    return _CODE.search(text) is not None


def any_of(*alternatives: str) -> re.Pattern[str]:
    """A pattern for whole words, whatever their capitals, each alternative itself a pattern.

    >>> bool(any_of("grass", "степ[ьи]").search("Наша Степь")), any_of("grass").search("grasses")
    (True, None)
    """
    return re.compile(rf"(?<!\w)(?:{'|'.join(alternatives)})(?!\w)", re.IGNORECASE)


def overlaps_any(line: Line, spans: Sequence[Span]) -> bool:
    """Whether a line touches one of some disjoint spans in order."""
    after = bisect_right(spans, line.start, key=lambda span: span.end)
    return after < len(spans) and spans[after].start < line.end


def from_line_to_line(lines: Sequence[Line], first: int, last: int) -> Span:
    return Span(lines[first].start, lines[last].end)
