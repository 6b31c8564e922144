"""Answers of providers, taken apart with the caution that strangers deserve.

XML is taken apart in a reader, without entities, document types or network.
"""

from __future__ import annotations

import html
import json
import re
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element

from likewise.errors import ReadingError
from likewise.internet.model import SHORT_ANSWER
from likewise.reading.sandbox import shared_sandbox

_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>")
_SPACES = re.compile(r"\s+")
_LONGEST = 5000  # characters of a title or snippet
_ADDRESS = re.compile(r"https?://[^\s/?#]+\S*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One result as a provider wrote it."""

    url: str
    title: str
    snippet: str


def read_json(body: bytes) -> dict[str, Any]:
    """The object in an answer; `ValueError` where there is none."""
    try:
        reply = json.loads(body)
    except RecursionError:
        raise ValueError("too deep") from None
    if not isinstance(reply, dict):
        raise ValueError("not an object")
    return reply


def items(reply: Any, *path: str) -> list[dict[str, Any]]:
    """The objects in a list somewhere in an answer; none where the way there is missing.

    >>> items({"web": {"results": [{"url": "u"}, None]}}, "web", "results"), items({}, "web")
    ([{'url': 'u'}], [])
    """
    for name in path:
        reply = reply.get(name) if isinstance(reply, dict) else None
    if reply is None:
        return []
    if not isinstance(reply, list):
        raise ValueError("not a list")
    return [item for item in reply if isinstance(item, dict)]


def text_at(item: Any, *path: str) -> str:
    """A text somewhere in an object, empty where there is none; the first of a list."""
    for name in path:
        item = item.get(name) if isinstance(item, dict) else None
    if isinstance(item, list):
        item = item[0] if item else ""
    return item if isinstance(item, str) else ""


def plain(text: str) -> str:
    """A title or snippet without marks, entities and line breaks.

    >>> plain("The <strong>open</strong>\\n steppe &amp; sky, a &lt; b")
    'The open steppe & sky, a < b'
    """
    bare = html.unescape(_TAG.sub("", text[:_LONGEST]))
    return _SPACES.sub(" ", bare).strip()


def is_address(url: str) -> bool:
    """Whether a result leads to a page."""
    return len(url) <= 4096 and _ADDRESS.fullmatch(url) is not None


def read_xml(body: bytes) -> Element:
    """The root of an answer; `ValueError` where it is no XML.

    >>> read_xml(b"<feed><title>Steppe</title></feed>").findtext("title")
    'Steppe'
    """
    try:
        return _element(shared_sandbox(SHORT_ANSWER).call(xml_tree, body))
    except ReadingError as error:
        raise ValueError(str(error)) from error


def xml_tree(body: bytes) -> list[Any]:
    """Tag, attributes, text, tail and children of the root, and so on. For a reader."""
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
    )
    try:
        root = etree.fromstring(body, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise ValueError("not XML") from error
    if root.getroottree().docinfo.doctype:
        raise ValueError("an answer declares no document type")
    return _tree(root)


def _tree(element: Any) -> list[Any]:
    children = [_tree(child) for child in element if isinstance(child.tag, str)]
    return [element.tag, dict(element.attrib), element.text, element.tail, children]


def _element(tree: list[Any]) -> Element:
    tag, attributes, text, tail, children = tree
    element = Element(tag, attributes)
    element.text, element.tail = text, tail
    element.extend(_element(child) for child in children)
    return element


def text_of(element: Element, path: str) -> str:
    """All text below the first element on a path, empty where there is none."""
    hits = element.find(path)
    return "" if hits is None else "".join(hits.itertext())
