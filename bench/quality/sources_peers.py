"""What else would find the source of a rewritten passage: BM25 over paragraphs.

A library's documents are cut into paragraphs of 60 words that count (about 100 as written); a text
is asked for paragraph by paragraph, each overlapping the next by half. Of each question the ten
best paragraphs vote for their documents, the best one for each document; votes are counted by two
rules, and told apart: *sum* adds what a document gets from all questions, *best* takes the most
that it gets from one. Terms are the stems that Likewise compares, without stop words, or the
concepts of its lexicon with its numbers and names, so that a translation has terms in common with
its source. `bm25s` with the settings that it has (Lucene's BM25), `tantivy` with one thread.
"""

from __future__ import annotations

import importlib
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from bench.corpus import say
from likewise.language import Lexicon, words_of
from likewise.language.concepts import Concepts
from likewise.settings import Settings

PARAGRAPH_WORDS = 60  # that count
QUESTION_STEP = PARAGRAPH_WORDS // 2
BEST_PARAGRAPHS = 10  # of a question, that vote
FIRST = 10  # documents of an answer
# It scores and sorts every paragraph for every question: an hour at ten times as many documents.
MOST_OF_BM25S = 10_000

Terms = list[NDArray[np.int64]]  # of each word, in order
Votes = Iterable[tuple[int, float]]  # of paragraphs, by their numbers


class Answer(NamedTuple):
    """Names of documents, the likeliest source first; how many postings were read, if known."""

    names: Sequence[str]
    postings: int | None = None


class _Engine(Protocol):
    """An index of paragraphs."""

    def add(self, paragraphs: list[list[int]]) -> None:
        """Take the terms of paragraphs in, which are numbered in order."""

    def finish(self) -> None:
        """Do what must be done before it is asked."""

    def best(self, questions: list[list[int]]) -> Iterable[Votes]:
        """For each question the numbers of the best paragraphs, and their scores."""


class ParagraphIndex:
    """Paragraphs of documents, asked for whole texts."""

    def __init__(self, engine: _Engine, terms_of: Callable[[str], Terms]) -> None:
        self._engine, self._terms_of = engine, terms_of
        self._names: list[str] = []  # of each paragraph's document
        self._numbers: dict[int, int] = {}  # of terms

    def add(self, name: str, text: str) -> None:
        """Take a document in."""
        numbers = self._numbers
        paragraphs = [
            [numbers.setdefault(term, len(numbers)) for term in paragraph]
            for paragraph in _paragraphs(self._terms_of(text), PARAGRAPH_WORDS)
        ]
        self._names += [name] * len(paragraphs)
        self._engine.add(paragraphs)

    def finish(self) -> None:
        """No document comes after."""
        self._engine.finish()

    def __call__(self, text: str) -> Mapping[str, Answer]:
        sums: dict[str, float] = defaultdict(float)
        bests: dict[str, float] = defaultdict(float)
        questions = [
            question
            for paragraph in _paragraphs(self._terms_of(text), QUESTION_STEP)
            if (question := [self._numbers[term] for term in paragraph if term in self._numbers])
        ]
        for numbers_and_scores in self._engine.best(questions) if questions else ():
            votes: dict[str, float] = {}
            for number, score in numbers_and_scores:
                name = self._names[number]
                votes[name] = max(votes.get(name, 0.0), score)
            for name, score in votes.items():
                sums[name] += score
                bests[name] = max(bests[name], score)
        return {rule: Answer(_first(votes)) for rule, votes in (("sum", sums), ("best", bests))}


def _first(votes: Mapping[str, float]) -> list[str]:
    return sorted(votes, key=lambda name: (-votes[name], name))[:FIRST]


def _paragraphs(words: Terms, step: int) -> Iterator[list[int]]:
    """The terms of so many words in a row; the last ones are a paragraph of their own."""
    for start in range(0, max(len(words) - PARAGRAPH_WORDS + step, 1), step):
        if in_row := words[start : start + PARAGRAPH_WORDS]:
            terms: list[int] = np.concatenate(in_row).tolist()
            yield terms


