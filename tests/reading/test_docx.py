"""Word documents: what LibreOffice writes, and what only Word does."""

from __future__ import annotations

import base64
import io
import re
import zipfile
from pathlib import Path

import pytest

from likewise.errors import ReadingError
from likewise.model import Document
from likewise.reading.docx import read_docx
from likewise.reading.request import Limits, Request

FILES = Path(__file__).parents[1] / "files"
FEATURES = (FILES / "docx" / "features.docx").read_bytes()

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
NAMESPACES = (
    f'xmlns:w="{W}" xmlns:r="{R}" xmlns:v="urn:schemas-microsoft-com:vml" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"'
)


def read(data: bytes, limits: Limits | None = None) -> Document:
    return read_docx(data, Request(limits=limits or Limits())).document("a.docx")


def word(body: str, parts: dict[str, str | bytes] | None = None, namespaces: str = NAMESPACES):
    """A package with this body, as small as Word would open it, and with these other parts.

    A part is related to the body by an identifier that is its name without folder and suffix.
    """
    parts = parts or {}
    relations = "".join(
        f'<Relationship Id="{Path(name).stem}" Type="{R}/{re.sub("[0-9]", "", Path(name).stem)}" '
        f'Target="{name.removeprefix("word/")}"/>'
        for name in parts
    )
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "word/document.xml",
            f"<w:document {namespaces}><w:body>{body}</w:body></w:document>",
        )
        archive.writestr(
            "word/_rels/document.xml.rels", f"<Relationships>{relations}</Relationships>"
        )
        for name, content in parts.items():
            archive.writestr(name, content)
    return package.getvalue()


def p(*runs: str, properties: str = "") -> str:
    """A paragraph of runs; one that is not XML is text."""
    inside = "".join(r if r.startswith("<") else f"<w:r><w:t>{r}</w:t></w:r>" for r in runs)
    return f"<w:p><w:pPr>{properties}</w:pPr>{inside}</w:p>"


def field(instruction: str, *result: str) -> str:
    def char(kind: str) -> str:
        return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'

    inside = "".join(r if r.startswith("<") else f"<w:r><w:t>{r}</w:t></w:r>" for r in result)
    told = f"<w:r><w:instrText> {instruction} </w:instrText></w:r>"
    return char("begin") + told + char("separate") + inside + char("end")


def lines(data: bytes) -> list[str]:
    return read(data).text.splitlines()


# What LibreOffice writes


def test_word_2003_xml_reads_as_the_package_does():
    document = read((FILES / "docx" / "word2003.xml").read_bytes())
    assert "The first survey counted nineteen springs.\n" in document.text
    assert "Ask the shepherd before drinking.\n" in document.text
    assert "Which year" not in document.text
    assert document.text.endswith("Measured after a dry summer.\nSheet 2\n")
    assert document.tables[0].caption == "Table 1. Depth of the wells in metres"
    assert document.meta["author"] == "Aigerim Sadykova"
    assert [span.of(document.text) for span, _ in document.left_out] == [
        "Notes of a road surveyor",
        "Sheet 2",
    ]
    assert len(document.pictures) == 1


def test_words_flat_xml_reads_as_the_package_does():
    parts = []
    with zipfile.ZipFile(io.BytesIO(FEATURES)) as package:
        for name in package.namelist():
            content = package.read(name)
            if name.endswith((".xml", ".rels")):
                inside = re.sub(r"<\?xml.*?\?>", "", content.decode())
                data = f"<pkg:xmlData>{inside}</pkg:xmlData>"
            else:
                data = f"<pkg:binaryData>{base64.b64encode(content).decode()}</pkg:binaryData>"
            parts.append(f'<pkg:part pkg:name="/{name}">{data}</pkg:part>')
    flat = (
        '<?xml version="1.0" encoding="UTF-8"?><?mso-application progid="Word.Document"?>'
        '<pkg:package xmlns:pkg="http://schemas.microsoft.com/office/2006/xmlPackage">'
        f"{''.join(parts)}</pkg:package>"
    )
    assert read(flat.encode()) == read(FEATURES)


# What only Word writes


def test_a_word_split_over_runs_stays_one_word_and_paragraphs_never_run_together():
    data = word(p("ste", "<w:proofErr/>", "pp", "e") + p("and") + p("sky"))
    assert lines(data) == ["steppe", "and", "sky"]


def test_strict_documents_are_read():
    data = word(p("Strictly") + p("kept"), namespaces=f'xmlns:w="{STRICT}"')
    assert lines(data) == ["Strictly", "kept"]


