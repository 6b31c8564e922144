"""A photographed sheet made to look scanned: flat, evenly lit, level, cut to its text."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import cv2
import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]

# Pixels of a letter of middling height that are read best and quickest: small ones are enlarged to
# the first, large ones (18 and more at 200 dpi) reduced to the second. More costs time for nothing.
ENLARGED, REDUCED = 18, 15
_PROFILE = 700  # pixels of the longer side, to find the direction of lines in
_LEAST_INK = 12  # pixels of a region of text, in a copy of 1,000 pixels
_MARGIN = 12  # pixels around the text, in the same copy
_DARKEST_PAPER = 0.17  # of the brightest; what is darker is the table, and its grain no print
_MOST_PARTS = 80_000  # letters of a page, and holes in them; a newspaper's has 50,000
_MOST_REMAINING_PARTS = 20_000  # where specks were removed; filtered sand has more
_MOST_PARTS_PER_PIXEL = 0.006  # of print that was resized; it has up to .0025
_STEEPEST = 18.0  # degrees; lines that are steeper belong to a page that lies on its side


def flatten_sheet(picture: Array, corners: Array) -> Array:
    """The sheet between four corners, seen from straight above.

    The new sides are as long as the longer of the two that they come from (Begadil 2018, 2.3).
    """
    upper_left, upper_right, lower_right, lower_left = corners
    width = round(max(_length(upper_left, upper_right), _length(lower_left, lower_right)))
    height = round(max(_length(upper_left, lower_left), _length(upper_right, lower_right)))
    goal = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    transform = cv2.getPerspectiveTransform(corners.astype(np.float32), goal)
    return cv2.warpPerspective(
        picture, transform, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )


def _length(one: Array, other: Array) -> float:
    return float(np.hypot(*(one - other)))


def dark_on_light(grey: Array) -> Array:
    """The page with dark letters: one with light letters on dark is turned into its negative."""
    small = cv2.resize(grey, (64, 64), interpolation=cv2.INTER_AREA)
    darkest, middle, lightest = np.percentile(small, (2, 50, 98))
    if lightest - darkest > 40 and middle < 90 and middle - darkest < lightest - middle:
        return np.asarray(255 - grey)
    return grey


def evenly_lit(grey: Array) -> Array:
    """The page divided by its background, so that paper is white in light and in shadow.

    The background is what is left when everything narrower than a few lines of print is closed.
    """
    height, width = grey.shape
    scale = min(1.0, 800 / max(height, width))
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    letters = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (17, 17))
    paper = cv2.morphologyEx(cv2.GaussianBlur(small, (3, 3), 0), cv2.MORPH_CLOSE, letters)
    paper = cv2.GaussianBlur(cv2.medianBlur(paper, 15), (0, 0), 5)
    darkest = max(24.0, _DARKEST_PAPER * float(np.percentile(paper, 98)))
    paper = np.maximum(paper, round(darkest))
    paper = cv2.resize(paper, (width, height), interpolation=cv2.INTER_LINEAR)
    return cv2.divide(grey, paper, scale=250)


def skew(grey: Array) -> tuple[float, float]:
    """The angle of the lines in degrees, and how clearly they stand apart at it.

    Where the page is turned rightly, rows of pixels are either full of ink or empty: the sum of
    squared differences between neighbouring rows is greatest.
    """
    ink = _ink(grey)
    if not ink.any():
        return 0.0, 0.0
    coarse = np.arange(-_STEEPEST, _STEEPEST + 0.1, 1.0)
    best = max(coarse, key=lambda angle: _stripes(ink, angle))
    for step in (0.25, 0.05):
        near = best + step * np.arange(-4, 5)
        best = max(near, key=lambda angle: _stripes(ink, angle))
    return float(best), _stripes(ink, float(best)) / float(ink.sum())


def _ink(grey: Array) -> Array:
    """Where letters are, in a small copy: without pictures, rules and the edge of the table."""
    scale = min(1.0, _PROFILE / max(grey.shape))
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return _letters_of(_binary(small, 25), _PROFILE // 12, _PROFILE // 3)


def _binary(grey: Array, window: int) -> Array:
    """1 where a pixel is darker than its surroundings."""
    return cv2.adaptiveThreshold(
        grey, 1, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, window, 15
    )


def _letters_of(ink: Array, tallest: int, widest: int) -> Array:
    """The ink without parts that are too large for letters and words."""
    labels, boxes = cv2.connectedComponentsWithStats(ink, connectivity=8)[1:3]
    is_large = (boxes[:, cv2.CC_STAT_HEIGHT] > tallest) | (boxes[:, cv2.CC_STAT_WIDTH] > widest)
    is_large[0] = False  # what is no ink
    return np.where(is_large[labels], 0, ink).astype(np.uint8)


def _stripes(ink: Array, angle: float) -> float:
    height, width = ink.shape
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), angle, 1.0)
    level = cv2.warpAffine(ink, matrix, (width, height), flags=cv2.INTER_NEAREST)
    return float(np.square(np.diff(level.sum(axis=1, dtype=np.float32))).sum())


def turned_by(grey: Array, angle: float) -> Array:
    """The page turned so that lines at an angle become level; white paper fills the corners."""
    height, width = grey.shape
    sine, cosine = abs(np.sin(np.radians(angle))), abs(np.cos(np.radians(angle)))
    wide, high = round(width * cosine + height * sine), round(width * sine + height * cosine)
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), angle, 1.0)
    matrix[:, 2] += ((wide - width) / 2, (high - height) / 2)
    return cv2.warpAffine(grey, matrix, (wide, high), flags=cv2.INTER_CUBIC, borderValue=255)


def crop_to_text(grey: Array) -> Array:
    """The page around its text: margins, and what lies at the edges of the picture, are gone.

    Letters are joined to regions by dilation; regions that hold hardly any ink are no text.
    """
    height, width = grey.shape
    scale = min(1.0, 1000 / max(height, width))
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    ink = _letters_of(_binary(small, 31), 80, 500)
    words = cv2.dilate(ink, np.ones((5, 21), np.uint8))
    boxes = cv2.connectedComponentsWithStats(words, connectivity=8)[2][1:]
    texts = [
        (left, top, left + wide, top + high)
        for left, top, wide, high, _ in boxes.tolist()
        if ink[top : top + high, left : left + wide].sum() >= _LEAST_INK
    ]
    if not texts:
        return grey
    sides = np.array(texts)
    left, top = (sides[:, :2].min(axis=0) - _MARGIN) / scale
    right, bottom = (sides[:, 2:].max(axis=0) + _MARGIN) / scale
    return grey[max(0, int(top)) : int(bottom), max(0, int(left)) : int(right)]


def height_of_letters(grey: Array) -> float | None:
    """The height of a small letter in pixels; None where there is no text to measure."""
    strip = _densest(grey)
    ink = cv2.threshold(strip, 0, 1, cv2.THRESH_BINARY_INV + cv2.THRESH_OTSU)[1]
    boxes = cv2.connectedComponentsWithStats(ink, connectivity=8)[2][1:]
    heights, widths = boxes[:, cv2.CC_STAT_HEIGHT], boxes[:, cv2.CC_STAT_WIDTH]
    letters = heights[(heights >= 5) & (widths >= 2) & (widths < 6 * heights) & (heights < 200)]
    return float(np.median(letters)) if len(letters) >= 20 else None


def holds_letters(grey: Array, most: int = _MOST_PARTS) -> bool:
    """Whether a cleaned page may hold text: not where it is empty, or all specks.

    The engine takes minutes to find out that a picture of sand is none of a page.
    """
    ink = cv2.threshold(grey, 0, 1, cv2.THRESH_BINARY_INV + cv2.THRESH_OTSU)[1]
    parts = cv2.connectedComponents(ink, connectivity=8)[0] - 1
    holes = cv2.connectedComponents(1 - ink, connectivity=4)[0] - 1  # where specks run together
    most_here = min(most, 1_000 + _MOST_PARTS_PER_PIXEL * grey.size)
    return parts > 0 and parts + holes < most_here


def without_specks(grey: Array) -> Array | None:
    """The page; if it is all specks, as in pictures taken in the dark, without the smallest.

    None where nothing is left that could be print, or more than a page of print has.
    """
    if holds_letters(grey):
        return grey
    for size in (3, 5):
        grey = cv2.medianBlur(grey, size)
        if holds_letters(grey, _MOST_REMAINING_PARTS):
            return grey
    return None


def _densest(grey: Array) -> Array:
    """The part of a large page that is looked at instead of all of it."""
    height = grey.shape[0]
    if height <= 1200:
        return grey
    starts = range(0, height - 1000, 250)
    ink = _ink(grey).sum(axis=1)
    scale = len(ink) / height
    start = max(
        starts, key=lambda start: ink[int(start * scale) : int((start + 1000) * scale)].sum()
    )
    return grey[start : start + 1000]


def resized(grey: Array, factor: float) -> Array:
    """The page larger or smaller."""
    way = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    return cv2.resize(grey, None, fx=factor, fy=factor, interpolation=way)


# Lines that bend, as on paper that curls and in open books, made level.

_WIDTH = 800  # pixels of the copy in which bending is measured
_SMALLEST = 100  # pixels of the copy, in which there are lines to compare
_STRIPS = 24  # across the page; a line is nearly level within one
_BANDS = 4  # down the page; lines bend differently above and below
_DEGREE = 4  # of the polynomial in x that a line follows
_ROUNDS = 3  # of measuring what is left
_FITS = 4  # of the polynomial, each trusting more what agrees
_RIDGE = 0.05  # that keeps the polynomial flat where nothing is seen
_LEAST_REACH = 1.0  # pixels within which steps agree
_LEAST_GAIN = 1.04  # of how clearly lines stand apart; else the page stays as it is
_LEAST_BEND = 1.0  # pixels of the copy


def straighten_lines(grey: Array) -> Array:
    """The page with its lines level; the page itself where they are, or cannot be followed.

    Neighbouring strips of a page show the same lines, a little higher or lower. How much tells the
    correlation of their rows; a polynomial through all these steps is the shape of the lines.
    """
    height, width = grey.shape
    scale = min(1.0, _WIDTH / width)
    if min(height, width) * scale < _SMALLEST:
        return grey
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    ink = np.clip((230 - small.astype(np.float32)) / 230, 0, 1)
    shape = best = np.zeros((_DEGREE, 2), np.float32)
    level, clearest = ink, _LEAST_GAIN * _clearness(ink)
    for _ in range(_ROUNDS):
        more = _bending(level)
        if more is None:
            break
        shape = shape + more
        level = _moved(ink, shape, 1.0)
        if (clear := _clearness(level)) > clearest:
            best, clearest = shape, clear
    if np.abs(_offsets(best, *small.shape)).max() < _LEAST_BEND:
        return grey
    return _moved(grey, best, 1 / scale)


def _moved(page: Array, shape: Array, scale: float) -> Array:
    height, width = page.shape
    offsets = cv2.resize(
        _offsets(shape, 64, 64) * scale, (width, height), interpolation=cv2.INTER_LINEAR
    )
    x = np.broadcast_to(np.arange(width, dtype=np.float32), (height, width))
    y = np.arange(height, dtype=np.float32)[:, None]
    way = cv2.INTER_LINEAR if page.dtype == np.float32 else cv2.INTER_CUBIC
    return cv2.remap(page, x, y + offsets, way, borderMode=cv2.BORDER_REPLICATE)


def _offsets(shape: Array, height: int, width: int) -> Array:
    """How far below its place each pixel is to be found."""
    x, y = np.linspace(-1, 1, width), np.linspace(-1, 1, height)
    across = np.stack([x**power for power in range(1, _DEGREE + 1)])
    down = np.stack([np.ones_like(y), y])
    return np.asarray(np.einsum("pd,px,dy->yx", shape, across, down), np.float32)


def _clearness(ink: Array) -> float:
    """How much rows with and without ink differ."""
    return float(np.square(np.diff(ink.sum(axis=1))).sum())


def _bending(ink: Array) -> Array | None:
    """The polynomial that fits the steps between strips best; None where too few are sure."""
    height, width = ink.shape
    edges = np.linspace(0, width, _STRIPS + 1).astype(int)
    profiles = np.stack([ink[:, a:b].mean(axis=1) for a, b in pairwise(edges)])
    profiles = cv2.GaussianBlur(profiles, (0, 0), sigmaX=1.2, sigmaY=0.01)
    centres = (edges[:-1] + edges[1:]) / width - 1
    powers = np.arange(1, _DEGREE + 1)
    sights: list[tuple[Array, float, float, float]] = []
    band = height // _BANDS
    for top in range(0, height - band + 1, max(1, band // 2)):
        y = 2 * (top + band / 2) / height - 1
        part = profiles[:, top : top + band]
        for apart in (1, 2, 3):
            for one in range(_STRIPS - apart):
                step, trust, ink_there = _step(part[one], part[one + apart], 3 * apart + 2)
                if trust > 0:
                    across = centres[one + apart] ** powers - centres[one] ** powers
                    sights.append((np.outer(across, (1, y)).ravel(), step, trust, ink_there))
    if len(sights) < 4 * _DEGREE:
        return None
    terms = np.stack([term for term, _, _, _ in sights])
    steps, trusts, inks = (np.array([sight[at] for sight in sights]) for at in (1, 2, 3))
    fitted = _fitted(terms, steps, trusts * np.sqrt(inks / inks.max()))
    return np.asarray(fitted.reshape(_DEGREE, 2), np.float32)


def _fitted(terms: Array, steps: Array, trusts: Array) -> Array:
    """Least squares in which sights that disagree with most count less and less (Tukey)."""
    size = terms.shape[1]
    doubts = np.ones_like(trusts)
    fitted = np.zeros(size)
    for _ in range(_FITS):
        weights = trusts * doubts
        left = np.vstack([terms * weights[:, None], _RIDGE * np.eye(size)])
        right = np.concatenate([steps * weights, np.zeros(size)])
        fitted = np.linalg.lstsq(left, right, rcond=None)[0]
        apart = np.abs(terms @ fitted - steps)
        reach = max(4 * float(np.median(apart)), _LEAST_REACH)
        doubts = np.where(apart < reach, 1 - (apart / reach) ** 2, 0)
    return fitted


def _step(one: Array, other: Array, most: int) -> tuple[float, float, float]:
    """How much lower lines lie in a strip than in its neighbour, how alike they are, their ink."""
    one, other = one - one.mean(), other - other.mean()
    size = float(np.sqrt((one @ one) * (other @ other)))
    if size < 1e-3 or len(one) <= 4 * most:
        return 0.0, 0.0, 0.0
    middle = one[most:-most]
    matches = np.correlate(other, middle, "valid") / size
    best = int(np.argmax(matches))
    trust = float(matches[best])
    if trust < 0.3 or best in (0, len(matches) - 1):
        return 0.0, 0.0, 0.0
    before, at, after = matches[best - 1 : best + 2]
    bow = before - 2 * at + after
    part = 0.5 * (before - after) / bow if bow < 0 else 0.0
    return best - most + float(part), trust, size
