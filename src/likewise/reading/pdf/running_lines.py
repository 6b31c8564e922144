"""Headers, footers and page numbers: lines that run through a document beside its text."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

EDGE = 0.15  # of the height of a page, at its top and at its bottom
LEVEL = 0.006  # of the height of a page: lines closer to each other stand side by side
MOST = 0.6  # of the pages, or of those on one side, carry a line that runs through all
MANY = 0.4  # of the pages have a running line at one height: that is where they stand
FEWEST = 3  # pages in a row make a header that changes with the chapter
LONGEST = 200  # characters
LONGEST_NUMBER = 30  # characters, with what is around it
SHORT = 1000  # a larger number alone at the edge of a letter may be anything

HEADER, FOOTER, NUMBER = "running header", "running footer", "page number"

_DIGITS = re.compile(r"\d+")
_ROMAN = frozenset("ivxlc")
_ROMAN_NUMBER = re.compile(r"(?i)[\W_]*[ivxlc]{1,7}[\W_]*\Z")
# A number alone, between dashes, or with a word for page before or behind it; "3 of 9", "3/9".
_PAGE_NUMBER = re.compile(
    r"""[\W_]*
    (?P<word> (?:page|pag|p|pp|стр|страница|лист|с|бет|seite)\b\.?\s* )?
    (?P<number> \d{1,4} | [ivxlc]{1,7} )
    (?: \s*(?:of|from|из|/|\|)\s*(?P<of>\d{1,4}) )?
    (?P<after> \s*[-–—]?\s*(?:бет|бетi|page|стр|страница)\b\.? )?
    [\W_]*""",
    re.VERBOSE | re.IGNORECASE,
)
_FRAMED = re.compile(r"[-–—~|•·\[(]\s*\d+\s*[-–—~|•·\])]")


class EdgeLine(NamedTuple):
    """One of the first or last lines of a page; `height` is 0 at its foot and 1 at its head."""

    start: int
    end: int
    text: str
    height: float


class RunningLine(NamedTuple):
    """A line that is not part of the text, and why."""

    start: int
    end: int
    reason: str


def running_lines(pages: Sequence[Sequence[EdgeLine]]) -> list[list[RunningLine]]:
    """For every page, its running lines in the order of the text.

    >>> page = lambda n: [EdgeLine(0, 5, "Reeds", 0.95), EdgeLine(90, 92, f"{n}", 0.05)]
    >>> [line.reason for line in running_lines([page(1), page(2), page(3)])[2]]
    ['running header', 'page number']
    """
    keyed = [
        [
            _KeyedLine(line, edge, _key(line.text), *_number(line.text))
            for line in lines
            if (edge := _edge(line))
        ]
        for lines in pages
    ]
    repeated = _repeated(keyed)
    offsets = _offsets(keyed)
    slots = _slots(keyed, repeated)
    by_page = []
    for page, lines in enumerate(keyed):
        running: list[RunningLine] = []
        for edge in (HEADER, FOOTER):
            mine = [keyed for keyed in lines if keyed.edge == edge]
            running += _from_the_edge(mine, page, edge, repeated, offsets, slots[edge], len(pages))
        by_page.append(sorted(running, key=lambda line: line.start))
    return by_page


def _edge(line: EdgeLine) -> str:
    if len(line.text) > LONGEST:
        return ""
    return HEADER if line.height >= 1 - EDGE else FOOTER if line.height <= EDGE else ""


def _key(text: str) -> str:
    """A line without what changes from page to page.

    >>> _key("17 Reeds, part 2"), _key("Preface xiv")
    ('#Reeds,part#', 'Preface#')
    """
    if _DIGITS.search(text):
        text = _DIGITS.sub("#", text)
    else:
        first, _, rest = text.partition(" ")
        before, _, last = text.rpartition(" ")
        if rest and _ROMAN.issuperset(first):
            text = "#" + rest
        elif before and _ROMAN.issuperset(last):
            text = before + "#"
    return text.replace(" ", "")


class _KeyedLine(NamedTuple):
    line: EdgeLine
    edge: str
    key: str
    number: int
    obvious: bool


_Pages = Sequence[Sequence[_KeyedLine]]


def _repeated(pages: _Pages) -> dict[tuple[str, str], frozenset[int]]:
    """Lines that repeat, by edge and key, with the pages on which they are running."""
    places: defaultdict[tuple[str, str], dict[int, str]] = defaultdict(dict)
    for page, lines in enumerate(pages):
        for line in lines:
            if line.key.strip("#"):
                places[line.edge, line.key].setdefault(page, line.line.text)
    return {
        key: frozenset(pages_of)
        for key, lines in places.items()
        if len(lines) >= FEWEST
        and len(steady := _steady(lines) if "#" in key[1] else [*lines]) >= FEWEST
        and (pages_of := _pages_in_runs(steady, len(pages)))
    }


def _steady(lines: dict[int, str]) -> list[int]:
    """The pages on which the numbers in a line stay, or count the pages, as on a page nearby.

    Footnotes at the foot of pages may differ in their numbers alone: "3 Ibid., p. 20".
    """
    numbers = [(page, [int(n) for n in _DIGITS.findall(text)]) for page, text in lines.items()]
    alike = [
        all(m == n or m - n == page - other for n, m in zip(here, there, strict=False))
        for (other, here), (page, there) in pairwise(numbers)
    ]
    return [
        page
        for (page, _), before, after in zip(numbers, [False, *alike], [*alike, False], strict=True)
        if before or after
    ]


def _pages_in_runs(page_numbers: list[int], pages: int) -> Iterable[int]:
    """The pages of a repeated line on which it is running: all, or those in a row."""
    if len(page_numbers) >= MOST * pages:
        return page_numbers
    for side in (0, 1):  # left or right pages
        mine = [page for page in page_numbers if page % 2 == side]
        if len(mine) >= max(FEWEST, MOST * pages / 2):
            return page_numbers
    in_runs: list[int] = []
    row = page_numbers[:1]
    for page in [*page_numbers[1:], pages + FEWEST]:
        if page - row[-1] > 2:  # two apart: a header of left pages alone
            in_runs += row if len(row) >= FEWEST else []
            row = []
        row.append(page)
    return in_runs


def _slots(
    pages: _Pages, repeated: dict[tuple[str, str], frozenset[int]]
) -> dict[str, list[float]]:
    """Heights at which running lines stand on many pages: what else stands there is one, too.

    The name of a chapter of two pages repeats too little to be known by itself.
    """
    heights: defaultdict[tuple[str, int], list[float]] = defaultdict(list)
    for page, lines in enumerate(pages):
        for line, edge, key, *_ in lines:
            if page in repeated.get((edge, key), ()):
                heights[edge, round(line.height / LEVEL)].append(line.height)
    slots: dict[str, list[float]] = {HEADER: [], FOOTER: []}
    for (edge, _), values in heights.items():
        if len(values) >= max(FEWEST, MANY * len(pages)):
            slots[edge].append(sum(values) / len(values))
    return slots


def _offsets(pages: _Pages) -> set[tuple[str, int]]:
    """How far the numbers at an edge run ahead of the pages, where they do so steadily."""
    counts: Counter[tuple[str, int]] = Counter()
    for page, lines in enumerate(pages):
        counts.update({(line.edge, line.number - page) for line in lines if line.number})
    fewest = min(FEWEST, max(2, len(pages) // 2))
    return {offset for offset, count in counts.items() if count >= fewest}


def _from_the_edge(
    lines: list[_KeyedLine],
    page: int,
    edge: str,
    repeated: dict[tuple[str, str], frozenset[int]],
    offsets: set[tuple[str, int]],
    slots: list[float],
    pages: int,
) -> list[RunningLine]:
    """Running lines from the edge of the page inwards, up to the first that is not one."""
    lines.sort(key=lambda keyed: keyed.line.height, reverse=edge == HEADER)
    running: list[RunningLine] = []
    stop: float | None = None
    for line, _, key, number, obvious in lines:
        if stop is not None and abs(line.height - stop) > LEVEL:
            break
        if pages < FEWEST:  # too few to see a number count: a short one alone must do
            obvious = obvious or (line.text.isdigit() and number < SHORT)
        if number and (obvious or (edge, number - page) in offsets):
            running.append(RunningLine(line.start, line.end, NUMBER))
        elif page in repeated.get((edge, key), ()) or any(
            abs(line.height - slot) < LEVEL / 2 for slot in slots
        ):
            running.append(RunningLine(line.start, line.end, edge))
        elif stop is None:
            stop = line.height
    return running


def _number(text: str) -> tuple[int, bool]:
    """The page number that a line consists of, and whether it says so itself; 0 if none.

    >>> [_number(text) for text in ("- 12 -", "стр. 3", "3-бет", "Page 3 of 9", "xii", "1984 was")]
    [(12, True), (3, True), (3, True), (3, True), (12, False), (0, False)]
    """
    if len(text) > LONGEST_NUMBER or not (_DIGITS.search(text) or _ROMAN_NUMBER.match(text)):
        return 0, False
    match = _PAGE_NUMBER.fullmatch(text)
    if not match:
        return 0, False
    number = match["number"]
    obvious = bool(match["word"] or match["of"] or match["after"] or _FRAMED.fullmatch(text))
    return int(number) if number.isdigit() else _roman(number.casefold()), obvious


def _roman(letters: str) -> int:
    values = [{"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}[letter] for letter in letters]
    following = [*values[1:], 0]
    return sum(-a if a < b else a for a, b in zip(values, following, strict=True))