def test_content_controls_smart_tags_and_hyperlinks_are_entered():
    data = word(
        "<w:sdt><w:sdtPr><w:alias w:val='no'/></w:sdtPr>"
        f"<w:sdtContent>{p('Held')}</w:sdtContent></w:sdt>"
        + p("<w:smartTag><w:r><w:t>by </w:t></w:r></w:smartTag>", "a ")
        + p("<w:hyperlink><w:r><w:t>link</w:t></w:r></w:hyperlink>", ".")
    )
    assert lines(data) == ["Held", "by a ", "link."]


def test_fields_show_their_results_and_hide_their_instructions():
    nested = field("IF " + field("MERGEFIELD x", "secret"), "shown")
    begin = '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
    data = word(
        p("See ", field("REF a", "page 7"), ".")
        + p(nested)
        + p('<w:fldSimple w:instr="DATE"><w:r><w:t>3 May</w:t></w:r></w:fldSimple>')
        + p(begin, "lost in a field without end")
        + p("but the rest is kept")
    )
    assert lines(data)[:3] == ["See page 7.", "shown", "3 May"]
    assert lines(data)[-1] == "but the rest is kept"


def test_signs_become_characters():
    tab = "<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t></w:r>"
    hyphens = "<w:r><w:t>well</w:t><w:noBreakHyphen/><w:t>known</w:t><w:softHyphen/><w:cr/></w:r>"
    alpha = '<w:r><w:sym w:font="Symbol" w:char="F061"/></w:r>'
    tick = '<w:r><w:sym w:font="Wingdings" w:char="F0FC"/></w:r>'
    assert read(word(p(tab, hyphens, alpha, tick))).text == "a\tbwell-known\u00ad\nα\n"


def test_text_boxes_in_two_ways_are_read_once():
    box = f"<w:txbxContent>{p('In the box')}</w:txbxContent>"
    both = (
        f'<w:r><mc:AlternateContent><mc:Choice Requires="wps">{box}</mc:Choice>'
        f"<mc:Fallback><w:pict><v:textbox>{box}</v:textbox></w:pict></mc:Fallback>"
        "</mc:AlternateContent></w:r>"
    )
    vml = f"<w:r><w:pict><v:shape><v:textbox>{box}</v:textbox></v:shape></w:pict></w:r>"
    assert lines(word(p("Be", both, "side"))) == ["Beside", "In the box"]
    assert lines(word(p("Be", vml, "side"))) == ["Beside", "In the box"]


def test_moved_text_is_read_where_it_went_and_deleted_ends_of_paragraphs_join():
    deleted_end = "<w:rPr><w:del w:id='1'/></w:rPr>"
    data = word(
        p("<w:moveFrom><w:r><w:t>wanderer</w:t></w:r></w:moveFrom>", "Home")
        + p("<w:moveTo><w:r><w:t>wanderer</w:t></w:r></w:moveTo>")
        + p("One ", properties=deleted_end)
        + p("line", "<w:del><w:r><w:delText>gone</w:delText></w:r></w:del>")
    )
    assert lines(data) == ["Home", "wanderer", "One line"]
    assert str(read(data).notes[0].message).startswith("2 deletions of tracked changes")


def test_a_large_initial_belongs_to_its_word():
    data = word(p("O", properties='<w:framePr w:dropCap="drop"/>') + p("nce upon a time"))
    assert lines(data) == ["Once upon a time"]


def test_a_note_that_is_referred_to_twice_or_in_a_circle_is_read_once():
    circle = "<w:r><w:footnoteReference w:id='2'/></w:r>"
    note = f"<w:footnote w:id='2'>{p('noted', circle)}</w:footnote>"
    notes = f"<w:footnotes {NAMESPACES}>{note}</w:footnotes>"
    data = word(p("Text", circle) + p("more", circle), {"word/footnotes.xml": notes})
    assert lines(data) == ["Text", "more", "noted"]


def test_formulas_ruby_and_diagrams_give_their_words():
    a, b = (f"<m:r><m:t>{letter}</m:t></m:r>" for letter in "ab")
    fraction = f"<m:oMath><m:f><m:num>{a}</m:num><m:den>{b}</m:den></m:f></m:oMath>"
    up, base = (f"<w:r><w:t>{word}</w:t></w:r>" for word in ("up", "base"))
    ruby = f"<w:r><w:ruby><w:rt>{up}</w:rt><w:rubyBase>{base}</w:rubyBase></w:ruby></w:r>"
    diagram = "<w:r><w:drawing><dgm:relIds r:dm='data1'/></w:drawing></w:r>"
    words = "<a:r><a:t>From here </a:t></a:r><a:r><a:t>to there</a:t></a:r>"
    drawn = f"<dgm:dataModel {NAMESPACES}><a:p>{words}</a:p></dgm:dataModel>"
    data = word(p(fraction) + p(ruby) + p(diagram), {"word/diagrams/data1.xml": drawn})
    assert lines(data) == ["a b", "base", "From here to there"]


