"""What to ask: a document cut into informative parts, and the words of each that tell it apart.

The winners of the PAN tasks on source retrieval ask for the telling words of short stretches, a few
times for each paragraph, and stop asking about what a page that they found explains. So do we: a
query is the rarest words of a stretch of two or three sentences, in their order, since engines
prefer pages where they stand together. Titles, contents, cited quotations and bibliographies are
not asked for.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from likewise.align.exclude import Exclusions, exclude
from likewise.kernels import scan_texts
from likewise.language import Lexicon
from likewise.language.alphabet import fold_table
from likewise.language.homoglyphs import repair
from likewise.language.rarity import RAREST, Rarity
from likewise.language.words import token_flags
from likewise.model import Document, Span

PART_WORDS = 80  # of the text, stop words among them: what one query after the other is made of
STRETCH_WORDS = 40  # that the words of one query stand in
QUERY_WORDS = 10
SHORT_QUERY_WORDS = 3
QUERIES_PER_PART = 2
LEAST_QUERY_WORDS = 4  # fewer tell nothing apart
MOST_PER_100_WORDS = 2.0
REPEATED = 0.25  # what a word counts that earlier queries of this document have asked for
_PLENTY = 60  # queries that a document may have before their number grows with its pages alone
_PAGE_WORDS = 150  # of half a page, in a long document
LONGEST_WORD = 30  # letters; longer ones are no words
SENTENCE_ENDS = ".!?…\n"
NOT_SEARCHED = Exclusions(common=False)


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the text: where it stands, its stem, how it is spelled in a query, how rare."""

    span: Span
    stem: str  # empty for a stop word
    spelled: str
    bits: float


