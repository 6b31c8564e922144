"""What of a passage stood in an own earlier attempt, before the source was handed in at all.

A student who hands in an improved text, after somebody has copied the one before, is not the one
who copied. The report cannot know who is; it says in which order the texts came.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Row

from likewise.catalogue import Message
from likewise.model import Check, Note, Source

_WORDS_IN_A_ROW = 5
_LEAST = 0.5  # of the words that a source shares

ReadText = Callable[[Row[Any]], str]  # of an attempt that is checked


def note_earlier_attempts(
    check: Check, row: Row[Any], rows: Sequence[Row[Any]], names: Mapping[str, str], read: ReadText
) -> Check:
    """The check of a submission, with a note for each source that came after the same words.

    `rows` are all submissions of the assignment, `names` what their documents are called.
    """
    own = [
        one
        for one in rows
        if one.number == row.number and one.attempt < row.attempt and one.check_id is not None
    ]
    own.sort(key=lambda one: (one.handed_in_on, one.name))
    if not own:
        return check
    first_on: dict[int, datetime] = {}
    for one in rows:
        known = first_on.get(one.number, one.handed_in_on)
        first_on[one.number] = min(known, one.handed_in_on)
    number_of = {names[one.id]: one.number for one in rows}
    notes = []
    for source in check.sources:
        number = number_of.get(source.name, row.number)
        if number == row.number:
            continue
        before = [one for one in own if one.handed_in_on < first_on[number]]
        note = _note(check, source, before, read, first_on[number])
        if note is not None:
            notes.append((source.name, note))  # it goes with the source, where that is erased
    return replace(check, notes=(*check.notes, *notes)) if notes else check


def _note(
    check: Check, source: Source, before: Sequence[Row[Any]], read: ReadText, on: datetime
) -> Note | None:
    texts = [passage.a.of(check.document.text) for passage in source.passages]
    words = sum(len(_words(text)) for text in texts)
    for one in before:
        standing = words_standing(texts, read(one))
        if standing and standing >= _LEAST * words:
            values: dict[str, str | int] = {
                "n": standing,
                "words": words,
                "on": _moment(on),
                "own": _moment(one.handed_in_on),
            }
            return Note("earlier attempt", Message("server.earlier_attempt", values))
    return None


def words_standing(texts: Sequence[str], earlier: str) -> int:
    """How many words of some texts stand in rows of five in an earlier one.

    >>> words_standing(["The river rises in spring and falls."], "Here the river rises in spring.")
    5
    """
    known = set(_rows(_words(earlier)))
    standing = 0
    for text in texts:
        words = _words(text)
        found = [False] * len(words)
        for start, row in enumerate(_rows(words)):
            if row in known:
                found[start : start + len(row)] = [True] * len(row)
        standing += sum(found)
    return standing


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _rows(words: Sequence[str]) -> list[tuple[str, ...]]:
    starts = range(len(words) - _WORDS_IN_A_ROW + 1)
    return [tuple(words[start : start + _WORDS_IN_A_ROW]) for start in starts]


def _moment(time: datetime) -> str:
    return f"{time:%Y-%m-%d %H:%M:%S} UTC"
