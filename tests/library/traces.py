"""Looks for words in all that a library leaves: files, rows, and what is packed in either."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import zstandard
from sqlalchemy import text

from likewise.library import schema
from likewise.library.store import Store

_ZSTD, _ZIP = b"\x28\xb5\x2f\xfd", b"PK\x03\x04"
_ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be")


def needles_of(words: Iterable[str]) -> list[bytes]:
    """Words as bytes, in every encoding and as JSON writes them."""
    spelled = {form for word in words for form in (word, word.casefold(), word.upper())}
    plain = [form.encode(encoding) for form in spelled for encoding in _ENCODINGS]
    escaped = [form.encode("ascii", "backslashreplace") for form in spelled]
    return [*plain, *escaped]


def pieces_of(blob: bytes, length: int = 24) -> list[bytes]:
    """Stretches of packed bytes, which would be found in a page of a file wherever it begins."""
    return [blob[i : i + length] for i in range(16, len(blob) - length, 64)]


def traces_in_files(folders: Iterable[Path], needles: list[bytes]) -> list[str]:
    """The files that hold any of some bytes, also packed."""
    found = []
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and _holds(path.read_bytes(), needles):
                found.append(str(path))
    return found


def traces_in_rows(store: Store, needles: list[bytes]) -> list[str]:
    """The columns of all tables that hold any of some bytes, also packed."""
    found: set[str] = set()
    with store.reading() as connection:
        for table in schema.metadata.sorted_tables:
            for row in connection.execute(text(f'SELECT * FROM "{table.name}"')).mappings():
                for name, value in row.items():
                    is_blob = isinstance(value, bytes | memoryview)
                    data = bytes(value) if is_blob else str(value).encode("utf-8", "replace")
                    if _holds(data, needles):
                        found.add(f"{table.name}.{name}")
    return sorted(found)


def _holds(data: bytes, needles: list[bytes]) -> bool:
    return any(needle in plain for plain in _unpacked(data) for needle in needles)


def _unpacked(data: bytes, depth: int = 0) -> Iterator[bytes]:
    """The bytes, and what can be unpacked anywhere in them."""
    yield data
    if depth == 3:
        return
    for start in _starts(data, _ZSTD):
        try:
            inner = zstandard.ZstdDecompressor().decompressobj().decompress(data[start:])
        except zstandard.ZstdError:
            continue
        yield from _unpacked(inner, depth + 1)
    for start in _starts(data, _ZIP):
        head = data[start : start + 30]
        if len(head) < 30:
            continue
        body = start + 30 + int.from_bytes(head[26:28], "little")
        body += int.from_bytes(head[28:30], "little")
        try:
            yield zlib.decompressobj(-15).decompress(data[body:])
        except zlib.error:
            continue


def _starts(data: bytes, sign: bytes) -> Iterator[int]:
    place = data.find(sign)
    while place >= 0:
        yield place
        place = data.find(sign, place + 1)
