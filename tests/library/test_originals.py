"""Original files in a store that speaks S3: added, read, removed, copied, and the store away."""

from __future__ import annotations

import hashlib
import json
from datetime import timedelta
from pathlib import Path

import pytest
import zstandard
from sqlalchemy import text

from likewise.errors import LikewiseError
from likewise.library import Library, back_up, copy_library, restore, schema
from likewise.library import add as adding
from likewise.library.erase import run_erasure
from likewise.library.erasure import EraseRequest
from likewise.library.object_store import StoreAway
from likewise.library.original_transfer import delete_orphans, put_originals
from likewise.library.originals import chosen_place, original_bytes, read_orphans
from tests.library.object_store import BUCKET, S3Server
from tests.library.texts import MARKET, OWN, RIVER, invented

SECRET = "a secret of some length"


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch):
    """From when it is called, the store is at an address where nobody answers."""
    return lambda: monkeypatch.setenv(
        "LIKEWISE_ORIGINALS", f"s3://{BUCKET}/files?endpoint=http://127.0.0.1:9"
    )


@pytest.fixture
def essays(tmp_path: Path) -> Path:
    folder = tmp_path / "essays"
    folder.mkdir()
    for name, words in (("river", RIVER), ("market", MARKET), ("own", OWN)):
        (folder / f"{name}.txt").write_text(words, "utf-8")
    return folder


def originals_of(library: Library) -> dict[str, str]:
    return {
        entry.name: (library.original(entry.id) or b"").decode()
        for entry in library.list(limit=None).entries
    }


WHOLE = {"market.txt": MARKET, "own.txt": OWN, "river.txt": RIVER}


def orphans_of(library: Library) -> int:
    with library.store.reading() as connection:
        return len(read_orphans(connection))


def test_a_file_stands_in_the_store_and_is_read_from_there(
    s3: S3Server, library: Library, essays: Path
) -> None:
    added = library.add(essays, keep_original=True)
    assert len(added.ids) == 3
    assert library.count_originals() == (0, 3)
    objects = s3.objects()
    assert len(objects) == 3
    hashes = {hashlib.sha256(words.encode()).hexdigest() for words in WHOLE.values()}
    for key, data in objects.items():
        prefix, uid, sha256, _token = key.split("/")
        assert (prefix, uid) == ("files", library.uid)
        assert sha256 in hashes
        assert zstandard.ZstdDecompressor().decompress(data).decode() in WHOLE.values()
    assert originals_of(library) == WHOLE
    assert library.verify() == ()
    assert orphans_of(library) == 0


def test_its_size_is_counted_as_if_it_stood_in_the_database(
    s3: S3Server, library: Library, essays: Path
) -> None:
    library.add(essays, keep_original=True)
    with library.store.reading() as connection:
        sizes = connection.execute(schema.originals.select().with_only_columns(original_bytes()))
        assert sorted(sizes.scalars()) == sorted(map(len, s3.objects().values()))


