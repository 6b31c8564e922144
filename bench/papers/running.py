"""Experiments run one after the other, and their results kept."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

from bench.corpus import say
from bench.papers import Measure, MissingCorpus
from bench.record import keep


def run_experiments(modules: Iterable[str], folder: Path, output: Path, small: bool) -> list[str]:
    """Measure and keep; what had to be left out comes back, a line for each."""
    left_out = []
    for module in modules:
        name = module.replace("_", "-")
        measure: Measure = import_module(f"bench.papers.{module}").measure
        wall, cpu = time.monotonic(), _cpu_seconds()

        def tell(line: str, name: str = name, began: float = wall) -> None:
            say(f"{name}, {time.monotonic() - began:4.0f} s: {line}")

        tell("begins")
        try:
            sections = measure(folder, small, tell)
        except MissingCorpus as missing:
            left_out.append(f"{name}: {missing}")
            say(f"left out: {left_out[-1]}")
            continue
        facts = {
            "experiment_wall_s": round(time.monotonic() - wall, 1),
            "experiment_cpu_s": round(_cpu_seconds() - cpu, 1),
            **({"small": True} if small else {}),
        }
        command = f"./dev bench papers {name}" + (" --small" if small else "")
        for section, figures in sections.items():
            keep(output / f"{name}.json", section, command, figures, **facts)
        tell(f"done: {', '.join(sections)}")
    return left_out


def _cpu_seconds() -> float:
    """Of this process and of those it waited for."""
    return sum(os.times()[:4])
