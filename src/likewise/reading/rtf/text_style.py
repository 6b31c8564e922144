"""The text style of an RTF file: its colours, its styles, and what is set for a run."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from likewise.reading.office.text_style import (
    AUTOMATIC,
    FORM_STYLES,
    PLAIN,
    TextStyle,
    way_of_hiding,
)
from likewise.reading.rtf.text import last_text, words_in

_CHANNEL = re.compile(r"\\(red|green|blue)(\d{1,3})(?!\d)")
_NUMBERED = re.compile(r"(?:\\\*)?\s*\\(s|cs|ds|ts)(\d{1,6})(?!\d)")
_LONGEST_CHAIN = 20  # of styles, each made from the next


class Run(NamedTuple):
    """What is said of the text that comes next; None is what is not said."""

    hidden: bool | None = None
    colour: int | None = None  # numbers in the table of colours
    half_points: int | None = None
    width_percent: int | None = None
    behind: int | None = None
    outlined: bool | None = None
    character_style: int = -1


class Ground(NamedTuple):
    """What is said of the paragraph around it: its style, and its background."""

    style: int = 0
    behind: int = AUTOMATIC  # a number in the table of colours, or what is no colour


UNSAID: Final = Run()
FLAT: Final = Ground()

# What the words for runs say, by the field of a run.
_OF_RUNS: Final = {
    "v": "hidden",
    "cf": "colour",
    "fs": "half_points",
    "charscalex": "width_percent",
    "cb": "behind",
    "chcbpat": "behind",
    "highlight": "behind",
    "outl": "outlined",
    "shad": "outlined",
    "embo": "outlined",
    "impr": "outlined",
}


class TextStyles:
    """The looks of one file, as far as it has told its colours and styles."""

    def __init__(self) -> None:
        self._colours: list[int] = []
        self._paragraph_styles: dict[int, tuple[Run, int]] = {}  # and which it is made from
        self._character_styles: dict[int, tuple[Run, int]] = {}
        self._grounds: dict[int, int] = {}  # backgrounds of the styles of paragraphs
        self._of_forms: set[int] = set()
        self._ways: dict[tuple[Run, Ground, int], str] = {}

    def way_of(self, run: Run, ground: Ground, background: int) -> str:
        """How a run is hidden in its paragraph, on a background of a colour."""
        key = run, ground, background
        if key not in self._ways:
            self._ways[key] = self._way_of(run, ground, background)
        return self._ways[key]

    def _way_of(self, run: Run, ground: Ground, background: int) -> str:
        if run == UNSAID and ground.style in self._of_forms:
            return ""
        text_style = self._text_style(run)
        text_style = text_style.over(self._styled(self._character_styles, run.character_style))
        text_style = text_style.over(self._styled(self._paragraph_styles, ground.style))
        behind = ground.behind
        if behind == AUTOMATIC:
            behind = self._grounds.get(ground.style, AUTOMATIC)
        colour = self.colour(behind) if behind >= 0 else behind
        return way_of_hiding(text_style, background if colour == AUTOMATIC else colour)

    def colour(self, number: int) -> int:
        """A colour by its number in the table."""
        return self._colours[number] if 0 <= number < len(self._colours) else AUTOMATIC

    def read_colours(self, table: str) -> None:
        r"""A colour is three words before a semicolon; the first one is left empty.

        >>> text_styles = TextStyles()
        >>> text_styles.read_colours(r";\red255\green0\blue0;")
        >>> [f"{text_styles.colour(1):06X}", text_styles.colour(0) == AUTOMATIC]
        ['FF0000', True]
        """
        for entry in table.split(";")[:-1]:
            channels = {name: min(int(value), 255) for name, value in _CHANNEL.findall(entry)}
            red, green, blue = (channels.get(name, 0) for name in ("red", "green", "blue"))
            self._colours.append(red << 16 | green << 8 | blue if channels else AUTOMATIC)

    def read_style(self, entry: str) -> None:
        """A style: its number, what it is made from, its name before a semicolon."""
        numbered = _NUMBERED.match(entry)
        kind, number = (numbered[1], int(numbered[2])) if numbered else ("s", 0)
        if kind not in {"s", "cs"}:
            return
        run, parent = UNSAID, -1
        for word, value in words_in(entry):
            if word in _OF_RUNS:
                run = with_property(run, word, value)
            elif word == "sbasedon" and value not in {222, number}:
                parent = value
            elif word == "cbpat" and kind == "s":
                self._grounds[number] = value
        styles = self._paragraph_styles if kind == "s" else self._character_styles
        styles[number] = run, parent
        if last_text(entry.partition(";")[0]) in FORM_STYLES:
            self._of_forms.add(number)

    def _styled(self, styles: dict[int, tuple[Run, int]], number: int) -> TextStyle:
        text_style = PLAIN
        for _ in range(_LONGEST_CHAIN):
            if number not in styles:
                break
            run, number = styles[number]
            text_style = text_style.over(self._text_style(run))
        return text_style

    def _text_style(self, run: Run) -> TextStyle:
        return TextStyle(
            hidden=run.hidden,
            colour=None if run.colour is None else self.colour(run.colour),
            points=None if not run.half_points else run.half_points / 2,
            width_percent=run.width_percent or None,
            behind=None if run.behind is None else self.colour(run.behind),
            outlined=run.outlined,
        )


def with_property(run: Run, word: str, value: int) -> Run:
    """The run after a word about it."""
    name = _OF_RUNS[word]
    new = value != 0 if name in {"hidden", "outlined"} else value
    if getattr(run, name) == new:
        return run
    return Run(**(run._asdict() | {name: new}))


RUN_WORDS: Final = tuple(_OF_RUNS)
