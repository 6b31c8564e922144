"""The inverted index of a library: segments in the cache folder, kept in step with the database.

Everything here can be made anew from the database. A process that opens a library takes over the
segments it finds, reads the few fingerprints that came later, and asks the database one number to
know that nothing has changed.
"""

from __future__ import annotations

import contextlib
import hashlib
import threading
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import numpy as np
from sqlalchemy import Connection, select

from likewise.library import schema
from likewise.library.segments import (
    NOTHING,
    TEXTS,
    Entries,
    Family,
    Part,
    RowsOfPart,
    View,
    is_intact,
    list_segments,
    open_segment,
    view_of,
    write_segment,
)
from likewise.library.store import State
from likewise.reading.cache import cache_folder
from likewise.search.postings import (
    MOST_DOCUMENTS,
    Flags,
    Hashes,
    Numbers,
    Rows,
    Segment,
    holds_postings,
    membership_test,
    merged,
    merged_rows,
    segment_of,
)

T = TypeVar("T")

TAIL = 1 << 17  # postings that stay in memory
_AT_ONCE = 1 << 19  # postings that are collected before they become a segment
_RATIO = 4  # a segment is merged with those after it unless it is so many times longer


@dataclass(slots=True)
class _Tail:
    """Fingerprints that are in no segment yet."""

    documents: list[int] = field(default_factory=list)
    hashes: list[Hashes] = field(default_factory=list)
    rows: list[Rows] = field(default_factory=list)
    postings: int = 0

    def add(self, entries: Entries) -> None:
        self.documents += entries.numbers
        self.hashes += entries.hashes
        if entries.rows is not None:
            self.rows.append(entries.rows)
        self.postings += sum(map(len, entries.hashes))

    def segment(self) -> Segment:
        rows = np.concatenate(self.rows) if self.rows else None
        return segment_of(self.documents, self.hashes, rows)


class Index:
    """The postings of one library on this machine."""

    def __init__(self, address: str, newest: Callable[[], int], family: Family = TEXTS) -> None:
        self._address = address
        self._family = family
        self._newest = newest  # asks the database how many changes there are
        self._lock = threading.Lock()
        self._of: tuple[str, int] | None = None  # the library and the recipe
        self._change = 0  # the last one that is known here
        self._parts: list[Part] = []
        self._tail = _Tail()
        self._removed: set[int] = set()
        self._view = NOTHING

    def view(self, connection: Connection, state: State) -> View:
        """The index as the database stands in this transaction, or a moment later."""
        with self._lock:
            if (state.uid, state.recipe_id) != self._of or self._is_of_the_past(state):
                self._forget()
                self._of = state.uid, state.recipe_id
            if state.changes > self._change:
                self._catch_up(connection, state)
            return self._view

    def _is_of_the_past(self, state: State) -> bool:
        """Whether the database has been put back to an earlier state.

        Fewer changes than are known here may also mean that another thread began later than this
        one and was here first; what it brought does no harm.
        """
        return state.changes < self._change and self._newest() < self._change

    def file_bytes(self) -> int:
        """What the segments take on disk."""
        return sum(part.path.stat().st_size for part in self._parts if part.path)

    def damaged(self, state: State) -> list[Path]:
        """The files of this index that are not as they were written."""
        with self._lock:
            self._forget()
            self._of = state.uid, state.recipe_id
            paths = sorted(list_segments(self._folder()).values())
        return [path for path in paths if path.exists() and not is_intact(path)]

    def clear(self) -> None:
        """Throw away what is on disk; it is made anew when it is needed."""
        with self._lock:
            if self._of:
                for path in list_segments(self._folder()).values():
                    with contextlib.suppress(OSError):  # not ours, or open in another process
                        path.unlink()
            self._forget()

    def erase_removed(self, connection: Connection, state: State) -> int:
        """Rewrite segments that hold fingerprints of documents that are gone; how many they were.

        Usually these stay until segments are merged. Those of other recipes are looked through too,
        and what a process that died has left half-written is deleted.
        """
        removal, recipe = schema.removals.c, schema.recipes.c
        is_removed = membership_test(connection.execute(select(removal.document_id)).scalars())
        rewritten = 0
        with self._lock:
            for number in connection.execute(select(recipe.id)).scalars():
                self._of = state.uid, number
                folder = self._folder()
                for path in list_segments(folder).values():
                    rewritten += _rewrite_without(
                        path, lambda n: is_removed(self._family.documents(n))
                    )
                for path in folder.glob("tmp*"):
                    path.unlink(missing_ok=True)
            self._forget()
        return rewritten

    def forget(self) -> None:
        """Begin anew with what is on disk."""
        with self._lock:
            self._forget()

    def _forget(self) -> None:
        self._of, self._change, self._view = None, 0, NOTHING
        self._parts, self._tail, self._removed = [], _Tail(), set()

    def _folder(self) -> Path:
        # A copied database file has the same uid and grows apart: the address tells them apart.
        key = hashlib.blake2b(repr((self._of, self._address)).encode(), digest_size=12).hexdigest()
        return cache_folder() / "libraries" / (key + self._family.name)

    def _end(self) -> int:
        return self._parts[-1].until if self._parts else 0

    def _catch_up(self, connection: Connection, state: State) -> None:
        removal = schema.removals.c
        query = select(removal.document_id).where(removal.change > self._change)
        self._removed.update(connection.execute(query).scalars())
        if self._take_over(connection, state):
            self._tail, self._change = _Tail(), self._end()
        self._collect(connection, state)
        if self._tail.postings >= TAIL:
            self._flush(state.changes)
        self._change = state.changes
        segments = [part.segment for part in self._parts if len(part.segment)]
        if self._tail.documents:
            segments.append(self._tail.segment())
        self._view = view_of(segments, self._removed, self._family)

    def _is_removed(self, numbers: Numbers) -> Flags:
        return membership_test(self._removed)(self._family.documents(numbers))

    def _take_over(self, connection: Connection, state: State) -> bool:
        """Segments that go on where ours end, made by us earlier or by another process."""
        there = list_segments(self._folder())
        has_new = False
        while True:
            end = self._end()
            longest = max((u for a, u in there if a == end and end < u <= state.changes), default=0)
            if not longest:
                return has_new
            path = there.pop((end, longest))
            part = open_segment(path)
            if part is None:
                with contextlib.suppress(OSError):  # open in another process, or gone already
                    path.unlink()
            elif is_of_this_history(connection, self._family, state.recipe_id, part, self._removed):
                self._parts.append(part)
                has_new = True

    def _collect(self, connection: Connection, state: State) -> None:
        """Read the fingerprints of later changes; a segment ends with a whole change."""
        before = self._change
        for change, entries in read_entries_after(
            connection, self._family, state.recipe_id, self._change
        ):
            if change != before and self._tail.postings >= _AT_ONCE:
                self._flush(before)
            before = change
            self._tail.add(entries)

    def _flush(self, until: int) -> None:
        """Make a segment of the tail, and one of several of about the same length."""
        segment = self._tail.segment()
        parts = [*self._parts, Part(self._end(), until, segment)]
        first, later = len(parts) - 1, len(segment)
        while first and len(parts[first - 1].segment) <= _RATIO * later:
            first -= 1
            later += len(parts[first].segment)
        together = parts[first:]
        while sum(len(part.segment.documents) for part in together) > MOST_DOCUMENTS:
            together = together[1:]
        segments = [part.segment for part in together]
        documents, keys = merged(segments, self._is_removed)
        longest = sum(map(len, segments))
        keys = _release_memory(keys, together)
        rows = _release_memory(merged_rows(segments, self._is_removed), together)
        changes = together[0].after, until
        try:
            part = write_segment(self._folder(), *changes, documents, longest, keys, rows)
        except OSError:
            # No room or no right to write: this process goes on without files.
            self._parts = parts
        else:
            self._parts = [*parts[: len(parts) - len(together)], part]
            for old in together:
                if old.path:
                    with contextlib.suppress(OSError):  # open in another process, or gone already
                        old.path.unlink()
        self._tail = _Tail()


