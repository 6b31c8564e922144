"""A text to the documents that share some of it, before anything is aligned.

Text that very many documents hold is common: counted and shown, not followed, counted for nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from sqlalchemy import Connection

from likewise.align import Alignment, CountedText
from likewise.align.check import MOST_COMMON
from likewise.align.exclude.exclusions import common_exclusion, without_spans
from likewise.align.genre import FEW_HOLDERS as SEVERAL_HOLDERS
from likewise.align.resolve import union
from likewise.align.shares import literal_of
from likewise.language import Words, words_of
from likewise.library.entries import Entry
from likewise.library.filter_matcher import (
    FilteredPostings,
    FilterMatcher,
    PostingLimits,
    Representative,
    StateKey,
    entries_of_representatives,
    find_representatives,
    find_representatives_in,
)
from likewise.library.filters import Filters, split_numbers
from likewise.library.recipes import Sketching
from likewise.library.segments import View
from likewise.library.sketches import PositionedFingerprints, distinct, locate_fingerprints
from likewise.model import Check, Source, Span
from likewise.search.postings import Hashes, Lookup, Numbers


class Cover:
    """Which of the fingerprints found are held by documents that were taken."""

    def __init__(self, lookup: Lookup) -> None:
        order = np.argsort(lookup.holder, kind="stable")
        self._documents, self._fingerprints = lookup.holder[order], lookup.fingerprint[order]
        self._covered = np.zeros(len(lookup.holders), dtype=bool)

    def adds(self, document: int) -> bool:
        """Whether it holds something that none of these holds."""
        return not self._covered[self._of(document)].all()

    def take(self, document: int) -> None:
        self._covered[self._of(document)] = True

    def _of(self, document: int) -> Numbers:
        first, end = np.searchsorted(self._documents, (document, document + 1))
        return self._fingerprints[int(first) : int(end)]


FEW_HOLDERS = 256  # a fingerprint of more documents may be common
COMMON = 0.01  # of the documents that fit: more than these, and more than a few, must hold it
MOST_FOLLOWED = 100_000  # postings that one check looks at
_AT_ONCE, _FEWEST_AT_ONCE = 200, 50  # candidates that are asked about at a time
_MANY_ELDEST = 200  # holders of common text; then one for each fingerprint is enough


def _nothing() -> Iterator[tuple[int, ...]]:
    return iter(())


@dataclass(frozen=True, slots=True)
class Candidate:
    """A document that may be a source: `shared` fingerprints of the text stand in it too.

    `copies` are other documents with the same text.
    """

    entry: Entry
    root: int  # the first document with its text, under which the index knows it
    shared: int
    share: float  # of the text's fingerprints
    copies: tuple[int, ...] = ()

    @property
    def id(self) -> int:
        return self.entry.id

    @property
    def name(self) -> str:
        return self.entry.name


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Documents that share text, most first; `beyond` more were found than were asked for."""

    ranked: tuple[Candidate, ...]
    common: tuple[CommonRun, ...]
    fingerprints: int
    common_share: float = 0.0  # of the fingerprints
    beyond: int = 0
    lookup: Lookup | None = field(default=None, repr=False)
    # For each common fingerprint, the eldest documents that hold it.
    eldest_of_common: Callable[[], Iterator[tuple[int, ...]]] = field(default=_nothing, repr=False)
    phrases: tuple[tuple[Span, int], ...] = field(default=(), repr=False)  # held by several
    # Where words stand that some document holds too.
    held: Callable[[], list[Span]] = field(default=list, repr=False)


def find_candidates(
    connection: Connection,
    view: View,
    using: Sketching,
    text: str,
    filters: Filters,
    limit: int | None,
) -> Candidates:
    """The documents that share fingerprints with a text, ranked by how many."""
    search = _CandidateSearch(connection, view, using, text, filters)
    numbers = search.ranked()
    representatives: list[Representative] = []
    most = len(numbers) if limit is None else limit
    for part in split_numbers(numbers.tolist(), max(_FEWEST_AT_ONCE, min(_AT_ONCE, most))):
        if len(representatives) >= most:
            break
        by_number = find_representatives(connection, part, filters)
        representatives += [by_number[number] for number in part if number in by_number][
            : most - len(representatives)
        ]
    return search.candidates(representatives, len(numbers) - len(representatives))


