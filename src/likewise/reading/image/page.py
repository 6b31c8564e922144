"""The text of a page in a picture, whatever way it was photographed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import import_module
from typing import Any

import cv2
import numpy as np

from likewise.languages import LATIN, language_of
from likewise.reading.image import cleaning
from likewise.reading.image.cleaning import straighten_lines
from likewise.reading.image.engine import QUIET, Line, OcrPage, Word, language_data, recognise
from likewise.reading.image.sheets import find_sheets, split_spread
from likewise.reading.request import LANGUAGES

Array = np.ndarray[Any, np.dtype[Any]]

_DOUBTFUL = 75.0  # confidence of a page below which other ways up are tried as well
_MOST_ENLARGED = 4.0  # times; what is smaller is not legible
_NARROWEST = 12  # pixels; no letter fits in less
_LONGEST_SHAPE = 40  # length to width of a strip with text on it
_MOST_PIXELS = 8_000_000  # of what was enlarged; in larger pictures small things are specks


@dataclass(frozen=True, slots=True)
class Steps:
    """What is done to a picture before it is recognised; benchmarks switch steps off in turn."""

    find_page: bool = True
    divide_background: bool = True
    turn: bool = True
    deskew: bool = True
    straighten: bool = True
    split: bool = True
    crop: bool = True
    rescale: bool = True


ALL_STEPS = Steps()


def read_page(
    picture: Array, languages: Sequence[str] = LANGUAGES, steps: Steps = ALL_STEPS
) -> tuple[OcrPage, ...]:
    """The pages that a picture shows (RGB or grey, 8 bits), in reading order; mostly one."""
    cv2.setNumThreads(1)  # CPU time counts, not waiting; and the same bits everywhere
    height, width = picture.shape[:2]
    if min(height, width) < _NARROWEST or max(height, width) > _LONGEST_SHAPE * min(height, width):
        return (OcrPage(),)
    return tuple(
        recognised
        for sheet in _sheets(picture, steps)
        for recognised in _read_sheet(sheet, languages, steps)
    )


def _sheets(picture: Array, steps: Steps) -> list[Array]:
    grey = picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    sheets = find_sheets(picture) if steps.find_page else []
    return [cleaning.flatten_sheet(grey, sheet.corners) for sheet in sheets] or [grey]


def _read_sheet(grey: Array, languages: Sequence[str], steps: Steps) -> list[OcrPage]:
    grey = cleaning.dark_on_light(grey)
    if steps.divide_background:
        grey = cleaning.evenly_lit(grey)
    if steps.rescale:
        grey = _rescaled(grey)
    clear = cleaning.without_specks(grey)
    if clear is None:
        return [OcrPage()]
    turns = quarter_turns(clear) if steps.turn else 0
    pages = _read_upright(rotate(clear, turns or 0), languages, steps)
    if turns is None and min(page.confidence for page in pages) < _DOUBTFUL:
        turns = most_legible_turn(clear, lambda sample: recognise(sample, languages))
        if turns:
            return _read_upright(rotate(clear, turns), languages, steps)
    return pages


def _read_upright(grey: Array, languages: Sequence[str], steps: Steps) -> list[OcrPage]:
    if steps.deskew:
        grey = cleaning.turned_by(grey, cleaning.skew(grey)[0])
    pages = split_spread(grey) if steps.split else [grey]
    return [recognise_in_its_script(_made_ready(page, steps), languages) for page in pages]


def _made_ready(grey: Array, steps: Steps) -> Array:
    if steps.straighten:
        grey = straighten_lines(grey)
    return cleaning.crop_to_text(grey) if steps.crop else grey


def _rescaled(grey: Array) -> Array:
    """The page with letters as high as the engine reads best and quickest."""
    height = cleaning.height_of_letters(grey)
    if not height:
        return grey
    goal = cleaning.ENLARGED if height < cleaning.REDUCED else cleaning.REDUCED
    factor = min(goal / height, _MOST_ENLARGED, max(1.0, (_MOST_PIXELS / grey.size) ** 0.5))
    return grey if 0.9 < factor < 1.1 else cleaning.resized(grey, factor)


# Recognition that keeps to a page's script: "YANN" in faint print is not "УАПП".

_FAINT = 88.0  # confidence of a page below which all of it is read again
_SURE_WORD = 85.0  # of a word
_NEARLY_ALL = 0.85  # of the letters
_MOST_LINES = 30  # that are read again
_WORSE = 4.0  # confidence that a line may lose by it
_AROUND = 6  # pixels around a line


def recognise_in_its_script(grey: Array, languages: Sequence[str] = LANGUAGES) -> OcrPage:
    """The words on a page; where it is in Latin letters, by those who know no others if need be.

    The engine knows all languages at once and takes a Latin word for a Cyrillic one of the same
    look. On a page in Latin letters such lines are read again, and all lines if print is faint;
    a line that is really in two scripts reads badly in one, and stays.
    """
    page = recognise(grey, languages)
    latin = [code for code in languages if _is_latin(code)]
    if not 0 < len(latin) < len(languages):
        return page
    share = _latin_share_of(page)
    if share >= _NEARLY_ALL and page.confidence < _FAINT:
        return recognise(grey, latin)
    if share <= 0.5:
        return page
    lines = list(page.lines)
    least = -1 if share >= _NEARLY_ALL else 0  # of such a page, also lines without a Latin letter
    mixed = [at for at, line in enumerate(lines) if least < _latin_share(line.words) < 1]
    for at in mixed[:_MOST_LINES]:
        lines[at] = _read_again(grey, lines[at], latin)
    return OcrPage(tuple(lines))


def _is_latin(code: str) -> bool:
    """Languages that only the engine knows are taken to have Latin letters."""
    language = language_of(code)
    return language is None or language.letters == LATIN


def _read_again(grey: Array, line: Line, languages: Sequence[str]) -> Line:
    left, top, right, bottom = line.box
    part = grey[max(0, top - _AROUND) : bottom + _AROUND, max(0, left - _AROUND) : right + _AROUND]
    again = recognise(part, languages, is_one_line=True)
    words = tuple(word for new_line in again.lines for word in new_line.words)
    if again.confidence < line.confidence - _WORSE:
        return line
    return replace(line, words=words)


def _latin_share_of(page: OcrPage) -> float:
    """The same of a page, by the words that one can be sure of if there are any."""
    words = [word for line in page.lines for word in line.words]
    return _latin_share([word for word in words if word.confidence >= _SURE_WORD] or words)


def _latin_share(words: Iterable[Word]) -> float:
    """How many of the letters are Latin; of none at all, all."""
    letters = [letter for word in words for letter in word.text if letter.isalpha()]
    return sum(letter < "\u0250" for letter in letters) / len(letters) if letters else 1.0


# Which way up a page is.

_SURE_ORIENTATION = 3.0  # of Tesseract's own measure, from which it is believed against the lines
_LOOKED_AT = 800  # pixels of the part that is looked at: some fifteen lines
_TRIED = 500  # pixels of the part that is read four times
_CELLS = 16  # in which ink is counted, across and down


def quarter_turns(grey: Array) -> int | None:
    """How often to turn a page by 90 degrees against the clock until it is upright.

    Tesseract looks at the shapes of letters. None where it has no data or sees too few letters.
    """
    engine = _engine(str(language_data()))
    if engine is None:
        return None
    part = densest_part(grey, _LOOKED_AT)
    height, width = part.shape
    engine.SetImageBytes(part.tobytes(), width, height, 1, width)
    engine.SetSourceResolution(300)
    orientation = engine.DetectOrientationScript()
    engine.Clear()
    if not orientation or orientation["orient_conf"] < _SURE_ORIENTATION:
        return None
    return int(orientation["orient_deg"]) // 90


def most_legible_turn(grey: Array, read: Callable[[Array], OcrPage]) -> int:
    """The same, found by trying: the way up from which the most is read with confidence."""
    part = densest_part(grey, _TRIED)
    return max(range(4), key=lambda turns: _legible(read(rotate(part, turns)), turns))


def _legible(sample: OcrPage, turns: int) -> float:
    # What is hardly legible either way stays as it is; most pages are upright.
    return sample.characters * sample.confidence**2 * (1.0 if turns else 1.3)


def rotate(grey: Array, turns: int) -> Array:
    """The page turned by 90 degrees, against the clock."""
    return np.ascontiguousarray(np.rot90(grey, turns)) if turns % 4 else grey


def densest_part(grey: Array, side: int) -> Array:
    """The square with the most ink in it, of a page that is larger."""
    height, width = grey.shape
    rows, columns = min(height, side), min(width, side)
    small = cv2.resize(255 - grey, (_CELLS, _CELLS), interpolation=cv2.INTER_AREA)
    down, across = max(1, _CELLS * rows // height), max(1, _CELLS * columns // width)
    sums = np.pad(small.astype(np.int64), ((1, 0), (1, 0))).cumsum(axis=0).cumsum(axis=1)
    ink = (
        sums[down:, across:]
        - sums[:-down, across:]
        - sums[down:, :-across]
        + sums[:-down, :-across]
    )
    row, column = divmod(int(np.argmax(ink)), ink.shape[1])
    top = min(row * height // _CELLS, height - rows)
    left = min(column * width // _CELLS, width - columns)
    return np.ascontiguousarray(grey[top : top + rows, left : left + columns])


@lru_cache(maxsize=1)
def _engine(folder: str) -> Any:
    os.environ.setdefault("OMP_THREAD_LIMIT", "1")
    tesserocr = import_module("tesserocr")
    try:
        return tesserocr.PyTessBaseAPI(
            path=folder, lang="osd", psm=tesserocr.PSM.OSD_ONLY, variables=QUIET
        )
    except RuntimeError:  # its data are not there
        return None
