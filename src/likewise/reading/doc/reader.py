"""DOC: Word 97 to 2003, Word 6 and 95.

The characters of the file become stories, and what people cannot see of them is noted.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Final

from likewise.errors import ReadingError
from likewise.reading.doc.drawings import (
    floating_pictures,
    is_any_shape_below_text,
    picture_in_line,
    shapes_at,
)
from likewise.reading.doc.properties import changes
from likewise.reading.doc.text_style import Styles, paragraph_shade, row_shade, text_style_of
from likewise.reading.doc.word_file import (
    BOXES,
    COMMENT_MARKS,
    ENDNOTE_MARKS,
    ENDNOTES,
    FOOTNOTE_MARKS,
    FOOTNOTES,
    HEADERS,
    Part,
    WordFile,
)
from likewise.reading.draft import Draft
from likewise.reading.office.blocks import Block
from likewise.reading.office.code_pages import symbol
from likewise.reading.office.compound import Compound, summary
from likewise.reading.office.story import Story
from likewise.reading.office.text_style import AUTOMATIC, UNKNOWN, WHITE, TextStyle, way_of_hiding
from likewise.reading.office.writing import Manuscript, note_changes, note_damage, write_down
from likewise.reading.request import Request

_COMMENT_BYTES = 30


def read_doc(data: bytes, request: Request) -> Draft:
    """The document in a file of Word 6 to 2003."""
    compound = Compound(data)
    if "\tdrmcontent" in compound.names:
        raise ReadingError("reading.rights")
    file = WordFile(data, compound)
    builder = StoryBuilder(file)
    headers, footers = builder.running()
    body, end = builder.body()
    manuscript = Manuscript(
        body=body,
        endnotes=end,
        headers=headers,
        footers=footers,
        caption_styles=frozenset(),
        most_pages=0,
        pages=0,
    )
    draft = write_down(manuscript, builder.picture, request)
    draft.meta |= summary(compound)
    comments = len(file.places(COMMENT_MARKS, _COMMENT_BYTES)[1])
    note_changes(draft, deletions=builder.deletions, comments=comments)
    note_damage(draft, file.damage)
    return draft


# The row of characters of a Word file, told as stories.

# Characters that stand for something else.
_MARK = re.compile("[\x01-\x08\x0b-\x1f]")
_PICTURE, _NOTE, _CELL, _SHAPE = "\x01", "\x02", "\x07", "\x08"
_PAGE, _PARAGRAPH = "\x0c", "\x0d"
_FIELD, _RESULT, _FIELD_END = "\x13", "\x14", "\x15"
_REPLACEMENTS: Final = {"\x0b": "\n", "\x0e": "\n", "\x1e": "\u2011"}
_BLANK = "\0"  # in the place of what was deleted
_DELETED = re.compile("[^\x07]")  # a row keeps its cells
_HALVES = re.compile("[\ud800-\udfff]")

_BOX_BYTES = 22
_REUSABLE, _SHAPE_OF_BOX = slice(8, 10), slice(14, 18)  # in what is said of a box
_LINES_ABOVE_NOTES = 6  # stories before the first running header


class StoryBuilder:
    """What a file tells: its body, its notes, its running headers and footers."""

    def __init__(self, file: WordFile) -> None:
        self._file = file
        self.deletions = 0
        self._in_line: dict[int, int] = {}  # pictures by place
        self._text = self._with_marks_applied()
        self._notes = self._called("footnotes", FOOTNOTE_MARKS, FOOTNOTES)
        self._notes |= self._called("endnotes", ENDNOTE_MARKS, ENDNOTES)
        self._boxes = self._text_boxes()
        self._shapes = shapes_at(file)
        self._hidden = hidden_in(file)
        self._hidden_ends = [end for _, end, _ in self._hidden]

    def body(self) -> tuple[list[Block], list[Block]]:
        """The body, and what follows it: notes, and boxes that nothing points to.

        No run of words is cut by a note.
        """
        body, end = Story(), Story()
        self._tell(body, self._file.part("body"), end)
        for remaining in (self._notes, self._boxes):
            while remaining:
                self._tell(end, remaining.pop(next(iter(remaining))), end)
        return body.blocks(), end.blocks()

    def running(self) -> tuple[list[list[Block]], list[list[Block]]]:
        """The running headers, and the running footers."""
        headers: list[list[Block]] = []
        footers: list[list[Block]] = []
        stories = self._divided("headers", self._file.places(HEADERS, 0)[0])
        for number, places in enumerate(stories[_LINES_ABOVE_NOTES:]):
            # In every section two headers and two footers, then those of its first page.
            (headers if number % 6 in {0, 1, 4} else footers).append(self._blocks_in(places))
        headers.append(self._blocks_in(self._file.part("header boxes")))
        return headers, footers

    def _blocks_in(self, places: range) -> list[Block]:
        story = Story()
        self._tell(story, places, story)
        return story.blocks()

    def _tell(self, story: Story, places: range, end: Story) -> None:
        """Tell some places in a story; what belongs behind the body goes into another."""
        text = self._text
        fields: list[str | None] = []  # that are open: what was asked; None once it was answered
        balanced = text.count(_FIELD, *_ends(places)) == text.count(_FIELD_END, *_ends(places))
        done = places.start
        for match in _MARK.finditer(text, *_ends(places)):
            mark, here = match[0], match.start()
            in_instruction = any(instruction is not None for instruction in fields)
            if here > done and in_instruction:
                fields[-1] = (fields[-1] or "") + text[done:here]
            elif here > done:
                self._say(story, done, here)
            done = here + 1
            if mark == _FIELD and balanced:
                fields.append("")
            elif mark == _RESULT and fields:
                if (fields[-1] or "").split()[:1] == ["SEQ"]:
                    story.paragraph.counted = True
                fields[-1] = None
            elif mark == _FIELD_END and fields:
                fields.pop()
            elif not in_instruction:
                self._mark(story, mark, here, end)
        if done < places.stop:
            self._say(story, done, places.stop)

    def _say(self, story: Story, start: int, end: int) -> None:
        """Tell characters that stand for themselves, and which of them are hidden."""
        text = self._text
        for place in range(bisect_right(self._hidden_ends, start), len(self._hidden)):
            first, past, way = self._hidden[place]
            if first >= end:
                break
            first, past = max(first, start), min(past, end)
            story.text(_clean(text[start:first]))
            story.text(_clean(text[first:past]), way)
            start = past
        story.text(_clean(text[start:end]))

    def _mark(self, story: Story, mark: str, here: int, end: Story) -> None:
        if mark in {_PARAGRAPH, _CELL, _PAGE}:
            self._end(story, mark, here)
        elif mark in _REPLACEMENTS:
            story.text(_REPLACEMENTS[mark])
        elif mark == _NOTE and here in self._notes:
            self._tell(end, self._notes.pop(here), end)
        elif mark == _PICTURE and here in self._in_line:
            story.picture(f"in line {self._in_line[here]}")
        elif mark == _SHAPE and here in self._shapes:
            shape = self._shapes[here]
            if shape in self._boxes:
                self._tell(story.beside(), self._boxes.pop(shape), end)
            if shape in self._floating:
                story.picture(f"floating {shape}")

    def _end(self, story: Story, mark: str, here: int) -> None:
        paragraph = self._file.paragraph_at(here)
        if paragraph.ends_row and (mark == _CELL or paragraph.level > 1):
            story.end_row(paragraph.level, paragraph.shape)
        elif (mark == _CELL and self._file.has_paragraphs) or paragraph.ends_cell:
            story.end_cell(paragraph.level)
        else:
            story.end_paragraph(paragraph.level)

    def picture(self, name: str) -> bytes | None:
        """The bytes of a picture that a story shows."""
        kind, _, number = name.rpartition(" ")
        if kind == "floating":
            return self._floating.get(int(number))
        return picture_in_line(self._file, int(number))

    @cached_property
    def _floating(self) -> dict[int, bytes]:
        return floating_pictures(self._file)

    def _with_marks_applied(self) -> str:
        """The text with deletions blanked and symbols put in, each character in its place."""
        text = self._file.text
        parts: list[str] = []
        done = 0
        for start, end, properties in self._file.marked():
            start = max(start, done)  # runs of a damaged file lie over each other
            if start >= end:
                continue
            if properties.deleted:
                self.deletions += start != done or not parts
                instead = _DELETED.sub(_BLANK, text[start:end])
            elif properties.symbol is not None:
                font, code = properties.symbol
                instead = symbol(self._file.font(font), f"{code:X}") or _BLANK
                instead *= end - start
            else:
                self._in_line[start] = properties.picture or 0
                continue
            parts += text[done:start], instead
            done = end
        return "".join([*parts, text[done:]])

    def _called(self, part: Part, marks: int, texts: int) -> dict[int, range]:
        """The places of notes, by where they are called; those whose calls are deleted are not."""
        called, _ = self._file.places(marks, 2)
        stories = self._divided(part, self._file.places(texts, 0)[0])
        notes = dict(zip(called, stories, strict=False))
        return {at: places for at, places in notes.items() if self._text[at : at + 1] != _BLANK}

    def _text_boxes(self) -> dict[int, range]:
        """The places of the texts in boxes, by the numbers of their shapes."""
        starts, boxes = self._file.places(BOXES, _BOX_BYTES)
        return {
            int.from_bytes(box[_SHAPE_OF_BOX], "little"): places
            for box, places in zip(boxes, self._divided("boxes", starts), strict=False)
            if not any(box[_REUSABLE])
        }

    def _divided(self, part: Part, starts: list[int]) -> list[range]:
        """A part cut at some places, which are counted from its beginning."""
        places = self._file.part(part)
        cuts = [min(places.start + at, places.stop) for at in starts]
        return [range(a, max(a, b)) for a, b in pairwise(cuts)]


def _ends(places: range) -> tuple[int, int]:
    return places.start, places.stop


def _clean(text: str) -> str:
    text = text.replace(_BLANK, "")
    if _HALVES.search(text):  # each took its own place in the file; now they are one
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


# The characters of a Word file that people cannot see.

_CELL_END = "\x07"
_MOST_CELLS, _LONGEST_CELL = 64, 20_000  # of a row; characters


def hidden_in(file: WordFile) -> list[tuple[int, int, str]]:
    """From where to where characters are hidden, and in which way, in order."""
    if file.old:  # Word 6 and 95 have other numbers for all of it
        return []
    runs: list[tuple[int, int, str]] = []
    for start, end, way in _hidden_pieces(file, file.styles):
        if runs and runs[-1][1:] == (start, way):
            start = runs.pop()[0]
        runs.append((start, end, way))
    return sorted(runs)


def _hidden_pieces(file: WordFile, styles: Styles) -> Iterator[tuple[int, int, str]]:
    boxes = [file.part("boxes"), file.part("header boxes")]
    page = UNKNOWN if is_any_shape_below_text(file) else WHITE
    rows: dict[int, int] = {}
    for start, end, program in file.character_runs():
        run, style = _text_style(program)
        text_style = run.over(styles.text_style(style))
        if not (styles.can_hide or way_of_hiding(text_style)):
            continue
        for first, past, number, about in file.paragraphs_between(start, end):
            whole = text_style.over(styles.text_style(number)).over(styles.text_style(0))
            if not way_of_hiding(whole) or styles.is_of_forms(number):
                continue
            background = _shade(about)
            if background == AUTOMATIC:
                background = styles.shade(number)
            if background == AUTOMATIC and file.paragraph_at(first).level:
                background = _row_background(file, first, rows)
            if background == AUTOMATIC:
                # What a box is filled with is not looked at.
                background = UNKNOWN if any(first in places for places in boxes) else page
            if way := way_of_hiding(whole, background):
                yield first, past, way


def _row_background(file: WordFile, place: int, backgrounds: dict[int, int]) -> int:
    """What the row around a place stands on, by what is said at its end."""
    for _ in range(_MOST_CELLS):
        place = file.text.find(_CELL_END, place, place + _LONGEST_CELL)
        if place < 0:
            return UNKNOWN
        if file.paragraph_at(place).ends_row:
            if place not in backgrounds:
                backgrounds[place] = row_shade(changes(file.program_at(place), file.data))
            return backgrounds[place]
        place += 1
    return UNKNOWN


@lru_cache(4096)
def _text_style(program: bytes) -> tuple[TextStyle, int]:
    return text_style_of(changes(program))


@lru_cache(4096)
def _shade(program: bytes) -> int:
    return paragraph_shade(changes(program))
