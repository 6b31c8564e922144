"""The formats that are read, and the one way to read each."""

from __future__ import annotations

from importlib import import_module
from typing import Final, Literal

from likewise.errors import ReadingError
from likewise.model import Document
from likewise.reading.draft import Draft
from likewise.reading.request import Request
from likewise.reading.tricks import with_tricks_noted

Format = Literal[
    "csv", "doc", "docx", "html", "image", "mhtml", "odt", "pdf", "plain", "rtf", "sheet"
]

# Where each format's reader lives. A module is imported when a file of its format comes along:
# nobody waits for the PDF library who compares plain text.
_READERS: Final[dict[Format, str]] = {
    "csv": "sheet.read_csv",
    "doc": "doc.read_doc",
    "docx": "docx.read_docx",
    "html": "html.read_html",
    "image": "image.read_image",
    "mhtml": "html.read_mhtml",
    "odt": "odt.read_odt",
    "pdf": "pdf.read_pdf",
    "plain": "plain.read_plain",
    "rtf": "rtf.read_rtf",
    "sheet": "sheet.read_sheet",
}


def read_as(form: Format, data: bytes, request: Request) -> Document:
    """The document in bytes of a known format."""
    module, _, function = _READERS[form].partition(".")
    reader = getattr(import_module(f"likewise.reading.{module}"), function)
    try:
        draft: Draft = reader(data, request)
    except RecursionError as error:
        raise ReadingError("reading.nested") from error
    return with_tricks_noted(draft.document(request.name))
