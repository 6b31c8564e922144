"""Opening a PDF: as it is, mended where it is broken, or refused with a reason."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from likewise.errors import ReadingError
from likewise.model import Message

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


def opened(data: bytes) -> OpenPdf | None:
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
    for found in islice(_OBJECT.finditer(body), MOST_OBJECTS):
        number = int(found[1])
        last = max(last, number)
        until = body.find(b"endobj", found.end(), found.end() + _FAR)
        inside = body[found.end() : until if until >= 0 else found.end() + _FAR]
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
