"""Asking and fetching until the text is explained or the budget is spent.

Parts are asked for in an order that covers the whole text early. A page whose snippet repeats the
text is fetched at once, and what it explains is not asked for again; pages that are less like it
wait until the end of a round, when other queries may have found them too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from likewise.align import Alignment, align_sides, side_of
from likewise.internet.model import Asked, Fetched, Result
from likewise.internet.queries import QUERIES_PER_PART, Part, Query, Word, spread
from likewise.internet.ranking import Ranked, Ranking
from likewise.language import Lexicon
from likewise.model import Document, Message, Span, Unread
from likewise.progress import Progress

RESULTS_ASKED = 10  # of a provider for each query
SURE = 0.45  # a snippet so much like the text is fetched at once
WORTH_A_LOOK = 0.3  # less is only about the same subject
SEVERAL_TIMES = 0.08  # a page that several parts have found is likelier by so much for each
MOST_FETCHED_AT_ONCE = 3  # pages of one query that are sure, one after the other
DOUBTFUL_PER_100_QUERIES = 40  # how many doubtful pages are fetched
SILENT = 2  # queries without a result before shorter ones are sent
EXPLAINED = 0.5  # of a stretch: then it is not asked for

Mask = NDArray[np.bool_]
Ask = Callable[[str, int], tuple[list[Result], list[Asked]]]


class Fetching(Protocol):
    """Fetches a page by its address."""

    def fetch(self, url: str) -> Fetched: ...


@dataclass(slots=True)
class Found:
    """What was asked and found."""

    pages: list[Document] = field(default_factory=list)  # that share text, each once
    compared: int = 0  # all that were fetched and read
    fetched: int = 0  # that were asked for
    unread: list[Unread] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    queries: int = 0


class Seeking:
    """One document being looked for."""

    def __init__(
        self,
        document: Document,
        words: Sequence[Word],
        lexicon: Lexicon,
        ranking: Ranking,
        ask: Ask,
        fetcher: Fetching,
        explained: Sequence[Span] = (),
    ) -> None:
        self.found = Found()
        self._side, self._lexicon = side_of(document, lexicon), lexicon
        self._ranking, self._ask, self._fetcher = ranking, ask, fetcher
        self._explained = np.zeros(len(document.text) + 1, dtype=bool)
        self._retold = self._explained.copy()  # by a page that holds it in other words, or as it is
        self._starts = np.array([word.span.start for word in words], dtype=np.int64)
        self._seen: set[str] = set()  # addresses that were fetched
        self._contents: set[str] = set()
        self._doubtful: dict[str, Ranked] = {}
        self._answered = self._unanswered = 0
        for span in explained:
            self._explain(span)

    def seek(self, parts: Sequence[Part], budget: int, progress: Progress | None = None) -> Found:
        """Ask about every part that nothing explains, then once more about those that are left."""
        for round_number in range(QUERIES_PER_PART):
            for number in spread(len(parts)):
                queries = parts[number].queries
                if round_number >= len(queries) or self.found.queries >= budget:
                    continue
                query = queries[round_number]
                known = self._retold if round_number else self._explained
                if not self._is_explained(query.span, known):
                    if not self._ask_about(query):
                        return self.found
                    if progress:
                        progress("asking", self.found.queries, budget)
            self._fetch_doubtful()
        return self.found

    def _ask_about(self, query: Query) -> bool:
        """Whether anybody could be asked."""
        results, asked = self._ask(query.short if self._is_strict else query.text, RESULTS_ASKED)
        if not asked:
            return False
        if not any(line.problem for line in asked):
            self._answered += bool(results)
            self._unanswered += not results
        self.found.asked += asked
        self.found.queries += 1
        tried = 0
        for ranked in self._ranking.rank(results, query):
            url = ranked.result.url
            if url in self._seen:
                continue
            if ranked.score >= SURE:
                if tried < MOST_FETCHED_AT_ONCE and not self._is_explained(query.span):
                    tried += 1
                    self._fetch(url)
            elif ranked.score >= WORTH_A_LOOK:
                before = self._doubtful.get(url)
                if before is None:
                    self._doubtful[url] = ranked
                else:
                    best = max(before, ranked, key=lambda each: each.score)
                    self._doubtful[url] = replace(best, score=best.score + SEVERAL_TIMES)
        return True

    @property
    def _is_strict(self) -> bool:
        """Whether most queries find nothing at all: then every word seems to be wanted."""
        return self._unanswered >= SILENT and self._unanswered > self._answered

    def _fetch_doubtful(self) -> None:
        """The likeliest of the pages that were not fetched at once."""
        left = -(-self.found.queries * DOUBTFUL_PER_100_QUERIES // 100)
        for ranked in sorted(self._doubtful.values(), key=lambda each: -each.score):
            url = ranked.result.url
            if left and url not in self._seen and not self._is_explained(ranked.query.span):
                left -= 1
                self._fetch(url)
        self._doubtful.clear()

    def _fetch(self, url: str) -> None:
        self._seen.add(url)
        self.found.fetched += 1
        fetched = self._fetcher.fetch(url)
        document = fetched.document
        if document is None:
            why = fetched.problem or Message("internet.unreadable")
            self.found.unread.append(Unread(url, why))
            return
        name = fetched.final_url
        content = document.sha256 or document.text
        is_new = content not in self._contents and (name == url or name not in self._seen)
        self._seen.add(name)
        self._contents.add(content)
        if not is_new:
            return
        self.found.compared += 1
        page = replace(
            document,
            name=name,
            meta={**document.meta, "url": name, "fetched": fetched.fetched_on.isoformat()},
        )
        aligned = align_sides(self._side, side_of(page, self._lexicon))
        if aligned.passages or aligned.fragments:
            self.found.pages.append(page)
        self._explain_by(aligned)

    def _explain_by(self, aligned: Alignment) -> None:
        """What a page retells, another may hold word for word: it is asked for all the same."""
        for passage in aligned.passages:
            self._retold[passage.a.start : passage.a.end] = True
            if passage.kind != "paraphrased":
                self._explain(passage.a)

    def _explain(self, span: Span) -> None:
        self._explained[span.start : span.end] = True
        self._retold[span.start : span.end] = True

    def _is_explained(self, span: Span, known: Mask | None = None) -> bool:
        known = self._explained if known is None else known
        first, last = np.searchsorted(self._starts, (span.start, span.end))
        if first == last:
            return True
        return bool(known[self._starts[first:last]].mean() >= EXPLAINED)
