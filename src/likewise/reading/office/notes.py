"""What a person is told about the parts of an office document that were not read."""

from __future__ import annotations

from collections.abc import Sequence

from likewise.reading.draft import Draft


def note_changes(draft: Draft, *, deletions: int, comments: int) -> None:
    """Say what was left out because its authors had deleted it or written it in the margin."""
    if deletions:
        those = f"{_counted(deletions, 'deletion')} of tracked changes"
        draft.note("tracked changes", f"{those} left out, insertions kept")
    if comments:
        draft.note("comments", f"{_counted(comments, 'comment')} left out")


def note_unread(draft: Draft, *, embedded: int, foreign: int = 0) -> None:
    """Say how many files inside the file were not opened: attached ones, and pieces of the text."""
    if embedded:
        draft.note("embedded files", f"{_counted(embedded, 'embedded file')} not read")
    if foreign:
        pieces = _counted(foreign, "piece")
        draft.note("not read in full", f"{pieces} of the text in another format not read in full")


def note_damage(draft: Draft, damage: Sequence[str]) -> None:
    """Say what of a damaged file was rescued as far as possible."""
    if damage:
        more = f" and {len(damage) - 3} more" if len(damage) > 3 else ""
        what = ", ".join(damage[:3])
        draft.note("damaged", f"the file is damaged ({what}{more}); text may be missing")


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("s" if number != 1 else "")
