"""Pieces of text that may not be seen because of what lies below or above them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from likewise.reading.draft import Hidden
from likewise.reading.pdf.drawn import Box
from likewise.reading.pdf.painted import Area, Colour, TextPiece

WHITE = 242  # of 255: paper, for those who look at it
NEAR = 12  # of 255 in each colour: the same to the eye
COVERED = 0.9  # of a piece of text below or above something
MOST_AREAS = 500  # of a page that are compared with its text


class Suspect(NamedTuple):
    """A piece of text that may be hidden, and how."""

    piece: TextPiece
    how: str


def by_what_is_around(pieces: Sequence[TextPiece], areas: Sequence[Area]) -> list[Suspect]:
    """White pieces with nothing dark below, pieces of their ground's colour, covered pieces."""
    if not areas:
        return [Suspect(piece, Hidden.WHITE) for piece in pieces if _is_white(piece.colour)]
    if not pieces:
        return []
    boxes = np.array([piece.box for piece in pieces])
    orders = np.array([piece.order for piece in pieces])
    ground: list[Area | None] = [None] * len(pieces)
    covered: set[int] = set()
    for area in areas[:MOST_AREAS]:
        there = _covers(area.box, boxes)
        for i in np.flatnonzero(there & (orders > area.order)).tolist():
            ground[i] = area
        covered.update(np.flatnonzero(there & (orders < area.order)).tolist())
    suspects = []
    for i, piece in enumerate(pieces):
        below = ground[i]
        colour = (255, 255, 255) if below is None else below.colour
        if colour is None:
            alike = _is_white(piece.colour)  # of a picture nobody knows the colour
        else:
            alike = _near(piece.colour, colour) or (_is_white(piece.colour) and _is_white(colour))
        if alike:
            suspects.append(Suspect(piece, Hidden.WHITE))
        elif i in covered:
            suspects.append(Suspect(piece, Hidden.UNDER_PICTURE))
    return suspects


def _covers(area: Box, boxes: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Which boxes an area covers, but for a little."""
    left, bottom, right, top = boxes.T
    width = np.minimum(right, area[2]) - np.maximum(left, area[0])
    height = np.minimum(top, area[3]) - np.maximum(bottom, area[1])
    return np.asarray(
        (width > COVERED * (right - left)) & (height > COVERED * (top - bottom)), dtype=bool
    )


def _is_white(colour: Colour) -> bool:
    red, green, blue = colour
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue >= WHITE


def _near(one: Colour, other: Colour) -> bool:
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) <= NEAR
