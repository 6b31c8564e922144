"""Segments of postings as files that are searched where they lie.

A file is written aside, brought to the disk and then renamed, so that nobody sees half of one. Its
length follows from its head; a file that does not fit is as good as none. Head and directory, which
lead to everything else, are compared with a checksum whenever a file is opened; the rest, which may
be large, when a library is verified.
"""

from __future__ import annotations

import mmap
import os
import struct
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np

from likewise.search.postings import (
    Hashes,
    Numbers,
    Segment,
    directory_bits,
    directory_of,
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
