"""CSV: fields between delimiters, a row to a line, and what people make of that."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator

_DELIMITERS = "\t;|,"  # of those that fit equally well, the first
_LOOKED_AT_LINES = 200
_LOOKED_AT_CHARS = 1 << 16
_LONGEST_FIELD = 100_000  # characters; the csv module stops at 131,072
_SWALLOWED_ROWS = 3  # inside one field: a quotation mark was not closed
_FITS = 0.95  # of the lines have as many fields as most

_LINE = re.compile(r"\r\n|\r|\n")
_DECLARED = re.compile(r"sep=([^\w\s\"]|\t)(?:\r\n|\r|\n)", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<![^\W\d_])[^\W\d_]{2,}[.!?…]\s+[^\W\d_]")


def looks_like_csv(text: str) -> bool:
    """Whether a text of unknown kind is a table: at least three lines with three fields or more.

    Doubt is settled against it: a table that is taken for prose loses less than prose that is
    taken for a table.

    >>> looks_like_csv("month;rain;snow\\nMay;12;0\\nJune;31;0\\n")
    True
    >>> looks_like_csv("It rained, and then, at noon, it stopped.\\n" * 4)
    False
    """
    lines = _sample(text)
    delimiter, fields, share = _best_delimiter(lines)
    if len(lines) < 3 or fields < 3 or share < _FITS:
        return False
    sample = "\n".join(lines)
    if delimiter == "," and sample.count(", ") * 2 > sample.count(","):
        return False  # as people write, not as programs do
    return len(_SENTENCE.findall(sample)) * 10 <= len(lines)


def delimiter_of(text: str, tabs: bool = False) -> tuple[str, str]:
    """What parts the fields, and the text behind a line that says so; tabs are better by name.

    >>> delimiter_of("sep=|\\na|b\\n"), delimiter_of("1,5;2\\n2,5;7\\n")[0]
    (('|', 'a|b\\n'), ';')
    """
    declared = _DECLARED.match(text)
    if declared:
        return declared[1], text[declared.end() :]
    delimiter, fields, _ = _best_delimiter(_sample(text), "\t" if tabs else _DELIMITERS)
    if fields < 2 and tabs:
        delimiter, _, _ = _best_delimiter(_sample(text))
    return delimiter, text


def rows_of(text: str, delimiter: str) -> tuple[list[list[str]], bool]:
    """The rows with anything in them, and whether quotation marks had to be mistrusted."""
    if text.count('"') % 2 == 0:
        try:
            rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
        except csv.Error:  # a field without end
            rows = []
        usual = Counter(map(len, rows)).most_common(1)[0][0] if rows else 0
        if rows and not any(_swallows(field, delimiter, usual) for row in rows for field in row):
            return [row for row in rows if any(row)], False
    return [row for row in _line_by_line(text, delimiter) if any(row)], '"' in text


def _line_by_line(text: str, delimiter: str) -> Iterator[list[str]]:
    for line in _LINE.split(text):
        if '"' not in line or line.count('"') % 2 or len(line) > _LONGEST_FIELD:
            yield line.split(delimiter)
        else:
            yield from csv.reader([line], delimiter=delimiter)


def _swallows(field: str, delimiter: str, usual: int) -> bool:
    """Whether a field holds rows of its own table."""
    if len(field) > _LONGEST_FIELD:
        return True
    if "\n" not in field or delimiter not in field or usual < 2:
        return False
    rows = (line.count(delimiter) == usual - 1 for line in field.splitlines())
    return sum(rows) >= _SWALLOWED_ROWS


def _sample(text: str) -> list[str]:
    """The first lines with anything in them."""
    looked_at = text[:_LOOKED_AT_CHARS]
    lines = [line for line in _LINE.split(looked_at) if line.strip()]
    if len(text) > len(looked_at) and len(lines) > 1:
        lines.pop()  # cut in the middle
    return lines[:_LOOKED_AT_LINES]


def _best_delimiter(lines: list[str], among: str = _DELIMITERS) -> tuple[str, int, float]:
    """The delimiter that cuts most lines into as many fields, how many, and how many lines."""
    best = among[-1], 1, 0.0
    for delimiter in among:
        try:
            counts = Counter(len(row) for row in csv.reader(lines, delimiter=delimiter) if row)
        except csv.Error:
            continue
        if not counts:
            continue
        fields, times = counts.most_common(1)[0]
        share = times / sum(counts.values())
        # Commas in "1,5;2,5" are one more than semicolons; where they are many more, they part.
        more_even = share > best[2] + 0.05
        many_more = share >= best[2] and fields > best[1] + 1
        if fields > 1 and (more_even or many_more):
            best = delimiter, fields, share
    return best
