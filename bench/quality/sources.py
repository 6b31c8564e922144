"""Whether the source of a rewritten or translated passage is found in a library.

    ./dev bench quality 'sources in a library'

The sources of `rewritten` and of the texts kept unseen stand in libraries of real texts
(`bench/making/background.py`). Each passage of 80 words and more is put into honest texts of 800,
1,000, 5,000 and 30,000 words, one to five in a text, each from another source; honest is what
shares no run of eight words with the library, and is of another genre than the sources. A source
is found if its document is among the first ten of the answer to the whole text. CPU time is that of
a call with the text, for each 1,000 words of it.

    ./dev bench quality 'checks of rewritten texts'

tells which of these passages a whole check of the same texts shows with their source.

Sizes are those of LIKEWISE_SOURCES_SIZES (10000,100000); peers, and ourselves without pruning, are
asked about every sixth text, up to LIKEWISE_SOURCES_PEERS documents (100000).
"""

from __future__ import annotations

import os
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np

from bench.corpus import say
from bench.making.background import RECIPE, Background, Block
from bench.making.reworded import RewordedPair, unseen_cases
from bench.quality.reworded import rewritten_pairs
from bench.quality.sources_peers import FIRST, Answer, peers_of
from likewise.library import Library
from likewise.library.schema import VERSION
from likewise.model import Document, Span
from likewise.search import meaning

SIZES = (10_000, 100_000)
MOST_OF_PEERS = 100_000  # documents
SAMPLED = 6  # of so many texts one is for peers: these take a hundred times as long
LENGTHS = (800, 1_000, 5_000, 30_000)  # words of the checked texts
FEWEST_WORDS = 80  # of a passage
MOST_PASSAGES = 5  # of a text
MOST_OF_A_TEXT = 0.6  # that its passages may be
REWRITTEN, TRANSLATED = "rewritten", "translated"
TARGETS = {REWRITTEN: 0.97, TRANSLATED: 0.93}  # at 100,000 documents
BY_MEANING, BY_FINGERPRINTS = "**Likewise**, by meaning", "Likewise, by fingerprints alone"
UNPRUNED = "Likewise, by meaning, nothing pruned"
_SEED = 24
_ALL = 1 << 30  # postings
_ALL_ROWS = 1 << 14  # blocks for each block of a text
_BATCH = 2_000  # documents that a library is handed at a time

PAIRS = {
    "English": ("en-light", "en-heavy", "en-summary"),
    "Russian": ("ru-light", "ru-heavy", "ru-summary"),
    "Kazakh": ("kk-light", "kk-heavy", "kk-summary"),
    "English to Russian": ("en-ru-translated", "en-ru-translated-heavy"),
    "English to Kazakh": ("en-kk-translated", "en-kk-translated-heavy"),
    "Russian to Kazakh": ("ru-kk-translated", "ru-kk-translated-heavy"),
}


Ask = Callable[[str], Mapping[str, Answer]]  # a text to an answer for each rule of counting votes


@dataclass(frozen=True, slots=True)
class Passage:
    """What was rewritten or translated, and its source in the library."""

    corpus: str  # rewritten or unseen
    kind: str
    text: str = field(repr=False)
    source_name: str

    @property
    def language(self) -> str:
        first, second, *_ = self.kind.split("-")
        return second if TRANSLATED in self.kind else first

    @property
    def pool(self) -> str:
        return TRANSLATED if TRANSLATED in self.kind else REWRITTEN


@dataclass(frozen=True, slots=True)
class CheckedText:
    """An honest text with passages in it."""

    length: int  # words that were asked for
    text: str = field(repr=False)
    passages: tuple[Passage, ...]


class Outcome(NamedTuple):
    """The answer to a text: the rank of each passage's source from 0, None where it is not in."""

    checked: CheckedText
    ranks: tuple[int | None, ...]
    cpu_seconds: float
    postings: int | None


# The index of concepts.


def ask(library: Library, text: str) -> Answer | None:
    """The documents that a text may be rewritten or translated from; None: there is no such index.

    The one place that knows how the library is asked.
    """
    candidates = getattr(library, "candidates_by_meaning", None)
    if candidates is None:
        return None
    return Answer([candidate.entry.name for candidate in candidates(text, limit=FIRST)])


