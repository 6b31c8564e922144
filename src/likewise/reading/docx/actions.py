"""What is done with each element of WordprocessingML; one that is not named here is entered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from likewise.reading.docx import aside as docx_aside
from likewise.reading.docx import drawings as docx_drawings
from likewise.reading.docx import shapes as docx_shapes
from likewise.reading.docx import tables as docx_tables
from likewise.reading.docx import text as docx_text
from likewise.reading.docx.story import Story
from likewise.reading.package import Element

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
    def put(story: Story, _element: Element) -> None:
        story.say(text)

    return put


_IN_W: dict[str, Action] = {
    "p": docx_text.on_paragraph,
    "pPr": docx_text.on_paragraph_properties,
    "r": docx_text.on_run,
    "t": docx_text.on_text,
    "tab": _putting("\t"),
    "ptab": _putting("\t"),
    "br": docx_text.on_break,
    "cr": _putting("\n"),
    "noBreakHyphen": _putting("-"),
    "softHyphen": _putting("\u00ad"),
    "sym": docx_text.on_symbol,
    "lastRenderedPageBreak": docx_text.on_page_laid_out,
    "fldChar": docx_text.on_field_character,
    "fldSimple": docx_text.on_simple_field,
    "instrText": docx_text.on_instruction,
    "tbl": docx_tables.on_table,
    "tr": docx_tables.on_row,
    "tc": docx_tables.on_cell,
    "footnoteReference": docx_aside.on_note,
    "endnoteReference": docx_aside.on_note,
    "footnote": docx_aside.on_note_itself,
    "endnote": docx_aside.on_note_itself,
    "sectPr": docx_aside.on_section,
    "del": docx_aside.on_deletion,
    "moveFrom": docx_aside.on_deletion,
    "commentReference": docx_aside.on_comment,
    "altChunk": docx_aside.on_other_format,
    "binData": docx_drawings.on_picture_itself,
    "txbxContent": docx_shapes.on_text_box,
}
_SKIPPED = (
    "rPr tblPr tblGrid tblPrEx trPr tcPr sdtPr sdtEndPr smartTagPr customXmlPr rubyPr rt "
    "delText delInstrText ffData fldData background"
).split()
_ELSEWHERE: dict[str, Action] = {
    docx_aside.MC + "AlternateContent": docx_aside.on_alternatives,
    _V + "imagedata": docx_drawings.on_picture,
    _V + "textpath": docx_drawings.on_word_art,
    docx_shapes.WPS + "wsp": docx_shapes.on_shape,
    docx_shapes.WP + "anchor": docx_shapes.on_anchor,
    **{_V + name: docx_shapes.on_old_shape for name in docx_shapes.OLD_SHAPES},
    "{http://schemas.openxmlformats.org/drawingml/2006/chart}chart": docx_drawings.on_chart,
    "{http://schemas.openxmlformats.org/drawingml/2006/diagram}relIds": docx_drawings.on_diagram,
    "{urn:schemas-microsoft-com:office:office}OLEObject": docx_aside.on_embedded,
    "{http://schemas.microsoft.com/aml/2001/core}annotation": docx_aside.on_annotation,
}


@cache
def actions_in(w: str) -> Mapping[str, Action]:
    """The actions by the elements' full names, in one of the namespaces of WordprocessingML."""
    actions = {w + name: action for name, action in _IN_W.items()}
    actions |= {w + name: _skip for name in _SKIPPED}
    actions |= _ELSEWHERE
    for m in _M:
        actions[m + "oMath"] = docx_text.on_formula
        actions[m + "t"] = docx_text.on_text
        actions[m + "den"] = actions[m + "mr"] = docx_text.on_formula_line
        actions[m + "eqArr"] = docx_text.on_formula_lines
    for a in _A:
        actions[a + "blip"] = docx_drawings.on_picture
    return actions
