"""The styles of an OpenDocument: its text style, its pages and captions, what people can see."""

from __future__ import annotations

import re
from typing import Final

from likewise.reading.office.blocks import is_caption_style
from likewise.reading.office.text_style import (
    AUTOMATIC,
    MOST_PARAGRAPHS_BEFORE,
    PLAIN,
    UNKNOWN,
    WHITE,
    TextStyle,
    hexadecimal,
    is_lost_on,
    way_of_hiding,
)
from likewise.reading.package import Element

_OASIS = "{urn:oasis:names:tc:opendocument:xmlns:"
STYLE, _FO, _TEXT, _DRAW = (
    _OASIS + name + ":1.0}" for name in "style xsl-fo-compatible text drawing".split()
)
_LOEXT = "{urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0}"
_HREF = "{http://www.w3.org/1999/xlink}href"
_OPACITY = (_LOEXT + "opacity", STYLE + "opacity")
_LONGEST_CHAIN = 20  # of styles, each made from the next
_USUAL_POINTS = 12  # that a size in percent is taken of: only very small ones matter
_LENGTH = re.compile(r"(\d{1,6}(?:\.\d{1,9})?)(pt|mm|cm|in|pc|px|%)")
_POINTS: Final = {"pt": 1, "mm": 72 / 25.4, "cm": 72 / 2.54, "in": 72, "pc": 12, "px": 0.75}
_POINTS_OF_PERCENT = _USUAL_POINTS / 100
_DRAWINGS = "image frame custom-shape rect polygon regular-polygon path circle ellipse".split()
_FILLED = {"gradient", "hatch", "bitmap"}


class TextStyles:
    """The looks of one document; styles that come later replace those of the same name."""

    def __init__(self, *roots: Element | None) -> None:
        self._styles: dict[tuple[str, str], Element] = {}
        self._text_styles: dict[tuple[str, str], TextStyle] = {}
        self._fills: dict[tuple[str, str], int] = {}
        self.page_colour = WHITE
        self.has_drawings = False  # that text in an unfilled frame may stand on
        pages = (STYLE + "page-layout-properties", STYLE + "drawing-page-properties")
        listed = (STYLE + "style", STYLE + "default-style")
        for root in roots:
            for style in () if root is None else root.iter(*listed, *pages):
                if style.tag in pages:
                    if not is_lost_on(_fill_in(style, WHITE), WHITE):
                        self.page_colour = UNKNOWN
                    continue
                key = style.get(STYLE + "family") or "", style.get(STYLE + "name") or ""
                self._styles[key] = style

    def text_style(self, family: str, name: str) -> TextStyle:
        """The look of text in a style, with what the styles say that it is made from."""
        key = family, name
        if key not in self._text_styles:
            text_style = PLAIN
            for style in self._with_ancestors(key):
                properties = style.find(STYLE + "text-properties")
                if properties is not None:
                    text_style = text_style.over(_text_style_in(properties))
            self._text_styles[key] = text_style
        return self._text_styles[key]

    def fill(self, family: str, name: str) -> int:
        """The background that a style gives to a paragraph, a cell, a frame, ..."""
        key = family, name
        if key not in self._fills:
            fill = AUTOMATIC
            for style in self._with_ancestors(key):
                properties = style.find(f"{STYLE}{family}-properties")
                if properties is not None:
                    fill = _fill_in(properties, AUTOMATIC)
                    if fill != AUTOMATIC or properties.get(_DRAW + "fill") == "none":
                        break
            self._fills[key] = fill
        return self._fills[key]

    def is_below_text(self, name: str) -> bool:
        """Whether what is drawn in this style lies behind the text."""
        for style in self._with_ancestors(("graphic", name)):
            properties = style.find(STYLE + "graphic-properties")
            through = None if properties is None else properties.get(STYLE + "run-through")
            if through is not None:
                return through == "background"
        return False

    def drawings_in(self, body: Element) -> None:
        """Look for pictures, and for shapes that are filled with anything but white."""
        for drawing in body.iter(*(_DRAW + name for name in _DRAWINGS)):
            fill = self.fill("graphic", drawing.get(_DRAW + "style-name") or "")
            light = fill == AUTOMATIC or is_lost_on(fill, WHITE)
            if not light or drawing.tag == _DRAW + "image":
                self.has_drawings = True
                return

    def _with_ancestors(self, key: tuple[str, str]) -> list[Element]:
        family, name = key
        chain: list[Element] = []
        while (family, name) in self._styles and len(chain) < _LONGEST_CHAIN:
            chain.append(self._styles[family, name])
            if not name:  # what holds for all
                break
            name = chain[-1].get(STYLE + "parent-style-name") or ""
        return chain


