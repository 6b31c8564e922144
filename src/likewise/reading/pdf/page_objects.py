"""What a page of a PDF draws: ruling lines, pictures and pieces of text, as they are painted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from ctypes import addressof, byref, c_float, c_int, c_uint
from dataclasses import dataclass, field
from math import hypot
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium

MOST_OBJECTS = 50_000  # of a page; maps and plots have more and no tables
MOST_CORNERS = 20_000  # of paths of a page that are followed corner by corner
DEEPEST = 8  # forms inside forms
MOST_SHAPES = 1_000  # of a page that may lie below or above a word
LARGE = 4.0  # points of such a shape in each direction, at least
THIN = 3.5  # points; a thicker bar is an area
SHORTEST = 3.0  # points; below are dots and dashes
FARTHEST = 1e6  # points from the corner of a page; beyond is a mistake or an attack
STRAIGHT = 0.6  # points that a line may lean

Matrix = tuple[float, float, float, float, float, float]
Box = tuple[float, float, float, float]  # left, bottom, right, top
UNMOVED: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Rule:
    """A straight line along the page: at `at`, from `start` to `end`."""

    at: float
    start: float
    end: float


class Form(NamedTuple):
    """A drawing inside a page: where it is moved, and the number of the form that holds it."""

    thing: Any
    matrix: Matrix
    holder: int


@dataclass(slots=True)
class PageObjects:
    """The lines across and down a page, in the order found, its pictures, and what else it paints.

    Pieces of text come with their order and the number of the form that holds them, large shapes
    with their order and their box; shadings and pictures are such, too.
    """

    across: list[Rule] = field(default_factory=list)
    down: list[Rule] = field(default_factory=list)
    pictures: list[tuple[Any, Box]] = field(default_factory=list)
    texts: list[tuple[int, Any, int]] = field(default_factory=list)
    shapes: list[tuple[int, Any, int, Box]] = field(default_factory=list)
    forms: list[Form] = field(default_factory=lambda: [Form(None, UNMOVED, -1)])
    paths: int = 0
    is_complete: bool = True

    def line(self, x0: float, y0: float, x1: float, y1: float) -> None:
        """Keep a stroke if it runs along the page."""
        if not max(abs(x0), abs(y0), abs(x1), abs(y1)) < FARTHEST:
            return
        if abs(y1 - y0) <= STRAIGHT:
            if abs(x1 - x0) >= SHORTEST:
                self.across.append(Rule((y0 + y1) / 2, min(x0, x1), max(x0, x1)))
        elif abs(x1 - x0) <= STRAIGHT and abs(y1 - y0) >= SHORTEST:
            self.down.append(Rule((x0 + x1) / 2, min(y0, y1), max(y0, y1)))

    def turned(self, quarters: int) -> PageObjects:
        """The lines after quarters of a turn clockwise, about the corner of the page."""
        across, down = self.across, self.down
        for _ in range(quarters % 4):  # (x, y) goes to (y, -x)
            across, down = (
                [Rule(-rule.at, rule.start, rule.end) for rule in down],
                [Rule(rule.at, -rule.end, -rule.start) for rule in across],
            )
        return PageObjects(across, down)  # all that tables need


def page_objects_on(page: Any) -> PageObjects:
    """Everything that a page (PDFium's handle of it) draws, a few microseconds an object."""
    objects = PageObjects()
    corners = MOST_CORNERS
    for order, (thing, kind, holder) in enumerate(_things(page, objects)):
        if kind == pdfium.FPDF_PAGEOBJ_TEXT:
            objects.texts.append((order, thing, holder))
            continue
        matrix = objects.forms[holder].matrix
        box = bounds_of(thing, matrix)
        if box is None:
            continue
        left, bottom, right, top = box
        if kind == pdfium.FPDF_PAGEOBJ_PATH:
            objects.paths += 1
            corners -= _path(thing, box, matrix, objects, corners)
        elif kind == pdfium.FPDF_PAGEOBJ_IMAGE:
            objects.pictures.append((thing, box))
        if min(right - left, top - bottom) > LARGE and len(objects.shapes) < MOST_SHAPES:
            objects.shapes.append((order, thing, kind, box))
    return objects


def _things(page: Any, objects: PageObjects) -> Iterator[tuple[Any, int, int]]:
    """Objects of a page and of the forms on it as they are painted, with the form's number."""
    remaining = MOST_OBJECTS

    def inside(holder: Any, number: int, depth: int) -> Iterator[tuple[Any, int, int]]:
        nonlocal remaining
        count, get, kind_of = (
            pdfium.FPDFFormObj_CountObjects if depth else pdfium.FPDFPage_CountObjects,
            pdfium.FPDFFormObj_GetObject if depth else pdfium.FPDFPage_GetObject,
            pdfium.FPDFPageObj_GetType,
        )
        for i in range(count(holder)):
            if not remaining:
                objects.is_complete = False
                return
            remaining -= 1
            thing = get(holder, i)
            if not thing:
                continue
            kind = kind_of(thing)
            if kind != pdfium.FPDF_PAGEOBJ_FORM:
                yield thing, kind, number
            elif depth < DEEPEST:
                matrix = times(matrix_of(thing), objects.forms[number].matrix)
                objects.forms.append(Form(thing, matrix, number))
                yield from inside(thing, len(objects.forms) - 1, depth + 1)

    return inside(page, 0, 0)


def _path(path: Any, box: Box, matrix: Matrix, objects: PageObjects, corners: int) -> int:
    """Add the rules of one path; how many corners were followed."""
    left, bottom, right, top = box
    width, height = right - left, top - bottom
    if max(width, height) < SHORTEST:
        return 0
    if min(width, height) > THIN:
        return _corners(path, matrix, objects, corners)
    if width >= 2 * height and _painted(path):
        objects.across.append(Rule((bottom + top) / 2, left, right))
    elif height >= 2 * width and _painted(path):
        objects.down.append(Rule((left + right) / 2, bottom, top))
    return 0


def _corners(path: Any, matrix: Matrix, objects: PageObjects, corners: int) -> int:
    number = pdfium.FPDFPath_CountSegments(path)
    if number > corners:
        return 0  # a map or a plot, not a frame of cells
    if not _painted(path) or not _STROKE.value:
        return 0  # an area: a background may end anywhere, only what is drawn around it counts
    a, b, c, d, e, f = times(matrix_of(path), matrix)
    first = last = None
    for i in range(number):
        segment = pdfium.FPDFPath_GetPathSegment(path, i)
        kind = pdfium.FPDFPathSegment_GetType(segment)
        pdfium.FPDFPathSegment_GetPoint(segment, _X_REF, _Y_REF)
        x, y = _X.value, _Y.value
        here = a * x + c * y + e, b * x + d * y + f
        if kind == pdfium.FPDF_SEGMENT_MOVETO:
            first = here
        elif last and kind == pdfium.FPDF_SEGMENT_LINETO:
            objects.line(*last, *here)
        if first and pdfium.FPDFPathSegment_GetClose(segment):
            objects.line(*here, *first)
        last = here
    return int(number)


def _painted(path: Any) -> bool:
    """Whether a path is seen at all: a clip is not, and a white area on white paper is not."""
    if not pdfium.FPDFPath_GetDrawMode(path, byref(_MODE), byref(_STROKE)):
        return False
    return bool(_MODE.value or _STROKE.value)


def bounds_of(thing: Any, matrix: Matrix) -> Box | None:
    if not pdfium.FPDFPageObj_GetBounds(thing, *_EDGE_REFS):
        return None
    left, bottom, right, top = (edge.value for edge in _EDGES)
    if not max(map(abs, (left, bottom, right, top))) < FARTHEST:  # nor is not-a-number
        return None
    if matrix is UNMOVED:
        return left, bottom, right, top
    a, b, c, d, e, f = matrix
    xs = [a * x + c * y + e for x in (left, right) for y in (bottom, top)]
    ys = [b * x + d * y + f for x in (left, right) for y in (bottom, top)]
    return min(xs), min(ys), max(xs), max(ys)


def matrix_of(thing: Any) -> Matrix:
    matrix = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(thing, byref(matrix)):
        return UNMOVED
    return matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f


def times(first: Matrix, then: Matrix) -> Matrix:
    """One movement after another."""
    if then is UNMOVED:
        return first
    a, b, c, d, e, f = first
    p, q, r, s, t, u = then
    return (
        a * p + b * r,
        a * q + b * s,
        c * p + d * r,
        c * q + d * s,
        e * p + f * r + t,
        e * q + f * s + u,
    )


# PDFium answers through pointers; one process reads one page at a time, so that these are enough.
_X, _Y = c_float(), c_float()
_X_REF, _Y_REF = byref(_X), byref(_Y)
_EDGES = tuple(c_float() for _ in range(4))
_EDGE_REFS = tuple(byref(edge) for edge in _EDGES)
_MODE, _STROKE = c_int(), c_int()


# The pieces of text that a page of a PDF paints, and what lies below and above them.

SIMPLE = 6  # corners at most of what is certainly a rectangle
MOST_CLIP_CORNERS = 1_000  # of a clip that is followed
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

    def __init__(self, objects: PageObjects) -> None:
        self._objects = objects
        self._clips: dict[int, Box] = {}
        self._inherited: dict[int, tuple[int, Box]] = {0: (255, EVERYWHERE)}

    def pieces(self, texts: Sequence[tuple[int, Any, int]]) -> list[TextPiece]:
        """Those of the pieces of text that cover some room; others are blanks."""
        pieces = []
        mode_of = pdfium.FPDFTextObj_GetTextRenderMode
        for order, thing, holder in texts:
            matrix = self._objects.forms[holder].matrix
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
        for order, thing, kind, box in self._objects.shapes:
            if kind != pdfium.FPDF_PAGEOBJ_PATH:
                picture = kind == pdfium.FPDF_PAGEOBJ_IMAGE
                areas.append(Area(order, box, None, picture))
            elif pdfium.FPDFPath_GetDrawMode(thing, _MODE_REF, _STROKE_REF) and _MODE.value:
                areas.append(Area(order, box, _colour_of(thing), False))
        return areas

    def _from(self, holder: int) -> tuple[int, Box]:
        """How opaque all in a form is, and the box outside of which nothing of it shows."""
        if holder not in self._inherited:
            form = self._objects.forms[holder]
            opacity, clip = self._from(form.holder)
            if pdfium.FPDFPageObj_GetFillColor(form.thing, *_COLOUR_REFS):
                opacity = opacity * _ALPHA.value // 255
            around = self._objects.forms[form.holder].matrix
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
    if not 0 < number <= MOST_CLIP_CORNERS:
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
_MODE_REF, _STROKE_REF = byref(_MODE), byref(_STROKE)
_RED, _GREEN, _BLUE, _ALPHA = c_uint(), c_uint(), c_uint(), c_uint()
_COLOUR_REFS = byref(_RED), byref(_GREEN), byref(_BLUE), byref(_ALPHA)
