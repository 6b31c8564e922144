"""Every method on every pair of texts, in a process that is ended where one takes too long."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

from bench.papers import Tell
from bench.papers.paper_003.methods import METHODS
from bench.papers.paper_003.texts import Pair

LIBRARIES = ("jellyfish", "rapidfuzz")
_ROOT = Path(__file__).parents[3]

Figures = dict[str, Any]


class Patience(NamedTuple):
    """CPU seconds: after how many a method gives up, and how many are long enough to be told."""

    limit: int
    long_enough: float


def timed_methods(
    pairs: Sequence[Pair], patience: Patience, tell: Tell, methods: Iterable[str] = METHODS
) -> Figures:
    """Seconds and values by method; who needs more than the limit for a pair gives up."""
    answers: dict[str, list[Figures]] = {}
    while waiting := [name for name in methods if name not in answers]:
        for answer in _asked(waiting, pairs, patience):
            answers.setdefault(answer.pop("method"), []).append(answer)
        # The last may have been ended, or the first before it said anything; the next begin anew.
        last = list(answers)[-1] if waiting[0] in answers else waiting[0]
        so_far = answers.setdefault(last, [])
        so_far += [{"gave_up_cpu_s": patience.limit}] * (len(pairs) - len(so_far))
    for name, told in answers.items():
        tell(f"{name}: {', '.join(_told(one) for one in told)}")
    return {
        "words": [pair.words for pair in pairs],
        "characters": [(len(pair.text), len(pair.copied)) for pair in pairs],
        "limit_cpu_s": patience.limit,
        "versions": {name: _version(name) for name in LIBRARIES},
        "methods": {name: answers[name] for name in methods},
    }


def _asked(methods: list[str], pairs: Sequence[Pair], patience: Patience) -> list[Figures]:
    """An answer for each method and pair, up to where the process was ended."""
    question = {
        "methods": methods,
        **patience._asdict(),
        "pairs": [pair._asdict() for pair in pairs],
    }
    child = subprocess.run(
        [sys.executable, "-m", "bench.papers.paper_003.child"],
        cwd=_ROOT,
        env={**os.environ, "PYTHONHASHSEED": "0"},  # the order of sets costs time
        input=json.dumps(question),
        capture_output=True,
        text=True,
    )
    if child.returncode not in (0, -signal.SIGXCPU, -signal.SIGKILL):
        raise RuntimeError(f"{', '.join(methods)}: {child.stderr.strip()}")
    return [json.loads(line) for line in child.stdout.splitlines()]


def _version(library: str) -> str | None:
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return None


def _told(answer: Figures) -> str:
    if "cpu_s" in answer:
        return f"{answer['cpu_s']:.4f} s"
    return "not installed" if "missing" in answer else f"gave up after {answer['gave_up_cpu_s']} s"
