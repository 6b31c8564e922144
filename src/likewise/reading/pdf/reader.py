"""PDF: text in reading order, pages, running lines, ruled tables, form fields and pictures."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from ctypes import byref, c_ubyte, c_uint, c_ushort
from hashlib import blake2b
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from likewise.errors import ReadingError
from likewise.model import Message, Picture, Span
from likewise.reading.draft import PAGES_HAVE, PAGES_UNDRAWN, PAGES_UNREAD, Draft, numbered
from likewise.reading.pdf.footnote_marks import raised_numbers
from likewise.reading.pdf.hidden_text import Searcher
from likewise.reading.pdf.page import LivePage, PageText, page_text
from likewise.reading.pdf.page_objects import Box
from likewise.reading.pdf.pdf_file import (
    OpenPdf,
    beyond_repair,
    open_pdf,
    rescue_pages,
    rescue_text,
)
from likewise.reading.pdf.recognition import Recogniser
from likewise.reading.pdf.tables import tables_on
from likewise.reading.pdf.writing import GARBAGE, write_pages
from likewise.reading.pictures import SMALLEST_SIDE, perceptual_hash, picture_in
from likewise.reading.request import Request

NO_TEXT = "no text layer"
DAMAGED = "damaged"
PARTLY = "not read in full"

_DATE = re.compile(r"D:(\d{4})(\d\d)?(\d\d)?(?:(\d\d)(\d\d)(\d\d)?)?")


def read_pdf(data: bytes, request: Request) -> Draft:
    """Everything in a PDF: its text by pages, tables, pictures, what it hides and what is wrong."""
    return _read(data, request, everything=True)


def pdf_text(data: bytes, request: Request) -> Draft:
    """The text of a PDF alone, seen or not, without tables and pictures: as quick as PDFium."""
    return _read(data, request, everything=False)


def _read(data: bytes, request: Request, *, everything: bool) -> Draft:
    pdf = open_pdf(data)
    if pdf is None:
        return _rescued(data, request)
    typed = TypedText(pdf.document)
    try:
        draft = Draft()
        if everything:
            draft.meta.update(_meta(pdf.document))
        reader = _Reader(pdf, typed, request, everything)
        pages = reader.pages()
        if pdf.damage and not any(page.raw.strip() for page in pages):
            with suppress(ReadingError):  # what little was found may be more than nothing
                return _rescued(data, request)
        recogniser = Recogniser(data, request)
        if everything:
            recogniser.read(pages)
        if _is_lost(pages, pdf.damage):
            raise ReadingError(beyond_repair(data))
        spans = write_pages(draft, pages)
        _note(draft, pages, spans, reader.total, pdf.damage)
        recogniser.note(draft, pages, spans)
        reader.note(draft)
        return draft
    finally:
        typed.close()
        pdf.document.close()


class _Reader:
    """Goes through the pages of an open PDF once."""

    def __init__(self, pdf: OpenPdf, typed: TypedText, request: Request, everything: bool) -> None:
        self._document = pdf.document
        self._typed = typed
        self._request = request
        self._everything = everything
        self._gallery = Gallery(request.limits.pixels)
        self._searcher = Searcher()
        self._cells = request.limits.cells
        self._undrawn: list[int] = []  # pages whose tables and pictures failed
        self.total = len(pdf.document)

    def pages(self) -> list[PageText]:
        number = min(self.total, self._request.limits.pages)
        pages = []
        for i in range(number):
            pages.append(self._page(i))
            self._request.tell_page(i + 1, number)
        return pages

    def _page(self, index: int) -> PageText:
        try:
            with LivePage(self._document, index) as live:
                text = page_text(live)
                if self._everything:
                    text.typed = self._typed.on(live.page)
                    if text.layer == "text":
                        text.raised = raised_numbers(live, text.raw)
                    self._draw(live, text)
                    self._search(live, text)
                return text
        except Exception:  # whatever is wrong with one page costs this page alone
            return PageText(index + 1, layer="unread")

    def _draw(self, live: LivePage, text: PageText) -> None:
        """Add the tables and pictures of a page."""
        try:
            objects = live.objects
            if not objects.is_complete:
                self._undrawn.append(text.number)
                return
            if text.layer == "text" and text.raw:
                tables = tables_on(live.text_page, text.raw, live.chars, objects)
                self._cells -= sum(len(table.rows) * len(table.rows[0]) for table in tables)
                if self._cells >= 0:
                    text.tables = tables
                elif tables:
                    self._undrawn.append(text.number)
            if objects.pictures:
                text.pictures = self._gallery.pictures_on(live)
        except Exception:  # a drawing that cannot be followed must not cost the text
            self._undrawn.append(text.number)

    def _search(self, live: LivePage, text: PageText) -> None:
        """Find the text of a page that is not seen."""
        if text.raw and text.layer != "garbage":
            with suppress(Exception):  # what cannot be looked at is taken for what it says
                text.hidden = self._searcher.hidden_on(live, text)

    def note(self, draft: Draft) -> None:
        if self._undrawn:
            draft.note(PARTLY, numbered(self._undrawn, PAGES_UNDRAWN))
        attached = self._document.count_attachments()
        if attached == 1:
            draft.note(PARTLY, "reading.file_attached")
        elif attached > 1:
            draft.note(PARTLY, "reading.files_attached", n=attached)
        if self._document.get_formtype() == pdfium.FORMTYPE_XFA_FULL:
            draft.note(PARTLY, "reading.xfa")


def _is_lost(pages: Sequence[PageText], damage: Message | None) -> bool:
    """Whether damage has left nothing to read or to see; a scan or an empty page is no damage."""
    is_damaged = damage is not None or any(page.layer == "unread" for page in pages)
    return is_damaged and not any(
        page.raw.strip() or page.typed or page.pictures or page.layer in ("none", "garbage")
        for page in pages
    )


def _rescued(data: bytes, request: Request) -> Draft:
    """What a second library makes of a file that PDFium cannot read."""
    total, texts = rescue_pages(data)
    number = min(total, request.limits.pages)
    pages = []
    for i, text in zip(range(number), texts, strict=False):
        pages.append(rescue_text(i + 1, text))
        request.tell_page(i + 1, number)
    if not any(page.raw.strip() for page in pages):
        raise ReadingError(beyond_repair(data))
    draft = Draft()
    spans = write_pages(draft, pages)
    _note(draft, pages, spans, total, Message("reading.rescued"))
    return draft


def _note(
    draft: Draft,
    pages: Sequence[PageText],
    spans: Sequence[Span],
    total: int,
    damage: Message | None,
) -> None:
    """Say what a person should know about the pages."""
    if damage:
        draft.note(DAMAGED, "reading.pdf_damaged", why=damage)
    for layer, kind, key in (
        ("none", NO_TEXT, "reading.no_layer"),
        ("garbage", GARBAGE, "reading.garbage_layer"),
    ):
        mine = [i for i, page in enumerate(pages) if page.layer == layer]
        if mine:
            which = numbered([pages[i].number for i in mine], PAGES_HAVE)
            draft.note(kind, key, *(spans[i] for i in mine), which=which)
    unread = [i for i, page in enumerate(pages) if page.layer == "unread"]
    if unread:
        message = numbered([pages[i].number for i in unread], PAGES_UNREAD)
        draft.note(PARTLY, message, *(spans[i] for i in unread))
    if total > len(pages):
        draft.note(PARTLY, "reading.first_pages", n=len(pages), all=total)


def _meta(document: Any) -> dict[str, str]:
    meta = {}
    for key, name in (
        ("title", "Title"),
        ("author", "Author"),
        ("created", "CreationDate"),
        ("producer", "Producer"),
    ):
        try:
            meta[key] = document.get_metadata_value(name).strip()
        except (pypdfium2.PdfiumError, UnicodeDecodeError, ValueError):
            continue  # nobody needs it enough to lose the document over it
    if date := _DATE.match(meta.get("created", "")):
        year, month, day, hour, minute, second = date.groups()
        meta["created"] = f"{year}-{month or '01'}-{day or '01'}"
        if hour:
            meta["created"] += f"T{hour}:{minute}:{second or '00'}"
    return meta


# What people typed into a PDF: values of form fields, and text put on top of a page.

MOST_FIELDS = 2_000  # of a page
_TYPED = (
    pdfium.FPDF_FORMFIELD_TEXTFIELD,
    pdfium.FPDF_FORMFIELD_COMBOBOX,
    pdfium.FPDF_FORMFIELD_LISTBOX,
)


class TypedText:
    """Reads what was typed on the pages of a document, which PDFium keeps apart from their text.

    Comments and highlights stay out, as comments of other formats do.
    """

    def __init__(self, document: Any) -> None:
        self._info = pdfium.FPDF_FORMFILLINFO(version=2)
        self._form: Any = None
        if pdfium.FPDF_GetFormType(document) != pdfium.FORMTYPE_NONE:
            self._form = pdfium.FPDFDOC_InitFormFillEnvironment(document, self._info)

    def close(self) -> None:
        """To be called before the document is closed."""
        if self._form:
            pdfium.FPDFDOC_ExitFormFillEnvironment(self._form)
            self._form = None

    def on(self, page: Any) -> list[str]:
        """The values on a page, in the order of its fields."""
        values = []
        for i in range(min(pdfium.FPDFPage_GetAnnotCount(page), MOST_FIELDS)):
            mark = pdfium.FPDFPage_GetAnnot(page, i)
            if not mark:
                continue
            if value := self._value(mark).strip():
                values.append(value)
            pdfium.FPDFPage_CloseAnnot(mark)
        return values

    def _value(self, mark: Any) -> str:
        kind = pdfium.FPDFAnnot_GetSubtype(mark)
        if kind == pdfium.FPDF_ANNOT_FREETEXT:
            return _string(
                lambda *buffer: pdfium.FPDFAnnot_GetStringValue(mark, b"Contents", *buffer)
            )
        if kind != pdfium.FPDF_ANNOT_WIDGET or not self._form:
            return ""
        if pdfium.FPDFAnnot_GetFormFieldType(self._form, mark) not in _TYPED:
            return ""
        return _string(
            lambda *buffer: pdfium.FPDFAnnot_GetFormFieldValue(self._form, mark, *buffer)
        )


def _string(ask: Callable[[Any, int], int]) -> str:
    """A string that PDFium writes into room of the length it says."""
    length = ask(None, 0)
    buffer = (c_ushort * (length // 2 + 1))()
    ask(buffer, length)
    return bytes(buffer)[: max(0, length - 2)].decode("utf-16-le", "replace")


# The pictures of a PDF, each once, by a hash of what they show.

MOST = 500  # pictures of a document
WHOLE_PAGE = 0.85  # of a page: a picture that covers so much is the page, and for OCR
SMALLEST_RENDERED = 64  # points; smaller ones are looked at in their own resolution


class Gallery:
    """The pictures met so far: one that is repeated on every page is kept once."""

    def __init__(self, pixels: int) -> None:
        self._pixels = pixels
        self._digests: set[bytes] = set()
        self.count = 0

    def pictures_on(self, live: LivePage) -> list[Picture]:
        """The new pictures of a page, at no place yet."""
        pictures = []
        pixels = self._pixels
        for thing, box in live.objects.pictures:
            area = (box[2] - box[0]) * (box[3] - box[1])
            if self.count >= MOST or area >= WHOLE_PAGE * live.area:
                continue
            width, height = c_uint(), c_uint()
            pdfium.FPDFImageObj_GetImagePixelSize(thing, byref(width), byref(height))
            size = width.value * height.value
            if min(width.value, height.value) < SMALLEST_SIDE or size > pixels:
                continue
            data = _data(thing)
            mark = blake2b(data, digest_size=16, key=b"%d %d" % (width.value, height.value))
            if mark.digest() in self._digests:
                continue
            self._digests.add(mark.digest())
            pixels -= size  # a page of huge pictures is an attack
            if picture := _picture(live, thing, box, data, (width.value, height.value)):
                pictures.append(picture)
                self.count += 1
        return pictures


def _data(thing: Any) -> bytes:
    """The bytes of a picture as they stand in the file."""
    length = pdfium.FPDFImageObj_GetImageDataRaw(thing, None, 0)
    buffer = (c_ubyte * length)()
    pdfium.FPDFImageObj_GetImageDataRaw(thing, buffer, length)
    return bytes(buffer)


def _picture(
    live: LivePage, thing: Any, box: Box, data: bytes, size: tuple[int, int]
) -> Picture | None:
    width, height = size
    if data.startswith(b"\xff\xd8\xff") and not pdfium.FPDFPageObj_HasTransparency(thing):
        # A JPEG is decoded small at once by Pillow.
        return picture_in(data, 0, width * height, live.number)
    if min(box[2] - box[0], box[3] - box[1]) >= SMALLEST_RENDERED:  # as it is seen, with its mask
        bitmap = pdfium.FPDFImageObj_GetRenderedBitmap(live.document, live.page, thing)
    else:
        bitmap = pdfium.FPDFImageObj_GetBitmap(thing)
    if not bitmap:
        return None
    try:
        hashed = perceptual_hash(pypdfium2.PdfBitmap.from_raw(bitmap).to_pil())
    except Exception:  # Pillow's reasons; the text of the page is not affected
        return None
    return None if hashed is None else Picture(Span(0, 0), hashed, width, height, live.number)
