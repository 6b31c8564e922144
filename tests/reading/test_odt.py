"""OpenDocument texts, packed and flat."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from likewise.errors import ReadingError
from likewise.model import Document
from likewise.reading.docx import read_docx
from likewise.reading.odt import read_odt
from likewise.reading.request import Limits, Request

FILES = Path(__file__).parents[1] / "files"
FEATURES = (FILES / "odt" / "features.odt").read_bytes()
OASIS = "urn:oasis:names:tc:opendocument:xmlns"
NAMESPACES = " ".join(
    f'xmlns:{prefix}="{OASIS}:{name}:1.0"'
    for prefix, name in {
        "office": "office",
        "text": "text",
        "table": "table",
        "draw": "drawing",
        "style": "style",
        "fo": "xsl-fo-compatible",
        "meta": "meta",
    }.items()
)


def read(data: bytes, limits: Limits | None = None) -> Document:
    return read_odt(data, Request(limits=limits or Limits())).document("a.odt")


def odt(body: str, automatic: str = "", **parts: str) -> bytes:
    """A package with this body, these automatic styles, and these other parts."""
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        archive.writestr(
            "content.xml",
            f"<office:document-content {NAMESPACES}>"
            f"<office:automatic-styles>{automatic}</office:automatic-styles>"
            f"<office:body><office:text>{body}</office:text></office:body>"
            "</office:document-content>",
        )
        for name, content in parts.items():
            archive.writestr(f"{name}.xml", content)
    return package.getvalue()


def p(inside: str, style: str = "") -> str:
    return f'<text:p text:style-name="{style}">{inside}</text:p>'


def lines(data: bytes) -> list[str]:
    return read(data).text.splitlines()


# What LibreOffice writes


def test_it_reads_as_the_same_document_in_docx_does():
    as_docx = read_docx((FILES / "docx" / "features.docx").read_bytes(), Request())
    document, other = read(FEATURES), as_docx.document("a.docx")
    assert document.text.split() == other.text.split()
    assert [table.rows for table in document.tables] == [table.rows for table in other.tables]
    assert [picture.hash for picture in document.pictures] == [
        picture.hash for picture in other.pictures
    ]


def test_a_flat_file_reads_as_the_package_does():
    flat, packed = read((FILES / "odt" / "features.fodt").read_bytes()), read(FEATURES)
    formula = "The depth grows as  d = 4 t  with the days of drought."
    assert formula in flat.text  # which LibreOffice without its formula editor loses
    expected = packed.text.replace("grows as  with", "grows as  d = 4 t  with")
    assert flat.text == expected.replace("Sheet 2", "Sheet 1")
    assert [table.rows for table in flat.tables] == [table.rows for table in packed.tables]
    assert [picture.hash for picture in flat.pictures] == [
        picture.hash for picture in packed.pictures
    ]


def test_a_formula_in_a_cell_is_tex_in_the_table_and_words_in_the_text():
    formula = "<mfrac><mi>a</mi><mi>b</mi></mfrac>"
    math = f'<math xmlns="http://www.w3.org/1998/Math/MathML">{formula}</math>'
    inline = f"<draw:frame><draw:object>{math}</draw:object></draw:frame>"
    href = 'xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="./Object 1"'
    linked = f"<draw:frame><draw:object {href}/></draw:frame>"

    def row(*cells: str) -> str:
        inside = "".join(f"<table:table-cell>{p(cell)}</table:table-cell>" for cell in cells)
        return f"<table:table-row>{inside}</table:table-row>"

    table = f"<table:table>{row('speed' + inline + 'is', '1')}{row(linked, '2')}</table:table>"
    document = read(odt(table, **{"Object 1/content": math}))
    assert document.text == "speed a b is\t1\na b\t2\n"
    assert document.tables[0].rows == (
        (r"speed $\frac{a}{b}$ is", "1"),
        (r"$\frac{a}{b}$", "2"),
    )


# What other documents hold


def test_white_space_collapses_and_a_word_split_over_spans_stays_one_word():
    spans = "ste<text:span>pp</text:span><text:span/>e"
    data = odt(p(f"\n   {spans}\n     and  \t sky<text:s text:c='3'/>wide"))
    assert lines(data) == ["steppe and sky   wide"]
    endless = odt(p("a<text:s text:c='999999999'/>b"))
    assert len(read(endless).text) < 1000


def test_what_a_field_or_an_index_is_made_from_is_not_read():
    template = "<text:index-title-template>Template</text:index-title-template>"
    data = odt(
        "<text:variable-decls>nothing</text:variable-decls>"
        "<text:table-of-content>"
        f"<text:table-of-content-source>{template}</text:table-of-content-source>"
        f"<text:index-body>{p('Chapter one<text:tab/>3')}</text:index-body>"
        "</text:table-of-content>"
        + p("On <text:date>3 May</text:date> by <text:author-name>Dana</text:author-name>")
        + "<text:list><text:list-item><text:number>1.</text:number><text:p>item</text:p>"
        "</text:list-item></text:list>"
    )
    assert lines(data) == ["Chapter one\t3", "On 3 May by Dana", "item"]


def test_words_on_shapes_follow_the_paragraph_and_never_cut_it():
    shape = (
        "<draw:g>\n <draw:custom-shape>\n <text:p>On a shape</text:p></draw:custom-shape></draw:g>"
    )
    assert lines(odt(p(f"un{shape}cut"))) == ["uncut", "On a shape"]


def test_repeated_cells_and_rows_are_repeated_within_bounds():
    def table(cells: str, rows: int = 1) -> bytes:
        row = f'<table:table-row table:number-rows-repeated="{rows}">{cells}</table:table-row>'
        return odt(f"<table:table>{row}</table:table>")

    two = (
        '<table:table-cell table:number-columns-repeated="2"><text:p>a</text:p></table:table-cell>'
    )
    assert read(table(two, rows=2)).tables[0].rows == (("a", "a"), ("a", "a"))
    many = two.replace('"2"', '"99999999"').replace("a", "a" * 1000)
    assert len(read(table(many, rows=99_999_999)).text) < 20_000_000


PAGED = p("One.") + p("Two<text:soft-page-break/> and a half.") + p("Three.", "New")
BREAK = (
    '<style:style style:name="New" style:family="paragraph">'
    '<style:paragraph-properties fo:break-before="page"/></style:style>'
)


def counted(pages: int) -> str:
    statistics = f'<meta:document-statistic meta:page-count="{pages}"/>'
    return (
        f"<office:document-meta {NAMESPACES}><office:meta>{statistics}</office:meta>"
        "</office:document-meta>"
    )


def test_pages_are_those_that_were_laid_out():
    document = read(odt(PAGED, BREAK, meta=counted(3)))
    assert [(page.number, page.span.of(document.text).strip()) for page in document.pages] == [
        (1, "One.\nTwo"),
        (2, "and a half."),
        (3, "Three."),
    ]


def test_pages_that_are_not_as_many_as_were_counted_are_not_given():
    assert read(odt(PAGED, BREAK, meta=counted(4))).pages == ()
    assert read(odt(p("One.") + p("Two.", "New"), BREAK)).pages == ()


def test_a_page_may_end_between_the_rows_of_a_table():
    def row(*texts: str) -> str:
        cells = "".join(f"<table:table-cell>{p(text)}</table:table-cell>" for text in texts)
        return f"<table:table-row>{cells}</table:table-row>"

    table = row("a", "b") + "<text:soft-page-break/>" + row("c", "d")
    document = read(odt(f"<table:table>{table}</table:table>"))
    assert [page.span.of(document.text) for page in document.pages] == ["a\tb\n", "c\td\n"]


# Bad input


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"PK\x03\x04",
        b"This is not a zip file",
        f"<office:document {NAMESPACES}/>".encode(),
        (FILES / "docx" / "features.docx").read_bytes(),
        odt("").replace(b"content.xml", b"nontent.xml"),
    ],
    ids=range(6),
)
def test_what_is_no_opendocument_text_is_refused(data):
    with pytest.raises(ReadingError):
        read(data)


def test_broken_xml_is_mended_with_a_note():
    document = read(odt(p("first") + "<text:p>second</text:span>"))
    assert document.text.split() == ["first", "second"]
    assert document.notes[0].kind == "damaged"


def test_entities_are_not_expanded():
    bomb = f'<!DOCTYPE a [<!ENTITY a "aa">]><office:document {NAMESPACES}>&a;</office:document>'
    with pytest.raises(ReadingError, match="declares entities"):
        read(bomb.encode())


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("<text:span>", "</text:span>"),
        ("<text:list><text:list-item>", "</text:list-item></text:list>"),
        (
            "<table:table><table:table-row><table:table-cell>",
            "</table:table-cell></table:table-row></table:table>",
        ),
    ],
)
def test_parts_inside_each_other_without_end_are_refused(start, end):
    assert "deep" in read(odt(start * 20 + p("deep") + end * 20)).text
    with pytest.raises(ReadingError, match="deeper than in any document"):
        read(odt(start * 100_000 + p("deep") + end * 100_000))
