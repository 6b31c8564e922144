"""Two pages in one picture: an open book, cut at its gutter."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]

_WIDTH = 600  # pixels of the copy that is looked at
_LEAST_SHAPE = 1.15  # width to height; two upright pages side by side are wider than high
_GUTTER = 0.03  # of the width: what is narrower may be a space between columns
_LEAST_LINES = 6  # on either side; a gap in a short text is no gutter
_LEAST_LENGTH = 0.7  # of the page's width is covered by most lines; a table's have gaps
_SPACE = 9  # pixels between words of a line


def split_spread(grey: Array) -> list[Array]:
    """The left and the right page of a spread; the picture itself where no gutter is clear."""
    height, width = grey.shape
    if width < _LEAST_SHAPE * height:
        return [grey]
    scale = min(1.0, _WIDTH / width)
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    ink = (small < 170).astype(np.uint8)
    gutter = _gutter(ink)
    if gutter is None:
        return [grey]
    halves = ink[:, :gutter], ink[:, gutter:]
    if not all(map(_is_page, halves)):
        return [grey]
    cut = round(gutter / scale)
    return [np.ascontiguousarray(grey[:, :cut]), np.ascontiguousarray(grey[:, cut:])]


def _gutter(ink: Array) -> int | None:
    """The middle of the widest empty stripe near the middle; a fold's thin shadow is no ink."""
    height, width = ink.shape
    start, end = round(0.38 * width), round(0.62 * width)
    columns = ink.sum(axis=0)
    is_fold = columns > 0.5 * height
    is_empty = (columns <= 0.01 * height) | is_fold
    best = None
    run = 0
    for column in range(start, end + 1):
        if column < end and is_empty[column]:
            run += 1
            continue
        if run >= max(3, _GUTTER * width) and (best is None or run > best[0]):
            best = run, column - run // 2 - 1
        run = 0
    return best[1] if best else None


def _is_page(ink: Array) -> bool:
    """Whether lines of print stand above one another, and go on from side to side."""
    joined = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((1, _SPACE), np.uint8))
    columns = np.flatnonzero(joined.sum(axis=0))
    if not len(columns):
        return False
    wide = int(columns[-1] - columns[0]) + 1
    rows = joined.sum(axis=1)
    has_ink = rows > 0.02 * ink.shape[1]
    starts = np.flatnonzero(np.diff(has_ink.astype(np.int8), prepend=0) == 1)
    ends = np.flatnonzero(np.diff(has_ink.astype(np.int8), append=0) == -1) + 1
    lengths = [rows[start:end].max() / wide for start, end in zip(starts, ends, strict=True)]
    return len(lengths) >= _LEAST_LINES and float(np.median(lengths)) >= _LEAST_LENGTH
