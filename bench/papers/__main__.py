"""The papers' experiments, with our code: `./dev bench papers [NAME ...] [--small]`.

Writes a file of results for each experiment. One whose corpus is not there is left out, and
said so (exit status 3); what is on file from an earlier run stays.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bench.corpus import DEFAULT_FOLDER
from bench.papers import EXPERIMENTS, SMALL
from bench.papers.running import run_experiments
from bench.record import RESULTS

SOMETHING_IS_MISSING = 3


def module_of(name: str) -> str:
    """The experiment that somebody means.

    >>> module_of("paper-002"), module_of("002"), module_of("curves")
    ('paper_002', 'paper_002', 'curves')
    """
    module = name.replace("-", "_")
    return f"paper_{module}" if module.isdigit() else module


def main() -> int:
    """Measure all experiments, or those named."""
    parser = argparse.ArgumentParser(prog="./dev bench papers", description=__doc__)
    shown = ", ".join(name.replace("_", "-") for name in EXPERIMENTS)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{shown} (default: all)")
    parser.add_argument("--corpus", type=Path, default=DEFAULT_FOLDER, help="folder (.data)")
    parser.add_argument("--small", action="store_true", help="in seconds, without corpora")
    parser.add_argument(
        "--output", type=Path, help="folder for the results (bench/results; small ones: build)"
    )
    arguments = parser.parse_args()
    modules = [module_of(name) for name in arguments.names]
    if unknown := [name for name in modules if name not in EXPERIMENTS]:
        parser.error(f"no experiment {', '.join(unknown)}; there are {shown}")
    output = arguments.output or (SMALL / "results" if arguments.small else RESULTS)
    missing = run_experiments(modules or EXPERIMENTS, arguments.corpus, output, arguments.small)
    return SOMETHING_IS_MISSING if missing else 0


if __name__ == "__main__":
    sys.exit(main())
