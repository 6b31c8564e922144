"""What a report on paper is made of: headings, paragraphs, tables and marked text, in words.

`paper_of` makes it from a view; the PDF and the DOCX draw the same blocks, each in its own way.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from likewise.model import Kind

Look = Literal["plain", "lead", "faint", "comment"]
CellLook = Literal["plain", "altered", "apart", "place"]
Line = Literal[Kind, "fragment"]  # how a run is underlined


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A few sentences."""

    text: str
    look: Look = "plain"


@dataclass(frozen=True, slots=True)
class Bar:
    """Parts of a whole: key, name, share in words, share in tenths of a percent."""

    parts: tuple[tuple[str, str, str, int], ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """Names with their values; `mono` where values are for machines."""

    rows: tuple[tuple[str, str], ...]
    mono: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under heads. A second line of a cell is an aside.

    Widths share the room that columns of width 0, as wide as they must be, leave. Where
    `numbers` are given, the first column is the number of a source on its colour.
    """

    heads: tuple[str, ...]
    widths: tuple[int, ...]
    to_the_right: tuple[bool, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class GridCell:
    """A cell of a document's own table; `there` is said below it where it differs."""

    text: str
    there: str = ""
    look: CellLook = "plain"


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of the document, small and ruled, beside the one that it is alike.

    The second line of a head or of a cell is an aside.
    """

    heads: tuple[str, ...]
    rows: tuple[tuple[GridCell, ...], ...]


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many there are in each column between 0 and 1; the threshold, if any, is a share.

    The tenths tell the same coarsely: which they are, how many in words, how many.
    """

    counts: tuple[int, ...]
    tenths: tuple[tuple[str, str, int], ...]
    threshold: float | None
    most: str  # the highest column in words
    label: str


@dataclass(frozen=True, slots=True)
class Run:
    """Text of one look, with what begins before it and ends after it."""

    text: str
    source: int | None = None  # whose colour lies behind it
    line: Line | None = None
    faint: bool = False  # does not count
    strong: bool = False  # differs from the other side
    trick: bool = False  # a disguise was found here
    aside: bool = False  # words of the report, not of the document
    mark: str = ""  # numbers of sources that begin here
    begins: tuple[int, ...] = ()  # comments
    ends: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Lines:
    """One line of the document; `page` is said where a page of the document begins."""

    runs: tuple[Run, ...]
    page: str = ""
    after_a_gap: bool = False


@dataclass(frozen=True, slots=True)
class Legend:
    """What the lines under passages mean, what is faint, and what is set apart as a disguise."""

    heading: str
    kinds: tuple[tuple[Line, str], ...]
    faint: str
    trick: str


@dataclass(frozen=True, slots=True)
class MarginComment:
    """What stands in the margin of a text; without a name the report itself says it."""

    text: str
    by: str = ""
    on: str = ""  # ISO 8601


@dataclass(frozen=True, slots=True)
class MarkedText:
    """The whole text with its passages; comments are by number, as runs begin and end them."""

    lines: tuple[Lines, ...]
    comments: tuple[MarginComment, ...]


@dataclass(frozen=True, slots=True)
class BothSides:
    """A passage as it stands here and there."""

    number: str
    source: int | None
    facts: str  # kind, words, pages
    heads: tuple[str, str]
    here: tuple[Run, ...]
    there: tuple[Run, ...]


Block = Paragraph | Bar | Facts | Table | Grid | Histogram | Legend | MarkedText | BothSides


@dataclass(frozen=True, slots=True)
class Section:
    """Blocks under a heading. A section marked so begins a page of its own."""

    heading: str
    blocks: tuple[Block, ...]
    level: int = 1
    on_a_new_page: bool = False


@dataclass(frozen=True, slots=True)
class Paper:
    """A whole report."""

    title: str
    name: str  # of what was looked at
    language: str
    date: str  # ISO 8601
    maker: str  # program, version and date in one line
    sections: tuple[Section, ...]
    about: tuple[str, ...] = ()  # lines under the name: who wrote it, what it was held against
    institution: str = ""  # whose server made it
    mark: str = ""  # to whom it was shown by a link, on every page
