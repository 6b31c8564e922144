"""Corpora beyond one machine: the same job on Spark, the same answer."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from likewise.scale.deduplication import (
        check_job,
        dedup,
        ensure_texts,
        pairs,
        sketch_corpus,
    )
    from likewise.scale.partial_overlap import partly_copied
    from likewise.scale.result import JobCounts, SparkDeduped
    from likewise.scale.spark_session import session

__all__ = [
    "JobCounts",
    "SparkDeduped",
    "check_job",
    "dedup",
    "ensure_texts",
    "pairs",
    "partly_copied",
    "session",
    "sketch_corpus",
]

_MODULES = {
    "JobCounts": "result",
    "SparkDeduped": "result",
    "check_job": "deduplication",
    "dedup": "deduplication",
    "ensure_texts": "deduplication",
    "pairs": "deduplication",
    "partly_copied": "partial_overlap",
    "session": "spark_session",
    "sketch_corpus": "deduplication",
}


def __getattr__(name: str) -> Any:
    """Names come when they are asked for: a worker needs few of these modules, and many times."""
    if name in _MODULES:
        return getattr(importlib.import_module(f"likewise.scale.{_MODULES[name]}"), name)
    raise AttributeError(f"module 'likewise.scale' has no attribute {name!r}")
