"""Which documents of a library are meant: by metadata, by words in names and people, by numbers.

Names of people are meant however they are spelled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, TypedDict

from sqlalchemy import (
    BindParameter,
    Column,
    ColumnElement,
    Connection,
    and_,
    bindparam,
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
from likewise.library.metadata import fold_name, hint_of, shorten_name

_PEOPLE = ("author", "owner", "advisor", "not_owner", "not_author")
_TEXTS = ("collection", "language", "type", "organisation", *_PEOPLE, "tag")

LARGEST = (1 << 63) - 1  # number that a database takes
_AT_ONCE = 500  # numbers in one question

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


Spellings = Mapping[str, Sequence[str]]  # a name in small letters → as it is written here
ReadSpellings = Callable[[Connection, str, tuple[str, ...] | None], Spellings]


def read_spellings(
    connection: Connection, what: str, collections: tuple[str, ...] | None = None
) -> Spellings:
    """The owners or the authors of all documents in some collections; it looks at each of these.

    Who stands in no other document is not there: a name that is known tells that somebody has it.
    """
    document, reference = schema.documents, schema.document_references
    first = select(document.c[what])
    again = select(reference.c[what])
    if collections is not None:
        here = document.c.collection.in_(collections)
        first = first.where(here)
        again = again.join_from(
            reference, document, reference.c.document_id == document.c.id
        ).where(here)
    spellings: dict[str, list[str]] = {}
    for person in sorted(
        person for person in connection.execute(union(first, again)).scalars() if person is not None
    ):
        spellings.setdefault(fold_name(person), []).append(person)
    return spellings


def resolve_names(
    connection: Connection, filters: Filters, read: ReadSpellings = read_spellings
) -> tuple[Filters, list[str]]:
    """Filters with `not_owner` and `not_author` as the library spells them; names it does not know.

    The library is what the filters choose by collection: others are not asked for spellings, and
    whether they know a name is not told. Databases do not agree on what capital letters are, so
    names are compared here.
    """
    collections = None if filters.collection is None else as_tuple(filters.collection)
    spelled: dict[str, tuple[str, ...]] = {}
    unknown: dict[str, bool] = {}
    for what in ("owner", "author"):
        if (people := getattr(filters, f"not_{what}")) is None:
            continue
        spellings = read(connection, what, collections)
        by_name = {person: spellings.get(fold_name(person), ()) for person in as_tuple(people)}
        spelled[f"not_{what}"] = tuple(
            spelling for person, them in by_name.items() for spelling in them or [person]
        )
        for person, them in by_name.items():
            unknown[person] = unknown.get(person, True) and not them
    if not spelled:
        return filters, []
    resolved = replace(
        filters,
        not_owner=spelled.get("not_owner"),
        not_author=spelled.get("not_author"),
    )
    return resolved, [person for person, is_so in unknown.items() if is_so]


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
