"""The experiments of the papers that Likewise is built from, run again with our code.

Each module named in `EXPERIMENTS` has one function

    measure(folder, small, tell) -> {section: figures}

`folder` holds the corpora. `small` is the version for every day: it takes seconds and no corpus,
and proves that the code runs. `tell` takes lines about how far it has come.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

EXPERIMENTS = ("paper_000", "paper_001", "paper_002", "paper_003", "paper_004", "curves")
SMALL = Path(__file__).parents[2] / "build" / "evidence-small"  # where small versions write

Tell = Callable[[str], None]
Sections = dict[str, Any]
Measure = Callable[[Path, bool, Tell], Sections]


class MissingCorpus(Exception):
    """What an experiment is made from is not in the folder of corpora."""


def corpus(folder: Path, name: str) -> Path:
    """A file or folder among the corpora; who has it not is told where to put it."""
    path = folder / name
    if not path.exists():
        raise MissingCorpus(f"{name} is not in {folder}: unpack it there")
    return path
