"""A document while it is being read, and how messages name its pages and pictures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from likewise.catalogue import Value
from likewise.language import detect
from likewise.model import Document, Message, Note, Page, Picture, Span, Table
from likewise.reading.grid import Grid

LEAST_HIDDEN_WORDS = 3  # hidden in one way; fewer are marks of programs and slips
MUCH_IN_SHAPES = 0.3  # of the words
FEW_WORDS = 60  # in a document that may have been pasted as pictures
LARGE_PICTURE_PIXELS = 400_000  # on which a page of text can be read


class Hidden:
    """Ways to hide text; what is left out of comparison for one has its name."""

    WHITE = "white text"
    TRANSPARENT = "transparent text"
    TINY = "tiny text"
    OFF_PAGE = "text off the page"
    INVISIBLE = "invisible text"
    CLIPPED = "clipped text"
    UNDER_PICTURE = "text under a picture"


WAYS_TO_HIDE = {  # and what notes call them
    Hidden.WHITE: Message("reading.white"),
    Hidden.TRANSPARENT: Message("reading.transparent"),
    Hidden.TINY: Message("reading.tiny"),
    Hidden.OFF_PAGE: Message("reading.off_page"),
    Hidden.INVISIBLE: Message("reading.invisible_text"),
    Hidden.CLIPPED: Message("reading.clipped"),
    Hidden.UNDER_PICTURE: Message("reading.under_picture"),
}


# What no reader may let into a text: half of a pair that stands for one character, and NUL.
_IMPOSSIBLE = re.compile("[\ud800-\udfff\x00]")


class Draft:
    """Text written from the beginning to the end, and what is known about its parts.

    >>> draft = Draft()
    >>> with_header = draft.line("Page header")
    >>> draft.leave_out(with_header, "running header")
    >>> draft.line("Steppe and sky.")
    Span(start=12, end=27)
    >>> draft.document("a.pdf").compared_text.split()
    ['Steppe', 'and', 'sky.']
    """

    def __init__(self, *, is_picture: bool = False) -> None:
        self.meta: dict[str, str] = {}
        self._parts: list[str] = []
        self._length = 0
        self._pages: list[Page] = []
        self._tables: list[Table] = []
        self._pictures: list[Picture] = []
        self._notes: list[Note] = []
        self._left_out: list[tuple[Span, str]] = []
        self._hidden: dict[str, list[Span]] = {}
        self._in_shapes: list[Span] = []
        self._is_pasted: bool | None = False if is_picture else None

    @property
    def position(self) -> int:
        """Where the next character will stand."""
        return self._length

    def write(self, text: str) -> Span:
        """Add text as it is; where it now stands."""
        text = _possible(text)
        self._parts.append(text)
        start, self._length = self._length, self._length + len(text)
        return Span(start, self._length)

    def line(self, text: str = "") -> Span:
        """Add text and end the line; where the text stands, without the end of the line."""
        span = self.write(text)
        self.write("\n")
        return span

    def table(self, grid: Grid, caption: str = "", page: int | None = None) -> None:
        """Write a table, a line to a row and a tab between cells, and keep its cells."""
        start = self._length
        for line in grid.lines():
            self.line(line)
        self.add_table(grid.rows(), Span(start, self._length), caption, page)

    def add_table(
        self,
        rows: Sequence[Sequence[str]],
        span: Span,
        caption: str = "",
        page: int | None = None,
    ) -> None:
        """Keep the cells of a table whose text is written already."""
        if any(any(cell.strip() for cell in row) for row in rows):
            cells = tuple(tuple(_possible(cell.strip()) for cell in row) for row in rows)
            self._tables.append(Table(cells, span, caption.strip(), page))

    def add_picture(self, picture: Picture) -> None:
        self._pictures.append(picture)

    def add_page(self, number: int, start: int) -> None:
        """The text from `start` on up to here was a page."""
        self._pages.append(Page(number, Span(start, self._length)))

    def note(self, kind: str, key: str | Message, /, *spans: Span, **values: Value) -> None:
        """Something a person should know: a message, or the key and the values of one."""
        message = key if isinstance(key, Message) else Message(key, values)
        self._notes.append(Note(kind, message, spans))

    def leave_out(self, span: Span, reason: str) -> None:
        """Keep this in the text, and out of comparison."""
        if span:
            self._left_out.append((span, reason))

    def hide(self, span: Span, how: str) -> None:
        """Keep this in the text, out of comparison, and tell that it was hidden, and how."""
        if span:
            self._hidden.setdefault(how, []).append(span)

    def in_shape(self, span: Span) -> None:
        """This stands in a shape beside the text, where some programs do not look."""
        self._in_shapes.append(span)

    def document(self, name: str) -> Document:
        text = "".join(self._parts)
        self._note_hidden(text)
        self._note_shapes(text)
        self.is_pasted()
        self._note_nothing(text)
        return Document(
            name=name,
            text=text,
            pages=tuple(self._pages),
            tables=tuple(self._tables),
            pictures=tuple(self._pictures),
            language=detect(text),
            meta={key: value for key, value in self.meta.items() if value},
            notes=tuple(self._notes),
            left_out=tuple(sorted(self._left_out)),
        )

    def _note_nothing(self, text: str) -> None:
        """Nobody takes a file for a sound one of which nothing could be read."""
        if not self._notes and not any(map(str.isalnum, text)):
            self.note("no text", "reading.no_letter")

    def _note_hidden(self, text: str) -> None:
        for how, spans in sorted(self._hidden.items()):
            words = sum(len(span.of(text).split()) for span in spans)
            if words >= LEAST_HIDDEN_WORDS:
                way = WAYS_TO_HIDE[how]
                self.note("hidden text", "reading.hidden", *spans, n=words, way=way)
                for span in spans:
                    self.leave_out(span, f"hidden: {how}")
        self._hidden.clear()

    def _note_shapes(self, text: str) -> None:
        words = sum(len(span.of(text).split()) for span in self._in_shapes)
        whole = len(text.split())
        if words > FEW_WORDS and words > MUCH_IN_SHAPES * whole:
            self.note("text in shapes", "reading.shapes", *self._in_shapes, n=words, all=whole)
        self._in_shapes.clear()

    def is_pasted(self) -> bool:
        """Whether there is hardly any text yet, but large pictures; that is noted then."""
        large = [p for p in self._pictures if p.width * p.height >= LARGE_PICTURE_PIXELS]
        if self._is_pasted is None:
            self._is_pasted = bool(large) and len("".join(self._parts).split()) < FEW_WORDS
            if self._is_pasted:
                spans = (p.span for p in large)
                self.note("pasted as pictures", "reading.pasted", *spans, n=len(large))
            elif large:
                self.note("pictures", "reading.pictures", n=len(large))
        return self._is_pasted


def _possible(text: str) -> str:
    """The text without what cannot be written; looking for it costs less than replacing nothing."""
    try:
        if "\0" not in text:
            text.encode()
            return text
    except UnicodeEncodeError:
        pass
    return _IMPOSSIBLE.sub("\ufffd", text)


# Numbers of pages and pictures, as messages name them.

MOST_RANGES = 20
PAGES_WERE = ("reading.page_was", "reading.pages_were")
PICTURES_WERE = ("reading.picture_was", "reading.pictures_were")
PAGES_HAVE = ("reading.page_has", "reading.pages_have")
PAGES_UNREAD = ("reading.page_unread", "reading.pages_unread")
PAGES_UNDRAWN = ("reading.undrawn_page", "reading.undrawn_pages")


def numbered(numbers: Iterable[int], keys: tuple[str, str] = PAGES_WERE) -> Message:
    """Which ones are meant, by the key for a single one or that for several.

    >>> str(numbered([2, 5, 6, 7])), str(numbered([4, 4], PICTURES_WERE))
    ('pages 2, 5-7 were', 'picture 4 was')
    """
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    listed: Value = ", ".join(f"{a}" if a == b else f"{a}-{b}" for a, b in runs[:MOST_RANGES])
    if len(runs) > MOST_RANGES:
        more = sum(b - a + 1 for a, b in runs[MOST_RANGES:])
        listed = Message("reading.and_more", {"list": listed, "n": more})
    is_one = len(runs) == 1 and runs[0][0] == runs[0][1]
    return Message(keys[0] if is_one else keys[1], {"list": listed})
