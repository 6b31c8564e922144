"""Formulas of a page, as elements and as pictures that were made of TeX."""

from __future__ import annotations

import re

from resiliparse.parse.html import DOMNode

from likewise.errors import ReadingError
from likewise.reading.formulas import shown_tex, tex_of
from likewise.reading.package import parse_xml

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
    return shown_tex(image.getattr("alt") or "")
