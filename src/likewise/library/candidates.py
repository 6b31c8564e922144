"""A text to the documents that share some of it, before anything is aligned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from sqlalchemy import Connection

from likewise.kernels import winnow
from likewise.language import words_of
from likewise.library.entries import Entry, parts_of, read_entries
from likewise.library.filters import Filters, as_spelled
from likewise.library.fitting import Fitting, same_texts
from likewise.library.index import View
from likewise.library.recipes import Sketching
from likewise.library.sketches import Placed
from likewise.model import Span
from likewise.search.postings import ELDEST, Found, Hashes, Numbers
from likewise.sketch.sets import runs_of

FEW_HOLDERS = 256  # a fingerprint of more documents may be common
COMMON = 0.01  # of the documents that fit: more than these, and more than a few, must hold it
MOST_FOLLOWED = 100_000  # postings that one check looks at
_AT_ONCE, _FEWEST_AT_ONCE = 200, 50  # candidates that are asked about at a time
_MANY_ELDEST = 200  # holders of common text; then one for each fingerprint is enough


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


@dataclass(frozen=True, slots=True)
class CommonRun:
    """Words that so many documents hold that these are not followed; the `eldest` are named."""

    span: Span
    holders: int
    eldest: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Documents that share text, most first; `beyond` more were found than were asked for."""

    ranked: tuple[Candidate, ...]
    common: tuple[CommonRun, ...]
    fingerprints: int
    common_share: float = 0.0  # of the fingerprints
    beyond: int = 0
    found: Found | None = field(default=None, repr=False)
    hashes: Hashes | None = field(default=None, repr=False)  # those that `found` is about


Chosen = tuple[int, int, tuple[int, ...]]  # the document shown, the first of its text, the others


def placed_fingerprints(text: str, using: Sketching) -> Placed:
    """Every fingerprint of a text, in order."""
    with using.lock:
        runs = runs_of(text, using.settings, using.lexicon)
    places, _ = winnow(runs, np.array([0, len(runs)], dtype=np.int64), using.settings.window)
    return Placed(runs[places], places)


def find_candidates(
    connection: Connection,
    view: View,
    using: Sketching,
    text: str,
    filters: Filters,
    limit: int | None,
) -> Candidates:
    """The documents that share fingerprints with a text, ranked by how many."""
    filters, _ = as_spelled(connection, filters)
    looked = _LookedUp(connection, view, using, text, filters)
    numbers = looked.ranked()
    chosen, seen = _chosen(connection, numbers, filters, limit)
    return looked.candidates(chosen, len(numbers) - seen)


def find_covering(
    connection: Connection, view: View, using: Sketching, text: str, filters: Filters, best: int
) -> Candidates:
    """The best candidates, and of the others every one that holds what no better one holds.

    So each fingerprint of the text that a document holds is held by one of these, unless it is
    common; `beyond` is how many documents fit and hold nothing besides.
    """
    looked = _LookedUp(connection, view, using, text, filters)
    numbers = looked.ranked()
    cover = Cover(looked.found)
    chosen: list[Chosen] = []
    for part in parts_of(numbers.tolist(), _AT_ONCE):
        asked = [root for root in part if len(chosen) < best or cover.adds(root)]
        groups = same_texts(connection, asked, filters) if asked else {}
        for root in asked:
            members = groups.get(root)
            if members and (len(chosen) < best or cover.adds(root)):
                cover.take(root)
                chosen.append((members[0], root, tuple(members[1:])))
    others = numbers[~np.isin(numbers, [root for _, root, _ in chosen])]
    beyond = int(looked.fitting.of(others).sum()) if len(others) else 0
    return looked.candidates(chosen, beyond)


class Cover:
    """Which of the fingerprints found are held by documents that were taken."""

    def __init__(self, found: Found) -> None:
        order = np.argsort(found.holder, kind="stable")
        self._holder, self._held = found.holder[order], found.held[order]
        self._covered = np.zeros(len(found.holders), dtype=bool)

    def adds(self, document: int) -> bool:
        """Whether it holds something that none of these holds."""
        return not self._covered[self._of(document)].all()

    def take(self, document: int) -> None:
        self._covered[self._of(document)] = True

    def _of(self, document: int) -> Numbers:
        first, end = np.searchsorted(self._holder, (document, document + 1))
        return self._held[int(first) : int(end)]


