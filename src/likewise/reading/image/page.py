"""The text of a page in a picture, whatever way it was photographed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from likewise.reading.image import cleaning
from likewise.reading.image.engine import recognise
from likewise.reading.image.finder import find_sheets
from likewise.reading.image.script import recognise_in_its_script
from likewise.reading.image.splitting import split_spread
from likewise.reading.image.straightening import straightened
from likewise.reading.image.text import Recognised
from likewise.reading.image.turning import most_legible_turn, quarter_turns, turned
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
) -> tuple[Recognised, ...]:
    """The pages that a picture shows (RGB or grey, 8 bits), in reading order; mostly one."""
    cv2.setNumThreads(1)  # CPU time counts, not waiting; and the same bits everywhere
    height, width = picture.shape[:2]
    if min(height, width) < _NARROWEST or max(height, width) > _LONGEST_SHAPE * min(height, width):
        return (Recognised(),)
    return tuple(
        recognised
        for sheet in _sheets(picture, steps)
        for recognised in _read_sheet(sheet, languages, steps)
    )


def _sheets(picture: Array, steps: Steps) -> list[Array]:
    grey = picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    found = find_sheets(picture) if steps.find_page else []
    return [cleaning.flattened(grey, sheet.corners) for sheet in found] or [grey]


def _read_sheet(grey: Array, languages: Sequence[str], steps: Steps) -> list[Recognised]:
    grey = cleaning.dark_on_light(grey)
    if steps.divide_background:
        grey = cleaning.evenly_lit(grey)
    if steps.rescale:
        grey = _rescaled(grey)
    clear = cleaning.without_specks(grey)
    if clear is None:
        return [Recognised()]
    turns = quarter_turns(clear) if steps.turn else 0
    pages = _read_upright(turned(clear, turns or 0), languages, steps)
    if turns is None and min(page.confidence for page in pages) < _DOUBTFUL:
        turns = most_legible_turn(clear, lambda sample: recognise(sample, languages))
        if turns:
            return _read_upright(turned(clear, turns), languages, steps)
    return pages


def _read_upright(grey: Array, languages: Sequence[str], steps: Steps) -> list[Recognised]:
    if steps.deskew:
        grey = cleaning.turned_by(grey, cleaning.skew(grey)[0])
    pages = split_spread(grey) if steps.split else [grey]
    return [recognise_in_its_script(_made_ready(page, steps), languages) for page in pages]


def _made_ready(grey: Array, steps: Steps) -> Array:
    if steps.straighten:
        grey = straightened(grey)
    return cleaning.cropped(grey) if steps.crop else grey


def _rescaled(grey: Array) -> Array:
    """The page with letters as high as the engine reads best and quickest."""
    height = cleaning.height_of_letters(grey)
    if not height:
        return grey
    goal = cleaning.ENLARGED if height < cleaning.REDUCED else cleaning.REDUCED
    factor = min(goal / height, _MOST_ENLARGED, max(1.0, (_MOST_PIXELS / grey.size) ** 0.5))
    return grey if 0.9 < factor < 1.1 else cleaning.resized(grey, factor)
