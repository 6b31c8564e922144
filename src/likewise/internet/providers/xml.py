"""XML from strangers: no entities, no document types, no network."""

from __future__ import annotations

from typing import Any

from lxml import etree


def read_xml(body: bytes) -> Any:
    """The root of an answer; `ValueError` where it is no XML.

    >>> read_xml(b"<feed><title>Steppe</title></feed>").tag
    'feed'
    """
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
    )
    try:
        root = etree.fromstring(body, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise ValueError("not XML") from error
    if root.getroottree().docinfo.doctype:
        raise ValueError("an answer declares no document type")
    return root


def text_of(element: Any, path: str) -> str:
    """All text below the first element on a path, empty where there is none."""
    found = element.find(path)
    return "" if found is None else "".join(found.itertext())
