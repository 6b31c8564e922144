"""Pages of a PDF that have no text, or none that makes words, read from what they show."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from likewise.model import Message, Span
from likewise.reading.draft import numbered
from likewise.reading.image.engine import LEGIBLE_LINE, missing, usable
from likewise.reading.pdf.rendering import pages_as_pictures
from likewise.reading.pdf.running_lines import EdgeLine

if TYPE_CHECKING:
    from likewise.reading.draft import Draft
    from likewise.reading.image.engine import OcrPage
    from likewise.reading.pdf.page import PageText
    from likewise.reading.request import Request


OCR = "ocr"
DPI = 300
LEAST_WORDS = 3  # a page with fewer shows a figure
LEAST_VERIFIED = 20  # words on a page that can be held against what it shows
ALIKE = 0.5  # of the words; recognition gets nine of ten right
_EDGE_HEIGHTS = ((0, 0.97), (1, 0.94), (-2, 0.06), (-1, 0.03))


class Recogniser:
    """Reads pages from what they show, and tells afterwards which they were."""

    def __init__(self, data: bytes, request: Request) -> None:
        self._data, self._request = data, request
        self._confidence: dict[int, float] = {}
        self._untrue: list[int] = []
        self._lacking: Message | None = None

    def read(self, pages: Sequence[PageText]) -> None:
        """Give text to those pages that have none, and to those that say what they do not show."""
        if not self._request.ocr:
            return
        for page, recognised in self._recognise(
            [p for p in pages if p.layer in ("none", "garbage")]
        ):
            self._take(page, recognised)
        if self._request.verify:
            self._verify([page for page in pages if _can_be_verified(page)])

    def _verify(self, pages: Sequence[PageText]) -> None:
        """Look at a few pages, and at all where one of these shows something else."""
        sample = sorted({0, len(pages) // 2, len(pages) - 1} & set(range(len(pages))))
        if self._compare([pages[i] for i in sample]):
            self._compare([page for i, page in enumerate(pages) if i not in sample])

    def _compare(self, pages: Sequence[PageText]) -> bool:
        """Whether some page shows other words than it has; such a page says what it shows."""
        differ = False
        for page, recognised in self._recognise(pages):
            image_words = Counter(word for part in recognised for word in _words(part.text))
            layer_words = Counter(_words(page.raw))
            if image_words.total() < LEAST_VERIFIED:
                continue
            if (image_words & layer_words).total() < ALIKE * min(
                image_words.total(), layer_words.total()
            ):
                differ = True
                self._take(page, recognised)
                if page.number in self._confidence:
                    self._untrue.append(page.number)
        return differ

    def _recognise(self, pages: Sequence[PageText]) -> Iterator[tuple[PageText, Sequence[OcrPage]]]:
        """Some pages with what can be read of what they show."""
        if not pages:
            return
        self._lacking = missing(self._request.ocr)
        languages = usable(self._request.ocr)
        if not languages:
            return
        from likewise.reading.image.page import read_page  # needs what may not be installed

        numbers = [page.number for page in pages]
        pictures = pages_as_pictures(self._data, numbers, DPI, limits=self._request.limits)
        for done, (page, picture) in enumerate(zip(pages, pictures, strict=False), 1):
            yield page, read_page(picture, languages)
            self._request.tell_page(done, len(pages))

    def _take(self, page: PageText, recognised: Sequence[OcrPage]) -> None:
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
            which = numbered([pages[i].number for i in mine])
            share = round(sum(self._confidence.values()) / len(self._confidence))
            mine_spans = (spans[i] for i in mine)
            draft.note(OCR, "reading.recognised", *mine_spans, which=which, share=share)
        untrue = [i for i, page in enumerate(pages) if page.number in self._untrue]
        if untrue:
            page_list = ", ".join(str(pages[i].number) for i in untrue)
            untrue_spans = (spans[i] for i in untrue)
            draft.note("text layer differs", "reading.layer_differs", *untrue_spans, list=page_list)
        if self._lacking:
            draft.note("OCR missing", "reading.not_in_full", why=self._lacking)


def _can_be_verified(page: PageText) -> bool:
    return page.layer == "text" and len(_words(page.raw)) >= LEAST_VERIFIED


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]{3,}", text.casefold())


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
