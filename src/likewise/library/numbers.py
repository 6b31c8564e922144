"""Numbers of documents: as questions to a database take them, and which ones new documents get.

In the library of all they count up by one. A number that everybody sees must not tell how many
documents somebody else keeps in private, so each collection that people made counts for itself,
from a first number that follows from its name. All these numbers lie far above those of the library
of all, and no collection's numbers depend on another's documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from itertools import count
from typing import Any

from sqlalchemy import BindParameter, Connection, bindparam, func, select

from likewise.errors import BadInput
from likewise.library import schema

LARGEST = (1 << 63) - 1  # number that a database takes
_AT_ONCE = 500  # numbers in one question

# Of statements that are made once: putting one together takes longer than what it asks for.
NUMBERS: BindParameter[int] = bindparam("numbers", expanding=True)


def check_numbers(numbers: Iterable[Any]) -> list[int]:
    """Numbers of documents, as every database takes them."""
    values = list(numbers)
    for number in values:
        if not is_whole(number, -LARGEST - 1):
            raise BadInput("library.no_number", value=repr(number))
    return [int(number) for number in values]


def is_whole(value: Any, low: int) -> bool:
    """Whether this is a whole number, from `low` up to the largest of a database."""
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= LARGEST


def split_numbers(numbers: Sequence[int], size: int = _AT_ONCE) -> list[Sequence[int]]:
    """Numbers in parts that a database takes at once."""
    return [numbers[start : start + size] for start in range(0, len(numbers), size)]


FIRST_OF_COLLECTIONS = 1 << 40  # the numbers of tables leave 43 bits, those of pages 53
_BLOCK_BITS = 18  # documents that are numbered one after the other, then another block begins
_BLOCKS_BITS = 22


def next_numbers(connection: Connection, collection: str) -> Iterator[int]:
    """Numbers of a collection that no document has or had."""
    for block in count():
        first = _first_of_block(collection, block)
        end = first + (1 << _BLOCK_BITS)
        yield from range(max(first, _last_used(connection, first, end) + 1), end)


def _first_of_block(collection: str, block: int) -> int:
    """The first number of a block of a collection.

    >>> _first_of_block("a", 0) >= FIRST_OF_COLLECTIONS
    True
    >>> _first_of_block("a", 0) == _first_of_block("b", 0)
    False
    """
    hashed = blake2b(f"{block} {collection}".encode(), digest_size=8).digest()
    place = int.from_bytes(hashed, "big") % (1 << _BLOCKS_BITS)
    return FIRST_OF_COLLECTIONS + (place << _BLOCK_BITS)


def _last_used(connection: Connection, first: int, end: int) -> int:
    """The last number of a block that a document has, or had before it was removed; 0 if none."""
    last = 0
    for number in (schema.documents.c.id, schema.removals.c.document_id):
        query = select(func.max(number)).where(number >= first, number < end)
        last = max(last, connection.execute(query).scalar() or 0)
    return last