def find_candidates_in(
    connection: Connection,
    state: StateKey,
    view: View,
    using: Sketching,
    text: str,
    limit: int | None,
) -> Candidates | None:
    """What `find_candidates` finds without filters, by one statement on PostgreSQL.

    The index is that of a state which the library had; the statement tells whether it has it yet.
    None where it has not, or where very many documents are asked for.
    """
    search = _CandidateSearch(connection, view, using, text, Filters())
    numbers = search.ranked()
    most = len(numbers) if limit is None else min(limit, len(numbers))
    if most > _AT_ONCE:
        return None
    best = numbers[:most].tolist()
    by_number = find_representatives_in(connection, best, state)
    if by_number is None or len(by_number) < most:
        return None
    return search.candidates([by_number[number] for number in best], len(numbers) - most)


def find_covering(
    connection: Connection, view: View, using: Sketching, text: str, filters: Filters, best: int
) -> Candidates:
    """The best candidates, and of the others every one that holds what no better one holds.

    So each fingerprint of the text that a document holds is held by one of these, unless it is
    common; `beyond` is how many documents fit and hold nothing besides.
    """
    search = _CandidateSearch(connection, view, using, text, filters)
    numbers = search.ranked()
    cover = Cover(search.lookup)
    representatives: list[Representative] = []
    for part in split_numbers(numbers.tolist(), _AT_ONCE):
        open_numbers = [
            number for number in part if len(representatives) < best or cover.adds(number)
        ]
        by_number = find_representatives(connection, open_numbers, filters) if open_numbers else {}
        for number in open_numbers:
            one = by_number.get(number)
            if one and (len(representatives) < best or cover.adds(number)):
                cover.take(number)
                representatives.append(one)
    return search.candidates(representatives, len(numbers) - len(representatives))


class _CandidateSearch:
    """A text whose fingerprints the index was asked about."""

    def __init__(
        self, connection: Connection, view: View, using: Sketching, text: str, filters: Filters
    ) -> None:
        self._connection, self._using, self._text = connection, using, text
        self._positioned = locate_fingerprints(text, using)
        self._hashes = distinct(self._positioned.hash)
        cuts = PostingLimits(FEW_HOLDERS, COMMON, MOST_FOLLOWED)
        self._postings = FilteredPostings(
            view, self._hashes, FilterMatcher(connection, filters, len(view)), cuts
        )
        self.lookup = self._postings.lookup

    def ranked(self) -> Numbers:
        """The documents that hold some of it, most first."""
        order = np.lexsort((self.lookup.documents, -self.lookup.shared))
        ranked: Numbers = self.lookup.documents[order]
        return ranked

    def candidates(self, representatives: Sequence[Representative], beyond: int) -> Candidates:
        """The chosen ones, with what is known about them and about common text."""
        lookup, size = self.lookup, len(self._hashes)
        entries = entries_of_representatives(self._connection, representatives)
        shared = dict(zip(lookup.documents.tolist(), lookup.shared.tolist(), strict=True))
        ranked = tuple(
            Candidate(entries[one.id], one.root, shared[one.id], shared[one.id] / size, one.copies)
            for one in representatives
            if one.id in entries
        )
        common: tuple[CommonRun, ...] = ()
        if lookup.common.any():
            common = common_runs(
                self._words, self._postings, self._positioned, self._hashes, lookup
            )
        share = float(lookup.common.mean()) if size else 0.0
        return Candidates(
            *(ranked, common, size, share, beyond, lookup, self._eldest_of_common),
            tuple(self._held_by(SEVERAL_HOLDERS)),
            lambda: [span for span, _ in self._held_by(1)],
        )

    @cached_property
    def _words(self) -> Words:
        with self._using.lock:
            return words_of(self._text, self._using.lexicon)

    def _eldest_of_common(self) -> Iterator[tuple[int, ...]]:
        return map(self._postings.eldest, self._hashes[self.lookup.common].tolist())

    def _held_by(self, several: int) -> list[tuple[Span, int]]:
        """What at least so many documents hold, and how many these are."""
        holders = self.lookup.holders
        if not (holders >= several).any():
            return []
        words = self._words
        of_place = holders[np.searchsorted(self._hashes, self._positioned.hash)]
        last = len(words) - 1
        phrases = []
        for k in np.flatnonzero(of_place >= several).tolist():
            first = int(self._positioned.place[k])
            end = int(words.end[min(int(self._positioned.end[k]) - 1, last)])
            phrases.append((Span(int(words.start[first]), end), int(of_place[k])))
        return phrases


