"""Programs, tables of numbers, logs and formulas are no prose, and are compared by their own."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import likewise as lw
from bench.making.honest import LANGUAGES, written
from likewise.align.exclude import Exclusions
from likewise.align.exclude.listings import find_listings
from likewise.model import Document
from tests.texts import MARKET, OWN, RIVER

SORTING = """\
def insertion(values):
    for i in range(1, len(values)):
        key = values[i]
        j = i - 1
        while j >= 0 and values[j] > key:
            values[j + 1] = values[j]
            j -= 1
        values[j + 1] = key
    return values

numbers = [int(word) for word in input().split()]
print(*insertion(numbers))
"""
BLINKING = """\
        ldi   r16, 0xFF
        out   DDRB, r16
again:  sbi   PORTB, 5
        rcall pause
        cbi   PORTB, 5
        rcall pause
        rjmp  again
"""
MEASURED = """\
| L, m | t1, s | t2, s | T, s  |
| 0.40 | 25.41 | 25.34 | 1.269 |
| 0.55 | 29.71 | 29.80 | 1.488 |
| 0.70 | 33.60 | 33.49 | 1.678 |
"""


@pytest.mark.parametrize("listing", [SORTING, BLINKING, MEASURED], ids=["code", "asm", "table"])
def test_a_listing_is_known_by_its_shape_and_the_prose_around_it_is_not(listing):
    text = f"{RIVER}\n\n{listing}\n{MARKET}\n"
    (found,) = find_listings(text)
    assert len(found) > 0.8 * len(listing.strip())
    assert found.of(text).strip() in listing


@pytest.mark.parametrize("language", LANGUAGES)
def test_essays_hold_no_listing(language):
    assert not any(map(find_listings, written(f"essays-{language}").values()))


def test_a_list_whose_items_end_in_semicolons_is_prose():
    text = (
        "The wells need:\n1) a deeper shaft;\n2) a new rope;\n3) two buckets (iron);\n4) a lid.\n"
    )
    assert find_listings(text) == []


@given(st.text(alphabet="ab {}=|;_\n\t019().,#", max_size=300))
def test_listings_lie_in_the_text_apart_and_in_order(text):
    found = find_listings(text)
    assert all(span and span.end <= len(text) for span in found)
    assert all(one.end <= other.start for one, other in pairwise(found))


def test_a_copied_program_is_shown_apart_and_not_counted():
    mine = Document.from_text(f"{OWN}\n\n{SORTING}", name="mine")
    other = Document.from_text(f"{MARKET}\n\n{SORTING}", name="other")
    found = lw.check(mine, [other, Document.from_text(RIVER, name="river")])
    assert found.shares.similar == 0
    assert [e.reason for e in found.exclusions] == ["listing"]
    (source,) = found.sources
    ((here, there),) = source.listings
    assert here.of(mine.text) == there.of(other.text)
    assert "while j >= 0" in here.of(mine.text)
    assert lw.compare(mine, other).listings == ((here, there),)


def test_listings_can_be_read_as_prose():
    mine = Document.from_text(f"{OWN}\n\n{SORTING}", name="mine")
    other = Document.from_text(f"{MARKET}\n\n{SORTING}", name="other")
    found = lw.check(mine, [other], exclusions=Exclusions(listings=False))
    assert found.shares.similar > 0.1
    assert not found.exclusions


def test_mnemonics_and_headings_bring_no_reports_together():
    reports = [text for name, text in written("reports-ru").items() if name.startswith("report")]
    for text in reports[:6]:
        others = [Document.from_text(t, name=f"{i}") for i, t in enumerate(reports) if t != text]
        assert lw.check(Document.from_text(text, name="mine"), others).shares.similar == 0


@pytest.mark.parametrize("row", ["| {n} | {words} |", "{words} ;"])
def test_prose_in_cells_or_with_marks_at_its_ends_stays_prose(row):
    words = RIVER.split()
    parts = [" ".join(words[at : at + 9]) for at in range(0, len(words), 9)]
    rows = "\n".join(row.format(n=n, words=part) for n, part in enumerate(parts, 1))
    mine = Document.from_text(f"{OWN}\n\n{rows}", name="mine")
    found = lw.check(mine, [Document.from_text(f"{MARKET}\n\n{RIVER}", name="other")])
    assert found.shares.similar > 0.2
