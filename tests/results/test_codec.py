"""The one encoder and decoder: whatever a result holds comes back, and is written one way."""

from __future__ import annotations

import json
import string
import sys
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import UTC, datetime
from functools import cache
from types import NoneType, UnionType
from typing import Any, ForwardRef, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as trying
from hypothesis import strategies as st

from likewise.model import Check, Document, Match, Span
from likewise.report.view import BatchView, CheckView, CollectionView, View
from likewise.results import CheckResult, DocumentList, decode, encode, plain, utf8
from likewise.settings import Settings
from likewise.tables import TableMatch

LETTERS = st.text(st.characters(), max_size=8)  # halves of letters among them
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
ATOMS: dict[Any, st.SearchStrategy[Any]] = {
    str: LETTERS,
    int: st.integers(),
    float: FLOATS,
    bool: st.booleans(),
    NoneType: st.none(),
    datetime: st.datetimes(timezones=st.just(UTC)).map(lambda moment: moment.replace(fold=0)),
    Any: st.none() | st.booleans() | st.integers() | LETTERS | st.lists(LETTERS, max_size=2),
    Span: st.tuples(st.integers(0, 99), st.integers(0, 99)).map(lambda ends: Span(*sorted(ends))),
    Settings: st.builds(Settings, seed=st.integers(), stop_words=st.frozensets(LETTERS)),
}
DECLARED = {
    (Match, "tables"): tuple[TableMatch, ...],
    (Check, "tables"): tuple[tuple[str, TableMatch], ...],
}


@cache
def values(declared: Any, scope: str = __name__) -> st.SearchStrategy[Any]:
    """Any value of a declared type."""
    origin, within = get_origin(declared), get_args(declared)
    if declared in ATOMS:
        return ATOMS[declared]
    if isinstance(declared, str | ForwardRef):
        name = declared if isinstance(declared, str) else declared.__forward_arg__
        return st.deferred(lambda: values(getattr(sys.modules[scope], name), scope))
    if origin is Literal:
        return st.sampled_from(within)
    if origin in (Union, UnionType):
        return st.one_of(*(values(each, scope) for each in within))
    if origin is tuple and within[-1] is not Ellipsis:
        return st.tuples(*(values(each, scope) for each in within))
    if origin is tuple:
        return st.lists(values(within[0], scope), max_size=2).map(tuple)
    if origin is not None:
        return st.dictionaries(LETTERS, values(within[1], scope), max_size=2)
    assert is_dataclass(declared)
    return st.deferred(lambda: built(declared))  # type: ignore[arg-type]


@cache
def built(kind: Any) -> st.SearchStrategy[Any]:
    hints, scope = get_type_hints(kind), kind.__module__
    told = {
        each.name: values(DECLARED.get((kind, each.name), hints[each.name]), scope)
        for each in fields(kind)
    }
    return st.builds(kind, **told)


def everything(value: Any) -> str:
    """All that a result holds, also what is not compared, tuples told from lists."""
    if isinstance(value, tuple | list):
        return f"{type(value).__name__}({', '.join(map(everything, value))})"
    if isinstance(value, dict):
        return str({key: everything(each) for key, each in value.items()})
    if is_dataclass(value):
        told = (f"{each.name}={everything(getattr(value, each.name))}" for each in fields(value))
        return f"{type(value).__name__}({', '.join(told)})"
    return repr(sorted(value)) if isinstance(value, frozenset) else repr(value)


SLOW = trying(max_examples=30, suppress_health_check=list(HealthCheck), deadline=None)


@pytest.mark.parametrize("kind", [Check, Match, CheckResult, CheckView, CollectionView, BatchView])
def test_any_result_comes_back(kind):
    @given(built(kind))
    @SLOW
    def comes_back(result):
        documents = DocumentList()
        line = encode(result, documents)
        listed = [decode(Document, plain(each)) for each in documents.listed]
        again = decode(kind, json.loads(line), listed)
        assert everything(again) == everything(result)
        assert encode(plain(result)) == encode(result)

    comes_back()


@dataclass(frozen=True)
class Sentence:
    """A type that holds itself, directly and within a tuple."""

    key: str
    values: dict[str, Value] = field(default_factory=dict)
    then: Sentence | None = None


Value = str | int | Sentence | tuple["Value", ...]


@given(built(Sentence))
@SLOW
def test_a_type_may_hold_itself(sentence):
    text = encode(sentence)
    assert decode(Sentence, json.loads(text)) == sentence


def test_a_union_of_results_is_told_apart_by_their_kinds():
    with pytest.raises(KeyError):
        decode(View, {"kind": "poem"})
    with pytest.raises(TypeError):
        decode(View, {"kind": "batch"})


def test_spans_are_written_as_pairs_and_read_as_before_too():
    assert encode((Span(3, 9),)) == "[[3,9]]"
    assert decode(Span, {"start": 3, "end": 9}) == decode(Span, [3, 9]) == Span(3, 9)
    for wrong in ([9, 3], [1], [1, 2, 3], ["1", 2], {"start": 1}, {}, "1-2", None, 7):
        with pytest.raises((ValueError, KeyError)):
            decode(Span, wrong)


@given(LETTERS)
def test_what_is_sent_is_utf8_whatever_a_text_holds(text):
    assert json.loads(utf8(encode(text)).decode()) == json.loads(json.dumps(text))


def test_no_number_that_json_does_not_know_is_written():
    for number in (float("nan"), float("inf")):
        with pytest.raises(ValueError):
            encode({"score": number})


def test_what_is_no_part_of_a_result_is_refused():
    for value in (object(), b"bytes", string):
        with pytest.raises(TypeError, match="no part of a result"):
            encode([value])
    with pytest.raises(NotImplementedError):
        decode(complex, 1)
