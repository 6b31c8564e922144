"""How the text of an OpenDocument looks, by the styles it has."""

from __future__ import annotations

import re
from typing import Final

from likewise.reading.office.looks import (
    AUTOMATIC,
    PLAIN,
    UNKNOWN,
    WHITE,
    Look,
    hexadecimal,
    is_lost_on,
)
from likewise.reading.package import Element

_OASIS = "{urn:oasis:names:tc:opendocument:xmlns:"
_STYLE, _FO, _TEXT, _DRAW = (
    _OASIS + name + ":1.0}" for name in "style xsl-fo-compatible text drawing".split()
)
_LOEXT = "{urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0}"
_HREF = "{http://www.w3.org/1999/xlink}href"
_OPACITY = (_LOEXT + "opacity", _STYLE + "opacity")
_LONGEST_CHAIN = 20  # of styles, each made from the next
_USUAL_POINTS = 12  # that a size in percent is taken of: only very small ones matter
_LENGTH = re.compile(r"(\d{1,6}(?:\.\d{1,9})?)(pt|mm|cm|in|pc|px|%)")
_POINTS: Final = {"pt": 1, "mm": 72 / 25.4, "cm": 72 / 2.54, "in": 72, "pc": 12, "px": 0.75}
_POINTS_OF_PERCENT = _USUAL_POINTS / 100
_DRAWINGS = "image frame custom-shape rect polygon regular-polygon path circle ellipse".split()
_FILLED = {"gradient", "hatch", "bitmap"}


class Looks:
    """The looks of one document; styles that come later replace those of the same name."""

    def __init__(self, *roots: Element | None) -> None:
        self._styles: dict[tuple[str, str], Element] = {}
        self._looks: dict[tuple[str, str], Look] = {}
        self._fills: dict[tuple[str, str], int] = {}
        self.page_colour = WHITE
        self.has_drawings = False  # that text in an unfilled frame may stand on
        pages = (_STYLE + "page-layout-properties", _STYLE + "drawing-page-properties")
        listed = (_STYLE + "style", _STYLE + "default-style")
        for root in roots:
            for style in () if root is None else root.iter(*listed, *pages):
                if style.tag in pages:
                    if not is_lost_on(_fill_in(style, WHITE), WHITE):
                        self.page_colour = UNKNOWN
                    continue
                key = style.get(_STYLE + "family") or "", style.get(_STYLE + "name") or ""
                self._styles[key] = style

    def look(self, family: str, name: str) -> Look:
        """The look of text in a style, with what the styles say that it is made from."""
        key = family, name
        if key not in self._looks:
            look = PLAIN
            for style in self._with_ancestors(key):
                properties = style.find(_STYLE + "text-properties")
                if properties is not None:
                    look = look.over(_look_in(properties))
            self._looks[key] = look
        return self._looks[key]

    def fill(self, family: str, name: str) -> int:
        """The background that a style gives to a paragraph, a cell, a frame, ..."""
        key = family, name
        if key not in self._fills:
            fill = AUTOMATIC
            for style in self._with_ancestors(key):
                properties = style.find(f"{_STYLE}{family}-properties")
                if properties is not None:
                    fill = _fill_in(properties, AUTOMATIC)
                    if fill != AUTOMATIC or properties.get(_DRAW + "fill") == "none":
                        break
            self._fills[key] = fill
        return self._fills[key]

    def is_below_text(self, name: str) -> bool:
        """Whether what is drawn in this style lies behind the text."""
        for style in self._with_ancestors(("graphic", name)):
            properties = style.find(_STYLE + "graphic-properties")
            through = None if properties is None else properties.get(_STYLE + "run-through")
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
            name = chain[-1].get(_STYLE + "parent-style-name") or ""
        return chain


def _look_in(properties: Element) -> Look:
    get = properties.get
    display = get(_TEXT + "display")
    colour = hexadecimal(get(_FO + "color"))
    opacity = _percent(next((get(name) for name in _OPACITY if get(name)), None))
    if get(_STYLE + "use-window-font-color") == "true":
        colour, opacity = AUTOMATIC, 100  # LibreOffice writes an opacity of 0, and means all
    points = _length(get(_FO + "font-size"))
    position = (get(_STYLE + "text-position") or "").split()
    if len(position) > 1:  # raised or lowered letters are so much smaller
        smaller = _length(position[1])
        if smaller is not None and smaller < 1:
            points = smaller
    effects = (
        get(_STYLE + "text-outline") == "true",
        (get(_FO + "text-shadow") or "none") != "none",
        (get(_STYLE + "font-relief") or "none") != "none",
    )
    return Look(
        hidden=None if display is None else display == "none",
        colour=colour,
        points=points,
        width_percent=_percent(get(_STYLE + "text-scale")),
        opacity_percent=opacity,
        behind=_background(get(_FO + "background-color")),
        outlined=True if any(effects) else None,
    )


def _fill_in(properties: Element, otherwise: int) -> int:
    kind = properties.get(_DRAW + "fill")
    picture = properties.find(_STYLE + "background-image")
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
