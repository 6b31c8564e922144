"""Packed files: told by their first bytes, unpacked while they are read, packed while written."""

from __future__ import annotations

import lzma
import re
import zlib
from io import BufferedReader, FileIO, RawIOBase
from pathlib import Path
from typing import IO, TYPE_CHECKING, Literal, Protocol

import zstandard

from likewise.errors import BadInput, words_of_system
from likewise.model import Message
from likewise.progress import Count

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

Packing = Literal["plain", "gzip", "zstd", "xz"]

SUFFIXES: dict[str, Packing] = {".gz": "gzip", ".zst": "zstd", ".zstd": "zstd", ".xz": "xz"}

# A little packed text can unpack to much: zlib reaches 1:1000, zstd more.
PACKED_BYTES = 1 << 15
UNPACKED_BYTES = 1 << 18
# `zstd --ultra --long=31`, the largest window there is; only files made so need it.
ZSTD_WINDOW = 1 << 31


class Damaged(BadInput):
    """The file ends too early or holds bytes that cannot be right, from here on."""


class _Unpacker(Protocol):
    """What zlib, lzma and zstandard have in common."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


class _Compressor(Protocol):
    def compress(self, data: bytes, /) -> bytes: ...
    def flush(self) -> bytes: ...


def packing_of(head: bytes) -> Packing:
    """How a file that starts with these bytes is packed.

    >>> packing_of(b"\\x1f\\x8b\\x08\\0"), packing_of(b'{"id": 1}')
    ('gzip', 'plain')
    """
    if head.startswith(b"\x1f\x8b"):
        return "gzip"
    if head.startswith(b"\xfd7zXZ\0"):
        return "xz"
    # Parallel packers put a frame to be skipped (its number ends in any digit) before the data.
    if head.startswith(b"\x28\xb5\x2f\xfd") or re.match(rb"[\x50-\x5f]\x2a\x4d\x18", head):
        return "zstd"
    return "plain"


def _new_unpacker(packing: Packing) -> _Unpacker:
    if packing == "gzip":
        return zlib.decompressobj(wbits=31)
    if packing == "xz":
        return lzma.LZMADecompressor(lzma.FORMAT_XZ)
    return zstandard.ZstdDecompressor(max_window_size=ZSTD_WINDOW).decompressobj()


class UnpackedFile(RawIOBase):
    """The bytes inside a file, packed or plain; says how much of the file on disk was read.

    Unlike the readers of zstandard it raises `Damaged` when the packed stream is cut short,
    and not before all that came through has been read.
    """

    def __init__(self, path: Path, packing: Packing, progress: Count | None = None) -> None:
        self._path, self._packing, self._progress = path, packing, progress
        self._position = 0
        self._ready = memoryview(b"")
        self._packed = b""
        self._unpacker: _Unpacker | None = None
        try:
            self._file = FileIO(path)
        except OSError as error:
            raise unreadable(path, error) from error

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._file.fileno()

    def close(self) -> None:
        if hasattr(self, "_file"):
            self._file.close()
        super().close()

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        target = memoryview(buffer)
        if self._packing == "plain":
            try:
                count = self._file.readinto(target) or 0
            except OSError as error:
                raise unreadable(self._path, error) from error
            self._advance(count)
            return count
        while not self._ready:
            unpacked = self._unpack_more()
            if unpacked is None:
                return 0
            self._ready = memoryview(unpacked)
        count = min(len(target), len(self._ready))
        target[:count] = self._ready[:count]
        self._ready = self._ready[count:]
        return count

    def _advance(self, count: int) -> None:
        self._position += count
        if self._progress:
            self._progress(self._position)

    def _unpack_more(self) -> bytes | None:
        """The next piece, perhaps empty; None when the last of the packed streams has ended."""
        if not self._packed:
            try:
                self._packed = self._file.read(PACKED_BYTES) or b""
            except OSError as error:
                raise unreadable(self._path, error) from error
            self._advance(len(self._packed))
            if not self._packed:
                if self._unpacker is None:
                    return None
                raise Damaged("corpus.packed_short")
        if self._unpacker is None:
            # Streams may follow each other, and gzip and xz allow zeros in between.
            if self._packing != "zstd":
                self._packed = self._packed.lstrip(b"\0")
                if not self._packed:
                    return b""
            self._unpacker = _new_unpacker(self._packing)
        try:
            unpacked = self._unpacker.decompress(self._packed)
        except (zlib.error, lzma.LZMAError, zstandard.ZstdError) as error:
            raise Damaged("corpus.packed_damaged", error=Message.verbatim(str(error))) from error
        self._packed = b""
        if self._unpacker.eof:
            self._packed = self._unpacker.unused_data
            self._unpacker = None
        return unpacked


def open_unpacked(
    path: Path, packing: Packing, progress: Count | None = None
) -> BufferedReader[UnpackedFile]:
    """The file as if it had never been packed, buffered, to be read line by line."""
    return BufferedReader(UnpackedFile(path, packing, progress), UNPACKED_BYTES)


def unreadable(path: Path, error: OSError) -> BadInput:
    """What to tell when the system does not let us read a file."""
    if isinstance(error, FileNotFoundError):
        return BadInput("corpus.file_gone", about=path)
    return BadInput("corpus.unreadable", about=path, why=words_of_system(error))


class Packer:
    """Writes bytes into a file, packed; `finish` ends the packed stream, not the file.

    >>> from io import BytesIO
    >>> packer = Packer(file := BytesIO(), "gzip")
    >>> packer.write(b"one\\n"); packer.finish()
    >>> zlib.decompress(file.getvalue(), wbits=31)
    b'one\\n'
    """

    def __init__(self, file: IO[bytes], packing: Packing) -> None:
        self._file = file
        self._pieces: list[bytes] = []
        self._waiting_bytes = 0
        self._packer: _Compressor | None = None
        if packing == "gzip":
            self._packer = zlib.compressobj(wbits=31)
        elif packing == "zstd":
            self._packer = zstandard.ZstdCompressor(write_checksum=True).compressobj()
        elif packing == "xz":
            self._packer = lzma.LZMACompressor(lzma.FORMAT_XZ)

    def write(self, data: bytes) -> None:
        self._pieces.append(data)
        self._waiting_bytes += len(data)
        if self._waiting_bytes >= UNPACKED_BYTES:
            self._pack()

    def finish(self) -> None:
        self._pack()
        if self._packer:
            self._file.write(self._packer.flush())

    def _pack(self) -> None:
        data = b"".join(self._pieces)
        self._pieces.clear()
        self._waiting_bytes = 0
        self._file.write(self._packer.compress(data) if self._packer else data)
