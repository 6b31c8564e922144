"""Pages that were pasted into a document as pictures."""

from __future__ import annotations

from collections.abc import Iterable

from likewise.errors import ReadingError
from likewise.reading.draft import Draft
from likewise.reading.image.draft import RecognisedPages
from likewise.reading.image.engine import missing, usable
from likewise.reading.image.pictures import open_pictures
from likewise.reading.image.reader import OCR_MISSING
from likewise.reading.numbered import PICTURES_WERE
from likewise.reading.request import Request


def read_pasted(pictures: Iterable[bytes], draft: Draft, request: Request) -> None:
    """Write what some pictures say at the end of a draft, and tell that it came from them."""
    languages = usable(request.ocr)
    if request.ocr and (lacking := missing(request.ocr)):
        draft.note(OCR_MISSING, "reading.not_in_full", why=lacking)
    if not languages:
        return
    from likewise.reading.image.page import read_page  # needs what may not be installed

    recognised = RecognisedPages(draft, PICTURES_WERE)
    for number, data in enumerate(pictures, 1):
        try:
            opened = open_pictures(data, request.limits.pixels, 1)
        except ReadingError:
            continue  # a drawing in some other format; that it is there is noted already
        for shown in opened:
            if shown.pixels is not None:
                for page in read_page(shown.pixels, languages):
                    recognised.write(number, page)
        request.tell_page(number, number)
    recognised.note()
