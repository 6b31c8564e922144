"""Which way up a page is."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from typing import Any

import cv2
import numpy as np

from likewise.reading.image.engine import QUIET, language_data
from likewise.reading.image.text import Recognised

Array = np.ndarray[Any, np.dtype[Any]]

_SURE = 3.0  # of Tesseract's own measure, from which it is believed against the lines
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
    seen = engine.DetectOrientationScript()
    engine.Clear()
    if not seen or seen["orient_conf"] < _SURE:
        return None
    return int(seen["orient_deg"]) // 90


def most_legible_turn(grey: Array, read: Callable[[Array], Recognised]) -> int:
    """The same, found by trying: the way up from which the most is read with confidence."""
    part = densest_part(grey, _TRIED)
    return max(range(4), key=lambda turns: _legible(read(turned(part, turns)), turns))


def _legible(sample: Recognised, turns: int) -> float:
    # What is hardly legible either way stays as it is; most pages are upright.
    return sample.characters * sample.confidence**2 * (1.0 if turns else 1.3)


def turned(grey: Array, turns: int) -> Array:
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