def ask_unpruned(library: Library, text: str) -> Answer | None:
    """The same where no posting is left out and all blocks that share a key are looked at, as far
    as there is memory for it: what pruning loses.
    """
    with patch.multiple(meaning, MOST_HOLDERS=_ALL, MOST_FOLLOWED=_ALL, MOST_ROWS=_ALL_ROWS):
        return ask(library, text)


def ask_fingerprints(library: Library, text: str) -> Answer:
    """What the library finds by runs of eight words."""
    return Answer(
        [candidate.entry.name for candidate in library.candidates(text, limit=FIRST).ranked]
    )


# The benchmark.


def sources_in_libraries(folder: Path) -> list[dict[str, Any]]:
    """For each size of library and each system: who is found, and what it costs."""
    passages, sources = passages_and_sources(folder)
    if not any(passage.corpus == REWRITTEN for passage in passages):
        return []
    background = Background(folder, sources)
    texts = checked_texts(passages, background.host_blocks(), background.genre_of_sources())
    sizes = os.environ.get("LIKEWISE_SOURCES_SIZES", ",".join(map(str, SIZES))).split(",")
    most_of_peers = int(os.environ.get("LIKEWISE_SOURCES_PEERS", MOST_OF_PEERS))
    figures: list[dict[str, Any]] = []
    for size in map(int, sizes):
        with provide_library(background, size) as library:
            for system, question in _questions(library, texts[0].text):
                if system != UNPRUNED:
                    figures += measure(size, system, question, texts)
                elif size <= most_of_peers:
                    figures += measure(size, system, question, texts[::SAMPLED])
        if size <= most_of_peers:
            for system, index in peers_of(background.library_documents(size)):
                figures += measure(size, system, index, texts[::SAMPLED])
    return figures


def checks_in_libraries(folder: Path) -> list[dict[str, Any]]:
    """For each size of library and length of text: which passages a whole check tells.

    What is among the first ten is aligned and held against chance, so a check tells less than the
    search finds. A passage is told if a passage from its source lies in it.
    """
    passages, sources = passages_and_sources(folder)
    if not any(passage.corpus == REWRITTEN for passage in passages):
        return []
    background = Background(folder, sources)
    texts = checked_texts(passages, background.host_blocks(), background.genre_of_sources())
    sizes = os.environ.get("LIKEWISE_SOURCES_SIZES", ",".join(map(str, SIZES))).split(",")
    figures: list[dict[str, Any]] = []
    for size in map(int, sizes):
        with provide_library(background, size) as library:
            figures += told_figures(size, library, texts)
    return figures


def told_figures(
    size: int, library: Library, texts: Sequence[CheckedText]
) -> Iterator[dict[str, Any]]:
    """By corpus, kind of passage and length; and how many other documents were told."""
    told: dict[tuple[str, str, int], list[bool]] = defaultdict(list)
    others = 0
    for checked in texts:
        check = library.check(Document.from_text(checked.text, name="checked"))
        names = {passage.source_name for passage in checked.passages}
        others += sum(bool(s.passages) and s.name not in names for s in check.sources)
        for passage in checked.passages:
            start = checked.text.index(passage.text)
            place = Span(start, start + len(passage.text))
            is_told = any(
                source.name == passage.source_name and any(p.a & place for p in source.passages)
                for source in check.sources
            )
            told[passage.corpus, passage.kind, checked.length].append(is_told)
    say(f"checks of rewritten texts: {size:,} documents, {others} other sources")
    for (corpus, kind, length), of_kind in sorted(told.items()):
        yield {
            "documents": size,
            "corpus": corpus,
            "class": kind,
            "words": length,
            "passages": len(of_kind),
            "told": sum(of_kind),
        }
    yield {"documents": size, "texts": len(texts), "other_sources": others}


def _questions(library: Library, text: str) -> Iterator[tuple[str, Ask]]:
    """The ways to ask a library that there are."""
    for system, function in (
        (BY_MEANING, ask),
        (UNPRUNED, ask_unpruned),
        (BY_FINGERPRINTS, ask_fingerprints),
    ):
        if function(library, text) is None:
            say(f"sources in a library: {system} is left out: it is not connected")
        else:
            yield system, partial(_by_one_rule, function, library)


def _by_one_rule(
    function: Callable[[Library, str], Answer | None], library: Library, text: str
) -> dict[str, Answer]:
    return {"": function(library, text) or Answer(())}


