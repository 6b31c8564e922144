"""What a text document is made of, before it is written down: paragraphs and tables in order."""

from __future__ import annotations

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
