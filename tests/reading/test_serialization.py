"""A document that travels between processes arrives as it left."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.model import Document, Message, Note, Page, Picture, Span, Table
from likewise.reading.serialization import message_in, pack, unpack

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
spans = st.tuples(st.integers(0, 99), st.integers(0, 99)).map(lambda e: Span(min(e), max(e)))
pages = st.none() | st.integers(1, 99)
rows = st.integers(1, 3).flatmap(
    lambda width: st.lists(st.tuples(*[texts] * width), max_size=3).map(tuple)
)

messages = st.builds(Message.verbatim, texts)
messages |= st.builds(lambda n: Message("reading.comments", {"n": n}), st.integers(0, 10**12))
messages |= st.builds(
    lambda *parts: Message("reading.damaged_parts", {"parts": parts}), texts, messages
)


def several(strategy: st.SearchStrategy) -> st.SearchStrategy:
    return st.lists(strategy, max_size=3).map(tuple)


documents = st.builds(
    Document,
    name=st.just("a.pdf"),
    text=texts,
    pages=several(st.builds(Page, st.integers(1, 9), spans)),
    tables=several(st.builds(Table, rows, spans, texts, pages)),
    pictures=several(
        st.builds(
            Picture, spans, st.integers(0, 2**63 - 1), st.integers(1, 9), st.integers(1, 9), pages
        )
    ),
    language=st.none() | st.sampled_from(["en", "ru", "kk"]),
    meta=st.dictionaries(texts, texts, max_size=3),
    notes=several(st.builds(Note, texts, messages, several(spans))),
    left_out=several(st.tuples(spans, texts)),
)


@given(documents)
def test_what_is_packed_is_unpacked(document: Document) -> None:
    assert unpack(pack(document), "a.pdf") == document


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"{}", b"null", b'{"text": "a"}', b"\xff\xfe"])
def test_other_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError):
        unpack(data, "a.pdf")


def test_a_span_that_runs_backwards_is_refused() -> None:
    packed = json.loads(pack(Document.from_text("Steppe", name="a")))
    packed["left_out"] = [[5, 2, "hidden"]]
    with pytest.raises(ValueError, match="forwards"):
        unpack(json.dumps(packed).encode(), "a")


def test_a_cache_of_before_holds_sentences() -> None:
    packed = json.loads(pack(Document.from_text("Steppe", name="a")))
    packed["notes"] = [["comments", "3 comments left out", []]]
    (note,) = unpack(json.dumps(packed).encode(), "a").notes
    assert str(note.message) == "3 comments left out"


@pytest.mark.parametrize(
    "plain",
    [
        "a sentence",
        None,
        [],
        {},
        {"key": "reading.empty_file"},
        {"key": "reading.empty_file", "values": {}, "then": "more"},
        {"key": "reading.empty_file", "values": {"n": 1}},
        {"key": "reading.empty_file", "values": []},
        {"key": ["reading.empty_file"], "values": {}},
        {"key": "reading.not_there", "values": {}},
        {"key": "server.login", "values": {}},
        {"key": "reading.comments", "values": {}},
        {"key": "reading.comments", "values": {"n": "3"}},
        {"key": "reading.comments", "values": {"n": True}},
        {"key": "reading.comments", "values": {"n": 3, "more": 4}},
        {"key": "reading.not_in_full", "values": {"why": None}},
        {"key": "reading.not_in_full", "values": {"why": {"key": "reading.not_there"}}},
        {"key": "reading.damaged_parts", "values": {"parts": ["a", {"b": "c"}]}},
    ],
)
def test_a_message_that_the_catalogue_does_not_have_is_refused(plain: object) -> None:
    with pytest.raises(ValueError):
        message_in(plain)
