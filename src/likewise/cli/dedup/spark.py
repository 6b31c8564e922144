"""`likewise dedup --engine spark`: the job on many machines, and what it tells."""

from __future__ import annotations

import logging
import signal
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from likewise.cli.dedup.options import Asked, Cluster
from likewise.cli.dedup.results import MANY_COPIES, Lists, to_programs
from likewise.errors import LikewiseError
from likewise.progress import Progress

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from likewise.scale import Counted, SparkDeduped
    from likewise.settings import Settings

BAD_SHOWN = 20


def run(asked: Asked, settings: Settings, lists: Lists, cluster: Cluster) -> None:
    """Find, cluster, choose and write on Spark, then tell."""
    from likewise import scale

    began = time.monotonic()
    folder, options = cluster.folder(), cluster.options()
    keep: Any = "prefer" if asked.prefer else asked.keep
    scale.checked(settings, asked.thresholds, keep, asked.prefer)
    given = [Path(each) for each in (asked.corpus, asked.against) if each and "://" not in each]
    lists.make_sure_they_can_be_written(given, given, len(set(asked.thresholds)))
    with session_at(cluster, options) as spark, told_when_stopped(folder):
        result = scale.dedup(
            spark,
            asked.corpus,
            settings,
            work=folder,
            id=asked.id or "id",
            text=asked.text,
            format=cluster.format,
            thresholds=asked.thresholds,
            against=asked.against,
            against_id=asked.against_id,
            against_text=asked.against_text,
            keep=keep,
            prefer=asked.prefer,
            skip_bad=asked.skip_bad,
            output=asked.output,
            progress=stage_teller(asked.quiet),
            **({} if cluster.sample is None else {"sample": cluster.sample}),
        )
        results = SparkResults(result, result.counted(), time.monotonic() - began)
        lists.write(results)
        if asked.as_json:
            to_programs(results, asked.with_pairs)
        else:
            to_people(results)


@dataclass(frozen=True, slots=True)
class SparkResults:
    """The result of the engine on Spark as records, fetched part by part."""

    result: SparkDeduped
    counted: Counted
    seconds: float

    def groups(self) -> Iterator[list[str]]:
        from pyspark.sql import functions as sql

        if self.counted.copies < MANY_COPIES:
            return
        rows = self.result.groups(MANY_COPIES).groupBy("leader")
        members = sql.array_sort(sql.collect_list(sql.struct("place", "id"))).alias("members")
        for row in rows.agg(members).orderBy("leader").toLocalIterator():
            yield [member.id for member in row.members]

    def pairs(self) -> Iterator[dict[str, Any]]:
        from pyspark.sql import functions as sql

        by = sql.col("jaccard")
        if self.result.found.settings.measure == "containment":
            by = sql.greatest("containment_a", "containment_b")
        for row in self.result.pairs(MANY_COPIES).orderBy(by.desc(), "a", "b").toLocalIterator():
            yield row.asDict()

    def clusters(self) -> Iterator[dict[str, Any]]:
        from pyspark.sql import functions as sql

        from likewise.scale.sides import AGAINST

        for threshold, members in self.result.clusters.items():
            each = sql.struct("place", "id")
            rows = members.groupBy("cluster").agg(
                sql.array_sort(sql.collect_list(each)).alias("members"),
                sql.first("weakest").alias("weakest"),
            )
            for row in rows.orderBy("cluster").toLocalIterator():
                found: dict[str, Any] = {"threshold": threshold}
                found["members"] = [m.id for m in row.members if m.place < AGAINST]
                if self.result.found.across:
                    found["against"] = [m.id for m in row.members if m.place >= AGAINST]
                yield found | {"weakest": row.weakest}

    def kept(self) -> Iterator[dict[str, Any]]:
        for threshold in self.result.clusters:
            for row in self.result.kept(threshold).orderBy("place").toLocalIterator():
                yield {"threshold": threshold, "id": row.id}

    def bad(self) -> Iterator[dict[str, Any]]:
        for corpus, id, reason in self.result.bad_records(BAD_SHOWN):
            yield {"corpus": corpus, "id": id, "reason": reason}

    def summary(self) -> dict[str, Any]:
        from likewise.cli.shared import json_lines

        counted = self.counted
        told = counted.as_dict()
        names = ("against", "copies", "candidates", "verified", "false_candidates", "recall")
        return (
            {
                "records": counted.documents,
                "wordless": counted.wordless,
                "bad": counted.bad,
                "left_out": [],
                "thresholds": [asdict(at) for at in counted.thresholds],
                "compared": counted.candidates,
                "method": counted.method,
                "seconds": self.seconds,
                "engine": "spark",
            }
            | {name: told[name] for name in names}
            | {"stages": told["stages"]}
            | json_lines.settings_record(self.result.found.settings)
        )


def to_people(results: SparkResults) -> None:
    """A table of thresholds, then the report of the job."""
    from likewise.cli.dedup.local import figures_table
    from likewise.cli.shared import screen

    console = screen.open_console()
    counted = results.counted
    console.print(figures_table(counted.documents, [asdict(at) for at in counted.thresholds]))
    if counted.bad:
        screen.print_heading(console, f"Left out: {screen.format_count(counted.bad, 'bad record')}")
        shown = [(record["id"] or "", record["reason"]) for record in results.bad()]
        screen.print_reasons(console, shown)
    screen.print_heading(console, "The job")
    for line in counted.lines():
        console.print(f"  {line}", soft_wrap=True)
    console.print(f"  {screen.format_seconds(results.seconds)}")


@contextmanager
def session_at(cluster: Cluster, options: dict[str, str]) -> Iterator[SparkSession]:
    """A session that is stopped at the end, unless it was there before."""
    from tempfile import mkstemp

    from likewise.scale import session
    from likewise.scale.starting import ensure_spark, is_running
    from likewise.scale.waiting import told_while_waiting

    ensure_spark()
    if is_running():  # whoever began it will end it
        yield session(cluster.master)
        return
    _, name = mkstemp(prefix="likewise-spark-", suffix=".log")
    log = Path(name)
    try:
        spark = session(cluster.master, options, log)
        try:
            spark.sparkContext.setLogLevel("ERROR")
            with told_while_waiting(spark, _say):
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
def told_when_stopped(folder: str) -> Iterator[None]:
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


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


def stage_teller(quiet: bool) -> Progress | None:
    """A line on standard error for each stage that begins."""
    if quiet:
        return None
    began = time.monotonic()

    def tell(stage: str, _done: int, _total: int) -> None:
        print(f"{time.monotonic() - began:7.1f} s  {stage}", file=sys.stderr, flush=True)

    return tell
