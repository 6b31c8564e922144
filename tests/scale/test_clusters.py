"""Clusters are the same whether one task has all ties, copies come to it later, or rounds go on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from likewise import scale
from likewise.scale import clusters
from likewise.settings import Settings
from tests.scale.corpora import local_answer, spark_answer

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

EXACT = Settings(method="exact", threshold=0.6)


def test_too_many_copies_and_too_many_ties_for_one_task_change_nothing(
    spark: SparkSession, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = scale.dedup(spark, str(corpus), EXACT, work=str(tmp_path), keep="longest")
    longest, first = (local_answer(corpus, EXACT, keep=keep) for keep in ("longest", "first"))
    assert spark_answer(result) == longest
    assert result.duplicates.pair_count and result.duplicates.copy_count
    monkeypatch.setattr(clusters, "ONE_TASK", result.duplicates.pair_count)
    by_leader = scale.dedup(spark, str(corpus), EXACT, work=str(tmp_path), keep="first")
    assert spark_answer(by_leader) == first
    (tmp_path / "clusters-0.6-first" / "_likewise.json").unlink()
    monkeypatch.setattr(clusters, "ONE_TASK", 0)
    in_rounds = scale.dedup(spark, str(corpus), EXACT, work=str(tmp_path), keep="first")
    assert spark_answer(in_rounds) == first
    assert not in_rounds.work.finished[-1].resumed
