"""One file to one document: by its content, from the cache, or with a reason why not."""

import codecs
import sys
from pathlib import Path

import pytest

from likewise.errors import BadInput, ReadingError
from likewise.reading import read, read_bytes

FILES = Path(__file__).parent.parent / "files"


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (b"", "utf-8"),
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_unicode_that_announces_itself_is_read(mark, encoding):
    text = "Ұлы дала. Великая степь."
    assert read_bytes(mark + text.encode(encoding), "a.txt").text == text


def test_a_document_knows_its_language_and_its_name(tmp_path):
    path = tmp_path / "essay.txt"
    path.write_text("Мы не знаем, что было в этом письме, но оно было очень важным для них всех.")
    document = read(path)
    assert (document.name, document.language) == ("essay.txt", "ru")


def test_binary_junk_named_txt_is_not_text():
    with pytest.raises(BadInput, match=r"junk\.txt: binary data"):
        read_bytes(bytes(range(256)) * 20, "junk.txt")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "the file is empty"),
        (b"\x89PNG\r\n\x1a\n rest", "it cannot be read as a picture|a picture"),
        (b"Rar!\x1a\x07\x00", "a RAR archive; unpack it first"),
        (b"\x7fELF\x02", "a program"),
        (b"PK\x05\x06" + bytes(18), "a ZIP archive, not a document"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "an old Office file"),
    ],
)
def test_what_is_not_read_is_called_by_its_name(data, reason):
    with pytest.raises(ReadingError, match=reason):
        read_bytes(data, "thesis.txt", cache=False)


@pytest.mark.parametrize("path", sorted((FILES / "misnamed").iterdir()), ids=lambda path: path.name)
def test_the_content_decides_and_not_the_name(path):
    assert len(read(path).text.split()) > 50


def test_a_vanished_file_is_named(tmp_path):
    with pytest.raises(BadInput, match=r"gone\.txt: No such file"):
        read(tmp_path / "gone.txt")


def test_what_was_read_once_is_not_read_again(monkeypatch):
    path = FILES / "essays" / "en" / "steppe.docx"
    first = read(path)

    def never(_limits):
        raise AssertionError("it should have come from the cache")

    monkeypatch.setattr(sys.modules["likewise.reading.read"], "shared_sandbox", never)
    again = read(path, "other.docx")
    assert again.name == "other.docx"
    assert again.text == first.text
    with pytest.raises(AssertionError):
        read(path, cache=False)


def test_pages_are_told_while_they_are_read():
    told = []
    read(FILES / "pdf" / "six-pages.pdf", cache=False, tell_page=lambda *page: told.append(page))
    assert all(total == 6 for _, total in told)  # a quick machine may tell none


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"<!DOCTYPE html><html><body><!-- Steppe and sky.</body></html>", "page.html"),
        (b"{\\rtf1 {\\*\\unknown Steppe and sky.}}", "essay.rtf"),
        (b" \r\n\t\r\n", "essay.txt"),
        (b",,,\n,,,\n", "levels.csv"),
    ],
)
def test_a_file_of_which_nothing_could_be_read_says_so(data: bytes, name: str) -> None:
    document = read_bytes(data, name, cache=False)
    assert not document.text.strip(" \n\t,")
    assert [note.kind for note in document.notes] == ["no text"]


@pytest.mark.ocr
def test_a_picture_is_read_by_a_process_that_may_write_nothing() -> None:
    """Tesseract opens a file for what it has to say, and crashes where that is refused."""
    document = read(FILES / "images" / "scan.png", cache=False, ocr=("en",))
    assert len(document.text.split()) > 30
