"""The pages of a PDF written down as one text, with running lines, tables and pictures in place."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from likewise.model import Span
from likewise.reading.draft import Draft
from likewise.reading.pdf.chars import MARKS, Compounds, plain_lines, without_control
from likewise.reading.pdf.footnote_marks import MARK, note_marks
from likewise.reading.pdf.page import HiddenRun, PageText
from likewise.reading.pdf.running_lines import EdgeLine, RunningLine, running_lines
from likewise.reading.pdf.tables import RuledTable, caption_of

GARBAGE = "garbage text layer"

_DIVIDED = re.compile(rf"[^\W\d_](?:[{MARKS}]|[-\u2010\xad])\s*\Z")
_REST = re.compile(r"\s*([^\W\d_]\S*)")


@dataclass(slots=True)
class _Piece:
    """A stretch of a page: from `start` to `end` of its raw text, and what was cut or added."""

    start: int
    end: int
    reason: str = ""  # why it is left out, or
    hidden: str = ""  # how it is hidden
    rest: str = ""  # of a word that goes on on the next page
    start_in_draft: int = 0


def write_pages(draft: Draft, pages: Sequence[PageText]) -> list[Span]:
    """Write all pages; where each of them stands."""
    running = running_lines([page.edges for page in pages])
    hidden = [_hidden(page, lines) for page, lines in zip(pages, running, strict=True)]
    if any(hidden):  # lines of it may stand between a running line and the edge
        running = running_lines([_seen_edges(*both) for both in zip(pages, hidden, strict=True)])
    marks = note_marks([page.raised for page in pages])
    pieces = [
        _pieces(page, _left_out(page, lines, mine), runs)
        for page, lines, mine, runs in zip(pages, running, marks, hidden, strict=True)
    ]
    _join_pages(pages, pieces)
    compounds = Compounds(page.raw for page in pages)
    return [_write(draft, page, mine, compounds) for page, mine in zip(pages, pieces, strict=True)]


def _write(draft: Draft, page: PageText, pieces: list[_Piece], compounds: Compounds) -> Span:
    start = position = draft.position
    texts = []
    for piece in pieces:
        text = page.raw[piece.start : piece.end] + piece.rest
        if not piece.reason or page.layer == "garbage":  # a running line or mark is one line
            text = plain_lines(text, compounds)
        if page.strange:
            text = without_control(text)
        piece.start_in_draft = position
        position += len(text)
        texts.append(text)
        if piece.reason:
            draft.leave_out(Span(piece.start_in_draft, position), piece.reason)
        elif piece.hidden:
            draft.hide(Span(piece.start_in_draft, position), piece.hidden)
    page_text = "".join(texts)
    # A page without text has a place of its own, too.
    span = draft.write("\n".join([page_text, *page.typed, ""]))
    draft.add_page(page.number, start)
    for picture in page.pictures:
        draft.add_picture(replace(picture, span=Span(span.end - 1, span.end - 1)))
    for table in page.tables:
        place, caption = Span(position, position), ""
        if table.together:
            first = _place(page, pieces, table.start, compounds)
            last = _place(page, pieces, table.end, compounds)
            place = Span(first, max(first, last))
            caption = caption_of(page_text, first - start, place.end - start)
        draft.add_table(table.rows, place, caption, page.number)
    return span


def _pieces(page: PageText, left_out: list[RunningLine], hidden: list[HiddenRun]) -> list[_Piece]:
    """A page cut where something begins and ends that is left out or hidden."""
    if page.layer == "garbage":
        return [_Piece(0, len(page.raw), GARBAGE)]
    pieces = []
    position = 0
    for start, end, reason, how in _cuts(left_out, hidden):
        if position < start:
            pieces.append(_Piece(position, start))
        pieces.append(_Piece(start, end, reason, how))
        position = end
    return [*pieces, _Piece(position, len(page.raw))]


def _cuts(
    left_out: list[RunningLine], hidden: list[HiddenRun]
) -> Iterator[tuple[int, int, str, str]]:
    """What to cut out, in the order of the text; what is hidden inside a line divides it."""
    if not hidden:
        for start, end, reason in sorted(left_out):
            yield start, end, reason, ""
        return
    ends = {at for start, end, _ in hidden for at in (start, end)}
    ends |= {at for start, end, _ in left_out for at in (start, end)}
    for start, end in pairwise(sorted(ends)):
        how = next((run.how for run in hidden if run.start <= start < run.end), "")
        why = next((line.reason for line in left_out if line.start <= start < line.end), "")
        if how or why:
            yield start, end, "" if how else why, how


def _hidden(page: PageText, running: list[RunningLine]) -> list[HiddenRun]:
    """What is hidden on a page, but for running lines: printers' marks, of no use to a cheat."""
    return [
        run
        for run in page.hidden
        if not any(line.start <= run.start and run.end <= line.end for line in running)
    ]


def _seen_edges(page: PageText, hidden: list[HiddenRun]) -> list[EdgeLine]:
    """The lines at the edges of a page without those that are hidden."""
    return [
        line
        for line in page.edges
        if not any(run.start < line.end and line.start < run.end for run in hidden)
    ]


def _left_out(
    page: PageText, running: list[RunningLine], marks: list[tuple[int, int]]
) -> list[RunningLine]:
    lines = _outside_tables(page, running)
    inside = [mark for mark in marks if any(line.start <= mark[0] < line.end for line in lines)]
    return [*lines, *(RunningLine(*mark, MARK) for mark in marks if mark not in inside)]


def _outside_tables(page: PageText, running: list[RunningLine]) -> list[RunningLine]:
    """Running lines without those that are rows of a table: its heading repeated on each page."""

    def part_of(line: RunningLine, table: RuledTable) -> bool:
        if not (table.together and table.start <= line.start and line.end <= table.end):
            return False
        lines = sum(1 for other in running if table.start <= other.start < table.end)
        return page.raw.count("\n", table.start, table.end) >= lines

    return [line for line in running if not any(part_of(line, table) for table in page.tables)]


def _join_pages(pages: Sequence[PageText], pieces: Sequence[list[_Piece]]) -> None:
    """A word divided at the end of a page is finished there."""
    before: tuple[PageText, _Piece] | None = None
    for page, mine in zip(pages, pieces, strict=True):
        body = [
            piece
            for piece in mine
            if not (piece.reason or piece.hidden)
            and not page.raw[piece.start : piece.end].isspace()
            and piece.start < piece.end
        ]
        if before and body:
            earlier, last = before
            rest = _REST.match(page.raw, body[0].start, body[0].end)
            if (
                rest
                and rest[1][0].islower()
                and _DIVIDED.search(earlier.raw, max(last.start, last.end - 4), last.end)
            ):
                last.end = len(earlier.raw[: last.end].rstrip())
                last.rest = ("" if earlier.raw[last.end - 1] in MARKS else "\r\n") + rest[1]
                last.rest += "\r\n"
                body[0].start = rest.end()
        before = (page, body[-1]) if body else None


def _place(page: PageText, pieces: list[_Piece], offset: int, compounds: Compounds) -> int:
    """Where an offset of the raw text of a page stands in the text."""
    piece = pieces[max(0, bisect_right(pieces, offset, key=lambda piece: piece.start) - 1)]
    return piece.start_in_draft + len(
        plain_lines(page.raw[piece.start : min(offset, piece.end)], compounds)
    )
