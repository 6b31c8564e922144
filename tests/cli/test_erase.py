"""`likewise erase` and `likewise cache purge`: nothing left behind, from the command line."""

import json

import pytest

from likewise.library import Library
from likewise.reading.cache import cache_folder, cache_in
from tests.cli.conftest import CARAVAN, HARVEST
from tests.library.traces import needles_of, traces_in_files


@pytest.fixture
def campus(tmp_path, monkeypatch):
    monkeypatch.setenv("LIKEWISE_CACHE", str(tmp_path / "cache"))
    place = tmp_path / "libraries" / "campus.db"
    place.parent.mkdir()
    (tmp_path / "caravan.html").write_text(f"<html><body><p>{CARAVAN}</p></body></html>", "utf-8")
    with Library(place) as library:
        library.add_texts({"harvest": HARVEST}, owner="dean")
        library.add(tmp_path / "caravan.html", author="A. Nur", owner="aigul", keep_original=True)
    return place


def test_a_dry_run_tells_what_would_go_and_erases_nothing(likewise, campus):
    ran = likewise("erase", 2, "--library", campus, "--dry-run", "--json")
    assert ran.status == 0, ran.err
    assert ran.lines[0]["documents"] == [2]
    assert ran.lines[0]["counts"]["cache_entries"] == 1
    shown = likewise("erase", "caravan.html", "--library", campus, "--dry-run")
    assert "caravan.html" in shown.out
    assert "original files" in shown.out
    with Library(campus) as library:
        assert len(library) == 2


def test_a_document_is_erased_and_the_receipt_is_written(likewise, campus, tmp_path):
    refused = likewise("erase", 2, "--library", campus)
    assert refused.status == 2
    assert "--yes" in refused.err
    path = tmp_path / "receipt.json"
    ran = likewise("erase", 2, "--library", campus, "--yes", "--receipt", path, "--json")
    assert ran.status == 0, ran.err
    told = json.loads(path.read_text("utf-8"))
    assert told == {key: value for key, value in ran.lines[-1].items() if key != "type"}
    assert told["counts"]["documents"] == told["counts"]["originals"] == 1
    assert told["state"] == "done"
    folders = [campus.parent, cache_folder()]
    assert traces_in_files(folders, needles_of(["caravan", "narrow ford", "A. Nur"])) == []
    assert likewise("library", "verify", "--library", campus).status == 0


@pytest.mark.parametrize("how", ["--person", "--file"])
def test_by_person_and_by_file(likewise, campus, tmp_path, how):
    value = "a.  NUR" if how == "--person" else tmp_path / "caravan.html"
    for ending in ("txt", "html"):
        path = tmp_path / f"receipt.{ending}"
        ran = likewise("erase", how, value, "--library", campus, "--yes", "--receipt", path)
        assert ran.status == 0, ran.err
        assert "Receipt of an erasure" in path.read_text("utf-8")
    assert "Receipt of an erasure" in ran.out
    with Library(campus) as library:
        assert [entry.name for entry in library.list().entries] == ["harvest"]


def test_what_has_come_back_is_erased_again(likewise, campus, tmp_path):
    assert likewise("erase", 2, "--library", campus, "--yes").status == 0
    assert likewise("add", tmp_path / "caravan.html", "--library", campus).status == 0
    ran = likewise("erase", "--again", "--library", campus, "--yes", "--json")
    assert ran.lines[-1]["counts"]["documents"] == 1
    with Library(campus) as library:
        assert len(library) == 1


def test_an_account_that_is_not_there_is_not_erased(likewise, campus):
    ran = likewise("erase", "--user", "nobody", "--library", campus, "--yes")
    assert ran.status == 2
    assert "no user" in ran.err
    assert likewise("erase", "--library", campus, "--yes").status == 2


def test_the_cache_is_purged_by_file_by_age_and_altogether(likewise, campus, tmp_path):
    cache = cache_in(cache_folder())
    with Library(campus) as library:
        sha256 = library.get(2).sha256
    assert cache.count([sha256]) == 1
    assert likewise("cache", "purge", "--older", 1, "--json").lines[-1]["entries"] == 0
    other = tmp_path / "other.html"
    other.write_text("<p>another</p>", "utf-8")
    assert likewise("cache", "purge", "--file", other, "--json").lines[-1]["entries"] == 0
    assert likewise("cache", "purge", "--file", tmp_path / "caravan.html").status == 0
    assert cache.count([sha256]) == 0
    assert likewise("cache", "purge").status == 0
