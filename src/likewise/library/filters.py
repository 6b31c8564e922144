"""Which documents of a library are meant: by metadata, or by words in names and people."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any, TypedDict

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    and_,
    exists,
    func,
    or_,
    select,
    text,
    union,
)
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.base import ReadOnlyColumnCollection

from likewise.errors import BadInput
from likewise.library import schema
from likewise.library.metadata import hint_of, shorten_name

_PEOPLE = ("author", "owner", "advisor", "not_owner", "not_author")
_TEXTS = ("collection", "language", "type", "organisation", *_PEOPLE, "tag")

OneOrMore = str | tuple[str, ...] | None
Columns = ReadOnlyColumnCollection[str, Column[Any]]


class FilterChanges(TypedDict, total=False):
    """Filters by name, for functions that take each of them as a keyword of its own."""

    collection: OneOrMore
    language: OneOrMore
    type: OneOrMore
    organisation: OneOrMore
    author: OneOrMore
    owner: OneOrMore
    advisor: OneOrMore
    year: int | tuple[int | None, int | None] | None
    tag: OneOrMore
    not_owner: OneOrMore
    not_author: OneOrMore
    not_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Documents that fit everything given here.

    A `year` is one or a pair (first, last). `not_owner` and `not_author` leave out what only that
    person has handed in: one's own earlier versions. A document that somebody else with a name has
    handed in as well stays.
    """

    collection: OneOrMore = None
    language: OneOrMore = None
    type: OneOrMore = None
    organisation: OneOrMore = None
    author: OneOrMore = None
    owner: OneOrMore = None
    advisor: OneOrMore = None
    year: int | tuple[int | None, int | None] | None = None
    tag: OneOrMore = None
    not_owner: OneOrMore = None
    not_author: OneOrMore = None
    not_ids: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        for name in _TEXTS:
            value = getattr(self, name)
            if value is None or isinstance(value, str):
                cleaned_up: Any = value if value is None else shorten_name(value)
            elif _are(value, str):
                cleaned_up = tuple(map(shorten_name, value))
            else:
                raise BadInput("library.takes_text", name=name, value=repr(value))
            object.__setattr__(self, name, cleaned_up)
        if self.year is not None:
            _check_years(self.year)
        if not _are(self.not_ids, int):
            raise BadInput("library.takes_document_numbers", value=repr(self.not_ids))
        object.__setattr__(self, "not_ids", tuple(self.not_ids))

    def __bool__(self) -> bool:
        return self != Filters()

    def conditions(self) -> list[ColumnElement[bool]]:
        """The same in SQL, about the table `documents`."""
        document = schema.documents.c
        conditions: list[ColumnElement[bool]] = []
        for name in ("collection", "language", "type", "organisation", "advisor"):
            if (value := getattr(self, name)) is not None:
                conditions.append(document[name].in_(as_tuple(value)))
        for name in ("author", "owner"):
            if (value := getattr(self, name)) is not None:
                names, again = as_tuple(value), schema.document_references.c
                # Two short lists that indexes give, rather than a look at every document.
                first = select(document.id).where(document[name].in_(names))
                others = select(again.document_id).where(again[name].in_(names))
                conditions.append(document.id.in_(union(first, others)))
        if self.not_owner is not None or self.not_author is not None:
            conditions.append(~self._is_own())
        if self.year is not None:
            conditions.append(_in_years(self.year))
        for tag in as_tuple(self.tag) if self.tag is not None else ():
            tags = schema.tags.c
            conditions.append(
                exists(select(1).where(tags.document_id == document.id, tags.tag == tag))
            )
        if self.not_ids:
            conditions.append(document.id.not_in(self.not_ids))
        return conditions

    def _is_own(self) -> ColumnElement[bool]:
        """Whether the person is among those who handed a document in, and nobody else is.

        Who handed it in without any name is nobody; whoever adds the documents of others (the
        owner of them all) is nobody else.
        """
        document, reference = schema.documents.c, schema.document_references.c
        first, again = self._handed_in(document), self._handed_in(reference)
        other = ~first & or_(document.owner.is_not(None), document.author.is_not(None))
        another_owner = and_(
            reference.owner.is_not(None), reference.owner.is_distinct_from(document.owner)
        )
        other_again = ~again & or_(reference.author.is_not(None), another_owner)
        return and_(or_(first, _handed_in_again(again)), ~other, ~_handed_in_again(other_again))

    def _handed_in(self, handed_in: Columns) -> ColumnElement[bool]:
        """Whether a document, or a reference to it, is of the person; never unknown."""
        return or_(
            *(
                and_(handed_in[name].is_not(None), handed_in[name].in_(as_tuple(person)))
                for name, person in (("owner", self.not_owner), ("author", self.not_author))
                if person is not None
            )
        )


FIELDS = tuple(field.name for field in fields(Filters))


def filters_from(filters: Filters | None, values: FilterChanges) -> Filters:
    """Filters, or filters by name, with a word about names that do not exist."""
    for name in values.keys() - set(FIELDS):
        raise BadInput("library.unknown_filter", name=name, hint=hint_of(name, FIELDS))
    if filters is not None and values:
        raise BadInput("library.filters_twice")
    return filters if filters is not None else Filters(**values)


def as_tuple(value: str | tuple[str, ...]) -> tuple[str, ...]:
    """One or more, as several."""
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


def _are(values: Any, kind: type) -> bool:
    """Whether these are several of a kind, each of which a database takes."""
    return isinstance(values, tuple | list | set | frozenset) and all(
        isinstance(value, kind)
        and not isinstance(value, bool)
        and (not isinstance(value, int) or abs(value) < 1 << 63)
        for value in values
    )


def _check_years(year: Any) -> None:
    years = year if isinstance(year, tuple | list) else (year,)
    if not (len(years) in (1, 2) and _are([one for one in years if one is not None], int)):
        raise BadInput("library.takes_years", value=repr(year))
    for one in years:
        if one is not None and not 0 <= one <= 9999:
            raise BadInput("library.takes_year", value=one)


# Words found anywhere in names and people, in lists of any length. Each engine has its own way to
# look less than everywhere: PostgreSQL an index of three letters at a time, where it may be made;
# SQLite an index that is shorter to read through than the documents.

SEARCH_INDEX = "ix_documents_searched"


def add_search_index(connection: Connection) -> None:
    """Make the index of this engine; without the right to, searches are slower."""
    if connection.dialect.name == "sqlite":
        connection.execute(text(f"CREATE INDEX {SEARCH_INDEX} ON documents (searched)"))
        return
    try:
        with connection.begin_nested():
            connection.execute(text("CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public"))
    except DBAPIError:
        return  # the extension is not installed, or not to be had by this user
    connection.execute(
        text(f"CREATE INDEX {SEARCH_INDEX} ON documents USING gin (searched public.gin_trgm_ops)")
    )


def match_words(connection: Connection, words: Iterable[str]) -> list[ColumnElement[bool]]:
    """That the name or the people of a document hold each of some words in small letters."""
    document = schema.documents.c
    if connection.dialect.name == "postgresql":
        return [document.searched.contains(word, autoescape=True) for word in words]
    return [
        document.id.in_(select(document.id).where(func.instr(document.searched, word) > 0))
        for word in words
    ]
