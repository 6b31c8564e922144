"""Which texts of the index belong to documents that are meant, and what these alone say.

An index knows every text, whoever may read its documents. Whatever an answer tells must come from
the documents that are meant, and from nothing else: not how often a fingerprint is held, not which
of them is common, not how many were found. So holders are counted among what fits before anything
is decided by their number.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from sqlalchemy import (
    ARRAY,
    BigInteger,
    Column,
    ColumnElement,
    Connection,
    Dialect,
    Row,
    Select,
    bindparam,
    exists,
    func,
    literal_column,
    or_,
    select,
    text,
)

from likewise.library import schema
from likewise.library.entries import ENTRY_COLUMNS, Entry, apply_filters, entries_of
from likewise.library.filters import NUMBERS, Filters, split_numbers
from likewise.library.segments import View
from likewise.search.postings import (
    ELDEST,
    NUMBER_BITS,
    Flags,
    Hashes,
    Lookup,
    Numbers,
    membership_test,
)

_POSTINGS_AT_ONCE = 1 << 19  # whose holders are asked together whether they fit
_FEW_TEXTS = 500  # about which the database is asked one by one, rather than about all
_ASKED_TOGETHER = 64
_OF_ALL = 25  # so many texts of a library cost a look at all of them what one costs by itself
_ALL = 1 << 62
_NONE = np.iinfo(np.int64).max
StateKey = tuple[str, int, int]  # a library, how many changes it has seen, and its recipe
_ROOT = func.coalesce(schema.documents.c.copy_of, schema.documents.c.id)
_OF_THESE_TEXTS = select(_ROOT, schema.documents.c.id).where(
    or_(schema.documents.c.id.in_(NUMBERS), schema.documents.c.copy_of.in_(NUMBERS))
)


def count_documents(connection: Connection, filters: Filters) -> int:
    """How many documents fit."""
    query = apply_filters(select(func.count()).select_from(schema.documents), filters)
    return int(connection.execute(query).scalar_one())


def documents_by_text(
    connection: Connection, roots: Iterable[int], filters: Filters
) -> dict[int, list[int]]:
    """The documents of each text that fit, the eldest first."""
    groups: dict[int, list[int]] = {}
    query = apply_filters(_OF_THESE_TEXTS, filters).order_by(schema.documents.c.id)
    for root, number in connection.execute(query, {"numbers": list(roots)}):
        groups.setdefault(root, []).append(number)
    return groups


def document_matcher(connection: Connection, filters: Filters) -> Callable[[Numbers], Flags]:
    """Asks of documents whether they fit.

    The database is asked once: for those that fit, or for the others where these are fewer.
    """
    number = schema.documents.c.id
    matching = apply_filters(select(number), filters)
    if 2 * count_documents(connection, filters) <= count_documents(connection, Filters()):
        return membership_test(connection.execute(matching).scalars())
    others = select(number).where(number.not_in(matching))
    are_other = membership_test(connection.execute(others).scalars())
    return lambda numbers: ~are_other(numbers)


class FilterMatcher:
    """Asks of texts, by their numbers in the index, which document of each fits."""

    def __init__(self, connection: Connection, filters: Filters, texts: int = 0) -> None:
        self._connection, self._filters = connection, filters
        self._few = max(_FEW_TEXTS, texts // _OF_ALL)

    @property
    def is_all(self) -> bool:
        """Whether every document fits."""
        return not self._filters

    @cached_property
    def documents(self) -> int:
        """How many documents fit."""
        return count_documents(self._connection, self._filters)

    def eldest_documents(self, roots: Numbers) -> Numbers:
        """Of each text the eldest document that fits, 0 where none does.

        The number of the text itself may be that of a document which is not meant.
        """
        if self.is_all:
            return roots
        distinct_roots, places = np.unique(roots, return_inverse=True)
        if "_eldest_of_all" not in self.__dict__ and len(distinct_roots) <= self._few:
            groups: dict[int, list[int]] = {}
            for part in split_numbers(_filled_up(distinct_roots.tolist())):
                groups |= documents_by_text(self._connection, part, self._filters)
            eldest = np.array(
                [groups.get(n, (0,))[0] for n in distinct_roots.tolist()], dtype=np.int64
            )
        else:
            eldest = self._eldest_of_all(distinct_roots)
        eldest_documents: Numbers = eldest[places]
        return eldest_documents

    @cached_property
    def _eldest_of_all(self) -> Callable[[Numbers], Numbers]:
        """The same, after one look at all documents."""
        copy_of, number = schema.documents.c.copy_of, schema.documents.c.id
        query = apply_filters(select(copy_of, func.min(number)), self._filters)
        query = query.where(copy_of.is_not(None)).group_by(copy_of).order_by(copy_of)
        rows = self._connection.execute(query).all()
        copied = np.array([root for root, _ in rows], dtype=np.int64)
        eldest_copy = np.array([eldest for _, eldest in rows], dtype=np.int64)
        fits = document_matcher(self._connection, self._filters)

        def eldest(roots: Numbers) -> Numbers:
            documents = np.where(fits(roots), roots, _NONE)
            if len(copied):
                place = np.minimum(np.searchsorted(copied, roots), len(copied) - 1)
                others = np.where(copied[place] == roots, eldest_copy[place], _NONE)
                documents = np.minimum(documents, others)
            return np.where(documents == _NONE, 0, documents)

        return eldest


@dataclass(frozen=True, slots=True)
class PostingLimits:
    """From how many holders on a fingerprint is common, and how many postings are followed."""

    fewest: int
    share: float  # of the documents that fit
    most: int

    def few(self, documents: int) -> int:
        return max(self.fewest, int(self.share * documents))


class FilteredPostings:
    """What the index says about some fingerprints, as if it knew nothing but what fits.

    `lookup` names texts by the eldest of their documents that fit. Without filters all do, and the
    index is taken at its word.
    """

    def __init__(
        self, view: View, hashes: Hashes, matcher: FilterMatcher, limits: PostingLimits
    ) -> None:
        self._view, self._hashes, self._matcher = view, hashes, matcher
        self._eldest: dict[int, tuple[int, ...]] = {}
        if matcher.is_all:
            self.lookup = view.look_up(hashes, few=limits.few(len(view)), most=limits.most)
            return
        lookup = view.look_up(hashes, few=limits.fewest, most=limits.most)
        if lookup.common.any():
            self.lookup = self._count_holders(limits.few(matcher.documents), limits.most)
        else:  # so little that nothing of it can be common among fewer documents
            everything = np.arange(len(hashes))
            fingerprint, holder = self._matching_pairs(everything, lookup)
            self.lookup = _lookup_of(fingerprint, holder, len(hashes))

    def eldest(self, hash_: int, most: int = ELDEST) -> tuple[int, ...]:
        """The first documents that fit and hold a fingerprint."""
        if self._matcher.is_all:
            return self._view.eldest_holders(hash_, most)
        if hash_ not in self._eldest:
            here = self._view.look_up(np.array([hash_], dtype=np.uint64), few=_ALL, most=_ALL)
            eldest = np.sort(self._matcher.eldest_documents(here.documents))
            self._eldest[hash_] = tuple(eldest[eldest > 0][:ELDEST].tolist())
        return self._eldest[hash_][:most]

    def _count_holders(self, few: int, most: int) -> Lookup:
        there = self._view.holders(self._hashes)
        parts = list(_parts(np.flatnonzero(there), there))
        holders = np.zeros(len(self._hashes), dtype=np.int64)
        fingerprint = holder = np.zeros(0, dtype=np.int64)
        for part in parts:
            fingerprint, holder = self._pairs_of(part)
            holders += np.bincount(fingerprint, minlength=len(holders))
            self._note_eldest(fingerprint, holder, holders, few)
        is_common = _common_among(self._hashes, holders, few, most)
        if len(parts) > 1:
            # Too many to be kept in memory while they were counted; few of them are followed.
            rare = np.flatnonzero(~is_common & (holders > 0))
            pairs = [self._pairs_of(part) for part in _parts(rare, there)]
            fingerprint = np.concatenate([np.zeros(0, np.int64), *(pair[0] for pair in pairs)])
            holder = np.concatenate([np.zeros(0, np.int64), *(pair[1] for pair in pairs)])
        is_followed = ~is_common[fingerprint]
        lookup = _lookup_of(fingerprint[is_followed], holder[is_followed], len(holders))
        return replace(lookup, holders=holders, common=is_common)

    def _pairs_of(self, part: Numbers) -> tuple[Numbers, Numbers]:
        """Which of some fingerprints stand in which documents that fit."""
        return self._matching_pairs(
            part, self._view.look_up(self._hashes[part], few=_ALL, most=_ALL)
        )

    def _matching_pairs(self, part: Numbers, here: Lookup) -> tuple[Numbers, Numbers]:
        eldest = self._matcher.eldest_documents(here.documents)
        holder = eldest[np.searchsorted(here.documents, here.holder)]
        fits = holder > 0
        return part[here.fingerprint[fits]], holder[fits]

    def _note_eldest(
        self, fingerprint: Numbers, holder: Numbers, holders: Numbers, few: int
    ) -> None:
        """The eldest holders of what is common, while all of its holders are at hand."""
        is_common = holders[fingerprint] > few
        if not is_common.any():
            return
        fingerprint, holder = fingerprint[is_common], holder[is_common]
        order = np.lexsort((holder, fingerprint))
        fingerprint, holder = fingerprint[order], holder[order]
        which, first, count = np.unique(fingerprint, return_index=True, return_counts=True)
        for k, start, number in zip(which.tolist(), first.tolist(), count.tolist(), strict=True):
            eldest = holder[start : start + min(number, ELDEST)]
            self._eldest[int(self._hashes[k])] = tuple(eldest.tolist())


def _filled_up(numbers: list[int]) -> list[int]:
    """Numbers and others that no document has, up to a round number of them.

    Else the time of an answer would tell whether there was anything to ask about, though none of it
    fits: a text of somebody else's that nobody may know of.

    >>> len(_filled_up([])), len(_filled_up([7])), len(_filled_up(list(range(65))))
    (64, 64, 128)
    """
    missing = -len(numbers) % _ASKED_TOGETHER if numbers else _ASKED_TOGETHER
    return [*numbers, *range(-missing, 0)]


def _lookup_of(fingerprint: Numbers, holder: Numbers, size: int) -> Lookup:
    """Pairs of fingerprints and documents, none of them common, as the index would tell them."""
    documents, shared = np.unique(holder, return_counts=True)
    holders = np.bincount(fingerprint, minlength=size)
    return Lookup(documents, shared, fingerprint, holder, holders, np.zeros(size, dtype=bool))


def _common_among(hashes: Hashes, holders: Numbers, few: int, most: int) -> Flags:
    """Which fingerprints are common, by the holders that fit: the rule of `look_up`."""
    order = np.argsort(hashes << NUMBER_BITS, kind="stable")
    there = order[holders[order] > 0]
    by_rarity = there[np.argsort(holders[there], kind="stable")]
    is_common = np.zeros(len(hashes), dtype=bool)
    followed = np.cumsum(holders[by_rarity])
    is_common[by_rarity] = (holders[by_rarity] > few) | (followed > most)
    return is_common


def _parts(numbers: Numbers, holders: Numbers) -> Iterator[Numbers]:
    """Fingerprints in groups of about so many postings as are looked at together."""
    ends = np.cumsum(holders[numbers]) // _POSTINGS_AT_ONCE
    cuts = np.flatnonzero(np.diff(ends)) + 1
    yield from (part for part in np.split(numbers, cuts) if len(part))


_document, _copy = schema.documents, schema.documents.alias()
_HAS_COPIES = exists().where(_copy.c.copy_of == _document.c.id).label("has_copies")
_THESE_DOCUMENTS = select(*ENTRY_COLUMNS, _HAS_COPIES).where(_document.c.id.in_(NUMBERS))


def _first_of(column: Column[Any], label: str) -> ColumnElement[Any]:
    """1 where a table has a row of a document; never asked of all rows, whatever is planned."""
    one: ColumnElement[int] = literal_column("1")
    first = select(one).where(column == _document.c.id).limit(one)
    return first.scalar_subquery().label(label)


# One statement on PostgreSQL, with the state of the library as it is at the same moment. It is
# planned once, which takes longer than answering it: the same for any number of documents, and
# these so that no plan could be better for knowing them.
_THESE = text("documents.id = ANY (ARRAY(SELECT unnest(:numbers)))").bindparams(
    bindparam("numbers", type_=ARRAY(BigInteger))
)
_DOCUMENTS_AND_STATE = select(
    *(column for column in ENTRY_COLUMNS if isinstance(column, Column)),
    _first_of(schema.tags.c.document_id, "has_tags"),
    _first_of(schema.document_references.c.document_id, "is_again"),
    _first_of(_copy.c.copy_of, "has_copies"),
    *(
        select(column).scalar_subquery().label(column.name)
        for column in (schema.library.c.uid, schema.library.c.changes, schema.library.c.recipe_id)
    ),
).where(_THESE)
_STATE = select(schema.library.c.uid, schema.library.c.changes, schema.library.c.recipe_id)


@dataclass(frozen=True, slots=True)
class Representative:
    """The eldest document with a text that fits; `copies` are the others that fit."""

    id: int
    root: int  # the first document with the text, under which the index knows it
    copies: tuple[int, ...]
    row: Row[Any] = field(repr=False)  # what is listed


def find_representatives(
    connection: Connection, documents: Sequence[int], filters: Filters
) -> dict[int, Representative]:
    """By the number of the eldest document of a text that fits: what is shown for the text.

    One question tells all about texts that one document has, and that is nearly all of them.
    """
    result = connection.execute(_THESE_DOCUMENTS, {"numbers": list(documents)})
    return _representatives(connection, documents, result.all(), filters)


def find_representatives_in(
    connection: Connection, documents: Sequence[int], state: StateKey
) -> dict[int, Representative] | None:
    """The same without filters, by one statement on PostgreSQL that sees one moment by itself.

    None where the library is in another state than this. If some texts have copies, these are asked
    for a moment later.
    """
    query: Select[Any] = _DOCUMENTS_AND_STATE if documents else _STATE
    rows = _fetch(connection, query, {"numbers": list(documents)} if documents else {})
    if not rows or (rows[0].uid, rows[0].changes, rows[0].recipe_id) != state:
        return None
    return _representatives(connection, documents, rows, Filters()) if documents else {}


def _fetch(connection: Connection, query: Select[Any], values: dict[str, Any]) -> list[Any]:
    """Rows of one statement by the driver alone, in half the time; none where that fails.

    Whoever gets none asks again in the usual way, by which an error is explained.
    """
    statement, row_of = _compile(query, connection.dialect)
    raw: Any = connection.connection.driver_connection
    try:
        return [row_of(*row) for row in raw.execute(statement, values).fetchall()]
    except raw.Error:
        connection.invalidate()  # it may be lost
        return []


@lru_cache(maxsize=16)
def _compile(query: Select[Any], dialect: Dialect) -> tuple[str, Callable[..., Any]]:
    """A statement as the driver takes it, and what makes a row of its values."""
    names = [column.name for column in query.selected_columns]
    return str(query.compile(dialect=dialect)), namedtuple("StatedRow", names)


def _representatives(
    connection: Connection, documents: Sequence[int], read: Sequence[Any], filters: Filters
) -> dict[int, Representative]:
    rows: dict[int, Any] = {row.id: row for row in read}
    roots = {row.id: row.copy_of for row in rows.values() if row.copy_of is not None}
    roots |= {row.id: row.id for row in rows.values() if row.has_copies}
    groups = documents_by_text(connection, sorted(set(roots.values())), filters) if roots else {}
    representatives: dict[int, Representative] = {}
    for number in documents:
        if (row := rows.get(number)) is not None:
            root = roots.get(number, number)
            copies = tuple(one for one in groups.get(root, ()) if one != number)
            representatives[number] = Representative(number, root, copies, row)
    return representatives


def entries_of_representatives(
    connection: Connection, representatives: Sequence[Representative]
) -> dict[int, Entry]:
    """What is known about the documents that are shown, by their numbers."""
    entries = entries_of(connection, [one.row for one in representatives])
    return {entry.id: entry for entry in entries}
