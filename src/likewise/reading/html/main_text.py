"""The main text of a web page: the article without menus, teasers and what surrounds it."""

from __future__ import annotations

import logging
import re

import trafilatura
from lxml import etree

# The search takes more than its share of time for pages beyond these.
_LONGEST = 3_000_000  # characters
_MOST_TAGS = 40_000
_MOST_TABLES = 500
_TABLE = re.compile("<table", re.IGNORECASE)
_AS_HTML = {
    "cell": "td",
    "code": "pre",
    "del": "s",
    "head": "h2",
    "hi": "span",
    "item": "li",
    "lb": "br",
    "list": "ul",
    "quote": "blockquote",
    "ref": "a",
    "row": "tr",
}

logging.getLogger("trafilatura").addHandler(logging.NullHandler())  # it talks to the screen


def main_part(source: str) -> str | None:
    """The part of a page that holds its main text, as HTML; None where there is none."""
    if len(source) > _LONGEST or source.count("<") > _MOST_TAGS:
        return None
    if len(_TABLE.findall(source)) > _MOST_TABLES:
        return None
    try:
        extraction = trafilatura.bare_extraction(
            source, include_comments=False, include_tables=True
        )
    except Exception:  # whatever damaged pages make it raise; the whole text is there then
        return None
    body = getattr(extraction, "body", None)
    if body is None:
        return None
    for element in body.iter():
        if element.tag in _AS_HTML:
            element.tag = _AS_HTML[element.tag]
    return str(etree.tostring(body, encoding="unicode", method="html"))
