"""Erased documents leave no text, no name and no fingerprint; all else is as it was."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import select

from likewise.errors import BadInput
from likewise.library import (
    EraseRequest,
    Library,
    back_up,
    preview_erasure,
    restore,
    run_erasure,
    schema,
)
from likewise.library import index as indexing
from likewise.library.receipts import read_receipts, receipt_text
from likewise.library.segments import CONCEPTS, TEXTS, list_segments, open_segment
from likewise.model import Document
from likewise.reading.cache import cache_folder, cache_in

from .texts import MARKET, OWN, RIVER, invented
from .traces import needles_of, pieces_of, traces_in_files, traces_in_rows

MARKERS = ("қолжазбаның", "Zwielichtig", "jubjubvogel")
NAME = "Mimsy Borogove essay.html"
SECRET = f"{MARKERS[0]} {invented(300, seed=99)} {MARKERS[1]} ends with {MARKERS[2]}."


@pytest.fixture
def secret_file(tmp_path: Path) -> Path:
    (tmp_path / "handed in").mkdir()
    path = tmp_path / "handed in" / NAME
    path.write_text(f"<html><body><p>{SECRET}</p></body></html>", "utf-8")
    return path


@pytest.fixture
def filled(library: Library, secret_file: Path, monkeypatch: pytest.MonkeyPatch) -> Library:
    """Some documents on disk in segments, the last of them the one to erase."""
    monkeypatch.setattr(indexing, "TAIL", 1)
    library.add_texts({"river": RIVER, "market": MARKET, "own": OWN}, owner="dean")
    library.add_texts((f"t{i}", invented(80, seed=i)) for i in range(20))
    library.add(
        secret_file,
        keep_original=True,
        author="Mimsy Borogove",
        owner="aigul",
        tags=("frabjous-tag",),
    )
    library.candidates(f"{SECRET} {RIVER}")  # makes the index
    library.candidates_by_meaning(f"{SECRET} {RIVER}")
    return library


def _all_needles(library: Library, number: int) -> list[bytes]:
    """Words of the document, and pieces of everything that is packed of it."""
    needles = needles_of((*MARKERS, "Borogove", "frabjous-tag"))
    with library.store.reading() as connection:
        for table, column in (
            (schema.texts, "packed"),
            (schema.originals, "packed"),
            (schema.sketches, "hashes"),
            (schema.concept_blocks, "concepts"),
        ):
            query = select(table.c[column]).where(table.c.document_id == number)
            for blob in connection.execute(query).scalars():
                needles += pieces_of(bytes(blob))
    return needles


def _places(library: Library, tmp_path: Path) -> list[Path]:
    """Every folder that may hold something; the file that was handed in is not ours."""
    beside = [tmp_path] if library.store.is_file else []
    return [*beside, cache_folder(), *Path(tempfile.gettempdir()).glob("likewise-report-*")]


def test_no_byte_of_an_erased_document_is_left(filled, secret_file, tmp_path):
    needles = _all_needles(filled, 24)
    assert filled.entry(24).name == NAME
    before = traces_in_files(_places(filled, tmp_path), needles)
    assert traces_in_rows(filled.store, needles)
    assert any("cache/documents" in path for path in before)
    secret_file.unlink()
    receipt = run_erasure(filled, EraseRequest(documents=(24,)))
    assert traces_in_rows(filled.store, needles) == []
    assert traces_in_files(_places(filled, tmp_path), needles) == []
    assert receipt.state == "done"
    assert receipt.documents == (24,)
    assert receipt.counts["documents"] == receipt.counts["originals"] == 1
    assert receipt.counts["cache_entries"] >= 1
    assert receipt.counts["segments"] >= 1
    assert {"backups", "partners", "downloads"} <= set(receipt.unreached)


def test_no_posting_of_it_is_left_on_disk(filled):
    run_erasure(filled, EraseRequest(documents=(24,)))
    parts = [
        (CONCEPTS if folder.name.endswith(CONCEPTS.name) else TEXTS, part)
        for folder in (cache_folder() / "libraries").iterdir()
        for path in list_segments(folder).values()
        if (part := open_segment(path)) is not None
    ]
    assert {family.name for family, _part in parts} == {TEXTS.name, CONCEPTS.name}
    for family, part in parts:
        held = part.segment.numbers(np.arange(len(part.segment)))
        assert 24 not in family.documents(part.segment.documents[held]).tolist()


def test_a_receipt_counts_every_block_of_concepts(filled, opened):
    filled.add_texts({"long": invented(3000, seed=7), "short": MARKET + " more"})
    before = filled.stats().blocks
    with filled.store.reading() as connection:
        column = schema.concept_blocks.c
        query = select(column.document_id, column.blocks)
        by_document = {row.document_id: row.blocks for row in connection.execute(query)}
    assert by_document[25] > 1, "all of them stand in one row"
    request = EraseRequest(documents=(24, 25))
    seen = preview_erasure(filled, request)
    receipt = run_erasure(filled, request)
    assert seen.counts["blocks"] == receipt.counts["blocks"] == by_document[24] + by_document[25]
    again = opened()
    assert again.stats().blocks == before - receipt.counts["blocks"]
    with again.store.reading() as connection:
        (kept,) = read_receipts(connection)
    assert kept.counts["blocks"] == receipt.counts["blocks"]
    assert f"blocks of concepts: {receipt.counts['blocks']}" in receipt_text(kept)
    nothing = run_erasure(again, EraseRequest(documents=(24,)))
    assert nothing.counts["blocks"] == 0


def test_everything_else_is_as_if_it_had_never_been_there(filled, engine_name, tmp_path, request):
    from .places import empty_place

    run_erasure(filled, EraseRequest(documents=(24,)))
    assert filled.verify() == ()
    with empty_place(engine_name, tmp_path, request) as place, Library(place) as other:
        other.add_texts({"river": RIVER, "market": MARKET, "own": OWN}, owner="dean")
        other.add_texts((f"t{i}", invented(80, seed=i)) for i in range(20))
        for text in (RIVER, f"{MARKET} {OWN}", SECRET, invented(80, seed=7)):
            document = Document.from_text(text)
            assert filled.check(document) == other.check(document)
            ranked = [
                [(one.id, one.shared, one.share) for one in library.candidates(text).ranked]
                for library in (filled, other)
            ]
            assert ranked[0] == ranked[1]


def test_a_preview_counts_and_changes_nothing(filled):
    needles = needles_of(MARKERS)
    seen = preview_erasure(filled, EraseRequest(documents=(24,)))
    assert seen.documents == (24,)
    assert seen.counts["documents"] == seen.counts["texts"] == 1
    assert seen.counts["cache_entries"] == 1
    assert filled.entry(24).name == NAME
    assert traces_in_rows(filled.store, needles)
    with filled.store.reading() as connection:
        assert read_receipts(connection) == []


def test_a_file_is_erased_in_every_collection(filled, secret_file):
    filled.add(secret_file, collection="other")
    filled.add(secret_file, collection="third")
    sha256 = filled.get(24).sha256
    assert sha256 is not None
    receipt = run_erasure(filled, EraseRequest(sha256s=(sha256,)))
    assert receipt.counts["documents"] == 3
    assert filled.list(search="Borogove").total == 0
    assert filled.verify() == ()


def test_documents_of_the_same_text_stay_unless_they_are_asked_for(filled, tmp_path):
    (tmp_path / "copy.html").write_text(f"<html><body><div>{SECRET}</div></body></html>", "utf-8")
    (copy,) = filled.add(tmp_path / "copy.html").ids
    assert filled.entry(copy).copy_of == 24
    assert preview_erasure(filled, EraseRequest(documents=(24,))).copies == (copy,)
    run_erasure(filled, EraseRequest(documents=(24,)))
    assert filled.entry(copy).copy_of is None
    assert filled.verify() == ()
    run_erasure(filled, EraseRequest(documents=(copy,), copies=True))
    assert traces_in_rows(filled.store, needles_of(MARKERS)) == []


def test_all_of_a_person_is_erased_however_the_name_is_spelled(filled, secret_file, tmp_path):
    filled.add_texts({"mine": invented(60, seed=500)}, author=" mimsy  BOROGOVE")
    filled.add_texts({"advised": invented(60, seed=501)}, advisor="Mimsy Borogove")
    shared = tmp_path / "shared.html"
    shared.write_text(f"<p>{invented(60, seed=502)}</p>", "utf-8")
    filled.add(shared, author="Mimsy Borogove", owner="aigul", name="by mimsy.html")
    filled.add(shared, author="Asel", owner="dana", name="by asel.html")
    secret_file.unlink()
    receipt = run_erasure(filled, EraseRequest(person="Mimsy Borogove"))
    assert receipt.counts["documents"] == 2
    assert receipt.counts["references"] == 1
    assert receipt.counts["advisors"] == 1
    assert [entry.name for entry in filled.list(author="Asel").entries] == ["by asel.html"]
    assert traces_in_rows(filled.store, needles_of(("Borogove", "by mimsy", *MARKERS))) == []
    places = [one for one in _places(filled, tmp_path) if one != tmp_path]
    assert traces_in_files(places, needles_of(MARKERS)) == []
    assert filled.verify() == ()


def test_a_receipt_tells_no_name_and_no_text(filled):
    receipt = run_erasure(filled, EraseRequest(person="Mimsy Borogove"))
    told = str(receipt.as_dict())
    assert not any(word in told for word in (*MARKERS, "Mimsy", "Borogove", NAME))
    assert receipt.people[0].fits("MIMSY borogove")


def test_what_was_erased_is_erased_again_when_a_backup_is_restored(filled, place, tmp_path):
    path = tmp_path / "monday.db"
    back_up(filled, path)
    first = run_erasure(filled, EraseRequest(documents=(24,)))
    second = run_erasure(filled, EraseRequest(person="dean"))
    filled.close()
    left = restore(path, place)
    path.unlink()
    with Library(place) as again:
        assert len(again) == left == 20
        assert traces_in_rows(again.store, needles_of((*MARKERS, "Borogove"))) == []
        assert again.list(owner="dean").total == 0
        assert again.verify() == ()
        with again.store.reading() as connection:
            assert {one.id for one in read_receipts(connection)} == {first.id, second.id}
    if again.store.is_file:
        files = [one for one in tmp_path.iterdir() if one.name.startswith("library.db")]
        assert not any(
            needle in one.read_bytes() for one in files for needle in needles_of(MARKERS)
        )


def test_what_was_added_again_on_purpose_survives_a_restore(filled, place, secret_file, tmp_path):
    run_erasure(filled, EraseRequest(documents=(24,)))
    filled.add(secret_file, author="Mimsy Borogove")
    back_up(filled, tmp_path / "tuesday.db")
    filled.close()
    restore(tmp_path / "tuesday.db", place)
    with Library(place) as again:
        assert again.list(author="Mimsy Borogove").total == 1
        receipt = run_erasure(again, EraseRequest(again=True))
        assert receipt.counts["documents"] == 1
        assert again.list(author="Mimsy Borogove").total == 0


def test_removing_a_document_purges_what_the_cache_has_of_its_file(filled, secret_file):
    sha256 = filled.get(24).sha256
    assert sha256 is not None
    filled.add(secret_file, collection="other")
    cache = cache_in(cache_folder())
    filled.remove(24)
    assert cache.count([sha256]) == 1  # another collection has a document of the same bytes
    filled.remove(*(entry.id for entry in filled.list(collection="other").entries))
    assert cache.count([sha256]) == 0


@pytest.mark.parametrize(
    "asked",
    [{}, {"documents": (1,), "person": "a"}, {"sha256s": ("abc",)}, {"documents": (1.5,)}],
)
def test_a_request_says_one_thing_and_says_it_right(asked):
    with pytest.raises(BadInput):
        EraseRequest(**asked)
