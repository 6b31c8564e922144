"""Candidates by one statement, where an engine is a server: the same as by a transaction."""

from __future__ import annotations

from typing import Any

import pytest

from likewise.library import Library
from likewise.library.candidates import find_candidates
from likewise.library.filters import Filters
from tests.library.texts import MARKET, RIVER, invented

TEXTS = [invented(150, seed=seed) for seed in range(8)]
TOGETHER = " ".join(TEXTS[2:7])


@pytest.fixture
def filled(library) -> Library:
    library.add_texts([(f"{number}", text) for number, text in enumerate(TEXTS)])
    library.add_texts({"river": RIVER}, tags=("water",))
    library.add_texts({"market": MARKET})
    library.add_texts({"market again": MARKET.replace(" ", "  ")})
    return library


def in_transaction(library: Library, text: str, limit: int | None):
    with library._snapshots.snapshot() as snapshot:
        return find_candidates(
            snapshot.connection, snapshot.view, snapshot.using, text, Filters(), limit
        )


@pytest.mark.parametrize("limit", [None, 0, 1, 3, 100])
@pytest.mark.parametrize(
    "text", ["", "nobody has written this", TEXTS[3], TOGETHER, RIVER, MARKET, f"{RIVER} {MARKET}"]
)
def test_the_answer_is_that_of_a_transaction(filled, text, limit):
    expected = in_transaction(filled, text, limit)
    actual = filled.candidates(text, limit=limit)
    assert actual.ranked == expected.ranked
    assert actual.beyond == expected.beyond
    assert actual.common == expected.common
    assert actual.fingerprints == expected.fingerprints
    assert actual.phrases == expected.phrases


def test_changes_by_others_are_seen_at_once(filled, opened):
    assert [one.name for one in filled.candidates(TEXTS[3]).ranked] == ["3"]
    other = opened()
    (number,) = [entry.id for entry in other.list().entries if entry.name == "3"]
    other.remove(number)
    assert filled.candidates(TEXTS[3]).ranked == ()
    other.add_texts({"new": TEXTS[3]})
    assert [one.name for one in filled.candidates(TEXTS[3]).ranked] == ["new"]
    assert not filled.candidates("nobody has written this").ranked
    other.set_metadata([filled.candidates(TEXTS[3]).ranked[0].id], author="A. Author")
    assert filled.candidates(TEXTS[3]).ranked[0].entry.author == "A. Author"
    other.set_stop_words("en", ["the"])
    other.rebuild()
    assert [one.name for one in filled.candidates(TEXTS[3]).ranked] == ["new"]


@pytest.mark.parametrize("engine_name", ["postgresql"])
def test_a_server_is_asked_once_while_nothing_changes(filled, monkeypatch):
    import psycopg

    filled.candidates(TOGETHER)
    statements: list[Any] = []
    execute = psycopg.Cursor.execute

    def note(cursor: Any, statement: Any, *rest: Any, **options: Any) -> Any:
        statements.append(statement)
        return execute(cursor, statement, *rest, **options)

    monkeypatch.setattr(psycopg.Cursor, "execute", note)
    assert len(filled.candidates(TOGETHER).ranked) == 5
    assert len(statements) == 1
