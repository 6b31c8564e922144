"""The index of a library at one moment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from likewise.library.families import Family
from likewise.search.postings import (
    ELDEST,
    Flags,
    Found,
    Hashes,
    Numbers,
    Segment,
    eldest_holders,
    flags_of_gone,
    look_up,
)


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """The index at one moment; it does not change while it is used."""

    segments: tuple[Segment, ...]
    gone: Numbers
    flags: tuple[Flags | None, ...]  # of each segment, which documents are gone

    def __len__(self) -> int:
        """How many there are that are not gone."""
        gone = sum(int(flags.sum()) for flags in self.flags if flags is not None)
        return sum(len(segment.documents) for segment in self.segments) - gone

    def among(self, fits: Callable[[Numbers], Flags], family: Family) -> View:
        """The index as if it knew nothing but the documents that fit."""
        flags = []
        for segment, gone in zip(self.segments, self.flags, strict=True):
            other = ~fits(family.documents(segment.documents))
            other = other if gone is None else other | gone
            flags.append(other if other.any() else None)
        return replace(self, flags=tuple(flags))

    def look_up(self, hashes: Hashes, **cut_at: int) -> Found:
        """Who holds these distinct, ascending hashes; `few` and `most` as in `look_up`."""
        return look_up(self.segments, hashes, gone=self.flags, **cut_at)

    def holders(self, hashes: Hashes) -> Numbers:
        """How many hold each of these distinct, ascending hashes."""
        return self.look_up(hashes, few=0).holders

    def eldest_holders(self, hash_: int, most: int = ELDEST) -> tuple[int, ...]:
        return eldest_holders(self.segments, hash_, gone=self.flags, most=most)


NOTHING = View((), np.zeros(0, np.int64), ())


def view_of(segments: Sequence[Segment], gone: Iterable[int], family: Family) -> View:
    """Some segments, of which the documents that are gone do not count."""
    ascending = np.array(sorted(gone), dtype=np.int64)
    flags = tuple(
        flags_of_gone(replace(one, documents=family.documents(one.documents)), ascending)
        for one in segments
    )
    return View(tuple(segments), ascending, flags)
