"""The pieces of text that a page of a PDF paints, and what lies below and above them."""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import addressof, byref, c_float, c_int, c_uint
from math import hypot
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium

from likewise.reading.pdf.drawn import Box, Drawn, Matrix, bounds_of, matrix_of, times

SIMPLE = 6  # corners at most of what is certainly a rectangle
MOST_CORNERS = 1_000  # of a clip that is followed
EVERYWHERE: Box = (float("-inf"), float("-inf"), float("inf"), float("inf"))

Colour = tuple[int, int, int]  # red, green and blue up to 255


class TextPiece(NamedTuple):
    """Text that a page paints at once; `clip` is the box outside of which nothing shows."""

    thing: Any
    order: int
    box: Box
    mode: int
    colour: Colour
    alpha: int
    clip: Box
    matrix: Matrix

    @property
    def size(self) -> float:
        """The size of its letters on the page, in points, or their width if that is less."""
        pdfium.FPDFTextObj_GetFontSize(self.thing, byref(_X))
        a, b, c, d, _, _ = times(matrix_of(self.thing), self.matrix)
        return abs(_X.value) * min(hypot(a, b), hypot(c, d))


class Area(NamedTuple):
    """A filled shape or a picture; without a `colour` it can be of any."""

    order: int
    box: Box
    colour: Colour | None
    is_picture: bool


class Painter:
    """Looks up how the pieces of a page are painted, some microseconds for each."""

    def __init__(self, drawn: Drawn) -> None:
        self._drawn = drawn
        self._clips: dict[int, Box] = {}
        self._inherited: dict[int, tuple[int, Box]] = {0: (255, EVERYWHERE)}

    def pieces(self, texts: Sequence[tuple[int, Any, int]]) -> list[TextPiece]:
        """Those of the pieces of text that cover some room; others are blanks."""
        pieces = []
        mode_of = pdfium.FPDFTextObj_GetTextRenderMode
        for order, thing, holder in texts:
            matrix = self._drawn.forms[holder].matrix
            box = bounds_of(thing, matrix)
            if box is None or box[0] >= box[2] or box[1] >= box[3]:
                continue
            mode = mode_of(thing)
            if mode in _STROKED:
                pdfium.FPDFPageObj_GetStrokeColor(thing, *_COLOUR_REFS)
            else:
                pdfium.FPDFPageObj_GetFillColor(thing, *_COLOUR_REFS)
            colour = _RED.value, _GREEN.value, _BLUE.value
            alpha = _ALPHA.value
            opacity, clip = self._from(holder)
            clip = self._clip(thing, matrix, clip)
            alpha = alpha * opacity // 255
            pieces.append(TextPiece(thing, order, box, mode, colour, alpha, clip, matrix))
        return pieces

    def areas(self) -> list[Area]:
        """What is filled, in the order in which it is painted."""
        areas = []
        for order, thing, kind, box in self._drawn.shapes:
            if kind != pdfium.FPDF_PAGEOBJ_PATH:
                picture = kind == pdfium.FPDF_PAGEOBJ_IMAGE
                areas.append(Area(order, box, None, picture))
            elif pdfium.FPDFPath_GetDrawMode(thing, _MODE_REF, _STROKE_REF) and _MODE.value:
                areas.append(Area(order, box, _colour_of(thing), False))
        return areas

    def _from(self, holder: int) -> tuple[int, Box]:
        """How opaque all in a form is, and the box outside of which nothing of it shows."""
        if holder not in self._inherited:
            form = self._drawn.forms[holder]
            opacity, clip = self._from(form.holder)
            if pdfium.FPDFPageObj_GetFillColor(form.thing, *_COLOUR_REFS):
                opacity = opacity * _ALPHA.value // 255
            around = self._drawn.forms[form.holder].matrix
            self._inherited[holder] = opacity, self._clip(form.thing, around, clip)
        return self._inherited[holder]

    def _clip(self, thing: Any, matrix: Matrix, outer: Box) -> Box:
        """The box around what the clip of a thing lets through."""
        clip = pdfium.FPDFPageObj_GetClipPath(thing)
        number = pdfium.FPDFClipPath_CountPaths(clip) if clip else 0
        if number <= 0:
            return outer
        # Things that share the last path of their clip share all of it.
        last = pdfium.FPDFClipPath_GetPathSegment(clip, number - 1, 0)
        if not last:
            return outer
        key = addressof(last.contents)
        if key not in self._clips:
            box = outer
            for i in range(number):
                box = _overlap(box, _path_box(clip, i, matrix))
            self._clips[key] = box
        return self._clips[key]


def _colour_of(path: Any) -> Colour | None:
    """The colour that certainly fills the box of a path."""
    if pdfium.FPDFPath_CountSegments(path) > SIMPLE:
        return None
    pdfium.FPDFPageObj_GetFillColor(path, *_COLOUR_REFS)
    return (_RED.value, _GREEN.value, _BLUE.value) if _ALPHA.value == 255 else None


def _path_box(clip: Any, index: int, matrix: Matrix) -> Box:
    number = pdfium.FPDFClipPath_CountPathSegments(clip, index)
    if not 0 < number <= MOST_CORNERS:
        return EVERYWHERE
    a, b, c, d, e, f = matrix
    xs, ys = [], []
    for i in range(number):
        segment = pdfium.FPDFClipPath_GetPathSegment(clip, index, i)
        pdfium.FPDFPathSegment_GetPoint(segment, byref(_X), byref(_Y))
        x, y = _X.value, _Y.value
        xs.append(a * x + c * y + e)
        ys.append(b * x + d * y + f)
    return min(xs), min(ys), max(xs), max(ys)


def _overlap(one: Box, other: Box) -> Box:
    return (
        max(one[0], other[0]),
        max(one[1], other[1]),
        min(one[2], other[2]),
        min(one[3], other[3]),
    )


_STROKED = (pdfium.FPDF_TEXTRENDERMODE_STROKE, pdfium.FPDF_TEXTRENDERMODE_STROKE_CLIP)

# PDFium answers through pointers; one process reads one page at a time, so that these are enough.
_X, _Y = c_float(), c_float()
_MODE, _STROKE = c_int(), c_int()
_MODE_REF, _STROKE_REF = byref(_MODE), byref(_STROKE)
_RED, _GREEN, _BLUE, _ALPHA = c_uint(), c_uint(), c_uint(), c_uint()
_COLOUR_REFS = byref(_RED), byref(_GREEN), byref(_BLUE), byref(_ALPHA)
