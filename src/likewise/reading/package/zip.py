"""The parts of a ZIP package, inflated within limits, whole or damaged."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from dataclasses import dataclass
from typing import Any, Protocol

from likewise.catalogue import Value
from likewise.errors import ReadingError
from likewise.model import Message
from likewise.reading.package.xml import Element, parse_or_rescue
from likewise.reading.request import Limits

_LOCAL = struct.Struct("<4s5H3L2H")  # the header that stands before every part
_MARK = b"PK\x03\x04"
_STORED, _DEFLATED = 0, 8
_LOCKED_FLAG, _UTF8_FLAG = 0x1, 0x800
_SMALL_STEP = 128  # bytes inflated at a time where a part is damaged: so much is lost at most


class Parts(Protocol):
    """Named parts, however they are stored."""

    damage: list[Value]  # names of parts, and what else is wrong

    @property
    def names(self) -> tuple[str, ...]: ...
    def read(self, name: str) -> bytes | None: ...
    def xml(self, name: str) -> Element | None: ...


@dataclass(frozen=True, slots=True)
class _Entry:
    name: str
    start: int  # of its local header
    packed_bytes: int | None
    checksum: int | None


class Package:
    """The parts of a ZIP package by their names; `damage` says what could not be read as it was.

    Names are found whatever their case and slashes are. All that is ever inflated counts against
    the limit, and nothing that a header says about sizes is believed.
    """

    def __init__(self, data: bytes, limits: Limits) -> None:
        self.damage: list[Value] = []
        self._data = data
        self._remaining_bytes = limits.unpacked_bytes
        self._most_parts = limits.members
        self._entries_scanned: dict[str, _Entry] | None = None
        self._entries: dict[str, _Entry] = {}
        for entry in _listed(data, limits.members) or ():
            self._entries.setdefault(_key(entry.name), entry)
        if not self._entries:
            self._entries = self._scanned()
            self.damage.append(Message("reading.contents_missing"))
        if not self._entries:
            raise ReadingError("reading.zip_damaged")

    @property
    def names(self) -> tuple[str, ...]:
        """Every part's name, with `/`, as the package spells it."""
        return tuple(entry.name for entry in self._entries.values())

    def read(self, name: str) -> bytes | None:
        """The bytes of a part, or as many as could be rescued; None where there is no such part."""
        entry = self._entries.get(_key(name))
        if entry is None:
            return None
        content, whole = self._inflated(entry, self._remaining_bytes)
        self._remaining_bytes -= len(content)
        if not whole and entry.name not in self.damage:
            self.damage.append(entry.name)
        return content

    def beginning(self, name: str, most_bytes: int) -> bytes:
        """The first bytes of a part; nothing where there is none."""
        entry = self._entries.get(_key(name))
        return b"" if entry is None else self._inflated(entry, most_bytes, cut=True)[0]

    def xml(self, name: str) -> Element | None:
        """The root element of a part, mended where its XML is broken; None without such a part."""
        content = self.read(name)
        if content is None:
            return None
        return parse_or_rescue(content, name, self.damage)

    def _inflated(self, entry: _Entry, most: int, *, cut: bool = False) -> tuple[bytes, bool]:
        header = self._header(entry)
        if header is None and (scanned := self._scanned().get(_key(entry.name))) is not None:
            entry, header = scanned, self._header(scanned)
        if header is None:
            return b"", False
        _, _, flags, method, _, _, _, _, _, name_length, extra_length = header
        if flags & _LOCKED_FLAG:
            raise ReadingError("reading.locked")
        start = entry.start + _LOCAL.size + name_length + extra_length
        end = len(self._data) if entry.packed_bytes is None else start + entry.packed_bytes
        packed = memoryview(self._data)[start:end]
        content, whole = b"", False
        if method == _STORED and entry.packed_bytes is not None:
            content, whole = bytes(packed[: most + 1]), end <= len(self._data)
        elif method == _DEFLATED:
            content, whole = _inflate(packed, most + 1)
        if len(content) > most:
            if cut:
                return content[:most], True
            raise ReadingError("reading.trap_unpacks")
        return content, whole and entry.checksum in {None, zlib.crc32(content)}

    def _header(self, entry: _Entry) -> tuple[Any, ...] | None:
        """What stands before a part; None where it does not stand there."""
        if self._data[entry.start : entry.start + len(_MARK)] != _MARK:
            return None
        if entry.start + _LOCAL.size > len(self._data):
            return None
        return _LOCAL.unpack_from(self._data, entry.start)

    def _scanned(self) -> dict[str, _Entry]:
        """Where the parts really stand; looked for once."""
        if self._entries_scanned is None:
            self._entries_scanned = {}
            for entry in _scanned(self._data, self._most_parts):
                self._entries_scanned.setdefault(_key(entry.name), entry)
        return self._entries_scanned


def _key(name: str) -> str:
    return name.replace("\\", "/").lstrip("/").lower()


def _listed(data: bytes, most: int) -> list[_Entry] | None:
    """What the table of contents at the end lists; None where it cannot be read."""
    if data.count(b"PK\x01\x02") > most:
        raise ReadingError("reading.package_parts")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            infos = package.infolist()
    except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError, struct.error):
        return None
    return [
        _Entry(info.filename.replace("\\", "/"), info.header_offset, info.compress_size, info.CRC)
        for info in infos
        if info.header_offset >= 0
    ] or None


def _scanned(data: bytes, most: int) -> list[_Entry]:
    """What the headers before the parts say, where the table of contents is lost."""
    entries: list[_Entry] = []
    at = data.find(_MARK)
    while 0 <= at <= len(data) - _LOCAL.size and len(entries) < most:
        fields = _LOCAL.unpack_from(data, at)
        flags, method, checksum, packed, name_length = (fields[i] for i in (2, 3, 6, 7, 9))
        end = at + _LOCAL.size + name_length
        if method in {_STORED, _DEFLATED}:
            name = data[end - name_length : end].decode(
                "utf-8" if flags & _UTF8_FLAG else "cp437", "replace"
            )
            has_sizes = packed > 0  # else the sizes follow the part, where they cannot be found
            entries.append(
                _Entry(name, at, packed if has_sizes else None, checksum if has_sizes else None)
            )
            end += packed
        at = data.find(_MARK, min(end, len(data)))
    return entries


def _inflate(packed: memoryview, most: int) -> tuple[bytes, bool]:
    """As much as can be inflated, at most so many bytes; and whether it came to its end."""
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        content = inflater.decompress(packed, most)
        return content, inflater.eof
    except zlib.error:
        pass
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    pieces: list[bytes] = []
    try:
        for at in range(0, len(packed), _SMALL_STEP):
            pieces.append(inflater.decompress(packed[at : at + _SMALL_STEP], most))
            most -= len(pieces[-1])
            if most <= 0 or inflater.eof:
                break
    except zlib.error:
        pass
    return b"".join(pieces), False
