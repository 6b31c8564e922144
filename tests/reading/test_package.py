"""Packages of parts: what they are, what is in them, and how much of a damaged one is left."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.errors import ReadingError
from likewise.reading.package import Package, kind_of_package, kind_of_xml, parse_xml
from likewise.reading.request import Limits

FILES = Path(__file__).parents[1] / "files"
MIME = "application/vnd.oasis.opendocument."
MAIN = "application/vnd.openxmlformats-officedocument."


def packed(parts: dict[str, str | bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w", how) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return package.getvalue()


def ooxml(content_type: str, part: str) -> bytes:
    """A package whose main part has this type, beside an embedded spreadsheet."""
    types = (
        '<Types><Default Extension="xlsx" ContentType="application/vnd.openxmlformats-'
        'officedocument.spreadsheetml.sheet"/>'
        f'<Override PartName="/{part}" ContentType="{content_type}"/></Types>'
    )
    relation = (
        '<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/'
        f'officeDocument/2006/relationships/officeDocument" Target="{part}"/></Relationships>'
    )
    return packed({"[Content_Types].xml": types, "_rels/.rels": relation, part: "<a/>"})


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (ooxml(f"{MAIN}wordprocessingml.document.main+xml", "word/document.xml"), "docx"),
        (ooxml(f"{MAIN}wordprocessingml.template.main+xml", "word/document.xml"), "docx"),
        (ooxml("application/vnd.ms-word.document.macroEnabled.main+xml", "x/y.xml"), "docx"),
        (ooxml(f"{MAIN}spreadsheetml.sheet.main+xml", "xl/workbook.xml"), "xlsx"),
        (ooxml("application/vnd.ms-excel.sheet.macroEnabled.main+xml", "xl/w.xml"), "xlsx"),
        (ooxml("application/vnd.ms-excel.sheet.binary.macroEnabled.main", "xl/w.bin"), "xlsb"),
        (ooxml(f"{MAIN}presentationml.presentation.main+xml", "ppt/p.xml"), "pptx"),
        (packed({"word/document.xml": "<a/>"}), "docx"),
        (packed({"word\\document.xml": "<a/>"}), "docx"),
        (packed({"mimetype": MIME + "text"}), "odt"),
        (packed({"mimetype": MIME + "text-template"}), "odt"),
        (packed({"mimetype": MIME + "spreadsheet"}), "ods"),
        (packed({"mimetype": MIME + "presentation"}), "odp"),
        (packed({"mimetype": "application/epub+zip"}), "epub"),
        (packed({"content.xml": "<office:text/>", "styles.xml": "<a/>"}), "odt"),
        (packed({"essay.docx": b"PK", "notes/word/document.xml": "<a/>"}), None),
        (packed({"mimetype": "text/plain"}), None),
        (b"", None),
        (b"PK\x03\x04", None),
        (b"PK\x05\x06" + bytes(18), None),
    ],
    ids=range(20),
)
def test_what_a_zip_is_its_content_decides(data, kind):
    assert kind_of_package(data) == kind


@pytest.mark.parametrize("name", ["docx/features.docx", "odt/features.odt"])
def test_a_cut_package_is_still_known(name):
    data = (FILES / name).read_bytes()
    kind = name.partition("/")[0]
    assert kind_of_package(data) == kind
    assert kind_of_package(data[: len(data) - 100]) == kind


@pytest.mark.parametrize("name", ["moodle.zip", "canvas.zip", "windows.zip"])
def test_an_archive_of_documents_is_no_document(name):
    assert kind_of_package((FILES / "archives" / name).read_bytes()) is None


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        ((FILES / "odt" / "features.fodt").read_bytes(), "odt"),
        ((FILES / "odt" / "features.fodt").read_text("utf-8").encode("utf-16"), "odt"),
        ((FILES / "docx" / "word2003.xml").read_bytes(), "docx"),
        (
            b'<?xml version="1.0"?><?mso-application progid="Word.Document"?><pkg:package '
            b'xmlns:pkg="http://schemas.microsoft.com/office/2006/xmlPackage"/>',
            "docx",
        ),
        (b"<html><body>text</body></html>", None),
        (b"The <office:document> tag", None),
        (b"", None),
    ],
    ids=range(7),
)
def test_what_an_xml_file_is_its_root_decides(data, kind):
    assert kind_of_xml(data) == kind


def test_parts_are_found_whatever_their_case_and_slashes_are():
    package = Package(packed({"Word\\Document.xml": "<a/>"}), Limits())
    assert package.names == ("Word/Document.xml",)
    assert package.read("/word/document.XML") == b"<a/>"
    assert package.read("word/other.xml") is None
    assert package.damage == []


def test_all_that_is_unpacked_counts_against_the_limit():
    package = Package(packed({"a": b"x" * 600, "b": b"y" * 600}), Limits(unpacked_bytes=1000))
    package.read("a")
    with pytest.raises(ReadingError, match="unpacks to more"):
        package.read("b")


def test_a_size_in_a_header_is_not_believed():
    data = bytearray(packed({"a": b"x" * 1_000_000}))
    listed = data.index(b"PK\x01\x02")
    data[listed + 24 : listed + 28] = (10).to_bytes(4, "little")
    with pytest.raises(ReadingError, match="unpacks to more"):
        Package(bytes(data), Limits(unpacked_bytes=500_000)).read("a")


def test_too_many_parts_are_refused():
    data = packed({f"part{i}": b"" for i in range(30)})
    with pytest.raises(ReadingError, match="more parts"):
        Package(data, Limits(members=20))


@pytest.mark.parametrize("how", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_without_its_table_of_contents_every_part_is_still_found(how):
    data = packed({"a.xml": "<a/>" * 50, "b.xml": "<b/>"}, how)
    package = Package(data[: data.index(b"PK\x01\x02")], Limits())
    assert package.names == ("a.xml", "b.xml")
    assert (package.read("a.xml"), package.read("b.xml")) == (b"<a/>" * 50, b"<b/>")
    assert [str(each) for each in package.damage] == ["its table of contents is missing"]


def test_bytes_lost_before_a_part_do_not_lose_the_part():
    data = packed({"first": b"1" * 100, "second": b"two" * 100})
    package = Package(data[:35] + data[40:], Limits())
    assert package.read("second") == b"two" * 100


def test_a_part_with_a_bad_byte_gives_what_came_before_it():
    text = b" ".join(b"%d" % (i * 7919 % 10007) for i in range(20_000))
    data = bytearray(packed({"a": text}))
    data[len(data) // 2] ^= 0xFF
    package = Package(bytes(data), Limits())
    rescued = package.read("a")
    assert rescued[: len(text) // 3] == text[: len(text) // 3]
    assert package.damage == ["a"]


def test_a_locked_part_says_so():
    data = packed({"a": b"text"})
    locked = data[:6] + b"\x01" + data[7:]
    with pytest.raises(ReadingError, match="locked with a password"):
        Package(locked, Limits()).read("a")


@pytest.mark.parametrize(
    "data",
    [
        b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
        b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/hostname">]><a>&b;</a>',
        b'<!DOCTYPE a [<!ATTLIST a b CDATA "c">]><a/>',
        '<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE a [<!ENTITY b "c">]><a/>'.encode(
            "utf-16"
        ),
        "<!DOCTYPE a [<!ENTITY b 'c'>]><a/>".encode("utf-16-be"),
        b"<a>" + b"<b/>" * 6_000_001 + b"</a>",
    ],
    ids=range(6),
)
def test_xml_that_would_grow_is_refused(data):
    with pytest.raises(ReadingError):
        parse_xml(data)


def test_a_document_type_is_passed_over_and_nothing_fetched():
    assert parse_xml(b'<!DOCTYPE a SYSTEM "http://127.0.0.1:9/a.dtd"><a>text</a>').text == "text"
    assert parse_xml(b'<!DOCTYPE a PUBLIC "-//X//Y" "office.dtd"><a>text</a>').text == "text"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "windows-1251"])
def test_xml_is_read_in_the_encoding_it_is_in(encoding):
    declared = f'<?xml version="1.0" encoding="{encoding}"?>' if "1251" in encoding else ""
    assert parse_xml(f"{declared}<a>Дала</a>".encode(encoding)).text == "Дала"


def test_a_large_text_is_honest():
    assert len(parse_xml(b"<a>" + b"x" * 20_000_000 + b"</a>").text or "") == 20_000_000


@given(st.binary(max_size=300))
def test_any_bytes_have_a_kind_or_none(data):
    assert kind_of_package(b"PK\x03\x04" + data) in {None, "docx", "odt"}
    kind_of_xml(data)
