"""`likewise dedup --engine local`: the job on this machine, and what it tells."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from likewise.cli.dedup.options import Asked
from likewise.cli.dedup.results import MANY_COPIES, Lists, to_programs

if TYPE_CHECKING:
    from rich.console import Console

    from likewise.cli.shared.reports import Report
    from likewise.corpus import AtThreshold, BadRecord, Corpus, Deduped
    from likewise.settings import Settings


def run(
    asked: Asked,
    settings: Settings,
    lists: Lists,
    report: Report,
    jobs: int | None,
    memory: str | None,
) -> None:
    """Find, cluster, choose and write on this machine, then tell."""
    from likewise.cli.shared.options import memory_allowed
    from likewise.cli.shared.progress import progress
    from likewise.front import dedup, open_corpus

    began = time.monotonic()
    budget = memory_allowed(memory)
    new = open_corpus(
        asked.corpus, text=asked.text, id=asked.id, unit=asked.unit, skip_bad=asked.skip_bad
    )
    old = None
    if asked.against is not None:
        old = open_corpus(
            asked.against,
            text=asked.against_text,
            id=asked.against_id,
            unit=asked.unit,
            skip_bad=asked.skip_bad,
        )
    corpora = [each for each in (new, old) if each is not None]
    report.make_sure_it_can_be_written([each.path for each in corpora])
    lists.make_sure_they_can_be_written(
        [each.path for each in corpora],
        [shard.path for each in corpora for shard in each.shards],
        len(set(asked.thresholds)),
    )
    with progress(quiet=asked.quiet, as_json=asked.as_json) as tell:
        result = dedup(
            new,
            threshold=asked.thresholds,
            against=old,
            keep=asked.keep,
            output=asked.output,
            write=False,
            settings=settings,
            jobs=jobs,
            memory=budget,
            progress=tell,
        )
        lists.write(LocalResults(result, 0.0))
        if asked.output is not None:
            result.write(asked.output, tell)
        report.save(result, tell)
    seconds = time.monotonic() - began
    if asked.as_json:
        to_programs(LocalResults(result, seconds), asked.with_pairs)
    else:
        to_people(result, seconds, asked.unit)
    report.told(as_json=asked.as_json)


@dataclass(frozen=True, slots=True)
class LocalResults:
    """The result of the local engine as records."""

    result: Deduped
    seconds: float

    def groups(self) -> Iterator[list[str]]:
        return self.result.groups(self.result.results[0], MANY_COPIES)

    def pairs(self) -> Iterator[dict[str, Any]]:
        for pair in self.result.pairs(self.result.results[0], MANY_COPIES):
            yield {
                "a": pair.a,
                "b": pair.b,
                "jaccard": pair.jaccard,
                "containment_a": pair.containment_a,
                "containment_b": pair.containment_b,
            }

    def clusters(self) -> Iterator[dict[str, Any]]:
        """Held against another corpus, what stands there is listed apart: ids may be the same."""
        ids = self.result.ids
        for at in self.result.results:
            own = len(at.kept)
            for cluster in at.clusters:
                found: dict[str, Any] = {"threshold": at.threshold}
                found["members"] = [ids[place] for place in cluster.members if place < own]
                if self.result.against is not None:
                    found["against"] = [ids[place] for place in cluster.members if place >= own]
                yield found | {"weakest": cluster.weakest}

    def kept(self) -> Iterator[dict[str, Any]]:
        for at in self.result.results:
            for id in self.result.kept_ids(at):
                yield {"threshold": at.threshold, "id": id}

    def bad(self) -> Iterator[dict[str, Any]]:

        for corpus, record in _bad(self.result)[0]:
            where = {"corpus": str(corpus.path), "file": record.file, "line": record.line}
            yield where | {"reason": str(record.reason)} | record.reason.for_programs()

    def summary(self) -> dict[str, Any]:
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


def to_people(result: Deduped, seconds: float, unit: str) -> None:
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


def figures_table(records: int, thresholds: list[dict[str, Any]]) -> Any:
    """A row for each threshold."""
    from rich.text import Text

    from likewise.cli.shared import screen

    headings = ("threshold", "records", "pairs", "clusters", "kept", "removed", "")
    made = screen.new_table(*headings, right=range(6))
    for at in thresholds:
        removed = at["removed"]
        made.add_row(
            f"{at['threshold']:g}",
            f"{records:,}",
            *(f"{at[name]:,}" for name in ("pairs", "clusters", "kept")),
            Text(f"{removed:,}", style=screen.HEADING),
            Text(screen.format_percent(removed / records) if records else "", style=screen.FAINT),
        )
    return made


def _left_out(console: Console, result: Deduped) -> None:
    from rich.text import Text

    from likewise.cli.shared import screen

    bad, bad_count = _bad(result)
    if bad:
        screen.print_heading(console, f"Left out: {screen.format_count(bad_count, 'bad record')}")
        told = [(str(record.place), str(record.reason)) for _, record in bad[: screen.MAX_ROWS]]
        screen.print_reasons(console, told)
        hidden = bad_count - len(told)
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
