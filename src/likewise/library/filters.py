"""Which documents of a library are meant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Any

from sqlalchemy import ColumnElement, and_, exists, or_, select

from likewise.errors import BadInput
from likewise.library import schema

OneOrMore = str | tuple[str, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Documents that fit everything given here.

    A `year` is one or a pair (first, last). `not_owner` and `not_author` leave out what only that
    person has handed in: one's own earlier versions. A document that somebody else has handed in
    as well stays.
    """

    language: OneOrMore = None
    type: OneOrMore = None
    organisation: OneOrMore = None
    author: OneOrMore = None
    owner: OneOrMore = None
    advisor: OneOrMore = None
    year: int | tuple[int | None, int | None] | None = None
    tag: OneOrMore = None
    not_owner: str | None = None
    not_author: str | None = None
    not_ids: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return self != Filters()

    def conditions(self) -> list[ColumnElement[bool]]:
        """The same in SQL, about the table `documents`."""
        document = schema.documents.c
        found: list[ColumnElement[bool]] = []
        for name in ("language", "type", "organisation", "advisor"):
            if (value := getattr(self, name)) is not None:
                found.append(document[name].in_(_several(value)))
        for name in ("author", "owner"):
            if (value := getattr(self, name)) is not None:
                wanted = _several(value)
                again = _handed_in_again(schema.document_references.c[name].in_(wanted))
                found.append(or_(document[name].in_(wanted), again))
            if (person := getattr(self, f"not_{name}")) is not None:
                other = schema.document_references.c[name].is_distinct_from(person)
                found.append(or_(document[name].is_distinct_from(person), _handed_in_again(other)))
        if self.year is not None:
            found.append(_in_years(self.year))
        for tag in _several(self.tag) if self.tag is not None else ():
            tags = schema.tags.c
            found.append(exists(select(1).where(tags.document_id == document.id, tags.tag == tag)))
        if self.not_ids:
            found.append(document.id.not_in(self.not_ids))
        return found


FIELDS = tuple(field.name for field in fields(Filters))


def filters_from(filters: Filters | None, values: Mapping[str, Any]) -> Filters:
    """Filters, or filters by name, with a word about names that do not exist."""
    for name in values.keys() - set(FIELDS):
        near = get_close_matches(name, FIELDS, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(FIELDS)}"
        raise BadInput(f"documents cannot be chosen by {name!r}; {hint}")
    if filters is not None and values:
        raise BadInput("give filters, or their names, not both")
    return filters if filters is not None else Filters(**values)


def _several(value: str | tuple[str, ...]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def _handed_in_again(condition: ColumnElement[bool]) -> ColumnElement[bool]:
    reference = schema.document_references.c
    return exists(select(1).where(and_(reference.document_id == schema.documents.c.id, condition)))


def _in_years(year: int | tuple[int | None, int | None]) -> ColumnElement[bool]:
    column = schema.documents.c.year
    if isinstance(year, int):
        return column == year
    first, last = year
    bounds: list[ColumnElement[bool]] = [column.is_not(None)]
    if first is not None:
        bounds.append(column >= first)
    if last is not None:
        bounds.append(column <= last)
    return and_(*bounds)
