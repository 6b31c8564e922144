"""The PDF: right words in order, an outline, nothing that a text says taken for markup."""

import re
from dataclasses import replace

import pypdfium2
import pytest

import likewise as lw
from likewise.catalogue import LANGUAGES, Words
from likewise.model import Message, Note, Span, Unread
from likewise.report import view_of_check, view_of_matches, view_of_pair
from likewise.report.paper.passages import MOST_PASSAGES
from likewise.report.pdf import pdf_of, write_pdf
from likewise.report.pdf.compiler import missing_glyphs

from .texts import MARKET, OWN, QUOTED, RIVER, document, edited

DATE = "2026-03-01T09:05:59Z"
KAZAKH = (
    "Ғылым ордасында жүргізілген зерттеулер көрсеткендей, өңірдегі жұмыс күшінің үлесі соңғы он "
    "жылда әлдеқайда азайған. Һәм қаңтар айында, ұзақ үзілістен кейін, Іле бойындағы ауылдар "
    "Әулие тауының бөктеріне көшті. Ұлы Шыңғыс Ңрагай өткелін, Үстірт пен Өлеңтіні, Қарқаралыны "
    "бір сапарда көрген жолаушы бұл күндері сирек кездеседі."
)
RUSSIAN = (
    "Осенью ёлки на перевале стоят в тумане, и объездчик считает их по памяти: цифры в его журнале "
    "не менялись уже двадцать лет. Щедрый урожай, говорят здесь, приходит после долгой зимы, когда "
    "подъём воды начинается позже обычного и льдины проходят мимо мельницы ночью."
)


def view(*sources, of=None):
    mine = of or document("mine.txt", OWN, RIVER, QUOTED, MARKET, page_chars=400)
    return view_of_check(lw.check(mine, sources), DATE)


def pages(made: bytes) -> list[str]:
    with pypdfium2.PdfDocument(made) as pdf:
        return [page.get_textpage().get_text_bounded() for page in pdf]


def text(made: bytes) -> str:
    """Everything it says, its lines joined."""
    return " ".join(" ".join(pages(made)).split())


def outline(made: bytes) -> list[str]:
    with pypdfium2.PdfDocument(made) as pdf:
        return [bookmark.get_title() for bookmark in pdf.get_toc()]


@pytest.mark.parametrize("said", [KAZAKH, RUSSIAN, RIVER])
def test_the_words_of_a_document_come_out_in_order(said):
    made = pdf_of(view(document("a", OWN), of=document("mine.txt", said)))
    assert said in text(made)


def test_words_inside_passages_come_out_in_order_too():
    mine = document("mine.txt", OWN, KAZAKH, RUSSIAN)
    made = text(pdf_of(view(document("a", KAZAKH), document("b", RUSSIAN), of=mine)))
    assert made.count(KAZAKH) == made.count(RUSSIAN) == 3  # here, there and in the text


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_speaks_the_language_asked_for(language):
    words = Words(language)
    made = pdf_of(view(document("a", RIVER)), language)
    said = text(made)
    assert words("title.check") in said and words("verdict.caution") in said
    headings = ("verdict.heading", "sources.heading", "measures.heading", "passage.heading")
    assert {words(key) for key in (*headings, "text.heading")} <= set(outline(made))
    assert f"/Lang ({language})".encode() in made or f"/Lang({language})".encode() in made


def test_the_four_shares_add_up_as_shown():
    found = view(document("a", RIVER))
    said = text(pdf_of(found))
    shares = [part for part in said.split("What the text")[0].split() if part.endswith("%")]
    assert round(sum(float(share[:-1]) for share in shares[1:5]), 1) == 100.0
    wordings = re.findall(r"([\d.]+)%", said.split("By wording:")[1])[:3]
    assert round(sum(map(float, wordings)), 1) == float(shares[2][:-1])


def test_it_names_sources_pages_hash_settings_and_version():
    mine = document("mine.txt", OWN, RIVER, MARKET, page_chars=400)
    found = view(document("first.docx", RIVER, page_chars=150), document("b.txt", MARKET), of=mine)
    said = text(pdf_of(found))
    for told in ("first.docx", "b.txt", "page 1", found.document.sha256, found.made.version):
        assert told in said
    assert "1 March 2026, 09:05 UTC" in said and "length of a shingle" in said


def test_what_could_not_be_checked_is_told():
    found = lw.check(document("mine.txt", OWN), [document("a", RIVER)])
    note = Note("not read in full", Message.verbatim("Page 3 could not be read."))
    found = replace(
        found, unread=(Unread("broken.pdf", Message.verbatim("no PDF")),), notes=(("b.docx", note),)
    )
    said = text(pdf_of(view_of_check(found, DATE)))
    for told in ("broken.pdf", "no PDF", "b.docx", "Page 3 could not be read."):
        assert told in said


