"""Others on the same documents: Spark ML's MinHashLSH on the same cluster, and datasketch."""

from __future__ import annotations

import json
import time
from itertools import islice
from pathlib import Path
from typing import Any

from bench.making.planting import shingle_set
from bench.speed.meter import Reading
from bench.speed.spark_run import Running, running

Pairs = set[tuple[str, str]]
TABLES = 3  # hash tables of Spark ML: at .8 a pair meets in one of them with 99.2 %
PERMUTATIONS = 256


def documents_of(data: Path, number: int) -> list[tuple[str, str]]:
    """The first documents of a corpus, as (id, text)."""
    found: list[tuple[str, str]] = []
    for path in sorted(data.glob("*.jsonl")):
        with path.open(encoding="utf-8") as lines:
            rows = map(json.loads, islice(lines, number - len(found)))
            found += [(row["id"], row["text"]) for row in rows]
    return found


def spark_ml(scratch: Path, documents: list[tuple[str, str]], truth: Pairs) -> dict[str, Any]:
    """Five-word shingles hashed into vectors, joined at a distance of .2 by MinHashLSH."""
    plain = {  # as Spark comes, without what suits us
        "spark.driver.extraJavaOptions": "-Xss4m",
        "spark.executor.extraJavaOptions": "-Xss4m",
        "spark.sql.adaptive.enabled": "true",
        "spark.sql.codegen.wholeStage": "true",
        "spark.executor.memory": "1g",
    }
    with running(scratch, plain) as on:
        before, began = on.watch.cpu_seconds(), time.perf_counter()
        pairs = _joined_by_ml(on, documents)
        spent = sum(on.watch.cpu_seconds().values()) - sum(before.values())
        return {
            "documents": len(documents),
            "cpu_s": round(spent, 2),
            "wall_s": round(time.perf_counter() - began, 2),
            **_quality(pairs, truth),
        }


def _joined_by_ml(on: Running, documents: list[tuple[str, str]]) -> Pairs:
    from pyspark.ml.feature import HashingTF, MinHashLSH, NGram, RegexTokenizer
    from pyspark.sql import functions as sql

    rows = on.spark.createDataFrame(documents, "id string, text string").repartition(4)
    words = RegexTokenizer(inputCol="text", outputCol="words", pattern="[^\\p{L}\\p{N}]+")
    grams = NGram(n=5, inputCol="words", outputCol="grams")
    vectors = HashingTF(inputCol="grams", outputCol="vector", numFeatures=1 << 20, binary=True)
    made = vectors.transform(grams.transform(words.transform(rows)))
    made = made.where(sql.size("grams") > 0).select("id", "vector").cache()
    model = MinHashLSH(inputCol="vector", outputCol="hashes", numHashTables=TABLES, seed=7).fit(
        made
    )
    joined = model.approxSimilarityJoin(made, made, 0.2000001, "distance")
    found = joined.where("datasetA.id < datasetB.id").select(
        sql.col("datasetA.id").alias("a"), sql.col("datasetB.id").alias("b")
    )
    return {_pair(row.a, row.b) for row in found.collect()}


def datasketch(documents: list[tuple[str, str]], truth: Pairs) -> dict[str, Any]:
    """One process, its own banding for .8; its candidates cut at its estimate."""
    from datasketch import MinHash, MinHashLSH

    start = Reading.now()
    index = MinHashLSH(threshold=0.8, num_perm=PERMUTATIONS)
    sketches: dict[str, MinHash] = {}
    pairs = set()
    for id, text in documents:
        shingles = [" ".join(each).encode() for each in shingle_set(text)]
        if not shingles:
            continue
        sketch = MinHash(num_perm=PERMUTATIONS)
        sketch.update_batch(shingles)
        for other in index.query(sketch):
            if sketch.jaccard(sketches[other]) >= 0.8:
                pairs.add(_pair(id, other))
        index.insert(id, sketch)
        sketches[id] = sketch
    return {"documents": len(documents), **start.spent(), **_quality(pairs, truth)}


def _quality(pairs: Pairs, truth: Pairs) -> dict[str, Any]:
    return {
        "pairs": len(pairs),
        "true_pairs": len(truth),
        "recall": round(len(pairs & truth) / max(1, len(truth)), 4),
        "false_pairs": len(pairs - truth),
    }


def _pair(one: str, two: str) -> tuple[str, str]:
    return (one, two) if int(one[1:]) < int(two[1:]) else (two, one)