def _text_style_in(properties: Element) -> TextStyle:
    get = properties.get
    display = get(_TEXT + "display")
    colour = hexadecimal(get(_FO + "color"))
    opacity = _percent(next((get(name) for name in _OPACITY if get(name)), None))
    if get(STYLE + "use-window-font-color") == "true":
        colour, opacity = AUTOMATIC, 100  # LibreOffice writes an opacity of 0, and means all
    points = _length(get(_FO + "font-size"))
    position = (get(STYLE + "text-position") or "").split()
    if len(position) > 1:  # raised or lowered letters are so much smaller
        smaller = _length(position[1])
        if smaller is not None and smaller < 1:
            points = smaller
    effects = (
        get(STYLE + "text-outline") == "true",
        (get(_FO + "text-shadow") or "none") != "none",
        (get(STYLE + "font-relief") or "none") != "none",
    )
    return TextStyle(
        hidden=None if display is None else display == "none",
        colour=colour,
        points=points,
        width_percent=_percent(get(STYLE + "text-scale")),
        opacity_percent=opacity,
        behind=_background(get(_FO + "background-color")),
        outlined=True if any(effects) else None,
    )


def _fill_in(properties: Element, otherwise: int) -> int:
    kind = properties.get(_DRAW + "fill")
    picture = properties.find(STYLE + "background-image")
    if kind in _FILLED or (picture is not None and (len(picture) or picture.get(_HREF))):
        return UNKNOWN
    if kind == "none":
        return otherwise
    colour = hexadecimal(properties.get(_DRAW + "fill-color"))
    if colour is not None and kind == "solid":
        return colour
    background = _background(properties.get(_FO + "background-color"))
    if background is not None:
        return otherwise if background == AUTOMATIC else background
    return otherwise if colour is None else colour


def _background(value: str | None) -> int | None:
    if value is None:
        return None
    colour = hexadecimal(value)
    return AUTOMATIC if colour is None else colour


def _length(text: str | None) -> float | None:
    """In points.

    >>> _length("1pt"), _length("2%"), _length("large")
    (1.0, 0.24, None)
    """
    match = _LENGTH.fullmatch(text or "")
    return float(match[1]) * _POINTS.get(match[2], _POINTS_OF_PERCENT) if match else None


def _percent(text: str | None) -> int | None:
    match = _LENGTH.fullmatch(text or "")
    return int(float(match[1])) if match and match[2] == "%" else None


# What the styles of an OpenDocument text say about pages and captions.


