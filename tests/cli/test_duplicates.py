"""`likewise library duplicates`: near-duplicates of a library, from the command line."""

from __future__ import annotations

import pytest

from likewise.cli.library.duplicates import DEFAULT_THRESHOLD
from likewise.library import Library
from likewise.library.duplicates import MIN_SIMILARITY
from tests.cli.test_process import loaded_by

from .conftest import CARAVAN, EXAMPLES, HARVEST

ASKED = ("library", "duplicates", "--library")


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("LIKEWISE_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def campus(tmp_path):
    """Two copies, an essay that one of them was taken for, and strangers."""
    place = tmp_path / "campus.db"
    with Library(place) as library:
        library.add_texts({"caravan.txt": CARAVAN}, owner="dean", author="A. Nur")
        library.add_texts({"harvest.txt": HARVEST}, owner="dean")
        library.add_texts({"көшірме.txt": CARAVAN + "\n"}, owner="Айгүл", year=2024)
        library.add_texts({"part.txt": CARAVAN[: CARAVAN.index("Nobody")]}, year=2024)
    return place


def test_pairs_are_told_strongest_first_and_nothing_is_removed(likewise, campus):
    ran = likewise(*ASKED, campus, "--threshold", 0.3)
    assert ran.status == 0, ran.err
    lines = [line.split() for line in ran.out.splitlines()]
    assert lines[1][0] == "100%" and "same text  1  caravan.txt" in ran.out
    assert "3  көшірме.txt" in ran.out and "4  part.txt" in ran.out
    assert "4 documents · 3 pairs · 1 cluster · jaccard ≥ 0.3" in ran.out
    assert "an estimate of shared text" in ran.out and "rebuild" not in ran.out
    assert likewise("list", "--library", campus, "--json").summary["documents"] == 4


def test_programs_get_pairs_clusters_and_a_summary(likewise, campus):
    ran = likewise(*ASKED, campus, "--json", "-t", 0.3)
    same, *others = ran.of_type("pair")
    assert (same["a"]["id"], same["b"]["name"], same["b"]["owner"]) == (1, "көшірме.txt", "Айгүл")
    assert (same["similarity"], same["same_text"]) == (1.0, True)
    assert [(pair["a"]["id"], pair["b"]["id"]) for pair in others] == [(1, 4), (3, 4)]
    (cluster,) = ran.of_type("cluster")
    assert [member["id"] for member in cluster["members"]] == [1, 3, 4]
    assert cluster["weakest"] == others[0]["similarity"]
    summary = ran.summary
    assert (summary["documents"], summary["pairs"], summary["clusters"]) == (4, 3, 1)
    assert (summary["threshold"], summary["measure"]) == (0.3, "jaccard")
    assert likewise(*ASKED, campus, "--json", "-t", 0.3).lines[:-1] == ran.lines[:-1]


def test_clusters_alone_filters_limits_and_measures(likewise, campus):
    ran = likewise(*ASKED, campus, "--clusters", "--json", "-t", 0.3)
    assert not ran.of_type("pair") and len(ran.of_type("cluster")) == 1
    told = likewise(*ASKED, campus, "--clusters", "-t", 0.3).out
    assert "3 documents  weakest link" in told and "Айгүл" in told
    assert likewise(*ASKED, campus, "--json").summary["pairs"] == 1
    assert likewise(*ASKED, campus, "--json", "--year", 2024).summary["documents"] == 2
    contained = likewise(*ASKED, campus, "--json", "--measure", "containment").of_type("pair")
    assert [pair["b"]["id"] for pair in contained] == [3, 4, 4]
    limited = likewise(*ASKED, campus, "--limit", 1, "-t", 0.3).out
    assert "and 2 more pairs; --limit shows more" in limited and "part.txt" not in limited
    assert "3 pairs" in likewise(*ASKED, campus, "--limit", 0, "-t", 0.3).out


def test_where_there_is_nothing_it_is_said_why(likewise, campus, tmp_path):
    assert "No two documents reach the threshold" in likewise(*ASKED, campus, "--year", 2024).out
    assert "nothing to compare it with" in likewise(*ASKED, campus, "--owner", "Айгүл").out
    assert "No document fits" in likewise(*ASKED, campus, "--owner", "nobody").out
    missing = likewise(*ASKED, tmp_path / "nowhere.db")
    assert missing.status == 2 and "there is no library" in missing.err
    for wrong in (("-t", 0), ("-t", 1.1), ("--measure", "multiset"), ("--memory", "much")):
        assert likewise(*ASKED, campus, *wrong).status == 2


def test_a_library_that_waits_for_a_rebuild_says_so(likewise, campus):
    likewise("library", "stop-words", "en", "--add", "caravan", "--library", campus)
    ran = likewise(*ASKED, campus)
    assert "The library waits for a rebuild" in ran.out and "1 pair" in ran.out
    assert likewise(*ASKED, campus, "--json").summary["awaits_rebuild"] is True
    likewise("library", "rebuild", "--library", campus)
    assert "rebuild" not in likewise(*ASKED, campus).out


def test_the_strongest_pair_of_a_folder_is_one_of_a_library_too(likewise, tmp_path):
    place = tmp_path / "essays.db"
    likewise("add", EXAMPLES / "essays", "--library", place)
    kept = likewise(*ASKED, place, "--json", "-t", 0.5).of_type("pair")
    read = likewise("find", EXAMPLES / "essays", "--json", "-t", 0.5).of_type("pair")
    names = [{pair["a"]["name"], pair["b"]["name"]} for pair in kept]
    assert {read[0]["a"], read[0]["b"]} in names


def test_help_waits_for_no_database_and_names_the_default_of_the_library():
    loaded = loaded_by("library", "duplicates", "--help")
    assert loaded.isdisjoint({"sqlalchemy", "alembic", "numpy", "likewise.library"})
    assert DEFAULT_THRESHOLD == MIN_SIMILARITY
