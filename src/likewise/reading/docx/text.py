"""Paragraphs of a Word document and what stands in their lines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from likewise.reading.docx.aside import on_section
from likewise.reading.formulas import tex_of
from likewise.reading.office.blocks import Paragraph
from likewise.reading.office.looks import AUTOMATIC
from likewise.reading.office.symbols import symbol
from likewise.reading.package import Element

if TYPE_CHECKING:
    from likewise.reading.docx.story import Story

_WHITE = {ord(c): " " for c in "\t\n\r\x0b\x0c"}  # inside a run's text they are only white space
_SEQUENCE = re.compile(r"\s*SEQ\b")


def on_paragraph(story: Story, element: Element) -> None:
    outer, place = story.paragraph, story.place()
    last = place[-1] if place else None
    if isinstance(last, Paragraph) and last.continues:
        paragraph, last.continues, last = last, False, None
    else:
        paragraph = Paragraph(in_shape=story.in_shape)
        place.append(paragraph)
    story.paragraph = paragraph
    look = story.style, story.paragraph_floor, story.way_of_hiding
    story.drawing_behind -= story.drawing_behind > 0
    story.look_at_paragraph(story.looks.default_style)
    story.read(element)
    story.style, story.paragraph_floor, story.way_of_hiding = look
    if story.unshown:  # a field that never shows a result must not swallow the rest
        story.fields.clear()
        story.unshown = 0
    story.paragraph = outer
    if paragraph.is_empty and isinstance(last, Paragraph) and last.is_empty:
        place.pop()  # one empty line is enough


def on_paragraph_properties(story: Story, element: Element) -> None:
    paragraph = story.open_paragraph()
    style, shading = story.looks.default_style, AUTOMATIC
    for child in element:
        name = child.tag.rpartition("}")[2]
        if name == "pStyle":
            paragraph.style = style = story.attribute(child, "val")
        elif name == "shd":
            shading = story.looks.shading(child)
        elif name == "sectPr":
            on_section(story, child)
        elif name == "framePr":  # a large initial stands in a paragraph of its own
            paragraph.continues = story.attribute(child, "dropCap") in {"drop", "margin"}
        elif name == "rPr" and (
            child.find(story.w + "del") is not None or child.find(story.w + "moveFrom") is not None
        ):  # the end of the paragraph was deleted
            paragraph.continues = True
    story.look_at_paragraph(style, shading)


def on_run(story: Story, element: Element) -> None:
    outside, looks = story.way_of_hiding, story.looks
    first = next(iter(element), None)
    if story.row_is_hidden or first is None:
        pass
    elif first.tag == looks.properties:
        story.way_of_hiding = looks.way_of_run(first, story.style, story.paragraph_floor)
    else:
        story.way_of_hiding = looks.way_of_paragraph(story.style, story.paragraph_floor)
    story.read(element)
    story.way_of_hiding = outside


def on_text(story: Story, element: Element) -> None:
    text = "".join(element.itertext()) if len(element) else element.text
    if text:
        story.say(text if text.isprintable() else text.translate(_WHITE))


def on_break(story: Story, element: Element) -> None:
    story.say("\n")
    if story.attribute(element, "type") == "page" and story.paragraph is not None:
        story.drawing_behind = min(story.drawing_behind, 1)
        story.paragraph.page_breaks.append((story.paragraph.length, True))


def on_page_laid_out(story: Story, _element: Element) -> None:
    if story.paragraph is not None:
        story.drawing_behind = min(story.drawing_behind, 1)
        story.paragraph.page_breaks.append((story.paragraph.length, False))


def on_symbol(story: Story, element: Element) -> None:
    story.say(symbol(story.attribute(element, "font"), story.attribute(element, "char")))


def on_field_character(story: Story, element: Element) -> None:
    """A field is an instruction, then a result: what a reader sees is the result."""
    kind = story.attribute(element, "fldCharType")
    if kind == "begin":
        story.fields.append(False)
        story.unshown += 1
    elif story.fields and kind == "separate":
        story.unshown -= not story.fields[-1]
        story.fields[-1] = True
    elif story.fields and kind == "end":
        story.unshown -= not story.fields.pop()


def on_instruction(story: Story, element: Element) -> None:
    if _SEQUENCE.match(element.text or ""):
        story.open_paragraph().counted = True


def on_simple_field(story: Story, element: Element) -> None:
    if _SEQUENCE.match(story.attribute(element, "instr")):
        story.open_paragraph().counted = True
    story.read(element)


def on_formula(story: Story, element: Element) -> None:
    """A formula is read as its words, and remembered in TeX for the cells of tables."""
    paragraph = story.paragraph
    if paragraph is None or story.in_formula:
        story.read(element)
        return
    start, story.in_formula = paragraph.length, True
    story.read(element)
    story.in_formula = False
    if paragraph.length > start and (tex := tex_of(element)):
        paragraph.formulas.append((start, paragraph.length, tex))


def on_formula_line(story: Story, element: Element) -> None:
    """What stands below something else in a formula is another word."""
    story.say(" ")
    story.read(element)


def on_formula_lines(story: Story, element: Element) -> None:
    for child in element:
        on_formula_line(story, child)
