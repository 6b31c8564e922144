"""The sheets of paper in a photograph, and the two pages of an open book."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]

_LOOKED_AT = 500  # pixels of the longer side: enough for the edge of a sheet, too few for letters
_SMALLEST = 0.08  # of the picture; below, it is a card on a table or a table on a sheet
_LARGEST = 0.97  # above, the sheet is the picture and there is nothing to find
_LEAST_OVERLAP = 0.86  # of four corners with the bright region they were found around
_AGREEING = 3  # ideas of what is paper that are asked: a shadow's edge deceives one of them
_STRAY = 15  # pixels: how far, twice, paper that curls may stray from a straight side
_LEAST_EDGE = 0.5  # of each side must be seen as an edge
_AT_EDGE = 6  # pixels from the edge of the picture
_FAINT = (8, 24)  # thresholds of Canny's method for the edge of paper on a pale table
_SECOND = 0.4  # of the largest sheet: how large another one beside it must be


@dataclass(frozen=True, slots=True)
class Sheet:
    """The four corners of a sheet, clockwise from the upper left, in pixels of the picture.

    `overlap` tells how well they fit: the share that they and regions of paper have in common.
    """

    corners: Array
    overlap: float


def find_sheets(picture: Array) -> list[Sheet]:
    """The sheets in a picture (RGB or grey), in reading order; none where it is one itself.

    A contour is believed only where its four corners cover a region of paper (bright, colourless)
    and hardly anything else: a table or a figure printed on a scan covers little of its paper.
    """
    height, width = picture.shape[:2]
    scale = _LOOKED_AT / max(height, width)
    if scale >= 1 or min(height, width) * scale < 20:
        return []
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    papers = list(_papers(small))
    edges = cv2.dilate(_edges(small, *_FAINT), np.ones((_STRAY, _STRAY), np.uint8))
    candidates = []
    for corners in _quadrilaterals(small, papers):
        if _has_sides(corners, edges):
            overlaps = sorted(_overlap(corners, paper) for paper in papers)
            if overlaps[-1] >= _LEAST_OVERLAP:
                candidates.append(Sheet(corners, sum(overlaps[-_AGREEING:]) / _AGREEING))
    distinct: list[Sheet] = []
    for sheet in sorted(candidates, key=lambda sheet: -sheet.overlap):
        if all(_shared(sheet, other) < 0.1 for other in distinct):
            distinct.append(sheet)
    if not distinct:
        return []
    largest = max(_area(sheet.corners) for sheet in distinct)
    large = [sheet for sheet in distinct if _area(sheet.corners) >= _SECOND * largest]
    large.sort(key=lambda sheet: float(sheet.corners[:, 0].mean()))
    return [Sheet(sheet.corners / scale, sheet.overlap) for sheet in large]


def _papers(small: Array) -> Iterator[Array]:
    """Masks of what may be paper, by several ideas of how paper differs from what it lies on."""
    if small.ndim == 2:
        small = cv2.cvtColor(small, cv2.COLOR_GRAY2RGB)
    smooth = cv2.medianBlur(small, 5)
    hue_free = cv2.cvtColor(smooth, cv2.COLOR_RGB2HSV)
    bright, colour = hue_free[..., 2], hue_free[..., 1]
    around = cv2.blur(cv2.blur(bright, (_LOOKED_AT // 3,) * 2), (_LOOKED_AT // 3,) * 2)
    even = cv2.divide(bright, around, scale=128)
    for plane in (bright, 255 - colour, even):
        yield _closed(cv2.threshold(plane, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)[1])
    # What edges enclose: the only way where the table is as bright as the paper.
    for thresholds in (_FAINT, (20, 60), (50, 150)):
        edges = cv2.dilate(_edges(small, *thresholds), np.ones((3, 3), np.uint8))
        contours = cv2.findContours(edges, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]
        enclosed = np.zeros_like(edges)
        cv2.drawContours(enclosed, contours, -1, 255, cv2.FILLED)
        yield cv2.erode(enclosed, np.ones((3, 3), np.uint8))


def _edges(small: Array, low: int, high: int) -> Array:
    grey = small if small.ndim == 2 else cv2.cvtColor(small, cv2.COLOR_RGB2GRAY)
    return cv2.Canny(cv2.medianBlur(grey, 5), low, high)


def _has_sides(corners: Array, edges: Array) -> bool:
    """Whether something is seen to end along the sides; one may be cut off by the picture's edge.

    Else the shadow of a hand would part a sheet in two.
    """
    height, width = edges.shape
    limits = np.array([width - 1, height - 1], np.float32)
    outside = 0
    for one, other in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        near = (np.abs(np.stack([one, other])) < _AT_EDGE) | (
            np.abs(np.stack([one, other]) - limits) < _AT_EDGE
        )
        if near.all(axis=0).any():
            outside += 1
            continue
        way = np.linspace(0.05, 0.95, 60)[:, None]
        points = np.clip((one + way * (other - one)).round(), 0, limits).astype(int)
        if (edges[points[:, 1], points[:, 0]] > 0).mean() < _LEAST_EDGE:
            return False
    return outside <= 1


def _closed(mask: Array) -> Array:
    """The mask without the holes that print leaves in it, and without specks."""
    wide = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (15, 15))
    narrow = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (9, 9))
    around = cv2.copyMakeBorder(mask, 16, 16, 16, 16, cv2.BORDER_CONSTANT, value=0)
    closed = cv2.morphologyEx(around, cv2.MORPH_CLOSE, wide)[16:-16, 16:-16]
    return cv2.morphologyEx(closed, cv2.MORPH_OPEN, narrow)


def _quadrilaterals(small: Array, papers: list[Array]) -> Iterator[Array]:
    """Four corners around every large region."""
    area = small.shape[0] * small.shape[1]
    for paper in papers:
        contours = cv2.findContours(paper, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]
        for contour in contours:
            if cv2.contourArea(contour) < _SMALLEST * area:
                continue
            corners = _four_corners(cv2.convexHull(contour))
            if corners is not None and _SMALLEST * area <= _area(corners) <= _LARGEST * area:
                yield corners


def _four_corners(hull: Array) -> Array | None:
    """The quadrilateral that a convex contour comes closest to."""
    around = cv2.arcLength(hull, True)
    for share in (0.01, 0.015, 0.02, 0.03, 0.04, 0.05, 0.07, 0.1):
        points = cv2.approxPolyDP(hull, share * around, True).reshape(-1, 2)
        if len(points) == 4:
            return _clockwise(points.astype(np.float32))
        if len(points) < 4:
            break
    return None


def _clockwise(points: Array) -> Array:
    """From the upper left on; the corner nearest to the origin is the upper left one."""
    centre = points.mean(axis=0)
    angles = np.arctan2(points[:, 1] - centre[1], points[:, 0] - centre[0])
    points = points[np.argsort(angles)]
    return np.roll(points, -int(np.argmin(points.sum(axis=1))), axis=0)


def _area(corners: Array) -> float:
    return float(cv2.contourArea(corners))


def _overlap(corners: Array, paper: Array) -> float:
    """What corners and paper have in common, as a share of what either covers.

    Of the paper, the regions count that the corners touch: a lamp elsewhere is no matter.
    """
    filled = _filled(corners, paper.shape[:2])
    parts, labels = cv2.connectedComponents(paper)
    touched = np.bincount(labels[filled > 0], minlength=parts)
    sizes = np.bincount(labels.ravel(), minlength=parts)
    touched[0] = 0
    if not touched.any():
        return 0.0
    part = int(np.argmax(touched))
    together = int(touched[part])
    return together / (int(sizes[part]) + int((filled > 0).sum()) - together)


def _filled(corners: Array, shape: tuple[int, ...]) -> Array:
    mask = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(mask, corners.round().astype(np.int32), 255)
    return mask


def _shared(one: Sheet, other: Sheet) -> float:
    """The part of the smaller sheet that the other one covers."""
    area = cv2.intersectConvexConvex(one.corners, other.corners)[0]
    return float(area) / min(_area(one.corners), _area(other.corners))


# Two pages in one picture: an open book, cut at its gutter.

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