def _rewrite_without(path: Path, is_removed: Callable[[Numbers], Flags]) -> bool:
    """A segment without postings of documents that are gone; whether there were any."""
    part = open_segment(path)
    if part is None:
        path.unlink(missing_ok=True)  # nobody can say what it holds
        return True
    segment = part.segment
    documents, keys = merged([segment], is_removed)
    removed = is_removed(documents)
    holds_rows = segment.rows is not None and segment.rows[removed].any()
    if not removed.any() or not (holds_rows or holds_postings(segment, removed)):
        return False
    keys = _release_memory(keys, [part])
    rows = _release_memory(merged_rows([segment], is_removed), [part])
    write_segment(path.parent, part.after, part.until, documents, len(segment), keys, rows)
    return True


def _release_memory(stretches: Iterator[T], parts: list[Part]) -> Iterator[T]:
    """Stretches of a merge, without keeping all that was read for them in memory."""
    for stretch in stretches:
        yield stretch
        for part in parts:
            if part.segment.let_go is not None:
                part.segment.let_go()


_ROWS = 50  # that are read at a time: a long document's fingerprints are many
_SAMPLED = 32  # documents of a segment that are compared with the database before it is used


def read_entries_after(
    connection: Connection, family: Family, recipe_id: int, change: int
) -> Iterator[tuple[int, Entries]]:
    """What came after a change, in the order in which it came, with the change of each row."""
    column = family.rows.c
    query = (
        select(*family.order, *family.data)
        .where(column.recipe_id == recipe_id, column.change > change)
        .order_by(*family.order)
        .execution_options(yield_per=_ROWS)
    )
    with connection.execute(query) as result:
        for rows in result.partitions():
            for row, entries in zip(rows, family.entries(rows), strict=True):
                yield row.change, entries


def is_of_this_history(
    connection: Connection, family: Family, recipe_id: int, part: Part, removed: Collection[int]
) -> bool:
    """Whether a segment is of this database, and not of another history of it.

    It must hold exactly the documents of its changes that are not gone, and for some of them,
    from the first to the last, the right fingerprints.
    """
    numbers = part.segment.documents
    remaining = (
        numbers[~membership_test(removed)(family.documents(numbers))] if len(numbers) else numbers
    )
    rows = RowsOfPart(recipe_id, part.after, part.until)
    if family.sums_in(connection, rows) != family.sums_of(remaining):
        return False
    places = np.unique(np.linspace(0, len(remaining) - 1, _SAMPLED).astype(np.int64))
    sample = set(remaining[places].tolist()) if len(remaining) else set()
    documents = set(family.documents(np.array(sorted(sample), dtype=np.int64)).tolist())
    stored = family.rows_of(connection, documents, rows)
    for entries in family.entries(stored) if stored else ():
        for number, hashes in zip(entries.numbers, entries.hashes, strict=True):
            if number in sample and len(hashes) and not _holds(part.segment, number, hashes[:1]):
                return False
    return True


def _holds(segment: Segment, number: int, hashes: Hashes) -> bool:
    """Whether a segment says that a document holds a fingerprint."""
    low, high = segment.ranges(hashes)
    holders = segment.numbers(np.arange(int(low[0]), int(high[0])))
    return bool((segment.documents[holders] == number).any())
