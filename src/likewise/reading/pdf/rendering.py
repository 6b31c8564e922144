"""Pages of a PDF rendered as pictures, for those who must look at them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from ctypes import POINTER, byref, c_int, c_ubyte, cast
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium

from likewise.reading.pdf.page_objects import Box
from likewise.reading.pdf.pdf_file import open_pdf
from likewise.reading.request import Limits

POINTS_AN_INCH = 72


def pages_as_pictures(
    data: bytes,
    numbers: Iterable[int],
    dpi: float = 300,
    *,
    grey: bool = True,
    limits: Limits | None = None,
) -> Iterator[np.ndarray[Any, np.dtype[np.uint8]]]:
    """The pages with these numbers, counted from 1, as people see them; one picture at a time.

    Grey pictures are height x width, others height x width x red, green and blue. A page with more
    pixels than the limit is shown smaller; one that cannot be opened is a single white pixel.
    Raises `ReadingError` where another password is needed; nothing comes of a file without pages.
    """
    limits = limits or Limits()
    pdf = open_pdf(data)
    if pdf is None:
        return
    try:
        for number in numbers:
            page = pdfium.FPDF_LoadPage(pdf.document, number - 1)
            if not page:
                yield np.full((1, 1) if grey else (1, 1, 3), 255, np.uint8)
                continue
            try:
                pixels = pixels_of(page, _size(page, dpi, limits.pixels), 1 if grey else 3)
            finally:
                pdfium.FPDF_ClosePage(page)
            yield pixels[:, :, 0] if grey else np.ascontiguousarray(pixels[:, :, ::-1])
    finally:
        pdf.document.close()


def _size(page: Any, dpi: float, most: int) -> tuple[int, int]:
    width = pdfium.FPDF_GetPageWidthF(page) * dpi / POINTS_AN_INCH
    height = pdfium.FPDF_GetPageHeightF(page) * dpi / POINTS_AN_INCH
    smaller = min(1.0, (most / max(1.0, width * height)) ** 0.5)
    return max(1, min(most, int(width * smaller))), max(1, min(most, int(height * smaller)))


# Looking at a page: which of its pieces of text would be missed if they were not there.

SCALE = 1.0  # pixels a point
MOST_PIXELS = 4_000_000  # of a page that is looked at; posters are looked at from afar
VISIBLE_DIFFERENCE = (
    20  # of 255 levels of a colour by which a letter differs from what is around it
)
INSIDE = 0.15  # of the height of a box at each side that belongs to its neighbours

Pixels = np.ndarray[Any, np.dtype[np.uint8]]
Part = tuple[int, int, int, int]  # left, top, right and bottom, in pixels


class PageRendering:
    """The part of a page around some boxes, as it is seen."""

    def __init__(self, page: Any, boxes: Sequence[Box]) -> None:
        self._page = page
        width, height = pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)
        scale = min(SCALE, (MOST_PIXELS / max(1.0, width * height)) ** 0.5)
        self._size = max(1, int(width * scale)), max(1, int(height * scale))
        parts = [self._in_pixels(box) for box in boxes]
        self._parts = dict(zip(boxes, parts, strict=True))
        self._window = (
            min(part[0] for part in parts),
            min(part[1] for part in parts),
            max(part[2] for part in parts),
            max(part[3] for part in parts),
        )
        self._whole = self._pixels()

    def missed(self, things: Sequence[Any], boxes: Sequence[Box]) -> list[bool]:
        """For every piece of text whether its place looks different once all are taken away."""
        with _taken_away(things):
            without = self._pixels()
        darker = np.maximum(self._whole, without) - np.minimum(self._whole, without)
        return [int(self._part(darker, box).max(initial=0)) >= VISIBLE_DIFFERENCE for box in boxes]

    def blank(self, box: Box) -> bool:
        """Whether a place shows one even colour."""
        part = self._part(self._whole, box).reshape(-1, 3)
        return part.size == 0 or int(np.ptp(part, axis=0).max()) < VISIBLE_DIFFERENCE

    def _part(self, pixels: Pixels, box: Box) -> Pixels:
        x0, y0, x1, y1 = self._parts[box]
        left, top, _, _ = self._window
        return pixels[y0 - top : y1 - top, x0 - left : x1 - left]

    def _in_pixels(self, box: Box) -> Part:
        left, bottom, right, top = box
        inside = INSIDE * min(right - left, top - bottom)
        corners = [(left + inside, bottom + inside), (right - inside, top - inside)]
        xs, ys = zip(*(self._pixel(x, y) for x, y in corners), strict=True)
        width, height = self._size
        x0, y0 = (min(max(0, at), most - 1) for at, most in ((min(xs), width), (min(ys), height)))
        return x0, y0, max(x0, min(width - 1, max(xs))) + 1, max(y0, min(height - 1, max(ys))) + 1

    def _pixel(self, x: float, y: float) -> tuple[int, int]:
        width, height = self._size
        pdfium.FPDF_PageToDevice(self._page, 0, 0, width, height, 0, x, y, byref(_X), byref(_Y))
        return _X.value, _Y.value

    def _pixels(self) -> Pixels:
        return pixels_of(self._page, self._size, 3, self._window)


def pixels_of(page: Any, size: tuple[int, int], colours: int, part: Part | None = None) -> Pixels:
    """A page painted on white paper of this size, or a part of it.

    Grey with one colour, or blue, green and red: height x width x colours.
    """
    left, top, right, bottom = part or (0, 0, *size)
    width, height = right - left, bottom - top
    form = pdfium.FPDFBitmap_Gray if colours == 1 else pdfium.FPDFBitmap_BGR
    bitmap = pdfium.FPDFBitmap_CreateEx(width, height, form, None, 0)
    if not bitmap:
        raise MemoryError(f"a picture of {width} x {height} pixels")
    try:
        pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xFFFFFFFF)
        pdfium.FPDF_RenderPageBitmap(bitmap, page, -left, -top, *size, 0, 0)
        stride = pdfium.FPDFBitmap_GetStride(bitmap)
        start = cast(pdfium.FPDFBitmap_GetBuffer(bitmap), POINTER(c_ubyte))
        rows = np.ctypeslib.as_array(start, (height, stride))
        return rows[:, : width * colours].reshape(height, width, colours).copy()
    finally:
        pdfium.FPDFBitmap_Destroy(bitmap)


@contextmanager
def _taken_away(things: Sequence[Any]) -> Iterator[None]:
    for thing in things:
        pdfium.FPDFPageObj_SetIsActive(thing, False)
    try:
        yield
    finally:
        for thing in things:
            pdfium.FPDFPageObj_SetIsActive(thing, True)


_X, _Y = c_int(), c_int()
