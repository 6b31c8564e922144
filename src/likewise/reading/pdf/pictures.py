"""The pictures of a PDF, each once, by a hash of what they show."""

from __future__ import annotations

from ctypes import byref, c_ubyte, c_uint
from hashlib import blake2b
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from likewise.model import Picture, Span
from likewise.reading.pdf.drawn import Box
from likewise.reading.pdf.page import LivePage
from likewise.reading.pictures import SMALLEST_SIDE, perceptual_hash, picture_in

MOST = 500  # pictures of a document
WHOLE_PAGE = 0.85  # of a page: a picture that covers so much is the page, and for OCR
SMALLEST_SHOWN = 64  # points; smaller ones are looked at in their own resolution


class Gallery:
    """The pictures met so far: one that is repeated on every page is kept once."""

    def __init__(self, pixels: int) -> None:
        self._pixels = pixels
        self._seen: set[bytes] = set()
        self.kept = 0

    def pictures_on(self, live: LivePage) -> list[Picture]:
        """The new pictures of a page, at no place yet."""
        pictures = []
        pixels = self._pixels
        for thing, box in live.drawn.pictures:
            shown = (box[2] - box[0]) * (box[3] - box[1])
            if self.kept >= MOST or shown >= WHOLE_PAGE * live.area:
                continue
            width, height = c_uint(), c_uint()
            pdfium.FPDFImageObj_GetImagePixelSize(thing, byref(width), byref(height))
            size = width.value * height.value
            if min(width.value, height.value) < SMALLEST_SIDE or size > pixels:
                continue
            data = _data(thing)
            mark = blake2b(data, digest_size=16, key=b"%d %d" % (width.value, height.value))
            if mark.digest() in self._seen:
                continue
            self._seen.add(mark.digest())
            pixels -= size  # a page of huge pictures is an attack
            if picture := _picture(live, thing, box, data, (width.value, height.value)):
                pictures.append(picture)
                self.kept += 1
        return pictures


def _data(thing: Any) -> bytes:
    """The bytes of a picture as they stand in the file."""
    length = pdfium.FPDFImageObj_GetImageDataRaw(thing, None, 0)
    buffer = (c_ubyte * length)()
    pdfium.FPDFImageObj_GetImageDataRaw(thing, buffer, length)
    return bytes(buffer)


def _picture(
    live: LivePage, thing: Any, box: Box, data: bytes, size: tuple[int, int]
) -> Picture | None:
    width, height = size
    if data.startswith(b"\xff\xd8\xff") and not pdfium.FPDFPageObj_HasTransparency(thing):
        # A JPEG is decoded small at once by Pillow.
        return picture_in(data, 0, width * height, live.number)
    if min(box[2] - box[0], box[3] - box[1]) >= SMALLEST_SHOWN:  # as it is seen, with its mask
        bitmap = pdfium.FPDFImageObj_GetRenderedBitmap(live.document, live.page, thing)
    else:
        bitmap = pdfium.FPDFImageObj_GetBitmap(thing)
    if not bitmap:
        return None
    try:
        hashed = perceptual_hash(pypdfium2.PdfBitmap.from_raw(bitmap).to_pil())
    except Exception:  # Pillow's reasons; the text of the page is not affected
        return None
    return None if hashed is None else Picture(Span(0, 0), hashed, width, height, live.number)
