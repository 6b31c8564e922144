"""On which pages of a document something stands."""

from __future__ import annotations

from bisect import bisect_right

from likewise.model import Document, Span

PageRange = tuple[int, int]  # the first and the last page


class Pages:
    """On which pages a span stands, where pages are known."""

    def __init__(self, document: Document) -> None:
        self._numbers = [page.number for page in document.pages]
        self._starts = [page.span.start for page in document.pages]

    def of(self, span: Span) -> PageRange | None:
        if not self._starts:
            return None
        return self._at(span.start), self._at(max(span.start, span.end - 1))

    def _at(self, place: int) -> int:
        return self._numbers[max(bisect_right(self._starts, place) - 1, 0)]
