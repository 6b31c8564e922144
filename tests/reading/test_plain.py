"""Plain text: lines, pages, and what is said about the encoding."""

from likewise.model import Span
from likewise.reading.plain import read_plain
from likewise.reading.request import Request


def read(data: bytes, charset: str | None = None):
    return read_plain(data, Request(charset=charset)).document("a.txt")


def test_lines_end_the_same_way_whatever_system_wrote_them() -> None:
    assert read(b"one\r\ntwo\rthree\nfour").text == "one\ntwo\nthree\nfour"


def test_lines_of_wide_characters_too() -> None:
    assert read("Дала\r\nмен аспан\r\n".encode("utf-16")).text == "Дала\nмен аспан\n"


def test_a_form_feed_ends_a_page() -> None:
    document = read(b"first page\n\fsecond page\f third\n\f")
    assert document.text == "first page\nsecond page\n third\n"
    assert [page.number for page in document.pages] == [1, 2, 3]
    assert document.pages[1].span.of(document.text) == "second page\n"


def test_a_text_without_form_feeds_has_no_pages() -> None:
    assert read(b"only text").pages == ()


def test_the_language_is_seen_through_the_encoding() -> None:
    text = "Мы не знаем, что было в этом письме, но оно было очень важным для них всех."
    for encoding in ("koi8-r", "cp866", "mac-cyrillic"):
        document = read(text.encode(encoding))
        assert (document.text, document.language, document.notes) == (text, "ru", ())


def test_a_doubt_about_the_encoding_becomes_a_note() -> None:
    (note,) = read("Привет, степь!".encode(), "koi8-r").notes
    assert note.kind == "encoding"
    assert str(note.message) == "It declares koi8-r, but its bytes are utf-8."


def test_what_a_server_declares_helps() -> None:
    assert read("Да".encode("cp866"), "cp866").text == "Да"


def test_zero_bytes_never_reach_the_text() -> None:
    document = read(b"one two\0three four five six seven")
    assert document.text == "one two\ufffdthree four five six seven"


def test_markup_of_other_kinds_is_text() -> None:
    text = "# Heading\n\n* *item* with a <b>tag</b>\n"
    document = read(text.encode())
    assert document.text == text
    assert Span(0, len(text)).of(document.text) == text
