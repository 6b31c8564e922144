"""A ZIP archive as a folder of documents; what is in it, readers tell."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from likewise.errors import ReadingError
from likewise.model import Message
from likewise.reading.formats import ZIP_BEGINNINGS
from likewise.reading.request import Limits
from likewise.reading.sandbox import shared_sandbox
from likewise.reading.unpack import DIRECTORY_MISSING, archive_directory, unpack_member

_LOCKED = 0x1
_NUMBERS = ("start", "packed_bytes", "size", "method", "crc", "flags")
_MOST_HEAD_BYTES = 30 + 2 * 65_535  # of a member: its fixed part, its name, its extra field


@dataclass(frozen=True, slots=True)
class Member:
    """A file in an archive, under a name for people."""

    name: str
    start: int
    packed_bytes: int
    size: int
    method: int
    crc: int
    flags: int


class Archive:
    """The members of a ZIP archive, each unpacked on demand and never beyond the limits."""

    def __init__(self, source: Path | bytes, members: tuple[Member, ...], limits: Limits) -> None:
        self.members = members
        self._source, self._limits = source, limits
        self._remaining_bytes = limits.archive_bytes
        self._lock = threading.Lock()

    def read(self, member: Member) -> bytes:
        """The bytes of a member."""
        if member.flags & _LOCKED:
            raise ReadingError("reading.locked_in_archive")
        with self._lock:
            limit = min(self._limits.unpacked_bytes, self._remaining_bytes)
        data: bytes = shared_sandbox(self._limits).call(
            unpack_member,
            self._slice(member.start, _MOST_HEAD_BYTES + member.packed_bytes),
            method=member.method,
            packed_bytes=member.packed_bytes,
            size=member.size,
            crc=member.crc,
            flags=member.flags,
            limit=limit,
        )
        with self._lock:
            self._remaining_bytes -= min(len(data), self._remaining_bytes)
        return data

    def _slice(self, start: int, size: int) -> bytes:
        if isinstance(self._source, bytes):
            return self._source[start : start + size]
        try:
            with self._source.open("rb") as file:
                file.seek(start)
                return file.read(min(size, self._limits.file_bytes))
        except (OSError, OverflowError) as error:
            why = Message.verbatim(str(error))
            raise ReadingError("reading.damaged_in_archive", error=why) from error


def open_archive(
    data: bytes, name: str, limits: Limits, path: Path | None = None
) -> Archive | None:
    """The archive that some bytes are, unless they are something else.

    With a path, members are read from there and not from the memory.
    """
    if data[:4] not in ZIP_BEGINNINGS:
        return None
    directory = shared_sandbox(limits).call(
        archive_directory, data, name=name, members=limits.members
    )
    if directory is None:
        return None
    return Archive(path or data, tuple(_member(entry) for entry in directory), limits)


def _member(entry: Mapping[str, object]) -> Member:
    """An entry as a reader tells it, which met a stranger's file and is not believed blindly."""
    numbers = [entry.get(name) for name in _NUMBERS]
    if not isinstance(entry.get("name"), str) or not all(
        isinstance(number, int) and number >= 0 for number in numbers
    ):
        raise ReadingError("reading.damaged_zip", error=DIRECTORY_MISSING)
    return Member(str(entry["name"]), *numbers)  # type: ignore[arg-type]
