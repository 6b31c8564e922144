"""Blocks of a text by what they speak of."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.language.concept_blocks import (
    BLOCK_WORDS,
    FIRST_OTHER,
    INDEXED_RARE_WORDS,
    INDEXED_WORDS,
    MOST_WORDS,
    block_keys,
    concept_bits,
    concept_blocks,
    is_word,
    pack_blocks,
    recipe,
    unpack_blocks,
    word_bits,
    word_table,
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


def keys_of(text: str, words: int, rare_words: int = 0) -> set[int]:
    keys = block_keys(concept_blocks([text])[0].ids, words, rare_words)
    return set(keys.ravel().tolist()) - {0}


def test_a_translation_shares_pairs_and_another_text_none() -> None:
    assert len(keys_of(WOLF, 16) & keys_of(WOLF_IN_RUSSIAN, 16)) > 10
    assert not keys_of(WOLF, 16) & keys_of(SENTENCES[3] * 3, 16)


def test_a_text_in_other_words_shares_rare_words() -> None:
    reworded = (
        "For three nights the shepherd Akhmet sat with his lamp by a well that had frozen, beside"
        " the trap which he had laid, after eleven of his sheep were killed in the mountains."
    )
    assert len(keys_of(WOLF, 0, 30) & keys_of(reworded, 0, 30)) > 5
    assert not keys_of(WOLF, 0, 30) & keys_of(SENTENCES[3] * 3, 0, 30)


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
def test_a_block_has_its_words_once_and_nothing_between_them(sentences: list[str]) -> None:
    (blocks,) = concept_blocks([" ".join(sentences)])
    for row in blocks.ids:
        words = row[row > 0]
        assert len(set(words.tolist())) == len(words) > 0
        assert is_word(words).all() and not row[len(words) :].any()


@given(st.lists(st.sampled_from(SENTENCES), max_size=30), st.integers(0, INDEXED_WORDS))
def test_keys_are_of_two_words_or_of_a_rare_one(sentences: list[str], ambiguous: int) -> None:
    (blocks,) = concept_blocks([" ".join(sentences)])
    all_keys = block_keys(blocks.ids, INDEXED_WORDS, INDEXED_RARE_WORDS, ambiguous)
    for row, keys in zip(blocks.ids, all_keys, strict=True):
        *pairs, alone = np.split(keys, [len(keys) - MOST_WORDS])
        (rare,) = np.nonzero(alone)
        assert len(rare) <= INDEXED_RARE_WORDS and (word_bits(row)[rare] >= 6).all()
        words = [senses_of(int(word)) for word in row[:INDEXED_WORDS] if word]
        expected = {
            frozenset((one, other))
            for k, senses in enumerate(words)
            for i, others in enumerate(words[:k])
            for one in senses
            for other in others
            if one != other
            and (
                (one == senses[0] and other == others[0])
                or ((one == senses[0]) != (other == others[0]) and k < ambiguous)
            )
        }
        assert len(set(pairs[0][pairs[0] > 0].tolist())) == len(expected)


def senses_of(word: int) -> list[int]:
    if word >= FIRST_OTHER:
        return [word]
    return [sense for sense in word_table().senses[word].tolist() if sense]


def test_what_is_rare_tells_more() -> None:
    text = "The year of the zeugma: Nebuchadnezzar was born in a small town. " * 3
    (blocks,) = concept_blocks([text])
    words = blocks.ids[blocks.ids > 0]
    for bits in (concept_bits(words), word_bits(words)):
        assert bits.min() > 0 and bits.max() == 11 and len(set(bits.tolist())) > 2
    assert not concept_bits(np.zeros(3, np.uint32)).any()


WORD_IDS = st.integers(1, 80_000) | st.integers(FIRST_OTHER, (1 << 20) - 1)


@given(st.lists(st.lists(WORD_IDS, max_size=MOST_WORDS), max_size=5))
def test_blocks_are_kept_as_they_are(rows: list[list[int]]) -> None:
    ids = np.zeros((len(rows), MOST_WORDS), dtype=np.uint32)
    for k, row in enumerate(rows):
        ids[k, : len(row)] = row
    packed = pack_blocks(ids)
    assert len(packed) == sum(1 + 5 * ((len(row) + 1) // 2) for row in rows)
    assert np.array_equal(unpack_blocks(packed), ids)


@pytest.mark.parametrize(
    "data",
    [
        *(b"\1", b"\1\1\0", b"\0\5", b"\xff"),
        b"\1\0\0\0\0\0",  # no word
        b"\1\xff\xff\1\0\0",  # none of the lexicon
        b"\1\1\0\x10\0\0",  # a word behind the last one
    ],
)
def test_damaged_blocks_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="blocks"):
        unpack_blocks(data)


@given(st.binary(max_size=60))
def test_any_bytes_are_blocks_or_refused(data: bytes) -> None:
    try:
        ids = unpack_blocks(data)
    except ValueError:
        return
    assert pack_blocks(ids) == data


def test_a_block_has_some_ninety_words() -> None:
    (blocks,) = concept_blocks([" ".join([WOLF, SENTENCES[3]] * 30)])
    counted = 30 * sum(sentence.count(" ") + 1 for sentence in (WOLF, SENTENCES[3]))
    assert BLOCK_WORDS < counted / len(blocks) < 2 * BLOCK_WORDS


def test_little_text_has_no_blocks() -> None:
    assert [len(one) for one in concept_blocks(["", "Hush!", "1 2 3", "\ud800"])] == [0, 0, 0, 0]


def test_the_recipe_names_everything_that_blocks_follow_from() -> None:
    assert {part.split("=")[0] for part in recipe().split()} == {
        *("blocks3", "words", "indexed", "rarity", "concepts1", "n"),
    }
