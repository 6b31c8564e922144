"""What was rewritten or translated in a corpus: both engines tell the same, and remove nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.cli.conftest import Ran

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Run = Callable[..., Ran]
ROOT = Path(__file__).parents[2]
TEXTS = ROOT / "bench" / "texts" / "reworded"


def _records(
    languages: tuple[str, ...] = ("english", "russian-kazakh"),
) -> tuple[list[dict[str, str]], set[frozenset[str]]]:
    """Sources, texts with a translated passage, our examples; and who has which source."""
    records, correct = [], set()
    for name in languages:
        for path in sorted((TEXTS / name / "sources").glob("*.txt")):
            records.append({"id": path.stem, "text": path.read_text("utf-8")})
        lines = (TEXTS / name / "cases.jsonl").read_text("utf-8").splitlines()
        cases = [case for case in map(json.loads, lines) if "translat" in case["class"]]
        for number, case in enumerate([c for c in cases if len(c["passage"].split()) >= 80][:8]):
            host = (TEXTS / name / "hosts" / f"{case['host']}.txt").read_text("utf-8")
            records.append({"id": f"{name}-{number}", "text": f"{host}\n\n{case['passage']}"})
            correct.add(frozenset((f"{name}-{number}", case["source"])))
    for path in sorted((ROOT / "examples").rglob("*.txt")):
        name = path.relative_to(ROOT).as_posix()
        records.append({"id": name, "text": path.read_text("utf-8", "replace")})
    records.append({"id": "copy", "text": records[0]["text"]})
    records.append({"id": "пустой", "text": ""})
    return records, correct


def _write(folder: Path, records: list[dict[str, str]]) -> Path:
    folder.mkdir()
    half = len(records) // 2
    for part, name in ((records[:half], "a.jsonl"), (records[half:], "b.jsonl")):
        lines = (json.dumps(record, ensure_ascii=False) + "\n" for record in part)
        (folder / name).write_text("".join(lines), "utf-8")
    return folder


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_both_engines_tell_the_same_and_remove_nothing_for_it(
    spark: SparkSession, likewise: Run, tmp_path: Path
) -> None:
    records, correct = _records()
    corpus = _write(tmp_path / "corpus", records)
    verb = ("dedup", corpus, "--json", "--no-pairs")
    plain = likewise(*verb, "--kept", tmp_path / "plain.txt")
    local = likewise(
        *verb, "--kept", tmp_path / "kept.txt", "--pairs-by-meaning", tmp_path / "local.jsonl"
    )
    assert plain.status == local.status == 0, local.err
    assert (tmp_path / "plain.txt").read_bytes() == (tmp_path / "kept.txt").read_bytes()
    pairs = _lines(tmp_path / "local.jsonl")
    found = {frozenset((pair["a"], pair["b"])) for pair in pairs}
    assert len(found & correct) >= len(correct) - 3
    assert not any("copy" in pair for pair in found)  # it does not stay
    shares = [max(pair["meaning_a"], pair["meaning_b"]) for pair in pairs]
    assert shares == sorted(shares, reverse=True) and min(shares) > 0
    on_spark = ("--engine", "spark", "--work", tmp_path / "work")
    for _ in range(2):  # the second time from its stages
        ran = likewise(*verb, *on_spark, "--pairs-by-meaning", tmp_path / "spark.jsonl")
        assert ran.status == 0, ran.err
        assert (tmp_path / "spark.jsonl").read_bytes() == (tmp_path / "local.jsonl").read_bytes()


def test_held_against_another_corpus_both_engines_tell_what_comes_from_there(
    spark: SparkSession, likewise: Run, tmp_path: Path
) -> None:
    records, correct = _records(languages=("russian-kazakh",))
    essays = {name for pair in correct for name in pair if name.startswith("russian-kazakh")}
    own = [record for record in records if record["id"] in essays]
    old = [record for record in records if record["id"] not in essays]
    translated = own[0] | {"id": old[0]["id"]}  # ids may be the same in both
    copy = old[1] | {"id": "copied"}
    corpus = _write(tmp_path / "corpus", [*own[1:], translated, copy])
    against = _write(tmp_path / "old", old)
    verb = ("dedup", corpus, "--against", against, "--json", "--no-pairs")
    local = likewise(*verb, "--pairs-by-meaning", tmp_path / "local.jsonl")
    assert local.status == 0, local.err
    pairs = _lines(tmp_path / "local.jsonl")
    assert {pair["a"] for pair in pairs} <= {*essays, translated["id"]}  # the copy does not stay
    assert {pair["b"] for pair in pairs} <= {record["id"] for record in old}
    renamed = {translated["id"]: own[0]["id"]}
    found = {frozenset((renamed.get(pair["a"], pair["a"]), pair["b"])) for pair in pairs}
    assert len(found & correct) >= len(correct) - 2
    on_spark = (*verb, "--engine", "spark", "--work", tmp_path / "work")
    ran = likewise(*on_spark, "--pairs-by-meaning", tmp_path / "spark.jsonl")
    assert ran.status == 0, ran.err
    assert (tmp_path / "spark.jsonl").read_bytes() == (tmp_path / "local.jsonl").read_bytes()
    # The work folder of that job has sketches of the corpus, and nothing of what it says.
    options = ("--engine", "spark", "--work", tmp_path / "other", "--id", "id")
    file = tmp_path / "sketches.jsonl"
    ran = likewise(
        "dedup", corpus, "--against", tmp_path / "work", *options, "--pairs-by-meaning", file
    )
    assert ran.status == 2 and "give the corpus itself" in ran.err
    assert not file.exists()


def test_where_nothing_was_rewritten_the_file_is_empty(likewise: Run, tmp_path: Path) -> None:
    corpus = _write(tmp_path / "corpus", [{"id": "a", "text": "one"}, {"id": "b", "text": "two"}])
    file = tmp_path / "pairs.jsonl"
    for more in ((), ("--against", corpus)):
        assert likewise("dedup", corpus, *more, "--pairs-by-meaning", file).status == 0
        assert file.read_text("utf-8") == ""
