"""The text style of a Word document: of its runs, its styles and what they are made from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from likewise.reading.office.text_style import (
    AUTOMATIC,
    FORM_STYLES,
    PLAIN,
    UNKNOWN,
    WHITE,
    TextStyle,
    hexadecimal,
    is_lost_on,
    way_of_hiding,
)
from likewise.reading.package import Element

_W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"
_LONGEST_CHAIN = 20  # of styles, each made from the next
_WHITE_IN_THEMES = {"background1", "light1", "bg1", "lt1"}
_OFF = {"0", "false", "off", "none"}
_HIGHLIGHTS: Final = {
    "black": 0x000000,
    "blue": 0x0000FF,
    "cyan": 0x00FFFF,
    "green": 0x00FF00,
    "magenta": 0xFF00FF,
    "red": 0xFF0000,
    "yellow": 0xFFFF00,
    "white": 0xFFFFFF,
    "darkBlue": 0x000080,
    "darkCyan": 0x008080,
    "darkGreen": 0x008000,
    "darkMagenta": 0x800080,
    "darkRed": 0x800000,
    "darkYellow": 0x808000,
    "darkGray": 0x808080,
    "lightGray": 0xC0C0C0,
    "none": AUTOMATIC,
}
_SWITCHES = ("vanish", "outline", "shadow", "emboss", "imprint")
_VALUES = ("sz", "w", "highlight", "rStyle")
_EFFECTS = ("textOutline", "shadow", "glow")

Property = tuple[str, str]  # the name of a property, and its value


class TextStyles:
    """The looks of one document; `styles` is the part that lists its styles."""

    def __init__(self, w: str, styles: Element | None) -> None:
        self.w = w
        self.properties = w + "rPr"
        self._read: dict[str, Callable[[Element], Property]] = {
            **{w + name: self._switch for name in _SWITCHES},
            **{w + name: self._value for name in _VALUES},
            w + "color": self._colour,
            w + "shd": self._shading_property,
            _W14 + "textFill": _filled,
            **{_W14 + name: _effect for name in _EFFECTS},
        }
        self._styles: dict[str, Element] = {}
        self._default = PLAIN
        self.default_style = ""
        self._of_forms: set[str] = set()
        self._of_style: dict[str, TextStyle] = {}
        self._shading_of_style: dict[str, int] = {}
        self._dark: dict[str, bool] = {}
        self._ways: dict[tuple[object, ...], str] = {}
        if styles is not None:
            self._list(styles)

    def way_of_run(self, properties: Element, style: str, background: int) -> str:
        """How a run is hidden, in a paragraph of a style, on a background of a colour."""
        read = self._read
        properties_set = [read[child.tag](child) for child in properties if child.tag in read]
        key = (style, background, *properties_set)
        if key not in self._ways:
            own = dict(properties_set)
            text_style = _text_style(own).over(self._styled(own.get("rStyle", "")))
            text_style = text_style.over(self._styled(style)).over(self._default)
            self._ways[key] = way_of_hiding(text_style, background)
        return self._ways[key]

    def way_of_paragraph(self, style: str, background: int) -> str:
        """How the text of a paragraph is hidden that says nothing itself."""
        key = style, background
        if key not in self._ways:
            text_style = self._styled(style).over(self._default)
            self._ways[key] = (
                "" if style in self._of_forms else way_of_hiding(text_style, background)
            )
        return self._ways[key]

    def shading_of_style(self, style: str) -> int:
        """The background that the style of a paragraph gives it."""
        if style not in self._shading_of_style:
            self._shading_of_style[style] = AUTOMATIC
            for element in self._with_ancestors(style):
                shading = self.shading(element.find(f"{self.w}pPr/{self.w}shd"))
                if shading != AUTOMATIC:
                    self._shading_of_style[style] = shading
                    break
        return self._shading_of_style[style]

    def is_dark_table(self, style: str) -> bool:
        """Whether a style of tables gives any of their cells a background of its own."""
        if style not in self._dark:
            shadings = (
                self.shading(shd)
                for element in self._with_ancestors(style)
                for shd in element.iter(self.w + "shd")
            )
            self._dark[style] = any(s != AUTOMATIC and not is_lost_on(s, WHITE) for s in shadings)
        return self._dark[style]

    def shading(self, shd: Element | None) -> int:
        """The colour of a shading."""
        if shd is None:
            return AUTOMATIC
        w = self.w
        pattern = shd.get(w + "val") or "clear"
        if pattern == "nil":
            return AUTOMATIC
        if pattern != "clear":
            colour = hexadecimal(shd.get(w + "color")) if pattern == "solid" else None
            return UNKNOWN if colour is None else colour
        fill = hexadecimal(shd.get(w + "fill"))
        if fill is not None:
            return fill
        theme = shd.get(w + "themeFill")
        return UNKNOWN if theme and theme not in _WHITE_IN_THEMES else AUTOMATIC

    def is_on(self, switch: Element | None) -> bool:
        return switch is not None and (switch.get(self.w + "val") or "1") not in _OFF

    def _list(self, styles: Element) -> None:
        w = self.w
        for style in styles:
            if style.tag == w + "style":
                name = style.get(w + "styleId") or ""
                self._styles[name] = style
                if style.get(w + "type") == "paragraph":
                    if (style.get(w + "default") or "0") not in _OFF:
                        self.default_style = name
                    own_name = style.find(w + "name")
                    if own_name is not None and own_name.get(w + "val") in FORM_STYLES:
                        self._of_forms.add(name)
            elif style.tag == w + "docDefaults":
                properties = style.find(f"{w}rPrDefault/{w}rPr")
                if properties is not None:
                    self._default = self._text_style_in(properties)

    def _styled(self, name: str) -> TextStyle:
        """The look of a style, with what the styles say that it is made from."""
        if not name:
            return PLAIN
        if name not in self._of_style:
            text_style = PLAIN
            for element in self._with_ancestors(name):
                properties = element.find(self.w + "rPr")
                if properties is not None:
                    text_style = text_style.over(self._text_style_in(properties))
            self._of_style[name] = text_style
        return self._of_style[name]

    def _with_ancestors(self, name: str) -> list[Element]:
        chain: list[Element] = []
        while name in self._styles and len(chain) < _LONGEST_CHAIN:
            chain.append(self._styles[name])
            parent = chain[-1].find(self.w + "basedOn")
            name = "" if parent is None else parent.get(self.w + "val") or ""
        return chain

    def _text_style_in(self, properties: Element) -> TextStyle:
        read = self._read
        return _text_style(dict(read[c.tag](c) for c in properties if c.tag in read))

    def _value(self, element: Element) -> Property:
        return element.tag[len(self.w) :], element.get(self.w + "val") or ""

    def _switch(self, element: Element) -> Property:
        return element.tag[len(self.w) :], "on" if self.is_on(element) else ""

    def _colour(self, element: Element) -> Property:
        w = self.w
        if element.get(w + "themeColor") in _WHITE_IN_THEMES and not element.get(w + "themeShade"):
            return "color", "FFFFFF"
        return "color", element.get(w + "val") or ""

    def _shading_property(self, element: Element) -> Property:
        return "shd", str(self.shading(element))


def page_colour(root: Element, w: str) -> int:
    """What the pages of a document are coloured with."""
    background = root.find(w + "background")
    if background is None:
        return WHITE
    if len(background):
        return UNKNOWN  # a picture or a pattern
    colour = hexadecimal(background.get(w + "color"))
    return WHITE if colour is None else colour


def _text_style(properties: Mapping[str, str]) -> TextStyle:
    if not properties:
        return PLAIN
    outlined = None
    for name in ("outline", "shadow", "emboss", "imprint", "drawn"):
        if name in properties:
            outlined = outlined or bool(properties[name])
    colour = None
    if "color" in properties:
        rgb = hexadecimal(properties["color"])
        colour = AUTOMATIC if rgb is None else rgb
    opacity = None
    if "fill" in properties:  # drawn in this, whatever the colour
        of_fill, _, transparency = properties["fill"].partition(" ")
        colour, opacity = int(of_fill), 100 - float(transparency)
    behind = int(properties["shd"]) if "shd" in properties else None
    if properties.get("highlight", "none") != "none":
        behind = _HIGHLIGHTS.get(properties["highlight"], UNKNOWN)
    return TextStyle(
        hidden=bool(properties["vanish"]) if "vanish" in properties else None,
        colour=colour,
        points=_number(properties.get("sz"), 0.5),
        width_percent=None if "w" not in properties else _percent(properties["w"]),
        opacity_percent=opacity,
        behind=behind,
        outlined=outlined,
    )


def _number(text: str | None, factor: float) -> float | None:
    if text and text.isascii() and text.isdigit() and len(text) < 7:
        return int(text) * factor or None
    return None


def _percent(text: str) -> int | None:
    value = _number(text.removesuffix("%"), 1)
    return None if value is None else int(value)


def _filled(element: Element) -> Property:
    """What Word 2010 and later fill letters with: a colour and how transparent it is."""
    for fill in element:
        if fill.tag == _W14 + "noFill":
            return "fill", f"{AUTOMATIC} 100"
        if fill.tag != _W14 + "solidFill":
            break
        for colour in fill:
            value = colour.get(_W14 + "val") or ""
            rgb = hexadecimal(value)
            if value in _WHITE_IN_THEMES and not len(colour):
                rgb = WHITE
            alpha = colour.find(_W14 + "alpha")
            percent = 0 if alpha is None else _number(alpha.get(_W14 + "val"), 0.001) or 0
            return "fill", f"{UNKNOWN if rgb is None else rgb} {min(percent, 100)}"
    return "fill", f"{UNKNOWN} 0"


def _effect(element: Element) -> Property:
    """An outline, a shadow or a glow, unless it is an empty one."""
    if element.find(_W14 + "noFill") is not None or not len(element):
        return "no effect", ""
    return "drawn", "on"
