"""Pages of a PDF that have no text, or none that makes words, read from what they show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from likewise.model import Span
from likewise.reading.image.draft import page_numbers
from likewise.reading.image.engine import missing, usable
from likewise.reading.image.text import LEGIBLE_LINE
from likewise.reading.pdf.running import EdgeLine
from likewise.reading.pdf.shown import pages_as_pictures

if TYPE_CHECKING:
    from likewise.reading.draft import Draft
    from likewise.reading.image.text import Recognised
    from likewise.reading.pdf.page import PageText
    from likewise.reading.request import Request

OCR = "ocr"
DPI = 300
LEAST_WORDS = 3  # a page with fewer shows a figure
_EDGE_HEIGHTS = ((0, 0.97), (1, 0.94), (-2, 0.06), (-1, 0.03))


class Recogniser:
    """Reads pages from what they show, and tells afterwards which they were."""

    def __init__(self, data: bytes, request: Request) -> None:
        self._data, self._request = data, request
        self._confidence: dict[int, float] = {}
        self._lacking: str | None = None

    def read(self, pages: Sequence[PageText]) -> None:
        """Give text to those pages that have none; the others stay as they are."""
        wanted = [page for page in pages if page.layer in ("none", "garbage")]
        if not wanted or not self._request.ocr:
            return
        self._lacking = missing(self._request.ocr)
        languages = usable(self._request.ocr)
        if not languages:
            return
        from likewise.reading.image.page import read_page  # needs what may not be installed

        numbers = [page.number for page in wanted]
        pictures = pages_as_pictures(self._data, numbers, DPI, limits=self._request.limits)
        for page, picture in zip(wanted, pictures, strict=False):
            self._take(page, read_page(picture, languages))
            self._request.tell_page(page.number, len(pages))

    def _take(self, page: PageText, recognised: Sequence[Recognised]) -> None:
        legible = [part for part in recognised if part.is_legible]
        lines = [
            ("\n" if line.starts_paragraph else "") + line.text
            for part in legible
            for line in part.lines
            if line.confidence >= LEGIBLE_LINE
        ]
        text = "\n".join(lines).strip("\n")
        if len(text.split()) < LEAST_WORDS:
            return
        page.raw, page.layer = text + "\n", "text"
        page.edges = _edges(page.raw)
        page.hidden, page.raised = [], []
        characters = sum(part.characters for part in legible)
        self._confidence[page.number] = (
            sum(part.confidence * part.characters for part in legible) / characters
        )

    def note(self, draft: Draft, pages: Sequence[PageText], spans: Sequence[Span]) -> None:
        """Say which pages were read from pictures, how surely, and what is missing to do so."""
        mine = [i for i, page in enumerate(pages) if page.number in self._confidence]
        if mine:
            which = page_numbers([pages[i].number for i in mine])
            sure = sum(self._confidence.values()) / len(self._confidence)
            message = f"{which} read from a picture, with a mean confidence of {sure:.0f} %"
            draft.note(OCR, message, *(spans[i] for i in mine))
        if self._lacking:
            draft.note("OCR missing", f"not read in full: {self._lacking}")


def _edges(raw: str) -> list[EdgeLine]:
    """The first and last lines, at heights that are theirs on most pages."""
    places: list[tuple[int, int, str]] = []
    start = 0
    for line in raw.split("\n"):
        if line.strip():
            places.append((start, start + len(line), line.strip()))
        start += len(line) + 1
    if len(places) < len(_EDGE_HEIGHTS):
        return []
    return [EdgeLine(*places[i], height) for i, height in _EDGE_HEIGHTS]
