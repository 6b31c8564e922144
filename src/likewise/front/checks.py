"""One document against many, and where each piece of its text comes from."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Unpack

from likewise.align import check_against
from likewise.align.check import FEWEST_WORDS
from likewise.align.exclude import Exclusions
from likewise.front.signatures import names_settings
from likewise.front.sources import Source, read_document, read_source, workers
from likewise.model import Check, Document
from likewise.progress import Progress
from likewise.reading import ReadOptions, is_file_of
from likewise.settings import Changes, Settings, settings_from
from likewise.tables import check_with_tables


@names_settings
def check(
    document: str | Path | Document,
    against: Source,
    *,
    settings: Settings | None = None,
    exclusions: Exclusions | None = None,
    templates: Iterable[str | Path | Document] = (),
    skip: Iterable[str] = (),
    min_words: int = FEWEST_WORDS,
    jobs: int | None = None,
    cache: bool = True,
    progress: Progress | None = None,
    **changes: Unpack[Changes],
) -> Check:
    """One document against many: its sources, each character counted once, and its shares."""
    reading = ReadOptions(cache=cache, jobs=workers(jobs))
    one = read_document(document, reading)
    collection = read_source(against, reading, progress)
    others = collection.documents
    if isinstance(document, str | Path) and isinstance(against, str | Path):
        others = [o for o in others if not is_file_of(Path(document), Path(against), o)]
    found = check_against(
        one,
        others,
        settings_from(settings, changes),
        which=exclusions or Exclusions(),
        templates=[read_document(template, reading) for template in templates],
        skip=skip,
        min_words=min_words,
        unread=collection.unread,
        progress=progress,
    )
    return check_with_tables(found, others)
