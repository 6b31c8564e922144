"""Cases are in tests/files/exclude: a name a case, and ⟦…⟧ around what is to be excluded."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.align.exclude import ORDER, Exclusions, exclude
from likewise.model import Document, Page, Span

CASES = Path(__file__).parent.parent / "files" / "exclude"
REASONS = {
    "quotations": "quotation",
    "bibliography": "bibliography",
    "contents": "contents",
    "title": "title page",
}


def cases(kind: str, language: str) -> dict[str, str]:
    text = (CASES / f"{kind}-{language}.txt").read_text("utf-8")
    return dict(
        case.split("\n", 1) for case in re.split(r"^=== ", text, flags=re.MULTILINE) if case.strip()
    )


def every_case():
    for kind in REASONS:
        for language in ("en", "ru", "kk"):
            for name, marked in cases(kind, language).items():
                yield pytest.param(kind, marked, id=f"{kind}-{language}: {name}")


def unmarked(text: str) -> str:
    return text.translate({ord("⟦"): None, ord("⟧"): None})


@pytest.mark.parametrize(("kind", "marked"), list(every_case()))
def test_what_is_marked_is_excluded_and_nothing_else(kind, marked):
    text = unmarked(marked)
    found = [
        (exclusion.reason, exclusion.span.of(text))
        for exclusion in exclude(Document.from_text(text), Exclusions(listings=False))
        if exclusion.reason == REASONS[kind] or "⟦" not in marked
    ]
    expected = [unmarked(part) for part in re.findall(r"⟦(.*?)⟧", marked, re.DOTALL)]
    assert found == [(REASONS[kind], part) for part in expected]


@pytest.mark.parametrize("language", ["en", "ru", "kk"])
@pytest.mark.parametrize("kind", REASONS)
def test_every_kind_has_its_cases_in_every_language(kind, language):
    texts = cases(kind, language).values()
    assert sum("⟦" in text for text in texts) >= 5
    assert sum("⟦" not in text for text in texts) >= 5


THESIS = """Steppe University
Department of History
Essay
Nine days of ice
Submitted by: Lew Moss
Almaty 2023

Contents
Introduction ........ 3
Ice ................. 5
References .......... 9

Introduction
Harlow writes: “the bridge was closed for nine days because of the ice” [1]. We believe him.
Ice
The council met on each of these days and agreed on nothing.

