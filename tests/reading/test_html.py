"""Pages: their whole text, their tables and pictures, and the main text of those from the web."""

import base64
import io
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from likewise.errors import ReadingError
from likewise.model import Document
from likewise.reading.html import looks_like_html, read_html
from likewise.reading.html.mhtml import looks_like_mhtml, read_mhtml
from likewise.reading.request import Limits, Request

FILES = Path(__file__).parent.parent / "files"
RUSSIAN = "Водяная мельница стоит на Синей речке так давно, что никто не помнит её первого хозяина."
KAZAKH = "Көкөзеннің бойындағы су диірменінің алғашқы иесін ешкім білмейді."
PAGE = (
    f'<html><head><meta charset="{{}}"><title>т</title></head><body><p>{RUSSIAN}</p></body></html>'
)


def read(page: str | bytes, charset: str | None = None, web_page: bool = False) -> Document:
    data = page.encode() if isinstance(page, str) else page
    return read_html(data, Request(charset=charset, web_page=web_page)).document("a.html")


def text_of(page: str) -> str:
    return read(page).text.rstrip("\n")


def picture(shade: str = "white") -> bytes:
    image = Image.new("RGB", (48, 48), shade)
    ImageDraw.Draw(image).ellipse((4, 4, 30, 40), fill="black")
    packed = io.BytesIO()
    image.save(packed, "PNG")
    return packed.getvalue()


# Real files


@pytest.mark.parametrize("name", ["mill.html", "mill.xhtml", "mill.mhtml"])
def test_a_page_reads_the_same_however_it_was_saved(name: str) -> None:
    data = (FILES / "html" / name).read_bytes()
    reader = read_mhtml if looks_like_mhtml(data) else read_html
    document = reader(data, Request()).document(name)
    assert document.meta == {"title": "The Mill on the Blue River", "author": "Agnes Thorne"}
    text = document.compared_text.replace("\N{SOFT HYPHEN}", "").replace("\N{NO-BREAK SPACE}", " ")
    for line in (
        "The Mill on the Blue River\n",
        "creaks, oil the axle; if it falls silent, look where the water went. His grandson still "
        "follows the rule.\n",
        f"{RUSSIAN}\n{KAZAKH}\n",
        "four sledges tied with a chain",
        "Table 2. Flour by season, in sacks\n",
        "1910\t40\t65\n",
        "grind(rye)\n    twice(wheat)\n",
        "Blue River Society",
    ):
        assert line in text
    assert "document.title" not in text
    (table,) = document.tables
    assert table.caption == "Table 2. Flour by season, in sacks"
    assert table.rows[:2] == (("Year", "Sacks", "Sacks"), ("Year", "spring", "autumn"))
    assert table.span.of(document.text).startswith("Year\tSacks\nspring\tautumn\n")
    assert document.notes == ()


@pytest.mark.parametrize("name", ["mill.html", "mill.mhtml"])
def test_pictures_that_came_along_are_seen(name: str) -> None:
    data = (FILES / "html" / name).read_bytes()
    reader = read_mhtml if looks_like_mhtml(data) else read_html
    (seen,) = reader(data, Request()).document(name).pictures
    assert (seen.width, seen.height) == (64, 64)


@pytest.mark.parametrize("path", sorted((FILES / "html").iterdir()), ids=lambda path: path.name)
def test_saved_pages_are_recognised(path: Path) -> None:
    data = path.read_bytes()
    is_parcel = path.suffix == ".mhtml"
    assert (looks_like_mhtml(data), looks_like_html(data)) == (is_parcel, not is_parcel)


# What is a page


