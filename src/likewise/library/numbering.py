"""Which numbers new documents get.

In the library of all they count up by one. A number that everybody sees must not tell how many
documents somebody else keeps in private, so each collection that people made counts for itself,
from a first number that follows from its name. All these numbers lie far above those of the library
of all, and no collection's numbers depend on another's documents.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from itertools import count

from sqlalchemy import Connection, func, select

from likewise.library import schema

FIRST_OF_COLLECTIONS = 1 << 40  # the numbers of tables leave 43 bits, those of pages 53
_BLOCK_BITS = 18  # documents that are numbered one after the other, then another block begins
_BLOCKS_BITS = 22


def has_own_numbers(connection: Connection, collection: str) -> bool:
    """Whether a collection is one that people made, which may be private."""
    kept = schema.server.collections.c.id
    query = select(kept).where(kept == collection, kept != "")
    return connection.execute(query).first() is not None


def next_numbers(connection: Connection, collection: str) -> Iterator[int]:
    """Numbers of a collection that no document has or had."""
    for block in count():
        first = _first_of_block(collection, block)
        end = first + (1 << _BLOCK_BITS)
        yield from range(max(first, _last_given(connection, first, end) + 1), end)


def _first_of_block(collection: str, block: int) -> int:
    """
    >>> _first_of_block("a", 0) >= FIRST_OF_COLLECTIONS
    True
    >>> _first_of_block("a", 0) == _first_of_block("b", 0)
    False
    """
    hashed = blake2b(f"{block} {collection}".encode(), digest_size=8).digest()
    place = int.from_bytes(hashed, "big") % (1 << _BLOCKS_BITS)
    return FIRST_OF_COLLECTIONS + (place << _BLOCK_BITS)


def _last_given(connection: Connection, first: int, end: int) -> int:
    """The last number of a block that a document has, or had before it was removed; 0 if none."""
    last = 0
    for number in (schema.documents.c.id, schema.removals.c.document_id):
        query = select(func.max(number)).where(number >= first, number < end)
        last = max(last, connection.execute(query).scalar() or 0)
    return last
