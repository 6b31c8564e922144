"""Many tables: which are worth comparing, found without looking at every pair."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from likewise.language import Lexicon
from likewise.model import Table
from likewise.settings import Settings, ensure_threshold
from likewise.tables.arrays import COARSE, FINE, TableArrays, number_keys, table_arrays
from likewise.tables.layout import lay_out
from likewise.tables.match import LEAST_SCORE, TableMatch, compare_arrays, match_of

Keys = NDArray[np.uint64]
Places = NDArray[np.int64]
Floats = NDArray[np.float64]

RAREST = 64  # tokens that a table is looked up by, however many tables hold them
RARE = 16  # holders up to which a token is always looked up
LEAST_SHARE = 0.25  # of the tokens of one table that another must share, to be compared
LEAST_TOKENS = 2


class TableIndex:
    """Tables that can be asked which of them are like another, or like each other.

    >>> from likewise.model import Span, Table
    >>> rows = (("Alpha-Bud", "895 975"), ("TechBud", "225 750"), ("New Company", "785 960"))
    >>> index = TableIndex()
    >>> index.add(Table(rows, Span(0, 0)))
    0
    >>> turned = Table(tuple(zip(*reversed(rows))), Span(0, 0))
    >>> [(match.b, match.score, match.transposed) for match in index.search(turned)]
    [(0, 1.0, True)]
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self._lexicon = Lexicon(settings or Settings())
        self._prints: list[TableArrays] = []
        self._tokens: list[Keys] = []
        self._postings: _Postings | None = None

    def __len__(self) -> int:
        return len(self._prints)

    def add(self, table: Table) -> int:
        """Take a table in; its place."""
        arrays = table_arrays(lay_out(table), self._lexicon)
        self._prints.append(arrays)
        self._tokens.append(tokens_of(arrays))
        self._postings = None
        return len(self._prints) - 1

    def search(self, table: Table, threshold: float = LEAST_SCORE, a: int = 0) -> list[TableMatch]:
        """The tables here that are like another one, the likest first; `a` is its place."""
        ensure_threshold(threshold)
        arrays = table_arrays(lay_out(table), self._lexicon)
        places = self._get_postings().candidates(tokens_of(arrays)).tolist()
        matches = (self._compare(arrays, place, (a, place), threshold) for place in places)
        return sorted(filter(None, matches), key=lambda match: (-match.score, match.b))

    def pairs(self, threshold: float = LEAST_SCORE) -> Iterator[TableMatch]:
        """Every two tables here that are like each other, cell by cell, in order of place."""
        for a, b, _ in self.scored_pairs(threshold):
            match = self._compare(self._prints[a], b, (a, b), threshold)
            if match is not None:
                yield match

    def scored_pairs(self, threshold: float = LEAST_SCORE) -> Iterator[tuple[int, int, float]]:
        """The same without the cells: places and scores."""
        ensure_threshold(threshold)
        for a, b in self.candidate_pairs():
            explained, _ = compare_arrays(self._prints[a], self._prints[b])
            if explained.score >= threshold:
                yield a, b, explained.score

    def candidate_pairs(self) -> list[tuple[int, int]]:
        """Pairs that share enough rare tokens to be compared."""
        postings = self._get_postings()
        pairs: set[tuple[int, int]] = set()
        for place, tokens in enumerate(self._tokens):
            for other in postings.candidates(tokens, place).tolist():
                pairs.add((min(place, other), max(place, other)))
        return sorted(pairs)

    def _get_postings(self) -> _Postings:
        if self._postings is None:
            self._postings = _Postings(self._tokens)
        return self._postings

    def _compare(
        self, arrays: TableArrays, place: int, places: tuple[int, int], threshold: float
    ) -> TableMatch | None:
        other = self._prints[place]
        explained, alignment = compare_arrays(arrays, other)
        if alignment is None or explained.score < threshold:
            return None
        return match_of(arrays, other, places, explained, alignment)


