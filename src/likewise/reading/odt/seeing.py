"""Whether people can see the text that comes next in an OpenDocument."""

from __future__ import annotations

from likewise.reading.odt.looks import Looks
from likewise.reading.office.looks import (
    AUTOMATIC,
    MOST_PARAGRAPHS_BEFORE,
    PLAIN,
    UNKNOWN,
    Look,
    way_of_hiding,
)

Kept = tuple[int, int, Look, str, bool, bool, bool]


class Seeing:
    """The look of the text that comes next, and the colours that it stands on."""

    def __init__(self, looks: Looks) -> None:
        self._looks = looks
        self._floor = self._paragraph_floor = looks.page_colour
        self._look = PLAIN
        self._drawing_behind = 0  # so many more paragraphs may stand on a drawing
        self.way_of_hiding = ""
        self.is_hidden = False  # the section
        self.paragraph_is_hidden = False
        self.in_shape = False

    def kept(self) -> Kept:
        """All that an element may change for what stands inside it."""
        return (
            self._floor,
            self._paragraph_floor,
            self._look,
            self.way_of_hiding,
            self.is_hidden,
            self.paragraph_is_hidden,
            self.in_shape,
        )

    def back(self, kept: Kept) -> None:
        """As it was before the element."""
        (
            self._floor,
            self._paragraph_floor,
            self._look,
            self.way_of_hiding,
            self.is_hidden,
            self.paragraph_is_hidden,
            self.in_shape,
        ) = kept

    def at_paragraph(self, style: str) -> None:
        self._drawing_behind -= self._drawing_behind > 0
        self._look = self._looks.look("paragraph", style)
        fill = self._looks.fill("paragraph", style)
        if fill == AUTOMATIC:
            on_page = self._floor == self._looks.page_colour
            fill = UNKNOWN if self._drawing_behind and on_page else self._floor
        self._paragraph_floor, self.paragraph_is_hidden = fill, self.is_hidden
        self.way_of_hiding = way_of_hiding(self._look, fill)

    def at_span(self, style: str) -> None:
        own = self._looks.look("text", style)
        if own is not PLAIN:
            self._look = own.over(self._look)
            self.way_of_hiding = way_of_hiding(self._look, self._paragraph_floor)

    def stand_on(self, family: str, style: str | None) -> None:
        """A table, a cell, a section may have a background of its own."""
        fill = self._looks.fill(family, style or "")
        if fill != AUTOMATIC:
            self._floor = fill

    def on_drawing(self, style: str) -> None:
        """Text in a shape stands on what fills it, or on what it floats over."""
        fill = self._looks.fill("graphic", style)
        if fill == AUTOMATIC:
            fill = UNKNOWN if self._looks.has_drawings else self._floor
        self._floor, self.in_shape = fill, True

    def on_page(self) -> None:
        """Notes stand at the end of the page, wherever they are called."""
        self._floor, self.in_shape = self._looks.page_colour, False

    def pass_drawing(self, style: str) -> None:
        """What is drawn behind the text may be what the text stands on."""
        if self._looks.is_below_text(style):
            self._drawing_behind = MOST_PARAGRAPHS_BEFORE
            if self._paragraph_floor == self._looks.page_colour:
                self._paragraph_floor = UNKNOWN
                self.way_of_hiding = way_of_hiding(self._look, UNKNOWN)
