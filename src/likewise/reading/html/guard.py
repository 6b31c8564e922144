"""HTML that is meant to hurt its parser: tags nested without end, tags with endless attributes.

A parser of HTML looks through all open elements at many tags, and through all attributes of a tag
at each of them; both grow with the square of their number. What no honest page has is taken out
before the page is parsed; its text stays.
"""

from __future__ import annotations

import re

import numpy as np

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


def tamed(page: str) -> tuple[str, bool]:
    """A page that can be parsed in a time that grows with its length, and whether it was changed.

    >>> page, was_wild = tamed("<div>" * 100_000 + "deep")
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
    kept: list[str] = []
    position = depth = 0
    for tag in _TAG.finditer(page):
        name = tag[2].lower()
        if name in _SHALLOW or tag[0].endswith("/>"):
            continue
        depth = depth + 1 if not tag[1] else max(depth - 1, 0)
        if depth > DEEPEST or (tag[1] and depth == DEEPEST):
            kept += page[position : tag.start()], " "
            position = tag.end()
            was_wild = True
    return "".join([*kept, page[position:]]), was_wild
