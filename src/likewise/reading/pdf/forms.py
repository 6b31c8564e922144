"""What people typed into a PDF: values of form fields, and text put on top of a page."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import c_ushort
from typing import Any

import pypdfium2.raw as pdfium

MOST_FIELDS = 2_000  # of a page
_TYPED = (
    pdfium.FPDF_FORMFIELD_TEXTFIELD,
    pdfium.FPDF_FORMFIELD_COMBOBOX,
    pdfium.FPDF_FORMFIELD_LISTBOX,
)


class Typed:
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
            return _string(lambda *room: pdfium.FPDFAnnot_GetStringValue(mark, b"Contents", *room))
        if kind != pdfium.FPDF_ANNOT_WIDGET or not self._form:
            return ""
        if pdfium.FPDFAnnot_GetFormFieldType(self._form, mark) not in _TYPED:
            return ""
        return _string(lambda *room: pdfium.FPDFAnnot_GetFormFieldValue(self._form, mark, *room))


def _string(ask: Callable[[Any, int], int]) -> str:
    """A string that PDFium writes into room of the length it says."""
    length = ask(None, 0)
    room = (c_ushort * (length // 2 + 1))()
    ask(room, length)
    return bytes(room)[: max(0, length - 2)].decode("utf-16-le", "replace")