@pytest.mark.parametrize(
    "data",
    [
        b"<!DOCTYPE html>",
        b"\n\n<!-- saved from somewhere -->\n<!doctype HTML PUBLIC '-//W3C//DTD'><p>x",
        b"\xef\xbb\xbf<html lang=ru>",
        b'<?xml version="1.0"?>\n<!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml">',
        b"<?php echo 1; ?> <html>",
        b"<head><title>x</title></head>",
        "<html><body>Степь".encode("utf-16"),
        "<html><body>Степь".encode("utf-16-le"),
        b"<div><p>One</p><p>Two</p></div>\n<p>Three</p>\n",
        b"<html xmlns:o='urn:schemas-microsoft-com:office:office'><head>",
    ],
)
def test_pages_are_recognised_by_their_content(data: bytes) -> None:
    assert looks_like_html(data)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"Write <b>bold</b> to make it bold, and <html> to begin a page.",
        b"<p align='center'><img src='logo.png'></p>\n\n# Project\n\n- one\n- two\n<p><b>x</b></p>",
        b"# How to write a page\n\n```html\n<!DOCTYPE html>\n<html>\n```\n",
        b'<?xml version="1.0"?><rss version="2.0"><channel><title>News</title></channel></rss>',
        b"<b>Note:</b> this is a plain text that begins with a tag.",
        b"a < b and c > d",
        b"<!-- a comment that never ends",
        b"%PDF-1.7",
    ],
)
def test_texts_that_mention_tags_are_no_pages(data: bytes) -> None:
    assert not looks_like_html(data)


# Encodings


@pytest.mark.parametrize("declared", ["windows-1251", "koi8-r", "utf-8", "iso-8859-5", "cp866"])
def test_the_declared_charset_is_used(declared: str) -> None:
    document = read(PAGE.format(declared).encode(declared))
    assert (document.text, document.notes) == (RUSSIAN + "\n", ())


@pytest.mark.parametrize(
    ("declared", "real"),
    [
        ("windows-1251", "utf-8"),
        ("utf-8", "cp1251"),
        ("koi8-r", "cp1251"),
        ("iso-8859-1", "koi8-r"),
    ],
)
def test_the_bytes_decide_against_the_declaration(declared: str, real: str) -> None:
    document = read(PAGE.format(declared).encode(real))
    assert document.text == RUSSIAN + "\n"
    (note,) = document.notes
    assert note.kind == "encoding"
    assert str(note.message) == f"It declares {declared}, but its bytes are {real}."


@pytest.mark.parametrize(
    "head",
    [
        '<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">',
        "<meta charset=koi8-r>",
        "<META CONTENT='text/html; CHARSET=KOI8-R' HTTP-EQUIV=Content-Type>",
        '<!-- <meta charset="utf-8"> --><meta charset="koi8-r">',
    ],
)
def test_a_charset_is_declared_in_many_ways(head: str) -> None:
    assert read(f"<html><head>{head}</head>Да".encode("koi8-r")).text == "Да\n"


def test_an_xml_declaration_counts_and_so_does_the_server() -> None:
    xhtml = '<?xml version="1.0" encoding="cp866"?><html><body>Да</body></html>'
    assert read(xhtml.encode("cp866")).text == "Да\n"
    assert read("<html><body>Да".encode("cp866"), charset="cp866").text == "Да\n"


def test_a_server_that_knows_nothing_is_not_asked() -> None:
    page = "<html><meta charset=koi8-r><body>Да".encode("koi8-r")
    assert read(page, charset="iso-8859-1").text == "Да\n"


def test_kazakh_letters_as_numbers_in_a_russian_code_page() -> None:
    page = f"<html><meta charset=windows-1251><body><p>{KAZAKH}</p><p>{RUSSIAN}</p>"
    document = read(page.encode("cp1251", "xmlcharrefreplace"))
    assert document.text == f"{KAZAKH}\n{RUSSIAN}\n"


