"""Numbers of pages and pictures, as messages name them."""

from __future__ import annotations

from collections.abc import Iterable

from likewise.catalogue import Value
from likewise.model import Message

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
