"""Hidden text in DOCX, ODT, DOC and RTF is read and told; what only looks so is left alone."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest

from likewise.model import Document
from likewise.reading.docx import read_docx
from likewise.reading.draft import Hidden
from likewise.reading.formats import read_as
from likewise.reading.odt import read_odt
from likewise.reading.request import Request
from likewise.reading.rtf import read_rtf

TRICKS = Path(__file__).parents[1] / "files" / "tricks"
FORMATS = ("docx", "odt", "doc", "rtf")
SEEN = "The ferry leaves the quay at six and nobody waves."

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
SPACES = {
    "w": W,
    "w14": "http://schemas.microsoft.com/office/word/2010/wordml",
    "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
    "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "v": "urn:schemas-microsoft-com:vml",
}
OASIS = "urn:oasis:names:tc:opendocument:xmlns"


def made(name: str, form: Any) -> Document:
    """A document that LibreOffice made."""
    return read_as(form, (TRICKS / f"{name}.{form}").read_bytes(), Request(name=f"{name}.{form}"))


def word(body: str, styles: str = "", before: str = "") -> Document:
    """A document as Word writes it, with this body and these styles."""
    spaces = " ".join(f'xmlns:{name}="{space}"' for name, space in SPACES.items())
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w") as archive:
        archive.writestr(
            "word/document.xml",
            f"<w:document {spaces}>{before}<w:body>{body}</w:body></w:document>",
        )
        archive.writestr("word/styles.xml", f"<w:styles {spaces}>{styles}</w:styles>")
        archive.writestr(
            "word/_rels/document.xml.rels",
            f'<Relationships><Relationship Id="s" Type="{R}/styles" Target="styles.xml"/>'
            "</Relationships>",
        )
    return read_docx(package.getvalue(), Request()).document("a.docx")


def run(properties: str, text: str = "four words of text") -> str:
    return f"<w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r>"


def flat_odt(body: str, styles: str = "", layout: str = "") -> Document:
    names = {"fo": "xsl-fo-compatible", "draw": "drawing", "svg": "svg-compatible"}
    spaces = " ".join(
        f'xmlns:{name}="{OASIS}:{names.get(name, name)}:1.0"'
        for name in ("office", "style", "text", "table", "fo", "draw", "svg")
    )
    return read_odt(
        f'<office:document {spaces} office:mimetype="application/vnd.oasis.opendocument.text">'
        f"<office:styles>{styles}</office:styles>"
        f"<office:automatic-styles>{layout}</office:automatic-styles>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document>".encode(),
        Request(),
    ).document("a.fodt")


def rtf(body: str) -> Document:
    head = (
        r"{\rtf1\ansi{\colortbl;\red255\green255\blue255;\red0\green0\blue120;}"
        r"{\stylesheet{\fs24 Normal;}{\s1\sbasedon0\cf1 Pale;}{\s2\sbasedon1\i Paler;}"
        r"{\*\cs3\v Gone;}{\s4\v HTML Top of Form;}}"
    )
    return read_rtf((head + body + "}").encode(), Request()).document("a.rtf")


def hidden(document: Document) -> dict[str, list[str]]:
    """The hidden texts by the ways they are hidden in."""
    found: dict[str, list[str]] = {}
    for span, reason in document.left_out:
        found.setdefault(reason.removeprefix("hidden: "), []).append(span.of(document.text))
    assert sum(note.kind == "hidden text" for note in document.notes) == len(found)
    return found


# What LibreOffice writes


@pytest.mark.parametrize("form", FORMATS)
def test_white_text_is_found_in_runs_styles_and_cells(form):
    assert hidden(made("hidden", form))[Hidden.WHITE] == [
        "White gulls were counted twice.",
        "pale words of a style",
        "A whole paragraph in the colour of paper.",
        "Sand written upon yellow sand.",
        "a white cell of secrets",
    ]


@pytest.mark.parametrize("form", FORMATS)
def test_text_with_the_hidden_attribute_is_found(form):
    found = hidden(made("hidden", form))
    assert found[Hidden.INVISIBLE] == ["Vanished lines about the harbour."]


@pytest.mark.parametrize("form", FORMATS)
def test_text_too_small_or_too_narrow_to_read_is_found(form):
    assert hidden(made("hidden", form))[Hidden.TINY] == [
        "Tiny print below the lamp.",
        "Narrow print beside the door.",
    ]


@pytest.mark.parametrize("form", ["docx", "odt"])
def test_transparent_text_is_found_where_a_format_has_it(form):
    found = hidden(made("hidden", form))
    assert found[Hidden.TRANSPARENT] == ["Glass letters over the water."]


@pytest.mark.parametrize("form", FORMATS)
def test_hidden_text_stays_in_the_text_and_out_of_comparison(form):
    document = made("hidden", form)
    assert "White gulls" in document.text
    assert "White gulls" not in document.compared_text
    assert "secrets" not in document.compared_text
    assert document.compared_text.count(SEEN) == document.text.count(SEEN)


@pytest.mark.parametrize("form", FORMATS)
def test_white_on_dark_small_print_and_grey_are_honest(form):
    document = made("honest", form)
    assert document.notes == ()
    for words in ("blue ribbon", "black band", "Name of the boat", "on a blue sign", "modest"):
        assert words in " ".join(document.compared_text.split())


@pytest.mark.parametrize("form", FORMATS)
def test_much_text_in_boxes_is_told_and_compared(form):
    document = made("boxes", form)
    (note,) = document.notes
    assert note.kind == "text in shapes"
    assert note.spans[0].of(document.text) == f"{SEEN} {SEEN}"
    assert document.left_out == ()


def test_a_section_that_is_not_shown_is_hidden():
    assert hidden(made("sections", "odt")) == {Hidden.INVISIBLE: ["A section that is never shown."]}


# What Word writes


@pytest.mark.parametrize(
    ("properties", "way"),
    [
        ('<w:color w:val="FFFFFF" w:themeColor="background1"/>', Hidden.WHITE),
        ('<w:color w:val="000000" w:themeColor="background1"/>', Hidden.WHITE),
        ('<w:color w:val="F2F2F2" w:themeColor="background1" w:themeShade="F2"/>', Hidden.WHITE),
        ('<w:sz w:val="2"/>', Hidden.TINY),
        ('<w:w w:val="1"/>', Hidden.TINY),
        ("<w:vanish/>", Hidden.INVISIBLE),
        ('<w:vanish w:val="true"/>', Hidden.INVISIBLE),
        ("<w14:textFill><w14:noFill/></w14:textFill>", Hidden.TRANSPARENT),
        (
            '<w:color w:val="000000"/><w14:textFill><w14:solidFill><w14:schemeClr w14:val="bg1"/>'
            "</w14:solidFill></w14:textFill>",
            Hidden.WHITE,
        ),
    ],
)
def test_a_run_of_word_is_hidden(properties, way):
    document = word(f"<w:p><w:r><w:t>Seen. </w:t></w:r>{run(properties)}</w:p>")
    assert hidden(document) == {way: ["four words of text"]}


@pytest.mark.parametrize(
    "properties",
    [
        '<w:color w:val="auto"/>',
        '<w:color w:val="BFBFBF" w:themeColor="background1" w:themeShade="BF"/>',
        '<w:vanish w:val="0"/>',
        "<w:webHidden/>",
        '<w:sz w:val="8"/>',
        '<w:w w:val="50"/>',
        '<w:color w:val="FFFFFF"/><w:highlight w:val="black"/>',
        '<w:color w:val="FFFFFF"/><w:shd w:val="clear" w:color="auto" w:fill="1F3864"/>',
        '<w:color w:val="FFFFFF"/><w:shd w:val="solid" w:color="000000" w:fill="FFFFFF"/>',
        '<w:color w:val="FFFFFF"/><w:outline/>',
        '<w:color w:val="FFFFFF"/><w14:textFill><w14:gradFill/></w14:textFill>',
        '<w:color w:val="FFFFFF"/><w14:textOutline><w14:solidFill/></w14:textOutline>',
    ],
)
def test_a_run_of_word_is_honest(properties):
    assert word(f"<w:p>{run(properties)}</w:p>").notes == ()


STYLES = (
    '<w:style w:type="character" w:styleId="A"><w:rPr><w:vanish/></w:rPr></w:style>'
    '<w:style w:type="character" w:styleId="B"><w:basedOn w:val="A"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="P"><w:rPr><w:color w:val="FFFFFF"/></w:rPr></w:style>'
    '<w:style w:type="paragraph" w:styleId="Q"><w:basedOn w:val="P"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="D"><w:basedOn w:val="P"/><w:pPr>'
    '<w:shd w:val="clear" w:fill="203864"/></w:pPr></w:style>'
    '<w:style w:type="paragraph" w:styleId="F"><w:name w:val="HTML Top of Form"/><w:rPr>'
    "<w:vanish/></w:rPr></w:style>"
    '<w:style w:type="table" w:styleId="T"><w:tblStylePr w:type="firstRow"><w:tcPr>'
    '<w:shd w:val="clear" w:fill="4472C4"/></w:tcPr></w:tblStylePr></w:style>'
)


def styled(style: str, content: str) -> str:
    return f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr>{content}</w:p>'


def test_styles_of_word_hide_through_those_they_are_made_from():
    document = word(
        styled("Q", run("") + run('<w:color w:val="FF0000"/>', " in red"))
        + "<w:p>"
        + run('<w:rStyle w:val="B"/>')
        + "</w:p>"
        + styled("Q", run('<w:rStyle w:val="B"/><w:vanish w:val="0"/>', "white again as before")),
        STYLES,
    )
    assert hidden(document) == {
        Hidden.WHITE: ["four words of text", "white again as before"],
        Hidden.INVISIBLE: ["four words of text"],
    }


def test_defaults_of_a_word_document_hide_too():
    defaults = '<w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val="1"/></w:rPr></w:rPrDefault>'
    document = word(f"<w:p>{run('')}</w:p>", defaults + "</w:docDefaults>")
    assert hidden(document) == {Hidden.TINY: ["four words of text"]}


def test_shaded_styles_forms_and_dark_pages_of_word_are_honest():
    white = run('<w:color w:val="FFFFFF"/>')
    assert word(styled("D", white), STYLES).notes == ()
    assert word(styled("F", run("", "Top of Form")), STYLES).notes == ()
    dark = '<w:background w:color="000000"/>'
    assert word(f"<w:p>{white}</w:p>", before=dark).notes == ()


def table(cell: str, *, of_table: str = "", of_row: str = "", of_cell: str = "") -> str:
    other = "<w:tc><w:p><w:r><w:t>Heron</w:t></w:r></w:p></w:tc>"
    return (
        f"<w:tbl><w:tblPr>{of_table}</w:tblPr><w:tr><w:trPr>{of_row}</w:trPr>{other}"
        f"<w:tc><w:tcPr>{of_cell}</w:tcPr><w:p>{cell}</w:p></w:tc></w:tr></w:tbl>"
    )


def test_cells_of_word_hide_and_show():
    white = run('<w:color w:val="FFFFFF"/>')
    assert hidden(word(table(white))) == {Hidden.WHITE: ["four words of text"]}
    dark = '<w:shd w:val="clear" w:color="auto" w:fill="4472C4"/>'
    assert word(table(white, of_cell=dark)).notes == ()
    assert word(table(white, of_table='<w:tblStyle w:val="T"/>'), STYLES).notes == ()
    assert word(table(run(""), of_row='<w:hidden w:val="0"/>')).notes == ()
    assert hidden(word(table(run(""), of_row="<w:hidden/>"))) == {
        Hidden.INVISIBLE: ["Heron", "four words of text"]
    }


def box(fill: str, text: str) -> str:
    return (
        f"<w:p><w:r><w:drawing><wps:wsp><wps:spPr>{fill}</wps:spPr><wps:txbx><w:txbxContent>"
        f"<w:p>{text}</w:p></w:txbxContent></wps:txbx></wps:wsp></w:drawing></w:r></w:p>"
    )


def test_text_boxes_of_word_hide_what_is_white_on_white():
    white = run('<w:color w:val="FFFFFF"/>')
    blue = '<a:solidFill><a:srgbClr val="2F5496"/></a:solidFill>'
    theme = '<a:solidFill><a:schemeClr val="bg1"/></a:solidFill>'
    assert word(box(blue, white)).notes == ()
    assert hidden(word(box(theme, white))) == {Hidden.WHITE: ["four words of text"]}
    assert hidden(word(box("<a:noFill/>", white))) == {Hidden.WHITE: ["four words of text"]}
    # An unfilled box may float over a coloured one.
    assert word(box(blue, run("")) + box("<a:noFill/>", white)).notes == ()


def test_white_text_of_word_over_a_drawing_is_honest_up_to_the_end_of_the_page():
    behind = (
        '<w:p><w:r><w:drawing><wp:anchor behindDoc="1"><wp:extent cx="7000000" cy="3000000"/>'
        "</wp:anchor></w:drawing></w:r></w:p>"
    )
    white = run('<w:color w:val="FFFFFF"/>', "A title on a picture")
    title = f"<w:p>{white}</w:p>"
    page = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
    assert word(behind + title).notes == ()
    assert hidden(word(behind + page + title)) == {Hidden.WHITE: ["A title on a picture"]}


def test_what_fields_of_word_are_asked_is_not_hidden_text():
    document = word(
        "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:fldChar w:fldCharType='begin'/></w:r>"
        '<w:r><w:rPr><w:vanish/></w:rPr><w:instrText>XE "ferry times in winter"</w:instrText>'
        "</w:r><w:r><w:rPr><w:vanish/></w:rPr><w:fldChar w:fldCharType='end'/></w:r>"
        f"{run('', SEEN)}</w:p>"
    )
    assert document.notes == ()


def test_fewer_than_three_hidden_words_are_a_slip():
    document = word(f"<w:p>{run('<w:vanish/>', 'two words')}{run('', ' of many')}</w:p>")
    assert document.notes == ()
    assert document.compared_text.split() == ["two", "words", "of", "many"]


# What only an OpenDocument has


def of(name: str, family: str, properties: str, parent: str = "") -> str:
    return (
        f'<style:style style:name="{name}" style:family="{family}" '
        f'style:parent-style-name="{parent}">{properties}</style:style>'
    )


def test_styles_of_an_opendocument_hide_through_those_they_are_made_from():
    document = flat_odt(
        '<text:p text:style-name="B">a paragraph of paper</text:p>'
        '<text:p>Seen. <text:span text:style-name="B">a span of dust</text:span></text:p>',
        of("A", "paragraph", '<style:text-properties fo:color="#ffffff"/>')
        + of("B", "paragraph", "", "A")
        + of("A", "text", '<style:text-properties fo:font-size="5%"/>')
        + of("B", "text", "", "A"),
    )
    assert hidden(document) == {
        Hidden.WHITE: ["a paragraph of paper"],
        Hidden.TINY: ["a span of dust"],
    }


def test_conditions_of_an_opendocument_hide():
    document = flat_odt(
        '<text:p>A paragraph <text:hidden-paragraph text:is-hidden="true"/>under a condition'
        "</text:p>"
        '<text:p>Seen. <text:hidden-text text:is-hidden="true">words of a field</text:hidden-text>'
        '<text:hidden-text text:is-hidden="false"> words that are shown</text:hidden-text></text:p>'
    )
    assert hidden(document) == {
        Hidden.INVISIBLE: ["A paragraph under a condition", "words of a field"]
    }


def test_dark_pages_and_automatic_colours_of_an_opendocument_are_honest():
    white = of("W", "paragraph", '<style:text-properties fo:color="#ffffff"/>')
    dark = (
        '<style:page-layout style:name="L"><style:page-layout-properties '
        'fo:background-color="#000000"/></style:page-layout>'
    )
    body = '<text:p text:style-name="W">white words on night</text:p>'
    assert hidden(flat_odt(body, white)) == {Hidden.WHITE: ["white words on night"]}
    assert flat_odt(body, white, dark).notes == ()
    automatic = (
        '<style:text-properties fo:color="#ffffff" style:use-window-font-color="true" '
        'xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0" '
        'loext:opacity="0%"/>'
    )
    assert flat_odt(body, of("W", "paragraph", automatic)).notes == ()


# What only RTF has


@pytest.mark.parametrize(
    ("body", "way"),
    [
        (r"\pard\plain {\v four hidden words here} seen", Hidden.INVISIBLE),
        (r"\pard\plain \v four hidden words here\v0  seen", Hidden.INVISIBLE),
        (r"\pard\plain {\cs3 four hidden words here} seen", Hidden.INVISIBLE),
        (r"\pard\plain\s2 four hidden words here\par\pard seen", Hidden.WHITE),
        (r"\pard\s2\plain four hidden words here\par\pard seen", Hidden.WHITE),
        (r"\pard\plain {\cf1\cb0 four hidden words here} seen", Hidden.WHITE),
        (r"\pard\plain {\fs2 four hidden words here} seen", Hidden.TINY),
        (r"\pard\plain {\charscalex1 four hidden words here} seen", Hidden.TINY),
    ],
)
def test_rtf_hides(body, way):
    assert hidden(rtf(body)) == {way: ["four hidden words here"]}


@pytest.mark.parametrize(
    "body",
    [
        r"\pard\plain {\v{\xe an entry of the index}} seen",
        r"\pard\plain {\cf1\highlight2 four honest words here} seen",
        r"\pard\plain {\cf1\chcbpat2 four honest words here} seen",
        r"\pard\plain\cbpat2 {\cf1 four honest words here} seen",
        r"\pard\plain {\webhidden four honest words here} seen",
        r"\pard\plain\s4 Top of Form\par\pard\plain seen",
        r"\trowd\clcbpat2\cellx900\cellx1800\pard\plain\intbl {\cf1 four honest words here}\cell"
        r"\pard\plain\intbl seen\cell\row\pard",
        r"{\shp{\*\shpinst{\sp{\sn fillColor}{\sv 7864320}}{\shptxt\pard\plain"
        r"{\cf1 four honest words here}\par}}}",
    ],
)
def test_rtf_is_honest(body):
    document = rtf(body)
    assert document.notes == ()
    assert document.left_out == ()


def test_white_text_in_a_white_cell_and_a_white_box_of_rtf_is_hidden():
    cell = r"\trowd\clcbpat2\cellx900\cellx1800\pard\plain\intbl Heron\cell" + (
        r"\pard\plain\intbl {\cf1 four hidden words here}\cell\row\pard"
    )
    box = r"{\shp{\*\shpinst{\shptxt\pard\plain{\cf1 four hidden words here}\par}}}"
    assert hidden(rtf(cell)) == {Hidden.WHITE: ["four hidden words here"]}
    assert hidden(rtf(box)) == {Hidden.WHITE: ["four hidden words here"]}