def test_disguises_are_told_and_their_places_marked():
    note = Note(
        "hidden text",
        Message.verbatim("9 words of white text; they were not compared"),
        (Span(0, 40),),
    )
    mine = replace(document("mine.txt", OWN, RIVER), notes=(note,))
    said = text(pdf_of(view(document("a", RIVER), of=mine)))
    assert "9 words of white text" in said and "the places are marked" in said
    assert said.count("Tricks and disguises") == 2  # a section, and in the legend of the text
    assert OWN in said


def test_nothing_in_common_is_a_report_too():
    said = text(pdf_of(view(document("a", RIVER), of=document("own", OWN))))
    assert "No text in common was found." in said and "100.0%" in said


def test_a_text_of_a_few_words_is_too_short_and_never_original():
    said = text(pdf_of(view(document("a", RIVER), of=document("one line", "Just one line."))))
    assert Words("en")("verdict.too_short") in said and "Just one line." in said
    assert "100.0%" not in said


@pytest.mark.parametrize("nothing", ["", "\n", " \t\n\n "])
def test_a_document_without_words_is_a_report_too(nothing):
    assert Words("en")("verdict.empty") in text(pdf_of(view(of=document("none", nothing))))


def test_without_anything_to_compare_with_there_are_no_figures():
    said = text(pdf_of(view(of=document("mine.txt", RIVER))))
    assert "There was nothing to compare with." in said
    assert "100.0%" not in said and "– original – similar" in said


def test_documents_without_anything_in_common_have_no_short_runs_either():
    found = lw.compare(document("a.txt", OWN), document("b.txt", MARKET))
    said = text(pdf_of(view_of_pair(found, DATE)))
    assert "No text in common was found." in said
    assert Words("en")("sources.fragments_only") not in said


def test_passages_have_the_numbers_of_the_view():
    found = view(document("a", RIVER), document("b", edited(MARKET)))
    (passage,) = (p for p in found.passages if p.number == 2)
    said = text(pdf_of(replace(found, passages=(passage,))))
    assert "Passage 2" in said and "Passage 1" not in said


def test_passages_of_sources_that_add_nothing_are_told_in_one_line():
    mine = document("mine.txt", OWN, RIVER)
    said = text(pdf_of(view(document("whole.txt", RIVER), document("part.txt", RIVER), of=mine)))
    assert said.count(RIVER) == 3  # in the text, and once side by side
    assert Words("en")("paper.under_in_a_line") in said and "Passage 2 · 2. " in said


def test_a_source_that_is_the_document_itself_is_called_so():
    mine = document("mine.txt", OWN, RIVER)
    copy = document("copy.txt", OWN, RIVER)
    assert "the same text as the checked one" in text(pdf_of(view(copy, of=mine)))
    file = replace(mine, sha256="0" * 64)
    same = text(pdf_of(view(replace(copy, sha256="0" * 64), of=file)))
    assert "the same file as the checked one" in same
    assert "the same" not in text(pdf_of(view(document("a", RIVER), of=mine)))


def test_long_names_can_be_copied_whole():
    name = "диссертация_окончательная_версия_" * 6 + ".docx"
    made = pdf_of(view(document(f"a{name}", RIVER), of=document(name, OWN, RIVER)))
    with pypdfium2.PdfDocument(made) as pdf:
        told = pdf.get_metadata_dict()["Title"]
    said = " ".join(pages(made))
    assert told.endswith(name) and "\u200b" not in said + told
    assert f"a{name}" in "".join(said.split())


@pytest.mark.parametrize("language", LANGUAGES)
def test_how_pairs_were_looked_for_is_told_in_the_language(language):
    essays = [document("a.txt", RIVER, OWN), document("b.txt", RIVER, OWN)]
    for method in ("exact", "lsh"):
        found = view_of_matches(lw.find(essays, threshold=0.2, method=method), DATE)
        assert Words(language)(f"method.{method}") in text(pdf_of(found, language))


def test_what_was_counted_otherwise_is_told():
    found = view(document("a", RIVER))
    counting = {"min_words": 12, "keep_quotations": True, "templates": ["form.docx"]}
    said = text(pdf_of(replace(found, made=replace(found.made, counting=counting))))
    for told in (
        "in words 12",
        "quotations counted yes",
        "texts of the assignment, excluded form.docx",
    ):
        assert told in said


