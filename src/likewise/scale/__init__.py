"""Corpora beyond one machine: the same job on Spark, the same answer."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from likewise.scale.counted import Counted
    from likewise.scale.front import checked, dedup, pairs, sketch_corpus
    from likewise.scale.partly import partly_copied
    from likewise.scale.result import SparkDeduped
    from likewise.scale.starting import session

__all__ = [
    "Counted",
    "SparkDeduped",
    "checked",
    "dedup",
    "pairs",
    "partly_copied",
    "session",
    "sketch_corpus",
]

_HOMES = {
    "Counted": "counted",
    "SparkDeduped": "result",
    "checked": "front",
    "dedup": "front",
    "pairs": "front",
    "partly_copied": "partly",
    "session": "starting",
    "sketch_corpus": "front",
}


def __getattr__(name: str) -> Any:
    """Names come when they are asked for: a worker needs a few of these rooms, and many times."""
    if name in _HOMES:
        return getattr(importlib.import_module(f"likewise.scale.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'likewise.scale' has no attribute {name!r}")
