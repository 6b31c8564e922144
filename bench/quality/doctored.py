"""Real tables, and what people do to tables they copy.

The sources are cut from the spreadsheets, web pages, documents and PDFs among the corpora. Each way
of doctoring takes the rows of a table and gives other rows; two can be done one after the other.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from random import Random

from likewise.errors import LikewiseError
from likewise.model import Span, Table
from likewise.reading import read
from likewise.tables.cells import read_cell
from likewise.tables.layout import lay_out

Rows = list[list[str]]
Way = Callable[[Rows, Random, Sequence[Rows]], Rows]

FOLDERS = ("table-revisions", "formats", "icdar13-tables-eu", "pages", "kazakh/kz_laws_html")
SUFFIXES = frozenset(".csv .xls .xlsx .ods .html .htm .pdf .docx .doc .odt .rtf".split())
CUTS = 12  # tables cut from one long table
ALIKE = 0.3  # sources that share this much of their cells are not called unrelated
_LONGEST_FILE = 8_000_000


@dataclass(frozen=True, slots=True)
class Source:
    """A real table, where it comes from, and whether it was looked at while tuning."""

    name: str
    rows: Rows
    for_tuning: bool


def real_tables(folder: Path) -> list[Source]:
    """Tables with four rows, two columns and twelve cells or more, no two of them the same."""
    found: list[Source] = []
    seen: set[frozenset[str]] = set()
    formats: dict[str, str] = {}
    for name, rows in _tables_in(folder):
        file, _, place = name.partition("#")
        stem = f"{Path(file).stem}#{place}"
        if formats.setdefault(stem, name) != name:
            continue  # the same file in another format
        cells = frozenset(text for row in rows for text in row if text)
        filled = sum(bool(text) for row in rows for text in row)
        if len(rows) < 4 or filled < 12 or len(cells) < 10 or min(map(len, rows)) < 2:
            continue
        if any(_jaccard(cells, other) > 0.6 for other in seen):
            continue  # the same table in another file
        seen.add(cells)
        found.append(Source(name, rows, zlib.crc32(name.partition("#")[0].encode()) % 2 == 0))
    return found


def _tables_in(folder: Path) -> Iterator[tuple[str, Rows]]:
    for part in FOLDERS:
        for path in sorted((folder / part).rglob("*")):
            if path.suffix.lower() not in SUFFIXES or path.stat().st_size > _LONGEST_FILE:
                continue
            if part == "table-revisions" and not path.stem.endswith("v0"):
                continue
            try:
                document = read(path)
            except LikewiseError:
                continue
            for number, table in enumerate(document.tables):
                name = f"{path.relative_to(folder)}#{number}"
                rows = [[" ".join(text.split()) for text in row] for row in table.rows]
                yield from _cut(name, rows)


def _cut(name: str, rows: Rows) -> Iterator[tuple[str, Rows]]:
    """A long or wide table gives several, each with the head and some rows of its own."""
    if len(rows) <= 60 and max(map(len, rows), default=0) <= 20:
        yield name, rows
        return
    random = Random(name)
    head, body = rows[:1], rows[1:]
    height = random.randint(12, 30)
    starts = range(0, len(body) - height, max(height, len(body) // CUTS))
    for cut, start in enumerate(list(starts)[:CUTS]):
        width = len(rows[0])
        columns = sorted(random.sample(range(width), min(width, random.randint(3, 9))))
        part = [[row[c] for c in columns] for row in head + body[start : start + height]]
        yield f"{name}/{cut}", part


def are_alike(a: Rows, b: Rows) -> bool:
    """Whether two sources share so much that nobody can call them unrelated."""
    return _jaccard(_strings(a), _strings(b)) > ALIKE


def _strings(rows: Rows) -> frozenset[str]:
    return frozenset(text.casefold() for row in rows for text in row if text)


def _jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    return len(a & b) / max(1, len(a | b))


def as_table(rows: Rows) -> Table:
    """Rows as reading would give them."""
    return Table(tuple(map(tuple, rows)), Span(0, 0))


def numbers_share(rows: Rows) -> float:
    """The share of filled cells that are numbers."""
    cells = [text for row in rows for text in row if text]
    return sum(read_cell(text).kind == "number" for text in cells) / max(1, len(cells))


def _head_of(rows: Rows) -> int:
    return lay_out(as_table(rows)).head


def permute_rows(rows: Rows, random: Random, others: Sequence[Rows]) -> Rows:
    """The head stays."""
    head = _head_of(rows)
    return rows[:head] + random.sample(rows[head:], len(rows) - head)


def permute_columns(rows: Rows, random: Random, others: Sequence[Rows]) -> Rows:
    """Columns in another order."""
    order = random.sample(range(len(rows[0])), len(rows[0]))
    return [[row[c] for c in order] for row in rows]


def transpose(rows: Rows, random: Random, others: Sequence[Rows]) -> Rows:
    """Rows as columns."""
    return [list(column) for column in zip(*rows, strict=True)]


def alter_numbers(rows: Rows, random: Random, others: Sequence[Rows]) -> Rows:
    """30 % of the numbers become others of the same size, written as they were."""
    head = _head_of(rows)

    def altered(text: str) -> str:
        if read_cell(text).kind != "number" or random.random() >= 0.3:
            return text
        return re.sub(r"\d", lambda digit: _other_digit(digit[0], random), text)

    return rows[:head] + [[altered(text) for text in row] for row in rows[head:]]


def _other_digit(digit: str, random: Random) -> str:
    return random.choice([other for other in "123456789" if other != digit])


def rename_headings(rows: Rows, random: Random, others: Sequence[Rows]) -> Rows:
    """Headings of other tables, or letters."""
    head = max(1, _head_of(rows))
    names = [text for other in others for text in other[0] if text and not text[0].isdigit()]
    if not names or random.random() < 0.3:
        names = [f"Column {letter}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
    renamed = [[random.choice(names) if text else "" for text in row] for row in rows[:head]]
    return renamed + rows[head:]


def change_units(rows: Rows, random: Random, others: Sequence[Rows]) -> Rows:
    """Columns of numbers, years excepted, times a factor, each with the same digits or one more."""
    head = _head_of(rows)
    factors = {
        column: random.choice([1000, 0.001, 100, 0.01, 1_000_000, 2.54, 0.3048, 1.609, 0.4536, 448])
        for column in range(len(rows[0]))
        if random.random() < 0.7 and not _is_of_years([row[column] for row in rows[head:]])
    }
    return rows[:head] + [
        [_times(text, factors.get(column)) for column, text in enumerate(row)]
        for row in rows[head:]
    ]


def _is_of_years(texts: Sequence[str]) -> bool:
    years = [text for text in texts if re.fullmatch(r"(1[89]|20)\d\d", text)]
    return 2 * len(years) > sum(map(bool, texts))


def _times(text: str, factor: float | None) -> str:
    cell = read_cell(text)
    if factor is None or cell.kind != "number" or len(text) > 15:
        return text
    digits = max(4, 1 + sum(char.isdigit() for char in text.strip("0.,")))
    value = cell.numbers[0].value * factor
    written = f"{value:.{digits}g}"
    return f"{value:.0f}" if "e+" in written else written if "e" not in written else f"{value:.9f}"


def drop_rows(rows: Rows, random: Random, others: Sequence[Rows]) -> Rows:
    """Half of the rows go."""
    head = _head_of(rows)
    body = rows[head:]
    kept = sorted(random.sample(range(len(body)), max(2, len(body) // 2)))
    return rows[:head] + [body[i] for i in kept]


def merge(rows: Rows, random: Random, others: Sequence[Rows]) -> Rows:
    """Another table below it or beside it, no longer than itself by much."""
    other = random.choice(others)[: max(6, len(rows))]
    if random.random() < 0.5:
        width = max(len(rows[0]), len(other[0]))
        return [row + [""] * (width - len(row)) for row in rows + other]
    height = max(len(rows), len(other))
    left = rows + [[""] * len(rows[0])] * (height - len(rows))
    right = other + [[""] * len(other[0])] * (height - len(other))
    return [a + b for a, b in zip(left, right, strict=True)]


WAYS: dict[str, Way] = {
    "rows permuted": permute_rows,
    "columns permuted": permute_columns,
    "transposed": transpose,
    "30 % of numbers altered": alter_numbers,
    "headers renamed": rename_headings,
    "units changed": change_units,
    "half the rows dropped": drop_rows,
    "two tables merged": merge,
}
ABOUT_NUMBERS = frozenset({"30 % of numbers altered", "units changed"})
# What is done to rows as rows comes before they are turned.
_LAST = ("two tables merged", "transposed")


def combinations_of_ways() -> list[tuple[str, ...]]:
    """Each way alone, and every two."""
    return [(way,) for way in WAYS] + [
        tuple(sorted(two, key=lambda way: _LAST.index(way) if way in _LAST else -1))
        for two in combinations(WAYS, 2)
    ]


def doctored(source: Source, ways: Sequence[str], others: Sequence[Rows]) -> Rows | None:
    """The table after all that; None where it has too few numbers for what is done to them."""
    if ABOUT_NUMBERS & set(ways) and numbers_share(source.rows) < 0.25:
        return None
    rows = source.rows
    random = Random(f"{source.name} {ways}")
    for way in ways:
        rows = WAYS[way](rows, random, others)
    return rows
