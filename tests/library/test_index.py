"""The index keeps in step with the database, and can be lost, damaged or shared."""

from __future__ import annotations

import shutil
import threading

import numpy as np
import pytest
from sqlalchemy import select, update

from likewise.library import Library
from likewise.library import index as index_module
from likewise.library import segments as segments_module
from likewise.library.schema import sketches
from likewise.library.segments import SUFFIX, is_intact
from likewise.search.postings import segment_of
from tests.library.texts import MARKET, RIVER, invented

TEXTS = [invented(60, number) for number in range(90)]


@pytest.fixture
def small_segments(monkeypatch):
    """Segments as after years, with few documents."""
    monkeypatch.setattr(index_module, "TAIL", 60)
    monkeypatch.setattr(index_module, "_AT_ONCE", 120)
    monkeypatch.setattr("likewise.library.add.MOST_DOCUMENTS", 7)


def all_found(library, texts=TEXTS) -> bool:
    """Whether every text finds its document, and nothing else."""
    return all(
        [candidate.name for candidate in library.candidates(text).ranked] == [f"{number}"]
        for number, text in list(enumerate(texts))[::4]
    )


def files(cache) -> list:
    return sorted(cache.rglob(f"*{SUFFIX}"))


def named(texts):
    return [(f"{number}", text) for number, text in enumerate(texts)]


def test_segments_are_made_and_merged_as_the_library_grows(library, own_cache, small_segments):
    for start in range(0, len(TEXTS), 10):
        library.add_texts(named(TEXTS)[start : start + 10])
        assert library.candidates(TEXTS[start]).ranked[0].name == f"{start}"
        assert len(files(own_cache)) <= 6
    assert files(own_cache)
    assert all_found(library)
    assert library.verify() == ()
    assert all(is_intact(path) for path in files(own_cache))


def test_another_process_takes_over_what_it_finds(opened, own_cache, small_segments):
    first = opened()
    first.add_texts(named(TEXTS)[:60])
    assert all_found(first, TEXTS[:60])
    before = files(own_cache)
    second = opened()
    assert all_found(second, TEXTS[:60])
    assert files(own_cache) == before
    second.add_texts(named(TEXTS)[60:])
    assert all_found(first) and all_found(second)


@pytest.mark.parametrize("harm", ["delete", "truncate", "garble", "empty"])
def test_a_lost_or_damaged_segment_is_made_anew(opened, own_cache, small_segments, harm):
    library = opened()
    library.add_texts(named(TEXTS))
    assert all_found(library)
    library.close()
    for path in files(own_cache):
        data = path.read_bytes()
        if harm == "delete":
            path.unlink()
        elif harm == "truncate":
            path.write_bytes(data[:-9])
        elif harm == "garble":
            path.write_bytes(b"something else" + data[14:])
        else:
            path.write_bytes(b"")
    again = opened()
    assert all_found(again)
    assert again.verify() == ()


def test_a_flipped_bit_is_found_by_verify_and_mended(opened, own_cache, small_segments):
    library = opened()
    library.add_texts(named(TEXTS))
    assert library.verify() == ()
    library.close()
    path = max(files(own_cache), key=lambda path: path.stat().st_size)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 4
    path.write_bytes(data)
    again = opened()
    assert any("made anew" in str(problem) for problem in again.verify())
    assert again.verify() == ()
    assert all_found(again)


def test_a_cache_that_cannot_be_written_to_is_no_reason_to_fail(opened, own_cache, small_segments):
    own_cache.write_text("a file where a folder should be")
    library = opened()
    library.add_texts(named(TEXTS))
    assert all_found(library)
    assert library.verify() == ()


def test_removed_documents_vanish_from_every_index(opened, small_segments):
    first, second = opened(), opened()
    first.add_texts(named(TEXTS))
    assert all_found(second)
    first.remove(*range(1, 61))
    assert second.candidates(TEXTS[0]).ranked == ()
    assert [c.name for c in second.candidates(TEXTS[80]).ranked] == ["80"]
    first.add_texts((f"new {n}", invented(60, 1000 + n)) for n in range(40))
    assert first.verify() == () and second.verify() == () and opened().verify() == ()


