"""WordprocessingML by the piece; only `escaped` text gets in, so that no text becomes markup.

Written as strings, because a report of ten thousand passages has half a million elements.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from xml.sax.saxutils import escape

from likewise.report.characters import printable
from likewise.report.paper.blocks import Line, Run

WIDTH = 9638  # of the text on A4, in twentieths of a point
SOFT, INK, ALARM = "5F6B76", "1F2933", "A3271B"
UNDERLINES: dict[Line, str] = {
    "verbatim": "thick",
    "edited": "dash",
    "rewritten": "dottedHeavy",
    "summarised": "double",
    "translated": "dashDotHeavy",
    "fragment": "dotted",
}


@cache
def colours() -> tuple[tuple[str, str], ...]:
    """Of each colour the light and the dark one."""
    text = files("likewise.report").joinpath("colours.json").read_text("utf-8")
    return tuple((each["light"][1:].upper(), each["dark"][1:].upper()) for each in json.loads(text))


def colours_of(source: int) -> tuple[str, str]:
    return colours()[source % len(colours())]


def escaped(text: str) -> str:
    """Text as XML holds it; what XML cannot hold has become a visible sign.

    >>> escaped("a < b & \\x00")
    'a &lt; b &amp; \ufffd'
    """
    return escape(printable(text))


def text_run(text: str, properties: str = "") -> str:
    """Text of one look; tabs and line ends keep their meaning."""
    if not text:
        return ""
    xml = escaped(text)
    if "\t" in xml or "\n" in xml:
        xml = xml.replace("\t", '</w:t><w:tab/><w:t xml:space="preserve">')
        xml = xml.replace("\n", '</w:t><w:br/><w:t xml:space="preserve">')
    properties = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f'<w:r>{properties}<w:t xml:space="preserve">{xml}</w:t></w:r>'


def paragraph(inside: str, style: str = "Normal", properties: str = "") -> str:
    return f'<w:p><w:pPr><w:pStyle w:val="{style}"/>{properties}</w:pPr>{inside}</w:p>'


def shading(fill: str) -> str:
    return f'<w:shd w:val="clear" w:color="auto" w:fill="{fill}"/>'


def run_properties(run: Run) -> str:
    """How a run is drawn, in the order that the schema asks for."""
    properties = []
    if run.strong:
        properties.append("<w:b/><w:bCs/>")
    if run.aside:
        properties.append("<w:i/><w:iCs/>")
    if run.trick:
        properties.append(f'<w:color w:val="{ALARM}"/>')
    elif run.faint or run.aside:
        properties.append(f'<w:color w:val="{SOFT}"/>')
    light, dark = colours_of(run.source) if run.source is not None else ("", INK)
    if run.line:
        properties.append(f'<w:u w:val="{UNDERLINES[run.line]}" w:color="{dark}"/>')
    elif run.strong:
        properties.append('<w:u w:val="single"/>')
    if run.trick:
        properties.append(f'<w:bdr w:val="single" w:sz="4" w:space="0" w:color="{ALARM}"/>')
    if light:
        properties.append(shading(light))
    if is_right_to_left(run.text):
        properties.append("<w:rtl/>")
    return "".join(properties)


def is_right_to_left(text: str) -> bool:
    """Whether the first letter of a text belongs to a script that is written from the right."""
    if text.isascii():
        return False
    for character in text[:200]:
        direction = unicodedata.bidirectional(character)
        if direction in ("L", "R", "AL"):
            return direction != "L"
    return False


def table(
    widths: Sequence[int], rows: Iterable[str], style: str = "Rows", properties: str = ""
) -> str:
    """A table of fixed columns; Word and LibreOffice join tables without a paragraph between."""
    grid = "".join(f'<w:gridCol w:w="{width}"/>' for width in widths)
    return (
        f'<w:tbl><w:tblPr><w:tblStyle w:val="{style}"/><w:tblW w:w="{sum(widths)}" w:type="dxa"/>'
        f'<w:tblLayout w:type="fixed"/>{properties}</w:tblPr><w:tblGrid>{grid}</w:tblGrid>'
        f"{''.join(rows)}</w:tbl>"
    )


def row(cells: Iterable[str], *, is_head: bool = False, height: int = 0) -> str:
    properties = "" if height else "<w:cantSplit/>"
    if height:
        properties += f'<w:trHeight w:val="{height}" w:hRule="exact"/>'
    if is_head:
        properties += "<w:tblHeader/>"
    return f"<w:tr><w:trPr>{properties}</w:trPr>{''.join(cells)}</w:tr>"


def cell(inside: str, width: int, properties: str = "") -> str:
    return f'<w:tc><w:tcPr><w:tcW w:w="{width}" w:type="dxa"/>{properties}</w:tcPr>{inside}</w:tc>'
