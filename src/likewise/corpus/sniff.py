"""What a corpus file is, by its content first and its name second."""

from __future__ import annotations

import codecs
from pathlib import Path, PurePath
from typing import Literal

from likewise.corpus.packing import (
    SUFFIXES,
    Damaged,
    Packing,
    open_unpacked,
    packing_of,
    unreadable,
)
from likewise.errors import BadInput

HEAD_BYTES = 4096

LINES = {".jsonl", ".ndjson", ".json"}
PARQUET = {".parquet", ".pq"}

# What people have in their folders and give us by mistake, with what to do about it.
FOREIGN = {
    b"\x89PNG\r\n": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"%PDF-": "a PDF document; `likewise find` reads those",
    b"PK\x03\x04": "a ZIP archive or an Office document; unpack an archive first",
    b"PK\x05\x06": "an empty ZIP archive",
    b"BZh": "packed with bzip2; unpack it, or pack it with gzip, zstd or xz",
    b"7z\xbc\xaf\x27\x1c": "a 7-Zip archive; unpack it first",
    b"\x04\x22\x4d\x18": "packed with LZ4; unpack it, or pack it with gzip, zstd or xz",
    b"ARROW1": "an Arrow file; save it as Parquet",
    b"PARE": "an encrypted Parquet file; decrypt it first",
    b"SQLite format 3": "an SQLite database; export its documents first",
    b"\xff\xfe": "text in UTF-16; convert it to UTF-8",
    b"\xfe\xff": "text in UTF-16; convert it to UTF-8",
    b"PAR1": "a Parquet file packed once more; unpack it first",
}


class Foreign(BadInput):
    """The file is something else altogether."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.reason = reason


def is_corpus_name(name: str) -> bool:
    """Whether a file in a folder looks like a part of a corpus.

    >>> [is_corpus_name(name) for name in ("a.JSONL.zst", "b.snappy.parquet", "c.txt", "d.gz")]
    [True, True, False, False]
    """
    return _kind_by_name(name) in LINES | PARQUET


def is_lines_by_name_only(name: str) -> bool:
    """Whether the name says JSON and leaves open whether one object a line."""
    return _kind_by_name(name) == ".json"


def _kind_by_name(name: str) -> str:
    suffixes = [suffix.lower() for suffix in PurePath(name).suffixes]
    if suffixes and suffixes[-1] in SUFFIXES:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def kind_of(path: Path) -> Packing | Literal["parquet"]:
    """Parquet, or lines packed in this way; raises `Foreign` when it can be neither."""
    try:
        with path.open("rb") as file:
            head = file.read(16)
    except OSError as error:
        raise unreadable(path, error) from error
    if head.startswith(b"PAR1"):
        return "parquet"
    packing = packing_of(head)
    if not head:
        if _kind_by_name(path.name) in PARQUET:
            raise Foreign(path, "not a Parquet file but an empty one")
        return packing
    try:
        with open_unpacked(path, packing) as unpacked:
            head = unpacked.peek(HEAD_BYTES)[:HEAD_BYTES]
    except Damaged:
        return packing  # reading it will tell where
    if foreign := _foreign(head):
        raise Foreign(path, f"not a corpus but {foreign}")
    by_name = _kind_by_name(path.name)
    if by_name in PARQUET and not head.lstrip().startswith(b"{"):
        raise Foreign(path, "not a Parquet file, in spite of its name")
    if by_name == ".txt" and not head.lstrip().startswith(b"{"):
        raise Foreign(path, "a single text is no corpus; give the folder it is in")
    return packing


def _foreign(head: bytes) -> str | None:
    for magic, what in FOREIGN.items():
        if head.startswith(magic):
            return what
    if head[257:262] == b"ustar":
        return "a tar archive; unpack it first"
    if any(line.lstrip(b"\xef\xbb\xbf \t\r").startswith(b"{") for line in head.split(b"\n")):
        return None
    if b"\0" in head:
        return "binary data"
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return "binary data or text that is not in UTF-8"
    return None
