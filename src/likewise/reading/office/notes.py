"""What a person is told about the parts of an office document that were not read."""

from __future__ import annotations

from collections.abc import Sequence

from likewise.catalogue import Value
from likewise.reading.draft import Draft

_MOST_NAMED = 3  # parts of a damaged file


def note_changes(draft: Draft, *, deletions: int, comments: int) -> None:
    """Say what was left out because its authors had deleted it or written it in the margin."""
    if deletions:
        draft.note("tracked changes", "reading.deletions", n=deletions)
    if comments:
        draft.note("comments", "reading.comments", n=comments)


def note_unread(draft: Draft, *, embedded: int, foreign: int = 0) -> None:
    """Say how many files inside the file were not opened: attached ones, and pieces of the text."""
    if embedded:
        draft.note("embedded files", "reading.embedded", n=embedded)
    if foreign:
        draft.note("not read in full", "reading.foreign_pieces", n=foreign)


def note_damage(draft: Draft, damage: Sequence[Value]) -> None:
    """Say what of a damaged file was rescued as far as possible."""
    named = tuple(damage[:_MOST_NAMED])
    if len(damage) > len(named):
        more = len(damage) - len(named)
        draft.note("damaged", "reading.damaged_more", parts=named, n=more)
    elif damage:
        draft.note("damaged", "reading.damaged_parts", parts=named)
