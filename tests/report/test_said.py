"""What readers say is understood and said in every language: every sentence that code can say."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from itertools import product

import pytest

import likewise as lw
from likewise.align import without
from likewise.model import Note, Span, Unread
from likewise.reading.draft import WAYS_TO_HIDE
from likewise.report import view_of_check, view_of_matches
from likewise.report.catalogue import LANGUAGES, Words, messages
from likewise.report.paper import paper_of
from likewise.report.paper.blocks import Paragraph, Table
from likewise.report.said import said, spoken
from likewise.report.view import CheckView, Said, View, plain

from .sentences import HOLE, sentences
from .texts import MARKET, OWN, RIVER, document

# What may stand in the holes of a sentence.
FILLINGS = (
    *("3", "3%", "page", "comment", "embedded file", "piece", "deletion", "Page 3"),
    *("Page 3 has", "3 words", "3 runs", "3 deletions", "x"),
)
# Code can put them together, and never does or never in a report.
NEVER_SAID = re.compile(
    "undone where possible; it could not be undone"  # it is one or the other
    "|(?<!possible); in others characters are lost"
    "|; ids must differ"  # stops the program
    "|^no text layer$"  # a kind of note, with a sentence of its own
)
SYSTEM = {"denied", "no_file", "disk", "name_too_long", "link_loop"}  # as the system says them

SAMPLES = {
    "pages 1-3, 7 were read from a picture, with a mean confidence of 87 %": (
        "страницы 1–3, 7: текст распознан по изображению, средняя уверенность 87\u00a0%",
        "беттер 1–3, 7: мәтін суреттен танылды, орташа сенімділік 87\u00a0%",
    ),
    "picture 4 was searched for text, and none was found": (
        "рисунок 4: текст искали, но не нашли",
        "4-сурет: мәтін ізделді, бірақ табылмады",
    ),
    "21 words with invisible characters inside; compared without them": (
        "21 слово с невидимыми знаками внутри; сравнивалось без них",
        "ішінде көрінбейтін таңбалары бар 21 сөз; оларсыз салыстырылды",
    ),
    "1,234 words of white text; they were not compared": (
        "скрыто 1\u00a0234 слова (белый текст); они не сравнивались",
        "1\u00a0234 сөз жасырылған (ақ мәтін); олар салыстырылмады",
    ),
    "nothing to compare: no words in it that count (Pages 1-20, 22 and 5 more have no text layer "
    "or hardly any: what can be seen there was not compared.)": (
        "сравнивать нечего: нет слов, которые учитываются (Страницы 1–20, 22 и ещё 5: текстового "
        "слоя нет или почти нет; то, что видно на странице, не сравнивалось.)",
        "салыстыратын ештеңе жоқ: есепке алынатын сөз жоқ (Беттер 1–20, 22 және тағы 5: мәтін "
        "қабаты жоқ немесе жоқтың қасы; бетте көрінетін мәтін салыстырылмады.)",
    ),
    "It declares cp1251, but its bytes are koi8-r. The encoding is probably koi8-r, but cp866 is "
    "nearly as likely: check that the text reads well. 1 character is damaged: not valid in "
    "koi8-r.": (
        "В файле указана кодировка cp1251, но его байты соответствуют koi8-r. Вероятная кодировка "
        "koi8-r, но cp866 почти столь же вероятна: проверьте, что текст читается. 1 знак повреждён:"
        " он недопустим в koi8-r.",
        "Файлда cp1251 кодировкасы көрсетілген, бірақ байттары koi8-r кодировкасында. Кодировкасы "
        "koi8-r болуы ықтимал, бірақ cp866 де соған жуық: мәтіннің дұрыс оқылатынын тексеріңіз. "
        "1 таңба бүлінген: koi8-r кодировкасында мұндай таңба жоқ.",
    ),
    "the file is damaged (word/document.xml, the file, its table of contents is missing and 2 "
    "more); text may be missing": (
        "файл повреждён (word/document.xml, сам файл, нет оглавления пакета и ещё 2); часть текста "
        "могла быть утрачена",
        "файл бүлінген (word/document.xml, файлдың өзі, пакет мазмұны жоқ және тағы 2); мәтіннің "
        "бір бөлігі жоғалуы мүмкін",
    ),
    "the sheet Баға {n} <b> is hidden; it was read": (
        "лист «Баға {n} <b>» скрыт; он прочитан",
        "«Баға {n} <b>» парағы жасырылған; ол оқылды",
    ),
    "Permission denied": ("нет прав на чтение", "оқуға рұқсат жоқ"),
}
# In their places stand words that only a value brings.
OTHERS = (
    "page 3 was given up: recognition took too long",
    "pictures 3-4 were given up: recognition took too long",
    "Page 3 has no text layer or hardly any: what can be seen there was not compared.",
    "Pages 3-4 could not be read.",
    "3 files are attached to it; what is attached was not read.",
    "the file is damaged (the list of its pieces); text may be missing",
    "The file is damaged; what is left of it was read (its beginning or end is missing).",
    'no field "text", only b, c and 3 more; name the right one with --text',
    *(f"3 words of {way}; they were not compared" for way in sorted(WAYS_TO_HIDE)),
    *(f"not a JSON object but {kind}; one a line" for kind in ("a boolean", "a list", "a number")),
    'the field "text" holds an object, not a string',
    'the field "id" holds null, not a string or a whole number',
    'no field "text", only no field at all; name the right one with --text',
    "not text in UTF-8 (UTF-16); convert it first",
    "not text in UTF-8 (byte 3 is not); convert it first",
    "not text but binary content (it has zero bytes)",
    "it could not be read (unexpected ValueError)",
    *("its certificate is not valid", "no secure connection could be made"),
    *("it refuses connections", "it cannot be reached; is there a network?"),
    "no connection could be made",
    "the site asked to come back later; try again in some time",
)


@cache
def ways_to_say(sentence: str) -> tuple[str, ...]:
    """The sentence with its holes filled, where it is understood so."""
    parts = sentence.split(HOLE)
    found = []
    for filling in product(FILLINGS, repeat=len(parts) - 1):
        filled = "".join(map("".join, zip(parts, (*filling, ""), strict=True)))
        if said(filled):
            found.append(filled)
    return tuple(found)


def keys(known: Said) -> set[str]:
    """Every key that a sentence is told by."""

    def inside(value: object) -> set[str]:
        if isinstance(value, Said):
            return keys(value)
        return (
            {key for each in value for key in inside(each)} if isinstance(value, tuple) else set()
        )

    found = {known.key} | {key for value in known.values.values() for key in inside(value)}
    return found | (keys(known.then) if known.then else set())


def test_every_sentence_that_readers_can_say_is_understood():
    told = {each for each in sentences() if not NEVER_SAID.search(each)}
    assert len(told) > 150  # the search itself works
    assert sorted(each for each in told if not ways_to_say(each)) == []


def test_no_sentence_is_translated_that_nobody_says():
    filled = {filled for each in sentences() for filled in ways_to_say(each)}
    told = [said(each) for each in (*filled, *SAMPLES, *OTHERS)]
    heard = {key for known in told if known for key in keys(known)}
    heard |= {f"said.{name}" for name in SYSTEM}
    assert {key for key in messages("en") if key.startswith("said.")} - heard == set()


@pytest.mark.parametrize("sentence", [*SAMPLES, *OTHERS])
def test_a_sentence_is_said_again_in_english_as_it_was(sentence):
    def plainly(text: str) -> str:
        return text.replace("–", "-")

    assert plainly(spoken(sentence, said(sentence), Words("en"))) == sentence


@pytest.mark.parametrize("sentence", SAMPLES)
def test_a_sentence_keeps_its_figures_and_names_in_other_languages(sentence):
    ru, kk = (spoken(sentence, said(sentence), Words(each)) for each in ("ru", "kk"))
    assert (ru, kk) == SAMPLES[sentence]


@pytest.mark.parametrize("language", ["ru", "kk"])
def test_nothing_of_a_sentence_is_left_in_english(language):
    words = Words(language)
    for each in OTHERS:
        told = spoken(each, said(each), words)
        assert not re.search(r"\b(the|is|was|were|not|of|a|and)\b", told), told


def test_a_sentence_that_nobody_knows_stays_as_it_is():
    assert said("the moon is full") is None
    assert spoken("the moon is full", None, Words("kk")) == "the moon is full"


def test_what_is_known_is_plain_for_json():
    known = said("nothing to compare: no words in it that count (the file is empty)")
    assert plain(known) == {
        "key": "said.no_words_why",
        "values": {"why": {"key": "said.empty_file", "values": {}, "then": None}},
        "then": None,
    }


# In reports

HIDDEN = Note("hidden text", "12 words of white text; they were not compared", (Span(4, 9),))
SHAPES = Note(
    "text in shapes", "90 of 120 words stand in shapes; they were compared", (Span(4, 9),)
)
LETTERS = Note(
    "foreign letters",
    "3 words with letters of another alphabet that look like its own; compared as repaired",
)
SCAN = Note(
    "low confidence",
    "page 2 was not read: handwriting, print too faint or too small, or no text at all",
)


def checked(*own: Note, **how) -> CheckView:
    """A document with notes against a source and another document, both with disguises."""
    mine = replace(document("mine.pdf", OWN, RIVER, MARKET), notes=own)
    others = [
        replace(document("river.pdf", RIVER), notes=(LETTERS,)),
        replace(document("market.pdf", MARKET), notes=()),
        replace(document("zebra.pdf", "Nothing of it stands elsewhere."), notes=(LETTERS,)),
    ]
    found = lw.check(mine, others, **how)
    return view_of_check(
        replace(found, unread=(Unread("old.rar", "a RAR archive; unpack it first"),))
    )


def on_paper(view: View, heading: str, language: str = "en") -> str:
    """What a section of a report on paper says."""
    words = Words(language)
    (section,) = (each for each in paper_of(view, words).sections if each.heading == words(heading))
    said = []
    for block in section.blocks:
        if isinstance(block, Paragraph):
            said.append(block.text)
        if isinstance(block, Table):
            said += [" | ".join(row) for row in block.rows]
    return "\n".join(said)


def on_page(page, heading: str) -> str:
    return page.inner_text(f"section[aria-labelledby={heading}]")


@pytest.mark.parametrize("language", LANGUAGES)
def test_reports_tell_what_readers_said_in_their_language(open_page, language):
    view, words = checked(HIDDEN, SCAN), Words(language)
    page = open_page(view, language)
    for told in (on_paper(view, "unchecked.heading", language), on_page(page, "unchecked")):
        assert words("said.archive", kind="RAR") in told
        assert words("said.page_was", list="2") in told
    for told in (on_paper(view, "tricks.heading", language), on_page(page, "tricks")):
        assert words("said.hidden", n=12, way=words("said.white")) in told
    if language != "en":
        assert page.locator("[lang=en] bdi").count() == 0


def test_a_sentence_that_nobody_knows_is_marked_as_english(open_page):
    view = checked(Note("damaged", "the moon fell into it"))
    page = open_page(view, "kk")
    assert page.inner_text("#unchecked ~ ul [lang=en]") == "the moon fell into it"
    assert "the moon fell into it" in on_paper(view, "unchecked.heading", "kk")


def test_disguises_of_the_document_come_first_then_its_sources_and_others_are_counted(
    open_page, picture
):
    view = checked(HIDDEN)
    page = open_page(view)
    told = on_page(page, "tricks")
    assert told.index("In this document") < told.index("Hidden text") < told.index("river.pdf")
    assert "zebra.pdf" not in told
    page.click("section[aria-labelledby=tricks] summary")
    assert "zebra.pdf" in on_page(page, "tricks")
    page.locator("#tricks").scroll_into_view_if_needed()
    picture(page)
    paper = on_paper(view, "tricks.heading")
    assert paper.index("Hidden text") < paper.index("river.pdf")
    assert "And in 1 other document that was compared" in paper and "zebra.pdf" not in paper


def test_that_the_document_holds_none_is_said(open_page):
    view = checked()
    assert on_paper(view, "tricks.heading").startswith("In this document: none found.")
    page = open_page(view)
    assert "In this document: none found." in on_page(page, "tricks")
    assert "disguise" not in on_page(page, "verdict")
    assert "disguise" not in on_paper(view, "verdict.heading")


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "The document holds 2 kinds of disguises: see below."),
        ("ru", "В документе обнаружены 2 приёма маскировки, см. ниже."),
        ("kk", "Құжатта бүркемелеудің 2 тәсілі табылды, төменде көрсетілген."),
    ],
)
def test_the_verdict_warns_of_disguises(open_page, language, told):
    view = checked(HIDDEN, HIDDEN, SHAPES)
    assert told in on_page(open_page(view, language), "verdict")
    assert told in on_paper(view, "verdict.heading", language)


@pytest.mark.parametrize(("note", "is_mended"), [(HIDDEN, True), (SHAPES, False), (LETTERS, False)])
def test_that_something_was_repaired_is_said_where_it_was_and_is_marked(open_page, note, is_mended):
    view, told = checked(note), Words("en")("tricks.explained")
    assert (told in on_paper(view, "tricks.heading")) == is_mended
    assert (told in on_page(open_page(view), "tricks")) == is_mended


def test_what_was_skipped_or_taken_out_is_not_passed_over(open_page):
    mine = document("mine.txt", OWN, RIVER)
    found = lw.check(mine, [document("river.txt", RIVER), document("mine-2.txt", OWN)])
    everything = Words("en")("unchecked.nothing")
    assert everything in on_paper(view_of_check(found), "unchecked.heading")
    for fewer, heading in (
        (replace(found, skipped=("river.txt",)), "Not compared, as asked"),
        (without(found, sources=["river.txt"]), "Excluded by the reader"),
    ):
        view = view_of_check(fewer)
        for told in (on_paper(view, "unchecked.heading"), on_page(open_page(view), "unchecked")):
            assert heading in told and "river.txt" in told and everything not in told


def test_a_source_taken_out_on_the_page_is_told_too(open_page):
    mine = document("mine.txt", OWN, RIVER)
    page = open_page(view_of_check(lw.check(mine, [document("river.txt", RIVER)])))
    assert Words("en")("unchecked.nothing") in on_page(page, "unchecked")
    page.click("text=Exclude this source")
    assert "river.txt" in on_page(page, "unchecked")


def test_the_verdict_tells_what_a_reader_excluded_and_what_there_was_before(open_page):
    mine = document("mine.txt", RIVER, MARKET)
    found = lw.check(mine, [document("river.txt", RIVER), document("market.txt", MARKET)])
    start = mine.text.index(MARKET)
    fewer = without(found, sources=["river.txt"], spans=[Span(start, start + len(MARKET))])
    view = view_of_check(fewer)
    assert view.shares_before == view_of_check(found).shares
    told = "The reader excluded: 1 source, 1 passage. Before: 100.0% similar."
    assert told in on_page(open_page(view), "verdict")
    assert told in on_paper(view, "verdict.heading")
    assert "The reader" not in on_paper(view_of_check(found), "verdict.heading")


def test_that_the_internet_was_not_searched_is_said_of_checks_alone(open_page):
    told = Words("en")("unchecked.internet")
    view = checked()
    collection = view_of_matches(lw.find([document("a", RIVER), document("b", RIVER)]))
    assert told in on_paper(view, "unchecked.heading")
    assert told not in on_paper(collection, "unchecked.heading")
    assert told not in on_page(open_page(collection), "unchecked")
