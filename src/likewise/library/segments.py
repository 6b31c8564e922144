"""Segments of postings as files that are searched where they lie, and an index at one moment.

A file is written aside, brought to the disk and then renamed, so that nobody sees half of one. Its
length follows from its head; a file that does not fit, or is of an earlier format, is as good as
none. Head and buckets, which lead to everything else, are compared with a checksum whenever a file
is opened; the rest, which may be large, when a library is verified.

A view is what an index says at one moment: its segments together. What an index is made of (texts,
or the tables inside them) is a family.
"""

from __future__ import annotations

import mmap
import os
import struct
import tempfile
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from functools import partial
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, Connection, Table, func, literal, select

from likewise.kernels.blocks import pack_rows
from likewise.library import schema
from likewise.library.sketch_rows import following_in_changes, row_numbers, split_row
from likewise.library.sketches import blocks_of_rows, hashes_from
from likewise.search.meaning import PART_BITS, indexed_keys
from likewise.search.packed_keys import KeyLayout, KeyPacker, PackedKeys, layout_of
from likewise.search.postings import (
    ELDEST,
    Flags,
    Hashes,
    Lookup,
    Numbers,
    Rows,
    Segment,
    eldest_holders,
    look_up,
    removed_flags,
)

_MAGIC = b"LWPOST04"
# Magic, after, until, documents, postings; bytes of a document's number, bits of a bucket's and of
# a document's place, bytes of a row, the first document's number, checksum of all but the buckets.
_HEAD = struct.Struct("<8sqqqqBBBBqI")
_LEADING = struct.Struct("<I")  # the checksum of the head and the buckets
_HEAD_BYTES = 64
_AT_ONCE = 1 << 20  # bytes that are read at a time
_LONG = 1 << 16  # postings of a segment that is packed
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


@dataclass(frozen=True, slots=True)
class _Head:
    """What the beginning of a file says, and where everything else stands."""

    after: int
    until: int
    documents: int
    postings: int
    number_bytes: int  # 4 where all documents have numbers close to each other, else 8
    bucket_bits: int  # 0 where keys are not packed
    place_bits: int
    row_bytes: int  # 0 where there are no rows
    first: int  # of the documents' numbers where they take 4 bytes
    checksum: int

    @classmethod
    def read(cls, data: bytes) -> _Head | None:
        magic, *values = _HEAD.unpack(data)
        head = cls(*values)
        sizes_make_sense = head.number_bytes in (4, 8) and min(head.documents, head.postings) >= 0
        return head if magic == _MAGIC and sizes_make_sense else None

    def packed(self) -> bytes:
        return _HEAD.pack(_MAGIC, *astuple(self))

    @property
    def layout(self) -> KeyLayout | None:
        return KeyLayout(self.bucket_bits, self.place_bits) if self.bucket_bits else None

    @property
    def sections(self) -> list[tuple[int, int]]:
        """From where to where documents, rows, keys, buckets and the counts of buckets stand."""
        sizes = [_HEAD_BYTES, *map(_round_up, self._sizes_of_documents)]
        if self.layout is None:
            sizes += [8 * self.postings, 0, 0]
        else:
            sizes.append(self.layout.lower_bytes(self.postings))
            sizes += self.layout.bucket_bytes(self.postings)
        return list(pairwise(accumulate(sizes)))

    @property
    def _sizes_of_documents(self) -> tuple[int, int]:
        return self.documents * self.number_bytes, self.documents * self.row_bytes


