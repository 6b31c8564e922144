"""A document as bytes: between the processes that read and ours, and in the cache.

JSON and nothing cleverer: what comes back from a process that met a hostile file is data, and
stays data.
"""

from __future__ import annotations

import json
from typing import Any

from likewise.catalogue import Value, places, texts
from likewise.model import Document, Message, Note, Page, Picture, Span, Table

# Keys of what they may tell; tables of metadata are read by them too.
_OF_READERS = ("reading.", "library.", "core.verbatim", "core.sentences")


def pack(document: Document) -> bytes:
    """Everything about a document but its name."""
    fields = {
        "text": document.text,
        "pages": [(page.number, *_ends(page.span)) for page in document.pages],
        "tables": [(t.rows, *_ends(t.span), t.caption, t.page) for t in document.tables],
        "pictures": [
            (*_ends(p.span), p.hash, p.width, p.height, p.page) for p in document.pictures
        ],
        "language": document.language,
        "meta": dict(document.meta),
        "notes": [(n.kind, n.message.plain(), [_ends(s) for s in n.spans]) for n in document.notes],
        "left_out": [(*_ends(span), reason) for span, reason in document.left_out],
    }
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()


def unpack(data: bytes, name: str) -> Document:
    """The document that was packed, under a name; ValueError where the bytes are not one.

    >>> document = Document.from_text("Steppe and sky.", name="a")
    >>> unpack(pack(document), "a") == document
    True
    """
    fields = json.loads(data)
    try:
        return Document(
            name=name,
            text=fields["text"],
            pages=tuple(Page(n, Span(start, end)) for n, start, end in fields["pages"]),
            tables=tuple(
                Table(tuple(tuple(row) for row in rows), Span(start, end), caption, page)
                for rows, start, end, caption, page in fields["tables"]
            ),
            pictures=tuple(
                Picture(Span(start, end), hashed, width, height, page)
                for start, end, hashed, width, height, page in fields["pictures"]
            ),
            language=fields["language"],
            meta=fields["meta"],
            notes=tuple(
                Note(kind, _note_message(message), tuple(Span(*ends) for ends in spans))
                for kind, message, spans in fields["notes"]
            ),
            left_out=tuple((Span(s, e), reason) for s, e, reason in fields["left_out"]),
        )
    except (KeyError, TypeError) as error:
        raise ValueError(f"not a packed document: {error}") from error


def message_in(plain: Any) -> Message:
    """A message as a reader tells it; ValueError where the catalogue has no such message.

    It met a stranger's file: a key, a place or a number that is not what the catalogue expects
    would fail where the message is said, in our own process.

    >>> str(message_in({"key": "reading.comments", "values": {"n": 3}}))
    '3 comments left out'
    """
    if not isinstance(plain, dict) or plain.keys() != {"key", "values"}:
        raise ValueError("not a message")
    key, values = plain["key"], plain["values"]
    if not isinstance(key, str) or not isinstance(values, dict):
        raise ValueError("not a message")
    if not key.startswith(_OF_READERS) or values.keys() != places(key):
        raise ValueError("no message of a reader")
    if isinstance(texts("en")[key], dict) and not _is_number(values["n"]):
        raise ValueError("no number that decides between its texts")
    return Message(key, {name: _value_in(value) for name, value in values.items()})


def _value_in(value: Any) -> Value:
    if isinstance(value, dict):
        return message_in(value)
    if isinstance(value, list):
        return tuple(map(_value_in, value))
    if isinstance(value, str) or _is_number(value):
        plain: Value = value
        return plain
    raise ValueError("neither a text, a number nor a message")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _note_message(plain: Any) -> Message:
    """Of a note; caches of before hold its sentence."""
    return Message.verbatim(plain) if isinstance(plain, str) else message_in(plain)


def _ends(span: Span) -> tuple[int, int]:
    return span.start, span.end