class _LookedUp:
    """A text whose fingerprints the index was asked about."""

    def __init__(
        self, connection: Connection, view: View, using: Sketching, text: str, filters: Filters
    ) -> None:
        self._connection, self._view, self._using, self._text = connection, view, using, text
        self._placed = placed_fingerprints(text, using)
        self._hashes, self._which = np.unique(self._placed.hash, return_inverse=True)
        self.fitting = Fitting(connection, filters)
        few = _few(view, filters, self.fitting)
        self.found = view.look_up(self._hashes, few=few, most=MOST_FOLLOWED)
        if filters and self.found.common.any():
            self.found = self.fitting.among(view, self._hashes, self.found, few, MOST_FOLLOWED)

    def ranked(self) -> Numbers:
        """The documents that hold some of it, most first."""
        order = np.lexsort((self.found.documents, -self.found.shared))
        ranked: Numbers = self.found.documents[order]
        return ranked

    def candidates(self, chosen: Sequence[Chosen], beyond: int) -> Candidates:
        """The chosen ones, with what is known about them and about common text."""
        found, size = self.found, len(self._hashes)
        numbers = (shown for shown, _, _ in chosen)
        entries = {entry.id: entry for entry in read_entries(self._connection, numbers)}
        shared = dict(zip(found.documents.tolist(), found.shared.tolist(), strict=True))
        ranked = tuple(
            Candidate(entries[shown], root, shared[root], shared[root] / size, copies)
            for shown, root, copies in chosen
            if shown in entries
        )
        common = _common_runs(
            self._text, self._using, self._view, self.fitting, self._placed, self._which, found
        )
        share = float(found.common.mean()) if size else 0.0
        return Candidates(ranked, common, size, share, beyond, found, self._hashes)


def _few(view: View, filters: Filters, fitting: Fitting) -> int:
    """How many documents may hold a fingerprint that is not common."""
    few = max(FEW_HOLDERS, int(COMMON * len(view)))
    return (
        few
        if few == FEW_HOLDERS or not filters
        else max(FEW_HOLDERS, int(COMMON * fitting.documents))
    )


def holders_of_common(
    connection: Connection, view: View, found: Candidates, filters: Filters
) -> list[Candidate]:
    """For every common fingerprint a few of the eldest documents that hold it and fit.

    Once there are many of them, one is enough for each.
    """
    if found.found is None or found.hashes is None:
        return []
    fitting = Fitting(connection, filters)
    roots: dict[int, None] = {}
    for hash_ in found.hashes[found.found.common].tolist():
        eldest = fitting.eldest(view, hash_, ELDEST)
        if len(roots) < _MANY_ELDEST:
            roots.update(dict.fromkeys(eldest))
        elif not any(root in roots for root in eldest):
            roots.update(dict.fromkeys(eldest[:1]))
    shown: dict[int, int] = {}
    for part in parts_of(list(roots)):
        shown |= {of[0]: root for root, of in same_texts(connection, part, filters).items()}
    entries = read_entries(connection, shown)
    return [Candidate(entry, shown[entry.id], 0, 0.0) for entry in entries]


def _chosen(
    connection: Connection, numbers: Numbers, filters: Filters, limit: int | None
) -> tuple[list[Chosen], int]:
    """The first candidates that fit, and how many were looked at to find them."""
    chosen: list[Chosen] = []
    seen = 0
    wanted = len(numbers) if limit is None else limit
    for part in parts_of(numbers.tolist(), max(_FEWEST_AT_ONCE, min(_AT_ONCE, wanted))):
        if len(chosen) >= wanted:
            break
        groups = same_texts(connection, part, filters)
        for root in part:
            if len(chosen) >= wanted:
                break
            seen += 1
            if members := groups.get(root):
                chosen.append((members[0], root, tuple(members[1:])))
    return chosen, seen


def _common_runs(
    text: str,
    using: Sketching,
    view: View,
    fitting: Fitting,
    placed: Placed,
    which: Numbers,
    found: Found,
) -> tuple[CommonRun, ...]:
    """Where common fingerprints stand; those that overlap or touch are one run.

    The rarest of a run bounds how many documents hold all of it, and its holders are named.
    """
    is_common = found.common[which]
    if not is_common.any():
        return ()
    width = using.settings.shingle
    with using.lock:
        words = words_of(text, using.lexicon)
    runs: list[list[int]] = []
    end = -1
    for k in np.flatnonzero(is_common).tolist():
        if runs and placed.place[k] <= end and runs[-1][-1] == k - 1:
            runs[-1].append(k)
        else:
            runs.append([k])
        end = int(placed.place[k]) + width
    common = []
    for run in runs:
        first = int(placed.place[run[0]])
        last = min(int(placed.place[run[-1]]) + width, len(words)) - 1
        holders = found.holders[which[run]]
        rarest = int(np.argmin(holders))
        common.append(
            CommonRun(
                Span(int(words.start[first]), int(words.end[last])),
                int(holders[rarest]),
                fitting.eldest(view, int(placed.hash[run[rarest]]), ELDEST),
            )
        )
    return tuple(common)
