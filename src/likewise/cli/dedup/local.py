"""`likewise dedup --engine local`: the job on this machine, and what it tells."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from likewise.cli.dedup.options import DedupJob
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

if TYPE_CHECKING:
    from rich.console import Console

    from likewise.cli.shared.reports import ReportOutput
    from likewise.corpus import AtThreshold, BadRecord, Corpus, Deduped
    from likewise.progress import Progress
    from likewise.settings import Settings


def run(
    job: DedupJob,
    settings: Settings,
    result_files: ResultFiles,
    report: ReportOutput,
    jobs: int | None,
    memory: str | None,
) -> None:
    """Find, cluster, choose and write on this machine, then tell."""
    from likewise.cli.shared.options import memory_allowed
    from likewise.cli.shared.progress import progress
    from likewise.front import dedup, open_corpus

    began = time.monotonic()
    budget = memory_allowed(memory)
    new = open_corpus(job.corpus, text=job.text, id=job.id, unit=job.unit, skip_bad=job.skip_bad)
    old = None
    if job.against is not None:
        old = open_corpus(
            job.against,
            text=job.against_text,
            id=job.against_id,
            unit=job.unit,
            skip_bad=job.skip_bad,
        )
    corpora = [each for each in (new, old) if each is not None]
    report.ensure_writable([each.path for each in corpora])
    result_files.ensure_writable(
        [each.path for each in corpora],
        [shard.path for each in corpora for shard in each.shards],
        len(set(job.thresholds)),
    )
    with progress(quiet=job.quiet, as_json=job.as_json) as on_progress:
        result = dedup(
            new,
            threshold=job.thresholds,
            against=old,
            keep=job.keep,
            output=job.output,
            write=False,
            settings=settings,
            jobs=jobs,
            memory=budget,
            progress=on_progress,
        )
        result_files.write(LocalResults(result, 0.0, on_progress))
        if job.output is not None:
            result.write(job.output, on_progress)
        report.save(result, on_progress)
    seconds = time.monotonic() - began
    if job.as_json:
        print_json(LocalResults(result, seconds), job.with_pairs)
    else:
        print_text(result, seconds, job.unit)
    report.print_path(as_json=job.as_json)


@dataclass(frozen=True, slots=True)
class LocalResults:
    """The result of the local engine as records."""

    result: Deduped
    seconds: float
    progress: Progress | None = None

    def groups(self) -> Iterator[list[str]]:
        return self.result.groups(self.result.results[0], MANY_COPIES)

    def pairs(self) -> Iterator[PairRecord]:
        for pair in self.result.pairs(self.result.results[0], MANY_COPIES):
            yield {
                "a": pair.a,
                "b": pair.b,
                "jaccard": pair.jaccard,
                "containment_a": pair.containment_a,
                "containment_b": pair.containment_b,
            }

    def clusters(self) -> Iterator[ClusterRecord]:
        """Held against another corpus, what stands there is listed apart: ids may be the same."""
        ids = self.result.ids
        for at in self.result.results:
            own = len(at.kept)
            for cluster in at.clusters:
                record: ClusterRecord = {
                    "threshold": at.threshold,
                    "members": [ids[place] for place in cluster.members if place < own],
                    "against": [ids[place] for place in cluster.members if place >= own],
                    "weakest": cluster.weakest,
                }
                if self.result.against is None:
                    del record["against"]
                yield record

    def kept_ids(self) -> Iterator[KeptRecord]:
        for at in self.result.results:
            for id in self.result.kept_ids(at):
                yield {"threshold": at.threshold, "id": id}

    def pairs_by_meaning(self) -> Iterator[MeaningRecord]:
        for pair in self.result.pairs_by_meaning(self.progress):
            yield {
                "a": pair.a,
                "b": pair.b,
                "meaning_a": pair.meaning_a,
                "meaning_b": pair.meaning_b,
            }

    def bad(self) -> Iterator[Mapping[str, object]]:
        for corpus, record in _bad(self.result)[0]:
            yield {
                "corpus": str(corpus.path),
                "file": record.file,
                "line": record.line,
                "reason": str(record.reason),
                **record.reason.for_programs(),
            }

    def summary(self) -> Mapping[str, object]:
        from likewise.cli.shared import json_lines

        result = self.result
        return {
            "records": len(result.results[0].kept),
            "wordless": result.wordless,
            "bad": _bad(result)[1],
            "left_out": list(result.corpus.left_out),
            "thresholds": [_figures(at) for at in result.results],
            "compared": result.compared,
            "method": result.method,
            "seconds": self.seconds,
        } | json_lines.settings_record(result.settings)


def print_text(result: Deduped, seconds: float, unit: str) -> None:
    """A table of thresholds, what was left out, and how it was done."""
    from likewise.cli.shared import screen

    console = screen.open_console()
    records = len(result.results[0].kept)
    console.print(figures_table(records, [_figures(at) for at in result.results]))
    _left_out(console, result)
    screen.print_closing(
        console,
        screen.format_count(records, unit if unit == "paragraph" else "record"),
        f"{result.wordless:,} without words, kept" if result.wordless else "",
        result.settings.measure,
        screen.format_seconds(seconds),
        method=result.method,
    )


def figures_table(records: int, thresholds: Sequence[ThresholdFigures]) -> Any:
    """A row for each threshold."""
    from rich.text import Text

    from likewise.cli.shared import screen

    headings = ("threshold", "records", "pairs", "clusters", "kept", "removed", "")
    table = screen.new_table(*headings, right=range(6))
    for at in thresholds:
        removed = at["removed"]
        table.add_row(
            f"{at['threshold']:g}",
            f"{records:,}",
            f"{at['pairs']:,}",
            f"{at['clusters']:,}",
            f"{at['kept']:,}",
            Text(f"{removed:,}", style=screen.HEADING),
            Text(screen.format_percent(removed / records) if records else "", style=screen.FAINT),
        )
    return table


def _left_out(console: Console, result: Deduped) -> None:
    from rich.text import Text

    from likewise.cli.shared import screen

    bad, bad_count = _bad(result)
    if bad:
        screen.print_heading(console, f"Left out: {screen.format_count(bad_count, 'bad record')}")
        reasons = [(str(record.place), str(record.reason)) for _, record in bad[: screen.MAX_ROWS]]
        screen.print_reasons(console, reasons)
        hidden = bad_count - len(reasons)
        if hidden > 0:
            console.print(Text(f"  and {hidden:,} more", style=screen.FAINT))
    others = result.corpus.left_out
    if others:
        screen.print_heading(
            console, f"Not part of the corpus: {screen.format_count(len(others), 'other file')}"
        )
        console.print(screen.format_members(others))


def _bad(result: Deduped) -> tuple[list[tuple[Corpus, BadRecord]], int]:
    """The first records that could not be used, with their corpus, and how many there are."""
    corpora = [result.corpus, *([result.against] if result.against else [])]
    records = [(corpus, record) for corpus in corpora for record in corpus.bad]
    return records, sum(corpus.bad_count for corpus in corpora)


def _figures(at: AtThreshold) -> ThresholdFigures:
    return {
        "threshold": at.threshold,
        "pairs": len(at.pairs),
        "clusters": len(at.clusters),
        "kept": len(at.kept) - at.removed,
        "removed": at.removed,
    }
