"""Numbers of documents, as questions to a database take them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import BindParameter, bindparam

from likewise.errors import BadInput

LARGEST = (1 << 63) - 1  # number that a database takes
_AT_ONCE = 500  # numbers in one question

# Of statements that are made once: putting one together takes longer than what it asks for.
NUMBERS: BindParameter[int] = bindparam("numbers", expanding=True)


def checked_numbers(numbers: Iterable[Any]) -> list[int]:
    """Numbers of documents, as every database takes them."""
    found = list(numbers)
    for number in found:
        if not is_whole(number, -LARGEST - 1):
            raise BadInput("library.no_number", value=repr(number))
    return [int(number) for number in found]


def is_whole(value: Any, low: int) -> bool:
    """Whether this is a whole number, from `low` up to the largest of a database."""
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= LARGEST


def parts_of(numbers: Sequence[int], size: int = _AT_ONCE) -> list[Sequence[int]]:
    """Numbers in parts that a database takes at once."""
    return [numbers[start : start + size] for start in range(0, len(numbers), size)]
