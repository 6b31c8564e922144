"""Recognised pages written into a document, with what a person should know about them."""

from __future__ import annotations

from likewise.model import Span
from likewise.reading.draft import Draft
from likewise.reading.image.text import LEGIBLE_LINE, Recognised
from likewise.reading.numbered import PAGES_WERE, numbered


class RecognisedPages:
    """Writes recognised pages into a draft; `note` then tells which they were, and how sure."""

    def __init__(self, draft: Draft, keys: tuple[str, str] = PAGES_WERE) -> None:
        self._draft = draft
        self._keys = keys  # of messages that name one page, and several
        self._read: list[tuple[int, Span, Recognised]] = []
        self._illegible: list[int] = []
        self._empty: list[int] = []
        self._given_up: list[int] = []

    def write(self, number: int, page: Recognised) -> bool:
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

    def _without_text(self, page: Recognised) -> list[int]:
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
