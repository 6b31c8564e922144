"""A photographed sheet made to look scanned: flat, evenly lit, level, cut to its text."""

from __future__ import annotations

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
_MOST_PARTS_LEFT = 20_000  # where specks were removed; filtered sand has more
_MOST_PARTS_PER_PIXEL = 0.006  # of print that was resized; it has up to .0025
_STEEPEST = 18.0  # degrees; lines that are steeper belong to a page that lies on its side


def flattened(picture: Array, corners: Array) -> Array:
    """The sheet between four corners, seen from straight above.

    The new sides are as long as the longer of the two that they come from (Begadil 2018, 2.3).
    """
    upper_left, upper_right, lower_right, lower_left = corners
    width = round(max(_length(upper_left, upper_right), _length(lower_left, lower_right)))
    height = round(max(_length(upper_left, lower_left), _length(upper_right, lower_right)))
    goal = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    seen = cv2.getPerspectiveTransform(corners.astype(np.float32), goal)
    return cv2.warpPerspective(
        picture, seen, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
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


def cropped(grey: Array) -> Array:
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
        if holds_letters(grey, _MOST_PARTS_LEFT):
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
