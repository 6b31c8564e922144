"""Blocks of a text by what they speak of."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from likewise.language.concept_blocks import (
    BLOCK_WORDS,
    FIRST_SENSE,
    INDEXED_WORDS,
    TELLING,
    concept_blocks,
    pack_blocks,
    pair_keys,
    recipe,
    unpack_blocks,
    word_numbers,
)

WOLF = (
    "The wolf came down from the mountains in December 1931 and killed eleven sheep of the shepherd"
    " Akhmet, who set a trap beside the frozen well and waited there for three nights with a lamp."
)
WOLF_IN_RUSSIAN = (
    "В декабре 1931 года волк спустился с гор и зарезал одиннадцать овец пастуха Ахмета; тот"
    " поставил капкан у замёрзшего колодца и три ночи ждал там с лампой."
)
SENTENCES = [
    WOLF,
    WOLF_IN_RUSSIAN,
    "Кеме теңізге шыққан соң, боцман желкенді түсіріп, дауылды күтті.",
    "Sugar dissolves faster in hot water, since molecules move more quickly there.",
    "1 2 3.",
    "",
    "İstanbul ﬁsh — naïve ﬂow; Ζεύς 42%!",
]


def keys_of(text: str, words: int = INDEXED_WORDS) -> set[int]:
    return {int(key) for row in pair_keys(concept_blocks([text])[0].ids, words) for key in row} - {
        0
    }


def test_a_translation_shares_pairs_and_another_text_none() -> None:
    assert len(keys_of(WOLF, 16) & keys_of(WOLF_IN_RUSSIAN, 16)) > 10
    assert not keys_of(WOLF, 16) & keys_of(SENTENCES[3] * 3, 16)


@given(st.lists(st.lists(st.sampled_from(SENTENCES), max_size=12), min_size=1, max_size=5))
def test_a_text_has_the_same_blocks_whatever_stands_beside_it(parts: list[list[str]]) -> None:
    texts = [" ".join(sentences) for sentences in parts]
    for overlap in (False, True):
        together = concept_blocks(texts, overlap=overlap)
        for text, blocks in zip(texts, together, strict=True):
            (alone,) = concept_blocks([text], overlap=overlap)
            assert np.array_equal(blocks.ids, alone.ids)
            assert np.array_equal(blocks.start, alone.start)
            assert np.array_equal(blocks.end, alone.end)


@given(st.lists(st.sampled_from(SENTENCES), max_size=30))
def test_blocks_follow_each_other_and_overlap_by_half_where_asked(sentences: list[str]) -> None:
    text = "\n".join(sentences)
    (blocks,), (overlapping,) = concept_blocks([text]), concept_blocks([text], overlap=True)
    assert (blocks.start[1:] >= blocks.end[:-1]).all()
    assert len(overlapping) == max(2 * len(blocks) - 1, 0)
    assert (overlapping.start[1:] < overlapping.end[:-1]).all()
    assert (overlapping.start[2:] >= overlapping.end[:-2]).all()
    if len(blocks):
        assert overlapping.end[-1] == blocks.end[-1] <= len(text)


@given(st.lists(st.sampled_from(SENTENCES), max_size=30))
def test_pairs_are_of_two_words(sentences: list[str]) -> None:
    (blocks,) = concept_blocks([" ".join(sentences)])
    for row, keys in zip(blocks.ids, pair_keys(blocks.ids, INDEXED_WORDS), strict=True):
        number = word_numbers(row[None])[0]
        used = [k for k in range(TELLING) if 0 <= number[k] < INDEXED_WORDS]
        expected = sum(number[a] != number[b] for a in used for b in used if a < b)
        assert (keys > 0).sum() == expected == len(set(keys.tolist()) - {0})
        plain = (row[row > 0] & (FIRST_SENSE - 1)).tolist()
        assert len(set(plain)) == len(plain)  # one concept is of one word


@given(st.integers(0, 5), st.data())
def test_blocks_are_kept_as_they_are(size: int, data: st.DataObject) -> None:
    cells = st.lists(
        st.integers(0, (1 << 24) - 1), min_size=size * TELLING, max_size=size * TELLING
    )
    ids = np.array(data.draw(cells), dtype=np.uint32).reshape(size, TELLING)
    packed = pack_blocks(ids)
    assert len(packed) == 3 * TELLING * size
    assert np.array_equal(unpack_blocks(packed), ids)


def test_a_block_has_some_ninety_words() -> None:
    (blocks,) = concept_blocks([" ".join([WOLF, SENTENCES[3]] * 30)])
    counted = 30 * sum(sentence.count(" ") + 1 for sentence in (WOLF, SENTENCES[3]))
    assert BLOCK_WORDS < counted / len(blocks) < 2 * BLOCK_WORDS


def test_little_text_has_no_blocks() -> None:
    assert [len(one) for one in concept_blocks(["", "Hush!", "1 2 3", "\ud800"])] == [0, 0, 0, 0]


def test_the_recipe_names_everything_that_blocks_follow_from() -> None:
    assert {part.split("=")[0] for part in recipe().split()} == {
        *("blocks1", "words", "telling", "rarity", "concepts1", "n"),
    }
