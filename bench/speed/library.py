"""The library beside its targets: adding, checking, recall, memory, bytes a posting.

Documents are words drawn as frequently as in the English corpus, so that runs are shared only where
they were planted. A check is a new document with a run of a random library document inside: eight
canonical words, or thirty words as they stand. It is timed from its text to the ranked sources.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from bench.speed.meter import Reading, peak_mb
from likewise.kernels import ENGINE
from likewise.language import Lexicon, words_of
from likewise.library import Library
from likewise.settings import Settings

CHECKS = 300
CANONICAL_RUN = 8
RAW_RUN = 30
BLOCK = 2_000  # documents made from one seed


class Texts:
    """Documents of random words, each made again from its number alone."""

    def __init__(self, folder: Path, words: int) -> None:
        vocabulary = json.loads((folder / "growing" / "vocabulary.json").read_text("utf-8"))
        self._words = np.array(list(vocabulary), dtype=object)
        self._edges = np.cumsum(np.array(list(vocabulary.values()), dtype=np.float64))
        self._edges /= self._edges[-1]
        self._length = words

    def of(self, number: int) -> list[str]:
        """The words of a document."""
        dice = np.random.default_rng([23, self._length, number])
        length = int(self._length * dice.uniform(0.8, 1.2))
        drawn = np.searchsorted(self._edges, dice.random(length), side="right")
        found: list[str] = self._words[drawn].tolist()
        return found

    def text(self, number: int) -> str:
        return " ".join(self.of(number))


def library_job(
    folder: Path,
    engine: str,
    documents: int,
    words: int,
    limit: int | None = None,
    checks: int = CHECKS,
) -> dict[str, Any]:
    """Fill a library, then check new documents against it."""
    documents = min(documents, limit or documents)
    texts = Texts(folder, words)
    with _place(engine) as (place, server_cpu):
        library = Library(place)
        adding = _add(library, texts, documents)
        sizes = _sizes(library, engine)
        library.close()
        library = Library(place)
        warming = Reading.now()
        library.candidates("to be or not to be")
        index_cpu = warming.spent()["cpu_s"]
        library.close()
        library = Library(place)  # now the segments are there
        figures = {
            name: _check(library, texts, documents, checks, planted, server_cpu)
            for name, planted in (("eight", _eight_canonical), ("thirty", _thirty_raw))
        }
        library.close()
        return {
            "kernels": ENGINE,
            "engine": engine,
            "documents": documents,
            "words": words,
            **adding,
            **sizes,
            "index_cpu_s": index_cpu,
            "peak_mb": peak_mb(),
            "memory": _memory(place, texts.text(documents + 1)[:100_000]),
            **figures,
        }


def _add(library: Library, texts: Texts, documents: int) -> dict[str, Any]:
    """Texts are made beforehand, a block at a time, and only adding is counted."""
    cpu = wall = 0.0
    for first in range(0, documents, BLOCK):
        block = [
            (f"{number}.txt", texts.text(number))
            for number in range(first, min(first + BLOCK, documents))
        ]
        start = Reading.now()
        library.add_texts(block)
        spent = start.spent()
        cpu, wall = cpu + spent["cpu_s"], wall + spent["wall_s"]
    return {"add_cpu_s": round(cpu, 3), "add_wall_s": round(wall, 3)}


def _sizes(library: Library, engine: str) -> dict[str, Any]:
    """Bytes for fingerprints in the database, their indexes included, and in the segments."""
    stats = library.stats()
    with library._store.reading() as connection:
        if engine == "sqlite":
            query = (
                "SELECT sum(pgsize) FROM dbstat WHERE name IN (SELECT name FROM sqlite_master "
                "WHERE tbl_name = 'sketches')"
            )
        else:
            query = "SELECT pg_total_relation_size('sketches')"
        kept = int(connection.exec_driver_sql(query).scalar_one())
    return {
        "postings": stats.postings,
        "sketches_bytes": kept,
        "index_bytes": stats.index_bytes,
        "database_bytes": stats.database_bytes,
        "bytes_per_posting": round((kept + stats.index_bytes) / max(1, stats.postings), 2),
    }


def _check(
    library: Library, texts: Texts, documents: int, checks: int, planted: Any, server_cpu: Any
) -> dict[str, Any]:
    dice = np.random.default_rng(5)
    lexicon = Lexicon(Settings())
    cases = []
    for number in range(checks):
        source = int(dice.integers(documents))
        own = texts.of(documents + 1_000_000 + number)
        at = int(dice.integers(len(own)))
        run = planted(texts.of(source), dice, lexicon)
        cases.append((source, " ".join([*own[:at], run, *own[at:]])))
    for _, text in cases[:20]:
        library.candidates(text)
    found = 0
    cpu, wall = [], []
    server = server_cpu()
    for source, text in cases:
        start, clock = time.process_time(), time.perf_counter()
        candidates = library.candidates(text)
        cpu.append(time.process_time() - start)
        wall.append(time.perf_counter() - clock)
        names = {candidate.name for candidate in candidates.ranked}
        found += f"{source}.txt" in names
    server = (server_cpu() - server) / checks
    return {
        "checks": checks,
        "recall": found / checks,
        "cpu_ms_median": round(1e3 * float(np.median(cpu)), 3),
        "cpu_ms_p99": round(1e3 * float(np.quantile(cpu, 0.99)), 3),
        "wall_ms_median": round(1e3 * float(np.median(wall)), 3),
        "server_cpu_ms_mean": round(1e3 * server, 3),
    }


def _eight_canonical(words: list[str], dice: np.random.Generator, lexicon: Lexicon) -> str:
    text = " ".join(words)
    kept = words_of(text, lexicon)
    first = int(dice.integers(len(kept) - CANONICAL_RUN + 1))
    return text[int(kept.start[first]) : int(kept.end[first + CANONICAL_RUN - 1])]


def _thirty_raw(words: list[str], dice: np.random.Generator, lexicon: Lexicon) -> str:
    first = int(dice.integers(len(words) - RAW_RUN + 1))
    return " ".join(words[first : first + RAW_RUN])


_CHECKING = """
import sys
from bench.speed.meter import peak_mb
from likewise.library import Library
library = Library(sys.argv[1])
opened = peak_mb()
library.candidates(sys.argv[2])
print(opened, peak_mb())
"""


def _memory(place: str, text: str) -> dict[str, float]:
    """The memory of a process that opens the library and checks one document.

    `warm` finds the index on disk; `cold` has to make it from the database first.
    """
    figures = {}
    with tempfile.TemporaryDirectory(prefix="likewise-bench-") as empty:
        for name, cache in (("warm", os.environ["LIKEWISE_CACHE"]), ("cold", empty)):
            run = subprocess.run(
                [sys.executable, "-c", _CHECKING, place, text],
                env={**os.environ, "LIKEWISE_CACHE": cache},
                capture_output=True,
                text=True,
                check=True,
            )
            opened, checked = map(float, run.stdout.split())
            figures |= {"opened_mb": opened, f"{name}_mb": checked}
    return figures


@contextmanager
def _place(engine: str) -> Iterator[tuple[str, Any]]:
    """An empty place for a library, a cache of its own, and the server's CPU seconds so far."""
    with tempfile.TemporaryDirectory(prefix="likewise-bench-") as folder:
        os.environ["LIKEWISE_CACHE"] = f"{folder}/cache"
        if engine == "sqlite":
            yield f"{folder}/library.db", lambda: 0.0
            return
        from tests.library.postgres import on_server, postgres_server

        with postgres_server() as server:
            on_server(server, "CREATE DATABASE bench")
            place = server.set(database="bench").render_as_string(hide_password=False)
            yield place, _cpu_of_servers


def _cpu_of_servers() -> float:
    """CPU seconds of the processes that serve this library."""
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(") ")[2].split()
            title = path.with_name("cmdline").read_bytes()
        except OSError:
            continue
        if title.startswith(b"postgres: likewise bench "):
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")
