"""What every format says in one sentence: never more than is known."""

from dataclasses import replace

import pytest

import likewise as lw
from likewise.align import without
from likewise.catalogue import LANGUAGES, Words
from likewise.model import Exclusion, Picture, Source, Span
from likewise.report import view_of_check, view_of_pair
from likewise.report.figures import verdict_key
from likewise.report.paper import paper_of
from likewise.report.paper.blocks import Paragraph
from likewise.report.paper.check import shares_bar
from likewise.report.paper.sentences import copied_figures, verdict, verdict_of_b
from likewise.report.view import SharesView

from .table_views import RIVERS, table
from .texts import MARKET, OWN, RIVER, document, edited

EN = Words("en")


def test_without_anything_to_compare_with_there_are_no_figures():
    view = view_of_check(lw.check(document("a", RIVER), []))
    assert verdict(view, EN) == "There was nothing to compare with."
    assert {(said, share) for _, _, said, share in shares_bar(view, EN).parts} == {("–", 0)}


@pytest.mark.parametrize("text", ["", " \n "])
def test_without_a_text_there_are_no_figures(text):
    view = view_of_check(lw.check(document("a", text), [document("b", RIVER)]))
    assert verdict(view, EN) == EN("verdict.empty")
    assert {said for _, _, said, _ in shares_bar(view, EN).parts} == {"–"}


def test_after_everything_is_taken_out_it_is_told_that_something_was_found():
    found = lw.check(document("a", OWN, RIVER), [document("b", RIVER)])
    view = view_of_check(without(found, sources=["b"]))
    assert verdict(view, EN) == EN("verdict.only_uncounted")
    assert shares_bar(view, EN).parts[0][2] == "100.0%"


@pytest.mark.parametrize(
    ("language", "less", "more"),
    [
        ("en", "less than 0.1%", "more than 99.9%"),
        ("ru", "менее 0,1\u00a0%", "более 99,9\u00a0%"),
        ("kk", "0,1\u00a0%-дан аз", "99,9\u00a0%-дан көп"),
    ],
)
def test_a_sentence_says_neither_none_of_some_nor_all_of_nearly_all(language, less, more):
    words = Words(language)
    assert words.in_a_sentence(0, 3, 10_000) == less
    assert words.in_a_sentence(1000, 9_997, 10_000) == more
    assert words.in_a_sentence(0, 0, 10_000) == words.percent(0)
    assert words.in_a_sentence(1000, 10_000, 10_000) == words.percent(1000)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_verdict_says_so(language):
    words = Words(language)
    found = lw.check(document("a", OWN, RIVER), [document("b", RIVER)])
    view = view_of_check(found)
    for similar, key in ((1, "share.less"), (99_999, "share.more")):
        shares = SharesView(100_000, 100_000 - similar, similar, 0, 0)
        told = verdict(replace(view, shares=shares), words)
        assert words(key, share=words.percent(1 if similar == 1 else 999)) in told


@pytest.mark.parametrize(
    ("similar", "key"),
    [
        *((1, "little"), (49, "little"), (50, "some"), (249, "some"), (250, "much")),
        *((499, "much"), (500, "most"), (790, "most"), (949, "most"), (950, "nearly_all")),
        *((999, "nearly_all"), (1000, "all")),
    ],
)
def test_the_sentence_fits_its_figure(similar, key):
    shares = SharesView(1000, 1000 - similar, similar, 0, 0)
    assert verdict_key(shares, 1, 0) == key
    assert all(Words(language).has(f"verdict.{key}") for language in LANGUAGES)


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "1 table stands in a source. 3 pictures stand in a source."),
        ("ru", "1 таблица документа есть в источнике. 3 рисунка документа есть в источниках."),
        ("kk", "Дереккөздерде бар кестелер: 1. Дереккөздерде бар суреттер: 3."),
    ],
)
def test_the_head_tells_of_copied_tables_and_pictures_where_no_text_is_shared(language, told):
    def picture(hash: int, page: int, start: int) -> Picture:
        return Picture(Span(start, start), hash, 640, 480, page)

    coat_of_arms, rest = 0xF0F0F0F0F0F0F0F0, (0x0123456789ABCDEF, 0xFFFF0000FFFF0000, 0x3C3C)
    own = document("a", OWN)
    mine = replace(
        own,
        tables=(table(RIVERS, "Rivers", 1),),
        pictures=(picture(coat_of_arms, 1, 3), *(picture(h, 2, 90 + h % 7) for h in rest)),
    )
    other = replace(
        document("b", RIVER),
        tables=(table(RIVERS, "Long rivers", 1),),
        pictures=tuple(picture(h, 1, 0) for h in (coat_of_arms, *rest)),
    )
    check = lw.check(mine, [other])
    source = Source("b", (), (), 0.0, 0.0, ())
    title_page = Exclusion(Span(0, 9), "title page")
    check = replace(check, sources=(source,), texts={"b": other}, exclusions=(title_page,))
    view = view_of_check(check)
    assert (view.copied_tables, view.copied_pictures) == (1, 3)
    assert len(view.sources[0].pictures) == 3
    words = Words(language)
    assert copied_figures(view, words) == told
    said = [b.text for b in paper_of(view, words).sections[0].blocks if isinstance(b, Paragraph)]
    assert said[:2] == [verdict(view, words), told]
    assert copied_figures(view_of_check(lw.check(own, [document("b", RIVER)])), words) == ""


def test_of_two_documents_both_shares_count_visible_characters():
    other = document("b", MARKET, edited(RIVER))
    view = view_of_pair(lw.compare(document("a", OWN, RIVER), other))
    share = len("".join(edited(RIVER).split())) / len("".join(other.text.split()))
    assert verdict_of_b(view, EN) == f"{EN.share(share)} of b stands in this document."


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "9 May 2026, 07:08 UTC"),
        ("ru", "9 мая 2026 года, 07:08 UTC"),
        ("kk", "2026 жылғы 9 мамыр, 07:08 UTC"),
    ],
)
def test_a_moment_is_said_in_the_words_of_the_language(language, said):
    assert Words(language).day_and_time("2026-05-09T07:08:59Z") == said