def _round_up(size: int) -> int:
    return -(-size // 8) * 8


def write_segment(
    folder: Path,
    after: int,
    until: int,
    documents: Numbers,
    most_postings: int,
    keys: Iterable[Hashes],
    rows: Iterable[Rows] = (),
) -> Part:
    """A segment brought to a file, a stretch at a time."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, aside = tempfile.mkstemp(dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(bytes(_HEAD_BYTES))
            checksum = postings = 0

            def write(data: NDArray[Any]) -> None:
                nonlocal checksum
                file.write(data.data)
                checksum = zlib.crc32(data.data, checksum)

            def count(stretches: Iterable[Hashes]) -> Iterator[Hashes]:
                nonlocal postings
                for stretch in stretches:
                    postings += len(stretch)
                    yield stretch

            number_bytes, first = _width_of(documents)
            write(_padded((documents - first).astype("<u4" if number_bytes == 4 else "<i8")))
            row_bytes = written = 0
            for stretch_of_rows in rows:
                row_bytes = stretch_of_rows.shape[1]
                written += stretch_of_rows.size
                write(np.ascontiguousarray(stretch_of_rows))
            write(np.zeros(_round_up(written) - written, dtype=np.uint8))
            layout = layout_of(most_postings, len(documents)) if most_postings >= _LONG else None
            leading: list[NDArray[Any]] = []
            if layout is None:
                for stretch in count(keys):
                    write(stretch.astype("<u8", copy=False))
            else:
                packer = KeyPacker(layout, most_postings)
                for data in packer.lower_parts(count(keys)):
                    write(data)
                leading = list(packer.buckets())
            head = _Head(
                *(after, until, len(documents), postings),
                *(number_bytes, layout.bucket_bits if layout else 0),
                *(layout.number_bits if layout else 0, row_bytes, first, checksum),
            ).packed()
            checksum = zlib.crc32(head)
            for data in leading:
                write(data)
            file.seek(0)
            file.write(head + _LEADING.pack(checksum))
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


def _width_of(documents: Numbers) -> tuple[int, int]:
    """How many bytes the numbers of documents take, and what is subtracted from them."""
    first = int(documents.min()) if len(documents) else 0
    last = int(documents.max()) if len(documents) else 0
    return (4, first) if last - first < 1 << 32 else (8, 0)


def _padded(numbers: NDArray[Any]) -> NDArray[Any]:
    """Numbers of 4 or 8 bytes, so many that they end where a number of 8 bytes does."""
    missing = -numbers.nbytes % 8 // numbers.itemsize
    return np.concatenate([numbers, np.zeros(missing, dtype=numbers.dtype)])


def open_segment(path: Path) -> Part | None:
    """The segment in a file, or None where it is not whole."""
    try:
        with path.open("rb") as file:
            data = file.read(_HEAD.size)
            head = _Head.read(data)
            (leading,) = _LEADING.unpack(file.read(_LEADING.size))
            if head is None or path.name != file_name(head.after, head.until):
                return None
            documents, rows, keys, buckets, ended = head.sections
            if os.fstat(file.fileno()).st_size != ended[1]:
                return None
            file.seek(buckets[0])
            checksum = zlib.crc32(data)
            while data := file.read(_AT_ONCE):
                checksum = zlib.crc32(data, checksum)
            if checksum != leading:
                return None
            mapped = mmap.mmap(file.fileno(), ended[1], access=mmap.ACCESS_READ)
    except (OSError, OverflowError, struct.error, ValueError):
        return None
    plain = np.frombuffer(mapped, dtype=np.uint8)
    lower = plain[slice(*keys)]
    segment = Segment(
        _numbers_in(plain[slice(*documents)], head),
        lower.view("<u8")
        if head.layout is None
        else PackedKeys(
            head.layout,
            head.postings,
            lower,
            plain[slice(*buckets)],
            plain[slice(*ended)].view("<u4"),
        ),
        partial(mapped.madvise, mmap.MADV_DONTNEED) if hasattr(mmap, "MADV_DONTNEED") else None,
        plain[rows[0] : rows[0] + head.documents * head.row_bytes].reshape(-1, head.row_bytes)
        if head.row_bytes
        else None,
    )
    return Part(head.after, head.until, segment, path)


def _numbers_in(data: NDArray[np.uint8], head: _Head) -> Numbers:
    if head.number_bytes == 8:
        return data.view("<i8")
    return data.view("<u4")[: head.documents].astype(np.int64) + head.first


def is_intact(path: Path) -> bool:
    """Whether every byte of a segment is as it was written."""
    if open_segment(path) is None:
        return False
    with path.open("rb") as file:
        head = _Head.read(file.read(_HEAD.size))
        if head is None:
            return False
        documents, _rows, keys, *_ = head.sections
        file.seek(documents[0])
        checksum, remaining = 0, keys[1] - documents[0]
        while data := file.read(min(_AT_ONCE, remaining)):
            checksum, remaining = zlib.crc32(data, checksum), remaining - len(data)
    return checksum == head.checksum


_PRIME = 8191  # keeps sums of squares small enough for every database
_LARGE_PRIME = (1 << 31) - 1  # so large that most numbers are themselves


@dataclass(frozen=True, slots=True)
class RowsOfPart:
    """Which rows of the database a segment is made of."""

    recipe_id: int
    after: int
    until: int

    def conditions(self, family: Family) -> tuple[ColumnElement[bool], ...]:
        row = family.rows.c
        by_recipe = row.recipe_id == self.recipe_id
        return by_recipe, row.change > self.after, row.change <= self.until


@dataclass(frozen=True, slots=True, eq=False)
class Entries:
    """What an index holds of one row: numbers, the hashes of each, and what is kept beside them."""

    numbers: list[int]
    hashes: list[Hashes]
    rows: Rows | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """What an index is made of: rows with hashes, one for each document or for each part of one."""

    name: str
    rows: Table
    has_parts: bool = False

    @property
    def data(self) -> tuple[ColumnElement[Any], ...]:
        """The columns that hold what rows are found by."""
        return (self.rows.c.hashes.label("data"),)

    def entries(self, rows: Sequence[Any]) -> list[Entries]:
        """The numbers under which the index knows each of some rows, and what it holds of them."""
        return [Entries([self.number(row)], [hashes_from(row.data)]) for row in rows]

    def number(self, row: Any) -> int:
        """The number under which the index knows a row."""
        document = int(row.document_id)
        return document << PART_BITS | int(row.number) if self.has_parts else document

    def documents(self, numbers: Numbers) -> Numbers:
        """The documents that numbers belong to."""
        return numbers >> PART_BITS if self.has_parts else numbers

    def parts(self, numbers: Numbers) -> Numbers:
        """Which part of its document each of them is."""
        return numbers & ((1 << PART_BITS) - 1) if self.has_parts else np.zeros_like(numbers)

    def rows_of(
        self, connection: Connection, documents: Collection[int], part: RowsOfPart
    ) -> Sequence[Any]:
        """The rows of some documents that came by the changes of a segment."""
        column = self.rows.c
        query = select(*self.order, *self.data).where(
            *part.conditions(self), column.document_id.in_(sorted(documents))
        )
        return connection.execute(query).all()

    def sums_in(self, connection: Connection, part: RowsOfPart) -> tuple[int, ...]:
        """Numbers that tell the rows of a segment from others."""
        sums = connection.execute(select(*self.sums()).where(*part.conditions(self))).one()
        return tuple(int(value or 0) for value in sums)

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


class _SketchFamily(Family):
    """Rows that several documents may share."""

    __slots__ = ()

    @property
    def data(self) -> tuple[ColumnElement[Any], ...]:
        return self.rows.c.hashes.label("data"), self.rows.c.others

    def entries(self, rows: Sequence[Any]) -> list[Entries]:
        entries = []
        for row in rows:
            parts = split_row(row.document_id, row.others, row.data)
            hashes = [hashes_from(data) for _, data in parts]
            entries.append(Entries([number for number, _ in parts], hashes))
        return entries

    def rows_of(
        self, connection: Connection, documents: Collection[int], part: RowsOfPart
    ) -> Sequence[Any]:
        """Each with a row of its own: what others share with it is left out."""
        numbers = row_numbers(connection, part.recipe_id, documents)
        return [
            _SketchRow(row.change, number, None, data)
            for row in Family.rows_of(self, connection, numbers, part)
            for number, data in split_row(row.document_id, row.others, row.data)
            if number in documents
        ]

    def sums_in(self, connection: Connection, part: RowsOfPart) -> tuple[int, ...]:
        following = following_in_changes(connection, part.recipe_id, part.after, part.until)
        firsts = Family.sums_in(self, connection, part)
        return tuple(map(sum, zip(firsts, self.sums_of(following), strict=True)))


class _SketchRow(NamedTuple):
    change: int
    document_id: int
    others: None
    data: bytes


class _ConceptFamily(Family):
    """Rows of which each holds all blocks of a document."""

    __slots__ = ()

    @property
    def data(self) -> tuple[ColumnElement[Any], ...]:
        return self.rows.c.concepts, self.rows.c.blocks

    def entries(self, rows: Sequence[Any]) -> list[Entries]:
        ids = blocks_of_rows(rows)
        keys, packed = indexed_keys(ids), pack_rows(ids)
        entries, start = [], 0
        for row in rows:
            first, end = int(row.document_id) << PART_BITS, start + row.blocks
            numbers = list(range(first, first + row.blocks))
            entries.append(Entries(numbers, keys[start:end], packed[start:end]))
            start = end
        return entries

    def sums(self) -> list[ColumnElement[Any]]:
        row = self.rows.c
        small = row.document_id % _PRIME
        kept_small = func.sum(row.document_id % _LARGE_PRIME * row.blocks)
        return [func.sum(row.blocks), kept_small, func.sum(small * small * row.blocks)]

    def sums_of(self, numbers: Numbers) -> tuple[int, ...]:
        documents = self.documents(numbers)
        small = documents % _PRIME
        return len(numbers), int((documents % _LARGE_PRIME).sum()), int((small * small).sum())

    @property
    def order(self) -> list[ColumnElement[Any]]:
        return [self.rows.c.change, self.rows.c.document_id]


MOST_PARTS = 1 << PART_BITS  # of a document that can be told apart
TEXTS = _SketchFamily("", schema.sketches)
TABLES = Family("tables", schema.document_tables, has_parts=True)
CONCEPTS = _ConceptFamily("concepts", schema.concept_blocks, has_parts=True)


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
