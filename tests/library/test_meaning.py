"""The source of a rewritten or translated text, found in a library."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import delete, update

from likewise.kernels.blocks import pack_rows
from likewise.language.concept_blocks import concept_blocks
from likewise.library import Library, schema
from likewise.model import Document

TEXTS = Path(__file__).parents[2] / "bench" / "texts" / "reworded"
SETS = ("english", "russian-kazakh")


def sources() -> dict[str, str]:
    return {
        path.stem: path.read_text("utf-8")
        for name in SETS
        for path in sorted((TEXTS / name / "sources").glob("*.txt"))
    }


def cases(part: str) -> list[tuple[str, str]]:
    """Texts with a passage in other words, and the name of its source."""
    found = []
    for name in SETS:
        for line in (TEXTS / name / "cases.jsonl").read_text("utf-8").splitlines():
            case = json.loads(line)
            if part in case["class"] and len(case["passage"].split()) >= 80:
                host = (TEXTS / name / "hosts" / f"{case['host']}.txt").read_text("utf-8")
                found.append((f"{host}\n\n{case['passage']}", case["source"]))
    return found


@pytest.fixture
def shelf(library: Library) -> Library:
    library.add_texts(sources())
    return library


def test_sources_of_translated_and_rewritten_texts_are_among_the_first(shelf: Library) -> None:
    for part in ("light", "translat"):
        asked = cases(part)[:12]
        assert asked
        first = [
            source in [one.name for one in shelf.candidates_by_meaning(text, limit=10)]
            for text, source in asked
        ]
        assert sum(first) >= len(first) - 1


def test_a_check_finds_the_source_of_a_translation(shelf: Library) -> None:
    found = 0
    for text, source in (asked := cases("translated")[:6]):
        assert not [one for one in shelf.candidates(text).ranked if one.name == source]
        names = {one.name for one in shelf.check(Document.from_text(text, "thesis")).sources}
        found += source in names
        by_words = shelf.check(Document.from_text(text, "thesis"), by_meaning=False)
        assert source not in {one.name for one in by_words.sources}
    assert found >= len(asked) - 1


def test_a_check_tells_a_rewritten_passage_in_a_library_of_hundreds(library: Library) -> None:
    essays = [*TEXTS.parent.glob("essays-??.txt"), *TEXTS.parent.glob("reports-??.txt")]
    for path in essays:
        texts = re.split("^=== .+$", path.read_text("utf-8"), flags=re.MULTILINE)[1:]
        library.add_texts({f"{path.stem} {n}": text for n, text in enumerate(texts)})
    library.add_texts(sources())
    assert len(library) > 250
    asked = [case for case in cases("light") if case[1].startswith("en")]
    told = [
        source in {one.name for one in library.check(Document.from_text(text, "thesis")).sources}
        for text, source in asked
    ]
    assert sum(told) >= 0.8 * len(asked)


def test_what_is_left_out_is_not_found(shelf: Library) -> None:
    text, source = cases("translated")[0]
    (number,) = (one.id for one in shelf.list(limit=None).entries if one.name == source)
    left_out = shelf.candidates_by_meaning(text, not_ids=(number,))
    assert source not in [one.name for one in left_out]
    assert shelf.candidates_by_meaning(text, year=1999) == ()
    shelf.remove(number)
    assert source not in [one.name for one in shelf.candidates_by_meaning(text)]
    assert shelf.verify() == ()


def test_copies_of_a_text_stand_for_one(shelf: Library) -> None:
    text, source = cases("translated")[0]
    before = [one.name for one in shelf.candidates_by_meaning(text)]
    shelf.add_texts({"copy": sources()[source]}, collection="other")
    after = shelf.candidates_by_meaning(text)
    # Where a copy is looked at, another document that has little in common may not be.
    names = [one.name for one in after]
    assert names[0] == before[0] == source and "copy" not in names
    assert [len(one.copies) for one in after if one.name == source] == [1]
    there = shelf.candidates_by_meaning(text, collection="other")
    assert [one.name for one in there] == ["copy"]


def test_documents_of_others_change_nothing(opened: Callable[..., Library]) -> None:
    library = opened()
    texts = list(sources().items())
    library.add_texts(texts[::2], collection="mine")
    asked = [text for text, _ in cases("translated")[:4]]
    before = [library.candidates_by_meaning(text, collection="mine") for text in asked]
    library.add_texts(texts, collection="hidden")
    for text, names in zip(asked, before, strict=True):
        assert library.candidates_by_meaning(text, collection="mine") == names


def test_every_process_finds_the_same(shelf: Library, opened: Callable[..., Library]) -> None:
    asked = [text for text, _ in cases("heavy")[:4]]
    first = [shelf.candidates_by_meaning(text) for text in asked]
    assert [opened().candidates_by_meaning(text) for text in asked] == first


def test_a_library_without_blocks_is_given_them_by_a_rebuild(shelf: Library) -> None:
    text, source = cases("translated")[0]
    before = shelf.candidates_by_meaning(text)
    with shelf.store.writing() as (connection, _change):
        connection.execute(delete(schema.concept_blocks))
        connection.execute(delete(schema.recipes).where(schema.recipes.c.settings == "{}"))
    assert shelf.candidates_by_meaning(text) == ()
    check = shelf.check(Document.from_text(text, "thesis"))
    assert [note.kind for _, note in check.notes].count("without concepts") == 1
    documents = len(shelf)
    assert (shelf.stats().blocks, shelf.stats().without_blocks) == (0, documents)
    assert shelf.verify() == ()
    assert shelf.rebuild() == documents
    assert shelf.stats().without_blocks == 0
    assert shelf.candidates_by_meaning(text) == before
    assert source in [one.name for one in before]
    assert shelf.rebuild() == 0
    assert shelf.verify() == ()


def test_blocks_of_another_recipe_wait_for_a_rebuild(shelf: Library) -> None:
    text, _ = cases("translated")[0]
    before = shelf.candidates_by_meaning(text)
    with shelf.store.writing() as (connection, _change):
        recipe = schema.recipes
        query = update(recipe).where(recipe.c.settings == "{}")
        connection.execute(query.values(recipe="blocks0 of an older Likewise"))
    assert shelf.candidates_by_meaning(text) == ()
    assert shelf.rebuild() == len(shelf)
    assert shelf.candidates_by_meaning(text) == before
    with shelf.store.reading() as connection:
        rows = connection.execute(schema.concept_blocks.select()).all()
    assert len({row.recipe_id for row in rows}) == 1


def test_blocks_that_are_not_of_their_text_are_told(shelf: Library) -> None:
    row = schema.concept_blocks
    with shelf.store.writing() as (connection, _change):
        connection.execute(update(row).where(row.c.document_id == 1).values(concepts=b"abc"))
    assert [problem.key for problem in shelf.verify()].count("library.verify_blocks_differ") == 1


@pytest.mark.parametrize("concepts", [b"abc", b"", b"\1\0\0\0\0\0"])
def test_damaged_blocks_of_one_document_hide_no_other_and_are_made_anew(
    shelf: Library, opened: Callable[..., Library], concepts: bytes
) -> None:
    text, source = cases("translated")[0]
    before = shelf.candidates_by_meaning(text)
    (damaged,) = (one.id for one in shelf.list(limit=None).entries if one.name == source)
    row = schema.concept_blocks
    with shelf.store.writing() as (connection, _change):
        query = update(row).where(row.c.document_id == damaged)
        connection.execute(query.values(concepts=concepts))
    later = opened()  # what is open has the index from before
    names = [one.name for one in later.candidates_by_meaning(text)]
    assert names and source not in names
    assert later.check(Document.from_text(text, "thesis")).documents == len(shelf)
    assert [problem.key for problem in later.verify()] == ["library.verify_blocks_differ"]
    assert later.rebuild() == 1
    for library in (later, shelf, opened()):
        assert library.candidates_by_meaning(text) == before
        assert library.verify() == ()


def test_damaged_segments_are_made_anew(
    shelf: Library, opened: Callable[..., Library], own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, _ = cases("translated")[0]
    before = shelf.candidates_by_meaning(text)
    monkeypatch.setattr("likewise.library.index.TAIL", 100)
    assert opened().candidates_by_meaning(text) == before
    (path,) = own_cache.rglob("*concepts/*.postings")
    path.write_bytes(path.read_bytes()[:-9])
    assert opened().candidates_by_meaning(text) == before
    assert opened().verify() == ()


def test_what_was_erased_is_in_no_segment(
    shelf: Library, opened: Callable[..., Library], own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, source = cases("translated")[0]
    monkeypatch.setattr("likewise.library.index.TAIL", 100)
    library = opened()
    assert source in [one.name for one in library.candidates_by_meaning(text)]
    (number,) = (one.id for one in library.list(limit=None).entries if one.name == source)
    (path,) = own_cache.rglob("*concepts/*.postings")
    row = pack_rows(concept_blocks([sources()[source]])[0].ids)[0].tobytes()
    assert row in path.read_bytes()
    library.remove(number)
    assert library.erase_removed_from_index() > 0
    (path,) = own_cache.rglob("*concepts/*.postings")
    assert row not in path.read_bytes()
    assert source not in [one.name for one in library.candidates_by_meaning(text)]
    assert library.verify() == ()


def test_a_copied_library_finds_the_same(shelf: Library, tmp_path: Path, own_cache: Path) -> None:
    from likewise.library import copy_library

    text, _ = cases("translated")[0]
    target = tmp_path / "copy.db"
    copy_library(shelf, target)
    with Library(target, create=False) as copy:
        assert copy.candidates_by_meaning(text) == shelf.candidates_by_meaning(text)
        assert copy.verify() == ()
    with closing(sqlite3.connect(target)) as raw:
        assert raw.execute("SELECT count(*) FROM concept_blocks").fetchone() == (len(shelf),)
