"""Names of files and records, made fit for a screen."""

from __future__ import annotations

ELLIPSIS = "…"


def printable(text: str) -> str:
    """The text with everything that could move the cursor or fool the eye written as an escape.

    >>> printable("a\\x1b[31m\\u202etxt.exe")
    'a\\\\x1b[31m\\\\u202etxt.exe'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def shorten(name: str, width: int) -> str:
    """At most so many columns, cut in the middle: both ends of a path tell most.

    >>> shorten("archive/2019/spring/lena-library.txt", 21)
    'archive/20…ibrary.txt'
    """
    name = printable(name)
    if display_width(name) <= width:
        return name
    available = max(0, width - 1)
    tail = _fitting(name[::-1], available // 2)[::-1]
    return _fitting(name, available - display_width(tail)) + ELLIPSIS + tail


def display_width(text: str) -> int:
    """How wide a text is on a screen.

    >>> display_width("abc"), display_width("漢字")
    (3, 4)
    """
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _fitting(text: str, width: int) -> str:
    """As much of the beginning as goes into so many columns."""
    used = 0
    for i, char in enumerate(text):
        used += display_width(char)
        if used > width:
            return text[:i]
    return text
