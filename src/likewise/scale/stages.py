"""A job in stages: each leaves Parquet behind, and a second run begins where the first ended."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from likewise.errors import BadInput
from likewise.progress import Progress
from likewise.scale import files
from likewise.scale.errors import reason_of, spark_errors

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession
    from pyspark.sql.types import StructType

MARKER = "_likewise.json"
_WORKER = "_works_here"
# Hashes do not get smaller, and each stage is read once or twice: packing costs more than it saves.
# A group of rows is held in memory until it is written, and Parquet's own 128 MB are a lot of 1 GB.
_PLAIN = {
    "compression": "uncompressed",
    "parquet.page.write-checksum.enabled": "false",
    "parquet.column.statistics.enabled": "false",
    "parquet.size.statistics.enabled": "false",
    "parquet.enable.dictionary": "false",
    "parquet.block.size": str(16 << 20),
}


@dataclass(frozen=True, slots=True)
class Stage:
    """A finished stage: how long it took (when it was made) and what it left on the disk."""

    name: str
    seconds: float
    bytes: int
    resumed: bool


@dataclass(slots=True)
class WorkFolder:
    """A folder for stages. What a stage depends on is written beside it, and must be the same."""

    spark: SparkSession
    folder: str
    progress: Progress | None = None
    finished: list[Stage] = field(default_factory=list)
    token: str = ""  # who works here; whoever comes later puts his own in its place

    @property
    def seconds(self) -> dict[str, float]:
        """Of the stages that were made this time."""
        return {stage.name: stage.seconds for stage in self.finished if not stage.resumed}

    @property
    def resumed(self) -> list[str]:
        """The stages that an earlier run had made."""
        return [stage.name for stage in self.finished if stage.resumed]

    def at(self, name: str) -> str:
        return f"{self.folder.rstrip('/')}/{name}"

    def prepare(self) -> None:
        """Raises `BadInput` where nothing can be written; rounds of clusters get their place."""
        self.token = uuid4().hex
        files.write(self.spark, self.at(_WORKER), self.token)
        if self.spark.sparkContext.getCheckpointDir() is None:
            self.spark.sparkContext.setCheckpointDir(self.at("checkpoints"))

    def recipe(self, name: str) -> str:
        """What a finished stage depended on."""
        return str(self.marker(self.at(name))["recipe"])

    def marker(self, path: str) -> dict[str, Any]:
        """What is written beside the rows of a finished stage."""
        marker: dict[str, Any] = json.loads(files.read(self.spark, f"{path}/{MARKER}"))
        return marker

    def counts(self, name: str) -> dict[str, int]:
        """What was counted while a finished stage was written."""
        totals: dict[str, int] = self.marker(self.at(name))["counts"]
        return totals

    def stage(
        self,
        name: str,
        recipe: str,
        make: Callable[[], DataFrame],
        *,
        description: str = "",
        counts: Mapping[str, Column] | None = None,
    ) -> DataFrame:
        """The rows of a stage: read if they are there for this very recipe, else made.

        `description` is kept with them (in the marker as `told`), for whoever finds them later; so
        are the `counts`, sums over the rows that are taken while they are written.
        """
        path, began = self.at(name), time.monotonic()
        if (marker := self._done(path, recipe)) is not None:
            self.finished.append(
                Stage(name, marker.get("seconds", 0.0), marker.get("bytes", 0), resumed=True)
            )
            return self.spark.read.parquet(path)
        self._ensure_alone()
        if self.progress:
            self.progress(name, 0, 0)
        files.remove(self.spark, f"{path}/{MARKER}")  # first: what follows is not whole
        schema, totals = self._write(make, path, name, counts or {})
        self._ensure_alone()
        finished = Stage(
            name,
            round(time.monotonic() - began, 3),
            files.size_bytes(self.spark, path),
            resumed=False,
        )
        marker = {"recipe": recipe, "told": description, "counts": totals}
        marker |= {"seconds": finished.seconds, "bytes": finished.bytes}
        marker |= {"parts": files.parts(self.spark, path)}
        files.write(self.spark, f"{path}/{MARKER}", json.dumps(marker))
        self.finished.append(finished)
        # with a schema Spark need not look into the files for one, which is a job each time
        return self.spark.read.schema(schema).parquet(path)

    def _done(self, path: str, recipe: str) -> dict[str, Any] | None:
        if not files.exists(self.spark, f"{path}/{MARKER}"):
            return None
        marker = self.marker(path)
        if marker.get("recipe") != recipe:
            return None
        # some who tidy up remove old files one by one: half a stage is none
        whole = marker.get("parts") in (None, files.parts(self.spark, path))
        return marker if whole else None

    def _ensure_alone(self) -> None:
        """Raises `BadInput` if another job has begun here: they would write over each other."""
        if self.token and files.read(self.spark, self.at(_WORKER)) != self.token:
            raise BadInput("scale.another_job", about=self.folder, option="--work")

    def _write(
        self,
        make: Callable[[], DataFrame],
        path: str,
        name: str,
        counts: Mapping[str, Column],
    ) -> tuple[StructType, dict[str, int]]:
        from pyspark.sql import Observation

        try:
            frame, observation = make(), Observation()
            schema = frame.schema
            if counts:
                # tasks that write are counted once each, also if one is lost and done again
                frame = frame.observe(
                    observation, *(sum_.alias(key) for key, sum_ in counts.items())
                )
            frame.write.mode("overwrite").options(**_PLAIN).parquet(path)
        except spark_errors() as error:
            self._ensure_alone()
            raise BadInput(
                "scale.stage_failed", name=name, why=reason_of(error), folder=self.folder
            ) from error
        totals = observation.get if counts else {}
        return schema, {key: int(value or 0) for key, value in totals.items()}


@contextmanager
def shuffle_partitions(spark: SparkSession, tasks: int) -> Iterator[None]:
    """Joins in as many tasks as there is work for; Spark would take 200 for any, few or many."""
    name = "spark.sql.shuffle.partitions"
    before = str(spark.conf.get(name))
    spark.conf.set(name, str(max(tasks, spark.sparkContext.defaultParallelism)))
    try:
        yield
    finally:
        spark.conf.set(name, before)


def recipe_of(*parts: object) -> str:
    """A short name for everything that a stage depends on."""
    return blake2b("\n".join(map(str, parts)).encode(), digest_size=12).hexdigest()
