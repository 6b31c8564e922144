"""Text that most of a collection shares, and text that stands in given templates."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import ceil

import numpy as np
from numpy.typing import NDArray

from likewise.align.exclude.lines import DetailedSpan
from likewise.kernels import shingle_runs
from likewise.language import Lexicon, Words, words_of
from likewise.model import Document, Span
from likewise.settings import Settings
from likewise.sketch import build_sets

WIDTH = 5  # canonical words in a shingle
FEWEST_WORDS = 8  # canonical words in a run, as everywhere
FEWEST_DOCUMENTS = 3
SHARE = 0.5

_FEWEST_WORDS_OF_LINE = 2
_FEWEST_WORDS_OF_PIECE = 3
_LONGEST_LINE = 2_000  # characters: longer ones are paragraphs, which runs of words cover
_PIECE = re.compile(r"[^:\t_.…]+(?:[_.…]{1,2}(?![_.…])[^:\t_.…]+)*")
_WORD = re.compile(r"[^\W\d_]+")

Hashes = NDArray[np.uint64]


@dataclass(frozen=True, slots=True, eq=False)
class Common:
    """The runs of words that most documents of a collection share."""

    hashes: Hashes = field(repr=False)  # sorted
    holders: NDArray[np.int64] = field(repr=False)  # how many documents hold each
    documents: int
    lexicon: Lexicon = field(repr=False)

    def __len__(self) -> int:
        return len(self.hashes)

    @classmethod
    def of(
        cls,
        documents: Iterable[Document],
        settings: Settings | None = None,
        *,
        lexicon: Lexicon | None = None,
        share: float = SHARE,
        fewest: int = FEWEST_DOCUMENTS,
        jobs: int = 1,
    ) -> Common:
        """What stands in at least this share of the documents, and in at least `fewest`.

        Takes 8 bytes a distinct shingle of each document while it counts.
        """
        lexicon = Lexicon(settings or Settings()) if lexicon is None else lexicon
        by_words = lexicon.settings.but(unit="words", shingle=WIDTH, measure="jaccard")
        texts = (document.compared_text for document in documents)
        sets = build_sets(texts, by_words, lexicon, jobs=jobs)
        hashes, holders = np.unique(sets.hashes, return_counts=True)
        enough = holders >= max(fewest, ceil(share * len(sets)))
        return cls(hashes[enough], holders[enough], len(sets), lexicon)


@dataclass(frozen=True, slots=True)
class CommonRuns:
    """Runs of one text that many documents hold, as a collection knows that counts its holders."""

    runs: tuple[tuple[Span, int], ...]  # where, and how many hold it
    documents: int
    phrases: tuple[tuple[Span, int], ...] = ()  # held by some, but not by very many


@dataclass(frozen=True, slots=True, eq=False)
class Templates:
    """Given texts, such as forms and assignments, that everyone may use."""

    hashes: Hashes = field(repr=False)  # sorted
    lines: frozenset[str] = field(repr=False)
    pieces: frozenset[str] = field(repr=False)  # of lines, between blanks to fill in
    lexicon: Lexicon = field(repr=False)

    @classmethod
    def of(cls, documents: Iterable[Document], lexicon: Lexicon | None = None) -> Templates:
        """Prepare templates once for many documents."""
        lexicon = Lexicon(Settings()) if lexicon is None else lexicon
        shingles, lines, pieces = [np.zeros(0, dtype=np.uint64)], set[str](), set[str]()
        for document in documents:
            text = document.compared_text
            shingles.append(_shingles(words_of(text, lexicon)))
            for line in text.splitlines():
                if len(line) <= _LONGEST_LINE:
                    lines.add(_key(line))
                    pieces.update(_key(piece[0]) for piece in _PIECE.finditer(line))
        return cls(
            np.unique(np.concatenate(shingles)), frozenset(lines), frozenset(pieces), lexicon
        )


def find_common(text: str, common: Common | CommonRuns) -> list[tuple[Span, int]]:
    """Where a text holds runs of words that most of a collection share, and how many hold them."""
    if isinstance(common, CommonRuns):
        return list(common.runs)
    if not len(common):
        return []
    words = words_of(text, common.lexicon)
    shingles = _shingles(words)
    place = np.minimum(np.searchsorted(common.hashes, shingles), len(common) - 1)
    is_common = common.hashes[place] == shingles
    runs: list[tuple[Span, int]] = []
    for first, end in _runs(is_common):
        holders = common.holders[place[first : end - WIDTH + 1]][is_common[first : end - WIDTH + 1]]
        # the rarest part bounds how many documents hold all of it
        runs.append((_span(words, first, end), int(holders.min())))
    return runs


def find_templates(text: str, templates: Templates) -> list[DetailedSpan]:
    """Where a text holds runs of words, or whole lines, of given templates."""
    words = words_of(text, templates.lexicon)
    in_template = np.isin(_shingles(words), templates.hashes)
    spans = [_span(words, first, end) for first, end in _runs(in_template)]
    spans += _template_lines(text, templates)
    return [(span, "") for span in spans]


def _shingles(words: Words) -> Hashes:
    """The full shingles of a text, one for each word that has enough words after it."""
    if len(words) < WIDTH:
        return np.zeros(0, dtype=np.uint64)
    return shingle_runs(words.hash, np.array([0, len(words)], dtype=np.int64), WIDTH)[0]


def _runs(marked: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Runs of words all of whose shingles are marked, if long enough: first word and end.

    Runs that overlap or touch are one.
    """
    edges = np.flatnonzero(np.diff(marked, prepend=False, append=False))
    firsts, ends = edges[::2], edges[1::2] + WIDTH - 1
    runs: list[tuple[int, int]] = []
    for first, end in zip(firsts.tolist(), ends.tolist(), strict=True):
        if end - first < FEWEST_WORDS:
            continue
        if runs and first <= runs[-1][1]:
            first = runs.pop()[0]
        runs.append((first, end))
    return runs


def _span(words: Words, first: int, end: int) -> Span:
    return Span(int(words.start[first]), int(words.end[end - 1]))


def _template_lines(text: str, templates: Templates) -> list[Span]:
    """Lines that stand in a template, and parts of lines around what was filled in."""
    spans: list[Span] = []
    position = 0
    for line in text.splitlines(keepends=True):
        start, position = position, position + len(line)
        if len(line) > _LONGEST_LINE or not line.strip():
            continue
        key = _key(line)
        if key in templates.lines and key.count(" ") + 1 >= _FEWEST_WORDS_OF_LINE:
            spans.append(Span(start + len(line) - len(line.lstrip()), start + len(line.rstrip())))
            continue
        for piece in _PIECE.finditer(line):
            key = _key(piece[0])
            if key in templates.pieces and key.count(" ") + 1 >= _FEWEST_WORDS_OF_PIECE:
                spans.append(Span(start + piece.start(), start + piece.end()))
    return spans


def _key(text: str) -> str:
    """The words of a line; what numbers it holds does not matter."""
    return " ".join(_WORD.findall(text.casefold()))
