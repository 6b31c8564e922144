"""Paper 003: ten methods at four sizes of text, and the worked examples."""

from __future__ import annotations

from pathlib import Path

from bench.papers import Sections, Tell
from bench.papers.paper_003.examples import worked_examples
from bench.papers.paper_003.texts import pairs
from bench.papers.paper_003.timing import Patience, timed_methods

PATIENCE, LITTLE_PATIENCE = Patience(60, 0.3), Patience(5, 0.005)


def measure(folder: Path, small: bool, tell: Tell) -> Sections:
    """Its Figures 26 to 28, and what can be recomputed of its sections 1.2 and 3."""
    examples = [example._asdict() for example in worked_examples()]
    tell(f"{len(examples)} worked examples")
    patience = LITTLE_PATIENCE if small else PATIENCE
    return {
        "methods": timed_methods(pairs(folder, small), patience, tell),
        "worked examples": examples,
    }
