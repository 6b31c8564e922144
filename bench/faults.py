"""Work on a library killed at any moment: `./dev bench faults --kills 200`.

Adding, removing, rebuilding, copying, restoring, making, upgrading and renewing blocks of concepts
are killed with SIGKILL at moments drawn uniformly over a measured run, on both engines. Afterwards
everything that was reported as finished is there, `verify` finds nothing, and the work goes on to
its end. Then eight processes add, check, remove and rebuild at once. The tests do the same with
fewer kills.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from bench.corpus import say
from bench.record import RESULTS, keep
from tests.library.killing import crowd, kills, places_on

ENGINES = ("sqlite", "postgresql")
TENTHS = 10


def main() -> int:
    """Kill on each engine, print where it fell, keep the figures."""
    parser = argparse.ArgumentParser(prog="./dev bench faults", description=__doc__)
    parser.add_argument("--kills", type=int, default=200, help="on each engine")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--engine", choices=ENGINES, action="append")
    parser.add_argument("--crowds", type=int, default=5, help="how often eight work at once")
    parser.add_argument("--output", type=Path, default=RESULTS / "faults.json")
    arguments = parser.parse_args()
    command = f"./dev bench faults --kills {arguments.kills} --seed {arguments.seed}"
    broken = False
    for engine in arguments.engine or ENGINES:
        with places_on(engine) as places:
            found = []
            for told in kills(places, arguments.kills, arguments.seed, fresh=True):
                found.append(told)
                say(f"  {line(told)}")
            found += [crowd(places) for _again in range(arguments.crowds)]
        figures = summary(engine, found)
        say(f"{engine}: {figures}")
        keep(arguments.output, engine, f"{command} --engine {engine}", figures)
        broken = broken or bool(figures["broken"])
    return int(broken)


def line(told: dict[str, Any]) -> str:
    """Where a kill fell, and what it left."""
    left = told.get("left") or f"BROKEN: {told['broken']}"
    return f"{told['engine']:10} {told['work']:12} at {told['at']:5.1%} of the run: {left}"


def summary(engine: str, found: list[dict[str, Any]]) -> dict[str, Any]:
    """How many there were, in which tenths of a run they fell, and what was broken."""
    fell = [told for told in found if "at" in told]
    tenths = Counter(min(int(told["at"] * TENTHS), TENTHS - 1) for told in fell)
    return {
        "engine": engine,
        "kills": len(fell),
        "by_work": dict(Counter(told["work"] for told in fell)),
        "by_tenth": [tenths[i] for i in range(TENTHS)],
        "crowds": sum(told["work"] == "crowd" for told in found),
        "broken": [told for told in found if "broken" in told],
    }


if __name__ == "__main__":
    sys.exit(main())
