"""Where two documents share text, told through the public function."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.align import align, align_sides, differences, side_of
from likewise.language import Lexicon
from likewise.model import Document, Span
from likewise.settings import Settings
from tests.align.texts import ENGLISH, LANGUAGES

BRIDGE, FELT = (" ".join(sample.sentences) for sample in ENGLISH)
WORDS = "amber birch cedar delta ember fjord glade heath islet jetty knoll ledge marsh".split()


def document(text: str) -> Document:
    return Document.from_text(text)


def filler(words: int, seed: int) -> str:
    """Text with no word of the samples in it, in sentences of ten words."""
    choose = random.Random(seed)
    made = [f"{choose.choice(WORDS)}{choose.randrange(10**6)}" for _ in range(words)]
    return " ".join(f"{' '.join(made[k : k + 10]).capitalize()}." for k in range(0, words, 10))


def test_a_copied_stretch_is_found_exactly_where_it_stands():
    a = document(f"{filler(300, 1)} {BRIDGE} {filler(300, 2)}")
    b = document(f"{filler(100, 3)} {BRIDGE} {filler(500, 4)}")
    (passage,) = align(a, b).passages
    assert passage.a.of(a.text) == passage.b.of(b.text) == BRIDGE
    assert (passage.kind, passage.score) == ("verbatim", 1.0)


def test_each_copied_stretch_is_a_passage_in_the_order_of_the_first_document():
    a = document(f"{BRIDGE} {filler(200, 1)} {FELT}")
    b = document(f"{FELT} {filler(200, 2)} {BRIDGE}")
    passages = align(a, b).passages
    assert [p.a.of(a.text) for p in passages] == [BRIDGE, FELT]
    assert [p.b.of(b.text) for p in passages] == [BRIDGE, FELT]


def test_a_stretch_taken_twice_is_found_twice():
    a = document(f"{BRIDGE} {filler(200, 1)} {BRIDGE}")
    passages = align(a, document(BRIDGE)).passages
    assert [p.a.of(a.text) for p in passages] == [BRIDGE, BRIDGE]


def test_changed_words_make_a_passage_edited_and_are_told():
    changed = BRIDGE.replace("saline lake", "frozen swamp").replace("green ledger", "red notebook")
    for old, new in (
        ("diesel", "petrol"),
        ("cheese", "honey"),
        ("comet", "nova"),
        ("cook", "smith"),
    ):
        changed = changed.replace(old, new)
    a, b = document(f"{filler(200, 1)} {changed}"), document(f"{BRIDGE} {filler(200, 2)}")
    (passage,) = align(a, b).passages
    assert passage.kind == "edited" and 0.7 < passage.score < 1
    here, there = differences(a.text, b.text, passage, Lexicon(Settings()))
    assert [span.of(a.text) for span in here] == [
        "frozen swamp", "red notebook", "petrol", "honey", "nova", "smith",
    ]  # fmt: skip
    assert [span.of(b.text) for span in there] == [
        "saline lake", "green ledger", "diesel", "cheese", "comet", "cook",
    ]  # fmt: skip


def test_words_of_a_verbatim_passage_do_not_differ():
    (passage,) = align(document(BRIDGE), document(BRIDGE)).passages
    assert differences(BRIDGE, BRIDGE, passage, Lexicon(Settings())) == ((), ())


def test_shuffled_words_are_rewritten_in_the_right_place():
    words = BRIDGE.split()
    for k in range(0, len(words) - 12, 12):
        part = words[k : k + 12]
        random.Random(k).shuffle(part)
        words[k : k + 12] = part
    a = document(f"{filler(300, 1)} {' '.join(words)} {filler(300, 2)}")
    (passage,) = align(a, document(f"{filler(300, 3)} {BRIDGE}")).passages
    assert passage.kind == "rewritten"
    copied = Span(len(filler(300, 1)) + 1, len(filler(300, 1)) + 1 + len(" ".join(words)))
    assert abs(passage.a.start - copied.start) < 30 and abs(passage.a.end - copied.end) < 30


def test_a_summary_is_found_with_the_whole_text_that_it_retells():
    picked = [sentence for sample in ENGLISH for sentence in sample.sentences]
    words = [w for sentence in picked for w in sentence.rstrip(".").split()[2::4]]
    summary = " ".join(words).capitalize() + "."
    text = " ".join(f"{sentence} {filler(20, k)}" for k, sentence in enumerate(picked))
    a = document(f"{filler(400, 91)}\n\n{summary}\n\n{filler(400, 92)}")
    (passage,) = align(a, document(text)).passages
    assert passage.a.of(a.text) == summary and passage.kind == "summarised"
    assert len(passage.b) > 0.9 * len(text)
    # The long text does not come from the few lines that retell it.
    assert not align(document(text), a).passages


def test_a_run_too_short_for_a_passage_is_a_fragment():
    run = "the larger telescope was ground by hand from a single block of Bohemian glass"
    a = document(f"{filler(300, 1)} Though {run} some say. {filler(300, 2)}")
    b = document(f"{filler(200, 3)} Indeed {run} they wrote. {filler(300, 4)}")
    aligned = align(a, b)
    assert aligned.passages == ()
    (fragment,) = aligned.fragments
    assert (
        fragment.a.of(a.text)
        == "larger telescope was ground by hand from a single block of Bohemian glass"
    )
    assert fragment.b.of(b.text) == fragment.a.of(a.text)


def test_one_sentence_of_a_long_document_is_a_fragment_and_three_are_passages():
    picked = ENGLISH[0].sentences[2:5]

    def between(sentences: list[str], seed: int) -> Document:
        return document(" ".join(f"{filler(200, seed + k)} {s}" for k, s in enumerate(sentences)))

    alone = align(between(picked[:1], 1), between(picked[:1], 50))
    assert alone.passages == () and len(alone.fragments) == 1
    a, b = between(picked, 1), between(picked[::-1], 50)
    together = align(a, b)
    assert [p.a.of(a.text) for p in together.passages] == picked
    assert [p.b.of(b.text) for p in together.passages] == picked
    assert together.fragments == ()


def test_a_sentence_repeated_in_both_like_a_form_is_no_scattered_copy():
    sentence = ENGLISH[0].sentences[0]

    def form(seed: int) -> Document:
        return document(" ".join(f"{filler(100, seed + k)} {sentence}" for k in range(4)))

    assert align(form(1), form(50)).passages == ()


def test_scattered_sentences_are_not_taken_for_a_summary():
    copied = ENGLISH[0].sentences
    text = " ".join(f"{s} {filler(30, k)}" for k, s in enumerate(copied))
    a = document(f"{filler(200, 91)} {' '.join(reversed(copied))} {filler(200, 92)}")
    passages = align(a, document(text)).passages
    assert [p.a.of(a.text) for p in passages] == list(reversed(copied))
    assert {p.kind for p in passages} == {"verbatim"}


def test_what_stands_in_a_passage_is_no_fragment():
    aligned = align(document(f"{filler(300, 1)} {BRIDGE}"), document(BRIDGE))
    assert len(aligned.passages) == 1 and aligned.fragments == ()


def test_what_was_left_out_of_a_document_is_not_compared():
    text = f"{filler(100, 1)} {BRIDGE}"
    hidden = Document("a", text, left_out=((Span(len(text) - len(BRIDGE), len(text)), "hidden"),))
    assert align(hidden, document(BRIDGE)).passages == ()


def test_a_document_can_be_prepared_once_for_many():
    lexicon = Lexicon(Settings())
    a, b = document(f"{filler(100, 1)} {BRIDGE}"), document(BRIDGE)
    assert align_sides(side_of(a, lexicon), side_of(b, lexicon)) == align(a, b)


def test_turning_the_documents_round_turns_the_passages_round():
    a, b = document(f"{filler(200, 1)} {BRIDGE}"), document(f"{BRIDGE} {FELT}")
    there = [(p.b, p.a, p.kind, p.score) for p in align(b, a).passages]
    assert [(p.a, p.b, p.kind, p.score) for p in align(a, b).passages] == there


# Bad input


@pytest.mark.parametrize("text", ["", " ", "...", "word", "the", "𝔸", "\u200b", "\x00"])
def test_texts_of_one_word_or_none(text):
    for other in ("", "word", text, BRIDGE):
        aligned = align(document(text), document(other))
        for passage in aligned.passages:
            assert passage.a.of(text) == passage.b.of(other)


def test_one_document_inside_another():
    inside, around = document(FELT), document(f"{filler(800, 1)} {FELT} {filler(800, 2)}")
    (passage,) = align(inside, around).passages
    assert passage.a == Span(0, len(FELT)) and passage.b.of(around.text) == FELT


@pytest.mark.parametrize(("here", "there"), [(1000, 1000), (1000, 500), (1000, 1), (1, 1000)])
def test_a_thousand_repetitions_are_covered_and_cost_little(here, there):
    sentence = ENGLISH[0].sentences[2] + " "
    a, b = document(sentence * here), document(sentence * there)
    began = time.process_time()
    passages = align(a, b).passages
    assert time.process_time() - began < 2
    assert sum(len(p.a) for p in passages) > 0.95 * len(a.text)
    assert len(passages) == 1


def test_what_the_source_says_again_and_again_is_shown_a_few_times():
    a = document(f"{filler(200, 1)} {BRIDGE}")
    b = document(" ".join(f"{BRIDGE} {filler(10, seed)}" for seed in range(2, 102)))
    aligned = align(a, b)
    assert {p.a.of(a.text) for p in aligned.passages} == {BRIDGE}
    assert len(aligned.passages) == 16 and aligned.fragments == ()
    assert len(align(b, a).passages) == 100


def test_one_word_again_and_again():
    aligned = align(document("steppe " * 20_000), document("steppe wind " * 10_000))
    assert all(p.a.end <= 140_000 for p in aligned.passages)


def test_texts_without_sentence_marks():
    bare = " ".join(BRIDGE.replace(".", "").replace(",", "").lower().split())
    a = document(f"{filler(200, 1).replace('.', '').lower()} {bare}")
    (passage,) = align(a, document(bare)).passages
    assert passage.a.of(a.text) == bare


def test_right_to_left_text():
    sentences = [
        "السماء فوق السهل زرقاء صافية في الصباح الباكر.",
        "يمشي الراعي العجوز خلف القطيع نحو الوادي البعيد.",
        "تحمل النساء الماء من البئر القديمة قرب الجسر الحجري.",
        "كتب المسافر رسالة طويلة عن الطريق والجبال والثلج.",
        "عند الغروب تجتمع القرية حول النار وتسمع الحكايات.",
    ]
    text = " ".join(sentences)
    a = document(f"{filler(100, 1)} {text} {filler(100, 2)}")
    (passage,) = align(a, document(text)).passages
    assert passage.a.of(a.text) == text and passage.kind == "verbatim"


def test_offsets_stay_right_behind_astral_characters():
    a = document(f"😀𝒳 {filler(50, 1)} 🐎🐎 {BRIDGE} 🐎")
    b = document(f"🏔️ {BRIDGE}")
    (passage,) = align(a, b).passages
    assert passage.a.of(a.text) == passage.b.of(b.text) == BRIDGE


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_answer_is_the_same_every_time(language):
    first, second = (" ".join(s.sentences) for s in LANGUAGES[language])
    a, b = document(f"{first} {filler(100, 1)} {second}"), document(f"{second} {first}")
    assert align(a, b) == align(a, b)


@given(
    st.lists(st.sampled_from([*WORDS, "the", ".", "\n", "😀", "Marsh"]), max_size=80),
    st.lists(st.sampled_from([*WORDS, "the", "!", "  ", "ledge-"]), max_size=80),
)
def test_any_words_give_spans_inside_their_texts_in_order(one, other):
    a, b = document(" ".join(one)), document(" ".join(other))
    aligned = align(a, b)
    for group in (aligned.passages, aligned.fragments):
        assert list(group) == sorted(group, key=lambda p: (p.a, p.b))
        for passage in group:
            assert len(passage.a) > 0 and passage.a.end <= len(a.text)
            assert len(passage.b) > 0 and passage.b.end <= len(b.text)
            assert 0 <= passage.score <= 1


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text_is_aligned_without_an_error(one, other):
    align(document(one), document(other))


def test_two_books_take_seconds():
    a = document(f"{filler(60_000, 1)} {BRIDGE}")
    b = document(f"{filler(30_000, 2)} {BRIDGE} {filler(30_000, 3)}")
    began = time.process_time()
    passages = align(a, b).passages
    assert time.process_time() - began < 10
    assert [p.a.of(a.text) for p in passages] == [BRIDGE]


@pytest.mark.slow
def test_two_books_with_the_same_words_everywhere_near_each_other_take_seconds():
    def shuffled_blocks(seed: int) -> Document:
        choose = random.Random(seed)
        made: list[str] = []
        for block in range(1_500):
            words = [f"{word}{block}" for word in WORDS[:8]] * 8
            made += choose.sample(words, len(words))
        lines = (" ".join(made[k : k + 12]).capitalize() for k in range(0, len(made), 12))
        return document(". ".join(lines))

    a, b = shuffled_blocks(1), shuffled_blocks(2)
    began = time.process_time()
    assert align(a, b).passages
    assert time.process_time() - began < 5