def test_with_a_secret_files_are_encrypted_before_they_leave(
    s3: S3Server, library: Library, essays: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIKEWISE_ORIGINALS_KEY", SECRET)
    library.add(essays, keep_original=True)
    assert all(data.startswith(b"likewise object\n") for data in s3.objects().values())
    assert originals_of(library) == WHOLE
    (first, *_) = library.list(limit=None).entries
    for wrong in ("another secret of some length", ""):
        monkeypatch.setenv("LIKEWISE_ORIGINALS_KEY", wrong)
        with pytest.raises(LikewiseError, match="LIKEWISE_ORIGINALS_KEY"):
            library.original(first.id)


def test_the_object_goes_with_its_document_and_with_no_other(
    s3: S3Server, library: Library, essays: Path
) -> None:
    ids = library.add(essays, keep_original=True).ids
    library.add(essays, keep_original=True, collection="private")  # the same bytes
    assert len(s3.objects()) == 6
    library.remove(*ids)
    assert len(s3.objects()) == 3
    assert originals_of(library) == WHOLE
    assert orphans_of(library) == 0


def test_a_removal_that_is_undone_deletes_nothing(
    s3: S3Server, library: Library, essays: Path
) -> None:
    from likewise.library.remove import remove_documents

    ids = library.add(essays, keep_original=True).ids
    with pytest.raises(ZeroDivisionError), library.store.writing() as (connection, change):
        remove_documents(connection, change, ids)
        raise ZeroDivisionError
    assert delete_orphans(library.store) == (0, 0)
    assert originals_of(library) == WHOLE


def test_all_versions_of_an_object_are_deleted(
    s3: S3Server, library: Library, essays: Path
) -> None:
    versioning = {"Status": "Enabled"}
    s3.client.put_bucket_versioning(Bucket=BUCKET, VersioningConfiguration=versioning)
    try:
        ids = library.add(essays, keep_original=True).ids
        library.remove(*ids)
        left = s3.client.list_object_versions(Bucket=BUCKET, Prefix=f"files/{library.uid}/")
        assert not left.get("Versions") and not left.get("DeleteMarkers")
    finally:
        versioning = {"Status": "Suspended"}
        s3.client.put_bucket_versioning(Bucket=BUCKET, VersioningConfiguration=versioning)


def test_what_is_added_while_the_store_is_away_stays_in_the_database_until_it_is_back(
    s3: S3Server, library: Library, essays: Path, away, monkeypatch: pytest.MonkeyPatch
) -> None:
    away()
    assert len(library.add(essays, keep_original=True).ids) == 3
    assert library.count_originals() == (3, 0)
    assert originals_of(library) == WHOLE
    monkeypatch.setenv("LIKEWISE_ORIGINALS", s3.place)
    assert library.move_originals() == (3, 0)
    assert library.count_originals() == (0, 3)
    assert originals_of(library) == WHOLE
    assert library.move_originals() == (0, 0)


def test_a_store_that_is_away_is_told_and_removals_wait_for_it(
    s3: S3Server, library: Library, essays: Path, away, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = library.add(essays, keep_original=True).ids
    away()
    with pytest.raises(StoreAway, match=r"the store of originals does not answer"):
        library.original(ids[0])
    assert ["does not answer" in str(one) for one in library.verify()] == [True]
    library.remove(ids[0])
    assert len(s3.objects()) == 3
    monkeypatch.setenv("LIKEWISE_ORIGINALS", s3.place)
    delete_orphans(library.store)
    assert len(s3.objects()) == 2


def test_a_process_that_is_killed_between_putting_and_adding_leaves_an_orphan_that_goes(
    s3: S3Server, library: Library, essays: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def put_and_die(*arguments: object) -> None:
        put_originals(*arguments)  # type: ignore[arg-type]
        raise Killed

    monkeypatch.setattr(adding, "put_originals", put_and_die)
    with pytest.raises(Killed):
        library.add(essays, keep_original=True)
    assert len(s3.objects()) == 3
    assert len(library) == 0
    assert delete_orphans(library.store) == (0, 0)  # somebody may still be about to add them
    _let_time_pass(library, timedelta(days=2))
    assert delete_orphans(library.store) == (3, 0)
    assert s3.objects() == {}
    monkeypatch.setattr(adding, "put_originals", put_originals)
    library.add(essays, keep_original=True)
    assert originals_of(library) == WHOLE


def test_whoever_was_so_slow_that_its_objects_are_gone_adds_the_files_themselves(
    s3: S3Server, library: Library, essays: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def put_slowly(*arguments):
        ready = put_originals(*arguments)
        _let_time_pass(library, timedelta(days=2))
        assert delete_orphans(library.store) == (3, 0)
        return ready

    monkeypatch.setattr(adding, "put_originals", put_slowly)
    library.add(essays, keep_original=True)
    assert library.count_originals() == (3, 0)
    assert originals_of(library) == WHOLE


def _let_time_pass(library: Library, time: timedelta) -> None:
    with library.store.beside() as connection:
        for key, note in read_orphans(connection).items():
            earlier = dict(note) | {"due": "2000-01-01T00:00:00"}
            connection.execute(
                text("UPDATE key_values SET value = :value WHERE key = :key"),
                {"key": f"originals.orphan:{key}", "value": json.dumps(earlier)},
            )


def test_an_object_that_was_changed_or_lost_is_found_by_verifying(
    s3: S3Server, library: Library, essays: Path
) -> None:
    library.add(essays, keep_original=True)
    changed, lost, _ = sorted(s3.objects())
    s3.client.put_object(Bucket=BUCKET, Key=changed, Body=b"something else")
    s3.client.delete_object(Bucket=BUCKET, Key=lost)
    assert [one.key for one in library.verify()] == ["library.verify_original_missing"] * 2


def test_a_backup_holds_the_files_and_a_restore_brings_them_back(
    s3: S3Server, library: Library, essays: Path, place: str, tmp_path: Path, away
) -> None:
    library.add(essays, keep_original=True)
    backup = tmp_path / "monday.db"
    assert back_up(library, backup) == 3
    away()
    with Library(backup, read_only=True) as copy:
        assert copy.count_originals() == (3, 0)
        assert originals_of(copy) == WHOLE
    assert library.count_originals() == (0, 3)
    library.close()
    assert restore(backup, place) == 3
    with Library(place) as restored:
        assert originals_of(restored) == WHOLE
        assert orphans_of(restored) == 3  # the objects of what was replaced, for a week
        assert delete_orphans(restored.store) == (0, 0)


def test_a_copy_stands_alone(s3: S3Server, library: Library, essays: Path, tmp_path: Path) -> None:
    ids = library.add(essays, keep_original=True).ids
    copy_library(library, tmp_path / "copy.db")
    library.remove(*ids)
    assert s3.objects() == {}
    with Library(tmp_path / "copy.db") as copy:
        assert originals_of(copy) == WHOLE
        assert copy.verify() == ()


def test_a_copy_deletes_nothing_that_its_library_has(
    s3: S3Server, library: Library, essays: Path, tmp_path: Path
) -> None:
    library.add(essays, keep_original=True)
    with library.store.beside() as connection:  # as if a removal were about to be carried out
        connection.execute(
            schema.key_values.insert(),
            [
                {
                    "key": f"originals.orphan:{key}",
                    "value": json.dumps(
                        {
                            "due": "2000-01-01T00:00:00",
                            "uid": library.uid,
                            "bucket": BUCKET,
                            "endpoint": s3.endpoint,
                        }
                    ),
                }
                for key in s3.objects()
            ],
        )
    copy_library(library, tmp_path / "copy.db")
    with Library(tmp_path / "copy.db") as copy:
        assert delete_orphans(copy.store) == (0, 0)
    assert len(s3.objects()) == 3


def test_an_erasure_deletes_the_object_and_says_where_it_could_not(
    s3: S3Server, library: Library, essays: Path, away, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, _ = library.add(essays, keep_original=True).ids
    receipt = run_erasure(library, EraseRequest(documents=(first,)))
    assert len(s3.objects()) == 2
    assert dict(receipt.counts)["objects"] == 1
    assert "originals" not in receipt.unreached
    away()
    receipt = run_erasure(library, EraseRequest(documents=(second,)))
    assert receipt.unreached["originals"] == 1
    assert len(s3.objects()) == 2
    monkeypatch.setenv("LIKEWISE_ORIGINALS", s3.place)
    assert delete_orphans(library.store) == (1, 0)
    assert len(s3.objects()) == 1


def test_everything_goes_back_into_the_database(
    s3: S3Server, library: Library, essays: Path, away
) -> None:
    library.add(essays, keep_original=True)
    assert library.move_originals(into_database=True) == (3, 3)
    assert s3.objects() == {}
    away()
    assert originals_of(library) == WHOLE
    assert library.count_originals() == (3, 0)


def test_many_files_are_moved_while_others_are_removed(
    s3: S3Server, library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(70):
        (folder / f"{number}.txt").write_text(invented(60, seed=number), "utf-8")
    monkeypatch.delenv("LIKEWISE_ORIGINALS")
    ids = library.add(folder, keep_original=True).ids
    monkeypatch.setenv("LIKEWISE_ORIGINALS", s3.place)
    asked = iter([True, True, True])

    def progress(*_: object) -> None:
        if next(asked, False):
            library.remove(ids[-1])

    assert library.move_originals(progress=progress)[0] in (69, 70)
    assert library.verify() == ()
    assert len(s3.objects()) == len(library) == 69


@pytest.mark.parametrize(
    "address",
    ["campus", "s3://", "http://campus/x", "s3://a/b?region=x", "s3://key:secret@campus"],
)
def test_an_address_that_is_none_is_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIKEWISE_ORIGINALS", address)
    with pytest.raises(LikewiseError, match="LIKEWISE_ORIGINALS is no address"):
        chosen_place()
