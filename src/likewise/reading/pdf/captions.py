"""The line above or below a table that says what it shows."""

from __future__ import annotations

import re

NEAREST = 3  # lines from the table: a caption may take several
LONGEST = 500  # characters

_CAPTION = re.compile(
    r"""\s*(?:
        (?:table|tab\.|таблица|табл\.|кесте|№)\s*(?:№\s*)?[\dа-яa-z]{1,3}(?:[.\-–]\d+)*\b
        | \d+(?:[.\-–]\d+)*\s*[-–—.]?\s*кесте\b
        | (?:table|таблица|кесте)\s*$
    )""",
    re.VERBOSE | re.IGNORECASE,
)


def caption_of(text: str, start: int, end: int) -> str:
    """The caption of the table that stands from `start` to `end`, or nothing.

    >>> text = "Before.\\nTable 3. Rain\\nby month\\n1 2\\n3 4\\nAfter."
    >>> caption_of(text, text.index("1 2"), text.index("After"))
    'Table 3. Rain by month'
    """
    above = [line for line in text[max(0, start - 4 * LONGEST) : start].split("\n") if line.strip()]
    for i, line in enumerate(reversed(above[-NEAREST:]), 1):
        if _CAPTION.match(line):
            return " ".join(" ".join(above[-i:]).split())[:LONGEST]
    below = [line for line in text[end : end + 2 * LONGEST].split("\n") if line.strip()]
    if below and _CAPTION.match(below[0]):
        return " ".join(below[0].split())[:LONGEST]
    return ""