def provide_library(background: Background, size: int) -> Library:
    """Made once of each size and version of the database."""
    path = background.folder / f"{size}-{RECIPE}-{VERSION}.db"
    if not path.is_file():
        say(f"sources in a library: making a library of {size:,} documents")
        unfinished = path.with_suffix(".part.db")
        unfinished.unlink(missing_ok=True)
        began = time.process_time()
        with Library(str(unfinished)) as library:
            for batch in _batches(background.library_documents(size)):
                library.add_texts(batch)
        say(f"sources in a library: {time.process_time() - began:.0f} s of CPU")
        unfinished.rename(path)
    return Library(str(path))


def _batches(documents: Iterable[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    for _, batch in groupby(enumerate(documents), lambda numbered: numbered[0] // _BATCH):
        yield [document for _, document in batch]


def measure(
    size: int, system: str, question: Ask, texts: Sequence[CheckedText]
) -> list[dict[str, Any]]:
    """Ask about every text; figures for each rule of counting votes."""
    question(texts[0].text)  # what is loaded once is no part of the figures
    outcomes: dict[str, list[Outcome]] = defaultdict(list)
    for checked in texts:
        began = time.process_time()
        answers = question(checked.text)
        spent = time.process_time() - began
        for rule, answer in answers.items():
            places = {name: rank for rank, name in reversed([*enumerate(answer.names[:FIRST])])}
            ranks = tuple(places.get(passage.source_name) for passage in checked.passages)
            outcomes[rule].append(Outcome(checked, ranks, spent, answer.postings))
    figures: list[dict[str, Any]] = []
    by_class = system == BY_MEANING
    for rule, of_rule in outcomes.items():
        facts = {"documents": size, "system": system, "votes": rule}
        figures += [{**facts, **figure} for figure in recall_figures(of_rule, by_class)]
        pooled = (
            f for f in figures if f["votes"] == rule and f["class"] in TARGETS and "words" not in f
        )
        shares = ", ".join(f"{f['corpus']} {f['class']} {f['share']}" for f in pooled)
        say(f"sources in a library: {size:,} documents, {system}, {rule or 'all'}: {shares}")
    figures += [
        {"documents": size, "system": system, **figure}
        for figure in cost_figures(next(iter(outcomes.values())))
    ]
    return figures


def recall_figures(outcomes: Sequence[Outcome], by_class: bool) -> Iterator[dict[str, Any]]:
    """By corpus: all rewritten and all translated passages, by length; languages; classes if so."""
    ranked = [
        (passage, outcome.checked.length, rank)
        for outcome in outcomes
        for passage, rank in zip(outcome.checked.passages, outcome.ranks, strict=True)
    ]
    kinds = sorted({passage.kind for passage, _, _ in ranked})
    for corpus in sorted({passage.corpus for passage, _, _ in ranked}):
        pools = {
            pool: tuple(kind for kind in kinds if (TRANSLATED in kind) == (pool == TRANSLATED))
            for pool in TARGETS
        }
        classes = {kind: (kind,) for kind in kinds} if by_class else {}
        for name, members in {**pools, **PAIRS, **classes}.items():
            for length in (None, *LENGTHS) if name in pools else (None,):
                ranks = [
                    rank
                    for passage, words, rank in ranked
                    if passage.corpus == corpus
                    and passage.kind in members
                    and length in (None, words)
                ]
                if ranks:
                    yield {
                        "corpus": corpus,
                        "class": name,
                        **({"words": length} if length else {}),
                        **_recall(ranks),
                    }


def _recall(ranks: Sequence[int | None]) -> dict[str, Any]:
    ranks_in_ten = [rank for rank in ranks if rank is not None]
    return {
        "passages": len(ranks),
        "in_first_ten": len(ranks_in_ten),
        "share": round(len(ranks_in_ten) / len(ranks), 4),
        "reciprocal_rank": round(sum(1 / (1 + rank) for rank in ranks_in_ten) / len(ranks), 4),
    }


def cost_figures(outcomes: Sequence[Outcome]) -> Iterator[dict[str, Any]]:
    """CPU for each 1,000 words, by the length of the text."""
    for length in LENGTHS:
        of_length = [outcome for outcome in outcomes if outcome.checked.length == length]
        thousands = [len(outcome.checked.text.split()) / 1_000 for outcome in of_length]
        if not of_length:
            continue
        spent = [
            1_000 * outcome.cpu_seconds / words
            for outcome, words in zip(of_length, thousands, strict=True)
        ]
        postings = [
            outcome.postings / words
            for outcome, words in zip(of_length, thousands, strict=True)
            if outcome.postings is not None
        ]
        yield {
            "words": length,
            "texts": len(of_length),
            "cpu_ms_of_1000_words": round(median(spent), 3),
            "cpu_ms_of_1000_words_p95": round(float(np.percentile(spent, 95)), 3),
            **({"postings_of_1000_words": round(median(postings))} if postings else {}),
        }


# Passages and checked texts.


def passages_and_sources(folder: Path) -> tuple[list[Passage], dict[str, str]]:
    """The passages that are long enough, and all sources with their names in the library."""
    corpora: dict[str, list[RewordedPair]] = {
        REWRITTEN: rewritten_pairs(folder),
        "unseen": unseen_cases(),
    }
    passages = [
        Passage(corpus, pair.kind, text, _name(corpus, pair))
        for corpus, pairs in corpora.items()
        for pair in pairs
        for case in pair.cases
        for text in (pair.suspicious[case.a_start : case.a_end].strip(),)
        if len(text.split()) >= FEWEST_WORDS
    ]
    sources = {
        _name(corpus, pair): pair.source for corpus, pairs in corpora.items() for pair in pairs
    }
    return passages, sources


def _name(corpus: str, pair: RewordedPair) -> str:
    return f"{corpus}/{pair.source_name}"


class HostBlock(NamedTuple):
    """Honest text, and how many words it has."""

    text: str
    words: int


def checked_texts(
    passages: Sequence[Passage], blocks: Sequence[Block], genre_of: Mapping[str, str]
) -> list[CheckedText]:
    """Every passage once in a text of each length, the same in every run."""
    hosts: dict[str, dict[str, list[HostBlock]]] = defaultdict(lambda: defaultdict(list))
    for block in blocks:
        host_block = HostBlock(block.text, len(block.text.split()))
        hosts[block.language][block.genre].append(host_block)
    texts = []
    for length in LENGTHS:
        dice = random.Random(f"{_SEED} {length}")
        for language in sorted(hosts):
            waiting = [passage for passage in passages if passage.language == language]
            dice.shuffle(waiting)
            while waiting:
                group = _take_group(waiting, length, dice)
                genres = {genre_of.get(passage.source_name) for passage in group}
                of_genres = {
                    genre: of_genre
                    for genre, of_genre in sorted(hosts[language].items())
                    if genre not in genres
                }
                texts.append(_checked_text(group, of_genres, length, dice))
    return texts


def _take_group(waiting: list[Passage], length: int, dice: random.Random) -> list[Passage]:
    """One to five passages from different sources; they are waiting no longer."""
    group_size = dice.randint(1, MOST_PASSAGES)
    group: list[Passage] = []
    words = 0
    for passage in list(waiting):
        words_of_passage = len(passage.text.split())
        is_fitting = words + words_of_passage <= MOST_OF_A_TEXT * length
        is_new = all(passage.source_name != other.source_name for other in group)
        if len(group) < group_size and is_new and (is_fitting or not group):
            group.append(passage)
            waiting.remove(passage)
            words += words_of_passage
    return group


def _checked_text(
    group: Sequence[Passage],
    hosts: Mapping[str, Sequence[HostBlock]],
    length: int,
    dice: random.Random,
) -> CheckedText:
    """Text of one genre, or of several where one has too little."""
    host_words = length - sum(len(passage.text.split()) for passage in group)
    large = [
        genre
        for genre, blocks in hosts.items()
        if sum(block.words for block in blocks) >= host_words
    ]
    if large:
        blocks = list(hosts[dice.choice(large)])
    else:
        blocks = [block for of_genre in hosts.values() for block in of_genre]
    paragraphs: list[str] = []
    words = 0
    first = dice.randrange(len(blocks))
    for block in (*blocks[first:], *blocks[:first]):
        if words >= host_words:
            break
        paragraphs.append(block.text)
        words += block.words
    for passage in group:
        paragraphs.insert(dice.randint(0, len(paragraphs)), passage.text)
    return CheckedText(length, "\n\n".join(paragraphs), tuple(group))