def test_a_formula_in_a_cell_is_tex_in_the_table_and_words_in_the_text():
    a, b = (f"<m:r><m:t>{letter}</m:t></m:r>" for letter in "ab")
    fraction = f"<m:oMath><m:f><m:num>{a}</m:num><m:den>{b}</m:den></m:f></m:oMath>"
    number = "<m:oMath><m:r><m:t>12.5</m:t></m:r></m:oMath>"
    white = "<w:r><w:rPr><w:color w:val='FFFFFF'/></w:rPr><w:t>nobody may see this</w:t></w:r>"
    rows = (("is ", fraction, " here"), (number,)), (("x",), (fraction, "<w:r><w:t/></w:r>", white))
    cells = (("".join(f"<w:tc>{p(*runs)}</w:tc>" for runs in row)) for row in rows)
    table = "".join(f"<w:tr>{row}</w:tr>" for row in cells)
    document = read(word(f"<w:tbl>{table}</w:tbl>" + p("so ", fraction)))
    assert document.text == "is a b here\t12.5\nx\ta bnobody may see this\nso a b\n"
    assert document.tables[0].rows == (
        (r"is $\frac{a}{b}$ here", "12.5"),
        ("x", r"$\frac{a}{b}$nobody may see this"),
    )
    assert [span.of(document.text) for span, _ in document.left_out] == ["nobody may see this"]


def test_deleted_rows_are_gone_and_rows_may_begin_further_right():
    def tc(text: str, properties: str = "") -> str:
        return f"<w:tc><w:tcPr>{properties}</w:tcPr>{p(text)}</w:tc>"

    first = tc("a", "<w:vMerge w:val='restart'/>") + tc("b") + tc("c")
    second = tc("", "<w:vMerge/>") + tc("d", "<w:gridSpan w:val='2'/>")
    third = "<w:trPr><w:del w:id='1'/></w:trPr>" + tc("x") + tc("y") + tc("z")
    fourth = "<w:trPr><w:gridBefore w:val='1'/></w:trPr>" + tc("e") + tc("f")
    rows = "".join(f"<w:tr>{row}</w:tr>" for row in (first, second, third, fourth))
    data = word(f"<w:tbl>{rows}</w:tbl>")
    (table,) = read(data).tables
    assert table.rows == (("a", "b", "c"), ("a", "d", "d"), ("", "e", "f"))


def test_a_frame_of_one_cell_around_text_is_no_table():
    data = word(f"<w:tbl><w:tr><w:tc>{p('First.')}{p('Second.')}</w:tc></w:tr></w:tbl>")
    assert lines(data) == ["First.", "Second."]
    assert read(data).tables == ()


PAGED = (
    p("One.")
    + p("Two", "<w:r><w:lastRenderedPageBreak/><w:t> and a half.</w:t></w:r>")
    + p('<w:r><w:br w:type="page"/></w:r>')
    + p("<w:r><w:lastRenderedPageBreak/><w:t>Three.</w:t></w:r>")
)


def test_pages_are_those_that_word_laid_out():
    document = read(word(PAGED))
    assert [(page.number, page.span.of(document.text).strip()) for page in document.pages] == [
        (1, "One.\nTwo"),
        (2, "and a half."),
        (3, "Three."),
    ]


def test_pages_that_are_not_as_many_as_word_counted_are_not_given():
    def counted(pages: int) -> bytes:
        properties = f"<Properties xmlns='urn:x'><Pages>{pages}</Pages></Properties>"
        package = io.BytesIO(word(PAGED, {"docProps/app.xml": properties}))
        with zipfile.ZipFile(package, "a") as archive:
            archive.writestr(
                "_rels/.rels",
                f'<Relationships><Relationship Id="1" Type="{R}/extended-properties" '
                'Target="docProps/app.xml"/></Relationships>',
            )
        return package.getvalue()

    assert len(read(counted(3)).pages) == 3
    assert read(counted(4)).pages == ()
    assert read(word(p("Never laid out") + p('<w:r><w:br w:type="page"/></w:r>'))).pages == ()


