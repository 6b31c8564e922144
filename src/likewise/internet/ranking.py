"""Which of the pages found are worth fetching, judged by what the provider shows of them.

A snippet of a page that was copied from repeats what stands around the place that asked: its rare
words, and pairs of words in a row. A page about the same subject repeats single words.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from likewise.internet.model import Result
from likewise.internet.queries import Query, Word, words_of_text
from likewise.language import Lexicon
from likewise.language.rarity import Rarity

AROUND_WORDS = 60  # on either side of the stretch that asked: where a snippet may come from
FEWEST_SNIPPET_STEMS = 5  # a shorter one shows nothing
_TITLE_ALONE = 0.4  # what a title counts where there is no snippet


@dataclass(frozen=True, slots=True)
class Ranked:
    """A result and how much its snippet is like the text that asked, from 0 to 1."""

    result: Result
    score: float
    query: Query


class Ranking:
    """The words of one document, against which snippets are held."""

    def __init__(self, words: Sequence[Word], lexicon: Lexicon, rarity: Rarity) -> None:
        self._words = words
        self._starts = [word.span.start for word in words]
        self._lexicon, self._rarity = lexicon, rarity

    def rank(self, results: Sequence[Result], query: Query) -> list[Ranked]:
        """Results that say anything, the likest first."""
        around = self._around(query)
        stems = {word.stem for word in around if word.stem}
        in_a_row = _in_a_row(around)
        ranked = [Ranked(result, self._score(result, stems, in_a_row), query) for result in results]
        return sorted(ranked, key=lambda each: (-each.score, each.result.rank, each.result.url))

    def _around(self, query: Query) -> Sequence[Word]:
        first = bisect_left(self._starts, query.span.start)
        last = bisect_right(self._starts, query.span.end)
        return self._words[max(first - AROUND_WORDS, 0) : last + AROUND_WORDS]

    def _score(self, result: Result, stems: set[str], in_a_row: set[tuple[str, str]]) -> float:
        shown = words_of_text(result.snippet, self._lexicon, self._rarity)
        score = _alike(shown, stems, in_a_row)
        if score is None:
            title = words_of_text(result.title, self._lexicon, self._rarity)
            score = (_alike(title, stems, in_a_row) or 0.0) * _TITLE_ALONE
        return score


def _alike(shown: Sequence[Word], stems: set[str], in_a_row: set[tuple[str, str]]) -> float | None:
    """Half by rare words, half by pairs of words in a row; None of too few words."""
    bits = {word.stem: word.bits for word in shown if word.stem}
    if len(bits) < FEWEST_SNIPPET_STEMS:
        return None
    pairs = _in_a_row(shown)
    words_shared = sum(bits[stem] for stem in bits.keys() & stems) / sum(bits.values())
    pairs_shared = len(pairs & in_a_row) / len(pairs) if pairs else 0.0
    return (words_shared + pairs_shared) / 2


def _in_a_row(words: Sequence[Word]) -> set[tuple[str, str]]:
    return set(pairwise(word.stem for word in words if word.stem))
