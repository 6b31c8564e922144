"""Likewise beside its peers: `./dev bench speed`.

Every figure comes from a fresh process on one core with one thread; CPU seconds are user and
system time of the process and its children, counted from the loaded texts to the list of pairs.
With `--earlier DIR` libraries of an earlier release are measured in turn with those of this code.
The server has the whole machine, and is measured from outside.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.corpus import DEFAULT_FOLDER, provide, say
from bench.record import RESULTS, keep
from bench.speed.help_job import help_job
from bench.speed.isolate import measured
from bench.speed.plan import COMPARABLE, CORPORA, SECTIONS, Run, beside_release
from likewise.kernels import ENGINE

QUICK_LIMIT = 5_000
KERNEL_REPEAT = HELP_REPEAT = 5

Keep = Callable[[Path, Any], None]


def main() -> None:
    """Measure the sections asked for, one after the other."""
    arguments = _arguments()
    command = "./dev bench speed " + shlex.join(_shown(sys.argv[1:]))
    facts = {"limit": arguments.limit, "repeat": arguments.repeat}
    for section in arguments.only or CORPORA:
        for corpus in CORPORA[section]:
            provide(arguments.corpus, corpus)
        say(f"\n{section}")

        def keep_in(path: Path, figures: Any, section: str = section) -> None:
            keep(path, section, command.strip(), figures, **facts)

        keep_in(arguments.output, _figures(section, arguments, keep_in))
    say(f"\nwritten to {arguments.output}")


def _figures(section: str, arguments: argparse.Namespace, keep_in: Keep) -> Any:
    if section == "help":
        answer = help_job(HELP_REPEAT)
        say(f"  {answer}")
        return answer
    if section in ("server", "server hour"):
        from bench.speed.server import DOCUMENTS, hour_figures, server_figures

        documents = min(DOCUMENTS, arguments.limit or DOCUMENTS)
        if section == "server hour":
            return hour_figures(arguments.corpus, documents, arguments.minutes or 60)
        minutes = arguments.minutes or 2
        return server_figures(arguments.corpus, documents, minutes, arguments.quick)
    if section == "kernel":
        question = {"corpus": "english", "limit": arguments.limit, "repeat": KERNEL_REPEAT}
        answer = measured("kernel", folder=arguments.corpus, **question)
        say(f"  {answer}")
        return answer
    runs = SECTIONS[section](arguments.quick)
    if arguments.earlier and section in COMPARABLE:
        runs = list(beside_release(runs, arguments.earlier))
    return _repeated(runs, arguments, keep_in)


def _repeated(
    runs: list[Run], arguments: argparse.Namespace, keep_in: Keep
) -> list[dict[str, Any]]:
    """All runs in turn, then all again, so that a bad minute of the machine spoils none of them.

    What a stopped benchmark has measured is in the corpus' folder; the evidence stays as it was.
    """
    figures: dict[str, dict[str, Any]] = {
        run.name: {"name": run.name, "job": run.job, **run.question, "runs": []}
        | ({"release": run.release} if run.release else {})
        for run in runs
    }
    for turn in range(arguments.repeat):
        for run in runs:
            if run.once and turn:
                continue
            question = {"limit": arguments.limit, **run.question, "folder": arguments.corpus}
            answer = _with_these_kernels(measured(run.job, source=run.source, **question))
            figures[run.name]["runs"].append(answer)
            say(f"  {run.name:32} {_summary(answer)}")
            keep_in(arguments.corpus / "speed-unfinished.json", list(figures.values()))
    return list(figures.values())


def _with_these_kernels(answer: dict[str, Any]) -> dict[str, Any]:
    """Kernels that are being rebuilt give way to their slow twins: that is no figure."""
    kernels = answer.get("kernels", ENGINE)
    if kernels != ENGINE:
        return {"failed": f"ran with {kernels} kernels where {ENGINE} ones were meant"}
    return answer


def _summary(answer: dict[str, Any]) -> str:
    if "failed" in answer:
        return f"failed: {answer['failed']}"
    if "points" in answer:
        return "".join(f"\n    {_library_summary(point)}" for point in answer["points"])
    if "eight" in answer:
        return _library_summary(answer)
    line = (
        f"{answer['mb'] / answer['cpu_s']:7.1f} MB/s {answer['cpu_s']:8.3f} CPU-s "
        f"{1e6 * answer['cpu_s'] / answer['documents']:7.1f} µs/document "
        f"{answer['peak_mb']:6.0f} MB"
    )
    if answer.get("warm"):
        line += f"  warm {answer['mb'] / min(run['cpu_s'] for run in answer['warm']):.0f} MB/s"
    if "recall" in answer:
        line += f"  recall {answer['recall']:.4f} precision {answer['precision']:.4f}"
    return line


def _library_summary(answer: dict[str, Any]) -> str:
    eight, thirty = answer["eight"], answer["thirty"]
    cpu = answer["add_cpu_s"] + answer.get("index_cpu_s", 0)
    line = (
        f"{answer['documents']:9,} documents "
        f"{answer.get('added', answer['documents']) / cpu:7.0f} added/CPU-s "
        f"{eight['cpu_ms_median']:6.2f} ms (99 %: {eight['cpu_ms_p99']:.2f}) "
        f"recall {eight['recall']:.4f} {thirty['recall']:.4f} "
    )
    if "memory" in answer:
        line += f"{answer['bytes_per_posting']:5.1f} bytes/posting "
        return (
            line + f"{answer['memory']['warm_mb']:.0f}, cold {answer['memory']['cold_mb']:.0f} MB"
        )
    return line + f"{answer['memory_mb']:.0f} MB, disk {(answer['disk_bytes'] or 0) / 1e6:.0f} MB"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./dev bench speed", description=__doc__)
    parser.add_argument("--corpus", type=Path, default=DEFAULT_FOLDER, help="folder (.data)")
    parser.add_argument("--limit", type=int, help="only the first so many documents")
    parser.add_argument(
        "--quick", action="store_true", help=f"a rehearsal: {QUICK_LIMIT} documents, once"
    )
    parser.add_argument(
        "--only",
        type=lambda names: names.split(","),
        metavar="NAME,...",
        help=f"sections: {', '.join(CORPORA)}",
    )
    parser.add_argument(
        "--minutes", type=float, help="of mixed load on the server (2; of `server hour` 60)"
    )
    parser.add_argument(
        "--earlier",
        type=Path,
        metavar="DIR",
        help=f"the source of an earlier release, with its kernels compiled, which is measured in "
        f"turn with this code by: {', '.join(COMPARABLE)}",
    )
    parser.add_argument("--repeat", type=int, help="how often (3); slow peers run once")
    parser.add_argument("--output", type=Path, help="where the figures go")
    arguments = parser.parse_args()
    unknown = set(arguments.only or ()) - set(CORPORA)
    if unknown:
        parser.error(f"no section {', '.join(sorted(unknown))}; there are {', '.join(CORPORA)}")
    if arguments.earlier is not None:
        arguments.earlier = arguments.earlier.absolute()
        if not (arguments.earlier / "src" / "likewise" / "__init__.py").is_file():
            parser.error(f"--earlier: there is no source of Likewise in {arguments.earlier}")
    if arguments.quick:
        arguments.limit = arguments.limit or QUICK_LIMIT
    arguments.repeat = arguments.repeat or (1 if arguments.quick else 3)
    if arguments.output is None:
        # A rehearsal does not overwrite the evidence.
        folder = arguments.corpus if arguments.limit else RESULTS
        arguments.output = folder / "speed.json"
    arguments.corpus = arguments.corpus.absolute()
    return arguments


def _shown(words: list[str]) -> list[str]:
    """The command as others would type it, without the folders of this machine."""
    shown = list(words)
    for i, word in enumerate(shown[:-1]):
        if word in ("--corpus", "--earlier", "--output") and Path(shown[i + 1]).is_absolute():
            shown[i + 1] = "FILE" if word == "--output" else "DIR"
    return shown


if __name__ == "__main__":
    main()
