"""What strangers wrote is taken apart by readers; the server and its workers never look inside."""

from __future__ import annotations

import io
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest
from fastapi.testclient import TestClient

import likewise.internet.providers.parsing as providers_xml
from likewise.errors import BadInput
from likewise.internet.model import FetchLimits
from likewise.internet.pages import document_from
from likewise.internet.robots import robots_rules
from tests.server.checking import post
from tests.server.handing_in import RIVER, STEPPE, added, hand_in, text, zipped

WorkOff = Callable[[], int]
FEATURES = Path(__file__).parents[1] / "files" / "docx" / "features.docx"
pytestmark = pytest.mark.parametrize("engine_name", ["sqlite"])


@pytest.fixture
def blind(monkeypatch: pytest.MonkeyPatch) -> None:
    """This process cannot take any format apart."""

    def refuse(*_: Any, **__: Any) -> NoReturn:
        raise AssertionError("a stranger's bytes were parsed outside of a reader")

    from lxml import etree

    for module, name in (
        *(("likewise.reading.formats", "sniff"), ("likewise.reading.unpack", "sniff")),
        *(
            ("likewise.reading.formats", "note_disguises"),
            ("likewise.reading.formats", "read_as"),
        ),
        *(("likewise.reading.encoding", "decode"), ("likewise.reading.plain", "decode")),
        *(("likewise.reading.package.kind", "kind_of_package"), ("csv", "DictReader")),
        ("likewise.internet.robots", "read_rules"),
    ):
        __import__(module)
        monkeypatch.setattr(sys.modules[module], name, refuse)
    monkeypatch.setattr(zipfile, "ZipFile", refuse)
    monkeypatch.setattr(etree, "fromstring", refuse)


ARCHIVE = zipped({"a.txt": text(RIVER), "b.docx": FEATURES.read_bytes()})


@pytest.mark.usefixtures("blind")
def test_files_archives_and_tables_are_added_and_checked(
    teacher: TestClient, work_off: WorkOff
) -> None:
    table = "file,author\nsteppe.txt,Ә. Нұр\n".encode("cp1251", "replace")
    answer = hand_in(teacher, {"steppe.txt": text(STEPPE), "class.zip": ARCHIVE}, table=table)
    assert answer.status_code == 202, answer.text
    work_off()
    outcome = teacher.get(f"/jobs/{answer.json()['job']}").json()["outcome"]
    assert [one["state"] for one in outcome["documents"]] == ["new", "new", "new"]
    again = added(teacher, work_off, {"page.html": b"<html><body><p>" + text(RIVER) + b"</p>"})
    assert again["counts"]["new"] + again["counts"]["copy"] == 1
    check = post(teacher, "/checks", {"steppe.txt": text(STEPPE)})
    assert check.status_code == 202, check.text
    work_off()
    assert teacher.get(f"/jobs/{check.json()['job']}").json()["state"] == "done"


@pytest.mark.usefixtures("blind")
def test_pages_rules_and_answers_of_the_internet_are_read(anybody: TestClient) -> None:
    page = b"<html><body><article><p>" + text(STEPPE, 6) + b"</p></article></body></html>"
    assert "feather grass" in document_from(page, "http://a.kz/", "text/html", FetchLimits()).text
    assert not robots_rules(b"User-agent: *\nDisallow: /private", "Likewise").allow("/private/a")
    assert providers_xml.read_xml(b"<a><b c='d'>e</b>f</a>").find("b").attrib == {"c": "d"}


def inflating_docx() -> bytes:
    """Little to send, long to look through: markup in which every place may begin a match."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<override " * 100_000)
        archive.writestr("_rels/.rels", "<relationship " * 100_000)
        archive.writestr("word/document.xml", "<w:document/>")
    return packed.getvalue()


def test_a_small_file_that_inflates_is_answered(teacher: TestClient) -> None:
    data = inflating_docx()
    assert len(data) < 6_000
    answer = hand_in(teacher, {f"{n}.docx": data for n in range(3)})
    assert answer.status_code in (202, 415), answer.text


def test_what_is_wrong_with_a_table_is_told_at_once_and_it_has_an_end(teacher: TestClient) -> None:
    answer = hand_in(teacher, {"a.txt": text(STEPPE)}, table=b"file,year\na.txt,soon\n")
    assert answer.status_code == 422
    assert "table.csv, row 2" in answer.text
    rows = "".join(f"{number}.txt,a\n" for number in range(200_001))
    long = hand_in(teacher, {"a.txt": text(STEPPE)}, table=f"file,author\n{rows}".encode())
    assert long.status_code == 422
    assert "at most 200,000 rows" in long.text
    with pytest.raises(BadInput, match="64 MB"):
        from likewise.library.metadata import check_metadata_table

        check_metadata_table(bytes(65 << 20), "table.csv")
