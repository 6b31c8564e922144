"""`likewise dedup --engine spark`: the job on many machines, and what it tells."""

from __future__ import annotations

import logging
import signal
import sys
import threading
import time
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from likewise.cli.dedup.options import DedupJob, SparkOptions
from likewise.cli.dedup.results import (
    MANY_COPIES,
    ClusterRecord,
    KeptRecord,
    MeaningRecord,
    PairRecord,
    ResultFiles,
    ThresholdFigures,
    print_json,
)
from likewise.errors import LikewiseError
from likewise.progress import Progress

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from likewise.scale import AtThreshold, JobCounts, SparkDeduped
    from likewise.settings import Settings

MAX_BAD_RECORDS = 20


def run(
    job: DedupJob, settings: Settings, result_files: ResultFiles, spark_options: SparkOptions
) -> None:
    """Find, cluster, choose and write on Spark, then tell."""
    from likewise import scale

    began = time.monotonic()
    folder, options = spark_options.folder(), spark_options.options()
    keep: Any = "prefer" if job.prefer else job.keep
    scale.check_job(settings, job.thresholds, keep, job.prefer)
    local_paths = [Path(each) for each in (job.corpus, job.against) if each and "://" not in each]
    result_files.ensure_writable(local_paths, local_paths, len(set(job.thresholds)))
    with session_at(spark_options, options) as spark, resume_hint(folder):
        if result_files.by_meaning and job.against:
            scale.ensure_texts(spark, job.against)
        result = scale.dedup(
            spark,
            job.corpus,
            settings,
            work=folder,
            id=job.id or "id",
            text=job.text,
            format=spark_options.format,
            thresholds=job.thresholds,
            against=job.against,
            against_id=job.against_id,
            against_text=job.against_text,
            keep=keep,
            prefer=job.prefer,
            skip_bad=job.skip_bad,
            output=job.output,
            progress=stage_printer(job.quiet),
            **({} if spark_options.sample is None else {"sample": spark_options.sample}),
        )
        results = SparkResults(result, result.counted(), time.monotonic() - began)
        result_files.write(results)
        if job.as_json:
            print_json(results, job.with_pairs)
        else:
            print_text(results)


class BadRecordFields(TypedDict):
    """A record that could not be used, where there are no lines to count."""

    corpus: str
    id: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class SparkResults:
    """The result of the engine on Spark as records, fetched part by part."""

    result: SparkDeduped
    counted: JobCounts
    seconds: float

    def groups(self) -> Iterator[list[str]]:
        from pyspark.sql import functions as sql

        if self.counted.copies < MANY_COPIES:
            return
        rows = self.result.groups(MANY_COPIES).groupBy("leader")
        members = sql.array_sort(sql.collect_list(sql.struct("place", "id"))).alias("members")
        for row in rows.agg(members).orderBy("leader").toLocalIterator():
            yield [member.id for member in row.members]

    def pairs(self) -> Iterator[PairRecord]:
        from pyspark.sql import functions as sql

        by = sql.col("jaccard")
        if self.result.duplicates.settings.measure == "containment":
            by = sql.greatest("containment_a", "containment_b")
        for row in self.result.pairs(MANY_COPIES).orderBy(by.desc(), "a", "b").toLocalIterator():
            record: Any = row.asDict()
            yield record

    def clusters(self) -> Iterator[ClusterRecord]:
        from pyspark.sql import functions as sql

        from likewise.scale.blobs import AGAINST

        for threshold, members in self.result.clusters.items():
            each = sql.struct("place", "id")
            rows = members.groupBy("cluster").agg(
                sql.array_sort(sql.collect_list(each)).alias("members"),
                sql.first("weakest").alias("weakest"),
            )
            for row in rows.orderBy("cluster").toLocalIterator():
                record: ClusterRecord = {
                    "threshold": threshold,
                    "members": [m.id for m in row.members if m.place < AGAINST],
                    "against": [m.id for m in row.members if m.place >= AGAINST],
                    "weakest": row.weakest,
                }
                if not self.result.duplicates.across:
                    del record["against"]
                yield record

    def kept_ids(self) -> Iterator[KeptRecord]:
        for threshold in self.result.clusters:
            for row in self.result.kept(threshold).orderBy("place").toLocalIterator():
                yield {"threshold": threshold, "id": row.id}

    def pairs_by_meaning(self) -> Iterator[MeaningRecord]:
        from pyspark.sql import functions as sql

        larger = sql.greatest("meaning_a", "meaning_b")
        rows = self.result.pairs_by_meaning().orderBy(larger.desc(), "place_a", "place_b")
        for row in rows.toLocalIterator():
            yield {
                "a": row.a,
                "b": row.b,
                "meaning_a": row.meaning_a,
                "meaning_b": row.meaning_b,
            }

    def bad(self) -> Iterator[BadRecordFields]:
        for corpus, id, reason in self.result.bad_records(MAX_BAD_RECORDS):
            yield {"corpus": corpus, "id": id, "reason": reason}

    def summary(self) -> Mapping[str, object]:
        from likewise.cli.shared import json_lines

        counted = self.counted
        figures = counted.as_dict()
        names = ("against", "copies", "candidates", "verified", "false_candidates", "recall")
        return (
            {
                "records": counted.documents,
                "wordless": counted.wordless,
                "bad": counted.bad,
                "left_out": [],
                "thresholds": [_figures(at) for at in counted.thresholds],
                "compared": counted.candidates,
                "method": counted.method,
                "seconds": self.seconds,
                "engine": "spark",
            }
            | {name: figures[name] for name in names}
            | {"stages": figures["stages"]}
            | json_lines.settings_record(self.result.duplicates.settings)
        )


