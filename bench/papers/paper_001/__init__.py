"""Paper 001: filters by length, and what is lost by weighting repetitions with positions."""

from __future__ import annotations

from pathlib import Path

from bench.papers import Sections, Tell
from bench.papers.paper_001.appended import appended
from bench.papers.paper_001.filtering import filtered
from bench.papers.paper_001.texts import INVENTED, OLD, collections

COPIES = 500


def measure(folder: Path, small: bool, tell: Tell) -> Sections:
    """Its Table 1 on three collections, and copies with text appended."""
    texts = collections(folder, small)
    tables = {}
    for name, some in texts.items():
        tell(f"{name}: {len(some):,} documents")
        tables[name] = filtered(some, tell)
    longer = appended(texts[INVENTED if small else OLD], COPIES, tell)
    return {"filters": tables, "appended": longer}
