"""What is done with each element of WordprocessingML; one that is not named here is entered."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache

from likewise.reading.docx import drawings as docx_drawings
from likewise.reading.docx.story import Story, on_cell, on_row, on_table
from likewise.reading.formulas import tex_of
from likewise.reading.office.blocks import Paragraph
from likewise.reading.office.code_pages import symbol
from likewise.reading.office.text_style import AUTOMATIC
from likewise.reading.package import Element

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
    outer_style = story.style, story.paragraph_background, story.way_of_hiding
    story.drawing_behind -= story.drawing_behind > 0
    story.apply_paragraph_style(story.text_styles.default_style)
    story.read(element)
    story.style, story.paragraph_background, story.way_of_hiding = outer_style
    if story.unshown:  # a field that never shows a result must not swallow the rest
        story.fields.clear()
        story.unshown = 0
    story.paragraph = outer
    if paragraph.is_empty and isinstance(last, Paragraph) and last.is_empty:
        place.pop()  # one empty line is enough


def on_paragraph_properties(story: Story, element: Element) -> None:
    paragraph = story.open_paragraph()
    style, shading = story.text_styles.default_style, AUTOMATIC
    for child in element:
        name = child.tag.rpartition("}")[2]
        if name == "pStyle":
            paragraph.style = style = story.attribute(child, "val")
        elif name == "shd":
            shading = story.text_styles.shading(child)
        elif name == "sectPr":
            on_section(story, child)
        elif name == "framePr":  # a large initial stands in a paragraph of its own
            paragraph.continues = story.attribute(child, "dropCap") in {"drop", "margin"}
        elif name == "rPr" and (
            child.find(story.w + "del") is not None or child.find(story.w + "moveFrom") is not None
        ):  # the end of the paragraph was deleted
            paragraph.continues = True
    story.apply_paragraph_style(style, shading)


def on_run(story: Story, element: Element) -> None:
    outside, text_styles = story.way_of_hiding, story.text_styles
    first = next(iter(element), None)
    if story.row_is_hidden or first is None:
        pass
    elif first.tag == text_styles.properties:
        story.way_of_hiding = text_styles.way_of_run(first, story.style, story.paragraph_background)
    else:
        story.way_of_hiding = text_styles.way_of_paragraph(story.style, story.paragraph_background)
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


# What stands beside the text of a Word document, what is told twice, and what is left out.

MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"


def on_note(story: Story, element: Element) -> None:
    """Notes follow the whole text, footnotes too: no run of words is cut by one."""
    kind = "endnote" if "endnote" in element.tag else "footnote"
    number = story.attribute(element, "id")
    note_part = story.notes(kind, number)
    if note_part is None or (kind, number) in story.noted or story.unshown:
        return
    story.noted.add((kind, number))
    note, relations = note_part
    here, story.relations = story.relations, relations
    story.read_aside(note, story.endnotes)
    story.relations = here


def on_note_itself(story: Story, element: Element) -> None:
    """In Word 2003 a note stands where it is referred to."""
    story.read_aside(element, story.endnotes)


def on_alternatives(story: Story, element: Element) -> None:
    """The same in two ways, for new programs and for old ones: only one is read."""
    choices = [child for child in element if child.tag == MC + "Choice"]
    others = [child for child in element if child.tag == MC + "Fallback"]
    writes = story.writes
    for branch in choices[:1] + others:
        story.read(branch)
        if story.writes > writes:
            return


def on_section(story: Story, element: Element) -> None:
    for child in element:
        name = child.tag.rpartition("}")[2]
        if name in {"hdr", "ftr"}:
            (story.headers if name == "hdr" else story.footers).append(child)
        elif name in {"headerReference", "footerReference"}:
            target = story.related(child, "id")
            references = story.headers if name == "headerReference" else story.footers
            if target and target not in references:
                references.append(target)


def on_deletion(story: Story, element: Element) -> None:
    story.deletions += len(element) > 0


def on_annotation(story: Story, element: Element) -> None:
    """How Word 2003 writes changes and comments."""
    kind = story.attribute(element, "type")
    if kind == "Word.Deletion":
        story.deletions += 1
    elif kind == "Word.Comment":
        story.comments += 1
    else:
        story.read(element)


def on_comment(story: Story, _element: Element) -> None:
    story.comments += 1


def on_other_format(story: Story, element: Element) -> None:
    """A piece of HTML or RTF that Word turns into text when it opens the document."""
    lines, whole = story.chunk(story.related(element, "id"))
    story.foreign += not whole
    for line in lines:
        paragraph = Paragraph()
        paragraph.add(line)
        story.place().append(paragraph)


def on_embedded(story: Story, element: Element) -> None:
    story.embedded += not (element.get("ProgID") or "").startswith("Equation")


Action = Callable[[Story, Element], None]

W_NAMESPACES = (
    "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}",
    "{http://purl.oclc.org/ooxml/wordprocessingml/main}",
    "{http://schemas.microsoft.com/office/word/2003/wordml}",
)
_M = (
    "{http://schemas.openxmlformats.org/officeDocument/2006/math}",
    "{http://purl.oclc.org/ooxml/officeDocument/math}",
)
_A = (
    "{http://schemas.openxmlformats.org/drawingml/2006/main}",
    "{http://purl.oclc.org/ooxml/drawingml/main}",
)
_V = "{urn:schemas-microsoft-com:vml}"


def _skip(_story: Story, _element: Element) -> None:
    pass


def _putting(text: str) -> Action:
    def write(story: Story, _element: Element) -> None:
        story.say(text)

    return write


_IN_W: dict[str, Action] = {
    "p": on_paragraph,
    "pPr": on_paragraph_properties,
    "r": on_run,
    "t": on_text,
    "tab": _putting("\t"),
    "ptab": _putting("\t"),
    "br": on_break,
    "cr": _putting("\n"),
    "noBreakHyphen": _putting("-"),
    "softHyphen": _putting("\u00ad"),
    "sym": on_symbol,
    "lastRenderedPageBreak": on_page_laid_out,
    "fldChar": on_field_character,
    "fldSimple": on_simple_field,
    "instrText": on_instruction,
    "tbl": on_table,
    "tr": on_row,
    "tc": on_cell,
    "footnoteReference": on_note,
    "endnoteReference": on_note,
    "footnote": on_note_itself,
    "endnote": on_note_itself,
    "sectPr": on_section,
    "del": on_deletion,
    "moveFrom": on_deletion,
    "commentReference": on_comment,
    "altChunk": on_other_format,
    "binData": docx_drawings.on_picture_itself,
    "txbxContent": docx_drawings.on_text_box,
}
_SKIPPED = (
    "rPr tblPr tblGrid tblPrEx trPr tcPr sdtPr sdtEndPr smartTagPr customXmlPr rubyPr rt "
    "delText delInstrText ffData fldData background"
).split()
_ELSEWHERE: dict[str, Action] = {
    MC + "AlternateContent": on_alternatives,
    _V + "imagedata": docx_drawings.on_picture,
    _V + "textpath": docx_drawings.on_word_art,
    docx_drawings.WPS + "wsp": docx_drawings.on_shape,
    docx_drawings.WP + "anchor": docx_drawings.on_anchor,
    **{_V + name: docx_drawings.on_old_shape for name in docx_drawings.OLD_SHAPES},
    "{http://schemas.openxmlformats.org/drawingml/2006/chart}chart": docx_drawings.on_chart,
    "{http://schemas.openxmlformats.org/drawingml/2006/diagram}relIds": docx_drawings.on_diagram,
    "{urn:schemas-microsoft-com:office:office}OLEObject": on_embedded,
    "{http://schemas.microsoft.com/aml/2001/core}annotation": on_annotation,
}


@cache
def actions_in(w: str) -> Mapping[str, Action]:
    """The actions by the elements' full names, in one of the namespaces of WordprocessingML."""
    actions = {w + name: action for name, action in _IN_W.items()}
    actions |= {w + name: _skip for name in _SKIPPED}
    actions |= _ELSEWHERE
    for m in _M:
        actions[m + "oMath"] = on_formula
        actions[m + "t"] = on_text
        actions[m + "den"] = actions[m + "mr"] = on_formula_line
        actions[m + "eqArr"] = on_formula_lines
    for a in _A:
        actions[a + "blip"] = docx_drawings.on_picture
    return actions
