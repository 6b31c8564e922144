"""Which words of a passage in other words correspond to which of its source."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.align import correspondences
from likewise.align.correspondence import MOST_WORDS
from likewise.kernels.relations import WHOLE
from likewise.language import Lexicon
from likewise.model import Correspondence, Passage, Span
from likewise.settings import Settings

RUSSIAN = (
    "Весной река выходит из берегов и заливает луга. Рыбаки ставят сети у старого моста. "
    "В 1954 году инженер Хартфорд построил здесь плотину из камня и дерева."
)
ENGLISH = (
    "Engineer Hartford built a dam of stone and wood here in 1954. In spring the river leaves its "
    "banks and floods the meadows. Fishermen set their nets by the old bridge."
)
KAZAKH = (
    "Көктемде өзен арнасынан шығып, шалғынды су басады. Балықшылар ескі көпірдің жанына ау құрады. "
    "1954 жылы инженер Хартфорд осы жерде тас пен ағаштан бөгет салды."
)
WORDS = st.sampled_from([*f"{RUSSIAN} {ENGLISH} {KAZAKH}".split(), "\n", "—", "𝒙", "ff", "12"])
TEXTS = st.lists(WORDS, max_size=60).map(" ".join) | st.text(max_size=80)


def partners(here: str, there: str, settings: Settings | None = None) -> dict[str, tuple[str, ...]]:
    """The words here with those there and what they share, told by the words themselves."""
    return {
        word.of(here): (*(each.of(there) for each in others), reason)
        for word, others, reason, _ in rows_of(here, there, settings)
    }


def rows_of(here: str, there: str, settings: Settings | None = None) -> tuple[Correspondence, ...]:
    whole = Passage(Span(0, len(here)), Span(0, len(there)), "translated", 0.5)
    return correspondences(here, there, whole, Lexicon(settings or Settings()))


@pytest.mark.parametrize("settings", [Settings(), Settings.plain()])
def test_words_of_another_language_have_partners_by_concept_number_and_name(settings):
    found = partners(RUSSIAN, ENGLISH, settings)
    assert {"river", "concept"} <= {*found["река"]}
    assert {"Fishermen", "concept"} <= {*found["Рыбаки"]}
    assert {"bridge", "concept"} <= {*found["моста"]}
    assert found["1954"] == ("1954", "number")
    assert found["Хартфорд"] == ("Hartford", "name")
    assert "из" not in found and "у" not in found


def test_between_any_two_languages():
    assert {"река", "concept"} <= {*partners(KAZAKH, RUSSIAN)["өзен"]}
    assert partners(KAZAKH, RUSSIAN)["Хартфорд"] == ("Хартфорд", "word")
    assert {"көпірдің", "concept"} <= {*partners(ENGLISH, KAZAKH)["bridge"]}


def test_the_same_word_is_told_from_another_word_for_it():
    found = partners(
        "The doctor examined the old ship.", "An old vessel: a physician saw the ship."
    )
    assert found["old"] == ("old", "word") and found["ship"][-1] in ("word", "concept")
    assert {"physician", "concept"} <= {*found["doctor"]}


def test_a_word_has_its_partner_in_the_sentence_that_renders_its_own():
    here = (
        "The river froze in January near the mill. Children of the village skate there all day. "
        "In August the same river was almost dry, and cattle crossed between yellow reeds."
    )
    there = (
        "В августе эта река почти пересохла, и скот переходил её среди жёлтых тростников. "
        "В январе река замёрзла возле мельницы. Дети из деревни целый день катаются там на коньках."
    )
    places = {
        word.start: [there[: each.start].count(".") for each in others]
        for word, others, _, _ in rows_of(here, there)
    }
    assert places[here.index("river")] == [1]
    assert places[here.rindex("river")] == [0]


def test_offsets_are_of_the_whole_texts():
    before = "Предисловие о погоде. "
    passage = Passage(
        Span(len(before), len(before) + len(RUSSIAN)), Span(7, 7 + len(ENGLISH)), "translated", 0.5
    )
    lexicon = Lexicon(Settings())
    rows = correspondences(f"{before}{RUSSIAN} Конец.", f"Start: {ENGLISH}", passage, lexicon)
    moved = tuple(
        (
            Span(word.start - len(before), word.end - len(before)),
            tuple(Span(each.start - 7, each.end - 7) for each in others),
            *rest,
        )
        for word, others, *rest in rows
    )
    assert moved == rows_of(RUSSIAN, ENGLISH)


def test_what_has_nothing_in_common_has_no_partners():
    assert rows_of("", ENGLISH) == rows_of(ENGLISH, "") == rows_of("…", "—") == ()
    assert partners("Кошка спит.", "Inflation rose sharply.") == {}


@given(TEXTS, TEXTS, st.text(max_size=5), st.text(max_size=5))
def test_partners_are_words_inside_both_passages(here, there, before, after):
    passage = Passage(
        Span(len(before), len(before) + len(here)), Span(0, len(there)), "rewritten", 0.5
    )
    lexicon = Lexicon(Settings())
    whole = before + here + after
    rows = correspondences(whole, there + after, passage, lexicon)
    words = [word for word, _, _, _ in rows]
    assert words == sorted(set(words))
    for word, others, _, closeness in rows:
        assert 0 < closeness <= WHOLE
        assert others and list(others) == sorted(set(others))
        assert word & passage.a == word and word.of(whole).split() == [word.of(whole)]
        for other in others:
            assert other & passage.b == other and other.of(there).split() == [other.of(there)]
    assert correspondences(whole, there + after, passage, lexicon) == rows


def test_a_long_passage_tells_of_as_many_words_as_anybody_points_at():
    here = " ".join(f"Волк {n} пришёл к реке." for n in range(1000, 1000 + MOST_WORDS))
    there = " ".join(f"Wolf {n} came to the river." for n in range(1000, 1000 + MOST_WORDS))
    rows = rows_of(here, there)
    assert len(rows) == MOST_WORDS
    assert all(
        there[other.start :].startswith(word.of(here)) or reason != "number"
        for word, others, reason, _ in rows
        for other in others
    )
