"""MHTML: a page and its pictures in one file, as browsers and Word ("web archive") save it."""

from __future__ import annotations

import email
import email.policy
import re
from email.message import Message
from urllib.parse import urljoin

from likewise.errors import ReadingError
from likewise.reading.draft import Draft
from likewise.reading.html.reader import read_html
from likewise.reading.request import Limits, Request

_LOOKED_AT = 1 << 13
_HEADERS = re.compile(rb"\s*(?:[\w-]+:[^\n]*(?:\n[ \t][^\n]*)*\n)+")
_KIND = re.compile(
    rb"^content-type:\s*(?:multipart/related|text/html|multipart/mixed|multipart/alternative)",
    re.IGNORECASE | re.MULTILINE,
)
_PICTURES = 200 << 20  # bytes, of the pictures together


def looks_like_mhtml(data: bytes) -> bool:
    """Whether some bytes are a page in a parcel, as e-mail packs it.

    >>> looks_like_mhtml(b"MIME-Version: 1.0\\nContent-Type: multipart/related; boundary=a\\n\\n")
    True
    """
    head = data[:_LOOKED_AT].replace(b"\r\n", b"\n").removeprefix(b"\xef\xbb\xbf")
    headers = _HEADERS.match(head)
    if headers is None or b"mime-version:" not in headers[0].lower():
        return False
    return _KIND.search(headers[0]) is not None


def read_mhtml(data: bytes, request: Request) -> Draft:
    """The page in a parcel, with the pictures that came along."""
    parcel = email.message_from_bytes(data.lstrip(), policy=email.policy.compat32)
    parts = [part for part in parcel.walk() if not part.is_multipart()]
    page = _root(parcel, parts)
    if page is None:
        raise ReadingError("reading.web_archive")
    content = _content(page)
    address = page.get("Content-Location", "")
    files = _pictures(parts, address, request.limits)
    declared = page.get_content_charset() or request.charset
    page_request = Request(
        request.name, request.limits, request.web_page, declared, request.tell_page
    )
    return read_html(content, page_request, files)


def _root(parcel: Message, parts: list[Message]) -> Message | None:
    """The page itself: what the parcel says it starts with, or the first page in it."""
    pages = [part for part in parts if part.get_content_type() in _PAGES]
    start = parcel.get_param("start")
    for page in pages:
        if start and page.get("Content-ID", "").strip() == str(start).strip():
            return page
    return pages[0] if pages else None


_PAGES = frozenset({"text/html", "application/xhtml+xml"})


def _content(part: Message) -> bytes:
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""


def _pictures(parts: list[Message], address: str, limits: Limits) -> dict[str, bytes]:
    """Pictures by every address that the page may have for them."""
    pictures: dict[str, bytes] = {}
    remaining = min(_PICTURES, limits.unpacked_bytes)
    for part in parts:
        if part.get_content_maintype() != "image":
            continue
        content = _content(part)
        remaining -= len(content)
        if remaining < 0:
            break
        location = str(part.get("Content-Location", "")).strip()
        name = str(part.get("Content-ID", "")).strip("<> \t\r\n")
        if name:
            pictures[f"cid:{name}"] = content
        if location:
            pictures[location] = pictures[urljoin(address, location)] = content
            if address:
                folder = address.rsplit("/", 1)[0] + "/"
                pictures[location.removeprefix(folder)] = content
    return pictures
