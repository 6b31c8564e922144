"""How results are written as JSON and read back: stored, sent and printed alike.

Writing follows the values, reading the types that the dataclasses declare. What they declare as
`Any` must be what JSON holds: no tuples. A span is written as `[start, end]`, a mapping that is
`FLAT` by its names beside those of the other fields; a field that was not known when something was
written has its default, one from the future is passed over.

Not msgspec: it refuses half of a surrogate pair, which names and texts of documents may hold.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from datetime import datetime
from functools import cache, partial
from types import NoneType, UnionType
from typing import Any, ForwardRef, Literal, Union, get_args, get_origin, get_type_hints

from likewise.model import Check, Document, Kind, Match, Message, Span
from likewise.tables import TableMatch

# Raised when a Likewise of before could not read what is written, or we not what it wrote: a field
# renamed, a kind added. A new field with a default needs no new number.
# 2: listings are a reason not to count; 3: messages are data, a span is [start, end]; 4: passages
# are summarised or translated too, and `paraphrased` is called `rewritten`.
SCHEMA = 4

# What is declared as `Any`, because the model stands below the tables.
_DECLARED: dict[tuple[type, str], Any] = {
    (Match, "tables"): tuple[TableMatch, ...],
    (Check, "tables"): tuple[tuple[str, TableMatch], ...],
}


# Writing


class DocumentList:
    """The documents of a result: each is listed once and referred to by its place."""

    def __init__(self) -> None:
        self.listed: list[Document] = []
        self._places: dict[int, int] = {}  # by identity of those listed, which stay alive
        self._places_by_name: dict[str, list[int]] = {}

    def place_of(self, document: Document) -> int:
        """Where the document stands in the list; it is added if it is new."""
        place = self._places.get(id(document))
        if place is None:
            alike = self._places_by_name.setdefault(document.name, [])
            place = next((i for i in alike if self.listed[i] == document), None)
            if place is None:
                place = len(self.listed)
                alike.append(place)
                self.listed.append(document)
                self._places[id(document)] = place
        return place


def encode(value: Any, documents: DocumentList | None = None, *, compact: bool = True) -> str:
    """A result as one line of JSON; with a list of documents these are referred to by number.

    Half of a surrogate pair stays half: `utf8` makes bytes that every reader of JSON takes.

    >>> encode({"place": Span(2, 5)})
    '{"place":[2,5]}'
    """
    return json.dumps(
        value,
        ensure_ascii=False,
        allow_nan=False,
        separators=(",", ":") if compact else None,
        default=partial(_simpler, documents),
    )


def utf8(text: str) -> bytes:
    r"""JSON as it is sent; halves of surrogate pairs, which UTF-8 cannot hold, are escaped.

    >>> utf8(encode("\ud800 ө"))
    b'"\\ud800 \xd3\xa9"'
    """
    return text.encode("utf-8", "backslashreplace")


def plain(value: Any) -> Any:
    """A result as dictionaries, lists and values, ready for JSON.

    >>> plain((Span(2, 5), None))
    [[2, 5], None]
    """
    if isinstance(value, str | int | float | None):
        return value
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return plain(_simpler(None, value))


def by_name(value: Any) -> dict[str, Any]:
    """The fields of a dataclass with their values, as these are; of a flat one what is in it."""
    kind: Any = type(value)
    values = {name: getattr(value, name) for name in _names(kind)}
    flat = _flat(kind)
    if flat is None:
        return values
    return {**values[flat], **{name: each for name, each in values.items() if name != flat}}


def _simpler(documents: DocumentList | None, value: Any) -> Any:
    """What JSON does not know, as something that it does."""
    if isinstance(value, Span):
        return value.start, value.end
    if isinstance(value, Document) and documents is not None:
        return documents.place_of(value)
    if is_dataclass(value):
        return by_name(value)
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"a {type(value).__name__} is no part of a result")


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


@cache
def _flat(kind: Any) -> str | None:
    """The field whose names stand among those of the others, if there is one: see `FLAT`."""
    return next((field.name for field in fields(kind) if "flat" in field.metadata), None)


# Reading


def decode(kind: Any, value: Any, documents: Sequence[Document] | None = None) -> Any:
    """A value of a declared type from what JSON held; else ValueError, TypeError or KeyError.

    >>> decode(tuple[Span, ...], [[2, 5], {"start": 7, "end": 9}])
    (Span(start=2, end=5), Span(start=7, end=9))
    """
    return _type(kind, __name__).read(value, documents)


Documents = Sequence[Document] | None


@dataclass(frozen=True, slots=True)
class _Type:
    """How values of a type stand in JSON, and how they are made from it."""

    plain: frozenset[Any]  # types of JSON
    decoder: Callable[[Any, Documents], Any] | None = None  # None: as JSON has them

    def read(self, value: Any, documents: Documents) -> Any:
        if type(value) not in self.plain:
            raise ValueError(f"{type(value).__name__} in a wrong place")
        return self.decoder(value, documents) if self.decoder else value


def _span(value: Any, _: Documents) -> Span:
    """Up to schema 2 a span was written by the names of its ends."""
    start, end = (value["start"], value["end"]) if isinstance(value, dict) else value
    return Span(_INT.read(start, None), _INT.read(end, None))


def _message(value: Any, _: Documents) -> Message:
    """Up to schema 2 a sentence stood in its place."""
    try:
        return Message.from_plain(value)
    except AttributeError as error:
        raise ValueError("no message") from error


def _kind(value: Any, _: Documents) -> Any:
    """Up to schema 3 a rewritten passage was called paraphrased."""
    return _one_of(get_args(Kind), "rewritten" if value == "paraphrased" else value, None)


_LIST, _DICT = frozenset({list}), frozenset({dict})
_ANYTHING = frozenset({str, int, float, bool, NoneType, list, dict})
_INT = _Type(frozenset({int, bool}))
_ATOMS: dict[Any, _Type] = {
    str: _Type(frozenset({str})),
    int: _INT,
    float: _Type(frozenset({float, int})),
    bool: _Type(frozenset({bool})),
    NoneType: _Type(frozenset({NoneType})),
    datetime: _Type(frozenset({str}), lambda value, _: datetime.fromisoformat(value)),
    Span: _Type(_LIST | _DICT, _span),
    Message: _Type(frozenset({dict, str}), _message),
    Any: _Type(_ANYTHING),
    Kind: _Type(frozenset({str}), _kind),
}


@cache
def _type(declared: Any, module: str) -> _Type:
    """How to read what is declared so in a module."""
    origin, within = get_origin(declared), get_args(declared)
    if declared in _ATOMS:
        return _ATOMS[declared]
    if isinstance(declared, str | ForwardRef):
        return _Type(_ANYTHING, partial(_by_reference, declared, module))
    if origin is Literal:
        return _Type(frozenset(map(type, within)), partial(_one_of, within))
    if origin in (Union, UnionType):
        return _union(within, module)
    if origin is tuple and within[-1] is not Ellipsis:
        return _Type(_LIST, partial(_each, tuple(_type(each, module) for each in within)))
    if origin in (tuple, frozenset):
        return _Type(_LIST, partial(_many, origin, _type(within[0], module)))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _Type(_DICT, partial(_mapping, _type(within[1], module)))
    if declared is Document:
        return _Type(frozenset({int, dict}), _document)
    if isinstance(declared, type) and is_dataclass(declared):
        return _Type(_DICT, partial(_object, declared))
    raise NotImplementedError(f"nobody has said how to read {declared}")


def _union(within: tuple[Any, ...], module: str) -> _Type:
    """One of several types: JSON tells them apart, or each object says of which kind it is."""
    if all(isinstance(each, type) and is_dataclass(each) for each in within):
        kinds = {
            kind: each for each in within for kind in get_args(get_type_hints(each).get("kind"))
        }
        return _Type(_DICT, partial(_of_kind, kinds))
    members = tuple(_type(each, module) for each in within)
    shapes = [shape for member in members for shape in member.plain]
    if len(shapes) != len(set(shapes)):
        raise NotImplementedError(f"nobody could tell apart what is one of {within}")
    return _Type(frozenset(shapes), partial(_fitting, members))


def _by_reference(name: str | ForwardRef, module: str, value: Any, documents: Documents) -> Any:
    """A type that holds itself is looked up when a value is there, or there would be no end."""
    type_name = name if isinstance(name, str) else name.__forward_arg__
    return _type(getattr(sys.modules[module], type_name), module).read(value, documents)


def _one_of(allowed: tuple[Any, ...], value: Any, _: Documents) -> Any:
    if value not in allowed:
        raise ValueError(f"{value!r} is none of {allowed}")
    return value


def _of_kind(kinds: Mapping[str, Any], values: dict[str, Any], documents: Documents) -> Any:
    return _object(kinds[values["kind"]], values, documents)


def _fitting(members: tuple[_Type, ...], value: Any, documents: Documents) -> Any:
    return next(each for each in members if type(value) in each.plain).read(value, documents)


def _each(members: tuple[_Type, ...], values: list[Any], documents: Documents) -> tuple[Any, ...]:
    return tuple(each.read(value, documents) for each, value in zip(members, values, strict=True))


def _many(
    kind: Callable[[Any], Any], member: _Type, values: list[Any], documents: Documents
) -> Any:
    if member.decoder is None and member.plain.issuperset(map(type, values)):
        return kind(values)
    return kind([member.read(value, documents) for value in values])


def _mapping(member: _Type, values: dict[str, Any], documents: Documents) -> dict[str, Any]:
    return {name: member.read(value, documents) for name, value in values.items()}


def _document(value: Any, documents: Documents) -> Document:
    if isinstance(value, dict):
        document: Document = _object(Document, value, documents)
        return document
    place: int = value
    if documents is None or place < 0:
        raise ValueError("a document that is not listed")
    return documents[place]


def _object(kind: Any, values: dict[str, Any], documents: Documents) -> Any:
    if (flat := _flat(kind)) is not None:
        others = {name: values[name] for name in _names(kind) if name in values}
        values = {**others, flat: {k: v for k, v in values.items() if k not in others}}
    field_values = {
        name: declared.read(values[name], documents)
        for name, declared in _fields(kind)
        if name in values
    }
    return kind(**field_values)


@cache
def _fields(kind: Any) -> tuple[tuple[str, _Type], ...]:
    hints, module = get_type_hints(kind), kind.__module__
    return tuple(
        (name, _type(_DECLARED.get((kind, name), hints[name]), module)) for name in _names(kind)
    )
