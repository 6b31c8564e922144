"""XML from documents: parsed without expanding, fetching or believing anything."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from typing import Protocol

from lxml import etree

from likewise.catalogue import Value
from likewise.errors import ReadingError

# A tree takes some hundred bytes for every tag, however short the tag is.
MOST_TAGS = 6_000_000
# From here on libxml2 must be told that a large text is meant; below, its own bounds hold.
_LARGE_XML = 8_000_000
_DECLARED = re.compile(rb"""^<\?xml[^>]{0,100}?\sencoding\s*=\s*["']([\w.-]{1,40})""")
_DOCTYPE = re.compile(rb"<!DOCTYPE[^>\[]*+(\[[^\]]*+\]\s*+)?>")
_PROLOG_BYTES = 4096
_KNOWN_ENCODINGS = {"windows-1251", "windows-1252", "iso-8859-1", "iso-8859-5", "koi8-r"}


class Element(Protocol):
    """As much of an XML element as the readers use."""

    @property
    def tag(self) -> str: ...
    @property
    def text(self) -> str | None: ...
    @property
    def tail(self) -> str | None: ...
    def get(self, name: str) -> str | None: ...
    def find(self, path: str) -> Element | None: ...
    def iter(self, *tags: str) -> Iterator[Element]: ...
    def itertext(self, *tags: str) -> Iterator[str]: ...
    def __iter__(self) -> Iterator[Element]: ...
    def __len__(self) -> int: ...


def parse_or_rescue(content: bytes, name: Value, damage: list[Value]) -> Element | None:
    """The root element of some XML; where it is broken, what was rescued, and its name in `damage`.

    None where nothing could be rescued.
    """
    try:
        return parse_xml(content)
    except BrokenXml:
        if name not in damage:
            damage.append(name)
    try:
        return parse_xml(content, rescue=True)
    except BrokenXml:
        return None


class BrokenXml(ReadingError):
    """XML that is not well-formed."""


def parse_xml(data: bytes, *, rescue: bool = False) -> Element:
    """The root element of some XML; nothing is expanded, fetched or executed.

    >>> parse_xml(b"<a><b>Steppe</b></a>").find("b").text
    'Steppe'
    """
    data = as_utf8(data)
    # No office program writes them. Bombs are made of them; no parser gets to see one.
    if b"<!ENTITY" in data or b"<!ATTLIST" in data:
        raise ReadingError("reading.trap_entities")
    start = data.find(b"<!DOCTYPE", 0, _PROLOG_BYTES)  # nor tries to fetch what one refers to
    if start >= 0 and (doctype := _DOCTYPE.match(data, start)):
        data = data[:start] + data[doctype.end() :]
    if data.count(b"<") > MOST_TAGS:
        raise ReadingError("reading.too_many_parts")
    parser = etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,
        recover=rescue,
        huge_tree=len(data) > _LARGE_XML,
    )
    try:
        root: Element | None = etree.fromstring(data, parser)
    except (etree.LxmlError, ValueError) as error:
        raise BrokenXml("reading.broken_xml") from error
    if root is None:
        raise BrokenXml("reading.broken_xml")
    return root


def as_utf8(data: bytes) -> bytes:
    """The same XML in UTF-8, so that what is searched for is found and what is read is the same."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace").encode()
    if data.startswith(b"<\0"):
        return data.decode("utf-16-le", "replace").encode()
    if data.startswith(b"\0<"):
        return data.decode("utf-16-be", "replace").encode()
    data = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    declared = _DECLARED.match(data)
    encoding = declared[1].decode().lower() if declared else "utf-8"
    if encoding in _KNOWN_ENCODINGS:
        return data.decode(encoding, "replace").encode()
    return data


def from_base64(text: str) -> bytes | None:
    """The bytes that some letters stand for; None where they stand for none."""
    try:
        return base64.b64decode(text)
    except (binascii.Error, ValueError):
        return None
