"""Corpora without their near-duplicates."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Unpack

from likewise.corpus import Corpus, Deduped, Unit, dedup_corpus, open_corpus
from likewise.corpus.dedup import Keep
from likewise.front.arguments import names_settings, workers
from likewise.machine import memory_budget
from likewise.progress import Progress
from likewise.settings import CommonChanges, Settings, settings_from


@names_settings
def dedup(
    corpus: str | Path | Corpus,
    *,
    text: str = "text",
    id: str | None = "id",
    threshold: float | Sequence[float] = 0.8,
    unit: Unit = "document",
    against: str | Path | Corpus | None = None,
    against_text: str | None = None,
    against_id: str | None = None,
    keep: Keep = "first",
    output: str | Path | None = None,
    write: bool = True,
    skip_bad: bool = False,
    settings: Settings | None = None,
    jobs: int | None = None,
    memory: int | None = None,
    progress: Progress | None = None,
    **changes: Unpack[CommonChanges],
) -> Deduped:
    """Near-duplicates of a corpus in JSON Lines, Parquet or text files, cleaned if asked.

    `text` and `id` name its fields; those of `against` are called alike unless said otherwise. A
    corpus that `open_corpus` has opened has its own. `unit` is what is compared, documents or
    paragraphs; shingles are made of `settings.unit`. The cleaned corpus goes to `output` at once,
    or when `write` of the result is called.

    >>> from tempfile import TemporaryDirectory
    >>> lines = ['{"id": 1, "text": "a b c d"}', '{"id": 2, "text": "a b c d"}']
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "crawl.jsonl")
    ...     _ = path.write_text("\\n".join(lines))
    ...     result = dedup(path, settings=Settings.plain())
    ...     list(result.kept_ids(result.results[0]))
    ['1']
    """
    thresholds = [threshold] if isinstance(threshold, int | float | str) else list(threshold)
    new = corpus
    if not isinstance(new, Corpus):
        new = open_corpus(new, text=text, id=id, unit=unit, skip_bad=skip_bad)
    old = against
    if old is not None and not isinstance(old, Corpus):
        old = open_corpus(
            old, text=against_text or text, id=against_id or id, unit=unit, skip_bad=skip_bad
        )
    result = dedup_corpus(
        new,
        settings_from(settings, changes),
        thresholds=thresholds,
        against=old,
        keep=keep,
        output=output,
        jobs=workers(jobs),
        memory=memory_budget(memory),
        progress=progress,
    )
    if output is not None and write:
        result.write(output, progress)
    return result