class _Postings:
    """Which tables hold each token."""

    def __init__(self, sets: list[Keys]) -> None:
        lengths = np.array([len(tokens) for tokens in sets], dtype=np.int64)
        every = np.concatenate(sets) if sets else np.zeros(0, dtype=np.uint64)
        order = np.argsort(every, kind="stable")
        self._holders = np.repeat(np.arange(len(sets)), lengths)[order]
        self._tokens, self._starts, self._counts = np.unique(
            every[order], return_index=True, return_counts=True
        )
        self._tables = len(sets)
        weights = np.repeat(self._weights(self._counts), self._counts)
        self._whole = np.bincount(self._holders, weights, len(sets))

    def _weights(self, holders: Places) -> Floats:
        """Rare tokens tell most: the square of the bits that their rarity is worth."""
        bits: Floats = np.log2((self._tables + 1) / np.maximum(holders, 1))
        return bits**2

    def candidates(self, tokens: Keys, itself: int | None = None) -> Places:
        """Tables that share a good part of their tokens, or of these, by how rare they are.

        The cost is the number of holders of what is looked up: the rarest tokens, and all rare
        ones.
        """
        if not self._tables or not len(tokens):
            return np.zeros(0, dtype=np.int64)
        at = np.minimum(np.searchsorted(self._tokens, tokens), max(len(self._tokens) - 1, 0))
        is_known = (
            self._tokens[at] == tokens if len(self._tokens) else np.zeros(len(at), dtype=bool)
        )
        holders = np.where(is_known, self._counts[at], 0) if is_known.any() else np.zeros(len(at))
        useful = np.flatnonzero(holders > (itself is not None))
        if not len(useful):
            return np.zeros(0, dtype=np.int64)
        rarest = useful[np.argsort(holders[useful], kind="stable")]
        followed = rarest[: max(RAREST, int((holders[useful] <= RARE).sum()))]
        starts, counts = self._starts[at[followed]], self._counts[at[followed]]
        total = int(counts.sum())
        within = np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)
        tables = self._holders[np.repeat(starts, counts) + within]
        weights = self._weights(counts)
        shared = np.bincount(tables, np.repeat(weights, counts), self._tables)
        times = np.bincount(tables, minlength=self._tables)
        whole = np.minimum(float(weights.sum()), self._whole)
        enough = (shared >= LEAST_SHARE * whole) & (times >= min(LEAST_TOKENS, len(tokens)))
        if itself is not None:
            enough[itself] = False
        return np.flatnonzero(enough)


def index_of(tables: Iterable[Table], settings: Settings | None = None) -> TableIndex:
    """An index of some tables, in their order."""
    index = TableIndex(settings)
    for table in tables:
        index.add(table)
    return index


# What the index knows a table by: its cells, words and ratios, blind to their order.


MOST_TOKENS = 4_096  # of a table; of more, those with the smallest hashes, which copies share
_LEAST_BITS = 2.5  # what says less is in every table

_WORD_SALT = np.uint64(0x165667B19E3779F9)
_MIX = np.uint64(0x9E3779B97F4A7C15)


def tokens_of(table: TableArrays) -> Keys:
    """Distinct tokens: cells, numbers also with a digit or two less, words, ratios inside columns.

    A ratio stays when a column is given in another unit, whatever the factor.
    """
    is_rare = (table.bits >= _LEAST_BITS) & (table.keys != 0)
    numeric = is_rare & np.isfinite(table.values)
    parts = [
        table.keys[is_rare],
        *_rounded(table.values[numeric], table.grains[numeric]),
        _mixed(table.words ^ _WORD_SALT),
    ]
    parts.append(table.ratios)
    tokens = np.unique(np.concatenate(parts))
    if len(tokens) > MOST_TOKENS:
        tokens = np.sort(tokens[np.argsort(_mixed(tokens))[:MOST_TOKENS]])
    return tokens


def _rounded(values: Floats, grains: Floats) -> Iterator[Keys]:
    """Keys of numbers as they would be if rounded."""
    with np.errstate(divide="ignore", invalid="ignore"):
        power = np.floor(np.log10(np.abs(values)))
        digits = power - np.rint(np.log10(grains)) + 1
    for fewer in (1, 2):
        long = np.isfinite(digits) & (digits - fewer >= COARSE)
        last = 10.0 ** (power[long] - np.minimum(digits[long], FINE) + 1 + fewer)
        yield number_keys(np.rint(values[long] / last) * last, FINE)


def _mixed(keys: Keys) -> Keys:
    keys = keys * _MIX
    return keys ^ (keys >> np.uint64(31))
