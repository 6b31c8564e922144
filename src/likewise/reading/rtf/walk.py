"""A walk over the groups and words of an RTF file, which sorts its text into stories."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

from likewise.errors import ReadingError
from likewise.reading.office.blocks import is_caption_style
from likewise.reading.office.story import Edge, Shape, Story
from likewise.reading.office.text_style import AUTOMATIC, UNKNOWN, WHITE
from likewise.reading.rtf.text import (
    BINARY,
    CLOSE,
    OPEN,
    SIGN,
    TEXT,
    TOKEN,
    WORDS,
    Decoder,
    end_of_group,
    font_codecs,
    last_text,
    words_in,
)
from likewise.reading.rtf.text_style import FLAT, UNSAID, Ground, Run, TextStyles

# What a word does, with the number after it; without one, it is 1: on.
Act: TypeAlias = Callable[["Walk", int], None]

_STYLE = re.compile(r"\\s(\d{1,6})(?!\d)")
_DEEPEST = 10_000  # groups in groups
_AFTER_THE_END = re.compile(r"\\par\b|\\cell\b|\{\\")


class Acts(dict[str, Act]):
    """What to do at which words."""

    def at(self, *words: str) -> Callable[[Act], Act]:
        """Do this at these words."""

        def remember(act: Act) -> Act:
            self.update(dict.fromkeys(words, act))
            return act

        return remember


class RowShape:
    """The cells that a row declares, one after the other."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        self.left = 0
        self._edges: list[Edge] = []
        self._fills: list[int] = []
        self._begin_cell()

    def end_cell(self, right: int) -> None:
        self._edges.append(Edge(right, self.joins_left, self.joins_above))
        self._fills.append(self.fill)
        self._begin_cell()

    def _begin_cell(self) -> None:
        self.joins_left = self.joins_above = False
        self.fill = AUTOMATIC

    def fill_of(self, cell: int) -> int:
        """The number of the colour that a cell is filled with; unknown before it is declared."""
        return self._fills[cell] if cell < len(self._fills) else UNKNOWN

    def shape(self) -> Shape:
        return Shape(self.left, tuple(self._edges))


_GroupState: TypeAlias = tuple[
    str, str, int, bool, bool, bool, int, Story, RowShape, Run, Ground, int, int
]


