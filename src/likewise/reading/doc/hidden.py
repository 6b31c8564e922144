"""The characters of a Word file that people cannot see."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from likewise.reading.doc.drawings import is_any_shape_below_text
from likewise.reading.doc.file import WordFile
from likewise.reading.doc.looks import look_of, paragraph_shade, row_shade
from likewise.reading.doc.properties import changes
from likewise.reading.doc.styles import Styles
from likewise.reading.office.looks import AUTOMATIC, UNKNOWN, WHITE, Look, way_of_hiding

_CELL_END = "\x07"
_MOST_CELLS, _LONGEST_CELL = 64, 20_000  # of a row; characters


def hidden_in(file: WordFile) -> list[tuple[int, int, str]]:
    """From where to where characters are hidden, and in which way, in order."""
    if file.old:  # Word 6 and 95 have other numbers for all of it
        return []
    found: list[tuple[int, int, str]] = []
    for start, end, way in _found(file, file.styles):
        if found and found[-1][1:] == (start, way):
            start = found.pop()[0]
        found.append((start, end, way))
    return sorted(found)


def _found(file: WordFile, styles: Styles) -> Iterator[tuple[int, int, str]]:
    boxes = [file.part("boxes"), file.part("header boxes")]
    page = UNKNOWN if is_any_shape_below_text(file) else WHITE
    rows: dict[int, int] = {}
    for start, end, program in file.character_runs():
        run, style = _look(program)
        look = run.over(styles.look(style))
        if not (styles.can_hide or way_of_hiding(look)):
            continue
        for first, past, number, about in file.paragraphs_between(start, end):
            whole = look.over(styles.look(number)).over(styles.look(0))
            if not way_of_hiding(whole) or styles.is_of_forms(number):
                continue
            floor = _shade(about)
            if floor == AUTOMATIC:
                floor = styles.shade(number)
            if floor == AUTOMATIC and file.paragraph_at(first).level:
                floor = _row_floor(file, first, rows)
            if floor == AUTOMATIC:
                # What a box is filled with is not looked at.
                floor = UNKNOWN if any(first in places for places in boxes) else page
            if way := way_of_hiding(whole, floor):
                yield first, past, way


def _row_floor(file: WordFile, place: int, known: dict[int, int]) -> int:
    """What the row around a place stands on, by what is said at its end."""
    for _ in range(_MOST_CELLS):
        place = file.text.find(_CELL_END, place, place + _LONGEST_CELL)
        if place < 0:
            return UNKNOWN
        if file.paragraph_at(place).ends_row:
            if place not in known:
                known[place] = row_shade(changes(file.program_at(place), file.data))
            return known[place]
        place += 1
    return UNKNOWN


@lru_cache(4096)
def _look(program: bytes) -> tuple[Look, int]:
    return look_of(changes(program))


@lru_cache(4096)
def _shade(program: bytes) -> int:
    return paragraph_shade(changes(program))
