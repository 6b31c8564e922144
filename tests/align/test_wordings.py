"""Similar text by its wording: word for word, reworded, translated; each character once."""

from dataclasses import replace
from itertools import combinations
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

import likewise as lw
from likewise.align import Alignment, CountedText, unchanged_words, without, wordings_of
from likewise.errors import BadSettings
from likewise.model import WORDINGS, Document, Exclusion, Kind, Passage, Span
from tests.texts import MARKET, OWN, RIVER

TEXT = "The steppe  is wide.\n\nҚұс жолы — a river of salt 😀, and the reed\u00a0sings. " * 3
PLACES = st.integers(0, len(TEXT))
SPANS = st.tuples(PLACES, PLACES).map(lambda ends: Span(min(ends), max(ends)))


@st.composite
def passages(draw: st.DrawFn) -> Passage:
    a, kind = draw(SPANS), draw(st.sampled_from(get_args(Kind)))
    ends = sorted(draw(st.lists(st.integers(a.start, a.end), max_size=6)))
    unchanged = tuple(Span(x, y) for x, y in zip(ends[::2], ends[1::2], strict=False))
    return Passage(a, Span(0, 1), kind, draw(st.floats(0, 1)), unchanged=unchanged)


ALIGNMENTS = st.dictionaries(
    st.sampled_from("abcd"),
    st.lists(passages(), min_size=1, max_size=4).map(lambda some: Alignment(tuple(some), ())),
)
EXCLUSIONS = st.lists(
    st.builds(Exclusion, SPANS, st.sampled_from(["quotation", "contents", "reader"])), max_size=3
)


@given(ALIGNMENTS, EXCLUSIONS)
def test_the_three_add_up_to_what_is_similar_in_whole_characters(alignments, exclusions):
    counted = CountedText(TEXT, exclusions)
    sources = counted.sources(alignments)
    shares, wordings = counted.shares(sources), counted.wordings(sources)
    chars = [getattr(wordings, each) * counted.whole for each in WORDINGS]
    assert all(abs(each - round(each)) < 1e-6 for each in chars)
    assert sum(map(round, chars)) == round(shares.similar * counted.whole)


@given(ALIGNMENTS, EXCLUSIONS)
def test_what_does_not_count_is_excluded_and_what_counts_is_as_before(alignments, exclusions):
    usual = CountedText(TEXT, exclusions)
    all_sources = usual.sources(alignments)
    whole, before = usual.whole, usual.shares(all_sources)
    wordings = usual.wordings(all_sources)
    for size in (1, 2):
        for count in combinations(WORDINGS, size):
            counted = CountedText(TEXT, exclusions, count)
            sources = counted.sources(alignments)
            shares = counted.shares(sources)
            assert counted.wordings(sources) == wordings
            similar = sum(round(getattr(wordings, each) * whole) for each in count)
            assert round(shares.similar * whole) == similar
            assert (shares.original, shares.quoted) == (before.original, before.quoted)
            rest = round(before.similar * whole) - similar
            assert round(shares.excluded * whole) == round(before.excluded * whole) + rest
            by_source = sum(round(source.counted * whole) for source in sources)
            assert by_source == similar


def test_the_strongest_wording_of_a_place_is_its_wording():
    kinds: tuple[Kind, ...] = ("translated", "rewritten", "verbatim")
    alignments: dict[str, Alignment] = {
        kind: Alignment((Passage(Span(0, 20 * i), Span(0, 9), kind, 1.0),), ())
        for i, kind in zip((3, 2, 1), kinds, strict=True)
    }
    counted = CountedText("x" * 80, ())
    wordings = counted.wordings(counted.sources(alignments))
    assert wordings.word_for_word == wordings.reworded == wordings.translated == 0.25


def test_of_an_edited_passage_the_unchanged_words_are_word_for_word():
    passage = Passage(Span(0, 10), Span(0, 9), "edited", 0.8, unchanged=(Span(2, 5), Span(7, 8)))
    counted = CountedText("x" * 20, ())
    wordings = counted.wordings(counted.sources({"a": Alignment((passage,), ())}))
    assert (wordings.word_for_word, wordings.reworded) == (0.2, 0.3)
    retold = replace(passage, kind="rewritten")
    wordings = counted.wordings(counted.sources({"a": Alignment((retold,), ())}))
    assert (wordings.word_for_word, wordings.reworded) == (0.0, 0.5)


def test_unchanged_words_go_with_the_marks_around_them():
    here = "«Old domes stand on ridges», they said; nobody lives there any more."
    share, spans = unchanged_words(here, "Old domes stand on ridges. So nobody lives there.", 5)
    assert [here[span.start - 5 : span.end - 5] for span in spans] == [
        "«Old domes stand on ridges",
        "nobody lives there",
    ]
    assert share == 8 / 12
    assert unchanged_words("", "a") == unchanged_words("a", "") == (0.0, ())
    whole = "(Nothing was changed here.)"
    assert unchanged_words(whole, whole) == (1.0, (Span(0, len(whole)),))


def checked(**options):
    changed = RIVER.split()
    changed[3::6] = ["azure"] * len(changed[3::6])
    texts = {"mine": f"{OWN}\n\n{MARKET}\n\n{' '.join(changed)}", "a": MARKET, "b": RIVER}
    mine, *others = (Document.from_text(text, name) for name, text in texts.items())
    return lw.check(mine, others, **options)


def test_a_check_tells_what_is_word_for_word_and_what_is_reworded():
    check = checked()
    kinds = {source.name: [p.kind for p in source.passages] for source in check.sources}
    assert kinds == {"a": ["verbatim"], "b": ["edited"]}
    wordings = check.wordings
    assert wordings.word_for_word > check.sources[0].counted > 0.2
    assert wordings.reworded > 0.03 and wordings.translated == 0
    assert wordings.word_for_word + wordings.reworded == pytest.approx(check.shares.similar)


def test_what_is_taken_out_is_taken_out_of_its_wording():
    check = checked()
    without_edited = without(check, sources=["b"])
    assert without_edited.wordings.reworded == 0
    assert without_edited.wordings.word_for_word == without_edited.shares.similar
    assert without(check, sources=["a", "b"]).wordings == lw.model.Wordings(0.0, 0.0, 0.0)


def test_only_what_is_asked_for_counts_and_the_check_remembers_it():
    usual, check = checked(), checked(count=["word-for-word"])
    assert check.counting == {"count": ["word_for_word"]} and check.count == ("word_for_word",)
    assert check.wordings == usual.wordings
    assert check.shares.similar == check.wordings.word_for_word
    assert check.shares.excluded == pytest.approx(usual.wordings.reworded)
    assert [source.name for source in check.sources] == [source.name for source in usual.sources]
    assert without(check, sources=["a"]).shares.similar == pytest.approx(
        without(usual, sources=["a"]).wordings.word_for_word
    )
    assert usual.count == WORDINGS and not usual.counting


@pytest.mark.parametrize("names", [["paraphrased"], ["word", "translated"], []])
def test_other_wordings_are_refused(names):
    with pytest.raises(BadSettings):
        wordings_of(names)
