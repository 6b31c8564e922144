"""The tree of a parsed page, from its first element to its last."""

from __future__ import annotations

from collections.abc import Callable

from resiliparse.parse.html import ELEMENT, TEXT, DOMNode

from likewise.reading.html.elements import is_left_out

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
