"""Pages of a PDF as pictures, for those who must look at them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium

from likewise.reading.pdf.looking import pixels_of
from likewise.reading.pdf.open import opened
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
    pdf = opened(data)
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
