"""Texts to shingle sets: the same for any number of threads, batches and bytes."""

from __future__ import annotations

from collections import Counter
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from likewise.language import Lexicon, canonical_text, words_of
from likewise.settings import Measure, Settings, Unit
from likewise.sketch import Sets, build_sets, common_words
from likewise.sketch import batches as batches_module
from likewise.sketch.sets import runs_of, with_repetitions

WORDS = "steppe sky wide the grass runs running кошка кошками қала қалалар 漢字 x1 ≥".split()

texts = st.lists(st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join), max_size=8)
repeatable = settings(derandomize=True, deadline=None, max_examples=80)


def slow_shingles(text: str, chosen: Settings) -> Counter[tuple[str, ...]]:
    """Runs of canonical words (or of the characters they are written in), counted."""
    written = canonical_text(text, Lexicon(chosen), {})
    items = written.split() if chosen.unit == "words" else list(written)
    if not items:
        return Counter()
    width = chosen.shingle
    return Counter(
        [tuple(items[i : i + width]) for i in range(len(items) - width + 1)] or [tuple(items)]
    )


def jaccard(a: Counter, b: Counter) -> float:
    """Weighted: the smaller counts over the larger ones."""
    return sum((a & b).values()) / max(1, sum((a | b).values()))


def assert_same(one: Sets, other: Sets) -> None:
    assert np.array_equal(one.hashes, other.hashes)
    assert np.array_equal(one.offsets, other.offsets)
    assert (one.counts is None) == (other.counts is None)
    if one.counts is not None:
        assert np.array_equal(one.counts, other.counts)


@pytest.mark.parametrize(
    "chosen", [Settings(shingle=3), Settings.plain(shingle=2)], ids=["rules", "plain"]
)
@pytest.mark.parametrize("unit", ["words", "chars"])
@repeatable
@given(collection=texts)
@example(collection=[""])
@example(collection=["", "the", "wide sky", ""])
def test_a_set_has_the_distinct_shingles_of_its_text_and_their_counts(
    chosen: Settings, unit: Unit, collection: list[str]
) -> None:
    chosen = chosen.but(unit=unit)
    sets = build_sets(collection, chosen, counts=True)
    expected = [slow_shingles(text, chosen) for text in collection]
    assert len(sets) == len(collection)
    assert sets.sizes.tolist() == [len(counter) for counter in expected]
    assert sets.counts.tolist() == [n for counter in expected for n in counter.values()]
    # equal shingles have equal hashes, different ones different hashes, in all documents
    spelled = [shingle for counter in expected for shingle in counter]
    assert len(set(zip(spelled, sets.hashes.tolist(), strict=True))) == len(set(spelled))
    assert len(set(sets.hashes.tolist())) == len(set(spelled))
    assert build_sets(collection, chosen).counts is None


@repeatable
@given(texts)
@example(["the wide sky", ""])
def test_jaccard_of_multisets_is_the_weighted_jaccard(collection: list[str]) -> None:
    chosen = Settings.plain(shingle=1, measure="multiset")
    sets = build_sets(collection, chosen)
    counted = [slow_shingles(text, chosen) for text in collection]
    for i in range(len(collection)):
        for j in range(i):
            a, b = set(sets[i].tolist()), set(sets[j].tolist())
            assert len(a) == len(sets[i]) == counted[i].total()
            assert len(a & b) / max(1, len(a | b)) == jaccard(counted[i], counted[j])


def test_repetitions_become_elements_and_first_occurrences_keep_their_hash() -> None:
    hashes, offsets = np.array([7, 8, 7], np.uint64), np.array([0, 2, 3])
    repeated, ends = with_repetitions(hashes, offsets, np.array([3, 1, 2], np.uint32))
    assert ends.tolist() == [0, 4, 6]
    assert repeated[[0, 3, 4]].tolist() == [7, 8, 7]
    assert repeated[:2].tolist() == repeated[4:6].tolist()
    assert len(set(repeated[:4].tolist())) == 4


def test_documents_shorter_than_a_shingle_still_compare() -> None:
    sets = build_sets(["wide sky", "Wide, sky!", "sky wide", "wide"], Settings.plain())
    assert sets.sizes.tolist() == [1, 1, 1, 1]
    assert sets[0][0] == sets[1][0]
    assert len(set(sets.hashes.tolist())) == 3


@pytest.mark.parametrize("collection", [[""], ["", ""], ["?!", "\n"], ["the", "и"]])
@pytest.mark.parametrize("unit", ["words", "chars"])
@pytest.mark.parametrize("measure", ["jaccard", "multiset"])
def test_texts_without_words_have_empty_sets(
    collection: list[str], unit: Unit, measure: Measure
) -> None:
    sets = build_sets(collection, Settings(unit=unit, measure=measure))
    assert sets.sizes.tolist() == [0] * len(collection)
    assert len(sets.hashes) == 0


