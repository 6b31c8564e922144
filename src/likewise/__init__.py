"""Likewise finds documents that say the same thing, shows where, and says how sure it is.

>>> import likewise as lw
>>> a = lw.Document.from_text("The caravan crossed the pass before the first snow fell.", name="a")
>>> b = lw.Document.from_text("The caravan crossed the pass before the first snow.", name="b")
>>> round(lw.compare(a, b, shingle=2).jaccard, 2)
0.8
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from likewise.errors import LikewiseError
from likewise.settings import Settings

if TYPE_CHECKING:
    from likewise.front import check, compare, cross, dedup, find, find_tables, read, save
    from likewise.library import Library
    from likewise.model import Check, Document, Match, Matches

    __version__: str

__all__ = [
    "Check",
    "Document",
    "Library",
    "LikewiseError",
    "Match",
    "Matches",
    "Settings",
    "__version__",
    "check",
    "compare",
    "cross",
    "dedup",
    "find",
    "find_tables",
    "read",
    "save",
]

_HOMES = {
    **dict.fromkeys(
        ("check", "compare", "cross", "dedup", "find", "find_tables", "read", "save"),
        "likewise.front",
    ),
    **dict.fromkeys(("Check", "Document", "Match", "Matches"), "likewise.model"),
    "Library": "likewise.library",
}


def __getattr__(name: str) -> Any:
    """Names come when they are asked for: the command line's help must not wait for NumPy."""
    if name == "__version__":
        from likewise.version import version

        return version()
    if name == "scale":  # a whole package: the same job on Spark
        return importlib.import_module("likewise.scale")
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'likewise' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