# Text


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<p>one<p>two", "one\ntwo"),
        ("<p>fol<b>low</b>s <i>a</i>\n  rule</p>", "follows a rule"),
        ("one<br>two<br/>three<hr>four", "one\ntwo\nthree\nfour"),
        ("<div>one<div>two</div>three</div>", "one\ntwo\nthree"),
        ("<ul><li>one<li>two<ol><li>deep</ol></ul>", "one\ntwo\ndeep"),
        ("<dl><dt>word<dd>meaning</dl>", "word\nmeaning"),
        ("<h1>Head</h1>text", "Head\ntext"),
        ("<pre>\n a\n   b</pre>c", " a\n   b\nc"),
        ("<textarea> as typed\n here</textarea>", " as typed\n here"),
        ("a&nbsp;b&shy;c &amp; &lt;d&gt; &#1171;&#x493; &eacute;", "a\xa0b\xadc & <d> ғғ é"),
        ("one <!-- two --> three", "one three"),
        ("<p>x<sup>2</sup> and H<sub>2</sub>O</p>", "x2 and H2O"),
        ("<a>left</a><a>right</a>", "left right"),
        ("<span>News</span><a>See all</a>", "News See all"),
        ("word<a href='#n'><sup>1</sup></a> next", "word 1 next"),
        ("<a>link</a>ed and un<a>linked</a>", "linked and unlinked"),
        ("su<wbr>per", "super"),
        ("<del>old</del><ins>new</ins>", "oldnew"),
        ("<svg><title>icon</title><text>axis</text><text>time</text></svg>", "axis\ntime"),
        ("<fieldset><legend>Who</legend><label>Name</label><button>Go</button></fieldset>",
         "Who\nName Go"),
        ("before<p>unclosed <b>bold<p>after</b> all", "before\nunclosed bold\nafter all"),
        ("&lt;script&gt;shown&lt;/script&gt;", "<script>shown</script>"),
    ],
)  # fmt: skip
def test_blocks_break_lines_and_words_stay_whole(page: str, text: str) -> None:
    assert text_of(page) == text


@pytest.mark.parametrize(
    "unseen",
    [
        "<script>var x = '<p>no</p>';</script>",
        "<style>p { color: red }</style>",
        "<nav>no</nav>",
        "<div role=navigation>no</div>",
        "<ul role='menu'><li>no</ul>",
        "<template><p>no</template>",
        "<noscript>no</noscript>",
        "<select><option>no<option>no</select>",
        "<input type=hidden value=no><input value=no placeholder=no>",
        "<img alt=no src=no.png>",
        "<iframe src=x>no</iframe>",
        "<video>no</video><audio>no</audio><canvas>no</canvas><object>no</object>",
        "<!-- no -->",
        "<!--[if gte mso 9]><xml><o:p>no</o:p></xml><![endif]-->",
        "<xml><w:WordDocument>no</w:WordDocument></xml>",
        "<div style='mso-element:comment-list'>no</div>",
        "<title>no</title>",
    ],
)
def test_what_is_no_text_is_gone(unseen: str) -> None:
    assert text_of(f"<p>one</p>{unseen}<p>two</p>") == "one\ntwo"


@pytest.mark.parametrize(
    "hidden",
    [
        "<p hidden>kept</p>",
        "<p style='color:red; DISPLAY : none'>kept</p>",
        "<p style='visibility:hidden'>kept</p>",
        "<dialog>kept</dialog>",
        "<p style='display:none'><b>ke</b>pt</p>",
    ],
)
def test_what_is_not_displayed_stays_and_is_not_compared(hidden: str) -> None:
    document = read(f"<p>one</p>{hidden}<p>two</p>")
    assert document.text == "one\nkept\ntwo\n"
    assert [(span.of(document.text), why) for span, why in document.left_out] == [
        ("kept", "hidden text")
    ]


def test_letters_hidden_inside_a_word_do_not_part_it() -> None:
    document = read("<p>ме<span style='display:none'>xyz</span>льница</p><p>two</p>")
    assert document.text == "мельница\nxyz\ntwo\n"
    assert document.compared_text.split() == ["мельница", "two"]


@pytest.mark.parametrize(
    "header", ["<div title='header'>Notes</div>", "<div style='mso-element:header'>Notes</div>"]
)
def test_running_heads_of_office_suites_are_not_compared(header: str) -> None:
    document = read(f"{header}<p>Text</p>")
    assert document.text == "Notes\nText\n"
    assert [why for _, why in document.left_out] == ["running header"]


