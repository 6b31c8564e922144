"""What is known about a document besides its text (paper 003, 4.1.1)."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from datetime import UTC, date, datetime, time
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypedDict, TypeVar

from likewise.catalogue import Message
from likewise.errors import BadInput, ReadingError, words_of_system

MOST_CHARS = 500  # of a name; an index of PostgreSQL takes some 2,700 bytes
MOST_TABLE_BYTES = 64 << 20
MOST_ROWS = 200_000  # of a table; of an institution, not of a class
TEXTS = ("name", "owner", "language", "type", "organisation", "author", "advisor")

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """Who wrote a document, where, when; nothing of it has to be known.

    >>> Metadata(author=" A. Nur ", year=2024).author
    'A. Nur'
    """

    name: str | None = None
    owner: str | None = None
    added_on: datetime | None = None
    language: str | None = None
    type: str | None = None
    organisation: str | None = None
    author: str | None = None
    advisor: str | None = None
    year: int | None = None
    month: int | None = None
    tags: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in TEXTS:
            object.__setattr__(self, name, _text(name, getattr(self, name)))
        for name, low, high in (("year", 1, 9999), ("month", 1, 12)):
            object.__setattr__(self, name, _number(name, getattr(self, name), low, high))
        object.__setattr__(self, "added_on", _utc_datetime(self.added_on))
        tags: Any = self.tags
        if not isinstance(tags, str | Iterable):
            raise BadInput("library.takes_texts", value=repr(tags))
        tag_list = [tags] if isinstance(tags, str) else list(tags)
        tag_names = {_text("tag", tag) for tag in tag_list}
        object.__setattr__(self, "tags", tuple(sorted(tag for tag in tag_names if tag)))

    def or_else(self, other: Metadata) -> Metadata:
        """These, and the other's where these say nothing; tags of both."""
        missing = {
            name: getattr(other, name)
            for name in FIELDS
            if name != "tags" and getattr(self, name) is None
        }
        return replace(self, **missing, tags=(*self.tags, *other.tags))


FIELDS = tuple(field.name for field in fields(Metadata))


class MetadataFields(TypedDict, total=False):
    """Metadata by name, for functions that take each of them as a keyword of its own."""

    name: str | None
    owner: str | None
    added_on: datetime | str | None
    language: str | None
    type: str | None
    organisation: str | None
    author: str | None
    advisor: str | None
    year: int | None
    month: int | None
    tags: str | Iterable[str]


def metadata_from(values: Mapping[str, Any]) -> Metadata:
    """Metadata by name, with a word about names that do not exist."""
    for name in values.keys() - set(FIELDS):
        raise BadInput("library.unknown_metadata", name=name, hint=hint_of(name, FIELDS))
    return Metadata(**values)


def hint_of(name: str, names: tuple[str, ...]) -> Message:
    """The name that somebody who wrote another may have meant, or all that there are."""
    if near := get_close_matches(name, names, 1):
        return Message("library.did_you_mean", {"name": near[0]})
    return Message("library.there_are", {"names": names})


class MetadataTable:
    """Metadata of many documents, by their names: a table with a heading."""

    def __init__(
        self, rows: Mapping[str, Mapping[str, Any]], place: str, ignored: tuple[str, ...] = ()
    ) -> None:
        self._rows = dict(rows)
        self._place = place
        # Which document took each row, and whether by its whole name.
        self._documents: dict[str, tuple[str, bool]] = {}
        self.ignored = ignored  # columns that say nothing a library keeps

    def of(self, name: str, path: str | None = None) -> Metadata:
        """What the table says about a name: the whole one, else with folders, else the bare one.

        A row is about one document; a bare name is that of the document which has no other.
        """
        bare, document = name.rpartition("/")[2], path or name
        folders = (path or name).split("/")
        longer = ["/".join(folders[-count:]) for count in range(len(folders), 1, -1)]
        for key in dict.fromkeys((name, *longer, bare)):
            if key not in self._rows:
                continue
            other, is_whole = self._documents.setdefault(key, (document, key == name))
            if other == document:
                return metadata_from(self._rows[key])
            if is_whole and key != name:
                return NOTHING
            raise BadInput(
                "library.ambiguous_row", about=self._place, row=key, first=other, second=document
            )
        return NOTHING

    @property
    def unused(self) -> tuple[str, ...]:
        """Names in the table that no document had."""
        return tuple(sorted(self._rows.keys() - self._documents.keys()))