def test_markup_is_only_text():
    hostile = '#panic("x") $ \\ *b* _i_ <label> @ref `raw` // gone /* gone */ #import "a": b = ] }'
    mine = document(f"{hostile}.txt", hostile, RIVER)
    said = text(pdf_of(view(document(hostile, hostile, RIVER), of=mine)))
    assert said.count(hostile) >= 4


def test_controls_and_marks_that_turn_the_text_become_visible_signs():
    mine = document("gpj\u202etxt.exe", "a\x00b\x1b[31m\u202egnol.", RIVER)
    said = text(pdf_of(view(document("\udcff.txt", RIVER), of=mine)))
    assert "gpj\ufffdtxt.exe" in said and "\ufffd.txt" in said and "\u202e" not in said
    assert "a\ufffdb\ufffd[31m\ufffdgnol." in said


def test_what_no_font_draws_is_told():
    mine = document("mine.txt", "😀 and 漢字 begin.", RIVER)
    said = text(pdf_of(view(document("a", RIVER), of=mine)))
    assert all(f"U+{ord(each):X}" in said for each in "😀漢字")


def test_the_fonts_draw_every_kazakh_and_russian_letter():
    letters = "аәбвгғдеёжзийкқлмнңоөпрстуұүфхһцчшщъыіьэюя"
    assert missing_glyphs(letters + letters.upper() + "№«»“”„–—…₸₽€·•°§") == []


def test_every_page_can_be_archived_where_all_can_be_drawn():
    archivable = b"pdfaid:part"
    assert archivable in pdf_of(view(document("a", RIVER)))
    assert archivable not in pdf_of(view(document("漢字.txt", RIVER)))


def test_text_from_right_to_left_is_there():
    arabic = "ذهب الولد إلى السوق في الصباح الباكر"
    hebrew = "הילד הלך לשוק מוקדם בבוקר"
    said = text(pdf_of(view(document("a", RIVER), of=document("m", arabic, hebrew, RIVER))))
    assert set(hebrew.split()) <= set(said.split())
    assert "السوق" in said


def test_long_names_stay_on_the_page():
    name = "x" * 296 + ".txt"
    with pypdfium2.PdfDocument(
        pdf_of(view(document(name, RIVER), of=document(name, RIVER, OWN)))
    ) as pdf:
        for page in pdf:
            said = page.get_textpage()
            boxes = (said.get_charbox(i) for i in range(said.count_chars()))
            assert all(left >= 0 and right <= page.get_width() for left, _, right, _ in boxes)


def test_long_passages_lose_their_middle_and_say_so():
    mine = document("mine.txt", OWN, RIVER, MARKET, KAZAKH, RUSSIAN)
    said = text(pdf_of(view(document("a", RIVER, MARKET, KAZAKH, RUSSIAN), of=mine)))
    assert "characters not shown" in said


def test_many_passages_are_cut_to_the_longest_and_it_is_told():
    found = view(document("a", RIVER))
    (passage,) = (p for p in found.passages if p.counts)
    many = replace(found, passages=(passage,) * (MOST_PASSAGES + 1))
    said = text(pdf_of(many))
    assert f"The {MOST_PASSAGES} longest of {MOST_PASSAGES + 1} passages" in said


def test_the_same_view_gives_the_same_bytes(tmp_path):
    found = view(document("a", RIVER))
    write_pdf(found, tmp_path / "a.pdf", "kk")
    assert (tmp_path / "a.pdf").read_bytes() == pdf_of(found, "kk")
    with pypdfium2.PdfDocument(tmp_path / "a.pdf") as pdf:
        told = pdf.get_metadata_dict()
    assert "mine.txt" in told["Title"] and told["CreationDate"].startswith("D:20260301090559")


def test_two_documents_against_each_other():
    found = lw.compare(document("a.txt", OWN, RIVER), document("b.txt", RIVER))
    said = text(pdf_of(view_of_pair(found, DATE)))
    assert "Comparison of two documents" in said and "of b.txt stands in this document" in said


def test_a_collection_with_its_pairs_clusters_and_passages():
    essays = [
        document("a.txt", RIVER, OWN),
        document("b.txt", edited(RIVER), OWN),
        document("c.txt", MARKET),
    ]
    made = pdf_of(view_of_matches(lw.find(essays, threshold=0.2), DATE))
    said = text(made)
    assert "1 pair, 1 cluster" in said and "a.txt, b.txt" in said
    assert {"Pairs", "Clusters", "Passages"} <= set(outline(made))
    assert "3 documents" in said and said.count("herons stand in the pools") >= 2


def test_a_collection_without_pairs():
    found = lw.find([document("a", RIVER), document("b", MARKET)], threshold=0.5)
    assert "No two documents reach the threshold." in text(pdf_of(view_of_matches(found, DATE)))