def test_a_page_inside_a_page_is_read() -> None:
    assert (
        text_of("<p>out</p><iframe srcdoc='<p>in &amp;amp; deep</p>'></iframe>") == "out\nin & deep"
    )


def test_xhtml_may_have_empty_elements_and_sections_of_data() -> None:
    page = (
        '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/>'
        '<script src="x.js"/></head><body><p>one</p><![CDATA[two < three]]></body></html>'
    )
    assert text_of(page) == "one\ntwo < three"


def test_the_author_may_be_in_words_comment() -> None:
    page = "<html><head><!--[if gte mso 9]><xml><o:Author>Агата &amp; Ко</o:Author></xml>"
    assert read(page + "<![endif]--></head><body>x").meta["author"] == "Агата & Ко"


def test_frames_are_other_files() -> None:
    document = read("<html><frameset cols=1><frame src=a.html></frameset></html>")
    assert [note.kind for note in document.notes] == ["not read in full"]


def test_a_page_that_only_a_program_fills_says_so() -> None:
    document = read("<html><body><div id=root></div><script src=app.js></script></body></html>")
    assert [note.kind for note in document.notes] == ["not read in full"]


# Tables


def tables_of(page: str) -> list[tuple[tuple[str, ...], ...]]:
    return [table.rows for table in read(page).tables]


def test_spans_are_resolved() -> None:
    page = (
        "<table border=1><tr><th rowspan=2>A<th colspan=2>B<tr><th>b1<th>b2"
        "<tr><td rowspan=0>1<td>2<td>3<tr><td>4<td>5</table>"
    )
    assert tables_of(page) == [
        (("A", "B", "B"), ("A", "b1", "b2"), ("1", "2", "3"), ("1", "4", "5"))
    ]


def test_a_formula_in_a_cell_is_tex_in_the_table_and_words_in_the_text() -> None:
    math = "<math><mfrac><mi>a</mi><mi>b</mi></mfrac></math>"
    image = '<img class="mwe-math-fallback-image-inline" alt="{\\displaystyle E=mc^{2}}" src="">'
    page = (
        f"<table><tr><td>is {math}<a href=x>here</a><td>1"
        f"<tr><td>the {image} law<td>{math} {math}</table><p>so {math}</p>"
    )
    assert read(page).text == "is abhere\t1\nthe law\tab ab\nso ab\n"
    assert tables_of(page) == [
        (
            (r"is $\frac{a}{b}$here", "1"),
            ("the ${E=mc^{2}}$ law", r"$\frac{a}{b}$ $\frac{a}{b}$"),
        )
    ]


@pytest.mark.parametrize(
    "caption",
    ["Таблица 3. Осадки", "3-кесте. Жауын-шашын", "Table 3: Rain", "табл. 3.1 — Осадки"],
)
def test_the_line_before_is_the_caption(caption: str) -> None:
    page = f"<p>{caption}</p><table><tr><td>a<td>b<tr><td>1<td>2</table>"
    (table,) = read(page).tables
    assert table.caption == caption


def test_a_caption_element_is_the_caption_and_a_line_of_text() -> None:
    page = "<p>Text.</p><table><caption>Rain <b>by</b> month</caption><tr><td>a<td>b</table>"
    document = read(page)
    assert document.tables[0].caption == "Rain by month"
    assert document.text == "Text.\nRain by month\na\tb\n"


@pytest.mark.parametrize(
    "page",
    [
        "<table><tr><td>one cell</table>",
        "<table role=presentation border=1><tr><td>a<td>b<tr><td>c<td>d</table>",
        "<table><tr><td>a<td>b</table>",
        "<table><tr><td>a<tr><td>b<tr><td>c</table>",
        f"<table><tr><td>menu<td>{'long text ' * 100}<tr><td>foot<td>x</table>",
        "<table><tr><td><h2>A</h2><td>b<tr><td>c<td>d</table>",
        "<table border=1><tr><td> <td> <tr><td> <td> </table>",
    ],
)
def test_tables_that_arrange_a_page_are_no_tables(page: str) -> None:
    assert tables_of(page) == []