def _figures(at: AtThreshold) -> ThresholdFigures:
    return {
        "threshold": at.threshold,
        "pairs": at.pairs,
        "clusters": at.clusters,
        "kept": at.kept,
        "removed": at.removed,
    }


def print_text(results: SparkResults) -> None:
    """A table of thresholds, then the report of the job."""
    from likewise.cli.dedup.local import figures_table
    from likewise.cli.shared import screen

    console = screen.open_console()
    counted = results.counted
    console.print(figures_table(counted.documents, [_figures(at) for at in counted.thresholds]))
    if counted.bad:
        screen.print_heading(console, f"Left out: {screen.format_count(counted.bad, 'bad record')}")
        reasons = [(record["id"] or "", record["reason"]) for record in results.bad()]
        screen.print_reasons(console, reasons)
    screen.print_heading(console, "The job")
    for line in counted.lines():
        console.print(f"  {line}", soft_wrap=True)
    console.print(f"  {screen.format_seconds(results.seconds)}")


@contextmanager
def session_at(spark_options: SparkOptions, options: dict[str, str]) -> Iterator[SparkSession]:
    """A session that is stopped at the end, unless it was there before."""
    from tempfile import mkstemp

    from likewise.scale import session
    from likewise.scale.spark_session import ensure_spark, is_running, warn_without_executors

    ensure_spark()
    if is_running():  # whoever began it will end it
        yield session(spark_options.master)
        return
    _, name = mkstemp(prefix="likewise-spark-", suffix=".log")
    log = Path(name)
    try:
        spark = session(spark_options.master, options, log)
        try:
            spark.sparkContext.setLogLevel("ERROR")
            with warn_without_executors(spark, _print_error):
                yield spark
        finally:
            with suppress(Exception), warnings.catch_warnings():
                warnings.simplefilter("ignore")  # about a JVM that was interrupted too
                spark.stop()
    except LikewiseError as error:
        if error.__cause__ is None or not log.stat().st_size:  # Spark has nothing to add
            log.unlink(missing_ok=True)
        elif error.code != "scale.not_started_log":
            about, why = error.about, error.message
            raise type(error)("scale.with_log", about=about, why=why, log=str(log)) from error
        raise
    except BaseException:
        log.unlink(missing_ok=True)
        raise
    log.unlink(missing_ok=True)


@contextmanager
def resume_hint(folder: str) -> Iterator[None]:
    """Who stops a job with Ctrl-C is told that it was not for nothing.

    Spark has a handler of its own, which talks to Java in the middle of a call to it: what then
    comes out of that call may be any error at all.
    """
    stopped = threading.Event()

    def stop(*_: object) -> None:
        stopped.set()
        logging.disable()  # or the call that is cut off shows where
        raise KeyboardInterrupt

    on_main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, stop) if on_main else None
    try:
        yield
    except BaseException as error:
        if not stopped.is_set():
            raise
        print(f"what was finished stands in {folder}; the same command goes on", file=sys.stderr)
        raise KeyboardInterrupt from error
    finally:
        logging.disable(logging.NOTSET)
        if before is not None:
            signal.signal(signal.SIGINT, before)


def _print_error(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


def stage_printer(quiet: bool) -> Progress | None:
    """A line on standard error for each stage that begins."""
    if quiet:
        return None
    began = time.monotonic()

    def print_stage(stage: str, _done: int, _total: int) -> None:
        print(f"{time.monotonic() - began:7.1f} s  {stage}", file=sys.stderr, flush=True)

    return print_stage
