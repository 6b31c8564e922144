"""No table is too strange: nothing fails, nothing is found where nothing is."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise.model import Span, Table
from likewise.tables import index_of, matching_tables
from likewise.tables.layout import lay_out
from likewise.tables.paper_004 import compare_as_published, sequences_of, word_rules
from tests.tables.tables import ORIGINAL, table

STRANGE = {
    "empty": Table((), Span(0, 0)),
    "empty rows": Table(((), ()), Span(0, 0)),
    "blank": Table((("", " "), ("\u00a0", "")), Span(0, 0)),
    "one cell": Table((("5",),), Span(0, 0)),
    "one word": Table((("Kazakhstan",),), Span(0, 0)),
    "ragged": Table((("a", "1", "x"), ("b",), ("c", "3")), Span(0, 0)),
    "one row": Table((("Irtysh", "4248", "1 643 000"),), Span(0, 0)),
    "one column": Table((("Irtysh",), ("Ishim",), ("Ural",)), Span(0, 0)),
    "all equal": Table((("7", "7", "7"),) * 9, Span(0, 0)),
    "not numbers": Table((("nan", "inf", "-inf"), ("NaN", "∞", "н/д")) * 3, Span(0, 0)),
    "huge and tiny": Table((("1e300", "1e-300"), ("-1e300", "9e-301"), ("5e299", "0")), Span(0, 0)),
    "mixed scripts": Table(
        (("Алматы Almaty 阿拉木图", "١٢٣"), ("Αθήνα", "५"), ("café", "Ⅳ")), Span(0, 0)
    ),
    "nested": Table((("a\tb\nc\td", "1\n2"), ("e\tf", "3\n4")), Span(0, 0)),
    "merged": Table(
        (("Rain", "Rain", "Rain"), ("May", "June", "June"), ("5", "6", "6")), Span(0, 0)
    ),
    "signs": Table((("±", "§"), ("—", "…"), ("\x00", "\ud800")), Span(0, 0)),
    "long cell": Table((("x" * 100_000, "1" * 100_000),) * 2, Span(0, 0)),
}


@pytest.mark.parametrize("name", STRANGE)
def test_a_strange_table_is_laid_out_and_compared(name):
    strange = STRANGE[name]
    lay_out(strange)
    for match in matching_tables([strange], [strange, table(ORIGINAL)], threshold=0.01):
        assert 0 <= match.score <= 1
        assert match.b == 0
    index = index_of([strange, table(ORIGINAL), strange])
    assert all(0 < match.score <= 1 for match in index.pairs(0.01))


def test_strange_tables_are_compared_as_published():
    lexicon = word_rules()
    told = [sequences_of(lay_out(strange), lexicon) for strange in STRANGE.values()]
    for a, b in itertools.product(told, repeat=2):
        assert 0 <= compare_as_published(a, b).score <= 1


def test_a_lone_number_or_equal_numbers_are_no_evidence():
    for name in ("one cell", "all equal", "empty", "blank", "not numbers"):
        assert matching_tables([STRANGE[name]], [STRANGE[name]]) == ()


def test_places_are_those_of_the_table_as_it_was_read():
    rows = (("", "", ""), ("No.", "River", "km"), ("1", "Irtysh", "4248"), ("2", "Ishim", "2450"))
    [match] = matching_tables([Table(rows, Span(0, 0))], [Table(rows, Span(0, 0))])
    assert match.rows == ((1, 1), (2, 2), (3, 3))
    assert match.columns == ((1, 1), (2, 2))


@pytest.mark.slow
def test_a_hundred_thousand_rows_are_compared():
    numbers = np.random.default_rng(1).integers(1000, 10_000_000, (100_000, 2)).tolist()
    rows = tuple(
        (f"place {i % 5000}", str(1900 + i // 5000), str(x), str(y))
        for i, (x, y) in enumerate(numbers)
    )
    shuffled = tuple(rows[i] for i in np.random.default_rng(2).permutation(len(rows)).tolist())
    [match] = matching_tables([Table(rows, Span(0, 0))], [Table(shuffled, Span(0, 0))])
    assert match.score > 0.9
    assert len(match.rows) > 99_000


cells = st.sampled_from(
    ["", "1", "2", "7", "12,5", "1990", "Irtysh", "Ishim river", "nan", "5 %", "30.05.2016", "x 5"]
)


@settings(deadline=None)
@given(
    st.lists(st.lists(cells, max_size=5), max_size=6),
    st.lists(st.lists(cells, max_size=5), max_size=6),
)
def test_any_two_tables_can_be_compared(a, b):
    first = Table(tuple(map(tuple, a)), Span(0, 0))
    second = Table(tuple(map(tuple, b)), Span(0, 0))
    there = matching_tables([first], [second], threshold=0.01)
    for match in there:
        assert 0 <= match.score <= 1
        for row, other in match.rows:
            assert row < len(a)
            assert other < (max(map(len, b)) if match.transposed else len(b))
        assert len(match.cells) == len(match.rows)
        assert all(len(states) == len(match.columns) for states in match.cells)
