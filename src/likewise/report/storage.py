"""Results as bytes, to be kept in a database and shown again months later, by another process.

A head in plain letters tells what the bytes hold and by which schema; behind it stand lines of
JSON, compressed. The first line is the result, the others are the documents that it names: each
stands once, however often the result refers to it. JSON and nothing cleverer: what comes back is
data, and stays data.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import Any, Literal

import zstandard

from likewise.errors import LikewiseError, OutputFailed
from likewise.model import Check, Document, Message
from likewise.report.older import complete_check, complete_view
from likewise.report.view import View
from likewise.results import SCHEMA, DocumentList, by_name, decode, encode

LARGEST = 1 << 29  # bytes of a result before it is compressed; no few bytes may ask for more

ResultKind = Literal["check", "report"]

_HEAD = re.compile(rb"likewise (check|report) (\d{1,6})\n")
_WITH_WORDINGS = 4  # the first schema that holds them
_NAMES = {"check": Message("core.a_check"), "report": Message("core.a_report")}


class Unreadable(LikewiseError):
    """A kept result cannot be shown again; the message says why, and what would help."""


def pack_check(check: Check) -> bytes:
    """A check with all its texts, ready to be shown and counted anew.

    >>> import likewise as lw
    >>> found = lw.check(Document.from_text("Steppe and sky."), [])
    >>> unpack_check(pack_check(found)) == found
    True
    """
    return _packed("check", check)


def unpack_check(data: bytes) -> Check:
    """The check that was packed; `Unreadable` where the bytes are damaged, or not of a check."""
    check: Check = _unpacked("check", Check, complete_check, data)
    return check


def pack_view(view: View) -> bytes:
    """What a report shows, ready to be written in every format."""
    return _packed("report", view)


def unpack_view(data: bytes) -> View:
    """The view that was packed; `Unreadable` where the bytes are damaged, or not of a view."""
    view: View = _unpacked("report", View, complete_view, data)
    return view


def holds_any(data: bytes, words: Iterable[bytes]) -> bool:
    """Whether a kept result holds some bytes, as a quick look before it is unpacked."""
    data = bytes(data)
    head = _HEAD.match(data)
    try:
        plain = _plain(data[head.end() :] if head else b"")
    except (zstandard.ZstdError, ValueError) as error:
        raise Unreadable("core.stored_damaged") from error
    return any(word in plain for word in words)


# Bytes


def _packed(what: ResultKind, result: Any) -> bytes:
    documents = DocumentList()
    first = encode(result, documents)
    lines = [first, *(encode(by_name(document)) for document in documents.listed)]
    # Not escaped: two halves of a letter side by side must not come back as one letter.
    plain = "\n".join(lines).encode("utf-8", "surrogatepass")
    if len(plain) > LARGEST:
        raise OutputFailed(
            "core.result_too_large", what=_NAMES[what], n=len(plain) >> 20, most=LARGEST >> 20
        )
    head = f"likewise {what} {SCHEMA}\n".encode()
    return head + zstandard.ZstdCompressor(write_checksum=True).compress(plain)


def _unpacked(what: ResultKind, kind: Any, complete: Callable[[Any], Any], data: bytes) -> Any:
    data = bytes(data)  # some databases give a view of their memory
    version, end_of_head = _read_head(what, data)
    packed = data[end_of_head:]
    try:
        first, *others = _lines(packed)
        documents = [decode(Document, json.loads(line)) for line in others]
        result = decode(kind, json.loads(first), documents)
        return complete(result) if version < _WITH_WORDINGS else result
    except (
        *(zstandard.ZstdError, ValueError, KeyError, TypeError, IndexError, RecursionError),
        LikewiseError,  # settings that contradict each other
    ) as error:
        raise Unreadable("core.result_damaged", what=_NAMES[what]) from error


def _read_head(what: ResultKind, data: bytes) -> tuple[int, int]:
    """The schema, and where the head ends."""
    head = _HEAD.match(data)
    if head is None:
        raise Unreadable("core.no_result", what=_NAMES[what])
    if (version := int(head[2])) > SCHEMA:
        raise Unreadable("core.result_newer", what=_NAMES[what], version=version, known=SCHEMA)
    if (kind := head[1].decode()) != what:
        raise Unreadable("core.other_result", held=_NAMES[kind], what=_NAMES[what])
    return version, head.end()


def _lines(packed: bytes) -> list[str]:
    return _plain(packed).decode("utf-8", "surrogatepass").split("\n")


def _plain(packed: bytes) -> bytes:
    # Memory is taken for the size that a frame claims, so it is looked at first.
    if not 0 <= zstandard.frame_content_size(packed) <= LARGEST:
        raise ValueError("it would be too large")
    return zstandard.ZstdDecompressor().decompress(packed, allow_extra_data=False)
