"""Where passages can begin and end, and which characters words stand for."""

from __future__ import annotations

import pytest

from likewise.align.side import (
    BLOCK,
    CAPITAL,
    EDGE,
    LINE,
    LINE_AND_SENTENCE,
    NOTHING,
    SENTENCE,
    Side,
    side_of,
)
from likewise.language import Lexicon
from likewise.model import Document
from likewise.settings import Settings

LONG = " and so it went on for a good while with many small words in a row until it was done"


def side(text: str) -> Side:
    return side_of(Document.from_text(text), Lexicon(Settings()))


@pytest.mark.parametrize(
    ("between", "expected"),
    [
        (" next", NOTHING),
        (" Next", CAPITAL),
        (". Next", SENTENCE),
        ("! next", SENTENCE),
        ("。 Next", SENTENCE),
        ("… next", NOTHING),
        ("... next", NOTHING),
        ("… Next", SENTENCE),
        ("... Next", SENTENCE),
        (".next", NOTHING),
        ("\nNext", LINE),
        (".\nNext", LINE_AND_SENTENCE),
        (".  Next", BLOCK),
        (".\n\nNext", BLOCK),
    ],
)
def test_what_stands_between_two_words(between, expected):
    text = f"{LONG[1:]} here{between}{LONG}"
    made = side(text)
    word = [made.text[a:b].lower() for a, b in zip(made.start, made.end, strict=True)].index("next")
    assert made.breaks[word] == expected


@pytest.mark.parametrize("mark", ["…", ".", "!", "?"])
def test_marks_strewn_over_a_text_end_no_sentence(mark):
    words = LONG.split()
    strewn = " ".join(word + mark if i % 3 == 2 else word for i, word in enumerate(words))
    assert SENTENCE not in side(strewn).breaks


def test_a_text_begins_and_ends_at_an_edge():
    assert side("one two").breaks.tolist() == [EDGE, NOTHING, EDGE]
    assert side("").breaks.tolist() == [EDGE]


def test_lines_that_end_where_the_page_is_full_end_nothing():
    wrapped = "\n".join(["some words in a line", "that go on in the next", "and the next one"] * 9)
    assert LINE not in side(wrapped).breaks


def test_wide_gaps_everywhere_tell_no_blocks_apart():
    assert BLOCK not in side("Some  words.  Others  here.  More  of  them.").breaks


@pytest.mark.parametrize(
    ("text", "first", "last", "expected"),
    [
        ("Say “Hello there!” now", 1, 3, "“Hello there!”"),
        ("first-rate work", 1, 3, "rate work"),
        ("(all) done.", 0, 2, "(all) done."),
        ("well-known", 0, 1, "well"),
    ],
)
def test_marks_that_touch_a_word_belong_to_it_unless_they_tie_it_to_another(
    text, first, last, expected
):
    assert side(text).span(first, last).of(text) == expected
