"""Documents as a library keeps them: packed and compressed, and what makes two of them the same."""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import replace

import zstandard

from likewise.library.errors import LibraryError
from likewise.model import Document, Message
from likewise.reading.serialization import pack, unpack

_LONGEST = 1 << 31  # bytes of an unpacked document


def pack_document(document: Document) -> bytes:
    """Everything about a document but its name."""
    return zstandard.ZstdCompressor().compress(pack(document))


def unpack_document(packed: bytes, name: str) -> Document:
    """The document that was packed."""
    try:
        data = zstandard.ZstdDecompressor().decompress(bytes(packed), max_output_size=_LONGEST)
        return unpack(data, name)
    except (zstandard.ZstdError, ValueError) as error:
        raise LibraryError(
            "library.text_damaged", about=name, error=Message.verbatim(str(error))
        ) from error


def unpack_original(packed: bytes, number: int) -> bytes:
    """The file that was kept of a document."""
    try:
        return zstandard.ZstdDecompressor().decompress(bytes(packed))
    except (zstandard.ZstdError, MemoryError) as error:
        raise LibraryError("library.original_damaged", n=number) from error


def storable(document: Document) -> Document:
    """The document without halves of surrogate pairs, which no database and no file can hold."""
    text = _encodable(document.text)
    if any(
        not _is_encodable(table.caption, *map("".join, table.rows)) for table in document.tables
    ):
        tables = tuple(
            replace(
                table,
                caption=_encodable(table.caption),
                rows=tuple(tuple(map(_encodable, row)) for row in table.rows),
            )
            for table in document.tables
        )
        return replace(document, text=text, tables=tables)
    return document if text is document.text else replace(document, text=text)


def _encodable(text: str) -> str:
    """The text itself, or one of the same length without halves of pairs."""
    if _is_encodable(text):
        return text
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if len(whole) != len(text):  # pairs have become letters: offsets would be wrong
        whole = "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)
    return whole


def _is_encodable(*texts: str) -> bool:
    try:
        for text in texts:
            text.encode()
    except UnicodeEncodeError:
        return False
    return True


def hash_of_text(document: Document) -> bytes:
    """The same for the same text, however it is broken into lines and whatever it was a file of."""
    words = unicodedata.normalize("NFKC", document.compared_text).split()
    return hashlib.blake2b(" ".join(words).encode(), digest_size=16).digest()


def hash_of_bytes(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def hash_of_document(document: Document) -> bytes:
    """For a document that never was a file: as if its text were one."""
    return hash_of_bytes(b"document\0" + pack(document))
