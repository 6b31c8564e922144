"""OpenDocument text: .odt, its templates, and the flat .fodt."""

from __future__ import annotations

from collections.abc import Callable

from likewise.catalogue import Value
from likewise.errors import ReadingError
from likewise.model import Message
from likewise.reading.draft import Draft
from likewise.reading.odt.story import OFFICE, TEXT, Story
from likewise.reading.odt.text_style import STYLE, Styles, TextStyles
from likewise.reading.office.blocks import Block
from likewise.reading.office.writing import (
    Manuscript,
    note_changes,
    note_damage,
    note_unread,
    write_down,
)
from likewise.reading.package import Element, Package, from_base64, parse_or_rescue
from likewise.reading.request import Request

_META_NAMESPACE = "{urn:oasis:names:tc:opendocument:xmlns:meta:1.0}"
_META = {
    "title": "title",
    "initial-creator": "author",
    "creator": "last_author",
    "creation-date": "created",
    "date": "modified",
    "generator": "producer",
}


def read_odt(data: bytes, request: Request) -> Draft:
    """The text of an OpenDocument as its reader sees it, with its tables, notes and pictures."""
    if not data.startswith(b"PK"):
        return _read_flat(data, request)
    package = Package(data, request.limits)
    manifest = package.read("META-INF/manifest.xml") or b""
    if b"encryption-data" in manifest or "encrypted-package" in package.names:
        raise ReadingError("reading.locked")
    content = package.xml("content.xml")
    if content is None:
        raise ReadingError("reading.not_odt")
    styles = package.xml("styles.xml")

    def formula(name: str) -> Element | None:
        root = package.xml(f"{name}/content.xml") if name else None
        return root if root is not None and root.tag.endswith("}math") else None

    meta = package.xml("meta.xml")
    draft = _write_story(content, styles, meta, formula, package.read, request)
    draft.meta |= _meta_in(meta)
    note_damage(draft, package.damage)
    return draft


def _read_flat(data: bytes, request: Request) -> Draft:
    damage: list[Value] = []
    root = parse_or_rescue(data, Message("reading.the_file"), damage)
    if root is None:
        raise ReadingError("reading.not_odt")
    draft = _write_story(root, root, root, lambda _name: None, lambda _name: None, request)
    draft.meta |= _meta_in(root)
    note_damage(draft, damage)
    return draft


def _write_story(
    content: Element,
    styles_root: Element | None,
    meta: Element | None,
    formula: Callable[[str], Element | None],
    media: Callable[[str], bytes | None],
    request: Request,
) -> Draft:
    body = next(content.iter(OFFICE + "text"), None)
    if body is None:
        raise ReadingError("reading.not_odt")
    roots = styles_root, None if content is styles_root else content
    styles, text_styles = Styles(*roots), TextStyles(*roots)
    text_styles.drawings_in(body)
    story = Story(styles, text_styles, formula)
    story.read(body)

    def media_or_inline(name: str) -> bytes | None:
        return from_base64(story.pictures[name]) if name in story.pictures else media(name)

    def running(*names: str) -> list[list[Block]]:
        stories = []
        for element in () if styles_root is None else styles_root.iter(*(STYLE + n for n in names)):
            repeated = Story(styles, text_styles, formula)
            repeated.read(element)
            stories.append(repeated.blocks)
        return stories

    manuscript = Manuscript(
        body=story.blocks,
        endnotes=story.endnotes,
        headers=running("header", "header-left", "header-first"),
        footers=running("footer", "footer-left", "footer-first"),
        caption_styles=styles.captions(),
        most_pages=_most_pages(body, styles),
        pages=_pages_counted(meta),
    )
    draft = write_down(manuscript, media_or_inline, request)
    note_changes(draft, deletions=story.deletions, comments=story.comments)
    note_unread(draft, embedded=story.embedded)
    return draft


def _most_pages(body: Element, styles: Styles) -> int:
    """How many pages there are at most; none where the pages' ends were not kept."""
    soft = sum(1 for _ in body.iter(TEXT + "soft-page-break"))
    if not soft:
        return 0
    style_names = (e.get(TEXT + "style-name") or "" for e in body.iter(TEXT + "p", TEXT + "h"))
    return 1 + soft + sum(sum(styles.page_breaks(name)) for name in style_names)


def _meta_in(root: Element | None) -> dict[str, str]:
    meta: dict[str, str] = {}
    element = None if root is None else root.find(OFFICE + "meta")
    for child in () if element is None else element:
        name = child.tag.rpartition("}")[2]
        if name in _META and child.text:
            meta.setdefault(_META[name], " ".join(child.text.split())[:1000])
    return meta


def _pages_counted(root: Element | None) -> int:
    statistics = (
        None if root is None else root.find(f"{OFFICE}meta/{_META_NAMESPACE}document-statistic")
    )
    value = (None if statistics is None else statistics.get(_META_NAMESPACE + "page-count")) or ""
    return int(value) if value.isascii() and value.isdigit() and len(value) < 7 else 0