def test_a_segment_of_another_history_is_not_taken_over(
    opened, place, engine_name, own_cache, small_segments, tmp_path
):
    """A database put back from a copy counts its changes anew."""
    if engine_name != "sqlite":
        return
    library = opened()
    library.add_texts(named(TEXTS)[:30])
    library.close()
    path = tmp_path / "library.db"
    kept = path.read_bytes()
    library = opened()
    library.add_texts(named(TEXTS)[30:60])
    assert all_found(library, TEXTS[:60])
    library.close()
    for left in tmp_path.glob("library.db*"):
        left.unlink()
    path.write_bytes(kept)
    library = opened()
    library.add_texts((f"{n}", invented(60, 500 + n)) for n in range(30, 60))
    assert library.candidates(TEXTS[45]).ranked == ()
    assert library.candidates(invented(60, 545)).ranked[0].name == "45"
    assert library.verify() == ()


def test_two_libraries_share_a_cache_folder_and_nothing_else(opened, tmp_path, small_segments):
    library = opened()
    library.add_texts(named(TEXTS)[:60])
    with Library(tmp_path / "other.db") as other:
        other.add_texts(named(TEXTS)[60:])
        assert library.candidates(TEXTS[80]).ranked == ()
        assert other.candidates(TEXTS[80]).ranked[0].name == "80"
        assert other.candidates(TEXTS[5]).ranked == ()


