"""What came over the network, as a document: its content decides what it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import Message

from likewise.errors import ReadingError
from likewise.internet.errors import NotFetched
from likewise.internet.model import FetchLimits
from likewise.model import Document
from likewise.reading.read import read_with_options
from likewise.reading.request import Limits, ReadOptions
from likewise.reading.sandbox import shared_sandbox

_NO_TEXT = re.compile(r"(?:video|audio|font|model)/")
_SCRIPT = re.compile(rb"<script[\s>]", re.IGNORECASE)
# Where the usual frameworks put the page that they make: such a part of the page, so named. A tag
# ends before the next one begins, so that no byte is looked at for two of them.
_PART = re.compile(rb"<(?:div|main|section)\b[^<>]*+", re.IGNORECASE)
_MOUNT = re.compile(
    rb"\bid\s*+=\s*+[\"']?(?:root|app|__next|__nuxt|___gatsby|svelte|ember)", re.IGNORECASE
)
_NO_SCRIPT = re.compile(rb"<noscript[\s>]", re.IGNORECASE)
_NO_SCRIPT_END = re.compile(rb"</noscript", re.IGNORECASE)
_ASKS_FOR_SCRIPTS = re.compile(r"java\s?script|скрипт|браузер", re.IGNORECASE)
_LITTLE = 300  # characters; what a page shows beside the place where a script would write


def check_type(content_type: str) -> None:
    """`NotFetched` for what holds no text, before it is fetched in full."""
    if match := _NO_TEXT.match(content_type.strip().lower()):
        raise NotFetched("internet.no_document", kind=match[0][:-1])


def document_from(body: bytes, url: str, content_type: str, limits: FetchLimits) -> Document:
    """The document in the body of an answer; `NotFetched` says what else it is."""
    check_type(content_type)
    how = ReadOptions(limits=_reading_limits(limits), web_page=True, ocr=())
    try:
        document = read_with_options(body, url, how, charset=_charset(content_type))
    except ReadingError as error:
        if _is_made_by_scripts(body, "", how.limits):
            raise NotFetched("internet.scripts") from error
        raise NotFetched(error.message) from error
    if _is_made_by_scripts(body, document.text, how.limits):
        raise NotFetched("internet.scripts")
    if not document.has_text:
        raise NotFetched("internet.no_text")
    return document


def _is_made_by_scripts(body: bytes, text: str, limits: Limits) -> bool:
    visible = text.strip()
    if len(visible) > _LITTLE:
        return False
    try:
        return shared_sandbox(limits).call(needs_scripts, body, has_text=bool(visible))
    except ReadingError:
        return False


def needs_scripts(body: bytes, has_text: bool) -> bool:
    """Whether a page that shows little is the empty stage on which scripts play. For a reader."""
    if not _SCRIPT.search(body):
        return False
    if any(_MOUNT.search(body, *part.span()) for part in _PART.finditer(body)):
        return True
    text_outside_scripts = b" ".join(_without_scripts(body)).decode("utf-8", "replace")
    return _ASKS_FOR_SCRIPTS.search(text_outside_scripts) is not None or not has_text


def _without_scripts(body: bytes) -> Iterator[bytes]:
    """What a page tells those who run no scripts."""
    start = _NO_SCRIPT.search(body)
    while start and (end := _NO_SCRIPT_END.search(body, start.end())):
        yield body[start.end() : end.start()]
        start = _NO_SCRIPT.search(body, end.end())


def _charset(content_type: str) -> str | None:
    """What a server says about the letters.

    >>> _charset('text/html; charset="windows-1251"'), _charset("text/html")
    ('windows-1251', None)
    """
    message = Message()
    message["content-type"] = content_type.replace("\r", " ").replace("\n", " ")
    charset = message.get_param("charset")
    return charset if isinstance(charset, str) and charset else None


def _reading_limits(limits: FetchLimits) -> Limits:
    """A stranger's file gets less than one that somebody handed in."""
    return Limits(
        file_bytes=limits.unpacked_bytes,
        memory_bytes=limits.reading_memory_bytes,
        pages=3000,
        seconds=min(25.0, limits.reading_seconds),
        total_seconds=limits.reading_seconds,
    )
