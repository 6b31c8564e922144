"""What is measured: the runs of each section."""

from __future__ import annotations

import subprocess
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bench.speed.library_peers import LIBRARY_PEERS
from bench.speed.peers import PEERS

THRESHOLDS = (0.8, 0.7, 0.5)
WARM_RUNS = 3
SIZES = (10_000, 20_000, 50_000, 100_000, 200_000, 500_000)
SHORT = 300  # words of a short document
LIBRARY_SIZES = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000)
QUICK_SIZES = (2_000, 5_000, 10_000)
SLOW_PEERS = frozenset({"datasketch_default", "scipy_exact", "set_similarity_search"})


@dataclass(frozen=True, slots=True)
class Run:
    """One thing to measure, named so that it can be found in the results."""

    name: str
    job: str
    question: dict[str, Any] = field(hash=False)
    once: bool = False  # slow: repeating it would change nothing that matters
    source: Path | None = None  # the folder of an earlier release that is measured
    release: str = ""  # its name


# Sections that can measure an earlier release beside this code.
COMPARABLE = ("library", "library million")


def beside_release(runs: Sequence[Run], source: Path) -> Iterator[Run]:
    """Each run of this code, and behind it the same of an earlier release."""
    release = release_of(source)
    for run in runs:
        yield run
        yield replace(run, name=f"{run.name}, {release}", source=source, release=release)


def release_of(source: Path) -> str:
    """The version of a source tree, with its commit where git knows it."""
    version = tomllib.loads((source / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    command = ["git", "-C", str(source), "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(command, capture_output=True, text=True).stdout.strip()
    return f"{version} ({commit})" if commit else str(version)


def own(name: str, corpus: str, threshold: float, **options: Any) -> Run:
    """A run of Likewise."""
    question = {"corpus": corpus, "threshold": threshold, **options}
    return Run(f"{name} {corpus} {threshold:g}", "likewise", question)


def peers(quick: bool) -> list[Run]:
    """Every peer at .8 and .7."""
    chosen = [name for name in PEERS if not (quick and name in SLOW_PEERS)]
    return [
        Run(
            f"{engine} english {threshold:g}",
            "peer",
            {"engine": engine, "corpus": "english", "threshold": threshold},
            once=engine in SLOW_PEERS,
        )
        for threshold in (0.8, 0.7)
        for engine in chosen
    ]


def likewise(quick: bool) -> list[Run]:
    """Exact and LSH at three thresholds, cold and warm; LSH with stemming and stop words."""
    exact = [own("exact", "english", t) for t in THRESHOLDS]
    lsh = [own("lsh", "english", t, method="lsh", warm=WARM_RUNS) for t in THRESHOLDS]
    stems = own("lsh stemmed", "english", 0.8, **_STEMMED, warm=WARM_RUNS)
    return [*exact, *lsh, stems]


def licence(quick: bool) -> list[Run]:
    """The exact join with and without a licence in three documents of ten."""
    return [own("exact", corpus, t) for t in (0.8, 0.5) for corpus in ("english", "licensed")]


def cyrillic(quick: bool) -> list[Run]:
    """Russian and Kazakh beside English, and beside English with as many copies."""
    runs = []
    for corpus in ("english", "dense", "cyrillic"):
        runs.append(own("exact", corpus, 0.8))
        runs.append(own("lsh", corpus, 0.8, method="lsh"))
        runs.append(own("lsh stemmed", corpus, 0.8, **_STEMMED))
    return runs


def scaling(quick: bool) -> list[Run]:
    """Collections of growing size."""
    return [
        Run(
            f"{method} {size}",
            "likewise",
            {
                "corpus": "growing",
                "threshold": 0.8,
                "limit": size,
                "method": method,
                "compare_with": "nothing",
            },
        )
        for size in (QUICK_SIZES if quick else SIZES)
        for method in ("exact", "lsh")
    ]


def compare(quick: bool) -> list[Run]:
    """All pairs of PAN 2013 (`.data/pan13-train`) through the front door, and aligned alone."""
    return [Run(way, "compare", {"way": way}) for way in ("compare", "alignment alone")]


def library(quick: bool) -> list[Run]:
    """A library of short and of long documents, on both engines."""
    sizes = ((2_000, 300), (100, 20_000)) if quick else ((100_000, 300), (2_000, 20_000))
    return [
        Run(
            f"{engine} {documents} of {words}",
            "library",
            {"engine": engine, "documents": documents, "words": words},
            once=True,
        )
        for documents, words in sizes
        for engine in ("sqlite", "postgresql")
    ]


def library_peers(quick: bool) -> list[Run]:
    """The library of short documents and what one would take instead."""
    size = {"documents": 2_000 if quick else 100_000, "words": SHORT}
    own = Run("likewise", "library", {"engine": "sqlite", **size}, once=True)
    return [
        own,
        *(Run(name, "library peer", {"peer": name, **size}, once=True) for name in LIBRARY_PEERS),
    ]


def library_growth(quick: bool) -> list[Run]:
    """One library, from a thousand documents on."""
    sizes = LIBRARY_SIZES[:2] if quick else LIBRARY_SIZES
    return [Run("growth", "library growth", {"sizes": sizes, "words": SHORT}, once=True)]


def library_million(quick: bool) -> list[Run]:
    """A million documents, on both engines."""
    size = {"documents": 3_000 if quick else 1_000_000, "words": SHORT}
    names = {"sqlite": "million", "postgresql": "million, postgresql"}
    return [
        Run(name, "library", {"engine": engine, **size}, once=True)
        for engine, name in names.items()
    ]


_STEMMED: dict[str, Any] = {"method": "lsh", "plain": False, "compare_with": "exact"}

SECTIONS = {
    "likewise": likewise,
    "peers": peers,
    "licence": licence,
    "cyrillic": cyrillic,
    "scaling": scaling,
    "compare": compare,
    "library": library,
    "library peers": library_peers,
    "library growth": library_growth,
    "library million": library_million,
}
CORPORA = {
    "likewise": ["english"],
    "peers": ["english"],
    "licence": ["english", "licensed"],
    "cyrillic": ["english", "dense", "cyrillic"],
    "scaling": ["growing"],
    "compare": [],
    "library": ["growing"],
    "library peers": ["growing"],
    "library growth": ["growing"],
    "library million": ["growing"],
    "server": ["growing"],
    "server hour": ["growing"],
    "kernel": ["english"],
    "help": [],
}
