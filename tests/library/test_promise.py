"""Promise 2: a run of eight canonical words shared with a library document is never missed."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from likewise.library import Filters, Library, candidates
from likewise.library import index as index_module
from likewise.model import Document
from tests.library.texts import invented

RUN = 8  # shingle + window - 1
WORDS = sorted(set(invented(60, seed=1).split()) - {"not"})[:40]
EN_STOP_WORDS = ("the", "of", "and", "is")
FEW = 3  # holders; more make a fingerprint common

around = st.text(max_size=40) | st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join)
runs = st.lists(st.sampled_from(WORDS), min_size=RUN, max_size=RUN)


@st.composite
def disguised(draw, words) -> str:
    """The same canonical words, written otherwise."""
    written = []
    for word in words:
        word = draw(st.sampled_from((word, word.upper(), word.capitalize())))
        stop = draw(st.sampled_from(("", "", f"{draw(st.sampled_from(EN_STOP_WORDS))} ")))
        written.append(stop + word + draw(st.sampled_from(("", ",", "!", ")"))))
    return " ".join(written)


@pytest.fixture
def crowded(opened, monkeypatch) -> Library:
    """A library in which fingerprints are soon common, and segments many."""
    monkeypatch.setattr(candidates, "FEW_HOLDERS", FEW)
    monkeypatch.setattr(candidates, "MOST_FOLLOWED", 60)
    monkeypatch.setattr(index_module, "TAIL", 64)
    return opened()


one_library = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


@one_library
@given(st.data(), runs, st.lists(st.tuples(around, around), min_size=1, max_size=6))
def test_a_shared_run_is_named_or_shown_as_common(crowded, data, run, surroundings):
    """The library grows from example to example."""
    before, behind = data.draw(around), data.draw(around)
    held = " ".join(run)
    sources = [f"{a} / {data.draw(disguised(run))} / {b}" for a, b in surroundings]
    added = crowded.add([Document.from_text(text, name="source") for text in sources])
    text = f"{before} / {held} / {behind}"
    start = len(before) + 3
    found = crowded.candidates(text, limit=None)
    named = {number for c in found.ranked for number in (c.id, *c.copies)}
    common = [c for c in found.common if c.span.start < start + len(held) and start < c.span.end]
    assert all(run.holders > FEW or run.eldest for run in common)
    for number in added.ids:
        assert number in named or common


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data(), runs, st.integers(0, 10**6))
def test_a_check_shows_where_it_stands(crowded, data, run, seed):
    held = " ".join(run)
    crowded.add_texts({"source": f"{invented(30, seed)} / {held} / {invented(30, seed + 1)}"})
    before = invented(30, seed + 2)
    text = f"{before}. {held}. {invented(30, seed + 3)}"
    check = crowded.check(Document.from_text(text, name="checked"))
    first, end = len(before) + 2, len(before) + 2 + len(held)
    shown = [e.span for e in check.exclusions if e.reason == "common" and e.holders]
    shown += [p.a for source in check.sources for p in (*source.passages, *source.fragments)]
    assert any(span.start < end and first < span.end for span in shown)


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(runs, st.integers(0, 10**6), st.integers(0, 40), st.booleans())
def test_a_check_shows_it_among_pieces_of_very_many_others(library, run, seed, place, only_tagged):
    held = " ".join(run)
    pieces = [invented(15, seed + n) for n in range(40)]
    library.add_texts((f"piece {n}", f"{piece}.") for n, piece in enumerate(pieces))
    source = f"{invented(30, seed + 50)} / {held} / {invented(30, seed + 51)}"
    library.add_texts({"source": source}, tags=("wanted",))
    before = ". ".join(pieces[:place])
    text = f"{before}. {held}. {'. '.join(pieces[place:])}"
    filters = Filters(tag="wanted") if only_tagged else Filters()
    check = library.check(Document.from_text(text, name="checked"), filters, most=2)
    first, end = len(before) + 2, len(before) + 2 + len(held)
    shown = [p.a for source in check.sources for p in (*source.passages, *source.fragments)]
    assert any(span.start < end and first < span.end for span in shown)
