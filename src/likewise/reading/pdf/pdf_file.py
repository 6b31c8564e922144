"""Opening a PDF: as it is, mended, read by a second library, or refused with a reason."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from likewise.errors import ReadingError
from likewise.model import Message
from likewise.reading.pdf.page import PageText, judge_layer
from likewise.reading.pdf.running_lines import EdgeLine

MOST_OBJECTS = 500_000  # of a file that is mended
_HEAD = 1_100  # bytes in which PDFium looks for the beginning
_FAR = 3_000  # bytes of an object that are searched for what it is
_OBJECT = re.compile(rb"(?<!\d)(\d{1,8}) 0 obj\b")
_CATALOG = re.compile(rb"/Type\s*/Catalog\b")
_PAGE = re.compile(rb"/Type\s*/Page\b")


@dataclass(frozen=True, slots=True)
class OpenPdf:
    """A PDF that PDFium reads, and what was wrong with the file, if anything."""

    document: Any  # pypdfium2.PdfDocument
    damage: Message | None = None


def open_pdf(data: bytes) -> OpenPdf | None:
    """The PDF in some bytes; None where PDFium finds none, even after mending.

    An empty password is tried by PDFium itself. Raises `ReadingError` where another is needed.
    """
    document = _document(data)
    if document is not None:
        if not pdfium.FPDF_DocumentHasValidCrossReferenceTable(document):
            return OpenPdf(document, Message("reading.list_anew"))
        clean = data[:_HEAD].lstrip(b"\xef\xbb\xbf\x00\t\n\f\r ").startswith(b"%PDF")
        return OpenPdf(document, None if clean else Message("reading.before_beginning"))
    mended = _mended(data)
    document = _document(mended) if mended else None
    return None if document is None else OpenPdf(document, Message("reading.ends_missing"))


def _document(data: bytes) -> Any | None:
    try:
        return pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if error.err_code == pdfium.FPDF_ERR_PASSWORD:
            raise ReadingError("reading.locked_pdf") from error
        if error.err_code == pdfium.FPDF_ERR_SECURITY:
            raise ReadingError("reading.pdf_protected") from error
        return None


def _mended(data: bytes) -> bytes | None:
    """The file from its header to its last whole object, with a new end; None if it has no page.

    A download that broke off lacks the end, which says where everything is. PDFium finds the
    objects by itself as soon as something names the first of them.
    """
    start = data.find(b"%PDF-")
    end = data.rfind(b"endobj")
    if end < 0:
        return None
    body = data[max(start, 0) : end + len(b"endobj")]
    if start < 0:
        body = b"%PDF-1.7\n" + body
    last, catalog, pages = 0, 0, []
    for header in islice(_OBJECT.finditer(body), MOST_OBJECTS):
        number = int(header[1])
        last = max(last, number)
        until = body.find(b"endobj", header.end(), header.end() + _FAR)
        inside = body[header.end() : until if until >= 0 else header.end() + _FAR]
        if _CATALOG.search(inside):
            catalog = number
        elif _PAGE.search(inside):
            pages.append(number)
    if not catalog:
        if not pages:
            return None
        catalog, tree = last + 1, last + 2
        last = tree
        kids = b" ".join(b"%d 0 R" % number for number in dict.fromkeys(pages))
        body += (
            b"\n%d 0 obj\n<</Type/Catalog/Pages %d 0 R>>\nendobj" % (catalog, tree)
            + b"\n%d 0 obj\n<</Type/Pages/MediaBox[0 0 612 792]" % tree
            + b"/Count %d/Kids[%s]>>\nendobj" % (len(set(pages)), kids)
        )
    return body + b"\ntrailer\n<</Root %d 0 R/Size %d>>\nstartxref\n0\n%%%%EOF\n" % (
        catalog,
        last + 1,
    )


# The text of files that PDFium refuses, by a second library.

_LINE = re.compile(r"[^\r\n]+")
# What must not be taken for a failure of the library.
_NOT_OURS = (KeyboardInterrupt, SystemExit, GeneratorExit, MemoryError, RecursionError)


def rescue_pages(data: bytes) -> tuple[int, Iterator[str | None]]:
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


def rescue_text(number: int, text: str | None) -> PageText:
    """A page without places: its first and last lines are taken for its head and foot."""
    if text is None:
        return PageText(number, layer="unread")
    text = text.replace("\xa0", " ")
    lines = [line.span() for line in _LINE.finditer(text) if not line[0].isspace()]
    edges = [
        EdgeLine(*span, text[slice(*span)].strip(), 1 - i / 50) for i, span in enumerate(lines[:2])
    ]
    edges += [
        EdgeLine(*span, text[slice(*span)].strip(), i / 50)
        for i, span in enumerate(reversed(lines[2:][-2:]))
    ]
    layer = judge_layer(text.encode("utf-16-le", "replace"), text, None)
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
