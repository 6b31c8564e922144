"""Pages are kept, and asked for again when they should be."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import pytest

from likewise.internet.cache import CachedPage, PageCache

PAGE = CachedPage(
    "https://a.org/",
    "https://a.org/final",
    datetime(2026, 5, 1, 12, tzinfo=UTC),
    b"steppe\n\x00\xff and sky",
    "text/html; charset=utf-8",
    '"abc"',
    "Fri, 01 May 2026 12:00:00 GMT",
    "max-age=60",
    ("intranet.example:80",),
)


def test_a_page_comes_back_as_it_was(tmp_path):
    PageCache(tmp_path / "new" / "folder").put(PAGE)
    assert PageCache(tmp_path / "new" / "folder").get("https://a.org/") == PAGE
    assert PageCache(tmp_path / "new" / "folder").get("https://a.org/final") is None


def test_what_a_server_wants_nobody_to_store_is_not_stored(tmp_path):
    cache = PageCache(tmp_path)
    cache.put(replace(PAGE, cache_control="private, no-store"))
    assert cache.get(PAGE.url) is None


@pytest.mark.parametrize(
    ("said", "minutes", "fresh"),
    [
        ("", 59, True),
        ("", 61, False),
        ("max-age=600", 9, True),
        ("max-age=600", 11, False),
        ("public, max-age=31536000", 60 * 23, True),
        ("public, max-age=31536000", 60 * 25, False),
        ("no-cache", 0, False),
        ("max-age=0", 0, False),
        ("max-age=99999999999999999999", 30, True),
        ("", -60, False),
    ],
)
def test_how_long_a_page_is_fresh(said, minutes, fresh):
    on = datetime.now(UTC) - timedelta(minutes=minutes)
    assert replace(PAGE, fetched_on=on, cache_control=said).is_fresh is fresh


def test_validators_are_what_the_server_gave():
    assert PAGE.validators == {
        "If-None-Match": '"abc"',
        "If-Modified-Since": "Fri, 01 May 2026 12:00:00 GMT",
    }
    assert replace(PAGE, etag="", last_modified="").validators == {}


def test_a_damaged_entry_counts_as_missing(tmp_path):
    cache = PageCache(tmp_path)
    cache.put(PAGE)
    (entry,) = tmp_path.glob("??/*")
    whole = entry.read_bytes()
    for damaged in (b"", whole[:20], b"\x00" * 50, whole[:-3] + b"abc"):
        entry.write_bytes(damaged)
        assert cache.get(PAGE.url) is None


def test_a_folder_that_cannot_be_written_to_is_no_reason_to_fail(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    cache = PageCache(tmp_path / "file")
    cache.put(PAGE)
    assert cache.get(PAGE.url) is None


def test_the_least_recently_used_pages_go_first(tmp_path):
    cache = PageCache(tmp_path, most_bytes=2500)
    for number in range(5):
        noise = bytes((number * 7 + i * i * 31 + i // 3) % 251 for i in range(900))
        cache.put(replace(PAGE, url=f"https://a.org/{number}", body=noise))
    cache.get("https://a.org/0")
    cache.tidy()
    kept = [number for number in range(5) if cache.get(f"https://a.org/{number}")]
    assert 0 in kept
    assert 0 < len(kept) < 5


def test_only_the_owner_may_look_into_it(tmp_path):
    PageCache(tmp_path / "pages").put(PAGE)
    (entry,) = (tmp_path / "pages").glob("??/*")
    assert entry.stat().st_mode & 0o077 == 0


def test_pages_are_purged_by_the_hash_of_what_was_fetched(tmp_path):
    cache = PageCache(tmp_path)
    cache.put(PAGE)
    cache.put(replace(PAGE, url="https://b.org/", body=b"another"))
    assert cache.purge([sha256(PAGE.body).hexdigest()]) == 1
    assert cache.get(PAGE.url) is None
    assert cache.get("https://b.org/") is not None
    assert cache.purge() == 1
