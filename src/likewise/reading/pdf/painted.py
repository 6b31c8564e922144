"""The pieces of text that a page of a PDF paints, and what it paints below and above them."""

from __future__ import annotations

from ctypes import addressof, byref, c_float, c_int, c_uint
from dataclasses import dataclass, field
from math import hypot
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium

from likewise.reading.pdf.drawn import DEEPEST, MOST_OBJECTS, UNMOVED, Box, Matrix
from likewise.reading.pdf.drawn import _bounds as bounds_of
from likewise.reading.pdf.drawn import _matrix_of as matrix_of
from likewise.reading.pdf.drawn import _times as moved_by

MOST_PATHS = 3_000  # of a page that are looked at as areas: more is a map
SMALLEST_SIDE = 4.0  # points of an area that can lie below or above a word
SIMPLE = 6  # corners at most of what is certainly a rectangle
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
        a, b, c, d, _, _ = moved_by(matrix_of(self.thing), self.matrix)
        return abs(_X.value) * min(hypot(a, b), hypot(c, d))


class Area(NamedTuple):
    """A filled shape or a picture; without a `colour` it can be of any."""

    thing: Any
    order: int
    box: Box
    colour: Colour | None
    is_picture: bool


@dataclass(slots=True)
class Painted:
    """All of it in the order in which it is painted."""

    texts: list[TextPiece] = field(default_factory=list)
    areas: list[Area] = field(default_factory=list)
    objects: int = 0
    paths: int = 0


def painted_on(page: Any) -> Painted:
    """What a page (PDFium's handle of it) paints, some microseconds for every piece."""
    painted = Painted()
    _add(
        painted,
        (page, pdfium.FPDFPage_CountObjects, pdfium.FPDFPage_GetObject),
        (UNMOVED, 255, EVERYWHERE),
        0,
    )
    return painted


_Inherited = tuple[Matrix, int, Box]


def _add(painted: Painted, holder: tuple[Any, Any, Any], inherited: _Inherited, depth: int) -> None:
    things, count, get = holder
    matrix, opacity, outer = inherited
    clips: dict[int, Box] = {}
    kind_of, mode_of = pdfium.FPDFPageObj_GetType, pdfium.FPDFTextObj_GetTextRenderMode
    colour_of = pdfium.FPDFPageObj_GetFillColor
    for i in range(min(count(things), MOST_OBJECTS - painted.objects)):
        thing = get(things, i)
        if not thing:
            continue
        painted.objects += 1
        kind = kind_of(thing)
        if kind == pdfium.FPDF_PAGEOBJ_TEXT:
            box = bounds_of(thing, matrix)
            if box is None:
                continue
            mode = mode_of(thing)
            if mode in _STROKED:
                pdfium.FPDFPageObj_GetStrokeColor(thing, *_COLOUR_REFS)
            else:
                colour_of(thing, *_COLOUR_REFS)
            painted.texts.append(
                TextPiece(
                    thing,
                    painted.objects,
                    box,
                    mode,
                    (_RED.value, _GREEN.value, _BLUE.value),
                    _ALPHA.value * opacity // 255,
                    _clip(thing, matrix, outer, clips),
                    matrix,
                )
            )
        elif kind == pdfium.FPDF_PAGEOBJ_FORM:
            if depth < DEEPEST:
                opaque = colour_of(thing, *_COLOUR_REFS)
                here = (
                    moved_by(matrix_of(thing), matrix),
                    _ALPHA.value * opacity // 255 if opaque else opacity,
                    _clip(thing, matrix, outer, clips),
                )
                inside = (thing, pdfium.FPDFFormObj_CountObjects, pdfium.FPDFFormObj_GetObject)
                _add(painted, inside, here, depth + 1)
        elif kind == pdfium.FPDF_PAGEOBJ_PATH:
            painted.paths += 1
            if painted.paths <= MOST_PATHS:
                _add_area(painted, thing, matrix)
        elif box := bounds_of(thing, matrix):  # a picture or a shading
            picture = kind == pdfium.FPDF_PAGEOBJ_IMAGE
            painted.areas.append(Area(thing, painted.objects, box, None, picture))


def _add_area(painted: Painted, path: Any, matrix: Matrix) -> None:
    box = bounds_of(path, matrix)
    if box is None or min(box[2] - box[0], box[3] - box[1]) < SMALLEST_SIDE:
        return
    if not pdfium.FPDFPath_GetDrawMode(path, byref(_MODE), byref(_STROKE)) or not _MODE.value:
        return
    colour = None
    if pdfium.FPDFPath_CountSegments(path) <= SIMPLE:
        pdfium.FPDFPageObj_GetFillColor(path, *_COLOUR_REFS)
        if _ALPHA.value == 255:
            colour = _RED.value, _GREEN.value, _BLUE.value
    painted.areas.append(Area(path, painted.objects, box, colour, False))


def _clip(thing: Any, matrix: Matrix, outer: Box, known: dict[int, Box]) -> Box:
    """The box around what the clip of a thing lets through."""
    clip = pdfium.FPDFPageObj_GetClipPath(thing)
    number = pdfium.FPDFClipPath_CountPaths(clip) if clip else 0
    if number <= 0:
        return outer
    # Things that share the last path of their clip share all of it.
    last = pdfium.FPDFClipPath_GetPathSegment(clip, number - 1, 0)
    key = addressof(last.contents) if last else 0
    if key not in known:
        box = outer
        for i in range(number):
            box = _overlap(box, _path_box(clip, i, matrix))
        known[key] = box
    return known[key]


def _path_box(clip: Any, index: int, matrix: Matrix) -> Box:
    number = pdfium.FPDFClipPath_CountPathSegments(clip, index)
    if not 0 < number <= 1000:
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
_RED, _GREEN, _BLUE, _ALPHA = c_uint(), c_uint(), c_uint(), c_uint()
_COLOUR_REFS = byref(_RED), byref(_GREEN), byref(_BLUE), byref(_ALPHA)
