"""Which texts of the index belong to documents that are meant."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

import numpy as np
from sqlalchemy import Connection, func, or_, select

from likewise.library import schema
from likewise.library.entries import matching
from likewise.library.filters import Filters
from likewise.library.numbers import NUMBERS, parts_of
from likewise.library.view import View
from likewise.search.postings import Flags, Found, Hashes, Numbers, gone_among

_POSTINGS_AT_ONCE = 1 << 19  # of common fingerprints, whose holders are asked whether they fit
_ALL = 1 << 62
_ROOT = func.coalesce(schema.documents.c.copy_of, schema.documents.c.id)
_OF_THESE_TEXTS = select(_ROOT, schema.documents.c.id).where(
    or_(schema.documents.c.id.in_(NUMBERS), schema.documents.c.copy_of.in_(NUMBERS))
)


def count_documents(connection: Connection, filters: Filters) -> int:
    """How many documents fit."""
    query = matching(select(func.count()).select_from(schema.documents), filters)
    return int(connection.execute(query).scalar_one())


def same_texts(
    connection: Connection, roots: Iterable[int], filters: Filters
) -> dict[int, list[int]]:
    """The documents of each text that fit, the eldest first."""
    groups: dict[int, list[int]] = {}
    query = matching(_OF_THESE_TEXTS, filters).order_by(schema.documents.c.id)
    for root, number in connection.execute(query, {"numbers": list(roots)}):
        groups.setdefault(root, []).append(number)
    return groups


class Fitting:
    """Asks of texts by their numbers in the index whether some document of each fits.

    The database is asked once for all of them, when it is first needed: for those that fit, or for
    the others where these are fewer.
    """

    def __init__(self, connection: Connection, filters: Filters) -> None:
        self._connection, self._filters = connection, filters

    @cached_property
    def documents(self) -> int:
        """How many documents fit."""
        return count_documents(self._connection, self._filters)

    def of(self, numbers: Numbers) -> Flags:
        """Which of these texts fit."""
        if not self._filters:
            return np.ones(len(numbers), dtype=bool)
        return self._are_fitting(numbers)

    @cached_property
    def _are_fitting(self) -> Callable[[Numbers], Flags]:
        entry = schema.documents.c
        if 2 * self.documents <= count_documents(self._connection, Filters()):
            return gone_among(
                self._connection.execute(matching(select(_ROOT), self._filters)).scalars()
            )
        fitting = matching(select(entry.id), self._filters)
        query = select(_ROOT).where(entry.id.not_in(fitting)).distinct()
        roots = set(self._connection.execute(query).scalars())
        for part in parts_of(sorted(roots)):  # a copy of it may fit
            roots -= same_texts(self._connection, part, self._filters).keys()
        are_other = gone_among(roots)
        return lambda numbers: ~are_other(numbers)

    def eldest(self, view: View, hash_: int, most: int) -> tuple[int, ...]:
        """The first holders of a fingerprint that fit."""
        first = view.eldest_holders(hash_, most)
        if self.of(np.array(first, dtype=np.int64)).all():
            return first
        every = view.look_up(np.array([hash_], dtype=np.uint64), few=_ALL, most=_ALL).documents
        return tuple(every[self.of(every)][:most].tolist())

    def among(self, view: View, hashes: Hashes, found: Found, few: int, most: int) -> Found:
        """What was found, with the holders of common fingerprints counted among what fits.

        One that few fitting documents hold is not common, and is followed to these.
        """
        common = np.flatnonzero(found.common)
        holders, is_common = found.holders.copy(), found.common.copy()
        helds, their = [found.held], [found.holder]
        for part in _parts(common, found.holders):
            here = view.look_up(hashes[part], few=_ALL, most=_ALL)
            fits = self.of(here.holder)
            held, holder = here.held[fits], here.holder[fits]
            holders[part] = np.bincount(held, minlength=len(part))
            is_rare = holders[part] <= few
            helds.append(part[held[is_rare[held]]])
            their.append(holder[is_rare[held]])
        by_rarity = common[np.argsort(holders[common], kind="stable")]
        followed = len(found.held) + np.cumsum(holders[by_rarity])
        is_common[by_rarity] = (holders[by_rarity] > few) | (followed > most)
        is_common[holders == 0] = False
        held, holder = np.concatenate(helds), np.concatenate(their)
        is_followed = ~is_common[held]
        held, holder = held[is_followed], holder[is_followed]
        documents, shared = np.unique(holder, return_counts=True)
        return Found(documents, shared, held, holder, holders, is_common)


def _parts(numbers: Numbers, holders: Numbers) -> Iterator[Numbers]:
    """Fingerprints in groups of about so many postings as are looked at together."""
    ends = np.cumsum(holders[numbers]) // _POSTINGS_AT_ONCE
    cuts = np.flatnonzero(np.diff(ends)) + 1
    yield from (part for part in np.split(numbers, cuts) if len(part))
