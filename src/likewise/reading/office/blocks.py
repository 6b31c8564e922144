"""What a text document is made of, before it is written down: paragraphs, tables and captions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from likewise.reading.formulas import with_formulas


@dataclass(slots=True)
class Paragraph:
    """Text that grows run by run, and what is anchored in it.

    >>> paragraph = Paragraph()
    >>> paragraph.add("step"); paragraph.add("pe")
    >>> paragraph.text
    'steppe'
    >>> paragraph.add(" and sky", "white text")
    >>> paragraph.hidden
    [(6, 14, 'white text')]
    """

    style: str = ""
    counted: bool = False  # has a number out of a sequence, as captions have
    continues: bool = False  # the next paragraph goes on in the same line
    after: list[Block] = field(default_factory=list)  # notes, text boxes: what stands beside it
    pictures: list[tuple[int, str]] = field(default_factory=list)  # where, and which
    page_breaks: list[tuple[int, bool]] = field(default_factory=list)  # where, and if by hand
    hidden: list[tuple[int, int, str]] = field(default_factory=list)  # from, to, in which way
    formulas: list[tuple[int, int, str]] = field(default_factory=list)  # from, to, in TeX
    in_shape: bool = False  # a box beside the text
    length: int = 0
    _runs: list[str] = field(default_factory=list)

    def add(self, text: str, way_of_hiding: str = "") -> None:
        start = self.length
        self._runs.append(text)
        self.length += len(text)
        if way_of_hiding:
            if self.hidden and self.hidden[-1][1:] == (start, way_of_hiding):
                start = self.hidden.pop()[0]
            self.hidden.append((start, self.length, way_of_hiding))

    @property
    def is_empty(self) -> bool:
        """Whether nothing stands in it or hangs on it."""
        return not (self.length or self.after or self.pictures or self.page_breaks)

    @property
    def text(self) -> str:
        if len(self._runs) > 1:
            self._runs = ["".join(self._runs)]
        return self._runs[0] if self._runs else ""

    @property
    def text_with_tex(self) -> str:
        """Its text with TeX between dollar signs in place of the words of its formulas."""
        return with_formulas(self.text, self.formulas) if self.formulas else self.text


@dataclass(slots=True)
class Cell:
    """A cell of a table: what stands in it, and how far it reaches."""

    blocks: list[Block] = field(default_factory=list)
    across: int = 1
    down: int = 1


@dataclass(slots=True)
class TableBlock:
    """A table: the cells that begin in each row, from the left."""

    rows: list[list[Cell]] = field(default_factory=list)


Block = Paragraph | TableBlock


# Which paragraph beside a table is its caption.

LONGEST = 400  # characters; what is longer is text about the table

_STYLES = re.compile(
    r"caption|table( caption| title| name)?|таблица|название( объекта| таблицы)|кесте( атауы)?",
    re.IGNORECASE,
)
_FIGURE = re.compile(
    r"\s*(fig(ure|\.)|illustration|drawing|chart|diagram|scheme|photo|рис\b|рисунок|схема|график"
    r"|диаграмма|фото|сурет|[\d.]++\s*+(?:[-–—]\s*+)?(сурет|рисунок))",
    re.IGNORECASE,
)
_NUMBER = r"(?:[A-ZА-ЯӘҒҚҢӨҰҮҺІ][.\-]?)?\d[\d.\-]*|[IVXLC]+\b"
_LABEL = (
    rf"(?:(?i:table|tab\.|таблица|табл\.|кесте)\s*+(?:(?:№|N)\s*+)?(?:{_NUMBER})"
    rf"|(?:{_NUMBER})\s*+(?:[-–—]\s*+)?(?i:кесте|таблица))"
)
_LABEL_ALONE = re.compile(rf"\s*{_LABEL}\s*+(?:[.:]\s*+)?")
# A sentence about a table begins as its caption does, but goes on in small letters.
_LABEL_AND_TITLE = re.compile(rf"\s*{_LABEL}\s*+([.:)–—-]|$|(?=[^\w\s]|[A-ZА-ЯЁӘҒҚҢӨҰҮҺІ\d]))")


def is_caption_style(name: str) -> bool:
    """Whether a style of this name is for captions.

    >>> [is_caption_style(name) for name in ("caption", "Название объекта", "Table Contents")]
    [True, True, False]
    """
    return bool(_STYLES.fullmatch(name.strip()))


def captions(blocks: Sequence[Block], caption_styles: frozenset[str]) -> dict[int, str]:
    """The captions of the tables among some blocks, by the places of the tables.

    A caption above a table goes before one below it; no caption serves two tables.
    """
    if not any(isinstance(block, TableBlock) for block in blocks):
        return {}
    visible = [
        i for i, block in enumerate(blocks) if isinstance(block, TableBlock) or block.text.strip()
    ]
    by_place: dict[int, str] = {}
    used: set[int] = set()
    any_above = False
    for rank, place in enumerate(visible):
        if not isinstance(blocks[place], TableBlock):
            continue
        above = [i for i in reversed(visible[max(rank - 2, 0) : rank]) if i not in used]
        below = visible[rank + 1 : rank + 3]
        if text := _above([blocks[i] for i in above], caption_styles):
            any_above = True
            used.update(above)
        elif (
            below
            and not (any_above and len(below) > 1 and isinstance(blocks[below[1]], TableBlock))
            and (text := _caption(blocks[below[0]], caption_styles))
        ):
            used.add(below[0])
        if text:
            by_place[place] = text
    return by_place


def _above(nearest_first: Sequence[Block], styles: frozenset[str]) -> str:
    if not nearest_first:
        return ""
    if text := _caption(nearest_first[0], styles):
        return text
    # «Таблица 3» at the right, its title in a line of its own.
    texts = [b.text.strip() if isinstance(b, Paragraph) else "" for b in nearest_first]
    if len(texts) > 1 and _LABEL_ALONE.fullmatch(texts[1]) and 0 < len(texts[0]) <= LONGEST:
        return f"{texts[1]} {texts[0]}"
    return ""


def _caption(block: Block, styles: frozenset[str]) -> str:
    if not isinstance(block, Paragraph):
        return ""
    text = " ".join(block.text.split())
    if not 0 < len(text) <= LONGEST or _FIGURE.match(text):
        return ""
    if block.counted or block.style in styles or _LABEL_AND_TITLE.match(text):
        return text
    return ""
