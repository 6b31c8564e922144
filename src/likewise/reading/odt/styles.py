"""What the styles of an OpenDocument text say about pages and captions."""

from __future__ import annotations

from likewise.reading.office.captions import is_caption_style
from likewise.reading.package import Element

_OASIS = "{urn:oasis:names:tc:opendocument:xmlns:"
STYLE, _FO = _OASIS + "style:1.0}", _OASIS + "xsl-fo-compatible:1.0}"


class Styles:
    """The styles of one document by their names; one style may be made from another."""

    def __init__(self, *roots: Element | None) -> None:
        self._parents: dict[str, str] = {}
        self._breaks: dict[str, tuple[bool, bool]] = {}
        for root in roots:
            for style in () if root is None else root.iter(STYLE + "style"):
                name = style.get(STYLE + "name") or ""
                self._parents[name] = style.get(STYLE + "parent-style-name") or ""
                # A style with a page of its own begins it.
                before, after = bool(style.get(STYLE + "master-page-name")), False
                for child in style:
                    before |= child.get(_FO + "break-before") == "page"
                    after |= child.get(_FO + "break-after") == "page"
                self._breaks[name] = before, after

    def page_breaks(self, name: str) -> tuple[bool, bool]:
        """Whether a new page begins before, and after, what has this style."""
        before = after = False
        for style in self._with_ancestors(name):
            of_style = self._breaks.get(style, (False, False))
            before, after = before or of_style[0], after or of_style[1]
        return before, after

    def captions(self) -> frozenset[str]:
        """The names of the styles for captions, and of those made from them."""
        return frozenset(
            name
            for name in self._parents
            if any(is_caption_style(style) for style in self._with_ancestors(name))
        )

    def _with_ancestors(self, name: str) -> list[str]:
        chain: list[str] = []
        while name and name not in chain and len(chain) < 20:
            chain.append(name)
            name = self._parents.get(name, "")
        return chain
