"""The attacks, each in miniature; what is measured on file is run by `./dev bench attacks`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import likewise
from bench.attacks.__main__ import parts
from bench.attacks.hostile import inflating_relations
from bench.attacks.mutated import SEEDS, case, seeds_of
from bench.evidence import render
from bench.record import keep

ROOT = Path(__file__).parents[2]


def attack(part: str, folder: Path, *options: str) -> dict[str, Any]:
    """What a part found, run as it is run by hand."""
    output = folder / "attacks.json"
    command = [sys.executable, "-m", "bench.attacks", "--only", part, "--output", str(output)]
    source = str(Path(likewise.__file__).parents[1])
    ran = subprocess.run(
        [*command, *options],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": source},
        capture_output=True,
        text=True,
    )
    assert output.is_file(), ran.stderr[-3000:]
    found: dict[str, Any] = json.loads(output.read_text("utf-8"))["sections"][part]["figures"]
    return found


def test_every_part_is_found_by_its_name() -> None:
    assert {"mutated", "kills", "crowd"} <= set(parts())
    assert "corruption" not in parts()


def test_a_damaged_file_is_made_from_its_number_alone() -> None:
    cases = [case(number, seed=3) for number in range(40)]
    assert cases == [case(number, seed=3) for number in range(40)]
    assert cases != [case(number, seed=4) for number in range(40)]
    damaged = [one for one in cases if one.data != one.seed.read_bytes()]
    assert len(damaged) > 30


@pytest.mark.parametrize("form", list(SEEDS))
def test_every_format_has_files_to_damage(form: str) -> None:
    assert seeds_of(form)


def test_damaged_files_are_read_and_counted_and_a_run_goes_on(tmp_path: Path) -> None:
    how = ("--seed", "2", "--folder", str(tmp_path / "work"), "--count", "20")
    first = attack("mutated", tmp_path, *how)
    assert sum(first["outcomes"].values()) == first["files"] == 20
    assert not any(row["got_through"] for row in first["rows"]), first["samples"]
    (journal,) = (tmp_path / "work").glob("*.jsonl")
    before = journal.read_bytes()
    assert attack("mutated", tmp_path, *how) == first
    assert journal.read_bytes() == before


def test_nothing_is_lost_when_processes_are_killed(tmp_path: Path) -> None:
    found = attack("kills", tmp_path, "--kills", "6", "--engine", "sqlite")
    (told,) = found["engines"]
    assert told["kills"] == 6
    assert told["accepted"] > 0
    assert not told["problems"], told["problems"]
    assert not told["verify"], told["verify"]


def test_people_work_beside_hostile_files(tmp_path: Path) -> None:
    how = ("--users", "3", "--seconds", "5", "--hostile-every", "2", "--engine", "sqlite")
    found = attack("crowd", tmp_path, *how, "--attacks", "deep JSON,PDF in a loop")
    assert found["errors"] == {}
    assert found["errors_alone"] == {}
    assert found["all_requests"]["beside"]["calls"] > 3
    ends = {told["attack"]: told.get("state", told["answer"]) for told in found["hostile"]}
    assert set(ends) == {"deep JSON", "PDF in a loop"}
    assert ends["PDF in a loop"] in ("done", "failed"), ends
    assert not any(row["got_through"] for row in found["rows"] if row["attack"] in ends)


def test_the_inflating_document_is_as_small_as_it_was_found() -> None:
    assert len(inflating_relations()) < 5_000


def test_attempts_stand_on_the_page_before_and_after(tmp_path: Path) -> None:
    row = {"attack": "a damaged file: hang", "attempts": 1000, "got_through": 0, "asked": 0}
    ratio = {"attack": "p95", "attempts": 9, "got_through": 2.5, "asked": "≤ 2", "reached": False}
    known = {"attack": "idle", "attempts": 3, "got_through": 0, "before": "nobody was answered"}
    path, by = tmp_path / "attacks.json", "./dev bench attacks --only some"
    keep(path, "some", by, {"rows": [row, ratio, known]})
    keep(path, "other", f"{by}thing", {"one address": {"before": 7, "after": 5}})
    keep(path, "some before", by, {"rows": [row | {"got_through": 4}]}, code="abc123")
    render(tmp_path, tmp_path / "docs")
    page = (tmp_path / "docs" / "evidence" / "attacks.md").read_text("utf-8")
    assert "| a damaged file: hang | 1,000 | 4 of 1,000 | 0 |" in page
    assert "| p95 | 9 | – | **2.5 (asked: ≤ 2)** |" in page
    assert "| idle | 3 | nobody was answered | 0 |" in page
    assert "| one address after | 5 |" in page
    assert "Some, before (`abc123`)" in page
    assert not (tmp_path / "docs" / "evidence" / "other.md").exists()
