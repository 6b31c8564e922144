"""RTF documents."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime

from likewise.errors import ReadingError
from likewise.reading.draft import Draft
from likewise.reading.office.blocks import Paragraph
from likewise.reading.office.writing import Manuscript, note_changes, write_down
from likewise.reading.request import Request
from likewise.reading.rtf.control_words import ACTS as WORDS
from likewise.reading.rtf.destinations import ACTS as GROUPS
from likewise.reading.rtf.text import guessed_page
from likewise.reading.rtf.walk import Walk

_NAMES_PAGES = re.compile(rb"\\(?:ansicpg[1-9]|mac\b|pca?\b|fcharset(?![012]\b)\d)")
_UNICODE = re.compile(rb"\\u-?[0-9]")
_UNITS = ("yr", "mo", "dy", "hr", "min")
_LOOKED_AT = 1 << 16  # bytes; they are named among the first words, or by the fonts
_BEGINNING = re.compile(rb"[\s\xef\xbb\xbf]*\{\\rt")


def read_rtf(data: bytes, request: Request) -> Draft:
    """The document in an RTF file."""
    if _BEGINNING.match(data) is None:
        raise ReadingError("reading.not_rtf")
    knows = _NAMES_PAGES.search(data, 0, _LOOKED_AT) or _UNICODE.search(data)
    guess = None if knows else guessed_page(data)
    # A character a byte: what bytes mean is said inside.
    walk = Walk(data.decode("latin-1"), WORDS, GROUPS, guess.encoding if guess else "cp1252")
    walk.run(data.index(b"{"))
    manuscript = Manuscript(
        body=walk.body.blocks(),
        endnotes=walk.notes.blocks(),
        headers=[story.blocks() for story in walk.headers],
        footers=[story.blocks() for story in walk.footers],
        caption_styles=walk.caption_styles,
        most_pages=0,
        pages=0,
    )
    draft = write_down(manuscript, walk.pictures.get, request)
    for name, story in walk.about.items():
        lines = [block.text for block in story.blocks() if isinstance(block, Paragraph)]
        draft.meta[name] = " ".join(" ".join(lines).split())
    draft.meta["created"] = _iso_time(walk.created)
    note_changes(draft, deletions=walk.deletions, comments=walk.comments)
    if guess and guess.note:
        draft.note("encoding", guess.note)
    if walk.damage:
        draft.note("damaged", walk.damage)
    return draft


def _iso_time(fields: Mapping[str, int]) -> str:
    """When the document was made, as ISO 8601; nothing where that is not said.

    >>> _iso_time({"yr": 2019, "mo": 3, "dy": 2, "hr": 9, "min": 30}), _iso_time({"yr": 0})
    ('2019-03-02T09:30:00', '')
    """
    year, month, day, hour, minute = (fields.get(unit, 0) for unit in _UNITS)
    try:
        return datetime(year, month, day, hour, minute).isoformat()
    except (ValueError, OverflowError):
        return ""