@dataclass(frozen=True, slots=True)
class Query:
    """Words to ask for, and the stretch of the document that they stand in.

    `short` are the surest of them, for engines that want every word on the page. A `language` is
    that of a translated query; one in the words of the document has none.
    """

    text: str
    span: Span
    short: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a document that is searched for by itself; its queries, the most telling first.

    `translations` are queries in other languages, where they may be sent.
    """

    span: Span
    queries: tuple[Query, ...]
    translations: tuple[Query, ...] = ()


def searched_words(document: Document, lexicon: Lexicon, rarity: Rarity) -> list[Word]:
    """The words of a document that may be asked for, in their order."""
    excluded = [found.span for found in exclude(document, NOT_SEARCHED)]
    words = words_of_text(document.compared_text, lexicon, rarity)
    return list(_outside(words, excluded))


def words_of_text(text: str, lexicon: Lexicon, rarity: Rarity) -> list[Word]:
    """Every word of a text; disguised letters are spelled as they were before the disguise.

    >>> from likewise.settings import Settings
    >>> words = words_of_text("The wide steppes", Lexicon(Settings()), Rarity.shipped())
    >>> [(word.stem, word.spelled) for word in words]
    [('', 'the'), ('wide', 'wide'), ('stepp', 'steppes')]
    """
    flags = token_flags(lexicon.settings)
    nothing = np.zeros((2, 2), dtype=np.uint64)
    _, _, start, end, unknown = scan_texts([text], fold_table(), flags, nothing, True)
    assert unknown is not None and start is not None and end is not None
    _, which, _, folded = unknown
    stems = lexicon.canonical(folded)
    mended = [repair(unicodedata.normalize("NFKC", word)) for word in folded]
    bits = [rarity.of(stem) if stem else 0.0 for stem in stems]
    return [
        Word(Span(first, last), stems[i], mended[i], bits[i])
        for i, first, last in zip(which.tolist(), start.tolist(), end.tolist(), strict=True)
    ]


def default_budget(words: int) -> int:
    """How many queries a document of so many words is worth.

    Two for each hundred words at first; a long document is asked for once every half page, so that
    every page of it is covered at a price that somebody will pay.

    >>> [default_budget(words) for words in (10, 500, 3_000, 30_000)]
    [1, 10, 60, 200]
    """
    densest = max(int(words * MOST_PER_100_WORDS / 100), 1)
    return min(densest, max(_PLENTY, words // _PAGE_WORDS))


def other_budget(budget: int) -> int:
    """How many of so many queries may be in other languages before all others were asked.

    A third: the rest suffices for every part of 80 words in its own words. Half of them finds more
    translations, and loses copies in the same language.

    >>> [other_budget(budget) for budget in (1, 2, 3, 20, 60)]
    [0, 1, 1, 6, 20]
    """
    return max(budget // 3, min(budget - 1, 1))


def informative_parts(document: Document, words: Sequence[Word], budget: int) -> tuple[Part, ...]:
    """The parts of a document, at most one for each query that may be asked, in its order."""
    if not words or budget < 1:
        return ()
    size = max(PART_WORDS, -(-len(words) // budget))
    text, queries_so_far = document.compared_text, set[str]()
    parts = []
    for first, last in _cuts(text, words, size):
        own = words[first:last]
        queries = tuple(_queries(own, queries_so_far))
        if queries:
            parts.append(Part(Span(own[0].span.start, own[-1].span.end), queries))
    return tuple(parts)


def spread(count: int) -> Iterator[int]:
    """Numbers below `count` so that any first few of them lie far apart.

    >>> list(spread(6))
    [0, 4, 2, 1, 5, 3]
    """
    bits = max(count - 1, 0).bit_length()
    for i in range(1 << bits):
        place = int(format(i, f"0{bits}b")[::-1], 2) if bits else 0
        if place < count:
            yield place


def _outside(words: Sequence[Word], excluded: Sequence[Span]) -> Iterator[Word]:
    """Words that stand in none of some disjoint spans in order."""
    at = 0
    for word in words:
        while at < len(excluded) and excluded[at].end <= word.span.start:
            at += 1
        if at == len(excluded) or word.span.end <= excluded[at].start:
            yield word


def _cuts(text: str, words: Sequence[Word], size: int) -> Iterator[tuple[int, int]]:
    """Parts of about so many words that end where a sentence or a line does, where one does."""
    count = max(round(len(words) / size), 1)
    ends = [0]
    for number in range(1, count):
        at = round(len(words) * number / count)
        reach = size // 4
        near = sorted(range(max(at - reach, 1), min(at + reach, len(words))), key=_from(at))
        ends.append(next((i for i in near if _ends_before(text, words, i)), at))
    ends.append(len(words))
    for first, last in pairwise(ends):
        if first < last:
            yield first, last


def _from(place: int) -> Callable[[int], int]:
    return lambda other: abs(other - place)


def _ends_before(text: str, words: Sequence[Word], at: int) -> bool:
    return any(
        mark in SENTENCE_ENDS for mark in text[words[at - 1].span.end : words[at].span.start]
    )


def _queries(words: Sequence[Word], queries_so_far: set[str]) -> Iterator[Query]:
    """Queries of a part, each from a stretch of its own; `queries_so_far` holds their words."""
    free = [word.bits > 0 for word in words]
    for _ in range(QUERIES_PER_PART):
        worth = [
            _worth(word, queries_so_far) if is_free else 0.0
            for word, is_free in zip(words, free, strict=True)
        ]
        first, last = _best_stretch(worth)
        stretch_words = _query_words(words, worth, first, last)
        if len(stretch_words) < LEAST_QUERY_WORDS:
            return
        span = Span(words[first].span.start, words[last - 1].span.end)
        query_words = [words[i] for i in stretch_words]
        queries_so_far.update(word.stem for word in query_words)
        free[first:last] = [False] * (last - first)
        # What no list holds may be misspelled, or somebody else's word put in.
        by_rarity = sorted(stretch_words, key=lambda i: (words[i].bits == RAREST, -worth[i]))
        short = " ".join(words[i].spelled for i in sorted(by_rarity[:SHORT_QUERY_WORDS]))
        yield Query(" ".join(word.spelled for word in query_words), span, short)


def _worth(word: Word, queries_so_far: set[str]) -> float:
    is_word = 2 < len(word.spelled) <= LONGEST_WORD and not word.spelled.isdigit()
    # What was asked for before brings the same pages again.
    return word.bits * (REPEATED if word.stem in queries_so_far else 1.0) if is_word else 0.0


def _best_stretch(worth: Sequence[float]) -> tuple[int, int]:
    """Where the most telling words stand together."""
    if len(worth) <= STRETCH_WORDS:
        return 0, len(worth)
    sums = np.concatenate(([0.0], np.cumsum(worth)))
    first = int(np.argmax(sums[STRETCH_WORDS:] - sums[:-STRETCH_WORDS]))
    return first, first + STRETCH_WORDS


def _query_words(words: Sequence[Word], worth: Sequence[float], first: int, last: int) -> list[int]:
    """The most telling words of a stretch, each once, in their order."""
    used_stems: set[str] = set()
    stretch_words: list[int] = []
    for i in sorted(range(first, last), key=lambda i: (-worth[i], i)):
        if worth[i] > 0 and words[i].stem not in used_stems and len(stretch_words) < QUERY_WORDS:
            used_stems.add(words[i].stem)
            stretch_words.append(i)
    return sorted(stretch_words)
