"""Lexicons are kept between calls: each is lent to one call at a time, no answer changes."""

import os
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import pytest

import likewise as lw
from likewise.language import Lexicon, borrow_lexicon, tokens_of
from likewise.language.lexicon import _POOL, LexiconPool
from likewise.model import Document
from likewise.settings import Settings

ESSAYS = sorted((Path(__file__).parent.parent.parent / "examples" / "essays").glob("*.txt"))
PAIRS = list(pairwise([Document.from_text(path.read_text("utf-8")) for path in ESSAYS]))


def test_a_lexicon_is_used_again_and_has_met_the_words() -> None:
    rules = Settings(max_length=31)
    with borrow_lexicon(rules) as first:
        tokens_of("caravans of the steppe", first)
        met = len(first)
    with borrow_lexicon(rules.but(threshold=0.9, shingle=3)) as again:
        assert again is first
        assert len(again) == met > 0
        assert again.settings.shingle == 3


def test_two_calls_at_once_never_share_one() -> None:
    with borrow_lexicon(Settings()) as one, borrow_lexicon(Settings()) as other:
        assert one is not other


def test_other_word_rules_have_other_lexicons() -> None:
    with borrow_lexicon(Settings(stem=False)) as plain:
        pass
    with borrow_lexicon(Settings(stem=False, languages=("en",))) as english:
        assert english is not plain


def test_one_that_was_used_by_somebody_who_failed_is_not_used_again() -> None:
    rules = Settings(max_length=33)
    with pytest.raises(RuntimeError), borrow_lexicon(rules) as broken:
        raise RuntimeError
    with borrow_lexicon(rules) as fresh:
        assert fresh is not broken


def test_few_are_kept_and_none_that_is_large() -> None:
    pool = LexiconPool()
    lexicons = [Lexicon(Settings(max_length=length)) for length in range(20, 30)]
    for lexicon in lexicons:
        pool.give_back(lexicon)
    oldest, youngest = lexicons[0], lexicons[-1]
    assert pool.take(oldest.settings) is not oldest
    assert pool.take(youngest.settings) is youngest
    youngest._size = LexiconPool.MOST_WORDS + 1
    pool.give_back(youngest)
    assert pool.take(youngest.settings) is not youngest


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_begins_anew_even_while_the_lock_is_held() -> None:
    with _POOL._lock:
        child = os.fork()
        if not child:
            with borrow_lexicon(Settings()):
                os._exit(0)
    assert os.waitpid(child, 0)[1] == 0


def test_answers_do_not_depend_on_what_was_compared_before_nor_on_threads() -> None:
    alone = []
    for pair in PAIRS:
        _POOL.forget()
        alone.append(lw.compare(*pair))
    assert [lw.compare(*pair) for pair in PAIRS] == alone
    backwards = [lw.compare(*pair) for pair in reversed(PAIRS)]
    assert backwards == alone[::-1]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda pair: lw.compare(*pair), PAIRS * 3)) == alone * 3
