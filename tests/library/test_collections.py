"""Collections in one library: the same bytes may be in several, and none knows of the others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import func, select

from likewise.library import Library, back_up, copy_library, restore, schema
from likewise.library.copying import checksum
from likewise.model import Document
from likewise.server.database import tables

from .places import empty_place
from .server_rows import SERVER_TABLES, fill_server_tables
from .texts import MARKET, OWN, RIVER, invented


@pytest.fixture
def twice(library: Library) -> Library:
    """The same text in two collections."""
    library.add_texts({"river": RIVER}, collection="history")
    library.add_texts({"river": RIVER}, collection="physics", owner="B")
    return library


def question(*texts: str) -> Document:
    return Document.from_text(" ".join(texts), "question")


def sketched(library: Library) -> list[int]:
    with library.store.reading() as connection:
        return list(connection.execute(select(schema.sketches.c.document_id)).scalars())


# Adding.


def test_the_same_bytes_in_two_collections_are_two_documents_with_one_set_of_fingerprints(twice):
    first, second = twice.list().entries
    assert (first.collection, first.copy_of) == ("history", None)
    assert (second.collection, second.copy_of) == ("physics", first.id)
    assert sketched(twice) == [first.id]
    assert twice.verify() == ()


def test_what_is_added_refers_to_its_own_collection_alone(twice):
    again = twice.add_texts({"river": RIVER}, collection="physics", owner="C")
    assert (again.ids, again.again) == ((), 1)
    known = twice.add_texts({"river": RIVER}, collection="history")
    assert (known.ids, known.again, known.known) == ((), 0, 1)
    first, second = twice.list().entries
    assert first.again == ()
    assert [reference.owner for reference in second.again] == ["C"]
    new = twice.add_texts({"river": RIVER})
    assert len(new.ids) == 1, "what stands in no collection is a collection of its own"
    assert twice.verify() == ()


def test_files_are_read_for_each_collection_and_once_in_each(library, tmp_path):
    path = tmp_path / "files"
    path.mkdir()
    (path / "river.txt").write_text(RIVER, "utf-8")
    (path / "market.txt").write_text(MARKET, "utf-8")
    for collection in ("history", "physics"):
        assert len(library.add(path, collection=collection, keep_original=True).ids) == 2
        assert library.add(path, collection=collection).known == 2
    assert library.list(collection="history").total == 2
    assert library.list(collection=("history", "physics")).total == 4
    assert library.list(collection="").total == 0
    assert library.original(3) == RIVER.encode() or library.original(4) == RIVER.encode()
    assert library.verify() == ()


# Removing.


def test_the_first_hands_its_fingerprints_over_to_another_collection(twice):
    first, second = twice.list().entries
    assert twice.remove(collection="history").documents == 1
    (left,) = twice.list().entries
    assert (left.id, left.copy_of) == (second.id, None)
    assert sketched(twice) == [second.id]
    assert twice.check(question(RIVER), collection="physics").shares.similar == 1
    assert twice.check(question(RIVER), collection="history").documents == 0
    assert twice.verify() == ()
    again = twice.add_texts({"river": RIVER}, collection="history")
    assert again.copies == 1
    assert first.id not in again.ids, "numbers are never given again"
    assert twice.verify() == ()


def test_a_removal_by_number_leaves_the_other_collections_alone(twice):
    first, second = twice.list().entries
    twice.remove(second.id)
    assert [entry.id for entry in twice.list().entries] == [first.id]
    assert sketched(twice) == [first.id]
    assert twice.verify() == ()


# Checking.


def test_a_check_in_one_collection_names_no_document_of_another(twice):
    twice.add_texts({"market": MARKET}, collection="history")
    twice.add_texts({"own": OWN}, collection="physics")
    asked = question(RIVER, MARKET, OWN)
    for collection, names, ids in (
        ("history", {"river", "market"}, {1, 3}),
        ("physics", {"river", "own"}, {2, 4}),
    ):
        found = twice.check(asked, collection=collection)
        assert {source.name for source in found.sources} == names
        assert found.documents == 2
        candidates = twice.candidates(asked, collection=collection)
        assert {candidate.id for candidate in candidates.ranked} == ids
        assert {n for candidate in candidates.ranked for n in candidate.copies} == set()
        assert {one.entry.collection for one in candidates.ranked} == {collection}
    both = twice.candidates(asked, collection=("history", "physics"))
    assert {candidate.id: candidate.copies for candidate in both.ranked} == {1: (2,), 3: (), 4: ()}
    assert twice.candidates(asked, collection="nobody's").ranked == ()


def test_the_holder_of_the_fingerprints_may_be_in_another_collection(twice):
    found = twice.candidates(question(RIVER), collection="physics").ranked
    assert [(one.id, one.root, one.entry.owner, one.copies) for one in found] == [(2, 1, "B", ())]
    assert twice.check(question(RIVER), collection="physics").shares.similar == 1


def test_common_text_counts_those_who_fit(library, monkeypatch):
    monkeypatch.setattr("likewise.library.candidates.FEW_HOLDERS", 5)
    form = " ".join(RIVER.split()[:20])
    for collection, number in (("history", 12), ("physics", 3)):
        library.add_texts(
            ((f"{collection} {i}", f"{form} {invented(60, seed=i)}") for i in range(number)),
            collection=collection,
        )
    # The texts of physics stand in history too, and the fingerprints are kept with those.
    asked = question(form, invented(80, seed=999))
    (everywhere,) = library.candidates(asked).common
    assert everywhere.holders == 12
    (common,) = library.candidates(asked, collection="history").common
    assert common.holders == 12
    found = library.candidates(asked, collection="physics")
    assert found.common == (), "three of them hold it: that is rare enough to be followed"
    assert {one.entry.collection for one in found.ranked} == {"physics"}
    assert len(found.ranked) == 3


def test_metadata_belong_to_the_document_of_one_collection(twice):
    twice.set_metadata([2], author="N", tags=("spring",))
    first, second = twice.list().entries
    assert (first.author, first.tags) == (None, ())
    assert (second.author, second.tags) == ("N", ("spring",))
    assert twice.list(collection="history", tag="spring").total == 0
    assert twice.candidates(question(RIVER), tag="spring").ranked[0].entry.tags == ("spring",)


def test_a_rebuild_keeps_collections_apart(twice):
    twice.set_stop_words("en", twice.stop_words("en") | {"herons"})
    assert twice.rebuild() == 1
    assert twice.check(question(RIVER), collection="physics").shares.similar == 1
    assert twice.verify() == ()


# Everything beside the documents goes with them.


def same_rows(one: Library, two: Library, apart_from: frozenset[str] = frozenset()) -> None:
    with one.store.reading() as left, two.store.reading() as right:
        for table in (*SERVER_TABLES, schema.documents, schema.sketches, schema.tags):
            if table.name in apart_from:
                continue
            assert checksum(left, table) == checksum(right, table), table.name


# What a restore does not bring back: log ins, and what was changed of accounts meanwhile.
ACCOUNTS_OF_NOW = frozenset(
    ("sessions", "refresh_tokens", "password_resets", "users", "api_keys", "audit", "signing_keys")
)


@pytest.fixture
def served(twice: Library) -> Library:
    with twice.store.beside() as connection:
        fill_server_tables(connection)
        counts = [
            connection.execute(select(func.count()).select_from(table)).scalar_one()
            for table in SERVER_TABLES
        ]
    assert set(counts) == {1}, "no table of a server is forgotten here"
    return twice


@pytest.mark.parametrize("other", ["sqlite", "postgresql"])
def test_a_copy_carries_collections_and_the_tables_of_a_server(served, other, tmp_path, request):
    with empty_place(other, tmp_path, request) as target:
        copy_library(served, target)
        with Library(target, create=False) as copy:
            same_rows(served, copy)
            assert copy.list() == served.list()
            assert copy.verify() == ()


def test_a_backup_brings_them_back_over_what_is_there(
    served: Library, opened: Callable[..., Library], place: str, tmp_path: Path
):
    path = tmp_path / "monday.db"
    back_up(served, path)
    with Library(path, read_only=True) as backup:
        same_rows(served, backup)
    with served.store.beside() as connection:
        for table in reversed(schema.metadata.sorted_tables):
            if table in SERVER_TABLES:
                connection.execute(table.delete())
        fill_server_tables(connection)
        connection.execute(tables.users.update().values(shown_name="another"))
    served.remove(collection="history")
    served.add_texts({"later": MARKET}, collection="physics")
    assert restore(path, place) == 2
    again = opened()
    with Library(path, read_only=True) as backup:
        same_rows(again, backup, ACCOUNTS_OF_NOW)
    assert [entry.collection for entry in again.list().entries] == ["history", "physics"]
    assert again.check(question(RIVER), collection="physics").shares.similar == 1
    assert again.verify() == ()
