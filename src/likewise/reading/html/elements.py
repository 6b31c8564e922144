"""What the elements of HTML mean to someone who reads, and the way through them."""

from __future__ import annotations

import re
from collections.abc import Callable

from resiliparse.parse.html import ELEMENT, TEXT, DOMNode

from likewise.errors import ReadingError
from likewise.reading.draft import Hidden
from likewise.reading.formulas import annotation_tex, tex_of
from likewise.reading.package import parse_xml

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


# The tree of a parsed page, from its first element to its last.

Leave = Callable[[], None]


def traverse(
    root: DOMNode, enter: Callable[[DOMNode, str], Leave | None], text: Callable[[str], None]
) -> None:
    """Visit what a reader sees: `enter` elements, hear their `text`, and leave them again.

    `enter` returns what is to be done when the element ends. Depth costs no stack: pages are
    nested as deep as somebody likes.
    """
    leaving: list[Leave | None] = []
    node = root
    while True:
        kind = node.type
        below = None
        if kind == TEXT:
            text(node.value or "")
        elif kind == ELEMENT:
            tag = node.tag or ""
            if not is_left_out(node, tag):
                leave = enter(node, tag)
                below = node.first_child
                if below is not None:
                    leaving.append(leave)
                elif leave:
                    leave()
        while below is None:
            if not leaving:
                return
            below = node.next
            if below is None:
                leave = leaving.pop()
                if leave:
                    leave()
                above = node.parent
                if above is None:
                    return
                node = above
        node = below


# Formulas of a page, as elements and as pictures that were made of TeX.

FORMULAS = frozenset({"math", "m:math", "mml:math"})
_LONGEST = 100_000  # characters of markup; a longer formula stays words
_CLASS = re.compile(r"(?:^|\s)(?:tex|latex|mwe-math[\w-]*)(?:\s|$)")


def tex_in(math: DOMNode) -> str:
    """The TeX of a formula; nothing where it cannot be told."""
    markup = math.html.replace("&nbsp;", "&#160;")  # the one name here that XML does not know
    if len(markup) > _LONGEST:
        return ""
    try:
        return tex_of(parse_xml(markup.encode("utf-8", "replace"), rescue=True))
    except ReadingError:
        return ""


def tex_of_picture(image: DOMNode) -> str:
    """The TeX that a picture of a formula was made of, which stands in its place for the blind."""
    if not _CLASS.search(image.getattr("class") or ""):
        return ""
    return annotation_tex(image.getattr("alt") or "")
