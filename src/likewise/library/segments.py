"""Segments of postings as files that are searched where they lie, and an index at one moment.

A file is written aside, brought to the disk and then renamed, so that nobody sees half of one. Its
length follows from its head; a file that does not fit is as good as none. Head and directory, which
lead to everything else, are compared with a checksum whenever a file is opened; the rest, which may
be large, when a library is verified.

A view is what an index says at one moment: its segments together. What an index is made of (texts,
or the tables inside them) is a family.
"""

from __future__ import annotations

import mmap
import os
import struct
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import ColumnElement, Table, func, literal

from likewise.library import schema
from likewise.search.postings import (
    ELDEST,
    Flags,
    Hashes,
    Lookup,
    Numbers,
    Segment,
    directory_bits,
    directory_of,
    eldest_holders,
    look_up,
    removed_flags,
)

_MAGIC = b"LWPOST02"
_HEAD = struct.Struct("<8sqqqqqI")  # magic, after, until, documents, postings, bits, checksum
_LEADING = struct.Struct("<I")  # the checksum of the head and the directory
_HEAD_BYTES = 64
_AT_ONCE = 1 << 20  # bytes that are read at a time
SUFFIX = ".postings"


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """The segment of all changes after one and until another; in a file, unless that failed."""

    after: int
    until: int
    segment: Segment
    path: Path | None = None


def file_name(after: int, until: int) -> str:
    return f"{after:012d}-{until:012d}{SUFFIX}"


def list_segments(folder: Path) -> dict[tuple[int, int], Path]:
    """The segments in a folder, by the changes they cover."""
    paths = {}
    for path in folder.glob(f"*{SUFFIX}"):
        after, _, until = path.name.removesuffix(SUFFIX).partition("-")
        if after.isdigit() and until.isdigit():
            paths[int(after), int(until)] = path
    return paths


def write_segment(
    folder: Path,
    after: int,
    until: int,
    documents: Numbers,
    most_postings: int,
    keys: Iterable[Hashes],
) -> Part:
    """A segment brought to a file, a stretch at a time."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, aside = tempfile.mkstemp(dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(bytes(_HEAD_BYTES))
            numbers = documents.astype("<i8", copy=False)
            file.write(numbers.data)
            checksum = zlib.crc32(numbers.data)
            bits, postings = directory_bits(most_postings), 0

            def stretches() -> Iterator[Hashes]:
                nonlocal checksum, postings
                for stretch in keys:
                    data = stretch.astype("<u8", copy=False).data
                    file.write(data)
                    checksum = zlib.crc32(data, checksum)
                    postings += len(stretch)
                    yield stretch

            directory: bytes | memoryview = b""
            if bits:  # never twice in memory: it grows with the library
                directory = directory_of(stretches(), bits).astype("<u4", copy=False).data
                file.write(directory)
            else:
                for _stretch in stretches():
                    pass
            file.seek(0)
            head = _HEAD.pack(_MAGIC, after, until, len(documents), postings, bits, checksum)
            file.write(head + _LEADING.pack(zlib.crc32(directory, zlib.crc32(head))))
            file.flush()
            os.fsync(file.fileno())
        path = folder / file_name(after, until)
        Path(aside).replace(path)
    except BaseException:
        Path(aside).unlink(missing_ok=True)
        raise
    part = open_segment(path)
    if part is None:
        raise OSError(f"{path} cannot be read back")
    return part


def open_segment(path: Path) -> Part | None:
    """The segment in a file, or None where it is not whole."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD.size)
            magic, after, until, documents, postings, bits, _checksum = _HEAD.unpack(head)
            (leading,) = _LEADING.unpack(file.read(_LEADING.size))
            entries = (1 << bits) + 1 if 0 < bits < 40 else 0
            length = _HEAD_BYTES + 8 * documents + 8 * postings + 4 * entries
            if magic != _MAGIC or os.fstat(file.fileno()).st_size != length:
                return None
            file.seek(length - 4 * entries)
            checksum = zlib.crc32(head)
            while data := file.read(_AT_ONCE):
                checksum = zlib.crc32(data, checksum)
            if checksum != leading:
                return None
            mapped = mmap.mmap(file.fileno(), length, access=mmap.ACCESS_READ)
    except (OSError, OverflowError, struct.error, ValueError):
        return None
    if path.name != file_name(after, until):
        return None
    plain = np.frombuffer(mapped, dtype=np.uint8)
    ends = np.cumsum([_HEAD_BYTES, 8 * documents, 8 * postings, 4 * entries])
    pieces = [plain[a:b] for a, b in pairwise(ends.tolist())]
    segment = Segment(
        pieces[0].view("<i8"),
        pieces[1].view("<u8"),
        pieces[2].view("<u4") if entries else None,
        partial(mapped.madvise, mmap.MADV_DONTNEED) if hasattr(mmap, "MADV_DONTNEED") else None,
    )
    return Part(after, until, segment, path)


