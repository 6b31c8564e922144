"""Results as bytes, to be kept in a database and shown again months later, by another process.

A head in plain letters tells what the bytes hold and in which format; behind it stand lines of
JSON, compressed. The first line is the result, the others are the documents that it names: each
stands once, however often the result refers to it. JSON and nothing cleverer: what comes back is
data, and stays data.

Writing needs no types, since JSON holds every value of a result; reading follows the types that
the dataclasses declare. What they declare as `Any` must be what JSON holds: no tuples.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from datetime import datetime
from functools import cache, partial
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import zstandard

from likewise.errors import LikewiseError, OutputFailed
from likewise.model import Check, Document, Match, Message
from likewise.report.view import View
from likewise.tables import TableMatch

# Raised when a Likewise of before could not read what is written, or we not what it wrote: a field
# renamed, a kind added. A new field with a default needs no new number.
FORMAT = 3  # 2: listings are a reason not to count; 3: messages are data
LARGEST = 1 << 29  # bytes of a result before it is compressed; no few bytes may ask for more

Kept = Literal["check", "report"]
Shelf = Sequence[Document]
T = TypeVar("T")

_HEAD = re.compile(rb"likewise (check|report) (\d{1,6})\n")
# What is declared as `Any`, because the model stands below the tables.
_KNOWN: dict[tuple[type, str], Any] = {
    (Match, "tables"): tuple[TableMatch, ...],
    (Check, "tables"): tuple[tuple[str, TableMatch], ...],
}


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
    return _unpacked("check", data, lambda _: Check)


def pack_view(view: View) -> bytes:
    """What a report shows, ready to be written in every format."""
    return _packed("report", view)


def unpack_view(data: bytes) -> View:
    """The view that was packed; `Unreadable` where the bytes are damaged, or not of a view."""
    return _unpacked("report", data, lambda plain: _views()[plain["kind"]])


def holds_any(data: bytes, words: Iterable[bytes]) -> bool:
    """Whether a kept result holds some bytes, as a quick look before it is unpacked."""
    data = bytes(data)
    head = _HEAD.match(data)
    try:
        plain = _plain(data[head.end() :] if head else b"")
    except (zstandard.ZstdError, ValueError) as error:
        raise Unreadable("the kept result is damaged and cannot be looked through") from error
    return any(word in plain for word in words)


@cache
def _views() -> dict[str, type[View]]:
    """Which class has views of a kind."""
    return {
        kind: view for view in get_args(View) for kind in get_args(get_type_hints(view)["kind"])
    }


# Bytes


def _packed(what: Kept, result: Any) -> bytes:
    writer = _Writer()
    first = writer.line(result)
    lines = [first, *(writer.line(_by_name(document)) for document in writer.shelf)]
    plain = "\n".join(lines).encode("utf-8", "surrogatepass")  # half a letter is kept as it is
    if len(plain) > LARGEST:
        raise OutputFailed(
            f"the {what} takes {len(plain) >> 20:,} MB, and at most {LARGEST >> 20:,} MB are kept; "
            "check against fewer documents, or leave the smallest sources out"
        )
    head = f"likewise {what} {FORMAT}\n".encode()
    return head + zstandard.ZstdCompressor(write_checksum=True).compress(plain)


def _unpacked(what: Kept, data: bytes, kind_of: Callable[[Any], type[T]]) -> T:
    data = bytes(data)  # some databases give a view of their memory
    packed = data[_end_of_head(what, data) :]
    try:
        first, *others = _lines(packed)
        shelf = [_object(Document, json.loads(line), ()) for line in others]
        plain = json.loads(first)
        result: T = _object(kind_of(plain), plain, shelf)
        return result
    except (
        *(zstandard.ZstdError, ValueError, KeyError, TypeError, IndexError, RecursionError),
        LikewiseError,  # settings that contradict each other
    ) as error:
        raise Unreadable(
            f"the kept {what} is damaged and cannot be shown; make it anew, or take it from a "
            "backup of the database"
        ) from error


def _end_of_head(what: Kept, data: bytes) -> int:
    head = _HEAD.match(data)
    if head is None:
        raise Unreadable(f"these bytes are no {what} kept by Likewise, or their beginning is lost")
    if (version := int(head[2])) > FORMAT:
        raise Unreadable(
            f"the {what} was kept by a newer Likewise, in format {version}; this one reads formats "
            f"up to {FORMAT}: bring it up to date"
        )
    if (held := head[1].decode()) != what:
        raise Unreadable(f"these bytes hold a {held}, and a {what} was asked for")
    return head.end()


def _lines(packed: bytes) -> list[str]:
    return _plain(packed).decode("utf-8", "surrogatepass").split("\n")


def _plain(packed: bytes) -> bytes:
    # Room is made for the size that a frame claims, so it is looked at first.
    if not 0 <= zstandard.frame_content_size(packed) <= LARGEST:
        raise ValueError("it would be too large")
    return zstandard.ZstdDecompressor().decompress(packed, allow_extra_data=False)


# Writing


class _Writer:
    """Writes values as lines of JSON and puts every document that it meets on a shelf."""

    def __init__(self) -> None:
        self.shelf: list[Document] = []
        self._places: dict[int, int] = {}  # by identity of those on the shelf, which stay alive
        self._named: dict[str, list[int]] = {}

    def line(self, value: Any) -> str:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=self._plain)

    def _plain(self, value: Any) -> Any:
        """What JSON does not know, as something that it does."""
        if isinstance(value, Document):
            return self._place(value)
        if isinstance(value, Message):
            return value.plain()
        if is_dataclass(value):
            return _by_name(value)
        if isinstance(value, frozenset):
            return sorted(value)
        if isinstance(value, Mapping):
            return dict(value)
        if isinstance(value, datetime):
            return value.isoformat()
        raise TypeError(f"a {type(value).__name__} cannot be kept")

    def _place(self, document: Document) -> int:
        place = self._places.get(id(document))
        if place is None:
            alike = self._named.setdefault(document.name, [])
            place = next((i for i in alike if self.shelf[i] == document), None)
            if place is None:
                place = len(self.shelf)
                alike.append(place)
                self.shelf.append(document)
                self._places[id(document)] = place
        return place


def _by_name(value: Any) -> dict[str, Any]:
    kind: Any = type(value)
    return {name: getattr(value, name) for name in _names(kind)}


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


# Reading


@dataclass(frozen=True, slots=True)
class _Type:
    """How values of a type stand in JSON, and how they are made from it."""

    plain: frozenset[Any]  # types of JSON
    made: Callable[[Any, Shelf], Any] | None = None  # None: as JSON has them

    def read(self, value: Any, shelf: Shelf) -> Any:
        if type(value) not in self.plain:
            raise ValueError(f"{type(value).__name__} in a wrong place")
        return self.made(value, shelf) if self.made else value


_LIST, _DICT = frozenset({list}), frozenset({dict})
_ANYTHING = frozenset({str, int, float, bool, NoneType, list, dict})
_ATOMS: dict[Any, _Type] = {
    str: _Type(frozenset({str})),
    int: _Type(frozenset({int, bool})),
    float: _Type(frozenset({float, int})),
    bool: _Type(frozenset({bool})),
    NoneType: _Type(frozenset({NoneType})),
    # Until format 3 a sentence stood in its place.
    Message: _Type(frozenset({dict, str}), lambda value, _: Message.from_plain(value)),
    datetime: _Type(frozenset({str}), lambda value, _: datetime.fromisoformat(value)),
    Any: _Type(_ANYTHING),
}


@cache
def _type(declared: Any) -> _Type:
    """How to read what is declared so."""
    origin, within = get_origin(declared), get_args(declared)
    if declared in _ATOMS:
        return _ATOMS[declared]
    if origin is Literal:
        return _Type(frozenset(map(type, within)), partial(_one_of, within))
    if origin in (Union, UnionType):
        members = tuple(map(_type, within))
        shapes = [shape for member in members for shape in member.plain]
        if len(shapes) == len(set(shapes)):  # else nobody could tell its members apart
            return _Type(frozenset(shapes), partial(_fitting, members))
    if origin is tuple and within[-1] is not Ellipsis:
        return _Type(_LIST, partial(_each, tuple(map(_type, within))))
    if origin in (tuple, frozenset):
        return _Type(_LIST, partial(_many, origin, _type(within[0])))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _Type(_DICT, partial(_mapping, _type(within[1])))
    if declared is Document:
        return _Type(frozenset({int}), _from_shelf)
    if isinstance(declared, type) and is_dataclass(declared):
        return _Type(_DICT, partial(_object, declared))
    raise NotImplementedError(f"nobody has said how to read {declared}")


def _one_of(allowed: tuple[Any, ...], value: Any, _: Shelf) -> Any:
    if value not in allowed:
        raise ValueError(f"{value!r} is none of {allowed}")
    return value


def _fitting(members: tuple[_Type, ...], value: Any, shelf: Shelf) -> Any:
    return next(each for each in members if type(value) in each.plain).read(value, shelf)


def _each(members: tuple[_Type, ...], values: list[Any], shelf: Shelf) -> tuple[Any, ...]:
    return tuple(each.read(value, shelf) for each, value in zip(members, values, strict=True))


def _many(kind: Callable[[Any], Any], member: _Type, values: list[Any], shelf: Shelf) -> Any:
    if member.made is None and member.plain.issuperset(map(type, values)):
        return kind(values)
    return kind([member.read(value, shelf) for value in values])


def _mapping(member: _Type, values: dict[str, Any], shelf: Shelf) -> dict[str, Any]:
    return {name: member.read(value, shelf) for name, value in values.items()}


def _from_shelf(place: int, shelf: Shelf) -> Document:
    if place < 0:
        raise ValueError("a document before the first")
    return shelf[place]


def _object(kind: Any, values: dict[str, Any], shelf: Shelf) -> Any:
    """A field that was not known when the result was kept has its default."""
    known = {
        name: declared.read(values[name], shelf)
        for name, declared in _fields(kind)
        if name in values
    }
    return kind(**known)


@cache
def _fields(kind: Any) -> tuple[tuple[str, _Type], ...]:
    hints = get_type_hints(kind)
    return tuple((name, _type(_KNOWN.get((kind, name), hints[name]))) for name in _names(kind))
