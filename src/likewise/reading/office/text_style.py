"""The style of text, as far as it can hide the text from a reader."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from likewise.reading.draft import Hidden

# Colours are numbers, 0xRRGGBB. Two are none: what the program chooses so that text can be read
# (as a background: whatever is below), and what we do not know, a picture for example.
AUTOMATIC: Final = -1
UNKNOWN: Final = -2
WHITE: Final = 0xFFFFFF

# Word's own words around the fields of a web page; they are hidden, and hide nothing.
FORM_STYLES: Final = ("HTML Top of Form", "HTML Bottom of Form")

# A drawing behind the text belongs to its page; where pages end is not always kept.
MOST_PARAGRAPHS_BEFORE = 30
SMALLEST_POINTS = 1.5  # what is smaller nobody reads
NARROWEST_PERCENT = 5  # of the width of letters
LEAST_OPACITY_PERCENT = 5
NEAREST_LUMINANCE = 0.055  # of text and background; white and the lightest grey
NEAREST_CHANNEL = 64
DARKEST_BACKGROUND = 0.5  # on a darker one, text of its colour was blacked out, and can be seen


@dataclass(frozen=True, slots=True)
class TextStyle:
    """What some properties say about text; None is what they do not say."""

    hidden: bool | None = None
    colour: int | None = None
    points: float | None = None
    width_percent: int | None = None
    opacity_percent: float | None = None
    behind: int | None = None  # the colour right behind the letters
    outlined: bool | None = None  # or with a shadow: seen in whatever colour

    def over(self, below: TextStyle) -> TextStyle:
        """This, and what it does not say as `below` says it.

        >>> TextStyle(colour=0).over(TextStyle(colour=1, points=2)).points
        2
        """
        if below is PLAIN:
            return self
        return TextStyle(
            below.hidden if self.hidden is None else self.hidden,
            below.colour if self.colour is None else self.colour,
            below.points if self.points is None else self.points,
            below.width_percent if self.width_percent is None else self.width_percent,
            below.opacity_percent if self.opacity_percent is None else self.opacity_percent,
            below.behind if self.behind is None else self.behind,
            below.outlined if self.outlined is None else self.outlined,
        )


PLAIN: Final = TextStyle()


@lru_cache(4096)
def way_of_hiding(style: TextStyle, background: int = WHITE) -> str:
    """How text of a style is hidden on a background; nothing where people can read it.

    >>> white = TextStyle(colour=0xFEFEFE)
    >>> way_of_hiding(white), way_of_hiding(white, 0x1F3864)
    ('white text', '')
    """
    if style.hidden:
        return Hidden.INVISIBLE
    if style.points is not None and style.points < SMALLEST_POINTS:
        return Hidden.TINY
    if style.width_percent is not None and style.width_percent <= NARROWEST_PERCENT:
        return Hidden.TINY
    if style.outlined:
        return ""
    if style.opacity_percent is not None and style.opacity_percent <= LEAST_OPACITY_PERCENT:
        return Hidden.TRANSPARENT
    if style.colour is None or style.colour < 0:
        return ""
    if style.behind is not None and style.behind != AUTOMATIC:
        background = style.behind
    return Hidden.WHITE if is_lost_on(background, style.colour) else ""


def is_lost_on(background: int, colour: int) -> bool:
    """Whether text of a colour cannot be seen on a light background."""
    if background < 0 or luminance(background) < DARKEST_BACKGROUND:
        return False
    pairs = zip(_channels(background), _channels(colour), strict=True)
    return (
        max(abs(a - b) for a, b in pairs) <= NEAREST_CHANNEL
        and abs(luminance(background) - luminance(colour)) <= NEAREST_LUMINANCE
    )


def luminance(colour: int) -> float:
    """From 0, black, to 1, white (ITU-R BT.709, as drawn)."""
    red, green, blue = _channels(colour)
    return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255


def hexadecimal(text: str | None) -> int | None:
    """The colour that six digits stand for; None where they are no colour.

    >>> hexadecimal("FFFFFE") == hexadecimal("#fffffe") == 0xFFFFFE, hexadecimal("auto")
    (True, None)
    """
    digits = (text or "").removeprefix("#")
    if len(digits) != 6 or not digits.isalnum():
        return None
    try:
        return int(digits, 16)
    except ValueError:
        return None


def reversed_colour(number: int) -> int:
    """A colour that Windows writes with its red in the last byte.

    >>> hex(reversed_colour(0x0000FF))
    '0xff0000'
    """
    blue, green, red = _channels(number)
    return red << 16 | green << 8 | blue


def _channels(colour: int) -> tuple[int, int, int]:
    return colour >> 16 & 0xFF, colour >> 8 & 0xFF, colour & 0xFF
