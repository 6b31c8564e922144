"""What every package of Open XML says alike: its properties, and the words in its drawings."""

from __future__ import annotations

from likewise.reading.package import Element

_A_TEXT = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_META = {
    "title": "title",
    "creator": "author",
    "Author": "author",
    "Title": "title",
    "created": "created",
    "Created": "created",
    "modified": "modified",
    "LastSaved": "modified",
    "lastModifiedBy": "last_author",
    "LastAuthor": "last_author",
    "Application": "producer",
}


def meta_in(*roots: Element | None) -> dict[str, str]:
    """What the properties say about a document: its title, its author and when."""
    meta: dict[str, str] = {}
    for root in roots:
        for element in () if root is None else root:
            name = element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
            if name in _META and element.text:
                meta.setdefault(_META[name], " ".join(element.text.split())[:1000])
    return meta


def pages_counted(properties: Element | None) -> int:
    """How many pages the program that saved a document counted; 0 where it did not say."""
    for element in () if properties is None else properties:
        if element.tag.endswith("}Pages"):
            text = (element.text or "").strip()
            return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else 0
    return 0


def drawn_lines(root: Element | None) -> list[str]:
    """The words in a diagram or a chart, each line once."""
    lines: dict[str, None] = {}
    for element in () if root is None else root.iter(_A_TEXT + "p", _CHART + "strCache"):
        of_chart = element.tag == _CHART + "strCache"
        pieces = element.itertext(_CHART + "v" if of_chart else _A_TEXT + "t")
        lines[("\t" if of_chart else "").join(pieces).strip()] = None
    return [line for line in lines if line]