References
1. Harlow E. “Ice on the bridge and on the river of the steppe” (2011). London: Shore, 2011. 12 p.
2. Finch R. Walnuts // Journal of Trees. 2014. Vol. 3. P. 15-27.
"""


def reasons(text, which=None, **more):
    document = Document.from_text(text)
    found = exclude(document, which, **more) if which else exclude(document, **more)
    return [exclusion.reason for exclusion in found]


def test_a_whole_work_has_all_of_them_in_the_order_of_the_text():
    assert reasons(THESIS) == ["title page", "contents", "quotation", "bibliography"]


@pytest.mark.parametrize(
    ("switch", "reason"),
    [
        ("title_page", "title page"),
        ("contents", "contents"),
        ("quotations", "quotation"),
        ("bibliography", "bibliography"),
    ],
)
def test_each_can_be_switched_off_and_the_others_stay(switch, reason):
    kept = [other for other in reasons(THESIS) if other != reason]
    assert reasons(THESIS, Exclusions(**{switch: False})) == kept


def test_details_tell_the_citation_the_heading_and_the_number_of_entries():
    details = {found.reason: str(found.detail) for found in exclude(Document.from_text(THESIS))}
    assert details["quotation"] == "[1]"
    assert details["bibliography"] == "References"
    assert details["contents"] == "3 entries"
    assert details["title page"].startswith("institution, kind of work, people")


def on_two_pages(first: str, second: str) -> Document:
    text = first + second
    pages = (Page(1, Span(0, len(first))), Page(2, Span(len(first), len(text))))
    return Document("a", text, pages=pages)


def test_the_first_page_ends_the_title_page_where_pages_are_known():
    first, second = (
        "Steppe University\nEssay, group W-12\nNine days of ice\nLew Moss\n",
        "It was cold.",
    )
    (found,) = exclude(on_two_pages(first, second))
    assert found.span.of(first) == first.strip()
    assert exclude(Document.from_text(first + second)) == ()  # too little to tell where it ends


def test_a_short_first_page_is_no_title_page_for_being_short():
    assert exclude(on_two_pages("Wells\nof the steppe\nand of the town\n2023\n", "Cold.")) == ()


def test_a_first_page_full_of_text_is_no_title_page():
    text = "Steppe University\nEssay\nStudent: Lew Moss\n2023\n" + "Ice and wind.\n" * 90
    pages = (Page(1, Span(0, len(text))),)
    found = exclude(Document("a", text, pages=pages))
    assert [exclusion.span.of(text)[-4:] for exclusion in found] == ["2023"]


def test_what_reading_left_out_is_not_looked_at():
    text = "He wrote: “the bridge was closed for nine days” [1]. It was cold."
    hidden = text.index("[1]")
    left_out = ((Span(hidden, hidden + 3), "hidden text"),)
    assert len(exclude(Document("a", text))) == 1
    assert exclude(Document("a", text, left_out=left_out)) == ()


def test_offsets_are_code_points_also_beside_astral_characters():
    text = "🜨𝔸 𐐷 “the bridge was closed for nine days” [1] 🜨"
    (found,) = exclude(Document.from_text(text))
    assert found.span.of(text) == "“the bridge was closed for nine days”"


@pytest.mark.parametrize(
    "text", ["", " ", "\n\f\n", "word", "«", "[1]", "References", "Contents\n1"]
)
def test_next_to_nothing_has_no_exclusions(text):
    assert exclude(Document.from_text(text)) == ()


def test_lines_may_end_as_on_any_system():
    for end in ("\n", "\r\n", "\r", "\u2028"):
        assert reasons(THESIS.replace("\n", end)) == reasons(THESIS)


PARTS = [
    "“the bridge was closed for nine days” ",
    "«мост был закрыт девять дней из-за льда» ",
    "[1] ",
    "(Лужин, 2011) ",
    "\n",
    "\n\n",
    "Contents\n",
    "Введение ........ 3\n",
    "Ice .... 7\n",
    "Список литературы\n",
    "1. Лужин А. П. Вода и люди. – М.: Берег, 2011. – 240 с.\n",
    "Университет\nРеферат\nВыполнил: Лужин\nАлматы 2023\n",
    "Колодцы в городе старые, и никто не знает, кто их выкопал. ",
    "> Ice and wind and ice and wind and ice and wind and ice and wind [4]\n",
    "\f",
    "«",
    "”",
    "𝔸",
]


@given(st.lists(st.sampled_from(PARTS), max_size=40).map("".join))
def test_exclusions_are_sorted_disjoint_and_never_blank(text):
    template = Document.from_text("Колодцы в городе старые, и никто не знает, кто их выкопал.")
    found = exclude(Document.from_text(text), templates=[template])
    for exclusion in found:
        said = exclusion.span.of(text)
        assert said == said.strip() and any(map(str.isalnum, said))
        assert exclusion.reason in ORDER
    assert all(a.span.end <= b.span.start for a, b in pairwise(found))


@given(st.text(alphabet="«»“”\"'‘’[]()0123456789.… \n—>AaБб", max_size=200))
def test_any_text_can_be_read(text):
    exclude(Document.from_text(text))


QUARTER = 250_000  # characters


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "«",
            "«» ",
            '"',
            ' "a b c d e f" ',
            " 'a",
            "'",
            "> ",
            "[",
            "[1] ",
            "(Lee, ",
            ".",
            ". ",
            "… ",
        ),
        *(
            "a .... 1\n",
            "References\n",
            "Contents\na 3\n",
            "1. Lee K. 1999\n",
            "A. ",
            "Aa Aa, ",
            "1-",
        ),
    ],
)
@pytest.mark.slow
def test_time_grows_with_the_length_of_the_text_whatever_it_is(piece):
    text = piece * (QUARTER // len(piece))
    exclude(Document.from_text(text))  # by a square law this would take minutes


def test_a_thesis_of_three_hundred_pages_takes_a_moment():
    paragraph = (
        "Колодцы в городе старые, и никто не знает, кто их выкопал в 1995 году. Лужин пишет: «вода "
        "в них стояла зимой и летом на одной отметке» [12, с. 3], и мы ему верим.\n"
    )
    text = (
        THESIS
        + paragraph * (800_000 // len(paragraph))
        + "Литература\n"
        + "Лужин А. М., 1999.\n" * 300
    )
    found = exclude(Document.from_text(text))
    assert len(found) > 4_000
