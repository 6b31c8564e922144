"""`likewise dedup`: near-duplicates out of a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from likewise.cli.dedup.options import DedupJob, SparkOptions, refuse_for_spark
from likewise.cli.shared.options import (
    RESOURCES,
    AsJson,
    Jobs,
    Memory,
    Quiet,
    ReportFile,
    ReportLanguage,
    flag,
    takes_settings,
)
from likewise.settings import Settings

CORPUS = "Corpus"
RESULTS = "Results in files"
SPARK = "Engine spark"

EXAMPLES = """[bold]Examples[/]

  likewise dedup crawl.jsonl.zst --id url --output clean/
  likewise dedup crawl/ -t 0.7 -t 0.8 -t 0.9 --clusters clusters.jsonl
  likewise dedup crawl/ -t 0.7 -t 0.9 --report duplicates.html
  likewise dedup crawl/ --pairs-by-meaning translated.jsonl
  likewise dedup train.parquet --against benchmark.jsonl --measure containment --output clean/
  likewise dedup train.parquet --against benchmark.jsonl --pairs-by-meaning translated.jsonl
  likewise dedup s3a://crawl/2026/ --engine spark --master spark://host:7077 --method lsh \\
    --format parquet --id url --work s3a://scratch/2026/ --output s3a://clean/2026/
