"""Messages are data: no sentence for people is built outside of the catalogue."""

from __future__ import annotations

import ast
import pickle
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from bench.codes import table_of_codes
from likewise.catalogue import GROUPS, LANGUAGES, Message, Words, texts
from likewise.errors import BadInput, LikewiseError

from .sources import Call, calls, errors, keys_written

DOCS = Path(__file__).parents[2] / "docs"
# Of an error's arguments, those that are no values of its message.
NO_VALUES = {"about", "details", "retry_after", "is_final", "state", "batch", "request", "fields"}


def problem_of(call: Call) -> str | None:
    """What is wrong with what a call is given; None where nothing is."""
    match call.argument:
        case ast.Constant(str(key)) if call.name in ("Note", "Unread"):
            return f"{call}: {key!r} is no message"
        case ast.Constant(str(key)) if key not in texts("en"):
            return f"{call}: there is no key {key!r}"
        case ast.JoinedStr() | ast.BinOp():
            return f"{call}: a sentence is built here"
        case ast.Call(ast.Attribute(attr="format" | "join")):
            return f"{call}: a sentence is built here"
    return None


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_plural_without_its_number_is_said_all_the_same(language):
    assert "{n}" in Words(language).say(Message("count.sources"))


@pytest.mark.slow
def test_notes_and_errors_are_given_keys_of_the_catalogue_and_no_sentences():
    found = list(calls())
    assert len(found) > 500  # the search itself works
    assert [problem for call in found if (problem := problem_of(call))] == []


def test_every_key_in_the_source_is_in_the_catalogue():
    assert keys_written() - texts("en").keys() == set()


def test_every_message_of_the_catalogue_is_told_somewhere():
    messages = {key for group in GROUPS if group != "report" for key in texts("en", group)}
    assert messages - keys_written() == set()


def test_calls_give_the_values_that_stand_in_the_text():
    for call in calls():
        if call.name not in errors() or not isinstance(call.argument, ast.Constant):
            continue
        if any(given.arg is None for given in call.node.keywords):
            continue  # **values
        text = texts("en")[str(call.argument.value)]
        forms = text.values() if isinstance(text, dict) else [text]
        asked = {name for form in forms for name in re.findall(r"\{(\w+)", form)}
        asked |= {"n"} if isinstance(text, dict) else set()
        values = {given.arg for given in call.node.keywords} - (NO_VALUES - asked)
        assert values == asked, str(call)


def test_the_table_of_codes_is_that_of_the_catalogue():
    assert (DOCS / "codes.md").read_text("utf-8") == table_of_codes()


values = some.recursive(
    some.text() | some.integers() | some.floats(allow_nan=False),
    lambda inner: (
        some.lists(inner, max_size=3).map(tuple)
        | some.builds(Message, some.text(), some.dictionaries(some.text(), inner, max_size=3))
    ),
    max_leaves=8,
)
messages = some.builds(Message, some.text(), some.dictionaries(some.text(), values, max_size=4))


@given(messages)
def test_a_message_travels_as_plain_data(message):
    assert Message.from_plain(message.plain()) == message
    assert hash(Message.from_plain(message.plain())) == hash(message)


def test_messages_that_are_equal_have_one_hash():
    one, other = Message("reading.too_long", {"n": 1}), Message("reading.too_long", {"n": 1.0})
    assert one == other and hash(one) == hash(other)


@given(messages)
def test_every_message_can_be_said_in_every_language(message):
    for language in LANGUAGES:
        assert isinstance(Words(language).say(message), str)


def test_a_sentence_of_before_is_told_as_it_stands():
    assert str(Message.from_plain("its ink has faded")) == "its ink has faded"


@pytest.mark.parametrize(
    ("before", "sentence"),
    [
        ({"key": "said.empty_file", "values": {}, "then": None}, "the file is empty"),
        (
            {"key": "said.web_wants_money", "values": {"status": "402"}, "then": None},
            "the site asks for money (402)",
        ),
        (
            {
                "key": "said.first_pages",
                "values": {"n": 2, "all": 3},
                "then": {"key": "said.frames", "values": {}, "then": None},
            },
            "Only the first 2 of 3 pages were read. It is made of frames; the pages in them are "
            "other files.",
        ),
    ],
)
def test_keys_of_results_kept_before_are_known(before, sentence):
    assert str(Message.from_plain(before)) == sentence


def test_an_error_tells_its_code_its_sentence_and_what_it_is_about():
    error = BadInput("core.no_text", about="essay.pdf")
    assert (error.code, error.about) == ("core.no_text", "essay.pdf")
    assert str(error) == "essay.pdf: there is no text in it to compare"
    assert Words("ru").say(error.message) == "в документе нет текста для сравнения"


def test_an_error_travels_between_processes():
    error = BadInput("reading.too_long", about="a", n=3, most=2)
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.message) == (BadInput, str(error), error.message)


def test_an_unknown_key_is_told_as_it_is_rather_than_hiding_what_went_wrong():
    assert str(LikewiseError("no such key")) == "no such key"
