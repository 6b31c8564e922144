"""The text of files that PDFium refuses, by a second library."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from likewise.errors import ReadingError
from likewise.model import Message
from likewise.reading.pdf.layer import judged
from likewise.reading.pdf.page import PageText
from likewise.reading.pdf.running import EdgeLine

_LINE = re.compile(r"[^\r\n]+")
# What must not be taken for a failure of the library.
_NOT_OURS = (KeyboardInterrupt, SystemExit, GeneratorExit, MemoryError, RecursionError)


def rescued_pages(data: bytes) -> tuple[int, Iterator[str | None]]:
    """How many pages there are, and the text of each; None for a page that cannot be read.

    Raises `ReadingError` where the file is beyond help.
    """
    import pdf_oxide  # takes as long to load as a document takes to read, and is hardly needed

    pdf_oxide.disable_logging()
    try:
        document = pdf_oxide.PdfDocument.from_bytes(data)
        number = int(document.page_count)
    except _NOT_OURS:
        raise
    except BaseException as error:  # a panic of the library is no Exception
        raise ReadingError(beyond_repair(data)) from error
    if not number:
        raise ReadingError(beyond_repair(data))
    return number, _texts(document, number)


def _texts(document: Any, number: int) -> Iterator[str | None]:
    for i in range(number):
        try:
            yield document.extract_text(i)
        except _NOT_OURS:
            raise
        except BaseException:  # of this page alone; a panic is no Exception
            yield None


def rescued_text(number: int, text: str | None) -> PageText:
    """A page without places: its first and last lines are taken for its head and foot."""
    if text is None:
        return PageText(number, layer="unread")
    text = text.replace("\xa0", " ")
    lines = [found.span() for found in _LINE.finditer(text) if not found[0].isspace()]
    edges = [
        EdgeLine(*span, text[slice(*span)].strip(), 1 - i / 50) for i, span in enumerate(lines[:2])
    ]
    edges += [
        EdgeLine(*span, text[slice(*span)].strip(), i / 50)
        for i, span in enumerate(reversed(lines[2:][-2:]))
    ]
    layer = judged(text.encode("utf-16-le", "replace"), text, None)
    return PageText(number, text, "garbage" if layer.garbage else "text", layer.strange, edges)


def beyond_repair(data: bytes) -> Message:
    """Why nothing could be made of a file."""
    if not data.strip(b"\x00\t\n\f\r "):
        return Message("reading.pdf_empty")
    if b"%PDF-" not in data[:1024]:
        return Message("reading.not_pdf")
    if b"%%EOF" not in data[-2048:]:
        return Message("reading.pdf_breaks_off")
    return Message("reading.pdf_beyond")
