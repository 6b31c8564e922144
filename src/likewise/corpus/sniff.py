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
from likewise.model import Message

HEAD_BYTES = 4096

LINES = {".jsonl", ".ndjson", ".json"}
PARQUET = {".parquet", ".pq"}

# What people have in their folders and give us by mistake, with what to do about it.
FOREIGN = {
    b"\x89PNG\r\n": Message("corpus.a_picture", {"kind": "PNG"}),
    b"\xff\xd8\xff": Message("corpus.a_picture", {"kind": "JPEG"}),
    b"GIF8": Message("corpus.a_picture", {"kind": "GIF"}),
    b"%PDF-": Message("corpus.pdf_document", {"command": "likewise find"}),
    b"PK\x03\x04": Message("corpus.zip_or_office"),
    b"PK\x05\x06": Message("corpus.empty_zip"),
    b"BZh": Message("corpus.packed_with", {"kind": "bzip2"}),
    b"7z\xbc\xaf\x27\x1c": Message("corpus.archive", {"kind": "7-Zip"}),
    b"\x04\x22\x4d\x18": Message("corpus.packed_with", {"kind": "LZ4"}),
    b"ARROW1": Message("corpus.arrow"),
    b"PARE": Message("corpus.parquet_locked"),
    b"SQLite format 3": Message("corpus.sqlite"),
    b"\xff\xfe": Message("corpus.utf16"),
    b"\xfe\xff": Message("corpus.utf16"),
    b"PAR1": Message("corpus.parquet_packed"),
}


class Foreign(BadInput):
    """The file is something else altogether."""


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
            raise Foreign("corpus.empty_parquet", about=path)
        return packing
    try:
        with open_unpacked(path, packing) as unpacked:
            head = unpacked.peek(HEAD_BYTES)[:HEAD_BYTES]
    except Damaged:
        return packing  # reading it will tell where
    if foreign := _foreign(head):
        raise Foreign("corpus.not_a_corpus", about=path, why=foreign)
    by_name = _kind_by_name(path.name)
    if by_name in PARQUET and not head.lstrip().startswith(b"{"):
        raise Foreign("corpus.not_parquet", about=path)
    if by_name == ".txt" and not head.lstrip().startswith(b"{"):
        raise Foreign("corpus.single_text", about=path)
    return packing


def _foreign(head: bytes) -> Message | None:
    for magic, what in FOREIGN.items():
        if head.startswith(magic):
            return what
    if head[257:262] == b"ustar":
        return Message("corpus.archive", {"kind": "tar"})
    if any(line.lstrip(b"\xef\xbb\xbf \t\r").startswith(b"{") for line in head.split(b"\n")):
        return None
    if b"\0" in head:
        return Message("corpus.binary_data")
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return Message("corpus.binary_or_not_utf8")
    return None
