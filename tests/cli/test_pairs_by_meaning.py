"""`find` and `cross` with --pairs-by-meaning: what was translated, in folders of files."""

import csv
import json
from pathlib import Path

import pytest

from tests.renderings import BEES, RUSSIAN_BEES

from .conftest import CARAVAN, HARVEST, ROOT, write

TEXTS = ROOT / "bench" / "texts"


@pytest.fixture(scope="module")
def folders(tmp_path_factory) -> tuple[Path, Path, dict[str, str]]:
    """Texts with a translated passage each, their sources, and which is whose."""
    folder = tmp_path_factory.mktemp("reworded")
    source_of = {}
    for name in ("english", "russian-kazakh"):
        texts = TEXTS / "reworded" / name
        for path in sorted((texts / "sources").glob("*.txt")):
            write(folder / "sources" / path.name, path.read_text("utf-8"))
        lines = (texts / "cases.jsonl").read_text("utf-8").splitlines()
        cases = [case for case in map(json.loads, lines) if "translat" in case["class"]]
        for number, case in enumerate([c for c in cases if len(c["passage"].split()) >= 80][:8]):
            host = (texts / "hosts" / f"{case['host']}.txt").read_text("utf-8")
            essay = f"{name}-{number}.txt"
            write(folder / "essays" / essay, f"{host}\n\n{case['passage']}")
            source_of[essay] = f"{case['source']}.txt"
    return folder / "essays", folder / "sources", source_of


def test_cross_finds_the_sources_of_translations_only_when_asked(likewise, folders):
    essays, sources, source_of = folders
    assert likewise("cross", essays, sources, "--json").of_type("pair") == []
    ran = likewise("cross", essays, sources, "--pairs-by-meaning", "--passages", "--json")
    assert ran.status == 0, ran.err
    pairs = ran.of_type("pair")
    correct = {(pair["a"], pair["b"]) for pair in pairs if source_of[pair["a"]] == pair["b"]}
    assert len(correct) >= len(source_of) - 3 and len(correct) == len(pairs)
    for pair in pairs:
        assert pair["found_by"] == "meaning" and 0 < pair["meaning_share"] <= 1
        assert any(passage["by_meaning"] for passage in pair["passages"])
    shares = [pair["meaning_share"] for pair in pairs]
    assert shares == sorted(shares, reverse=True)
    assert ran.summary["pairs_by_meaning"] == ran.summary["pairs"] == len(pairs)


def test_find_finds_them_in_one_folder_the_same_for_any_jobs(likewise, folders, tmp_path):
    essays, sources, source_of = folders
    for path in [*sorted(essays.iterdir())[::3], *sources.iterdir()]:
        write(tmp_path / path.name, path.read_bytes())
    runs = [
        likewise("find", tmp_path, "--pairs-by-meaning", "--jobs", jobs, "--json").of_type("pair")
        for jobs in (1, 2)
    ]
    assert runs[0] == runs[1]
    pairs = {frozenset((pair["a"], pair["b"])) for pair in runs[0]}
    correct = {frozenset(pair) for pair in source_of.items()}
    assert pairs and pairs <= correct


def test_independent_texts_on_one_subject_have_no_more_pairs_than_compare_says(likewise):
    """Three pairs in two languages: docs/evidence/reworded.md has them among the accused."""
    pairs_of = {}
    for folder in sorted((TEXTS / "subjects").iterdir()):
        ran = likewise("find", folder, "--pairs-by-meaning", "--json")
        assert ran.status == 0, ran.err
        pairs = [pair for pair in ran.of_type("pair") if pair["found_by"] == "meaning"]
        for pair in pairs:
            (line,) = likewise("compare", folder / pair["a"], folder / pair["b"], "--json").lines
            assert any(passage["by_meaning"] for passage in line["passages"])
            assert pair["a"][:2] != pair["b"][:2]  # nobody is accused in one language
        pairs_of[folder.name] = len(pairs)
    assert len(pairs_of) == 10
    accused = {name: count for name, count in pairs_of.items() if count}
    assert set(accused) <= {"aral-sea", "cells", "inflation"} and sum(accused.values()) <= 3


def test_pairs_by_words_come_first_and_say_so(likewise, tmp_path):
    essay = write(tmp_path / "essay.txt", f"{HARVEST}\n\n{BEES}")
    write(tmp_path / "copy.txt", CARAVAN)
    write(tmp_path / "original.txt", CARAVAN)
    write(tmp_path / "source.txt", RUSSIAN_BEES)
    write(tmp_path / "пустой.txt", "Тсс!")
    verb = ("find", tmp_path, "--pairs-by-meaning")
    first, second = likewise(*verb, "--json").of_type("pair")
    assert (first["found_by"], first["meaning_share"]) == ("words", None)
    assert (first["a"], first["b"]) == ("copy.txt", "original.txt")
    assert second["found_by"] == "meaning"
    assert (second["a"], second["b"]) == ("essay.txt", "source.txt")
    out = likewise(*verb).out
    assert "Found by meaning: for a person to read" in out and "2 pairs, 1 by meaning" in out
    assert out.index("copy.txt") < out.index("Found by meaning") < out.index("source.txt")
    # A copy of either has the same answer.
    write(tmp_path / "twin.txt", essay.read_bytes())
    pairs = [p for p in likewise(*verb, "--json").of_type("pair") if p["found_by"] == "meaning"]
    assert [(p["a"], p["b"]) for p in pairs] == [
        ("essay.txt", "source.txt"),
        ("source.txt", "twin.txt"),
    ]


def test_reports_list_them_and_say_so(likewise, tmp_path):
    write(tmp_path / "in/essay.txt", f"{HARVEST}\n\n{BEES}")
    write(tmp_path / "in/source.txt", RUSSIAN_BEES)
    for ending in ("json", "csv", "html", "docx"):
        report = tmp_path / f"report.{ending}"
        options = ("--pairs-by-meaning", "--report", report, "--report-language", "en")
        assert likewise("find", tmp_path / "in", *options).status == 0
    view = json.loads((tmp_path / "report.json").read_text("utf-8"))
    assert [pair["by_meaning"] for pair in view["pairs"]] == [True] and view["all_pairs"] == 1
    assert view["by_meaning"]
    assert view["pairs"][0]["passages"][0]["by_meaning"]
    rows = list(csv.reader((tmp_path / "report.csv").read_text("utf-8-sig").splitlines()))
    assert rows[1][rows[0].index("found by meaning")] == "1"


def test_with_passages_by_words_alone_it_is_refused(likewise, tmp_path):
    write(tmp_path / "a.txt", BEES)
    ran = likewise("find", tmp_path, "--pairs-by-meaning", "--no-by-meaning")
    assert ran.status == 2 and "ask for both or for neither" in ran.err


def test_folders_without_text_have_no_pairs(likewise, tmp_path):
    (tmp_path / "empty").mkdir()
    write(tmp_path / "one/a.txt", BEES)
    assert likewise("find", tmp_path / "empty", "--pairs-by-meaning").status == 0
    assert likewise("find", tmp_path / "one", "--pairs-by-meaning").status == 0
    ran = likewise("cross", tmp_path / "one", tmp_path / "empty", "--pairs-by-meaning", "--json")
    assert ran.status == 0 and ran.summary["pairs_by_meaning"] == 0
