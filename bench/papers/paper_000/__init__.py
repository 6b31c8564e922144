"""Paper 000: the probability of retrieval by bands and rows, the three stages, the three uses."""

from __future__ import annotations

import tempfile
from pathlib import Path

from bench.papers import Sections, Tell
from bench.papers.paper_000.pdfs import articles, write_pdf
from bench.papers.paper_000.retrieval import retrieval
from bench.papers.paper_000.rows import rows_of
from bench.papers.paper_000.stages import stages
from bench.papers.paper_000.uses import uses


def measure(folder: Path, small: bool, tell: Tell) -> Sections:
    """Everything of the paper that can be done again."""
    texts, size = articles(folder, small)
    with tempfile.TemporaryDirectory(prefix="likewise-paper-000-") as place:
        database = Path(place, "database")
        for i, text in enumerate(texts):
            write_pdf(text, database / f"{2017 + i % 2}" / f"article-{i:03}.pdf")
        tell(f"{len(texts)} PDFs are set")
        timed, read = stages(database, tell)
        used = uses(database, Path(place), read, small, tell)
    found = retrieval(rows_of(read.values()), size, tell)
    return {"retrieval": found, "stages": timed, "uses": used}