def test_inside_a_table_that_arranges_there_may_be_one_of_data() -> None:
    page = (
        "<table><tr><td>menu<td><p>Text</p><table border=1><tr><td>a<td>b<tr><td>1<td>2</table>"
        "</table>"
    )
    document = read(page)
    assert [table.rows for table in document.tables] == [(("a", "b"), ("1", "2"))]
    assert document.text == "menu\nText\na\tb\n1\t2\n"


def test_tables_in_what_is_left_out_do_not_shift_the_others() -> None:
    rows = "<tr><td>a<td>b<tr><td>1<td>2"
    page = (
        f"<nav><table border=1>{rows}</table></nav><p hidden>x</p><div hidden><table>{rows}</table>"
        f"</div><table><tr><td>only</table><table border=1>{rows}</table>"
    )
    assert tables_of(page) == [(("a", "b"), ("1", "2"))]


def test_blocks_in_a_cell_are_one_line() -> None:
    page = (
        "<table border=1><tr><td><p>a</p><p>b</p><td>c<br>d<tr><td><ul><li>e<li>f</ul><td>g</table>"
    )
    assert tables_of(page) == [(("a b", "c d"), ("e f", "g"))]


# Pictures


def test_pictures_in_the_page_itself_are_seen() -> None:
    packed = base64.b64encode(picture()).decode()
    document = read(f"<p>one</p><p>two<img src='data:image/png;base64,{packed}'></p>")
    (seen,) = document.pictures
    assert (seen.width, seen.height, seen.span.start) == (48, 48, len("one\n"))


@pytest.mark.parametrize("source", ["data:image/png;base64,@@@@", "data:,", "data:x", "a.png", ""])
def test_pictures_that_are_none_do_no_harm(source: str) -> None:
    assert read(f"<img src='{source}'>x").pictures == ()


# Parcels


def parcel(page: bytes, head: str = "", name: str = "wheel.png") -> bytes:
    """A page as Word packs it."""
    return b"\r\n".join(
        [
            b"MIME-Version: 1.0",
            b'Content-Type: multipart/related; boundary="----=_Next"' + head.encode(),
            b"",
            b"This document is a web archive.",
            b"",
            b"------=_Next",
            b"Content-Location: file:///C:/AB12/mill.htm",
            b"Content-Transfer-Encoding: base64",
            b'Content-Type: text/html; charset="windows-1251"',
            b"",
            base64.b64encode(page),
            b"",
            b"------=_Next",
            b"Content-Location: file:///C:/AB12/mill_files/" + name.encode(),
            b"Content-Transfer-Encoding: base64",
            b"Content-Type: image/png",
            b"",
            base64.b64encode(picture()),
            b"",
            b"------=_Next--",
            b"",
        ]
    )


def test_words_web_archive_is_read_with_its_pictures() -> None:
    page = f"<html><body><p>{RUSSIAN}</p><img src='mill_files/wheel.png'></body></html>"
    data = parcel(page.encode("cp1251"))
    assert looks_like_mhtml(data)
    document = read_mhtml(data, Request()).document("mill.doc")
    assert document.text == RUSSIAN + "\n"
    assert len(document.pictures) == 1


def test_a_parcel_without_a_page_says_so() -> None:
    data = b"MIME-Version: 1.0\nContent-Type: multipart/related; boundary=a\n\n--a\n\nx\n--a--\n"
    with pytest.raises(ReadingError, match="web archive without a page"):
        read_mhtml(data, Request())


@pytest.mark.parametrize(
    "data", [b"", b"MIME-Version: 1.0", b"Note: to self\n\ntext", b"From: a\nTo: b\n\nHello"]
)
def test_letters_and_notes_are_no_parcels(data: bytes) -> None:
    assert not looks_like_mhtml(data)


# Pages from the web

