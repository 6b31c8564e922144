"""A parsed page to a draft: one walk from the first element to the last."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping, Sequence
from urllib.parse import unquote_to_bytes

from resiliparse.parse.html import DOMNode

from likewise.reading.draft import WAYS_TO_HIDE, Draft
from likewise.reading.formulas import in_dollars
from likewise.reading.grid import Grid
from likewise.reading.html.elements import (
    APART,
    AS_TYPED,
    BLOCKS,
    FORMULAS,
    Leave,
    tex_in,
    tex_of_picture,
    traverse,
    why_aside,
)
from likewise.reading.html.tables import WIDEST, Layout, is_caption, layouts, span_of
from likewise.reading.pictures import picture_in
from likewise.reading.request import Limits

_SPACES = re.compile(r"[ \t\n\r\f]+")
_MOST_PICTURES = 2_000
# Where links begin and end. Pages set them apart by their looks, with no space between them, and
# so are the numbers of notes.
_APART_FROM, _APART_TO = "\x1e", "\x1f"
_SIDE_BY_SIDE = re.compile(
    r"(?<=\w)(?:\x1f\x1e)+(?=\w)"
    r"|(?<=[a-zа-яёәғқңөұүһі\d])[\x1e\x1f]+(?=[A-ZА-ЯЁӘҒҚҢӨҰҮҺІ])"
    r"|(?<=[^\W\d_])\x1e(?=\d)"
)


class Walk:
    """What was read so far, and where the reader stands."""

    def __init__(self, draft: Draft, limits: Limits, files: Mapping[str, bytes]) -> None:
        self._draft = draft
        self._limits = limits
        self._files = files  # what the page refers to, where it came along
        self._line: list[str] = []
        self._formulas: list[tuple[int, int, str]] = []  # of the cell: which parts of the line
        self._in_formula = False
        self._last_line = ""
        self._depth_typed = 0
        self._aside: list[str] = []  # what stands in the page and is left out of comparison
        self._why_aside = ""
        self._is_aside = False
        self._tables: list[Layout] = []
        self._next_table = 0
        self._grid: Grid | None = None
        self._in_row = False
        self._rows = 0
        self._remaining_cells = limits.cells
        self._caption = ""
        self._pictures = 0

    def read(self, root: DOMNode) -> None:
        """Everything that a reader sees below an element."""
        self._tables, self._next_table = layouts(root), 0
        traverse(root, self._enter, self._text)
        self._break()

    def _text(self, text: str) -> None:
        (self._aside if self._is_aside else self._line).append(text)

    def _enter(self, node: DOMNode, tag: str) -> Leave | None:
        """An element begins; what is to be done at its end."""
        layout = self._layout_of_next() if tag == "table" else None
        if self._is_aside:
            if tag in BLOCKS or tag == "br":
                self._aside.append("\n")
            return None
        if tag == "br":
            self._line_break()
            return None
        if why := why_aside(node, tag):
            return self._enter_aside(tag, why)
        if tag == "img":
            self._picture(node)
            if self._grid and (tex := tex_of_picture(node)):
                self._keep_formula(len(self._line), tex)
        if tag in APART:
            self._line.append(_APART_FROM)
            return self._leave_apart
        if self._grid:
            return self._enter_in_table(node, tag)
        if tag not in BLOCKS:
            return None
        self._break()
        if layout and layout.is_data:
            return self._enter_table(layout)
        if tag in AS_TYPED:
            self._depth_typed += 1
            return self._leave_typed
        return self._break

    def _line_break(self) -> None:
        if self._depth_typed or self._grid:
            self._line.append("\n")
        else:
            self._break()

    def _break(self) -> None:
        """End the line; what is left out of it follows on a line of its own."""
        text = self._take_line()
        if text.strip():
            self._draft.line(text.strip("\n"))
            self._last_line = text
        if self._aside and not self._is_aside:
            aside = _SPACES.sub(" ", _unmarked("".join(self._aside))).strip(" ")
            self._aside.clear()
            if aside.strip():
                span = self._draft.line(aside)
                if self._why_aside in WAYS_TO_HIDE:
                    self._draft.hide(span, self._why_aside)
                else:
                    self._draft.leave_out(span, self._why_aside)

    def _take_line(self) -> str:
        """What is on the line, which is empty then."""
        text = self._clean(self._line)
        self._line.clear()
        return text

    def _clean(self, parts: Sequence[str]) -> str:
        if not parts:
            return ""
        text = "".join(parts)
        if _APART_FROM in text or _APART_TO in text:
            text = _unmarked(_SIDE_BY_SIDE.sub(" ", text))
        return text if self._depth_typed else _SPACES.sub(" ", text).strip(" ")

    def _leave_apart(self) -> None:
        self._line.append(_APART_TO)

    def _leave_typed(self) -> None:
        self._break()
        self._depth_typed -= 1

    def _enter_aside(self, tag: str, why: str) -> Leave:
        """What is hidden within a word must not part it: it waits for the end of the line."""
        is_block = tag in BLOCKS and not self._grid
        if is_block or (self._aside and why != self._why_aside):
            self._break()
        self._is_aside, self._why_aside = True, why
        return self._leave_aside_block if is_block else self._leave_aside

    def _leave_aside(self) -> None:
        self._is_aside = False
        self._aside.append("\n")

    def _leave_aside_block(self) -> None:
        self._leave_aside()
        self._break()

    def _layout_of_next(self) -> Layout:
        self._next_table += 1
        return self._tables[self._next_table - 1]

    def _enter_table(self, layout: Layout) -> Leave:
        self._grid = Grid(self._remaining_cells)
        self._rows, self._in_row = layout.rows, False
        self._caption = self._last_line.strip() if is_caption(self._last_line) else ""
        return self._leave_table

    def _leave_table(self) -> None:
        assert self._grid is not None
        self._line.clear()
        if any(line.strip() for line in self._grid.lines()):
            self._draft.table(self._grid, self._caption)
        self._grid = None
        self._last_line = ""
        self._break()

    def _enter_in_table(self, node: DOMNode, tag: str) -> Leave | None:
        assert self._grid is not None
        if tag == "tr":
            self._grid.row()
            self._in_row = True
        elif tag in ("td", "th") and self._in_row:
            across = span_of(node, "colspan", WIDEST)
            down = span_of(node, "rowspan", self._rows)
            self._line.clear()
            self._formulas.clear()
            return lambda: self._leave_cell(across, down)
        elif tag == "caption":
            self._line.clear()
            return self._leave_caption
        elif tag in FORMULAS and not self._in_formula:
            start, tex = len(self._line), tex_in(node)
            self._in_formula = True
            return lambda: self._leave_formula(start, tex)
        elif tag in BLOCKS:
            self._line.append("\n")
            return lambda: self._line.append("\n")
        return None

    def _leave_cell(self, across: int, down: int) -> None:
        assert self._grid is not None
        with_tex = self._clean(self._line_with_tex()) if self._formulas else ""
        self._grid.cell(self._take_line(), across, down, with_tex)
        self._remaining_cells -= across * down

    def _leave_formula(self, start: int, tex: str) -> None:
        self._in_formula = False
        self._keep_formula(start, tex)

    def _keep_formula(self, start: int, tex: str) -> None:
        """What stands on the line from `start` on is this formula."""
        if tex and start <= len(self._line):
            self._formulas.append((start, len(self._line), tex))

    def _line_with_tex(self) -> list[str]:
        parts, done = [], 0
        for first, past, tex in self._formulas:
            if quoted := in_dollars(tex):
                parts += [*self._line[done:first], quoted]
                done = past
        return [*parts, *self._line[done:]]

    def _leave_caption(self) -> None:
        self._caption = self._take_line()
        if self._caption:
            self._draft.line(self._caption)

    def _picture(self, node: DOMNode) -> None:
        source = (node.getattr("src") or "").strip()
        if not source or self._pictures >= _MOST_PICTURES:
            return
        data = _data_of(source) if source.startswith("data:") else self._files.get(source)
        if data:
            self._pictures += 1
            picture = picture_in(data, self._draft.position, self._limits.pixels)
            if picture:
                self._draft.add_picture(picture)


def _unmarked(text: str) -> str:
    return text.replace(_APART_FROM, "").replace(_APART_TO, "")


def _data_of(address: str) -> bytes:
    """The content of a `data:` address."""
    head, _, content = address.partition(",")
    try:
        data = unquote_to_bytes(content)
        return base64.b64decode(data) if head.rstrip().endswith(";base64") else data
    except binascii.Error:
        return b""
