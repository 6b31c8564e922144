"""What the elements of HTML mean to someone who reads: lines, tables, and what is not shown."""

from __future__ import annotations

import re

from resiliparse.parse.html import DOMNode

from likewise.reading.draft import Hidden

# Each stands on lines of its own.
BLOCKS = frozenset(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset"
    " figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu"
    " multicol noframes ol p pre plaintext listing search section summary table tbody td tfoot th"
    " text textarea thead tr ul xmp".split()
)
# These are words of their own where they stand side by side.
APART = frozenset("a button label".split())
AS_TYPED = frozenset("pre textarea listing plaintext xmp".split())
# What a browser does not show, and what is no text of the page: programs, styles, controls, ways
# to other pages; and the parts of Word's pages that only Word reads.
UNSEEN = frozenset(
    "applet audio canvas datalist defs desc embed head iframe metadata meter nav noembed noscript"
    " object option progress rp script select style symbol template title video"
    " xml".split()
)
HIDDEN = "hidden text"
_NAVIGATION = frozenset({"navigation", "menu", "menubar"})
_NOT_DISPLAYED = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all)", re.IGNORECASE
)
_TINY = re.compile(
    r"(?:^|;)\s*font-size\s*:\s*(?:0|0?\.\d+|1)(?:p[tx])?\s*(?:;|!|$)", re.IGNORECASE
)
_WHITE = re.compile(
    r"(?:^|;)\s*color\s*:\s*(?:white|#fff(?:fff)?|rgb\(\s*255\s*,\s*255\s*,\s*255\s*\))",
    re.IGNORECASE,
)
_RUNNING_OF_WORD = re.compile(r"mso-element\s*:\s*(header|footer)", re.IGNORECASE)
_COMMENT_OF_WORD = re.compile(r"mso-element\s*:\s*comment|mso-comment-", re.IGNORECASE)


def is_left_out(node: DOMNode, tag: str) -> bool:
    """Whether an element is no text of the page, with everything in it."""
    if tag in UNSEEN:
        return True
    role = node.getattr("role")
    if role and role.strip().lower() in _NAVIGATION:
        return True
    style = node.getattr("style")
    return bool(style and "mso-" in style and _COMMENT_OF_WORD.search(style))


def _is_on_white(node: DOMNode | None) -> bool:
    """Whether nothing around an element may have given it another background."""
    while node is not None:
        if any(node.getattr(name) for name in ("bgcolor", "background", "class", "id")):
            return False
        if "background" in (node.getattr("style") or "").lower():
            return False
        node = node.parent
    return True


def why_aside(node: DOMNode, tag: str) -> str | None:
    """Why an element is left out of comparison, if it is.

    It is not displayed, or an office suite saved the head or foot of its pages in it.
    """
    style = node.getattr("style")
    if style:
        if _NOT_DISPLAYED.search(style):
            return HIDDEN
        if _TINY.search(style):
            return Hidden.TINY
        if _WHITE.search(style) and _is_on_white(node):
            return Hidden.WHITE
        if running := _RUNNING_OF_WORD.search(style):
            return f"running {running[1].lower()}"
    if tag == "div" and (title := node.getattr("title")) in ("header", "footer"):
        return f"running {title}"
    hidden = node.getattr("hidden")
    if hidden is not None and hidden.strip().lower() not in ("false", "until-found"):
        return HIDDEN
    return HIDDEN if tag == "dialog" and node.getattr("open") is None else None
