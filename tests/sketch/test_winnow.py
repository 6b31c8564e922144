"""Winnowing: few fingerprints, and no long shared run missed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise.language import Lexicon, words_of
from likewise.settings import Settings
from likewise.sketch import fingerprints_of
from likewise.sketch.sets import runs_of

words = st.lists(st.sampled_from("steppe sky wide grass river wind".split()), max_size=15)


def common(a: str, b: str, chosen: Settings) -> set[int]:
    one, other = fingerprints_of(a, chosen), fingerprints_of(b, chosen)
    return set(one.hash.tolist()) & set(other.hash.tolist())


@pytest.mark.parametrize(("shingle", "window"), [(5, 4), (1, 1), (3, 6), (2, 4)])
@settings(derandomize=True, deadline=None, max_examples=80)
@given(
    around=st.tuples(words, words, words, words),
    run=st.lists(st.sampled_from("steppe sky wide x1 x2 x3".split()), min_size=8, max_size=8),
)
def test_a_shared_run_of_a_shingle_and_a_window_less_one_is_never_missed(
    shingle: int, window: int, around: tuple[list[str], ...], run: list[str]
) -> None:
    chosen = Settings.plain(shingle=shingle, window=window)
    run = run[: shingle + window - 1]
    a, b = around[0] + run + around[1], around[2] + run + around[3]
    assert common(" ".join(a), " ".join(b), chosen)


def test_the_promise_counts_canonical_words() -> None:
    """Eight canonical words, whatever stop words, endings and line ends stand between them."""
    a = "Wolves hunted the grazing horses of nomads in winter near frozen rivers."
    b = "Then: WOLVES hunt a grazing horse, nomad, win-\nter; near the frozen river it ends"
    assert common(a, b, Settings())


def test_fingerprints_are_shingles_of_the_text_and_say_where_they_begin() -> None:
    text = "the wide steppe under the wide sky and the grass that runs with the wind over it all"
    chosen = Settings.plain(shingle=3, window=4)
    runs = runs_of(text, chosen, Lexicon(chosen))
    prints = fingerprints_of(text, chosen)
    assert prints.hash.tolist() == runs[prints.place].tolist()
    assert prints.place.tolist() == sorted(set(prints.place.tolist()))
    assert len(prints) < len(runs)
    gaps = [b - a for a, b in zip(prints.place.tolist(), prints.place.tolist()[1:], strict=False)]
    assert max(gaps) <= chosen.window
    assert prints.place.max() + chosen.shingle <= len(words_of(text, Lexicon(chosen)))


def test_short_texts_have_one_fingerprint_and_empty_ones_none() -> None:
    assert len(fingerprints_of("wide sky", Settings.plain())) == 1
    assert len(fingerprints_of("", Settings.plain())) == 0
    assert len(fingerprints_of("the", Settings())) == 0


def test_characters_can_be_winnowed_too() -> None:
    chosen = Settings.plain(unit="chars", shingle=5, window=4)
    assert common("a widening", "the widening", chosen)
