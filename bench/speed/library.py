"""The library beside its targets: adding, checking, recall, memory, bytes a posting.

A check is a new document with a run of a random library document inside: eight canonical words, or
thirty words as they stand. It is timed from its text to the ranked sources.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count, pairwise
from pathlib import Path
from typing import Any

import numpy as np

from bench.speed.library_blocks import ServerCpu, adding_figures, block_figures, has_blocks
from bench.speed.library_texts import KINDS, Case, Texts, planted_cases
from bench.speed.meter import Reading, peak_mb
from likewise.kernels import ENGINE
from likewise.library import Library

CHECKS = 500
BLOCK = 2_000  # documents that are handed over at a time

_numbers = count()


def _no_server() -> float:
    return 0.0


def library_job(
    folder: Path,
    engine: str,
    documents: int,
    words: int,
    limit: int | None = None,
    checks: int = CHECKS,
) -> dict[str, Any]:
    """Fill a library, then check new documents against it."""
    texts, size = Texts(folder, words), min(documents, limit or documents)
    with _place(engine) as (place, server_cpu):
        figures = _grown(place, texts, 0, size, checks, server_cpu)
    with _place(engine) as one, _place(engine) as other:
        adding = adding_figures((one, other), texts, size)
    return {"kernels": ENGINE, "engine": engine, "words": words, **figures, **adding}


def growth_job(
    folder: Path, sizes: list[int], words: int, limit: int | None = None, checks: int = CHECKS
) -> dict[str, Any]:
    """One library that grows; at every size what the last documents cost, and a check."""
    texts = Texts(folder, words)
    reached = sorted({min(size, limit or size) for size in sizes})
    with _place("sqlite") as (place, server_cpu):
        points = [
            _grown(place, texts, before, size, checks, server_cpu)
            for before, size in pairwise([0, *reached])
        ]
        return {"kernels": ENGINE, "engine": "sqlite", "words": words, "points": points}


def _grown(
    place: str, texts: Texts, before: int, documents: int, checks: int, server_cpu: ServerCpu
) -> dict[str, Any]:
    """Bring a library from one size to another, then check against it."""
    with Library(place) as library:
        adding = _add(library, texts, before, documents, server_cpu)
        blocks = block_figures(library, partial(_table_bytes, library), server_cpu)
        sizes = _sizes(library)
    with Library(place) as library:  # the segments are there
        opening = Reading.now()
        library.candidates("to be or not to be")
        opened_cpu = opening.spent()["cpu_s"]

        def ask(text: str) -> Iterable[int]:
            found = library.candidates(text).ranked
            return [int(candidate.name.partition(".")[0]) for candidate in found]

        figures = {
            kind: checked(ask, planted_cases(texts, documents, checks, kind), server_cpu)
            for kind in KINDS
        }
    return {
        "documents": documents,
        **adding,
        **sizes,
        **blocks,
        "open_cpu_s": opened_cpu,
        "peak_mb": peak_mb(),
        "memory": _memory(place, texts.text(documents + 1)[:100_000]),
        **figures,
    }


def _add(
    library: Library, texts: Texts, before: int, documents: int, server_cpu: ServerCpu
) -> dict[str, Any]:
    """Texts are made beforehand, a block at a time, and only adding is counted."""
    cpu = wall = 0.0
    server = server_cpu()
    for first in range(before, documents, BLOCK):
        block = [
            (f"{number}.txt", texts.text(number))
            for number in range(first, min(first + BLOCK, documents))
        ]
        start = Reading.now()
        library.add_texts(block)
        spent = start.spent()
        cpu, wall = cpu + spent["cpu_s"], wall + spent["wall_s"]
    start = Reading.now()
    library.candidates("to be or not to be")  # the index is made of what was added
    return {
        "added": documents - before,
        "add_cpu_s": round(cpu, 3),
        "add_wall_s": round(wall, 3),
        "index_cpu_s": start.spent()["cpu_s"],
        "server_add_cpu_s": round(server_cpu() - server, 3),
    }


def _sizes(library: Library) -> dict[str, Any]:
    """Bytes for fingerprints in the database, their indexes included, and in the segments."""
    stats, kept = library.stats(), _table_bytes(library, "sketches")
    return {
        "postings": stats.postings,
        "sketches_bytes": kept,
        "index_bytes": stats.index_bytes,
        "database_bytes": stats.database_bytes,
        "bytes_per_posting": round((kept + stats.index_bytes) / max(1, stats.postings), 2),
    }


def _table_bytes(library: Library, table: str) -> int:
    """What a table takes in the database, with its indexes and long values."""
    with library._store.reading() as connection:
        if connection.dialect.name == "sqlite":
            query = (
                "SELECT sum(pgsize) FROM dbstat WHERE name IN (SELECT name FROM sqlite_master "
                f"WHERE tbl_name = '{table}')"
            )
        else:
            query = f"SELECT pg_total_relation_size('{table}')"
        return int(connection.exec_driver_sql(query).scalar_one())


def checked(
    ask: Callable[[str], Iterable[int]], cases: list[Case], server_cpu: ServerCpu = _no_server
) -> dict[str, Any]:
    """How often the source was among the answers, and what a question cost."""
    for _, text in cases[:20]:
        ask(text)
    found = answers = 0
    cpu, wall = [], []
    server = server_cpu()
    for source, text in cases:
        start, clock = time.process_time(), time.perf_counter()
        numbers = set(ask(text))
        cpu.append(time.process_time() - start)
        wall.append(time.perf_counter() - clock)
        found += source in numbers
        answers += len(numbers)
    server = server_cpu() - server
    return {
        "checks": len(cases),
        "recall": found / len(cases),
        "answers_mean": round(answers / len(cases), 2),
        "cpu_ms_median": round(1e3 * float(np.median(cpu)), 3),
        "cpu_ms_p99": round(1e3 * float(np.quantile(cpu, 0.99)), 3),
        "wall_ms_median": round(1e3 * float(np.median(wall)), 3),
        "server_cpu_ms_mean": round(1e3 * server / len(cases), 3),
        "load": round(os.getloadavg()[0], 1),  # others on the machine take its caches too
    }


_CHECKING = """
import sys
from bench.speed.meter import peak_mb
from likewise.library import Library
library = Library(sys.argv[1])
opened = peak_mb()
getattr(library, sys.argv[2])(sys.argv[3])
print(opened, peak_mb())
"""


def _memory(place: str, text: str) -> dict[str, float]:
    """The memory of a process that opens the library and looks for candidates of one document.

    `warm` finds the index on disk; `cold` has to make it from the database first. By meaning it is
    the second index that is made: the first was, by the process before.
    """
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="likewise-bench-") as empty:
        runs = [("warm", "candidates", os.environ["LIKEWISE_CACHE"]), ("cold", "candidates", empty)]
        if has_blocks():
            runs += [(f"meaning_{n}", f"{how}_by_meaning", cache) for n, how, cache in runs]
        for name, method, cache in runs:
            run = subprocess.run(
                [sys.executable, "-c", _CHECKING, place, method, text],
                env={**os.environ, "LIKEWISE_CACHE": cache},
                capture_output=True,
                text=True,
                check=True,
            )
            opened, checked = map(float, run.stdout.split())
            figures |= {"opened_mb": opened, f"{name}_mb": checked}
    return figures


@contextmanager
def _place(engine: str) -> Iterator[tuple[str, ServerCpu]]:
    """An empty place for a library, a cache of its own, and the server's CPU seconds so far."""
    with tempfile.TemporaryDirectory(prefix="likewise-bench-") as folder:
        os.environ["LIKEWISE_CACHE"] = f"{folder}/cache"
        if engine == "sqlite":
            yield f"{folder}/library.db", _no_server
            return
        from tests.library.postgres import on_server, postgres_server

        with postgres_server() as server:
            database = f"bench{os.getpid()}_{next(_numbers)}"  # tells its servers from others
            on_server(server, f"CREATE DATABASE {database}")
            place = server.set(database=database).render_as_string(hide_password=False)
            yield place, partial(_cpu_of_servers, f"postgres: likewise {database} ".encode())
            on_server(server, f"DROP DATABASE {database} WITH (FORCE)")


def _cpu_of_servers(title: bytes) -> float:
    """CPU seconds of the processes that serve a database, which their titles name."""
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(") ")[2].split()
            is_one = path.with_name("cmdline").read_bytes().startswith(title)
        except OSError:
            continue
        if is_one:
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")