"""


@takes_settings(but=("threshold", "filter"))
def dedup(
    *,
    corpus: Annotated[
        str,
        typer.Argument(
            metavar="CORPUS",
            help="JSON Lines (plain, .gz, .zst, .xz) or Parquet, a folder of such files, or a "
            "folder of .txt files; on Spark any path that it reaches.",
        ),
    ],
    threshold: Annotated[
        list[float] | None,
        typer.Option(
            "--threshold",
            "-t",
            metavar="SHARE",
            help="The least similarity of duplicates; several times for several results; "
            "default 0.8.",
        ),
    ] = None,
    settings: Settings,
    keep: Annotated[
        Literal["first", "longest"], typer.Option(help="Which record of a cluster stays.")
    ] = "first",
    prefer: Annotated[
        str | None,
        typer.Option(
            metavar="FIELD",
            help="The record with the highest number in this field stays instead (engine spark).",
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="OLD",
            help="Remove what stands in this other corpus, instead of duplicates inside; on Spark "
            "also the --work folder of an earlier job on it, whose sketches are taken.",
        ),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            metavar="DIR",
            help="A new folder for the cleaned corpus, in its own format; for several "
            "thresholds a folder each inside.",
        ),
    ] = None,
    report: ReportFile = None,
    report_language: ReportLanguage = None,
    as_json: AsJson = False,
    no_pairs: Annotated[
        bool,
        flag("--no-pairs", help="With --json, only clusters and summary: copies make many pairs."),
    ] = False,
    quiet: Quiet = False,
    text: Annotated[
        str,
        typer.Option(
            metavar="FIELD",
            help="The field with the text, with dots for one inside another.",
            rich_help_panel=CORPUS,
        ),
    ] = "text",
    id: Annotated[
        str,
        typer.Option(
            metavar="FIELD", help="The field with the id; ids must differ.", rich_help_panel=CORPUS
        ),
    ] = "id",
    no_id: Annotated[
        bool,
        flag("--no-id", help="Call records by file and line instead.", panel=CORPUS),
    ] = False,
    unit: Annotated[
        Literal["document", "paragraph"],
        typer.Option(help="What is compared and removed.", rich_help_panel=CORPUS),
    ] = "document",
    skip_bad: Annotated[
        bool,
        flag(
            "--skip-bad",
            help="Leave out records that cannot be used, and count them.",
            panel=CORPUS,
        ),
    ] = False,
    against_text: Annotated[
        str | None,
        typer.Option(
            metavar="FIELD",
            help="The field with the text in OLD, if it is another one.",
            rich_help_panel=CORPUS,
        ),
    ] = None,
    against_id: Annotated[
        str | None,
        typer.Option(
            metavar="FIELD",
            help="The field with the id in OLD, if it is another one.",
            rich_help_panel=CORPUS,
        ),
    ] = None,
    pairs: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="All pairs as JSON Lines, those of the lowest threshold.",
            rich_help_panel=RESULTS,
        ),
    ] = None,
    clusters: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Clusters as JSON Lines, with threshold and weakest link.",
            rich_help_panel=RESULTS,
        ),
    ] = None,
    by_meaning: Annotated[
        Path | None,
        typer.Option(
            "--pairs-by-meaning",
            metavar="FILE",
            help="What was rewritten or translated among the records that stay, as JSON Lines: "
            "each is compared with the ten that are the likeliest to say the same in other words; "
            "with --against, ten of OLD. Nothing is removed for it.",
            rich_help_panel=RESULTS,
        ),
    ] = None,
    kept_ids: Annotated[
        Path | None,
        typer.Option(
            "--kept",
            metavar="FILE",
            help="The ids that stay, one a line, or as JSON Lines in a .jsonl file. All of these "
            "are packed by name (.gz, .zst, .xz) and replace a file that is there.",
            rich_help_panel=RESULTS,
        ),
    ] = None,
    engine: Annotated[
        Literal["local", "spark"],
        typer.Option(
            metavar="local|spark",
            help="Where it runs: this machine, or a cluster; the answer is the same.",
            rich_help_panel=RESOURCES,
        ),
    ] = "local",
    master: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="Such as spark://host:7077, yarn, k8s://https://host:443 or 'local[4]'; default "
            "what Spark's own settings say.",
            rich_help_panel=SPARK,
        ),
    ] = None,
    work: Annotated[
        str | None,
        typer.Option(
            metavar="DIR",
            help="A folder for stages that all machines reach; the same command again goes on "
            "from there.",
            rich_help_panel=SPARK,
        ),
    ] = None,
    format: Annotated[
        Literal["parquet", "jsonl", "text"] | None,
        typer.Option(
            metavar="parquet|jsonl|text",
            help="What the corpus is, where its names do not tell.",
            rich_help_panel=SPARK,
        ),
    ] = None,
    conf: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="A setting of Spark's; several times for several.",
            rich_help_panel=SPARK,
        ),
    ] = None,
    sample: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="N",
            help="With LSH, measure the recall on so many documents; default 1000, 0 for none.",
            rich_help_panel=SPARK,
        ),
    ] = None,
    jobs: Jobs = None,
    memory: Memory = None,
) -> None:
    """Near-duplicates of a corpus, and the corpus without them.

    With --json: pairs (of the lowest threshold), clusters and bad records, then a summary.
    """
    from likewise.cli.dedup.results import ResultFiles

    field = None if no_id else id or None
    job = DedupJob(
        corpus=corpus,
        against=against,
        thresholds=tuple(threshold or [0.8]),
        keep=keep,
        prefer=prefer,
        text=text,
        id=field,
        against_text=against_text or text,
        against_id=against_id or field,
        unit=unit,
        skip_bad=skip_bad,
        output=output,
        as_json=as_json,
        with_pairs=not no_pairs,
        quiet=quiet,
    )
    result_files = ResultFiles(pairs, clusters, kept_ids, by_meaning)
    spark_options = SparkOptions(master, work, format, tuple(conf or ()), sample)
    if engine == "spark":
        from likewise.cli.dedup import spark

        not_there = {"--report": report, "--report-language": report_language}
        refuse_for_spark(job, not_there | {"--jobs": jobs, "--memory": memory})
        spark.run(job, settings, result_files, spark_options)
    else:
        from likewise.cli.dedup import local
        from likewise.cli.shared.reports import ReportOutput

        spark_options.refuse_for_local(job)
        local.run(job, settings, result_files, ReportOutput(report, report_language), jobs, memory)
