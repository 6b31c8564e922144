"""Scans and photographs of pages, alone or pasted into a document, read by recognition."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from likewise.errors import ReadingError
from likewise.model import Span
from likewise.reading.draft import PAGES_WERE, PICTURES_WERE, Draft, numbered
from likewise.reading.image.engine import LEGIBLE_LINE, OcrPage, missing, usable
from likewise.reading.image.image_files import PagePictures, open_pictures
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

    recognised = OcrDraft(draft)
    cut_off: list[int] = []
    undrawn: list[int] = []
    number = 0
    for done, picture in enumerate(pictures, start=1):
        first = number + 1
        if picture.pixels is None:
            number += 1
            undrawn.append(number)
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
    if len(undrawn) == number == 1:
        raise ReadingError("reading.picture_damaged")
    recognised.note()
    if cut_off:
        draft.note("damaged", "reading.cut_off", which=numbered(cut_off))
    if undrawn:
        draft.note("damaged", "reading.not_shown", which=numbered(undrawn))
    if pictures.pages < pictures.frames:
        counts = {"n": pictures.pages, "all": pictures.frames}
        draft.note("not read in full", "reading.pages_read", **counts)
    if pictures.is_moving:
        draft.note("not read in full", "reading.moving")


# Recognised pages written into a document, with what a person should know about them.


class OcrDraft:
    """Writes recognised pages into a draft; `note` then tells which they were, and how sure."""

    def __init__(self, draft: Draft, keys: tuple[str, str] = PAGES_WERE) -> None:
        self._draft = draft
        self._keys = keys  # of messages that name one page, and several
        self._read: list[tuple[int, Span, OcrPage]] = []
        self._illegible: list[int] = []
        self._empty: list[int] = []
        self._given_up: list[int] = []

    def write(self, number: int, page: OcrPage) -> bool:
        """Write the lines of a page, or of a part of one; whether there were any to be read.

        What cannot be read with confidence never counts as text: a whole page of it is dropped,
        single lines stay where they are and are left out of comparison.
        """
        if not page.is_legible:
            self._without_text(page).append(number)
            return False
        start = self._draft.position
        for line in page.lines:
            if line.starts_paragraph and self._draft.position > start:
                self._draft.line()
            span = self._draft.line(line.text)
            if line.confidence < LEGIBLE_LINE:
                self._draft.leave_out(span, "not legible")
        self._read.append((number, Span(start, self._draft.position), page))
        return True

    def _without_text(self, page: OcrPage) -> list[int]:
        if not page.is_complete:
            return self._given_up
        return self._illegible if page.characters else self._empty

    def note(self) -> None:
        """Say which pages came from pictures, and which of them gave nothing."""
        if self._read:
            characters = sum(page.characters for _, _, page in self._read)
            sure = sum(page.confidence * page.characters for _, _, page in self._read) / characters
            which = numbered([number for number, _, _ in self._read], self._keys)
            spans = (span for _, span, _ in self._read)
            self._draft.note("ocr", "reading.recognised", *spans, which=which, share=round(sure))
        if self._illegible:
            which = numbered(self._illegible, self._keys)
            self._draft.note("low confidence", "reading.illegible", which=which)
        if self._given_up:
            which = numbered(self._given_up, self._keys)
            self._draft.note("not read in full", "reading.given_up", which=which)
        if self._empty:
            which = numbered(self._empty, self._keys)
            self._draft.note("no text", "reading.no_text_found", which=which)


# Pages that were pasted into a document as pictures.


def read_pasted(pictures: Iterable[bytes], draft: Draft, request: Request) -> None:
    """Write what some pictures say at the end of a draft, and tell that it came from them."""
    languages = usable(request.ocr)
    if request.ocr and (lacking := missing(request.ocr)):
        draft.note(OCR_MISSING, "reading.not_in_full", why=lacking)
    if not languages:
        return
    from likewise.reading.image.page import read_page  # needs what may not be installed

    recognised = OcrDraft(draft, PICTURES_WERE)
    for number, data in enumerate(pictures, 1):
        try:
            opened = open_pictures(data, request.limits.pixels, 1)
        except ReadingError:
            continue  # a drawing in some other format; that it is there is noted already
        for image in opened:
            if image.pixels is not None:
                for page in read_page(image.pixels, languages):
                    recognised.write(number, page)
        request.tell_page(number, number)
    recognised.note()
