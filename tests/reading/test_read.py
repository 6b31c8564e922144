"""Plain text files become documents; everything else is refused with a reason."""

import codecs

import pytest

from likewise.errors import BadInput
from likewise.reading import read, read_bytes


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
    with pytest.raises(BadInput, match="binary data"):
        read_bytes(b"\x00\x01\x02\x03" * 100, "junk.txt")


def test_a_zero_byte_or_two_do_not_make_a_text_binary():
    assert "\0" in read_bytes(b"one two\0three four five six seven", "a.txt").text


def test_text_in_another_encoding_says_so():
    with pytest.raises(BadInput, match="save it as UTF-8"):
        read_bytes("Привет, степь и небо".encode("cp1251"), "old.txt")


@pytest.mark.parametrize("start", [b"%PDF-1.7", b"PK\x03\x04", b"\x89PNG\r\n\x1a\n"])
def test_other_formats_are_called_by_their_names(start):
    with pytest.raises(BadInput, match="only plain text is read so far"):
        read_bytes(start + b" rest", "thesis.txt")


def test_a_vanished_file_is_named(tmp_path):
    with pytest.raises(BadInput, match=r"gone\.txt: No such file"):
        read(tmp_path / "gone.txt")
