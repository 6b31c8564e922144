"""Bad input is told in a sentence: which file or document, and what to do."""

from __future__ import annotations

import gzip
import json
import lzma
import random
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from likewise import scale
from likewise.errors import BadInput
from likewise.settings import Settings
from tests.scale.corpora import local_answer, spark_answer

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

EXACT = Settings(threshold=0.6)
WORDS = " ".join(f"word{number}" for number in range(40))


def _lines(path: Path, records: list[Any]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def _parquet(path: Path, **columns: list[Any]) -> Path:
    path.parent.mkdir(exist_ok=True)
    pq.write_table(pa.table(columns), path, compression="none", use_dictionary=False)
    return path


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        (
            {"id": ["a", "b"], "text": ["x", None]},
            r"1 documents? cannot be used: 'b' \(its text is null\)",
        ),
        ({"id": ["a", "a"], "text": ["x", "y"]}, r"ids must differ.*'a' \(2 times\)"),
        ({"id": ["a"], "txt": ["x"]}, r'no field "text", only id, txt; .*did you mean \'txt\''),
        ({"id": ["a"], "text": [5]}, r"'text' holds bigint, not strings"),
    ],
    ids=["null text", "an id twice", "another name", "numbers"],
)
def test_what_cannot_be_used_is_named(
    spark: SparkSession, columns: dict[str, list[Any]], told: str, tmp_path: Path
) -> None:
    path = _parquet(tmp_path / "c.parquet", **columns)
    with pytest.raises(BadInput, match=told):
        scale.dedup(spark, str(path), EXACT, work=str(tmp_path / "w"))


def _corrupt_parquet(folder: Path) -> Path:
    texts = [f"{WORDS} {number}" for number in range(500)]
    _parquet(folder / "c" / "a.parquet", id=[f"a{n}" for n in range(500)], text=texts)
    bad = _parquet(folder / "c" / "b.parquet", id=[f"b{n}" for n in range(500)], text=texts)
    data = bytearray(bad.read_bytes())
    data[100:4000] = random.Random(1).randbytes(3900)
    bad.write_bytes(data)
    return folder / "c"


def _no_parquet(folder: Path) -> Path:
    path = folder / "c.parquet"
    path.write_bytes(b"PAR1 and nothing else")
    return path


def _cut_gzip(folder: Path) -> Path:
    lines = [json.dumps({"id": n, "text": f"{random.Random(n).random()}"}) for n in range(2000)]
    packed = gzip.compress("\n".join(lines).encode())
    path = folder / "cut.jsonl.gz"
    path.write_bytes(packed[: len(packed) // 2])
    return path


def _packed_by_xz(folder: Path) -> Path:
    path = folder / "c.jsonl.xz"
    path.write_bytes(lzma.compress(b'{"id": 1, "text": "x"}\n'))
    return path


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (_corrupt_parquet, r"b\.parquet cannot be read \("),
        (_no_parquet, r"c\.parquet"),
        (_cut_gzip, r"cut\.jsonl\.gz cannot be read \("),
        (_packed_by_xz, r"cannot unpack c\.jsonl\.xz; pack it with gzip"),
    ],
    ids=["corrupt parquet", "no parquet", "cut gzip", "xz"],
)
def test_a_part_that_cannot_be_read_is_named(
    spark: SparkSession, make: Callable[[Path], Path], told: str, tmp_path: Path
) -> None:
    with pytest.raises(BadInput, match=told) as refused:
        scale.dedup(spark, str(make(tmp_path)), EXACT, work=str(tmp_path / "w"))
    assert "\n" not in str(refused.value)


def test_bad_lines_are_named_and_can_be_left_out(spark: SparkSession, tmp_path: Path) -> None:
    corpus = tmp_path / "bad.jsonl"
    good = [json.dumps({"id": n, "text": "one two three"}).encode() for n in range(3)]
    bad = [b'{"id": 7', b'{"id": 8, "text": "\xff"}', b'{"id": "\\ud800", "text": "x"}']
    corpus.write_bytes(b"\n".join([*good, b"", *bad, b""]))
    with pytest.raises(BadInput, match=r"3 documents.*bad\.jsonl: not valid JSON .*--skip-bad"):
        scale.dedup(spark, str(corpus), EXACT, work=str(tmp_path / "w"))
    result = scale.dedup(
        spark,
        str(corpus),
        EXACT,
        work=str(tmp_path / "w"),
        skip_bad=True,
        output=str(tmp_path / "clean"),
    )
    counted = result.counted()
    assert (counted.documents, counted.bad, counted.removed) == (3, 3, 2)
    assert "3 left out as bad" in counted.report()
    (kept,) = (tmp_path / "clean").glob("*.jsonl")
    assert kept.read_bytes() == good[0] + b"\n"


def test_texts_that_are_none_are_named(spark: SparkSession, tmp_path: Path) -> None:
    texts = tmp_path / "texts"
    (texts / "in a folder").mkdir(parents=True)
    (texts / "in a folder" / "50% of it.txt").write_text(WORDS)
    (texts / "b.txt").write_bytes(b"\xff\xfe\0a")
    with pytest.raises(BadInput, match=r"'b\.txt' \(not text in UTF-8 \(UTF-16\)"):
        scale.dedup(spark, str(texts), EXACT, work=str(tmp_path / "w"))
    result = scale.dedup(spark, str(texts), EXACT, work=str(tmp_path / "w"), skip_bad=True)
    assert [row.id for row in result.kept().collect()] == ["in a folder/50% of it.txt"]


def test_twenty_thousand_copies_are_a_group_and_one_large_document_is_no_harm(
    spark: SparkSession, tmp_path: Path
) -> None:
    chance = random.Random(3)
    large = " ".join(f"w{chance.randrange(50_000)}" for _ in range(300_000))
    records = [{"id": "large", "text": large}, {"id": "near", "text": f"{WORDS} end"}]
    records += [{"id": f"c{number}", "text": WORDS} for number in range(20_000)]
    corpus = _lines(tmp_path / "c.jsonl", records)
    result = scale.dedup(spark, str(corpus), EXACT, work=str(tmp_path / "w"))
    counted = result.counted()
    assert (counted.documents, counted.clusters, counted.removed) == (20_002, 1, 20_000)
    assert counted.copies == 19_999
    assert counted.pairs == 20_000 * 19_999 // 2 + 20_000
    assert [(row.a, row.b) for row in result.pairs(most_copies=100).collect()] == [("near", "c0")]
    assert result.groups(100).count() == 20_000


def test_a_work_folder_that_cannot_be_written_is_named(
    spark: SparkSession, corpus: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match=r"file/w/_works_here: cannot be written \("):
        scale.dedup(spark, str(corpus), EXACT, work=str(tmp_path / "file" / "w"))


def test_one_document_and_none_that_is_like_it(spark: SparkSession, tmp_path: Path) -> None:
    corpus = _lines(tmp_path / "c.jsonl", [{"id": "a", "text": WORDS}])
    settings = EXACT.but(method="lsh")
    result = scale.dedup(spark, str(corpus), settings, work=str(tmp_path / "w"))
    assert spark_answer(result) == local_answer(corpus, settings)
    assert result.counted().pairs == 0
    assert "nothing to measure it by" in result.counted().report()
