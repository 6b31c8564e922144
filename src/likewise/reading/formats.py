"""The formats that are read, how a file is told to be of one, and the one way to read each."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import PurePosixPath
from typing import Any, Final, NamedTuple, cast

from likewise.errors import ReadingError
from likewise.model import Document, Message
from likewise.reading.disguises import note_disguises
from likewise.reading.draft import Draft
from likewise.reading.request import Request

Format = str  # a key of FORMATS


class FormatFunctions(NamedTuple):
    """The functions of a format, each as `module.function` of this package.

    A module is imported when a file of its format comes along: nobody waits for the PDF library who
    compares plain text. A format that is text has a recogniser, which says of some bytes whether
    they are of it; what the others are, `sniff` says by their first bytes.
    """

    reader: str
    recogniser: str = ""


# A new format of text is a module and a row. Recognisers are asked in this order.
FORMATS: Final[dict[Format, FormatFunctions]] = {
    "csv": FormatFunctions("sheet.read_csv"),
    "doc": FormatFunctions("doc.read_doc"),
    "docx": FormatFunctions("docx.read_docx"),
    "mhtml": FormatFunctions("html.read_mhtml", "html.looks_like_mhtml"),
    "html": FormatFunctions("html.read_html", "html.looks_like_html"),
    "image": FormatFunctions("image.read_image"),
    "odt": FormatFunctions("odt.read_odt"),
    "pdf": FormatFunctions("pdf.read_pdf"),
    "plain": FormatFunctions("plain.read_plain"),
    "rtf": FormatFunctions("rtf.read_rtf"),
    "sheet": FormatFunctions("sheet.read_sheet"),
}


def read_as(form: Format, data: bytes, request: Request) -> Document:
    """The document in bytes of a known format."""
    reader: Callable[[bytes, Request], Draft] = _function(FORMATS[form].reader)
    try:
        draft = reader(data, request)
    except RecursionError as error:
        raise ReadingError("reading.nested") from error
    return note_disguises(draft.document(request.name))


def _function(name: str) -> Callable[..., Any]:
    module, _, function = name.partition(".")
    return cast(Callable[..., Any], getattr(import_module(f"likewise.reading.{module}"), function))


# What a file is: its content decides, its name only where the content leaves a choice.

ZIP_BEGINNINGS = (b"PK\x03\x04", b"PK\x05\x06")  # with members, and without any
_HEAD = 1 << 13
_PDF_WITHIN = 1024  # bytes; the standard lets that much stand before the header
_PICTURES = (
    *(b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a"),
    *(b"II*\x00", b"MM\x00*", b"II+\x00", b"MM\x00+"),
)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

# What is recognised and not read: its beginning, and what to tell people.
_REFUSED: Final = (
    (b"\x1f\x8b", Message("reading.archive", {"kind": "gzip"})),
    (b"BZh", Message("reading.archive", {"kind": "bzip2"})),
    (b"\xfd7zXZ\x00", Message("reading.an_archive", {"kind": "xz"})),
    (b"\x28\xb5\x2f\xfd", Message("reading.archive", {"kind": "zstandard"})),
    (b"7z\xbc\xaf\x27\x1c", Message("reading.archive", {"kind": "7-Zip"})),
    (b"Rar!\x1a\x07", Message("reading.archive", {"kind": "RAR"})),
    (b"\x7fELF", Message("reading.program")),
    (b"MZ\x90\x00", Message("reading.program")),
    (b"SQLite format 3\x00", Message("reading.database")),
    (b"PAR1", Message("reading.parquet", {"command": "likewise dedup"})),
    (b"%!PS", Message("reading.save_as_pdf", {"kind": "PostScript"})),
    (b"AT&TFORM", Message("reading.save_as_pdf", {"kind": "DjVu"})),
)
_OF_PACKAGES: Final[dict[str, Format]] = {
    "docx": "docx",
    "odt": "odt",
    "ods": "sheet",
    "xlsx": "sheet",
    "xlsb": "sheet",
}
_REFUSED_PACKAGES: Final = {
    "pptx": "reading.presentation",
    "odp": "reading.presentation",
    "epub": "reading.ebook",
}
_REFUSED_COMPOUNDS: Final = {
    "ppt": "reading.presentation",
    "msg": "reading.email",
    "encrypted": "reading.locked",
}


def sniff(data: bytes, name: str) -> Format:
    """The format of some bytes, or "archive"; `ReadingError` says what is not read, and why.

    >>> sniff(b"{\\\\rtf1 Steppe}", "essay.doc"), sniff(b"Steppe and sky.", "essay.pdf")
    ('rtf', 'plain')
    """
    if not data:
        raise ReadingError("reading.empty_file")
    head = data[:_HEAD]
    if data.startswith(ZIP_BEGINNINGS):  # first: it may hold a PDF that is not compressed
        return _in_zip(data)
    if b"%PDF-" in head[:_PDF_WITHIN]:
        return "pdf"
    if data.startswith(_OLE):
        return _in_compound(data)
    if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{\\rt"):
        return "rtf"
    if data.startswith(_PICTURES) or (data[:4] == b"RIFF" and data[8:12] == b"WEBP"):
        return "image"
    if data[:2] == b"BM" and data[6:10] == bytes(4) and len(data) > 26:
        return "image"
    for beginning, what in _REFUSED:
        if data.startswith(beginning):
            raise ReadingError(what)
    return _in_text(data, name)


def _in_zip(data: bytes) -> Format:
    from likewise.reading.package import kind_of_package

    kind = kind_of_package(data)
    if kind is None and _is_office_by_its_first_part(data):
        raise ReadingError("reading.office_damaged")
    if kind in _REFUSED_PACKAGES:
        raise ReadingError(_REFUSED_PACKAGES[kind])
    return _OF_PACKAGES[kind] if kind else "archive"


def _is_office_by_its_first_part(data: bytes) -> bool:
    length = int.from_bytes(data[26:28], "little")
    return data[30 : 30 + length] in (b"mimetype", b"[Content_Types].xml")


def _in_compound(data: bytes) -> Format:
    from likewise.reading.office.compound import kind_of_compound

    kind = kind_of_compound(data)
    if kind in _REFUSED_COMPOUNDS:
        raise ReadingError(_REFUSED_COMPOUNDS[kind])
    if kind == "doc":
        return "doc"
    if kind == "xls":
        return "sheet"
    raise ReadingError("reading.old_office")


def _in_text(data: bytes, name: str) -> Format:
    if b"<" in data[:_HEAD] and (kind := _kind_of_xml(data)):
        if kind in _OF_PACKAGES:
            return _OF_PACKAGES[kind]
        raise ReadingError("reading.flat_xml", kind=kind)
    for form, functions in FORMATS.items():
        if functions.recogniser and _function(functions.recogniser)(data):
            return form
    if is_table_name(name) or _is_table(data):
        return "csv"
    return "plain"


def is_table_name(name: str) -> bool:
    """Whether a text of this name is meant as a table."""
    return PurePosixPath(name).suffix.casefold() in {".csv", ".tsv", ".tab"}


def _kind_of_xml(data: bytes) -> str | None:
    from likewise.reading.package import kind_of_xml  # brings lxml, which plain text does not need

    return kind_of_xml(data)


def _is_table(data: bytes) -> bool:
    """Whether the beginning of a text is rows of fields, whatever its letters are."""
    from likewise.reading.sheet.csv import looks_like_csv

    whole = data[: 1 << 16]
    if len(data) > len(whole):
        whole = whole[: whole.rfind(b"\n") + 1]
    return looks_like_csv(whole.decode("latin-1"))
