"""What `likewise dedup` was asked for, and what of it an engine cannot give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from likewise.errors import BadInput, BadSettings

Format = Literal["parquet", "jsonl", "text"]


@dataclass(frozen=True, slots=True)
class DedupJob:
    """The job itself, the same for both engines."""

    corpus: str
    against: str | None
    thresholds: tuple[float, ...]
    keep: Literal["first", "longest"]
    prefer: str | None
    text: str
    id: str | None
    against_text: str
    against_id: str | None
    unit: Literal["document", "paragraph"]
    skip_bad: bool
    output: str | None
    as_json: bool
    with_pairs: bool
    quiet: bool


@dataclass(frozen=True, slots=True)
class SparkOptions:
    """Where Spark runs, and what it was told besides."""

    master: str | None
    work: str | None
    format: Format | None
    conf: tuple[str, ...]
    sample: int | None

    def refuse_for_local(self, job: DedupJob) -> None:
        """Raises `BadSettings` for what the local engine would silently leave aside."""
        options = {
            "--master": self.master,
            "--work": self.work,
            "--format": self.format,
            "--conf": self.conf or None,
            "--sample": self.sample,
        }
        for option, value in options.items():
            if value is not None:
                raise BadSettings("cli.option_belongs", option=option, owner="--engine spark")
        if job.prefer:
            raise BadSettings("cli.prefer_on_spark")

    def folder(self) -> str:
        """Where stages are kept: without a place there is nothing to go on from."""
        if self.work is None:
            raise BadInput("cli.needs_work")
        return self.work

    def options(self) -> dict[str, str]:
        """Spark's own settings by name.

        >>> SparkOptions(None, None, None, ("spark.executor.memory=2g",), None).options()
        {'spark.executor.memory': '2g'}
        """
        pairs = [each.partition("=") for each in self.conf]
        for name, sign, _ in pairs:
            if not (name and sign):
                raise BadSettings("cli.conf", name=name)
        return {name.strip(): value for name, _, value in pairs}


def refuse_for_spark(job: DedupJob, others: Mapping[str, object]) -> None:
    """What cannot be had on Spark is said before anything is read."""
    reasons = {
        "--unit paragraph": "cli.spark_paragraphs",
        "--no-id": "cli.spark_ids",
        "--report": "cli.spark_report",
        "--report-language": "cli.spark_report_language",
        "--jobs": "cli.spark_jobs",
        "--memory": "cli.spark_memory",
    }
    options = {"--unit paragraph": job.unit == "paragraph", "--no-id": job.id is None, **others}
    for option, value in options.items():
        if value:
            raise BadSettings(reasons[option], about=option)
    if job.prefer and job.keep != "first":
        raise BadSettings("cli.prefer_and_keep")