STORY = [
    line
    for line in (FILES / "making" / "web" / "mill_ru.txt").read_text("utf-8").splitlines()[1:]
    if line
]
ARTICLE = (
    f"<html><head><title>Мельница</title></head><body><nav><a href=/>Главная</a></nav>"
    f"<div class=sidebar><ul>{'<li><a href=/x>Другие мельницы края</a>' * 10}</ul></div>"
    f"<article><h1>Мельница на Синей речке</h1>{''.join(f'<p>{line}</p>' for line in STORY)}"
    "<table><tr><th>Год<th>Мешки</tr><tr><td>1910<td>65</tr></table></article>"
    f"<footer>Все права защищены. {'<a href=/y>Карта сайта</a> ' * 10}</footer></body></html>"
)


def test_the_main_text_of_a_web_page_is_its_article() -> None:
    document = read(ARTICLE, web_page=True)
    assert [line for line in STORY if line not in document.text] == []
    assert "Мельница на Синей речке" in document.text
    assert "Другие мельницы" not in document.text
    assert "Карта сайта" not in document.text
    assert document.tables[0].rows == (("Год", "Мешки"), ("1910", "65"))
    assert (document.meta["title"], document.notes) == ("Мельница", ())


def test_the_whole_text_of_the_same_page_has_all_but_its_navigation() -> None:
    text = read(ARTICLE).text
    assert "Другие мельницы" in text and "Карта сайта" in text
    assert "Главная" not in text


def test_a_web_page_without_an_article_is_read_whole_and_says_so() -> None:
    document = read("<html><body><p>Short.</p></body></html>", web_page=True)
    assert document.text == "Short.\n"
    assert [note.kind for note in document.notes] == ["whole page"]


# Bad pages


@pytest.mark.parametrize(
    "page",
    [
        "<div>" * 100_000 + "deep" + "</div>" * 100_000,
        "<ul><li>" * 20_000 + "deep",
        "<table><tr><td>" * 5_000 + "deep",
        "<p " + " ".join(f"a{i}=1" for i in range(50_000)) + ">deep",
        "<b>" * 50_000 + "deep",
    ],
)
def test_what_is_nested_beyond_reason_is_read_all_the_same(page: str) -> None:
    document = read(page)
    assert "deep" in document.text
    assert [note.kind for note in document.notes] == ["damaged"]


def test_cells_that_span_everything_are_bounded() -> None:
    wide = "<table border=1>" + "<tr><td rowspan=65000 colspan=1000>x<td>y" * 2_000 + "</table>"
    assert read(wide).text.count("x") == 2_000
    page = "<table border=1>" + "<tr><td>x<td>y" * 60 + "</table>"
    with pytest.raises(ReadingError, match="more cells"):
        read_html(page.encode(), Request(limits=Limits(cells=100)))


def test_long_pages_take_a_time_in_proportion() -> None:
    document = read("<p>слово <b>жирное</b></p>\n" * 40_000)
    assert document.text.count("\n") == 40_000


def test_zero_bytes_and_halves_of_characters_are_no_problem() -> None:
    assert text_of("<p>one two three four</p>\0<p>two&#0;three&#xD800;</p>") == (
        "one two three four\ntwo\ufffdthree\ufffd"
    )


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            "<p> </p> <b> </b> <table> </table> <tr> <td> <td\x20colspan=9> <caption> <nav> <svg>"
            " </svg> <math> <template> <select> <option> <pre> <br> <a> </a> <div\x20hidden> </div>"
            " <script> </script> <!-- --> <![CDATA[ ]]> &amp; &#0; <frameset> <body> </body>"
            " <iframe\x20srcdoc=x> <form> слово word < > \x1f".split(" ")
        ),
        max_size=30,
    )
)
def test_tags_in_any_order_give_a_document(pieces: list[str]) -> None:
    page = " ".join(pieces)
    for data in (page, f"<?xml version='1.0'?>{page}"):
        document = read(data)
        for span, _ in document.left_out:
            assert span.end <= len(document.text)
        for table in document.tables:
            assert len({len(row) for row in table.rows}) == 1
            assert table.span.end <= len(document.text)
    assert re.search(r"[\x1e\x1f]", read(page).text) is None
