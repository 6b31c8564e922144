"""Asking and fetching until the text is explained or the budget is spent.

Parts are asked for in an order that covers the whole text early. A page whose snippet repeats the
text is fetched at once, and what it explains is not asked for again; pages that are less like it
wait until the end of a round, when other queries may have found them too.

Which pages are worth fetching is judged by what the provider shows of them: a snippet of a page
that was copied from repeats what stands around the place that asked, its rare words, and pairs of
words in a row. A page about the same subject repeats single words. What a query in another language
brings is judged by concepts, names and numbers.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from likewise.align import Alignment, align_sides, side_of
from likewise.internet.model import FetchedPage, Result, SentQuery
from likewise.internet.queries import (
    QUERIES_PER_PART,
    Part,
    Query,
    Word,
    other_budget,
    spread,
    words_of_text,
)
from likewise.kernels import hash_words
from likewise.language import Lexicon
from likewise.language.concepts import Concepts
from likewise.language.rarity import Rarity
from likewise.model import IN_ORDER, Document, Message, Span, Unread
from likewise.progress import Progress

AROUND_WORDS = 60  # on either side of the stretch that asked: where a snippet may come from
FEWEST_SNIPPET_STEMS = 5  # a shorter one shows nothing
_MEANING = 0.6  # what words count that stand for the same: more pages share them by chance
_TITLE_ALONE = 0.4  # what a title counts where there is no snippet

Likeness = Callable[[Sequence[Word]], float | None]


@dataclass(frozen=True, slots=True)
class RankedResult:
    """A result and how much its snippet is like the text that asked, from 0 to 1."""

    result: Result
    score: float
    query: Query


class ResultRanker:
    """The words of one document, against which snippets are held."""

    def __init__(self, words: Sequence[Word], lexicon: Lexicon, rarity: Rarity) -> None:
        self._words = words
        self._starts = [word.span.start for word in words]
        self._lexicon, self._rarity = lexicon, rarity

    def rank(self, results: Sequence[Result], query: Query) -> list[RankedResult]:
        """Results that say anything, the likest first."""
        around = [word for word in self._around(query) if word.stem]
        likeness: Likeness
        if query.language:
            keys = {key for keys in _meanings(around) for key in keys}
            likeness = partial(_alike_in_meaning, keys=keys)
        else:
            stems = {word.stem for word in around}
            likeness = partial(_alike, stems=stems, in_a_row=_in_a_row(around))
        ranked = [RankedResult(each, self._score(each, likeness), query) for each in results]
        return sorted(ranked, key=lambda each: (-each.score, each.result.rank, each.result.url))

    def _around(self, query: Query) -> Sequence[Word]:
        first = bisect_left(self._starts, query.span.start)
        last = bisect_right(self._starts, query.span.end)
        return self._words[max(first - AROUND_WORDS, 0) : last + AROUND_WORDS]

    def _score(self, result: Result, likeness: Likeness) -> float:
        score = likeness(words_of_text(result.snippet, self._lexicon, self._rarity))
        if score is None:
            title = words_of_text(result.title, self._lexicon, self._rarity)
            score = (likeness(title) or 0.0) * _TITLE_ALONE
        return score


def _alike(
    snippet_words: Sequence[Word], stems: set[str], in_a_row: set[tuple[str, str]]
) -> float | None:
    """Half by rare words, half by pairs of words in a row; None of too few words."""
    bits = {word.stem: word.bits for word in snippet_words if word.stem}
    if len(bits) < FEWEST_SNIPPET_STEMS:
        return None
    pairs = _in_a_row(snippet_words)
    words_shared = sum(bits[stem] for stem in bits.keys() & stems) / sum(bits.values())
    pairs_shared = len(pairs & in_a_row) / len(pairs) if pairs else 0.0
    return (words_shared + pairs_shared) / 2


def _in_a_row(words: Sequence[Word]) -> set[tuple[str, str]]:
    return set(pairwise(word.stem for word in words if word.stem))


def _alike_in_meaning(snippet_words: Sequence[Word], keys: set[int]) -> float | None:
    """By rare words that stand for the same; None of too few words."""
    words = list({word.stem: word for word in snippet_words if word.stem}.values())
    if len(words) < FEWEST_SNIPPET_STEMS:
        return None
    bits = [word.bits for word in words]
    shared = (b for b, own in zip(bits, _meanings(words), strict=True) if not keys.isdisjoint(own))
    return _MEANING * sum(shared) / sum(bits)


def _meanings(words: Sequence[Word]) -> list[set[int]]:
    """What each word stands for: concepts, numbers, names by their consonants."""
    stems = hash_words([word.stem for word in words])
    features = Concepts.shipped().features(
        stems, lambda which: [words[k].spelled for k in which.tolist()]
    )
    meanings: list[set[int]] = [set() for _ in words]
    for key, word in zip(features.key.tolist(), features.word.tolist(), strict=True):
        meanings[word].add(key)
    return meanings


RESULTS_ASKED = 10  # of a provider for each query
SURE = 0.45  # a snippet so much like the text is fetched at once
WORTH_A_LOOK = 0.3  # less is only about the same subject
SEVERAL_TIMES = 0.08  # a page that several parts have found is likelier by so much for each
MOST_FETCHED_AT_ONCE = 3  # pages of one query that are sure, one after the other
DOUBTFUL_PER_100_QUERIES = 40  # how many doubtful pages are fetched
SILENT = 2  # queries without a result before shorter ones are sent
EXPLAINED = 0.5  # of a stretch: then it is not asked for

Mask = NDArray[np.bool_]
Ask = Callable[[str, int], tuple[list[Result], list[SentQuery]]]


def _in_turn(parts: Sequence[Sequence[Query]]) -> Iterator[Query]:
    """The first query of each part, then the second of each, in an order that covers the text."""
    for place in range(max(map(len, parts), default=0)):
        for number in spread(len(parts)):
            yield from parts[number][place : place + 1]


class PageFetcher(Protocol):
    """Fetches a page by its address."""

    def fetch(self, url: str) -> FetchedPage: ...


@dataclass(slots=True)
class SearchOutcome:
    """What was asked and found."""

    pages: list[Document] = field(default_factory=list)  # that share text, each once
    compared: int = 0  # all that were fetched and read
    fetched: int = 0  # that were asked for
    unread: list[Unread] = field(default_factory=list)
    asked: list[SentQuery] = field(default_factory=list)
    queries: int = 0


class SourceSearch:
    """One document being looked for."""

    def __init__(
        self,
        document: Document,
        words: Sequence[Word],
        lexicon: Lexicon,
        ranking: ResultRanker,
        ask: Ask,
        fetcher: PageFetcher,
        explained: Sequence[Span] = (),
        *,
        by_meaning: bool = True,
    ) -> None:
        self.outcome = SearchOutcome()
        self._side, self._lexicon = side_of(document, lexicon), lexicon
        self._ranking, self._ask, self._fetcher = ranking, ask, fetcher
        self._by_meaning = by_meaning
        self._explained = np.zeros(len(document.text) + 1, dtype=bool)
        self._retold = self._explained.copy()  # by a page that holds it in other words, or as it is
        self._starts = np.array([word.span.start for word in words], dtype=np.int64)
        self._fetched_urls: set[str] = set()  # addresses that were fetched
        self._contents: set[str] = set()
        self._doubtful: dict[str, RankedResult] = {}
        self._answered, self._unanswered = Counter[str](), Counter[str]()  # queries, by language
        for span in explained:
            self._explain(span)

    def seek(
        self, parts: Sequence[Part], budget: int, progress: Progress | None = None
    ) -> SearchOutcome:
        """Ask about every part that nothing explains, then once more about those that are left.

        Translations come after the first query of every part, up to a third of the budget; what
        is left of them comes last.
        """
        translations = _in_turn([part.translations for part in parts])
        for round_number in range(QUERIES_PER_PART):
            queries = _in_turn([part.queries[round_number : round_number + 1] for part in parts])
            covered = self._retold if round_number else self._explained
            if not self._ask_each(queries, covered, budget, budget, progress):
                return self.outcome
            own = self.outcome.queries
            self._fetch_doubtful(own)
            is_last = round_number == QUERIES_PER_PART - 1
            limit = budget if is_last else min(own + other_budget(budget), budget)
            if not self._ask_each(translations, self._retold, limit, budget, progress):
                return self.outcome
            self._fetch_doubtful(self.outcome.queries - own)
        return self.outcome

    def _ask_each(
        self,
        queries: Iterator[Query],
        covered: Mask,
        limit: int,
        budget: int,
        progress: Progress | None,
    ) -> bool:
        """Ask about what is not covered until so many queries were sent; whether anybody could be.

        What comes after the limit stays in the iterator.
        """
        while self.outcome.queries < limit and (query := next(queries, None)):
            if not self._is_explained(query.span, covered):
                if not self._ask_about(query):
                    return False
                if progress:
                    progress("asking", self.outcome.queries, budget)
        return True

    def _ask_about(self, query: Query) -> bool:
        """Whether anybody could be asked."""
        is_strict = self._is_strict(query.language)
        results, records = self._ask(query.short if is_strict else query.text, RESULTS_ASKED)
        if not records:
            return False
        if not any(line.problem for line in records):
            self._answered[query.language] += bool(results)
            self._unanswered[query.language] += not results
        self.outcome.asked += records
        self.outcome.queries += 1
        attempts = 0
        for ranked in self._ranking.rank(results, query):
            url = ranked.result.url
            if url in self._fetched_urls:
                continue
            if ranked.score >= SURE:
                if attempts < MOST_FETCHED_AT_ONCE and not self._is_explained(query.span):
                    attempts += 1
                    self._fetch(url)
            elif ranked.score >= WORTH_A_LOOK:
                before = self._doubtful.get(url)
                if before is None:
                    self._doubtful[url] = ranked
                else:
                    best = max(before, ranked, key=lambda each: each.score)
                    self._doubtful[url] = replace(best, score=best.score + SEVERAL_TIMES)
        return True

    def _is_strict(self, language: str) -> bool:
        """Whether most queries find nothing at all: then every word seems to be wanted.

        That there is nothing in another language says nothing about the words of the document.
        """
        unanswered = self._unanswered[language]
        return unanswered >= SILENT and unanswered > self._answered[language]

    def _fetch_doubtful(self, queries: int) -> None:
        """The likeliest of the pages that were not fetched at once, as many as queries allow."""
        remaining = -(-queries * DOUBTFUL_PER_100_QUERIES // 100)
        for ranked in sorted(self._doubtful.values(), key=lambda each: -each.score):
            url = ranked.result.url
            if (
                remaining
                and url not in self._fetched_urls
                and not self._is_explained(ranked.query.span)
            ):
                remaining -= 1
                self._fetch(url)
        self._doubtful.clear()

    def _fetch(self, url: str) -> None:
        self._fetched_urls.add(url)
        self.outcome.fetched += 1
        fetched = self._fetcher.fetch(url)
        document = fetched.document
        if document is None:
            why = fetched.problem or Message("internet.unreadable")
            self.outcome.unread.append(Unread(url, why))
            return
        name = fetched.final_url
        content = document.sha256 or document.text
        is_new = content not in self._contents and (name == url or name not in self._fetched_urls)
        self._fetched_urls.add(name)
        self._contents.add(content)
        if not is_new:
            return
        self.outcome.compared += 1
        page = replace(
            document,
            name=name,
            meta={**document.meta, "url": name, "fetched": fetched.fetched_on.isoformat()},
        )
        there = side_of(page, self._lexicon)
        alignment = align_sides(self._side, there, by_meaning=self._by_meaning)
        if alignment.passages or alignment.fragments:
            self.outcome.pages.append(page)
        self._explain_by(alignment)

    def _explain_by(self, alignment: Alignment) -> None:
        """What a page retells, another may hold word for word: it is asked for all the same."""
        for passage in alignment.passages:
            self._retold[passage.a.start : passage.a.end] = True
            if passage.kind in IN_ORDER:
                self._explain(passage.a)

    def _explain(self, span: Span) -> None:
        self._explained[span.start : span.end] = True
        self._retold[span.start : span.end] = True

    def _is_explained(self, span: Span, covered: Mask | None = None) -> bool:
        covered = self._explained if covered is None else covered
        first, last = np.searchsorted(self._starts, (span.start, span.end))
        if first == last:
            return True
        return bool(covered[self._starts[first:last]].mean() >= EXPLAINED)
