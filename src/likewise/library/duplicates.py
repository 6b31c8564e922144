"""Near-duplicates inside a library, by the fingerprints that it keeps: no file is read again.

The sets that are joined are the stored fingerprints of the recipe in use, and the join is exact:
every pair of texts that reaches the threshold, none that does not. Winnowing keeps about one
shingle in several, so the similarity of two sets estimates how much of their text two documents
share; where they share it, a comparison shows. Documents with the same text are pairs of
similarity 1, even if no word of it counts.

Everything is computed from the documents that fit, and numbered by them alone: the document that
has the fingerprints of a text may be one that the caller must not know of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

import numpy as np
from sqlalchemy import Connection, func, select

from likewise.errors import BadSettings
from likewise.library import schema
from likewise.library.entries import apply_filters
from likewise.library.filters import Filters, split_numbers
from likewise.library.sketch_rows import read_sketches
from likewise.library.sketches import hashes_from
from likewise.library.store import State
from likewise.progress import Progress
from likewise.search.clusters import Component, components
from likewise.search.pairs import Copies, Offsets, Pairs
from likewise.search.similar import similar
from likewise.settings import Settings
from likewise.sketch import Sets
from likewise.sketch.growing import GrowingArray

DuplicateMeasure = Literal["jaccard", "containment"]
MIN_SIMILARITY = 0.8  # as in `dedup`

_TEXTS_AT_ONCE = 100  # whose fingerprints are read together: those of a long document are many
_ROWS_AT_ONCE = 10_000
_ROOT = func.coalesce(schema.documents.c.copy_of, schema.documents.c.id)
# Winnowing prefers small numbers, and the join tells sets apart by upper bits: an odd factor
# spreads them, and takes no two numbers to one. (Ten times less work at 20,000 documents.)
_SPREAD = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True)
class DuplicatePair:
    """Two documents by their numbers, the elder first, and what their fingerprints have in common.

    A text of stop words alone has no fingerprints to share.
    """

    a: int
    b: int
    similarity: float
    shared: int
    fingerprints_a: int
    fingerprints_b: int
    is_same_text: bool


@dataclass(frozen=True, slots=True, eq=False)
class Duplicates:
    """Pairs of documents that are alike, strongest first, and the clusters that they make.

    Its length is the number of pairs; they are listed one by one, since copies of one text make
    very many.
    """

    documents: int  # that fit
    without_fingerprints: int  # of them: no word counts, and nothing but the same text is alike
    clusters: tuple[Component, ...]  # by numbers of documents
    threshold: float
    measure: DuplicateMeasure
    recipe: str  # that the fingerprints were made with
    awaits_rebuild: bool  # another recipe was asked for: its fingerprints are not all made yet
    _ids: Offsets = field(repr=False)
    _texts: Offsets = field(repr=False)  # of each document, the number of its text
    _pairs: Pairs = field(repr=False)

    def __len__(self) -> int:
        return len(self._pairs)

    def __iter__(self) -> Iterator[DuplicatePair]:
        for i, j, shared, size_a, size_b in self._pairs.documents():
            yield DuplicatePair(
                int(self._ids[i]),
                int(self._ids[j]),
                _similarity(shared, size_a, size_b, self.measure),
                shared,
                size_a,
                size_b,
                bool(self._texts[i] == self._texts[j]),
            )


def _similarity(shared: int, size_a: int, size_b: int, measure: DuplicateMeasure) -> float:
    """As the join has it; of equal sets 1, empty ones included.

    >>> _similarity(4, 5, 5, "jaccard"), _similarity(4, 4, 9, "containment")
    (0.6666666666666666, 1.0)
    """
    if shared == size_a == size_b:
        return 1.0
    if measure == "containment":
        return shared / min(size_a, size_b)
    return shared / (size_a + size_b - shared)


@dataclass(frozen=True, slots=True, eq=False)
class StoredSets:
    """The documents that fit, and the fingerprints of their texts by the recipe in use."""

    ids: Offsets
    texts: Offsets  # of each document, the number of its text
    sets: Sets  # of each text
    recipe: str
    awaits_rebuild: bool


def read_stored_sets(
    connection: Connection,
    state: State,
    recipe: str,
    filters: Filters,
    memory: int | None = None,
    progress: Progress | None = None,
) -> StoredSets:
    """What the database holds of the documents that fit; past `memory` bytes it stands on disk."""
    ids, roots = _read_documents(connection, filters)
    distinct_roots, first_places, texts = np.unique(roots, return_index=True, return_inverse=True)
    # Texts in the order of their first documents that fit, whatever number their fingerprints have.
    order = np.argsort(first_places, kind="stable")
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    ordered_roots = distinct_roots[order].tolist()
    sets = _read_sets(connection, state.recipe_id, ordered_roots, memory, progress)
    return StoredSets(ids, rank[texts], sets, recipe, state.next_recipe_id is not None)


def find_duplicates(
    stored: StoredSets,
    *,
    threshold: float = MIN_SIMILARITY,
    measure: DuplicateMeasure = "jaccard",
    jobs: int = 1,
    memory: int | None = None,
    progress: Progress | None = None,
) -> Duplicates:
    """All pairs that reach the threshold; past `memory` bytes it works on disk."""
    settings = _settings(threshold, measure)
    if progress:
        progress("comparing", 0, 0)
    ids, texts, sets = stored.ids, stored.texts, stored.sets
    pairs = _with_copies(similar(sets, settings, jobs=jobs, memory=memory), texts, len(sets))
    return Duplicates(
        documents=len(ids),
        without_fingerprints=int((sets.sizes == 0)[texts].sum()),
        clusters=tuple(
            Component(tuple(ids[list(cluster.members)].tolist()), cluster.weakest)
            for cluster in components(pairs)
        ),
        threshold=threshold,
        measure=measure,
        recipe=stored.recipe,
        awaits_rebuild=stored.awaits_rebuild,
        _ids=ids,
        _texts=texts,
        _pairs=pairs,
    )


def ensure_join(threshold: float, measure: DuplicateMeasure) -> None:
    """Refuse what no join is made with, before anything is read."""
    _settings(threshold, measure)


def _settings(threshold: float, measure: DuplicateMeasure) -> Settings:
    if measure not in get_args(DuplicateMeasure):
        raise BadSettings(
            "core.setting_choice",
            name="measure",
            value=repr(measure),
            choices=get_args(DuplicateMeasure),
        )
    return Settings(threshold=threshold, measure=measure)


def _read_documents(connection: Connection, filters: Filters) -> tuple[Offsets, Offsets]:
    """The documents that fit in their order, and which has the fingerprints of each."""
    number = schema.documents.c.id
    query = apply_filters(select(number, _ROOT), filters).order_by(number)
    parts = [np.zeros((0, 2), dtype=np.int64)]
    with connection.execute(query.execution_options(yield_per=_ROWS_AT_ONCE)) as rows:
        parts += [np.array([tuple(row) for row in part], np.int64) for part in rows.partitions()]
    ids, roots = np.concatenate(parts).T
    return ids, roots


def _read_sets(
    connection: Connection,
    recipe_id: int,
    roots: Sequence[int],
    memory: int | None,
    progress: Progress | None,
) -> Sets:
    """The fingerprints of texts, in this order; none where a text has none."""
    hashes = GrowingArray(np.dtype(np.uint64), memory)
    lengths: list[int] = []
    for part in split_numbers(roots, _TEXTS_AT_ONCE):
        if progress:
            progress("reading fingerprints", len(lengths), len(roots))
        sketches = read_sketches(connection, recipe_id, part)
        for root in part:
            fingerprints = hashes_from(sketches.get(root, b""))
            hashes.append(fingerprints * _SPREAD)
            lengths.append(len(fingerprints))
    offsets = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    return Sets(hashes.finish(), offsets)


def _with_copies(pairs: Pairs, texts: Offsets, count: int) -> Pairs:
    """Pairs of texts as pairs of documents: those with the same text are of one group.

    Texts without fingerprints, which the join leaves out, are groups of their own; groups are
    numbered in the order of their first documents.
    """
    groups = len(pairs.copies)
    group_of_text = np.full(count, -1, dtype=np.int64)
    group_of_text[pairs.copies.members] = np.repeat(np.arange(groups), pairs.copies.sizes)
    is_empty = group_of_text < 0
    group_of_text[is_empty] = np.arange(groups, groups + int(is_empty.sum()))
    total = groups + int(is_empty.sum())
    first_text = np.zeros(total, dtype=np.int64)
    first_text[group_of_text[::-1]] = np.arange(count)[::-1]  # the last to be written is the first
    order = np.argsort(first_text, kind="stable")
    rank = np.empty(total, dtype=np.uint32)
    rank[order] = np.arange(total, dtype=np.uint32)
    group_of_document = rank[group_of_text[texts]]
    members = np.argsort(group_of_document, kind="stable")
    sizes = np.bincount(group_of_document, minlength=total)
    bounds = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    set_sizes = np.concatenate((pairs.sizes, np.zeros(total - groups, dtype=np.int64)))[order]
    return replace(
        pairs,
        copies=Copies(members, bounds),
        left=rank[pairs.left],
        right=rank[pairs.right],
        sizes=set_sizes,
    )