def holders_of_common(
    connection: Connection, candidates: Candidates, filters: Filters
) -> list[Candidate]:
    """For every common fingerprint a few of the eldest documents that hold it and fit.

    Once there are many of them, one is enough for each.
    """
    numbers: dict[int, None] = {}
    for eldest in candidates.eldest_of_common():
        if len(numbers) < _MANY_ELDEST:
            numbers.update(dict.fromkeys(eldest))
        elif not any(number in numbers for number in eldest):
            numbers.update(dict.fromkeys(eldest[:1]))
    representatives: list[Representative] = []
    for part in split_numbers(list(numbers)):
        representatives += sorted(
            find_representatives(connection, part, filters).values(), key=lambda one: one.id
        )
    entries = entries_of_representatives(connection, representatives)
    return [Candidate(entries[one.id], one.root, 0, 0.0) for one in representatives]


@dataclass(frozen=True, slots=True)
class CommonRun:
    """Words that so many documents hold that these are not followed; the `eldest` are named."""

    span: Span
    holders: int
    eldest: tuple[int, ...]


def common_runs(
    words: Words,
    postings: FilteredPostings,
    positioned: PositionedFingerprints,
    hashes: Hashes,
    lookup: Lookup,
) -> tuple[CommonRun, ...]:
    """Where common fingerprints stand; those that overlap or touch are one run.

    `hashes` are the distinct ones that `lookup` is about. The rarest of a run bounds how many
    documents hold all of it, and its holders are named.
    """
    which = np.searchsorted(hashes, positioned.hash)
    runs: list[list[int]] = []
    end = -1
    for k in np.flatnonzero(lookup.common[which]).tolist():
        if runs and positioned.place[k] <= end and runs[-1][-1] == k - 1:
            runs[-1].append(k)
        else:
            runs.append([k])
        end = int(positioned.end[k])
    common = []
    for run in runs:
        first = int(positioned.place[run[0]])
        last = min(int(positioned.end[run[-1]]), len(words)) - 1
        holders = lookup.holders[which[run]]
        rarest = int(np.argmin(holders))
        common.append(
            CommonRun(
                Span(int(words.start[first]), int(words.end[last])),
                int(holders[rarest]),
                postings.eldest(int(positioned.hash[run[rarest]])),
            )
        )
    return tuple(common)


def without_common(check: Check, runs: Sequence[CommonRun], documents: int) -> Check:
    """The check counted anew with common runs excluded, each with the number of its holders.

    Where they are more than a quarter of the text, it is no form but a text that many have copied:
    then nothing is excluded.
    """
    text = check.document.compared_text
    excluded_spans = union(exclusion.span for exclusion in check.exclusions)
    common = [
        common_exclusion(span, run.holders, documents)
        for run in runs
        for span in without_spans(run.span, excluded_spans)
        if span.of(text).strip()
    ]
    exclusions = tuple(sorted((*check.exclusions, *common), key=lambda e: e.span))
    counted = CountedText(text, exclusions, check.count)
    if not common or counted.share(run.span for run in runs) > MOST_COMMON:
        return check
    excluded = counted.excluded
    alignments: dict[str, Alignment] = {}
    for source in check.sources:
        passages, fragments = (
            tuple(p for p in some if not excluded[p.a.start : p.a.end].all())
            for some in (source.passages, source.fragments)
        )
        if passages or fragments or source.listings:
            alignments[source.name] = Alignment(passages, fragments, source.listings)
    matches = {source.name: source.match for source in check.sources}
    table_sources = {name for name, _ in check.tables}
    sources: tuple[Source, ...] = tuple(
        replace(source, match=matches[source.name]) for source in counted.sources(alignments)
    )
    return replace(
        check,
        shares=counted.shares(sources),
        sources=sources,
        literal=literal_of(sources),
        wordings=counted.wordings(sources),
        exclusions=exclusions,
        texts={
            name: text
            for name, text in check.texts.items()
            if name in alignments or name in table_sources
        },
    )