def test_an_empty_collection_has_no_sets() -> None:
    sets = build_sets([], Settings(), counts=True)
    assert len(sets) == 0 and len(sets.hashes) == 0 and len(sets.counts) == 0


def long_collection() -> list[str]:
    """Some 300 texts with words that keep coming anew, in an order that no batch respects."""
    random = np.random.default_rng(3)
    texts = []
    for i in range(300):
        numbers = random.zipf(1.5, size=int(random.integers(0, 60))) % 500
        texts.append(
            " ".join(f"{WORDS[n % len(WORDS)]}{'абв'[n % 3]}{n}" for n in numbers.tolist())
        )
        if i % 7 == 0:
            texts[-1] = texts[i // 2]
    texts[0] = ""
    return texts


@pytest.mark.parametrize("unit", ["words", "chars"])
@pytest.mark.parametrize("measure", ["jaccard", "multiset"])
def test_threads_and_batches_and_memory_change_nothing(unit: Unit, measure: Measure) -> None:
    texts, chosen = long_collection(), Settings(unit=unit, measure=measure, shingle=3)
    expected = build_sets(texts, chosen, counts=measure == "jaccard")
    for jobs, batch, memory in [(1, 1, None), (2, 500, 1000), (3, 2000, None), (3, 1 << 19, 0)]:
        with patch.object(batches_module, "BATCH_CHARS", batch):
            sets = build_sets(
                iter(texts), chosen, counts=measure == "jaccard", jobs=jobs, memory=memory
            )
        assert_same(sets, expected)


def test_past_its_memory_a_collection_is_kept_on_disk() -> None:
    texts = long_collection()
    assert isinstance(build_sets(texts, Settings(), memory=1000).hashes, np.memmap)
    assert not isinstance(build_sets(texts, Settings(), memory=10**7).hashes, np.memmap)


def test_a_lexicon_can_be_shared_between_collections() -> None:
    texts, lexicon = long_collection(), Lexicon(Settings())
    fresh = build_sets(texts, Settings())
    assert_same(build_sets(texts, Settings(), lexicon, jobs=2), fresh)
    assert_same(build_sets(texts, Settings(), lexicon), fresh)


@pytest.mark.parametrize("unit", ["words", "chars"])
@pytest.mark.parametrize("jobs", [1, 3])
def test_progress_counts_every_text_once(unit: Unit, jobs: int) -> None:
    steps: list[int] = []
    with patch.object(batches_module, "BATCH_CHARS", 300):
        build_sets(long_collection(), Settings(unit=unit), jobs=jobs, progress=steps.append)
    assert sum(steps) == 300 and len(steps) > 3


@pytest.mark.parametrize("jobs", [1, 2])
def test_common_words_stand_in_more_than_a_share_of_the_texts(jobs: int) -> None:
    texts = ["wide wide wide sky", "wide grass", "wide steppes sky", "steppe"]
    lexicon = Lexicon(Settings())

    def common(share: float) -> set[int]:
        return set(common_words(texts, lexicon, share, jobs))

    def hashes(text: str) -> set[int]:
        return set(words_of(text, lexicon).hash.tolist())

    with patch.object(batches_module, "BATCH_CHARS", 5):
        assert common(1.0) == set()
        assert common(0.5) == hashes("wide")
        assert common(0.49) == hashes("wide sky steppe")
        assert common(0.01) == hashes("wide sky steppe"), "one text alone makes no word common"
    assert common_words([], lexicon, 0.5) == []


@pytest.mark.parametrize("unit", ["words", "chars"])
def test_common_words_can_be_left_out_of_the_sets(unit: Unit) -> None:
    chosen = Settings.plain(shingle=2, unit=unit)
    texts = ["wide sky wide grass", "wide steppe"]
    lexicon = Lexicon(chosen)
    smaller = lexicon.without(common_words(texts, lexicon, 0.9))
    assert_same(build_sets(texts, chosen, smaller), build_sets(["sky grass", "steppe"], chosen))


def test_runs_are_all_shingles_of_a_text_in_order() -> None:
    chosen = Settings.plain(shingle=2)
    runs = runs_of("wide sky wide sky wide", chosen, Lexicon(chosen)).tolist()
    assert len(runs) == 4 and runs[0] == runs[2] != runs[1] == runs[3]
    assert runs[:2] == build_sets(["wide sky wide sky wide"], chosen)[0].tolist()
    assert len(runs_of("", chosen, Lexicon(chosen))) == 0
