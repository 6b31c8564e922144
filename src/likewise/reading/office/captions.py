"""Which paragraph beside a table is its caption."""

from __future__ import annotations

import re
from collections.abc import Sequence

from likewise.reading.office.blocks import Block, Paragraph, TableBlock

LONGEST = 400  # characters; what is longer is text about the table

_STYLES = re.compile(
    r"caption|table( caption| title| name)?|таблица|название( объекта| таблицы)|кесте( атауы)?",
    re.IGNORECASE,
)
_FIGURE = re.compile(
    r"\s*(fig(ure|\.)|illustration|drawing|chart|diagram|scheme|photo|рис\b|рисунок|схема|график"
    r"|диаграмма|фото|сурет|[\d.]++\s*+(?:[-–—]\s*+)?(сурет|рисунок))",
    re.IGNORECASE,
)
_NUMBER = r"(?:[A-ZА-ЯӘҒҚҢӨҰҮҺІ][.\-]?)?\d[\d.\-]*|[IVXLC]+\b"
_LABEL = (
    rf"(?:(?i:table|tab\.|таблица|табл\.|кесте)\s*+(?:(?:№|N)\s*+)?(?:{_NUMBER})"
    rf"|(?:{_NUMBER})\s*+(?:[-–—]\s*+)?(?i:кесте|таблица))"
)
_LABEL_ALONE = re.compile(rf"\s*{_LABEL}\s*+(?:[.:]\s*+)?")
# A sentence about a table begins as its caption does, but goes on in small letters.
_LABEL_AND_TITLE = re.compile(rf"\s*{_LABEL}\s*+([.:)–—-]|$|(?=[^\w\s]|[A-ZА-ЯЁӘҒҚҢӨҰҮҺІ\d]))")


def is_caption_style(name: str) -> bool:
    """Whether a style of this name is for captions.

    >>> [is_caption_style(name) for name in ("caption", "Название объекта", "Table Contents")]
    [True, True, False]
    """
    return bool(_STYLES.fullmatch(name.strip()))


def captions(blocks: Sequence[Block], caption_styles: frozenset[str]) -> dict[int, str]:
    """The captions of the tables among some blocks, by the places of the tables.

    A caption above a table goes before one below it; no caption serves two tables.
    """
    if not any(isinstance(block, TableBlock) for block in blocks):
        return {}
    shown = [
        i for i, block in enumerate(blocks) if isinstance(block, TableBlock) or block.text.strip()
    ]
    found: dict[int, str] = {}
    used: set[int] = set()
    any_above = False
    for rank, place in enumerate(shown):
        if not isinstance(blocks[place], TableBlock):
            continue
        above = [i for i in reversed(shown[max(rank - 2, 0) : rank]) if i not in used]
        below = shown[rank + 1 : rank + 3]
        if text := _above([blocks[i] for i in above], caption_styles):
            any_above = True
            used.update(above)
        elif (
            below
            and not (any_above and len(below) > 1 and isinstance(blocks[below[1]], TableBlock))
            and (text := _caption(blocks[below[0]], caption_styles))
        ):
            used.add(below[0])
        if text:
            found[place] = text
    return found


def _above(nearest_first: Sequence[Block], styles: frozenset[str]) -> str:
    if not nearest_first:
        return ""
    if text := _caption(nearest_first[0], styles):
        return text
    # «Таблица 3» at the right, its title in a line of its own.
    texts = [b.text.strip() if isinstance(b, Paragraph) else "" for b in nearest_first]
    if len(texts) > 1 and _LABEL_ALONE.fullmatch(texts[1]) and 0 < len(texts[0]) <= LONGEST:
        return f"{texts[1]} {texts[0]}"
    return ""


def _caption(block: Block, styles: frozenset[str]) -> str:
    if not isinstance(block, Paragraph):
        return ""
    text = " ".join(block.text.split())
    if not 0 < len(text) <= LONGEST or _FIGURE.match(text):
        return ""
    if block.counted or block.style in styles or _LABEL_AND_TITLE.match(text):
        return text
    return ""
