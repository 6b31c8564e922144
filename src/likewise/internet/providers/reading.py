"""Answers of providers, taken apart with the caution that strangers deserve."""

from __future__ import annotations

import html
import json
import re
from dataclasses import dataclass
from typing import Any

_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>")
_SPACES = re.compile(r"\s+")
_LONGEST = 5000  # characters of a title or snippet
_ADDRESS = re.compile(r"https?://[^\s/?#]+\S*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Found:
    """One result as a provider wrote it."""

    url: str
    title: str
    snippet: str


def read_json(body: bytes) -> dict[str, Any]:
    """The object in an answer; `ValueError` where there is none."""
    try:
        told = json.loads(body)
    except RecursionError:
        raise ValueError("too deep") from None
    if not isinstance(told, dict):
        raise ValueError("not an object")
    return told


def items(told: Any, *path: str) -> list[dict[str, Any]]:
    """The objects in a list somewhere in an answer; none where the way there is missing.

    >>> items({"web": {"results": [{"url": "u"}, None]}}, "web", "results"), items({}, "web")
    ([{'url': 'u'}], [])
    """
    for name in path:
        told = told.get(name) if isinstance(told, dict) else None
    if told is None:
        return []
    if not isinstance(told, list):
        raise ValueError("not a list")
    return [item for item in told if isinstance(item, dict)]


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
