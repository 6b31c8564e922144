"""Paragraphs and tables become the lines, tables, pages, pictures and notes of a draft."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from likewise.catalogue import Value
from likewise.model import Picture, Span
from likewise.reading.draft import LARGE_PICTURE_PIXELS, Draft
from likewise.reading.grid import WIDEST, Grid
from likewise.reading.office.blocks import Block, Cell, Paragraph, TableBlock, captions
from likewise.reading.pictures import picture_in
from likewise.reading.request import Request

# A long text in a cell that spans thousands of places would stand in each of them.
_LONGEST_RUNNING_WORDS = 40  # a longer header is text that somebody put there
_MOST_SPANNED_CHARS = 50_000_000


class Writing:
    """Writes blocks into a draft, in order.

    `media` gives the bytes of a picture by its name; `most_pages` is how many pages there can be,
    0 where they are not told apart.
    """

    def __init__(
        self,
        draft: Draft,
        request: Request,
        *,
        media: Callable[[str], bytes | None],
        caption_styles: frozenset[str] = frozenset(),
        most_pages: int = 0,
    ) -> None:
        self._draft = draft
        self._request = request
        self._media = media
        self._pictures: dict[str, Picture | None] = {}
        self._large: dict[str, bytes] = {}  # pictures on which a page of text can be read
        self._caption_styles = caption_styles
        self._remaining_cells = request.limits.cells
        self._remaining_spanned_chars = _MOST_SPANNED_CHARS
        self._after_blank_line = True
        self._pages = min(most_pages, request.limits.pages)
        self._page = 1
        self._page_start = 0
        self._page_is_blank_by_hand = False

    def write(self, blocks: Sequence[Block]) -> None:
        """Write some blocks; what stands beside a paragraph follows it."""
        caption_of = captions(blocks, self._caption_styles)
        for place, block in enumerate(blocks):
            if isinstance(block, Paragraph):
                self._paragraph(block)
                self.write(block.after)
            elif len(block.rows) == 1 and len(block.rows[0]) == 1:
                self.write(block.rows[0][0].blocks)  # a frame around text, not a table
            else:
                self._table(block, caption_of.get(place, ""))

    def write_left_out(self, stories: Sequence[Sequence[Block]], reason: str) -> None:
        """Write what repeats on every page once, and keep it out of comparison."""
        lines: set[str] = set()
        for blocks in stories:
            text = "\n".join(line for line in _lines(blocks, beside=True) if line.strip())
            if text and text not in lines:
                lines.add(text)
                span = self._draft.line(text)
                if len(text.split()) <= _LONGEST_RUNNING_WORDS:
                    self._draft.leave_out(span, reason)

    @property
    def large_pictures(self) -> list[bytes]:
        """Those on which a page of text could be read."""
        return [*self._large.values()]

    def finish(self) -> int:
        """End the last page; how many there were."""
        if not self._pages:
            return 0
        self._draft.add_page(self._page, self._page_start)
        self._request.tell_page(self._page, self._page)
        return self._page

    def _paragraph(self, paragraph: Paragraph) -> None:
        text = paragraph.text
        if not (text.strip() or paragraph.pictures or paragraph.page_breaks):
            if not self._after_blank_line and not paragraph.after:
                self._draft.line()
                self._after_blank_line = True
            return
        start = self._draft.position
        for at, name in paragraph.pictures:
            self._picture(name, start + at)
        done = 0
        for at, by_hand in paragraph.page_breaks:
            self._say(text[done:at])
            self._turn_page(by_hand)
            done = at
        self._say(text[done:])
        if text.strip():
            for first, past, way in paragraph.hidden:
                self._hide(text, first, past, way, start)
            if paragraph.in_shape:
                self._draft.in_shape(Span(start, self._draft.position))
            self._draft.write("\n")
            self._after_blank_line = False

    def _say(self, text: str) -> None:
        if text:
            self._draft.write(text)
            if not text.isspace():
                self._page_is_blank_by_hand = False

    def _turn_page(self, by_hand: bool) -> None:
        if self._page >= self._pages:
            return
        if not by_hand and self._page_is_blank_by_hand:
            self._page_is_blank_by_hand = False  # the same break, seen again when it was laid out
            return
        self._draft.add_page(self._page, self._page_start)
        self._request.tell_page(self._page, self._pages)
        self._page += 1
        self._page_start = self._draft.position
        self._page_is_blank_by_hand = by_hand

    def _picture(self, name: str, at: int) -> None:
        if name not in self._pictures:
            data = self._media(name)
            picture_read = picture_in(data, 0, self._request.limits.pixels) if data else None
            self._pictures[name] = picture_read
            if (
                data
                and picture_read
                and picture_read.width * picture_read.height >= LARGE_PICTURE_PIXELS
            ):
                self._large[name] = data
        if picture := self._pictures[name]:
            page = self._page if self._pages else None
            self._draft.add_picture(replace(picture, span=Span(at, at), page=page))

    def _table(self, table: TableBlock, caption: str) -> None:
        start = self._draft.position
        page = self._page if self._pages else None
        grid = self._grid(table)
        for row, line in zip(table.rows, grid.lines(), strict=True):
            turns = [[b for p in _paragraphs(cell) for b in p.page_breaks] for cell in row]
            for _, by_hand in max(turns, key=len, default=[]):
                self._turn_page(by_hand)
            for cell in row:
                for paragraph in _paragraphs(cell):
                    for _, name in paragraph.pictures:
                        self._picture(name, self._draft.position)
            if line.strip():
                self._hide_in_cells(row, line.split("\t"))
                self._say(line)
                self._draft.write("\n")
        span = Span(start, self._draft.position)
        self._draft.add_table(grid.rows(), span, caption, page)
        self._after_blank_line = False
        if any(p.in_shape for row in table.rows for cell in row for p in _paragraphs(cell)):
            self._draft.in_shape(span)
        for row in table.rows:
            for cell in row:
                self._beside(cell, span, page)

    def _hide(self, text: str, first: int, past: int, way: str, start: int) -> None:
        # Blanks and numbers in the smallest print space things out; nobody hides behind them.
        if any(map(str.isalpha, text[first:past])):
            self._draft.hide(Span(start + first, start + past), way)

    def _hide_in_cells(self, row: Sequence[Cell], texts: Sequence[str]) -> None:
        """Tell what is hidden in the line that comes next, which is a row."""
        start = self._draft.position
        for cell, text in zip(row, texts, strict=True):
            for first, past, way in hidden_in_line(list(_paragraphs(cell))):
                self._hide(text, first, past, way, start)
            start += len(text) + 1

    def _beside(self, cell: Cell, span: Span, page: int | None) -> None:
        """The tables inside a cell, and what stands beside its paragraphs."""
        for block in cell.blocks:
            if isinstance(block, Paragraph):
                self.write(block.after)
                continue
            if len(block.rows) > 1 or any(len(row) > 1 for row in block.rows):
                self._draft.add_table(self._grid(block).rows(), span, page=page)
            for row in block.rows:
                for inner in row:
                    self._beside(inner, span, page)

    def _grid(self, table: TableBlock) -> Grid:
        grid = Grid(self._remaining_cells)
        for row in table.rows:
            grid.row()
            for cell in row:
                text = with_tex = " ".join(" ".join(_lines(cell.blocks)).split())
                if any(paragraph.formulas for paragraph in _paragraphs(cell)):
                    with_tex = " ".join(" ".join(_lines(cell.blocks, as_tex=True)).split())
                across, down = min(cell.across, WIDEST), cell.down
                spanned = across * down
                if spanned > 1 and spanned * len(with_tex) > self._remaining_spanned_chars:
                    across = down = spanned = 1
                self._remaining_spanned_chars -= (spanned - 1) * len(with_tex)
                self._remaining_cells -= spanned
                grid.cell(text, across, down, with_tex)
        return grid


@dataclass(frozen=True, slots=True)
class Manuscript:
    """A document before it is written down: its body, what follows it, what repeats on pages.

    `most_pages` is how many pages may be told apart, 0 for none; `pages` how many the program
    that saved it counted, 0 where it did not say.
    """

    body: Sequence[Block]
    endnotes: Sequence[Block]
    headers: Sequence[Sequence[Block]]
    footers: Sequence[Sequence[Block]]
    caption_styles: frozenset[str]
    most_pages: int
    pages: int


def write_down(
    manuscript: Manuscript, media: Callable[[str], bytes | None], request: Request
) -> Draft:
    """The draft of a document; `media` gives the bytes of a picture by its name."""
    draft, pages, large = _write_pages(manuscript, media, request, manuscript.most_pages)
    if pages and manuscript.pages not in {0, pages}:  # no page numbers rather than wrong ones
        draft, _, large = _write_pages(manuscript, media, request, 0)
    if large and draft.is_pasted():
        from likewise.reading.image.reader import read_pasted  # few documents need it

        read_pasted(large, draft, request)
    return draft


def _write_pages(
    manuscript: Manuscript,
    media: Callable[[str], bytes | None],
    request: Request,
    most_pages: int,
) -> tuple[Draft, int, list[bytes]]:
    draft = Draft()
    writing = Writing(
        draft,
        request,
        media=media,
        caption_styles=manuscript.caption_styles,
        most_pages=most_pages,
    )
    writing.write_left_out(manuscript.headers, "running header")
    writing.write(manuscript.body)
    writing.write(manuscript.endnotes)
    writing.write_left_out(manuscript.footers, "running footer")
    return draft, writing.finish(), writing.large_pictures


def _lines(blocks: Sequence[Block], *, beside: bool = False, as_tex: bool = False) -> Iterator[str]:
    """The text of some blocks, without or with what stands beside them; its formulas as TeX."""
    for block in blocks:
        if isinstance(block, Paragraph):
            yield block.text_with_tex if as_tex else block.text
            if beside:
                yield from _lines(block.after, beside=True, as_tex=as_tex)
        else:
            for row in block.rows:
                cells = (_lines(cell.blocks, beside=beside, as_tex=as_tex) for cell in row)
                yield " ".join(map(" ".join, cells))


def _paragraphs(cell: Cell) -> Iterator[Paragraph]:
    """Every paragraph in a cell and in the tables inside it."""
    for block in cell.blocks:
        if isinstance(block, Paragraph):
            yield block
        else:
            for row in block.rows:
                for inner in row:
                    yield from _paragraphs(inner)


# Where hidden text stands in a cell, which is written as one line with single blanks.

_WORD = re.compile(r"\S+")


def hidden_in_line(paragraphs: Sequence[Paragraph]) -> Iterator[tuple[int, int, str]]:
    """The hidden stretches of paragraphs that are joined, with one blank between two words.

    >>> paragraph = Paragraph()
    >>> paragraph.add("May   was  "); paragraph.add("dry and  warm", "tiny text")
    >>> list(hidden_in_line([Paragraph(), paragraph]))
    [(8, 20, 'tiny text')]
    """
    if not any(paragraph.hidden for paragraph in paragraphs):
        return
    words = [m.span() for m in _WORD.finditer(" ".join(p.text for p in paragraphs))]
    starts, ends = [start for start, _ in words], [end for _, end in words]
    offsets = [0, *accumulate(end - start + 1 for start, end in words)]
    before = 0
    for paragraph in paragraphs:
        for first, past, way in paragraph.hidden:
            first, past = first + before, past + before
            left, right = bisect_right(ends, first), bisect_left(starts, past) - 1
            if left <= right:
                yield (
                    offsets[left] + max(first - starts[left], 0),
                    offsets[right] + min(past, ends[right]) - starts[right],
                    way,
                )
        before += paragraph.length + 1


# What a person is told about the parts of an office document that were not read.

_MOST_LISTED = 3  # parts of a damaged file


def note_changes(draft: Draft, *, deletions: int, comments: int) -> None:
    """Say what was left out because its authors had deleted it or written it in the margin."""
    if deletions:
        draft.note("tracked changes", "reading.deletions", n=deletions)
    if comments:
        draft.note("comments", "reading.comments", n=comments)


def note_unread(draft: Draft, *, embedded: int, foreign: int = 0) -> None:
    """Say how many files inside the file were not opened: attached ones, and pieces of the text."""
    if embedded:
        draft.note("embedded files", "reading.embedded", n=embedded)
    if foreign:
        draft.note("not read in full", "reading.foreign_pieces", n=foreign)


def note_damage(draft: Draft, damage: Sequence[Value]) -> None:
    """Say what of a damaged file was rescued as far as possible."""
    listed = tuple(damage[:_MOST_LISTED])
    if len(damage) > len(listed):
        more = len(damage) - len(listed)
        draft.note("damaged", "reading.damaged_more", parts=listed, n=more)
    elif damage:
        draft.note("damaged", "reading.damaged_parts", parts=listed)
