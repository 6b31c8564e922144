"""Documents that share text, for the reports of all kinds."""

from likewise.model import Document, Page, Span
from tests.texts import MARKET, OWN, RIVER

__all__ = ["MARKET", "OWN", "QUOTED", "RIVER", "document", "edited"]

QUOTED = (
    "As the old guide says, “the pass is closed from the first snow until the wedding month, and "
    "whoever crosses it then crosses it twice” (Akhmetov, 1931, p. 14)."
)


def document(name: str, *paragraphs: str, page_chars: int = 0) -> Document:
    """A text of some paragraphs, with pages of so many characters if asked."""
    text = "\n\n".join(paragraphs)
    starts = range(0, len(text), page_chars) if page_chars else ()
    pages = (Span(start, min(start + page_chars, len(text))) for start in starts)
    return Document(name, text, tuple(Page(i, span) for i, span in enumerate(pages, 1)))


def edited(text: str) -> str:
    """The same with a few words changed."""
    return text.replace("narrow", "wide").replace("sour", "sweet").replace("grey", "old")