def read_metadata_table(path: str | Path) -> MetadataTable:
    """The table in a CSV file: a column `file` (or `name`), others as metadata are called.

    Several tags stand in one cell with `;` between them.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise BadInput(
            "library.metadata_unread", path=str(path), why=words_of_system(error)
        ) from error
    return metadata_table_in(data, str(path))


def metadata_table_in(data: bytes, place: str) -> MetadataTable:
    """The table in some bytes, which a reader takes apart; `place` is what messages call it."""
    table = _from_reader(table_rows, data, place)
    return MetadataTable(table["rows"], place, tuple(table["ignored"]))


def check_metadata_table(data: bytes, place: str) -> None:
    """Say what is wrong with a table, without having all its rows here."""
    _from_reader(table_fault, data, place)


def _from_reader(function: Callable[..., T], data: bytes, place: str) -> T:
    from likewise.reading.request import Limits
    from likewise.reading.sandbox import shared_sandbox

    if len(data) > MOST_TABLE_BYTES:
        raise BadInput("library.long_table", about=place, n=MOST_TABLE_BYTES >> 20)
    try:
        return shared_sandbox(Limits()).call(function, data, place=place)
    except ReadingError as error:
        raise BadInput(error.message, about=error.about) from error


def table_fault(data: bytes, place: str) -> None:
    """`BadInput` where the table cannot be used. For a reader."""
    table_rows(data, place)


def table_rows(data: bytes, place: str) -> dict[str, Any]:
    """The rows of a table by document, and the columns that say nothing. For a reader."""
    from likewise.reading.encoding import decode

    try:
        text = decode(data).text.removeprefix("\ufeff")
    except ReadingError as error:
        raise BadInput("library.no_csv", place=place) from error
    heading = text[: text.find("\n")] if "\n" in text else text
    separator = max(",;\t", key=heading.count)
    rows: dict[str, dict[str, Any]] = {}
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        columns = [_column(column) for column in reader.fieldnames or ()]
        key = next((name for name in ("file", "name") if name in columns), None)
        if key is None:
            raise BadInput("library.no_file_column", about=place)
        reader.fieldnames = columns
        for number, row in enumerate(reader, 2):
            cells = {name: (value or "").strip() for name, value in row.items() if name in columns}
            document = cells.pop(key, "").replace("\\", "/")
            if not document:
                continue
            try:
                if document in rows:
                    raise BadInput("library.row_twice", name=document)
                if len(rows) == MOST_ROWS:
                    raise BadInput("library.many_rows", n=MOST_ROWS)
                rows[document] = _of_cells(cells)
                metadata_from(rows[document])  # says what is wrong with it
            except BadInput as error:
                raise BadInput(
                    "library.table_row", place=place, n=number, why=error.full_message
                ) from error
    except csv.Error as error:
        raise BadInput("library.no_table", place=place, why=Message.verbatim(str(error))) from error
    ignored = [column for column in columns if column and column not in (key, *FIELDS)]
    return {"rows": rows, "ignored": ignored}


def _column(heading: str) -> str:
    name = heading.strip().lower().replace(" ", "_")
    return {"tag": "tags", "organization": "organisation"}.get(name, name)


def _of_cells(cells: Mapping[str, str]) -> dict[str, Any]:
    """A row as people and their programs write it: years as 2023.0, or as a date."""
    values: dict[str, Any] = {name: cell for name, cell in cells.items() if cell and name in FIELDS}
    if "tags" in values:
        values["tags"] = values["tags"].split(";")
    for name in ("year", "month"):
        if name in values:
            values[name] = re.sub(r"[.,]0+$", "", values[name])
    year = values.get("year", "")
    day_first = re.fullmatch(r"\d{1,2}[./-](\d{1,2})[./-](\d{4})", year)
    year_first = re.fullmatch(r"(\d{4})[./-](\d{1,2})([./-]\d{1,2})?", year)
    if day_first:
        values["year"] = day_first[2]
        if "." in year:  # with slashes it may be the day
            values.setdefault("month", day_first[1])
    elif year_first:
        values["year"] = year_first[1]
        values.setdefault("month", year_first[2])
    return values


def clean_text(text: str) -> str:
    """Text that every database takes: no zero characters, no halves of surrogate pairs."""
    return text.replace("\0", "").encode("utf-8", "backslashreplace").decode()


def shorten_name(text: str) -> str:
    """A text as lists hold it: clean, and no longer than every database can put in order.

    >>> len(shorten_name("a" * 10_000))
    500
    """
    clean = clean_text(text)
    if len(clean) <= MOST_CHARS:
        return clean
    half = (MOST_CHARS - 1) // 2
    return f"{clean[: MOST_CHARS - 1 - half]}…{clean[-half:]}"


def search_text(parts: Iterable[str | None]) -> str:
    """What a search looks through: small letters of every alphabet, on every engine alike."""
    return "\n".join(part.casefold() for part in parts if part)


def fold_name(name: str) -> str:
    """A name as it is compared, however it is written.

    >>> fold_name("  A.  NUR ") == fold_name("a. Nur")
    True
    """
    return " ".join(name.split()).casefold()


def _text(name: str, value: Any) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str):
        raise BadInput("library.takes_text", name=name, value=repr(value))
    return shorten_name(value).strip() or None


def _number(name: str, value: Any, low: int, high: int) -> int | None:
    if value is None:
        return None
    if isinstance(value, str) and value.strip().isdecimal():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise BadInput(
            "library.takes_number_between", name=name, value=repr(value), low=low, high=high
        )
    return value


def _utc_datetime(value: Any) -> datetime | None:
    """A moment in UTC, as it is stored."""
    if value is None:
        return None
    if isinstance(value, str):
        with suppress(ValueError):  # told below
            value = datetime.fromisoformat(value)
    if isinstance(value, date) and not isinstance(value, datetime):
        value = datetime.combine(value, time())
    if not isinstance(value, datetime):
        raise BadInput("library.takes_date", value=repr(value))
    return value.astimezone(UTC).replace(tzinfo=None) if value.tzinfo else value


NOTHING = Metadata()
