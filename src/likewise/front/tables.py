"""Tables that are alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from likewise.front.signatures import names_settings
from likewise.front.sources import Source, read_any, workers
from likewise.model import Document
from likewise.progress import Progress
from likewise.reading import ReadOptions, is_file_of, labels
from likewise.reading.request import LANGUAGES
from likewise.settings import CommonChanges, Settings, settings_from
from likewise.tables import LEAST_SCORE, TableMatch
from likewise.tables.documents import TablePair, TablePairs, pairs_of_tables

__all__ = ["LEAST_SCORE", "TableMatch", "TablePair", "TablePairs", "find_tables"]


@names_settings
def find_tables(
    a: Source | Document,
    b: Source | Document | None = None,
    *,
    threshold: float = LEAST_SCORE,
    settings: Settings | None = None,
    jobs: int | None = None,
    cache: bool = True,
    ocr: tuple[str, ...] = LANGUAGES,
    progress: Progress | None = None,
    **changes: Unpack[CommonChanges],
) -> TablePairs:
    """Tables that are alike, inside one file, folder or lot of documents, or between two.

    Rows and columns may stand in another order, be turned, altered in part or given in other units.
    """
    chosen = settings_from(settings, changes)
    reading = ReadOptions(cache=cache, ocr=ocr, jobs=workers(jobs))
    sides = [read_any(side, reading, progress) for side in (a, b) if side is not None]
    ours, theirs = sides[0].documents, None
    if b is not None:
        ours, theirs = _told_apart(a, b, ours, sides[1].documents)
    return pairs_of_tables(
        ours,
        theirs,
        chosen,
        threshold=threshold,
        unread=[file for side in sides for file in side.unread],
        progress=progress,
    )


def _told_apart(
    a: Any, b: Any, ours: Sequence[Document], theirs: Sequence[Document]
) -> tuple[Sequence[Document], Sequence[Document]]:
    """Both sides by names of their own, and no file beside itself in the folder it lies in."""
    first, second = "a", "b"
    if isinstance(a, str | Path) and isinstance(b, str | Path):
        one, two = Path(a), Path(b)
        first, second = labels(one, two)
        if one.is_file() and two.is_dir():
            theirs = [other for other in theirs if not is_file_of(one, two, other)]
        elif two.is_file() and one.is_dir():
            ours = [other for other in ours if not is_file_of(two, one, other)]
    twice = {document.name for document in ours} & {document.name for document in theirs}
    if not twice:
        return ours, theirs

    def renamed(side: Sequence[Document], label: str, source: Any) -> list[Document]:
        is_file = isinstance(source, str | Path) and [d.name for d in side] == [Path(source).name]
        return [
            replace(d, name=str(source) if is_file else f"{label}/{d.name}")
            if d.name in twice
            else d
            for d in side
        ]

    return renamed(ours, first, a), renamed(theirs, second, b)