def peers_of(documents: Iterable[tuple[str, str]]) -> Iterator[tuple[str, ParagraphIndex]]:
    """Each peer that is installed, filled with the documents; one at a time is in memory."""
    texts = list(documents)
    for name, package, make, terms_of in (
        ("BM25 over paragraphs, stems", "tantivy", _Tantivy, stems_of),
        ("BM25 over paragraphs, concepts", "tantivy", _Tantivy, concepts_of),
        ("BM25 over paragraphs, stems", "bm25s", _Bm25s, stems_of),
        ("BM25 over paragraphs, concepts", "bm25s", _Bm25s, concepts_of),
    ):
        if package == "bm25s" and len(texts) > MOST_OF_BM25S:
            say(f"sources in a library: {name} ({package}) is left out: {len(texts):,} documents")
            continue
        try:
            importlib.import_module(package)
        except ImportError:
            say(f"sources in a library: {name} is left out, for want of {package}")
            continue
        with tempfile.TemporaryDirectory(prefix="likewise-bench-") as place:
            index = ParagraphIndex(make(Path(place)), terms_of)
            for document in texts:
                index.add(*document)
            index.finish()
            yield f"{name} ({package} {version(package)})", index


# Terms.


@cache
def _lexicon() -> Lexicon:
    return Lexicon(Settings())


def stems_of(text: str) -> Terms:
    """Canonical words, by their hashes."""
    return [*words_of(text, _lexicon()).hash.view(np.int64)[:, np.newaxis]]


def concepts_of(text: str) -> Terms:
    """The concepts of each word; a number or a name is one of its own."""
    words = words_of(text, _lexicon())
    distinct, first, number = np.unique(words.hash, return_index=True, return_inverse=True)

    def spell(places: NDArray[np.int64]) -> list[str]:
        spans = zip(words.start[first[places]], words.end[first[places]], strict=True)
        return [text[start:end] for start, end in spans]

    features = Concepts.shipped().features(distinct, spell)
    order = np.argsort(features.word, kind="stable")
    ends = np.searchsorted(features.word[order], np.arange(1, len(distinct)))
    keys = np.split(features.key[order], ends)
    return [keys[each] for each in number.tolist()]


# Engines.


class _Bm25s:
    def __init__(self, _folder: Path) -> None:
        self._paragraphs: list[list[int]] = []
        self._index: Any = None

    def add(self, paragraphs: list[list[int]]) -> None:
        self._paragraphs += paragraphs

    def finish(self) -> None:
        bm25s = importlib.import_module("bm25s")
        self._index = bm25s.BM25()
        terms = 1 + max(max(paragraph) for paragraph in self._paragraphs)
        vocabulary = {str(number): number for number in range(terms)}
        self._index.index((self._paragraphs, vocabulary), show_progress=False)
        self._paragraphs = []

    def best(self, questions: list[list[int]]) -> Iterator[Votes]:
        # All at once, as its documentation has it.
        numbers, scores = self._index.retrieve(
            questions, k=BEST_PARAGRAPHS, show_progress=False, backend_selection="numpy"
        )
        for row in range(len(questions)):
            yield zip(numbers[row].tolist(), scores[row].tolist(), strict=True)


class _Tantivy:
    def __init__(self, folder: Path) -> None:
        self._tantivy = importlib.import_module("tantivy")
        builder = self._tantivy.SchemaBuilder()
        builder.add_integer_field("number", fast=True)
        builder.add_text_field("terms", tokenizer_name="whitespace", index_option="freq")
        self._schema = builder.build()
        self._index = self._tantivy.Index(self._schema, path=str(folder))
        self._writer = self._index.writer(num_threads=1)
        self._searcher: Any = None
        self._size = 0

    def add(self, paragraphs: list[list[int]]) -> None:
        for number, paragraph in enumerate(paragraphs, self._size):
            terms = " ".join(map(_term, paragraph))
            self._writer.add_document(self._tantivy.Document(number=number, terms=terms))
        self._size += len(paragraphs)

    def finish(self) -> None:
        self._writer.commit()
        self._writer.wait_merging_threads()
        self._index.reload()
        self._searcher = self._index.searcher()

    def best(self, questions: list[list[int]]) -> Iterator[Votes]:
        query, should = self._tantivy.Query, self._tantivy.Occur.Should
        for question in questions:
            terms = [
                (should, query.term_query(self._schema, "terms", _term(term), "freq"))
                for term in question
            ]
            hits = self._searcher.search(
                query.boolean_query(terms), BEST_PARAGRAPHS, count=False
            ).hits
            numbers = self._searcher.fast_field_values("number", [place for _, place in hits])
            yield zip(numbers, (score for score, _ in hits), strict=True)


def _term(number: int) -> str:
    return f"t{number:x}"
