"""Pictures: scans and photographs of pages, read by recognition of their text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from likewise.errors import ReadingError
from likewise.reading.draft import Draft
from likewise.reading.image.draft import RecognisedPages
from likewise.reading.image.engine import missing, usable
from likewise.reading.image.pictures import PagePictures, open_pictures
from likewise.reading.numbered import numbered
from likewise.reading.pictures import picture_in
from likewise.reading.request import Request

if TYPE_CHECKING:
    from likewise.reading.image.page import Steps

OCR_MISSING = "OCR missing"


def read_image(
    data: bytes,
    request: Request,
    steps: Steps | None = None,
) -> Draft:
    """The text in a picture: JPEG, PNG, TIFF with its pages, WebP, GIF or BMP.

    Where recognition is not installed the document is empty, and says how to install it.
    """
    pictures = open_pictures(data, request.limits.pixels, request.limits.pages)
    draft = Draft(is_picture=True)
    languages: Sequence[str] = request.ocr
    if not languages:
        raise ReadingError("reading.pictures_off")
    lacking = missing(languages)
    if lacking:
        draft.note(OCR_MISSING, "reading.not_in_full", why=lacking)
    languages = usable(languages)
    if not languages:
        draft.add_page(1, 0)
    else:
        _read_pages(pictures, draft, request, languages, steps)
    if not draft.position and (picture := picture_in(data, 0, request.limits.pixels, 1)):
        draft.add_picture(picture)  # nothing to read: what it shows can still be compared
    return draft


def _read_pages(
    pictures: PagePictures,
    draft: Draft,
    request: Request,
    languages: Sequence[str],
    steps: Steps | None,
) -> None:
    from likewise.reading.image.page import ALL_STEPS, read_page  # needs what may not be installed

    recognised = RecognisedPages(draft)
    cut_off: list[int] = []
    not_shown: list[int] = []
    number = 0
    for done, picture in enumerate(pictures, start=1):
        first = number + 1
        if picture.pixels is None:
            number += 1
            not_shown.append(number)
            draft.add_page(number, draft.position)
        else:
            for page in read_page(picture.pixels, languages, steps or ALL_STEPS):
                number += 1
                start = draft.position
                recognised.write(number, page)
                draft.add_page(number, start)
        if picture.pixels is not None and picture.is_cut_off:
            cut_off += range(first, number + 1)
        request.tell_page(done, pictures.pages)
    if len(not_shown) == number == 1:
        raise ReadingError("reading.picture_damaged")
    recognised.note()
    if cut_off:
        draft.note("damaged", "reading.cut_off", which=numbered(cut_off))
    if not_shown:
        draft.note("damaged", "reading.not_shown", which=numbered(not_shown))
    if pictures.pages < pictures.frames:
        counts = {"n": pictures.pages, "all": pictures.frames}
        draft.note("not read in full", "reading.pages_read", **counts)
    if pictures.is_moving:
        draft.note("not read in full", "reading.moving")