def test_pieces_in_html_or_in_a_document_of_their_own_are_read_in_place():
    page = "<html><body><p>Grass grows.</p><p>Wind blows.</p></body></html>"
    body = p("Before") + '<w:altChunk r:id="chunk"/>' + p("After")
    read_in_place = ["Before", "Grass grows.", "Wind blows.", "After"]
    assert [line for line in lines(word(body, {"word/chunk.html": page})) if line] == read_in_place
    inner = word(p("Merged in"))
    assert lines(word(body, {"word/chunk.docx": inner})) == ["Before", "Merged in", "After"]


def test_a_piece_that_is_not_read_is_named():
    inner = word(p("Merged in") + '<w:altChunk r:id="chunk"/>', {"word/chunk.html": "<p>deep</p>"})
    several: list[dict[str, str | bytes]] = [
        {},
        {"word/chunk.png": b"\x89PNG\r\n\x1a\n"},
        {"word/chunk.html": b""},
    ]
    for parts in several:
        (note,) = read(word(p("Before") + '<w:altChunk r:id="chunk"/>', parts)).notes
        assert note.kind == "not read in full"
    nested = read(word('<w:altChunk r:id="chunk"/>', {"word/chunk.docx": inner}))
    assert (nested.text, nested.notes[0].kind) == ("Merged in\n", "not read in full")


# Bad input


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"PK",
        b"plain text",
        b"<html/>",
        b"<w:wordDocument xmlns:w='urn:other'/>",
        (FILES / "odt" / "features.odt").read_bytes(),
        word("").replace(b"word/document.xml", b"word/nocument.xml"),
    ],
    ids=range(7),
)
def test_what_is_no_word_document_is_refused(data):
    with pytest.raises(ReadingError):
        read(data)


def test_a_damaged_part_is_rescued_with_a_note():
    whole = word(p("Kept to the end."))
    at = whole.index(b"PK\x01\x02")
    wrong_checksum = whole[: at + 16] + b"\0\0\0\0" + whole[at + 20 :]
    for data in (wrong_checksum, whole[:at], whole[: at - 50]):
        document = read(data)
        assert document.text == "Kept to the end.\n"
        assert document.notes[0].kind == "damaged"


def test_broken_xml_is_mended_with_a_note():
    document = read(word(p("First &eacute; one") + p("second") + "<w:p><w:r><w:t>third"))
    assert document.text.split() == ["First", "&eacute;", "one", "second", "third"]
    assert document.notes[0].kind == "damaged"


def test_a_cut_file_gives_what_came_before_the_cut():
    text = " ".join(f"word{i * 7919 % 10007}" for i in range(20_000))
    data = word(p(text))
    document = read(data[: len(data) // 2])
    assert text.startswith(document.text.strip()[:-10])
    assert len(document.text) > len(text) // 3
    assert document.notes[0].kind == "damaged"


def test_what_unpacks_to_too_much_is_refused():
    data = word(p("x" * 5_000_000))
    with pytest.raises(ReadingError, match="unpacks to more"):
        read(data, Limits(unpacked_bytes=1 << 20))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entities_are_not_expanded(encoding):
    bomb = '<!DOCTYPE a [<!ENTITY a "aa"><!ENTITY b "&a;&a;&a;">]>'
    body = f"{bomb}<w:document {NAMESPACES}><w:body>{p('&b;')}</w:body></w:document>"
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w") as archive:
        archive.writestr("word/document.xml", body.encode(encoding))
    with pytest.raises(ReadingError, match="declares entities"):
        read(package.getvalue())


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("<w:ins>", "</w:ins>"),
        ("<w:tbl><w:tr><w:tc>", "</w:tc></w:tr></w:tbl>"),
        ("<w:p><w:r><w:txbxContent>", "</w:txbxContent></w:r></w:p>"),
    ],
)
def test_parts_inside_each_other_without_end_are_refused(start, end):
    assert "deep" in read(word(start * 20 + p("deep") + end * 20)).text
    with pytest.raises(ReadingError, match="deeper than in any document"):
        read(word(start * 100_000 + p("deep") + end * 100_000))


def test_a_table_that_claims_millions_of_cells_is_bounded():
    cell = '<w:tc><w:tcPr><w:gridSpan w:val="99999"/></w:tcPr><w:p/></w:tc>'
    with pytest.raises(ReadingError, match="more cells"):
        read(word(f"<w:tbl>{f'<w:tr>{cell}{cell}</w:tr>' * 20}</w:tbl>"), Limits(cells=10_000))
