"""`likewise dedup`: near-duplicates out of a corpus."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from likewise.cli.options import (
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
from likewise.errors import BadInput
from likewise.settings import Settings

if TYPE_CHECKING:
    from likewise.corpus import AtThreshold, BadRecord, Corpus, Deduped

CORPUS = "Corpus"
RESULTS = "Results in files"

EXAMPLES = """[bold]Examples[/]

  likewise dedup crawl.jsonl.zst --id url --output clean/
  likewise dedup crawl/ -t 0.7 -t 0.8 -t 0.9 --clusters clusters.jsonl
  likewise dedup crawl/ -t 0.7 -t 0.9 --report duplicates.html
  likewise dedup train.parquet --against benchmark.jsonl --measure containment --output clean/
"""


@takes_settings(but=("threshold", "filter"))
def dedup(
    *,
    corpus: Annotated[
        Path,
        typer.Argument(
            metavar="CORPUS",
            help="JSON Lines (plain, .gz, .zst, .xz) or Parquet, a folder of such files, or a "
            "folder of .txt files.",
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
    against: Annotated[
        Path | None,
        typer.Option(
            metavar="OLD",
            help="Remove what stands in this other corpus, instead of duplicates inside.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
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
    kept: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The ids that stay, one a line, or as JSON Lines in a .jsonl file. All three "
            "are packed by name (.gz, .zst, .xz) and replace a file that is there.",
            rich_help_panel=RESULTS,
        ),
    ] = None,
    engine: Annotated[
        Literal["local"],
        typer.Option(
            metavar="ENGINE",
            help="Where it runs: local is this machine.",
            rich_help_panel=RESOURCES,
        ),
    ] = "local",
    jobs: Jobs = None,
    memory: Memory = None,
) -> None:
    """Near-duplicates of a corpus, and the corpus without them.

    With --json: pairs (of the lowest threshold), clusters and bad records, then a summary.
    """
    from likewise.cli.memory import memory_allowed
    from likewise.cli.progress import progress
    from likewise.cli.reports import Report
    from likewise.corpus import dedup_corpus, open_corpus
    from likewise.machine import cores

    began = time.monotonic()
    budget = memory_allowed(memory)
    fields: dict[str, Any] = {"text": text, "id": None if no_id else id or None}
    fields |= {"unit": unit, "skip_bad": skip_bad}
    new = open_corpus(corpus, **fields)
    fields |= {"text": against_text or text, "id": against_id or fields["id"]}
    old = open_corpus(against, **fields) if against is not None else None
    thresholds = threshold or [0.8]
    files = _Files(pairs, clusters, kept)
    asked = Report(report, report_language)
    asked.make_sure_it_can_be_written([corpus, *([against] if against else [])])
    files.make_sure_they_can_be_written([new, *([old] if old else [])], len(set(thresholds)))
    with progress(quiet=quiet, as_json=as_json) as tell:
        result = dedup_corpus(
            new,
            settings,
            thresholds=thresholds,
            against=old,
            keep=keep,
            output=output,
            jobs=jobs or cores(),
            memory=budget,
            progress=tell,
        )
        files.write(result)
        if output is not None:
            result.write(output, tell)
        if asked.path is not None:
            from likewise.corpus.view import view_of_dedup

            asked.write(view_of_dedup(result), tell)
    seconds = time.monotonic() - began
    if as_json:
        _to_programs(result, seconds, with_pairs=not no_pairs)
    else:
        _to_people(result, seconds, unit)
    asked.told(as_json=as_json)


class _Files:
    """The lists that were asked for as files."""

    def __init__(self, pairs: Path | None, clusters: Path | None, kept: Path | None) -> None:
        self.pairs, self.clusters, self.kept = pairs, clusters, kept

    def make_sure_they_can_be_written(self, corpora: Sequence[Corpus], thresholds: int) -> None:
        """Better said now than after an hour of work."""
        taken = {shard.path.resolve() for corpus in corpora for shard in corpus.shards}
        for option, path in (
            ("--pairs", self.pairs),
            ("--clusters", self.clusters),
            ("--kept", self.kept),
        ):
            if path is None:
                continue
            if path.is_dir():
                raise BadInput(f"{path}: is a folder; {option} needs a file")
            for corpus in corpora:
                if corpus.path.is_dir() and corpus.holds(path):
                    raise BadInput(f"{path}: lies in the corpus, which would then hold it")
            if not path.resolve().parent.is_dir():
                raise BadInput(f"{path}: there is no folder {path.parent} to put it in")
            if path.resolve() in taken and (path.is_file() or not path.exists()):
                raise BadInput(
                    f"{path}: {option} would overwrite what is needed; give another file"
                )
            taken.add(path.resolve())
        if self.kept and thresholds > 1 and not _is_jsonl(self.kept):
            raise BadInput(
                f"{self.kept}: a plain list cannot tell several thresholds apart; "
                "give --kept a name that ends in .jsonl"
            )

    def write(self, result: Deduped) -> None:
        from likewise.cli.as_json import line
        from likewise.corpus import write_lines

        if self.pairs:
            write_lines(self.pairs, map(line, _pairs(result)))
        if self.clusters:
            write_lines(self.clusters, map(line, _clusters(result)))
        if self.kept and _is_jsonl(self.kept):
            write_lines(self.kept, map(line, _kept(result)))
        elif self.kept:
            write_lines(self.kept, (_one_line(record["id"], self.kept) for record in _kept(result)))


def _is_jsonl(path: Path) -> bool:
    """
    >>> _is_jsonl(Path("kept.jsonl.gz")), _is_jsonl(Path("kept.txt"))
    (True, False)
    """
    return any(suffix.lower() in (".jsonl", ".ndjson") for suffix in path.suffixes)


def _one_line(id: str, path: Path) -> str:
    if "\n" in id or "\r" in id:
        raise BadInput(
            f"{path}: an id has a line break in it; give --kept a name that ends in .jsonl"
        )
    return id


def _pairs(result: Deduped) -> Iterator[dict[str, Any]]:
    """Of the lowest threshold, which has those of all others; made one by one."""
    for pair in result.pairs(result.results[0]):
        yield {
            "a": pair.a,
            "b": pair.b,
            "jaccard": pair.jaccard,
            "containment_a": pair.containment_a,
            "containment_b": pair.containment_b,
        }


def _clusters(result: Deduped) -> Iterator[dict[str, Any]]:
    """Held against another corpus, what stands there is listed apart: ids may be the same."""
    for at in result.results:
        own = len(at.kept)
        for cluster in at.clusters:
            found: dict[str, Any] = {"threshold": at.threshold}
            found["members"] = [result.ids[place] for place in cluster.members if place < own]
            if result.against is not None:
                found["against"] = [result.ids[place] for place in cluster.members if place >= own]
            yield found | {"weakest": cluster.weakest}


def _kept(result: Deduped) -> Iterator[dict[str, Any]]:
    for at in result.results:
        for id in result.kept_ids(at):
            yield {"threshold": at.threshold, "id": id}


def _bad(result: Deduped) -> tuple[list[tuple[Corpus, BadRecord]], int]:
    """The first records that could not be used, with their corpus, and how many there are."""
    corpora = [result.corpus, *([result.against] if result.against else [])]
    shown = [(corpus, record) for corpus in corpora for record in corpus.bad]
    return shown, sum(corpus.bad_count for corpus in corpora)


def _figures(at: AtThreshold) -> dict[str, Any]:
    return {
        "threshold": at.threshold,
        "pairs": len(at.pairs),
        "clusters": len(at.clusters),
        "kept": len(at.kept) - at.removed,
        "removed": at.removed,
    }


def _to_programs(result: Deduped, seconds: float, with_pairs: bool) -> None:
    from likewise.cli import as_json

    if with_pairs:
        for pair in _pairs(result):
            as_json.write({"type": "pair"} | pair)
    for cluster in _clusters(result):
        as_json.write({"type": "cluster"} | cluster)
    bad, bad_count = _bad(result)
    for corpus, record in bad:
        where = {"corpus": str(corpus.path), "file": record.file, "line": record.line}
        as_json.write({"type": "bad"} | where | {"reason": record.reason})
    summary = {
        "type": "summary",
        "records": len(result.results[0].kept),
        "wordless": result.wordless,
        "bad": bad_count,
        "left_out": list(result.corpus.left_out),
        "thresholds": [_figures(at) for at in result.results],
        "compared": result.compared,
        "method": result.method,
        "seconds": seconds,
    }
    as_json.write(summary | as_json.of_settings(result.settings))


def _to_people(result: Deduped, seconds: float, unit: str) -> None:
    from rich.text import Text

    from likewise.cli import show

    console = show.page()
    records = len(result.results[0].kept)
    headings = ("threshold", "records", "pairs", "clusters", "kept", "removed", "")
    made = show.table(*headings, right=range(6))
    for at in result.results:
        figures = _figures(at)
        made.add_row(
            f"{at.threshold:g}",
            f"{records:,}",
            *(f"{figures[name]:,}" for name in ("pairs", "clusters", "kept")),
            Text(f"{at.removed:,}", style=show.HEADING),
            Text(show.percent(at.removed / records) if records else "", style=show.FAINT),
        )
    console.print(made)
    bad, bad_count = _bad(result)
    if bad:
        show.heading(console, f"Left out: {show.count(bad_count, 'bad record')}")
        told = [str(record).partition(": ") for _, record in bad[: show.BAD_SHOWN]]
        show.reasons(console, [(where, reason) for where, _, reason in told])
        hidden = bad_count - len(told)
        if hidden > 0:
            console.print(Text(f"  and {hidden:,} more", style=show.FAINT))
    others = result.corpus.left_out
    if others:
        show.heading(console, f"Not part of the corpus: {show.count(len(others), 'other file')}")
        console.print(show.members(others))
    show.closing(
        console,
        show.count(records, unit if unit == "paragraph" else "record"),
        f"{result.wordless:,} without words, kept" if result.wordless else "",
        result.settings.measure,
        show.took(seconds),
        method=result.method,
    )
