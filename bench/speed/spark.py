"""The same answer on Spark: a real cluster on loopback beside the local engine, in one run.

    ./dev bench spark [--documents 20000 60000 200000] [--method lsh] [--kills] [--peers] [--heavy]

For each size: whether both engines give the same pairs, clusters and survivors, the CPU seconds of
each from the files to the written lists, those of every stage, and the peak memory of executors.
The job runs twice in one session: on Java machines that have just started, and on warm ones.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from bench.corpus import DEFAULT_FOLDER, provide, say
from bench.record import RESULTS, keep
from bench.speed.spark_corpus import heavy_written, written
from bench.speed.spark_kills import killed_in_every_stage
from bench.speed.spark_local import local_job
from bench.speed.spark_peers import datasketch, documents_of, spark_ml
from bench.speed.spark_run import EXECUTOR_MB, job, running, with_events
from likewise.settings import Method, Settings

METHODS: tuple[Method, ...] = ("lsh", "exact")
THRESHOLD = 0.8
PEER_DOCUMENTS = {"spark_ml": 2_000, "datasketch": 5_000}
KILL_DOCUMENTS = 20_000


def measured(
    data: Path, documents: int, method: str, jobs: int, scratch: Path, pairs: bool = True
) -> dict[str, Any]:
    """Both engines on one corpus; without lists of pairs where copies would make too many."""
    settings = Settings(method=method, threshold=THRESHOLD)  # type: ignore[arg-type]
    local = local_job(data, settings, pairs)
    found = local.pop("found")
    exact = found
    if method != "exact" and pairs:
        exact = local_job(data, settings.but(method="exact"))["found"]
    with running(scratch) as on:
        runs = [job(on, data, settings, f"run{number}", pairs=pairs) for number in range(jobs)]
        peaks = sorted(on.watch.peak_mb.values())
        memory = {
            "executors_mb": peaks,
            "jvm_mb": on.watch.peak_jvm_mb,
            "python_mb": on.watch.peak_python_mb,
            "setting_mb": EXECUTOR_MB,
        }
    for number, run in enumerate(runs):
        with_events(on, f"run{number}", run)
        run["same"] = run["answer"] == local["answer"]
        run["ratio"] = round(run["cpu_s"]["all"] / local["cpu_s"], 2)
    return {
        "documents": documents,
        "mb": round(sum(path.stat().st_size for path in data.iterdir()) / 1e6, 1),
        "method": method,
        "local": local,
        "start_cpu_s": on.start_cpu_s,
        "cold": runs[0],
        "warm": runs[-1] if jobs > 1 else None,
        "memory": memory,
        "recall": round(len(found & exact) / len(exact), 5) if exact else None,
        "asked_recall": settings.recall if method == "lsh" else 1,
        "load": round(os.getloadavg()[0], 1),
    }


def peers(data: Path, scratch: Path) -> dict[str, Any]:
    """Others on documents of the same corpus, beside the truth of the exact join."""
    figures = {}
    for name, number in PEER_DOCUMENTS.items():
        documents = documents_of(data, number)
        truth = _truth(documents, scratch / name)
        if name == "spark_ml":
            figures[name] = spark_ml(scratch / "ml", documents, truth)
        else:
            figures[name] = datasketch(documents, truth)
        say(f"{name}: {figures[name]}")
    return figures


def _truth(documents: list[tuple[str, str]], folder: Path) -> set[tuple[str, str]]:
    folder.mkdir(parents=True)
    lines = [json.dumps({"id": id, "text": text}) + "\n" for id, text in documents]
    (folder / "docs.jsonl").write_text("".join(lines), "utf-8")
    found: set[tuple[str, str]] = local_job(folder, Settings(method="exact", threshold=THRESHOLD))[
        "found"
    ]
    return found


def main() -> int:
    """Measure what is asked for, and keep it as it comes."""
    parser = argparse.ArgumentParser(prog="./dev bench spark", description=__doc__)
    parser.add_argument("--corpus", type=Path, default=DEFAULT_FOLDER)
    parser.add_argument("--documents", type=int, nargs="*", default=[20_000, 60_000, 200_000])
    parser.add_argument("--method", choices=METHODS, action="append")
    parser.add_argument("--jobs", type=int, default=2, help="how often in one session")
    parser.add_argument("--kills", action="store_true", help="a worker in every stage")
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--heavy", type=int, default=0, help="with so many copies of one document")
    parser.add_argument("--output", type=Path, default=RESULTS / "spark.json")
    asked = parser.parse_args()
    if shutil.which("java") is None:
        sys.exit("there is no Java here: apt install openjdk-17-jre-headless")
    provide(asked.corpus, "english")
    command = f"./dev bench spark {_without_places(sys.argv[1:])}"
    corpora, broken = asked.corpus / "spark", False
    with tempfile.TemporaryDirectory(prefix="likewise-spark-") as scratch:
        for method in asked.method or METHODS:
            for documents in asked.documents:
                data = written(corpora, documents, asked.corpus).absolute()
                place = Path(scratch, f"{method}-{documents}")
                figures = measured(data, documents, method, asked.jobs, place)
                broken = broken or not figures["cold"]["same"]
                _say(f"{method} {documents:,}", figures)
                keep(asked.output, f"{method} {documents}", command.strip(), figures)
            if asked.kills:
                data = written(corpora, KILL_DOCUMENTS, asked.corpus).absolute()
                settings = Settings(method=method, threshold=THRESHOLD)
                killed = killed_in_every_stage(Path(scratch, f"{method}-kills"), data, settings)
                local = local_job(data, settings)["answer"]
                killed |= {"documents": KILL_DOCUMENTS, "same": killed["answer"] == local}
                broken = broken or not killed["same"]
                say(f"{method} kills: {killed}")
                keep(asked.output, f"{method} kills", command.strip(), killed)
        if asked.heavy:
            data = heavy_written(corpora, 200_000, asked.heavy, asked.corpus).absolute()
            number = 200_000 + asked.heavy
            figures = measured(data, number, "lsh", 1, Path(scratch, "heavy"), pairs=False)
            broken = broken or not figures["cold"]["same"]
            _say(f"{asked.heavy:,} copies", figures)
            keep(asked.output, "heavy", command.strip(), figures)
        if asked.peers:
            data = written(corpora, KILL_DOCUMENTS, asked.corpus).absolute()
            keep(asked.output, "peers", command.strip(), peers(data, Path(scratch, "peers")))
    return int(broken)


def _without_places(arguments: list[str]) -> str:
    """The command as anybody can give it.

    >>> _without_places(["--output", "/somewhere/a.json", "--kills"])
    '--kills'
    """
    places = {"--output", "--corpus"}
    kept = [
        word
        for before, word in zip(["", *arguments], arguments, strict=False)
        if word not in places and before not in places
    ]
    return " ".join(kept)


def _say(name: str, figures: dict[str, Any]) -> None:
    ran = [figures[kind] for kind in ("cold", "warm") if figures[kind]]
    say(
        f"{name}: same {[run['same'] for run in ran]}, local {figures['local']['cpu_s']} CPU-s, "
        f"Spark {[run['cpu_s']['all'] for run in ran]}, ratio {[run['ratio'] for run in ran]}, "
        f"started in {figures['start_cpu_s']['all']} CPU-s, memory {figures['memory']}, "
        f"recall {figures['recall']}"
    )


if __name__ == "__main__":
    sys.exit(main())