def test_threads_add_and_check_at_once(library, small_segments):
    problems: list[BaseException] = []

    def add(part: int) -> None:
        try:
            library.add_texts(named(TEXTS)[part::4])
        except BaseException as error:
            problems.append(error)

    def check() -> None:
        try:
            for number in range(40):
                for candidate in library.candidates(TEXTS[number]).ranked:
                    assert candidate.name == f"{number}"
        except BaseException as error:
            problems.append(error)

    threads = [threading.Thread(target=add, args=(part,)) for part in range(4)]
    threads += [threading.Thread(target=check) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert all_found(library)
    assert library.verify() == ()


def test_common_text_is_counted_without_those_that_are_gone(library, small_segments):
    for number in range(20):
        library.add_texts({f"{number}": f"{RIVER} {invented(30, number)}"})
    library.remove(3, 4, 5)
    found = library.candidates(f"{MARKET} {RIVER}")
    assert len(found.ranked) == 17
    assert found.lookup is not None and found.lookup.holders.max() == 17


def test_copies_of_one_file_in_two_folders_share_no_index(
    tmp_path, own_cache, small_segments, monkeypatch
):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
    monkeypatch.chdir(tmp_path / "a")
    with Library("campus.db") as library:
        library.add_texts({"first": RIVER})
    shutil.copy("campus.db", tmp_path / "b" / "campus.db")
    parts = {"a": named(TEXTS)[:40], "b": named(TEXTS)[40:80]}
    for folder, part in parts.items():
        monkeypatch.chdir(tmp_path / folder)
        with Library("campus.db") as library:
            library.add_texts(part)
            library.add_texts({"last": MARKET})
            assert library.candidates(part[0][1]).ranked[0].name == part[0][0]
    for folder, part in parts.items():
        monkeypatch.chdir(tmp_path / folder)
        with Library("campus.db") as library:
            for name, text in part[::8]:
                assert [c.name for c in library.candidates(text).ranked] == [name]
            assert library.verify() == ()


def test_a_file_that_takes_anothers_place_gets_an_index_of_its_own(
    tmp_path, own_cache, small_segments
):
    """The same identity, the same place, the same numbers and the same last document."""
    kept, other = tmp_path / "campus.db", tmp_path / "other.db"
    with Library(kept) as library:
        library.add_texts({"first": RIVER})
    shutil.copy(kept, other)
    for path, part in ((kept, TEXTS[:40]), (other, TEXTS[40:80])):
        with Library(path) as library:
            library.add_texts(named(part))
            library.add_texts({"last": MARKET})
            assert library.candidates(part[3]).ranked[0].name == "3"
    other.replace(kept)
    with Library(kept) as library:
        assert library.candidates(TEXTS[3]).ranked == ()
        assert library.candidates(TEXTS[43]).ranked[0].name == "3"
        assert library.verify() == ()


@pytest.mark.parametrize("where", ["head", "documents", "postings", "buckets", "counts"])
def test_damage_anywhere_in_a_segment_is_seen_and_mended(
    opened, own_cache, small_segments, where, monkeypatch
):
    monkeypatch.setattr("likewise.library.segments._LONG", 64)  # so that short ones are packed
    library = opened()
    library.add_texts(named(TEXTS))
    assert library.verify() == ()
    library.close()
    path = max(files(own_cache), key=lambda path: path.stat().st_size)
    data = bytearray(path.read_bytes())
    head = segments_module._Head.read(bytes(data[: segments_module._HEAD.size]))
    assert head is not None and head.layout is not None, "it is packed"
    names = ("documents", "rows", "postings", "buckets", "counts")
    begin, end = {"head": (16, 17), **dict(zip(names, head.sections, strict=True))}[where]
    assert begin < end <= len(data)
    for place in range(begin, end, 5):
        data[place] ^= 64
    path.write_bytes(data)
    again = opened()
    if where in ("buckets", "counts"):
        assert not is_intact(path)
    assert any("made anew" in str(problem) for problem in again.verify())
    assert again.verify() == ()
    assert all_found(again)
    path.unlink(missing_ok=True)


def test_files_of_an_earlier_format_are_made_anew(opened, own_cache, small_segments):
    library = opened()
    library.add_texts(named(TEXTS))
    assert all_found(library)
    for path in files(own_cache):
        path.write_bytes(b"LWPOST03" + path.read_bytes()[8:])
    again = opened()
    assert all_found(again) and all_found(library)
    assert {path.read_bytes()[:8] for path in files(own_cache)} == {b"LWPOST04"}
    assert again.verify() == ()


@pytest.mark.parametrize("apart", [1, 1 << 32])
def test_numbers_of_documents_are_kept_however_far_apart_they_are(tmp_path, apart):
    numbers = np.array([3, 3 + apart, 7 + apart], dtype=np.int64)
    keys = segment_of(numbers.tolist(), [np.array([5], np.uint64)] * 3).keys[:]
    part = segments_module.write_segment(tmp_path, 0, 1, numbers, len(keys), [keys])
    assert part.segment.documents.tolist() == numbers.tolist()
    assert part.segment.keys[:].tolist() == keys.tolist()
    assert part.path is not None and is_intact(part.path)


def test_damaged_buckets_are_never_used(opened, own_cache, small_segments, monkeypatch):
    monkeypatch.setattr("likewise.library.segments._LONG", 64)
    library = opened()
    library.add_texts(named(TEXTS))
    assert all_found(library)
    library.close()
    for path in files(own_cache):
        data = path.read_bytes()
        path.write_bytes(data[:-64] + b"\xff" * 64)
    assert all_found(opened())


def test_an_index_that_does_not_agree_is_thrown_away(
    opened, own_cache, small_segments, separate_rows
):
    library = opened()
    library.add_texts(named(TEXTS))
    assert all_found(library)
    with library._store.writing() as (connection, _change):
        one, two = (
            connection.execute(
                select(sketches.c.hashes).where(sketches.c.document_id == n)
            ).scalar()
            for n in (20, 21)
        )
        for number, hashes in ((20, two), (21, one)):
            connection.execute(
                update(sketches).where(sketches.c.document_id == number).values(hashes=hashes)
            )
    problems = opened().verify()
    assert any("the index does not hold" in str(problem) for problem in problems)
    assert not any("the index does not hold" in str(problem) for problem in opened().verify())
