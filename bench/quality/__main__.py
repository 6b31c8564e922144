"""How right Likewise is: `./dev bench quality`.

Takes `planted-pairs` and `ru-revisions`, unpacked in the folder of corpora, and the corpora that
`python -m bench.corpus` makes there. What is not there is left out, and said so.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.corpus import DEFAULT_FOLDER, say
from bench.quality.copies import planted_copies
from bench.quality.planted import planted_articles
from bench.quality.revisions import revised_pages
from bench.record import RESULTS, keep

SECTIONS: dict[str, Callable[[Path], list[dict[str, Any]]]] = {
    "planted articles": planted_articles,
    "planted copies": planted_copies,
    "revised pages": revised_pages,
}


def main() -> None:
    """Measure all sections."""
    parser = argparse.ArgumentParser(prog="./dev bench quality", description=__doc__)
    parser.add_argument("--corpus", type=Path, default=DEFAULT_FOLDER, help="folder (.data)")
    parser.add_argument("--output", type=Path, default=RESULTS / "quality.json")
    arguments = parser.parse_args()
    for section, measure in SECTIONS.items():
        figures = measure(arguments.corpus)
        if not figures:
            say(f"{section}: nothing to measure in {arguments.corpus}")
            continue
        for figure in figures:
            say(f"{section}: {figure}")
        keep(arguments.output, section, "./dev bench quality", figures)


if __name__ == "__main__":
    main()