class Styles:
    """The styles of one document by their names; one style may be made from another."""

    def __init__(self, *roots: Element | None) -> None:
        self._parents: dict[str, str] = {}
        self._breaks: dict[str, tuple[bool, bool]] = {}
        for root in roots:
            for style in () if root is None else root.iter(STYLE + "style"):
                name = style.get(STYLE + "name") or ""
                self._parents[name] = style.get(STYLE + "parent-style-name") or ""
                # A style with a page of its own begins it.
                before, after = bool(style.get(STYLE + "master-page-name")), False
                for child in style:
                    before |= child.get(_FO + "break-before") == "page"
                    after |= child.get(_FO + "break-after") == "page"
                self._breaks[name] = before, after

    def page_breaks(self, name: str) -> tuple[bool, bool]:
        """Whether a new page begins before, and after, what has this style."""
        before = after = False
        for style in self._with_ancestors(name):
            of_style = self._breaks.get(style, (False, False))
            before, after = before or of_style[0], after or of_style[1]
        return before, after

    def captions(self) -> frozenset[str]:
        """The names of the styles for captions, and of those made from them."""
        return frozenset(
            name
            for name in self._parents
            if any(is_caption_style(style) for style in self._with_ancestors(name))
        )

    def _with_ancestors(self, name: str) -> list[str]:
        chain: list[str] = []
        while name and name not in chain and len(chain) < 20:
            chain.append(name)
            name = self._parents.get(name, "")
        return chain


# Whether people can see the text that comes next in an OpenDocument.

VisibilityState = tuple[int, int, TextStyle, str, bool, bool, bool]


class Visibility:
    """The look of the text that comes next, and the colours that it stands on."""

    def __init__(self, text_styles: TextStyles) -> None:
        self._text_styles = text_styles
        self._background = self._paragraph_background = text_styles.page_colour
        self._text_style = PLAIN
        self._drawing_behind = 0  # so many more paragraphs may stand on a drawing
        self.way_of_hiding = ""
        self.is_hidden = False  # the section
        self.paragraph_is_hidden = False
        self.in_shape = False

    def state(self) -> VisibilityState:
        """All that an element may change for what stands inside it."""
        return (
            self._background,
            self._paragraph_background,
            self._text_style,
            self.way_of_hiding,
            self.is_hidden,
            self.paragraph_is_hidden,
            self.in_shape,
        )

    def restore(self, state: VisibilityState) -> None:
        """As it was before the element."""
        (
            self._background,
            self._paragraph_background,
            self._text_style,
            self.way_of_hiding,
            self.is_hidden,
            self.paragraph_is_hidden,
            self.in_shape,
        ) = state

    def at_paragraph(self, style: str) -> None:
        self._drawing_behind -= self._drawing_behind > 0
        self._text_style = self._text_styles.text_style("paragraph", style)
        fill = self._text_styles.fill("paragraph", style)
        if fill == AUTOMATIC:
            on_page = self._background == self._text_styles.page_colour
            fill = UNKNOWN if self._drawing_behind and on_page else self._background
        self._paragraph_background, self.paragraph_is_hidden = fill, self.is_hidden
        self.way_of_hiding = way_of_hiding(self._text_style, fill)

    def at_span(self, style: str) -> None:
        own = self._text_styles.text_style("text", style)
        if own is not PLAIN:
            self._text_style = own.over(self._text_style)
            self.way_of_hiding = way_of_hiding(self._text_style, self._paragraph_background)

    def stand_on(self, family: str, style: str | None) -> None:
        """A table, a cell, a section may have a background of its own."""
        fill = self._text_styles.fill(family, style or "")
        if fill != AUTOMATIC:
            self._background = fill

    def on_drawing(self, style: str) -> None:
        """Text in a shape stands on what fills it, or on what it floats over."""
        fill = self._text_styles.fill("graphic", style)
        if fill == AUTOMATIC:
            fill = UNKNOWN if self._text_styles.has_drawings else self._background
        self._background, self.in_shape = fill, True

    def on_page(self) -> None:
        """Notes stand at the end of the page, wherever they are called."""
        self._background, self.in_shape = self._text_styles.page_colour, False

    def pass_drawing(self, style: str) -> None:
        """What is drawn behind the text may be what the text stands on."""
        if self._text_styles.is_below_text(style):
            self._drawing_behind = MOST_PARAGRAPHS_BEFORE
            if self._paragraph_background == self._text_styles.page_colour:
                self._paragraph_background = UNKNOWN
                self.way_of_hiding = way_of_hiding(self._text_style, UNKNOWN)
