"""A page: parsed, with what its head says, and its two kinds of text.

What is meant to hurt the parser is taken out before.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from itertools import islice

import numpy as np
from resiliparse.parse.html import DOMNode, HTMLTree

from likewise.model import Message
from likewise.reading.draft import Draft
from likewise.reading.html.walk import Walk
from likewise.reading.request import Limits

_SPACES = re.compile(r"\s+")
# In XHTML every element may be empty; in HTML these would swallow the rest of the page.
_EMPTY = re.compile(
    r"<(script|style|title|textarea|iframe|noscript|noframes|xmp)(\s[^<>]*)?/>", re.IGNORECASE
)
_AUTHORS = ("author", "dc.creator", "dcterms.creator", "article:author", "citation_author")
_AUTHOR_OF_WORD = re.compile(r"<o:Author>([^<]{1,200})</o:Author>")
_MOST_EMBEDDED = 20
# What is less is hardly the text a page was made for; a home page has none.
_LEAST_CHARS, _LEAST_SHARE = 200, 0.1
_NO_MAIN_TEXT = Message("reading.not_told")


class Page:
    """The source of a page, and the tree made of it."""

    def __init__(self, source: str) -> None:
        source = source.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")
        if source[:200].lstrip("\ufeff \t\r\n").startswith("<?xml"):
            source = _EMPTY.sub(r"<\1\2></\1>", source)
            source = _with_text_of_sections(source)
        self.source, self.was_wild = tame_markup(source)
        self._tree = HTMLTree.parse(self.source)

    @property
    def meta(self) -> dict[str, str]:
        """Title and author."""
        tags: dict[str, str] = {}
        for element in islice(self._tree.document.get_elements_by_tag_name("meta"), 200):
            name = element.getattr("name") or element.getattr("property") or ""
            tags.setdefault(name.strip().lower(), element.getattr("content") or "")
        by_word = _AUTHOR_OF_WORD.search(self.source, 0, 1 << 15)
        authors = [tags[name] for name in _AUTHORS if tags.get(name, "").strip()]
        authors += [unescape(by_word[1])] if by_word else []
        return {
            "title": _tidy(self._tree.title or ""),
            "author": _tidy(authors[0]) if authors else "",
        }

    @property
    def has_frames(self) -> bool:
        return self._tree.body is None

    @property
    def has_scripts(self) -> bool:
        return len(self._tree.document.get_elements_by_tag_name("script")) > 0

    def write(self, draft: Draft, limits: Limits, files: Mapping[str, bytes]) -> None:
        """The whole text of the page."""
        walk = Walk(draft, limits, files)
        walk.read(_root(self._tree))
        if "srcdoc" in self.source:
            frames = islice(self._tree.document.get_elements_by_tag_name("iframe"), _MOST_EMBEDDED)
            sources = [frame.getattr("srcdoc") for frame in frames]
            for source in filter(None, sources):
                walk.read(_root(HTMLTree.parse(tame_markup(source)[0])))

    def write_main_text(self, draft: Draft, limits: Limits) -> Message | None:
        """The main text of the page; the reason where it cannot be told from what surrounds it."""
        try:
            from likewise.reading.html.main_text import main_part
        except ImportError:
            return Message("reading.package_missing", {"package": "trafilatura"})
        part = main_part(self.source)
        if part is None:
            return _NO_MAIN_TEXT
        main, whole = Draft(), Draft()
        root = _root(HTMLTree.parse(part))
        Walk(main, limits, {}).read(root)
        self.write(whole, limits, {})
        if main.position < max(_LEAST_CHARS, whole.position * _LEAST_SHARE):
            return _NO_MAIN_TEXT
        Walk(draft, limits, {}).read(root)
        return None


def _root(tree: HTMLTree) -> DOMNode:
    """The body; a page of frames has none."""
    return tree.body or tree.document.get_elements_by_tag_name("html")[0]


def _with_text_of_sections(source: str) -> str:
    """CDATA sections are text in XHTML, and nothing in HTML."""
    before, *sections = source.split("<![CDATA[")
    parts = [before]
    for section in sections:
        text, _, rest = section.partition("]]>")
        parts += text.replace("&", "&amp;").replace("<", "&lt;"), rest
    return "".join(parts)


def _tidy(text: str) -> str:
    return _SPACES.sub(" ", text).strip()[:500]


# HTML that is meant to hurt its parser: tags nested without end, tags with endless attributes.
#
# A parser of HTML looks through all open elements at many tags, and through all attributes of a tag
# at each of them; both grow with the square of their number. What no honest page has is taken out
# before the page is parsed; its text stays.

DEEPEST = 2_000  # open elements; browsers stop at 512
_MOST = 1_000  # attributes
_LONG_TAG = 1 << 14  # bytes; only longer ones are looked at
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)(?:[^>\"']|\"[^\"]*\"|'[^']*')*>?")
_LONG = re.compile(r"<([a-zA-Z][^\s/>]*)[^>]*>?")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_BETWEEN = re.compile(r"[\s/=]+")
# These never hold others open: they have no content, or the next of their kind ends them.
_SHALLOW = frozenset(
    "area base br col embed hr img input link meta param source track wbr p li dt dd td th tr thead"
    " tbody tfoot colgroup caption option optgroup body html head".split()
)


def tame_markup(page: str) -> tuple[str, bool]:
    """A page that can be parsed in a time that grows with its length, and whether it was changed.

    >>> page, was_wild = tame_markup("<div>" * 100_000 + "deep")
    >>> page.count("<div>"), page[-4:], was_wild
    (2000, 'deep', True)
    """
    raw = np.frombuffer(page.encode("utf-8", "replace"), dtype=np.uint8)
    was_wild = False
    if _longest_tag(raw) > _LONG_TAG:
        page, changed = _LONG.subn(_without_attributes, page)
        was_wild = changed > 0 and len(page.encode("utf-8", "replace")) < len(raw)
    if _deepest(raw) > DEEPEST:
        return _flattened(page, was_wild)
    return page, was_wild


def _longest_tag(raw: np.ndarray[tuple[int], np.dtype[np.uint8]]) -> int:
    """No tag is longer than the longest stretch without a `>`."""
    ends = np.flatnonzero(raw == ord(">"))
    edges = np.concatenate([[0], ends, [len(raw)]])
    return int(np.diff(edges).max())


def _deepest(raw: np.ndarray[tuple[int], np.dtype[np.uint8]]) -> int:
    """No element is deeper than this: as if every tag without a slash opened one."""
    starts = np.flatnonzero(raw[:-1] == ord("<"))
    if not len(starts):
        return 0
    after = raw[starts + 1]
    letters = (after | 0x20) - ord("a") < 26
    steps = np.where(after == ord("/"), -1, np.where(letters, 1, 0))
    depth = np.cumsum(steps)
    return int((depth - np.minimum.accumulate(np.minimum(depth, 0))).max())


def _without_attributes(tag: re.Match[str]) -> str:
    if len(tag[0]) <= _LONG_TAG or len(_BETWEEN.findall(_QUOTED.sub("", tag[0]))) <= _MOST:
        return tag[0]
    return f"<{tag[1]}>"


def _flattened(page: str, was_wild: bool) -> tuple[str, bool]:
    """The page without the tags of elements that are too deep."""
    parts: list[str] = []
    position = depth = 0
    for tag in _TAG.finditer(page):
        name = tag[2].lower()
        if name in _SHALLOW or tag[0].endswith("/>"):
            continue
        depth = depth + 1 if not tag[1] else max(depth - 1, 0)
        if depth > DEEPEST or (tag[1] and depth == DEEPEST):
            parts += page[position : tag.start()], " "
            position = tag.end()
            was_wild = True
    return "".join([*parts, page[position:]]), was_wild