class Walk:
    """Where we are in a file, and what was found up to there.

    `words` and `groups` say what to do at which words. A group that begins with `\\*` may be
    skipped by those who do not know its word, and is.
    """

    def __init__(
        self, rtf: str, words: Mapping[str, Act], groups: Mapping[str, Act], page: str
    ) -> None:
        self._rtf = rtf
        self.page = page  # of a file that names none
        self._acts = {**words, **groups}
        self._groups = groups
        self._position = 0
        self._meaning: dict[str, tuple[tuple[Act, int], ...]] = {}
        self._decoder = Decoder()
        self._stack: list[_GroupState] = []

        self.default_codec = page
        self.default_font = 0
        self._fonts: dict[int, str] = {}

        # What a closing brace brings back.
        self.codec = self.font_codec = page
        self.stand_ins = 1  # characters after a Unicode one, for readers that know no Unicode
        self.deleted = False
        self.is_text_kept = True
        self.wide = False  # whether letters are Chinese, Japanese or Korean
        self.level = 0  # of tables
        self.body = self.story = Story()
        self.row = RowShape()
        self.run_style, self.ground = UNSAID, FLAT
        self.cell = 0  # of the row, from the left
        self.page_colour = UNKNOWN if "{\\*\\background" in rtf else WHITE
        self.background = self.page_colour  # what text stands on outside of tables

        self.text_styles = TextStyles()
        self.shape_fill = WHITE
        self.drawing_behind = 0  # so many more paragraphs may stand on a drawing
        self.headers: list[Story] = []
        self.footers: list[Story] = []
        self.notes = Story()
        self.pictures: dict[str, bytes] = {}
        self.about: dict[str, Story] = {}
        self.created: dict[str, int] = {}
        self.comments = 0
        self.deletions = 0
        self.damage: str | None = None  # the key of what is wrong with the file
        self.setting = ""  # of a shape, named last
        self.caption_styles: frozenset[str] = frozenset()

    def run(self, position: int) -> None:
        """Read from the first brace to the one that closes it."""
        self._position = position
        token, rtf = TOKEN.match, self._rtf
        while match := token(rtf, self._position):
            self._position = match.end()
            kind = match.lastindex
            if kind == TEXT:
                self._text(match[0])
            elif kind == WORDS:
                self._do(match[0])
            elif kind == OPEN:
                self._open(match[5], skippable=match[4] is not None)
            elif kind == CLOSE:
                self._close()
                if not self._stack:
                    break
            elif kind == BINARY:
                self.jump(self._position + int(match[BINARY][:12]))
            elif kind == SIGN and match[SIGN] in "\r\n":
                self._do("\\par")
        if self._stack:
            self.damage = "reading.rtf_ends"
        elif _AFTER_THE_END.search(rtf, self._position):
            self.damage = "reading.rtf_more"

    def write(self, text: str) -> None:
        if self.is_text_kept and not self.deleted:
            self.story.text(text, self._way_of_hiding())

    def skip_group(self) -> None:
        self.jump(end_of_group(self._rtf, self._position))

    def rest_of_group(self) -> str:
        """What stands up to the end of the group, which is then over."""
        start = self._position
        self.skip_group()
        return self._rtf[start : self._position]

    def jump(self, position: int) -> None:
        self._position = min(position, len(self._rtf))

    def tell(self, story: Story) -> None:
        """Let the text of this group flow into a story of its own."""
        self.story, self.row = story, RowShape()
        self.level, self.deleted, self.is_text_kept, self.cell = 0, False, True, 0
        self.run_style, self.ground, self.background = UNSAID, FLAT, self.page_colour

    def read_fonts(self, table: str) -> None:
        self._fonts = font_codecs(table, self.default_codec)
        self.choose_font(self.default_font)

    def read_styles(self, table: str) -> None:
        """A style is a group: its number, more words, its name before a semicolon."""
        numbers: set[str] = set()
        for entry in table.split("{"):
            number = _STYLE.match(entry)
            name = last_text(entry.partition(";")[0])
            self.text_styles.read_style(entry)
            if number and is_caption_style(name):
                numbers.add(number[1])
        self.caption_styles = frozenset(numbers)

    def choose_page(self, codec: str) -> None:
        """The code page of the document, before a font says anything else."""
        self.default_codec = self.codec = self.font_codec = codec

    def choose_font(self, number: int) -> None:
        self.codec = self.font_codec = self._codec_of(number)

    def choose_wide_font(self, number: int) -> None:
        """The font of Chinese, Japanese and Korean letters, which stands beside the other."""
        self.codec = self._codec_of(number)

    def picture(self, data: bytes) -> None:
        name = str(len(self.pictures))
        self.pictures[name] = data
        self.story.picture(name)

    def _codec_of(self, font: int) -> str:
        return self._fonts.get(font, self.default_codec)

    def _text(self, raw: str) -> None:
        if self.is_text_kept and not self.deleted:
            text = self._decoder.text(raw, self.codec, self.stand_ins)
            self.story.text(text, self._way_of_hiding())

    def _way_of_hiding(self) -> str:
        background = self.background
        if self.level == 1:
            fill = self.row.fill_of(self.cell)
            fill = self.text_styles.colour(fill) if fill >= 0 else fill
            background = background if fill == AUTOMATIC else fill
        elif self.level or (self.drawing_behind and background == self.page_colour):
            background = UNKNOWN  # rows of inner tables are declared after their text
        return self.text_styles.way_of(self.run_style, self.ground, background)

    def _do(self, run: str) -> None:
        acts = self._meaning.get(run)
        if acts is None:  # the same runs of words come again and again
            actions = self._acts
            acts = tuple(
                (actions[word], number) for word, number in words_in(run) if word in actions
            )
            self._meaning[run] = acts
        for act, number in acts:
            act(self, number)

    def _open(self, word: str | None, skippable: bool) -> None:
        if len(self._stack) > _DEEPEST:
            raise ReadingError("reading.rtf_deep")
        self._stack.append(
            (
                self.codec,
                self.font_codec,
                self.stand_ins,
                self.deleted,
                self.is_text_kept,
                self.wide,
                self.level,
                self.story,
                self.row,
                self.run_style,
                self.ground,
                self.background,
                self.cell,
            )
        )
        if skippable and (word is None or words_in(word)[0][0] not in self._groups):
            self.skip_group()
        elif word is not None:
            self._do(word)

    def _close(self) -> None:
        story = self.story
        (
            self.codec,
            self.font_codec,
            self.stand_ins,
            self.deleted,
            self.is_text_kept,
            self.wide,
            self.level,
            self.story,
            self.row,
            self.run_style,
            self.ground,
            self.background,
            cell,
        ) = self._stack.pop()
        if self.story is not story:  # a note called in a cell has cells of its own
            self.cell = cell
