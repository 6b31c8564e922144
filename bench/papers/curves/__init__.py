"""Curves: how a signature's error, the recall of LSH and the cost depend on what is asked."""

from __future__ import annotations

from pathlib import Path

from bench.papers import Sections, Tell
from bench.papers.curves.cost import cost
from bench.papers.curves.errors import errors_by_bits, errors_by_slots
from bench.papers.curves.recall import recall


def measure(folder: Path, small: bool, tell: Tell) -> Sections:
    """A section for each curve."""
    slots = errors_by_slots(small, tell)
    bits = errors_by_bits(small)
    tell("errors against bits")
    return {
        "error by slots": slots,
        "error by bits": bits,
        "recall": recall(folder, small, tell),
        "cost": cost(folder, small, tell),
    }
