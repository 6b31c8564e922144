"""Documents are found by what they have, searched, sorted and paged alike on both engines."""

from __future__ import annotations

import pytest

from likewise.errors import BadInput
from likewise.library import Filters, RemoveResult
from tests.library.texts import MARKET, OWN, RIVER, invented


@pytest.fixture
def filled(library):
    library.add_texts(
        {"Өзен.txt": RIVER}, author="Нұр", owner="asel", year=2020, language="en", tags=("x", "y")
    )
    library.add_texts({"market.txt": MARKET}, author="Lee", owner="dana", year=2022, type="essay")
    library.add_texts({"bees_1%.txt": OWN}, owner="asel", organisation="KBTU", tags=("x",))
    return library


def found(library, *filters, **how) -> list[int]:
    return [entry.id for entry in library.list(*filters, **how).entries]


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({}, [1, 2, 3]),
        ({"author": "Lee"}, [2]),
        ({"author": ("Lee", "Нұр")}, [1, 2]),
        ({"owner": "asel"}, [1, 3]),
        ({"owner": "asel", "tag": "y"}, [1]),
        ({"tag": "x"}, [1, 3]),
        ({"tag": ("x", "y")}, [1]),
        ({"year": 2020}, [1]),
        ({"year": (2021, None)}, [2]),
        ({"year": (None, 2022)}, [1, 2]),
        ({"type": "essay"}, [2]),
        ({"organisation": "KBTU"}, [3]),
        ({"not_owner": "asel"}, [2]),
        ({"not_author": "Lee"}, [1, 3]),
        ({"not_ids": (1, 2)}, [3]),
        ({"language": "ru"}, []),
    ],
)
def test_documents_are_chosen_by_what_they_have(filled, chosen, expected):
    assert found(filled, **chosen) == expected
    assert found(filled, Filters(**chosen)) == expected


@pytest.mark.parametrize(
    ("search", "expected"),
    [("ӨЗЕН", [1]), ("нұр", [1]), ("lee MARKET", [2]), ("1%", [3]), ("%", [3]), ("nobody", [])],
)
def test_a_search_looks_at_names_and_people_in_any_alphabet(filled, search, expected):
    assert found(filled, search=search) == expected


def test_lists_are_sorted_and_paged(filled):
    assert found(filled, sort="-year") == [2, 1, 3]
    assert found(filled, sort="year") == [1, 2, 3]
    assert found(filled, sort="-id", limit=2) == [3, 2]
    page = filled.list(sort="-id", limit=2, offset=2)
    assert ([entry.id for entry in page.entries], page.total, len(page)) == ([1], 3, 1)


def test_wrong_words_are_told(filled):
    with pytest.raises(BadInput, match="did you mean author"):
        filled.list(autor="x")
    with pytest.raises(BadInput, match="cannot be sorted"):
        filled.list(sort="beauty")
    with pytest.raises(BadInput, match="no document 99"):
        filled.entry(99)


def test_a_document_somebody_else_handed_in_too_is_not_only_mine(filled):
    filled.add_texts({"Өзен.txt": RIVER}, owner="dana", author="Kim")
    assert 1 in found(filled, not_owner="asel")
    assert 1 in found(filled, author="Kim")
    assert 1 in found(filled, owner="dana")


def test_removed_documents_are_gone_and_their_numbers_never_come_again(filled):
    assert filled.remove(3, 77) == RemoveResult(1)
    assert found(filled) == [1, 2]
    assert filled.candidates(OWN).ranked == ()
    (number,) = filled.add_texts({"bees": OWN}).ids
    assert number == 4
    assert [c.id for c in filled.candidates(OWN).ranked] == [4]
    assert filled.remove(owner="asel") == RemoveResult(1)
    assert filled.verify() == ()


def test_removing_without_saying_what_is_refused(filled):
    with pytest.raises(BadInput, match="say which"):
        filled.remove()
    assert len(filled) == 3


def test_a_copy_takes_the_place_of_the_first_that_is_removed(filled):
    spaced = {name: text.replace(" ", "\n") for name, text in {"p": RIVER, "q": MARKET}.items()}
    filled.add_texts(spaced)
    filled.add_texts({"r": RIVER.replace(" ", "\t")})
    (best,) = filled.candidates(RIVER).ranked
    assert (best.id, best.copies) == (1, (4, 6))
    filled.remove(1)
    assert (filled.entry(4).copy_of, filled.entry(6).copy_of) == (None, 4)
    (best,) = filled.candidates(RIVER).ranked
    assert (best.id, best.copies) == (4, (6,))
    assert filled.verify() == ()
    filled.remove(4, 6)
    assert filled.candidates(RIVER).ranked == ()
    assert filled.verify() == ()


def test_free_values_are_kept(library, opened):
    assert library.value("colour") is None
    library.set_value("colour", "blue")
    library.set_value("colour", "green")
    assert opened().value("colour") == "green"
    library.set_value("colour", None)
    assert library.value("colour") is None


def test_statistics_count(filled):
    filled.add_texts({"again": RIVER, "copy": RIVER.replace(" ", "\n")}, owner="dana")
    stats = filled.stats()
    assert (stats.documents, stats.copies, stats.references, stats.stale) == (4, 1, 1, 0)
    assert 6 * stats.postings < stats.fingerprint_bytes < 8 * stats.postings
    assert stats.words > stats.postings > 20
    assert stats.database_bytes > 10_000


def test_many_documents_are_listed_in_pages(library):
    library.add_texts((f"{n:04}", invented(12, n)) for n in range(620))
    whole = library.list(limit=None, sort="-name")
    assert [entry.name for entry in whole.entries] == [f"{n:04}" for n in reversed(range(620))]


def test_a_library_that_grew_knows_how_it_is_filled(opened, engine_name):
    """SQLite would sort a whole library for one page of a list."""
    library = opened()
    library.add_texts((f"{number}.txt", f"Document {number} of many.") for number in range(1_200))
    if engine_name == "sqlite":
        query = (
            "EXPLAIN QUERY PLAN SELECT id FROM documents WHERE collection IN ('') "
            "ORDER BY added_on DESC, id DESC LIMIT 50"
        )
        with library.store.reading() as connection:
            plan = str(connection.exec_driver_sql(query).all())
        assert "ix_documents_added_on" in plan and "TEMP B-TREE" not in plan
        copies = "EXPLAIN QUERY PLAN SELECT id FROM documents WHERE id IN (1) OR copy_of IN (1)"
        with library.store.reading() as connection:
            assert "SCAN" not in str(connection.exec_driver_sql(copies).all())
    assert library.list(sort="-added_on").total == 1_200
