"""What was read once comes from the cache, as long as nothing it depends on has changed."""

import os
import time
from hashlib import sha256
from pathlib import Path

import pytest

from likewise.model import Document, Message, Note, Page, Span
from likewise.reading.cache import Cache, key_of
from likewise.reading.request import Limits, Request

DOCUMENT = Document(
    name="a.pdf",
    text="Дала мен аспан.",
    pages=(Page(1, Span(0, 15)),),
    notes=(Note("damaged", Message.verbatim("It was damaged."), (Span(0, 4),)),),
    left_out=((Span(0, 4), "running header"),),
    meta={"title": "Дала"},
)


def test_a_document_comes_back_as_it_was_under_the_name_asked_for(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    assert cache.get("abcdef", "a.pdf") is None
    cache.put("abcdef", DOCUMENT)
    assert cache.get("abcdef", "a.pdf") == DOCUMENT
    renamed = cache.get("abcdef", "b.pdf")
    assert renamed is not None
    assert renamed.name == "b.pdf"


def test_the_key_names_all_that_the_answer_depends_on() -> None:
    plain = Request("a.html")
    keys = {
        key_of(b"x", plain),
        key_of(b"y", plain),
        key_of(b"x", Request("a.csv")),
        key_of(b"x", Request("a.html", web_page=True)),
        key_of(b"x", Request("a.html", charset="koi8-r")),
        key_of(b"x", Request("a.html", Limits(pages=5))),
    }
    assert len(keys) == 6
    assert key_of(b"x", Request("other.html")) in keys


def test_a_damaged_entry_counts_as_missing(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put("abcdef", DOCUMENT)
    (entry,) = tmp_path.glob("??/*")
    for damage in (b"", b"nonsense", entry.read_bytes()[:-3]):
        entry.write_bytes(damage)
        assert cache.get("abcdef", "a.pdf") is None


def test_the_least_recently_used_goes_first(tmp_path: Path) -> None:
    cache = Cache(tmp_path, most_bytes=1)
    cache.put("aa0000", DOCUMENT)  # the first entry tidies; the next ones come before a tidying
    for key in ("bb0000", "cc0000"):
        cache.put(key, DOCUMENT)
    day_ago = time.time() - 86_400
    entry = tmp_path / "bb" / "0000"
    os.utime(entry, (day_ago, day_ago))
    size = entry.stat().st_size
    Cache(tmp_path, most_bytes=size).tidy()
    assert cache.get("bb0000", "a") is None
    assert cache.get("cc0000", "a") is not None


def test_an_entry_that_is_used_is_given_up_later_and_knows_its_age(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put("abcdef", DOCUMENT)
    (entry,) = tmp_path.glob("??/*")
    day_ago = time.time() - 86_400
    os.utime(entry, (day_ago, day_ago))
    assert cache.get("abcdef", "a") is not None
    assert entry.stat().st_atime > day_ago + 1
    assert entry.stat().st_mtime == pytest.approx(day_ago, abs=1)


def test_entries_are_purged_by_the_hash_of_the_file(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    keys = {
        (data, pages): key_of(data, Request("a.html", Limits(pages=pages)))
        for data in (b"mine", b"theirs")
        for pages in (5, 6)
    }
    for key in keys.values():
        cache.put(key, DOCUMENT)
    assert cache.purge([sha256(b"mine").hexdigest()]) == 2
    for (data, _), key in keys.items():
        assert (cache.get(key, "a") is None) == (data == b"mine")


def test_entries_that_do_not_tell_their_file_are_dropped(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put("ab" * 20, DOCUMENT)  # as the release before named them
    half = tmp_path / "ab" / "tmpx1y2z3"  # of a process that was killed while it wrote
    half.write_bytes(b"half an entry")
    own = key_of(b"theirs", Request("a.html"))
    cache.put(own, DOCUMENT)
    assert cache.purge([sha256(b"mine").hexdigest()]) == 0
    assert cache.purge_unnamed() == 2
    assert not half.exists()
    assert cache.get(own, "a") is not None


def test_an_old_entry_goes_however_often_it_is_used(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    for key in ("aa0000", "bb0000"):
        cache.put(key, DOCUMENT)
    long_ago = time.time() - 91 * 86_400
    os.utime(tmp_path / "aa" / "0000", (time.time(), long_ago))
    assert cache.get("aa0000", "a") is not None
    assert cache.purge_older(90) == 1
    assert cache.get("aa0000", "a") is None
    assert cache.get("bb0000", "a") is not None


def test_a_cache_that_cannot_be_written_to_is_done_without(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("not a folder")
    cache = Cache(file / "documents")
    cache.put("abcdef", DOCUMENT)
    assert cache.get("abcdef", "a.pdf") is None


@pytest.mark.skipif(os.name == "nt", reason="its permissions are others")
def test_nobody_else_can_look_into_it(tmp_path: Path) -> None:
    Cache(tmp_path / "documents").put("abcdef", DOCUMENT)
    for path in (tmp_path / "documents").rglob("*"):
        assert path.stat().st_mode & 0o077 == 0, path
