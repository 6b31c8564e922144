"""Plain text: its encoding, its lines and its pages."""

from __future__ import annotations

from likewise.reading.draft import Draft
from likewise.reading.encoding import decode
from likewise.reading.request import Request


def read_plain(data: bytes, request: Request) -> Draft:
    """The text of a file that is nothing but text.

    Lines end with `\\n` whatever system wrote them; a form feed ends a page.

    >>> draft = read_plain("Дала\\r\\nмен аспан".encode("koi8-r"), Request())
    >>> draft.document("a.txt").text
    'Дала\\nмен аспан'
    """
    decoded = decode(data, request.charset)
    text = decoded.text.replace("\r\n", "\n").replace("\r", "\n")
    draft = Draft()
    if decoded.note:
        draft.note("encoding", decoded.note)
    if "\f" in text:
        _write_pages(draft, text)
    else:
        draft.write(text)
    return draft


def _write_pages(draft: Draft, text: str) -> None:
    pages = text.split("\f")
    if not pages[-1].strip():  # printers are sent a form feed after the last page too
        pages.pop()
    for number, page in enumerate(pages, 1):
        start = draft.position
        draft.write(page if page.endswith("\n") else page + "\n")
        draft.add_page(number, start)
