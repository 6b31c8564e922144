"""Lines that bend, as on paper that curls and in open books, made level."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import cv2
import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]

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


def straightened(grey: Array) -> Array:
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
    seen: list[tuple[Array, float, float, float]] = []
    band = height // _BANDS
    for top in range(0, height - band + 1, max(1, band // 2)):
        y = 2 * (top + band / 2) / height - 1
        part = profiles[:, top : top + band]
        for apart in (1, 2, 3):
            for one in range(_STRIPS - apart):
                step, trust, ink_there = _step(part[one], part[one + apart], 3 * apart + 2)
                if trust > 0:
                    across = centres[one + apart] ** powers - centres[one] ** powers
                    seen.append((np.outer(across, (1, y)).ravel(), step, trust, ink_there))
    if len(seen) < 4 * _DEGREE:
        return None
    terms = np.stack([term for term, _, _, _ in seen])
    steps, trusts, inks = (np.array([sight[at] for sight in seen]) for at in (1, 2, 3))
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
