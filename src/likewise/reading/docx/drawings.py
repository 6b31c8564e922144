"""Pictures, charts, diagrams and text boxes of a Word document, and what lies behind its text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from likewise.reading.office.blocks import Paragraph
from likewise.reading.office.text_style import (
    AUTOMATIC,
    MOST_PARAGRAPHS_BEFORE,
    UNKNOWN,
    WHITE,
    hexadecimal,
    is_lost_on,
)
from likewise.reading.package import Element

if TYPE_CHECKING:
    from likewise.reading.docx.story import Story


def on_picture(story: Story, element: Element) -> None:
    name = story.related(element, "embed") or story.related(element, "id")
    if name:
        _put_picture(story, name)
    story.read(element)


def on_picture_itself(story: Story, element: Element) -> None:
    """In Word 2003 a picture stands where it is seen."""
    name = f"picture {len(story.pictures)}"
    story.pictures[name] = element.text or ""
    _put_picture(story, name)


def on_word_art(story: Story, element: Element) -> None:
    _put_lines(story, [element.get("string") or ""])


def on_chart(story: Story, element: Element) -> None:
    _put_lines(story, story.drawn_lines(story.related(element, "id")))


def on_diagram(story: Story, element: Element) -> None:
    _put_lines(story, story.drawn_lines(story.related(element, "dm")))


def _put_picture(story: Story, name: str) -> None:
    paragraph = story.open_paragraph()
    paragraph.pictures.append((paragraph.length, name))
    story.writes += 1


def _put_lines(story: Story, lines: list[str]) -> None:
    for line in lines:
        paragraph = Paragraph()
        paragraph.add(" ".join(line.split()))
        story.place().append(paragraph)
        story.writes += 1


# Text boxes and what lies behind the text of a Word document.

WPS: Final = "{http://schemas.microsoft.com/office/word/2010/wordprocessingShape}"
WP: Final = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
OLD_SHAPES: Final = ("shape", "rect", "roundrect", "oval")

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_V = "{urn:schemas-microsoft-com:vml}"
_PICTURES = (_A + "blip", _V + "imagedata")
_SHAPES = (WPS + "wsp", *(_V + name for name in OLD_SHAPES))
_BELOW = re.compile(r"z-index:\s*-")
_LEAST_BEHIND = 360_000  # English Metric Units: a centimetre, in both directions


def on_text_box(story: Story, element: Element) -> None:
    """Text in a box stands on what the box is filled with."""
    outside = story.background, story.in_shape, story.shape_background
    story.background, story.in_shape, story.shape_background = story.shape_background, True, WHITE
    story.read(element)
    story.background, story.in_shape, story.shape_background = outside


def on_shape(story: Story, element: Element) -> None:
    outside, story.shape_background = story.shape_background, _seen_fill(story, _fill(element))
    story.read(element)
    story.shape_background = outside


def on_old_shape(story: Story, element: Element) -> None:
    """A shape as Word drew them until 2007, and still draws them for old programs."""
    if _BELOW.search(element.get("style") or ""):
        _lies_behind(story)
    outside, story.shape_background = story.shape_background, _seen_fill(story, _old_fill(element))
    story.read(element)
    story.shape_background = outside


def on_anchor(story: Story, element: Element) -> None:
    """A drawing that floats over the text or lies behind it."""
    if element.get("behindDoc") in {"1", "true"}:
        extent = element.find(WP + "extent")
        sides = () if extent is None else (extent.get("cx") or "", extent.get("cy") or "")
        if all(s.isdigit() and (len(s) > 12 or int(s) >= _LEAST_BEHIND) for s in sides):
            _lies_behind(story)
    story.read(element)


def _lies_behind(story: Story) -> None:
    story.drawing_behind = MOST_PARAGRAPHS_BEFORE
    if story.paragraph_background == story.page_colour:
        story.paragraph_background = UNKNOWN


def has_drawings(root: Element) -> bool:
    """Whether there are pictures, or shapes that are filled with anything but white."""
    for element in root.iter(*_PICTURES, *_SHAPES):
        if element.tag in _PICTURES:
            return True
        fill = _fill(element) if element.tag == _SHAPES[0] else _old_fill(element)
        if fill != AUTOMATIC and not is_lost_on(fill, WHITE):
            return True
    return False


def _seen_fill(story: Story, fill: int) -> int:
    """What is seen behind the text of a shape: its fill, or what it floats over."""
    if fill != AUTOMATIC:
        return fill
    return UNKNOWN if story.has_drawings() else story.page_colour


def _fill(shape: Element) -> int:
    properties = shape.find(WPS + "spPr")
    for child in () if properties is None else properties:
        name = child.tag.rpartition("}")[2]
        if name == "solidFill":
            return _colour(child)
        if name == "noFill":
            return AUTOMATIC
        if name in {"gradFill", "blipFill", "pattFill", "grpFill"}:
            return UNKNOWN
    reference = shape.find(f"{WPS}style/{_A}fillRef")
    if reference is None:
        return WHITE
    return AUTOMATIC if reference.get("idx") == "0" else _colour(reference)


def _colour(fill: Element) -> int:
    for child in fill:
        value = child.get("val") or ""
        colour = hexadecimal(value)
        if colour is None and value in {"bg1", "lt1"} and not len(child):
            return WHITE
        return UNKNOWN if colour is None else colour
    return UNKNOWN


def _old_fill(shape: Element) -> int:
    fill = shape.find(_V + "fill")
    if (shape.get("filled") or "t")[:1] in "f0":
        return AUTOMATIC
    if fill is not None and (fill.get("type") or "solid") != "solid":
        return UNKNOWN
    name = (shape.get("fillcolor") or "white").split()[0:1]
    colour = hexadecimal(name[0]) if name else None
    return WHITE if name in (["white"], ["window"]) else UNKNOWN if colour is None else colour
