"""The engine on Spark beside the local one: asked and measured, by stage, and on paper beyond."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.page.library_asked import cell_of
from bench.page.spark_plots import spark_plots
from bench.page.spark_sizing import sizing
from bench.page.tables import Section, probability, provenance, rounded, table

RATIO = 2.5
METHODS = {"lsh": "LSH", "exact": "exact"}


def spark_page(sections: dict[str, Section], plots: Path) -> Iterator[str]:
    """Every part that was measured; its plots are put into the folder given."""
    runs = runs_of(sections)
    if not runs:
        return
    yield "## Spark"
    yield (
        "A real standalone cluster on loopback: one master, two workers of one core, each with an "
        "executor of 1 GB (1,074 MB as Spark counts, half of it Java's heap). The corpus is "
        "English documentation with copies, edited copies and a licence of 100 words in three "
        "documents of ten; beyond 40,000 documents its words are exchanged block by block. CPU "
        "seconds are of everything that Spark runs for a job, from the files to the written "
        "pairs, clusters and ids that stay; beside them `likewise dedup --jobs 1` with the same "
        "outputs. Starting the session (Java machines and Python processes) is told apart; *cold* "
        "is the first job of a session, *warm* the second."
    )
    yield "### Asked and measured"
    yield _asked(sections, runs)
    yield "### By size"
    yield _by_size(runs)
    spark_plots(runs, plots)
    yield "![Cost by size](plots/spark-size.svg)\n\n![Seconds by stage](plots/spark-stages.svg)"
    yield "### By stage"
    yield from _by_stage(runs)
    yield from sizing(runs)
    yield from _kills(sections)
    yield from _peers(sections)
    yield from dict.fromkeys(provenance(section) for section in sections.values())


def runs_of(sections: dict[str, Section]) -> list[dict[str, Any]]:
    """The measurements of both engines, by method and size."""
    runs = [
        section["figures"]
        for name, section in sections.items()
        if name.split()[0] in METHODS and name.split()[-1].isdecimal()
    ]
    return sorted(runs, key=lambda run: (run["method"] != "lsh", run["documents"]))


def _asked(sections: dict[str, Section], runs: list[dict[str, Any]]) -> str:
    rows = []
    heavy = sections.get("heavy")
    every = [*runs, *([heavy["figures"]] if heavy else [])]
    largest = [
        max((run for run in runs if run["method"] == method), key=lambda run: run["documents"])
        for method in METHODS
        if any(run["method"] == method for run in runs)
    ]
    same = [run for run in every if run["cold"]["same"]]
    rows.append(
        [
            "pairs, clusters and survivors of both engines, by hash",
            "the same",
            cell_of(f"{len(same)} of {len(every)} the same", len(same) == len(every)).shown,
        ]
    )
    for run in largest:
        for kind in ("cold", "warm"):
            if run[kind]:
                ratio = run[kind]["ratio"]
                what = f"CPU, {METHODS[run['method']]}, {run['documents']:,} documents, {kind}"
                rows.append([what, f"≤ {RATIO} × local", cell_of(f"{ratio}", ratio <= RATIO).shown])
    most = max(max(run["memory"]["executors_mb"]) for run in every)
    setting = max(run["memory"]["setting_mb"] for run in every)
    rows.append(
        [
            "peak memory of an executor with its Python processes, MB",
            f"≤ {setting}",
            cell_of(rounded(most), most <= setting).shown,
        ]
    )
    for run in largest:
        reached = run["recall"] >= run["asked_recall"]
        rows.append(
            [
                f"recall at .8 and more, {METHODS[run['method']]}",
                probability(run["asked_recall"]),
                cell_of(probability(run["recall"]), reached).shown,
            ]
        )
    for method, name in METHODS.items():
        if section := sections.get(f"{method} kills"):
            killed = section["figures"]
            hit = sum(1 for stage in killed["stages"].values() if stage["removed"])
            good = killed["same"] and hit == len(killed["stages"])
            answer = "same answer" if killed["same"] else "ANOTHER ANSWER"
            told = f"{hit} of {len(killed['stages'])} stages, {answer}"
            rows.append(
                [f"a worker killed in each stage, {name}", "same", cell_of(told, good).shown]
            )
    return table(["what", "asked", "measured"], rows)


def _by_size(runs: list[dict[str, Any]]) -> str:
    head = ["documents", "MB", "local CPU-s", "start", "cold", "ratio", "warm", "ratio"]
    head += ["warm CPU-µs a document", "candidates", "pairs", "peak MB"]
    rows = []
    for run in runs:
        warm = run["warm"] or run["cold"]
        rows.append(
            [
                f"{METHODS[run['method']]}, {run['documents']:,}",
                rounded(run["mb"]),
                rounded(run["local"]["cpu_s"], 1),
                rounded(run["start_cpu_s"]["all"], 1),
                rounded(run["cold"]["cpu_s"]["all"], 1),
                run["cold"]["ratio"],
                rounded(warm["cpu_s"]["all"], 1),
                warm["ratio"],
                rounded(1e6 * warm["cpu_s"]["all"] / run["documents"]),
                f"{warm['candidates']:,}",
                f"{warm['answer']['numbers']['pairs']:,}",
                rounded(max(run["memory"]["executors_mb"])),
            ]
        )
    return table(head, rows)


def _by_stage(runs: list[dict[str, Any]]) -> Iterator[str]:
    for method, name in METHODS.items():
        found = [run for run in runs if run["method"] == method]
        if not found:
            continue
        run = found[-1]
        warm = run["warm"] or run["cold"]
        yield f"{name}, {run['documents']:,} documents, warm:"
        yield table(
            ["stage", "s", "CPU-s", "of it Java", "Python", "tasks", "read MB", "shuffle MB", "MB"],
            [_stage_row(stage, figures) for stage, figures in warm["stages"].items()],
        )


def _stage_row(stage: str, figures: dict[str, Any]) -> list[object]:
    events = figures.get("events", {})
    cpu = figures["cpu_s"]
    return [
        stage.partition("-")[0],
        rounded(figures["seconds"], 1),
        rounded(cpu["all"], 2),
        rounded(cpu.get("executor JVM", 0) + cpu.get("driver JVM", 0), 2),
        rounded(cpu.get("Python workers", 0), 2),
        events.get("tasks", 0),
        *(
            rounded(events.get(f"{kind}_bytes", 0) / 1e6, 1)
            for kind in ("input", "shuffle", "output")
        ),
    ]


def _kills(sections: dict[str, Section]) -> Iterator[str]:
    rows = []
    for method, name in METHODS.items():
        if section := sections.get(f"{method} kills"):
            for stage, lost in section["figures"]["stages"].items():
                why = lost["removed"][0].partition(": ")[2] if lost["removed"] else "–"
                told = ", ".join(f"{n} {reason}" for reason, n in lost["ended"].items())
                rows.append([f"{name}, {stage.partition('-')[0]}", why, told])
    if rows:
        yield "### Killed workers"
        yield (
            "One job each, in which `kill -9` takes a worker with its executor while tasks of each "
            "stage run; another worker is started for it. What Spark's event log says:"
        )
        yield table(["stage", "executor removed", "tasks ended"], rows)


def _peers(sections: dict[str, Section]) -> Iterator[str]:
    section = sections.get("peers")
    if section is None:
        return
    names = {"spark_ml": "Spark ML MinHashLSH, 3 tables, same cluster", "datasketch": "datasketch"}
    yield "### Peers"
    yield table(
        ["engine", "documents", "CPU-s", "CPU-ms a document", "recall", "false pairs"],
        [
            [
                names[peer],
                f"{run['documents']:,}",
                rounded(run["cpu_s"], 1),
                rounded(1e3 * run["cpu_s"] / run["documents"], 2),
                probability(run["recall"]),
                run["false_pairs"],
            ]
            for peer, run in section["figures"].items()
        ],
    )