def is_intact(path: Path) -> bool:
    """Whether every byte of a segment is as it was written."""
    part = open_segment(path)
    if part is None:
        return False
    with path.open("rb") as file:
        checksum = _HEAD.unpack(file.read(_HEAD.size))[-1]
    actual = zlib.crc32(part.segment.documents.tobytes())
    for start in range(0, len(part.segment), 1 << 20):
        actual = zlib.crc32(part.segment.keys[start : start + (1 << 20)].tobytes(), actual)
    return bool(actual == checksum)


_PRIME = 8191  # keeps sums of squares small enough for every database
_LARGE_PRIME = (1 << 31) - 1  # so large that most numbers are themselves
_PART_BITS = 20  # of a number in the index: which part of its document it is


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """What an index is made of: rows with hashes, one for each document or for each part of one."""

    name: str
    rows: Table
    has_parts: bool = False

    def number(self, row: Any) -> int:
        """The number under which the index knows a row."""
        document = int(row.document_id)
        return document << _PART_BITS | int(row.number) if self.has_parts else document

    def documents(self, numbers: Numbers) -> Numbers:
        """The documents that numbers belong to."""
        return numbers >> _PART_BITS if self.has_parts else numbers

    def parts(self, numbers: Numbers) -> Numbers:
        """Which part of its document each of them is."""
        return numbers & ((1 << _PART_BITS) - 1) if self.has_parts else np.zeros_like(numbers)

    def sums(self) -> list[ColumnElement[Any]]:
        """Questions whose answers tell one set of rows from another, read from an index alone."""
        row = self.rows.c
        small = row.document_id % _PRIME
        part = row.number + 1 if self.has_parts else literal(1)
        kept_small = func.sum(row.document_id % _LARGE_PRIME)
        return [func.count(), kept_small, func.sum(small * small * part)]

    def sums_of(self, numbers: Numbers) -> tuple[int, ...]:
        """The same of numbers in an index."""
        documents = self.documents(numbers)
        small = documents % _PRIME
        weighed = small * small * (self.parts(numbers) + 1)
        return len(numbers), int((documents % _LARGE_PRIME).sum()), int(weighed.sum())

    @property
    def order(self) -> list[ColumnElement[Any]]:
        """Rows come in the order of changes, then of numbers."""
        row = self.rows.c
        return [row.change, row.document_id, *([row.number] if self.has_parts else [])]


MOST_PARTS = 1 << _PART_BITS  # of a document that can be told apart
TEXTS = Family("", schema.sketches)
TABLES = Family("tables", schema.document_tables, has_parts=True)


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """The index at one moment; it does not change while it is used."""

    segments: tuple[Segment, ...]
    removed: Numbers
    flags: tuple[Flags | None, ...]  # of each segment, which documents are gone

    def __len__(self) -> int:
        """How many there are that are not gone."""
        removed = sum(int(flags.sum()) for flags in self.flags if flags is not None)
        return sum(len(segment.documents) for segment in self.segments) - removed

    def among(self, fits: Callable[[Numbers], Flags], family: Family) -> View:
        """The index as if it knew nothing but the documents that fit."""
        flags = []
        for segment, removed in zip(self.segments, self.flags, strict=True):
            other = ~fits(family.documents(segment.documents))
            other = other if removed is None else other | removed
            flags.append(other if other.any() else None)
        return replace(self, flags=tuple(flags))

    def look_up(self, hashes: Hashes, **cut_at: int) -> Lookup:
        """Who holds these distinct, ascending hashes; `few` and `most` as in `look_up`."""
        return look_up(self.segments, hashes, removed=self.flags, **cut_at)

    def holders(self, hashes: Hashes) -> Numbers:
        """How many hold each of these distinct, ascending hashes."""
        return self.look_up(hashes, few=0).holders

    def eldest_holders(self, hash_: int, most: int = ELDEST) -> tuple[int, ...]:
        return eldest_holders(self.segments, hash_, removed=self.flags, most=most)


NOTHING = View((), np.zeros(0, np.int64), ())


def view_of(segments: Sequence[Segment], removed: Iterable[int], family: Family) -> View:
    """Some segments, of which the documents that are gone do not count."""
    ascending = np.array(sorted(removed), dtype=np.int64)
    flags = tuple(
        removed_flags(replace(one, documents=family.documents(one.documents)), ascending)
        for one in segments
    )
    return View(tuple(segments), ascending, flags)
