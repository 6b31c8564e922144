"""A text to the documents that share some of it, before anything is aligned."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from sqlalchemy import BindParameter, Connection, bindparam, func, or_, select

from likewise.kernels import winnow
from likewise.language import words_of
from likewise.library import schema
from likewise.library.entries import Entry, matching, parts_of, read_entries
from likewise.library.filters import Filters
from likewise.library.index import View
from likewise.library.recipes import Sketching
from likewise.library.sketches import Placed
from likewise.model import Span
from likewise.search.postings import ELDEST, Found, Hashes, Numbers
from likewise.sketch.sets import runs_of

_AT_ONCE, _FEWEST_AT_ONCE = 200, 50  # candidates that are asked about at a time
_MOST_ASKED = 5_000  # holders of common text that are asked whether they fit
_NUMBERS: BindParameter[int] = bindparam("numbers", expanding=True)
_OF_THESE_TEXTS = select(
    func.coalesce(schema.documents.c.copy_of, schema.documents.c.id), schema.documents.c.id
).where(or_(schema.documents.c.id.in_(_NUMBERS), schema.documents.c.copy_of.in_(_NUMBERS)))


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
    placed = placed_fingerprints(text, using)
    hashes, which = np.unique(placed.hash, return_inverse=True)
    found = view.look_up(hashes)
    order = np.lexsort((found.documents, -found.shared))
    numbers, shared = found.documents[order], found.shared[order]
    chosen, seen = _chosen(connection, numbers, filters, limit)
    entries = {entry.id: entry for entry in read_entries(connection, (c[0] for c in chosen))}
    by_root = dict(zip(numbers[:seen].tolist(), shared[:seen].tolist(), strict=True))
    ranked = tuple(
        Candidate(entries[shown], root, by_root[root], by_root[root] / len(hashes), copies)
        for shown, root, copies in chosen
        if shown in entries
    )
    common = _common_runs(text, using, view, placed, which, found)
    share = float(found.common.mean()) if len(hashes) else 0.0
    return Candidates(ranked, common, len(hashes), share, len(numbers) - seen, found, hashes)


def holders_of_common(
    connection: Connection, view: View, found: Candidates, filters: Filters, most: int
) -> list[Candidate]:
    """For every common fingerprint a few of the eldest documents that hold it and fit."""
    if found.found is None or found.hashes is None:
        return []
    asked: dict[int, list[int]] = {}  # what is known to fit of each document
    shown: dict[int, int] = {}

    def fitting(numbers: Sequence[int]) -> list[int]:
        new = [number for number in numbers if number not in asked]
        for part in parts_of(new):
            groups = _same_texts(connection, part, filters)
            asked.update((number, groups.get(number, [])) for number in part)
        return [number for number in numbers if asked[number]]

    for hash_ in found.hashes[found.found.common].tolist():
        roots = fitting(view.eldest_holders(hash_))
        if not roots:
            roots = fitting(view.eldest_holders(hash_, _MOST_ASKED))
        for root in roots[:ELDEST]:
            shown[asked[root][0]] = root
        if len(shown) >= most:
            break
    entries = read_entries(connection, list(shown)[:most])
    return [Candidate(entry, shown[entry.id], 0, 0.0) for entry in entries]


Chosen = tuple[int, int, tuple[int, ...]]  # the document shown, the first of its text, the others


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
        groups = _same_texts(connection, part, filters)
        for root in part:
            if len(chosen) >= wanted:
                break
            seen += 1
            if members := groups.get(root):
                chosen.append((members[0], root, tuple(members[1:])))
    return chosen, seen


def _same_texts(
    connection: Connection, roots: Iterable[int], filters: Filters
) -> dict[int, list[int]]:
    """The documents of each text that fit, the eldest first."""
    groups: dict[int, list[int]] = {}
    query = matching(_OF_THESE_TEXTS, filters).order_by(schema.documents.c.id)
    for root, number in connection.execute(query, {"numbers": list(roots)}):
        groups.setdefault(root, []).append(number)
    return groups


def _common_runs(
    text: str, using: Sketching, view: View, placed: Placed, which: Numbers, found: Found
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
                view.eldest_holders(int(placed.hash[run[rarest]])),
            )
        )
    return tuple(common)


def count_documents(connection: Connection, filters: Filters) -> int:
    """How many documents fit."""
    query = matching(select(func.count()).select_from(schema.documents), filters)
    return int(connection.execute(query).scalar_one())
