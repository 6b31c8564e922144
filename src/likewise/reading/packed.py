"""A document as bytes: between the processes that read and ours, and in the cache.

JSON and nothing cleverer: what comes back from a process that met a hostile file is data, and
stays data.
"""

from __future__ import annotations

import json

from likewise.model import Document, Message, Note, Page, Picture, Span, Table


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
                Note(kind, Message.from_plain(message), tuple(Span(*ends) for ends in spans))
                for kind, message, spans in fields["notes"]
            ),
            left_out=tuple((Span(s, e), reason) for s, e, reason in fields["left_out"]),
        )
    except (KeyError, TypeError) as error:
        raise ValueError(f"not a packed document: {error}") from error


def _ends(span: Span) -> tuple[int, int]:
    return span.start, span.end
