"""The functions of the front door: they take documents or paths, and settings by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from likewise.align import aligned, check_against, with_passages
from likewise.align.check import FEWEST_WORDS
from likewise.align.exclude import Exclusions
from likewise.catalogue import Language
from likewise.corpus import Deduped, Unit, dedup_corpus, open_corpus
from likewise.corpus.dedup import Keep
from likewise.corpus.view import view_of_dedup
from likewise.errors import BadInput, BadSettings
from likewise.machine import cores, memory_budget
from likewise.model import Check, Document, Match, Matches, Unread
from likewise.progress import Progress
from likewise.reading import is_file_of, labels, read, read_folder
from likewise.reading.read import archive_at
from likewise.reading.request import LANGUAGES, Limits
from likewise.report import (
    View,
    ensure_writable,
    view_of_check,
    view_of_matches,
    view_of_pair,
    write_view,
)
from likewise.search import compare_two, cross_between, find_in
from likewise.settings import Settings
from likewise.tables import LEAST_SCORE, check_with_tables, with_tables
from likewise.tables.documents import TablePairs, pairs_of_tables

if TYPE_CHECKING:
    from likewise.library import Batch

Source = str | Path | Iterable[Document]

__all__ = ["check", "compare", "cross", "dedup", "find", "find_tables", "read", "save"]


def find(
    source: Source,
    *,
    settings: Settings | None = None,
    jobs: int | None = None,
    memory: int | None = None,
    cache: bool = True,
    passages: bool = False,
    progress: Progress | None = None,
    **changes: Any,
) -> Matches:
    """Similar pairs inside one collection: a folder, or documents.

    >>> texts = {"a": "one two three four five six", "b": "zero one two three four five", "c": "no"}
    >>> found = find([Document.from_text(t, name=n) for n, t in texts.items()],
    ...              settings=Settings.plain(shingle=2), threshold=0.6)
    >>> [(match.a, match.b, round(match.jaccard, 2)) for match in found]
    [('a', 'b', 0.67)]
    """
    documents, unread = _documents(source, progress, jobs, cache)
    matches = find_in(
        documents,
        _settings(settings, changes),
        label=Path(source).resolve().name if isinstance(source, str | Path) else "",
        unread=unread,
        jobs=_jobs(jobs),
        memory=memory_budget(memory),
        progress=progress,
    )
    return with_passages(matches) if passages else matches


def cross(
    left: Source,
    right: Source,
    *,
    settings: Settings | None = None,
    jobs: int | None = None,
    memory: int | None = None,
    cache: bool = True,
    passages: bool = False,
    progress: Progress | None = None,
    **changes: Any,
) -> Matches:
    """Similar pairs between two collections, each a folder or documents."""
    ours, unread = _documents(left, progress, jobs, cache)
    theirs, more_unread = _documents(right, progress, jobs, cache)
    matches = cross_between(
        ours,
        theirs,
        _settings(settings, changes),
        labels=_labels(left, right),
        unread=[*unread, *more_unread],
        jobs=_jobs(jobs),
        memory=memory_budget(memory),
        progress=progress,
    )
    return with_passages(matches) if passages else matches


def compare(
    a: str | Path | Document,
    b: str | Path | Document,
    *,
    settings: Settings | None = None,
    level: int = 99,
    cache: bool = True,
    **changes: Any,
) -> Match:
    """Two documents: every measure, their agreement at a level of 90, 95 or 99 %, and passages."""
    one, two = (x if isinstance(x, Document) else read(x, cache=cache) for x in (a, b))
    chosen = _settings(settings, changes)
    return with_tables(aligned(compare_two(one, two, chosen, level), one, two, chosen))


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
    **changes: Any,
) -> Check:
    """One document against many: its sources, each character counted once, and its shares."""
    one = document if isinstance(document, Document) else read(document, cache=cache)
    others, unread = _documents(against, progress, jobs, cache)
    if isinstance(document, str | Path) and isinstance(against, str | Path):
        others = [o for o in others if not is_file_of(Path(document), Path(against), o)]
    found = check_against(
        one,
        others,
        _settings(settings, changes),
        which=exclusions or Exclusions(),
        templates=[t if isinstance(t, Document) else read(t, cache=cache) for t in templates],
        skip=skip,
        min_words=min_words,
        unread=unread,
        progress=progress,
    )
    return check_with_tables(found, others)


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
) -> TablePairs:
    """Tables that are alike, inside one file, folder or lot of documents, or between two.

    Rows and columns may stand in another order, be turned, altered in part or given in other units.
    """
    sides = [source for source in (a, b) if source is not None]
    read_from = [_read_any(source, progress, jobs, cache, ocr) for source in sides]
    unread = [file for _, files in read_from for file in files]
    ours = read_from[0][0]
    theirs = None
    if b is not None:
        ours, theirs = _told_apart(a, b, ours, read_from[1][0])
    return pairs_of_tables(
        ours,
        theirs,
        _settings(settings, {}),
        threshold=threshold,
        unread=unread,
        progress=progress,
    )


def dedup(
    corpus: str | Path,
    *,
    text: str = "text",
    id: str | None = "id",
    threshold: float | Sequence[float] = 0.8,
    unit: Unit = "document",
    against: str | Path | None = None,
    against_text: str | None = None,
    against_id: str | None = None,
    keep: Keep = "first",
    output: str | Path | None = None,
    skip_bad: bool = False,
    settings: Settings | None = None,
    jobs: int | None = None,
    memory: int | None = None,
    progress: Progress | None = None,
    **changes: Any,
) -> Deduped:
    """Near-duplicates of a corpus in JSON Lines, Parquet or text files, cleaned if asked.

    `unit` is what is compared, documents or paragraphs; shingles are made of `settings.unit`. The
    fields of `against` are called as those of the corpus unless said otherwise.
    """
    thresholds = [threshold] if isinstance(threshold, int | float | str) else list(threshold)
    result = dedup_corpus(
        open_corpus(corpus, text=text, id=id, unit=unit, skip_bad=skip_bad),
        _settings(settings, changes),
        thresholds=thresholds,
        against=(
            open_corpus(
                against,
                text=against_text or text,
                id=against_id or id,
                unit=unit,
                skip_bad=skip_bad,
            )
            if against is not None
            else None
        ),
        keep=keep,
        output=output,
        jobs=_jobs(jobs),
        memory=memory_budget(memory),
        progress=progress,
    )
    if output is not None:
        result.write(output, progress)
    return result


def save(
    result: Check | Match | Matches | Deduped | Batch,
    path: str | Path,
    *,
    language: Language | None = None,
    progress: Progress | None = None,
) -> None:
    """Write a report; the ending of its name says how: .html, .pdf, .docx, .json or .csv.

    Its language is en, ru or kk: that of the system by default, and a page speaks its reader's.
    """
    ensure_writable(path)
    view: View
    if isinstance(result, Check):
        view = view_of_check(result)
    elif isinstance(result, Matches):
        view = view_of_matches(result, progress=progress)
    elif isinstance(result, Match):
        view = view_of_pair(result)
    elif isinstance(result, Deduped):
        view = view_of_dedup(result)
    else:
        view = _view_of_batch(result, progress)
    write_view(view, path, language)


def _view_of_batch(result: Any, progress: Progress | None) -> View:
    # The database's modules are loaded by those who have a library.
    from likewise.library import Batch, batch_view

    if isinstance(result, Batch):
        return batch_view(result, progress)
    raise BadInput(
        "a report is made of what check, compare, find, cross or dedup return, not of "
        f"{type(result).__name__}"
    )


def _documents(
    source: Any, progress: Progress | None, jobs: int | None, cache: bool
) -> tuple[Sequence[Document], list[Unread]]:
    if isinstance(source, str | Path):
        return read_folder(source, progress, jobs=_jobs(jobs), cache=cache)
    documents = list(source) if isinstance(source, Iterable) else [source]
    for document in documents:
        if not isinstance(document, Document):
            kind = type(document).__name__
            raise BadInput(f"a folder or documents are needed, not {kind}; see Document.from_text")
    return documents, []


def _read_any(
    source: Any, progress: Progress | None, jobs: int | None, cache: bool, ocr: tuple[str, ...]
) -> tuple[Sequence[Document], list[Unread]]:
    """Documents of a folder or an archive, or the one in a file."""
    if not isinstance(source, str | Path):
        return _documents(source, progress, jobs, cache)
    path = Path(source)
    if not path.is_dir() and archive_at(path, Limits()) is None:
        return [read(path, cache=cache, ocr=ocr)], []
    return read_folder(path, progress, jobs=_jobs(jobs), cache=cache, ocr=ocr)


def _told_apart(
    a: Any, b: Any, ours: Sequence[Document], theirs: Sequence[Document]
) -> tuple[Sequence[Document], Sequence[Document]]:
    """Both sides by names of their own, and no file beside itself in the folder it lies in."""
    if isinstance(a, str | Path) and isinstance(b, str | Path):
        one, two = Path(a), Path(b)
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

    first, second = _labels(a, b)
    return renamed(ours, first, a), renamed(theirs, second, b)


def _settings(settings: Any, changes: dict[str, Any]) -> Settings:
    if settings is None:
        settings = Settings()
    if not isinstance(settings, Settings):
        raise BadSettings(f"settings takes Settings(...), not {type(settings).__name__}")
    return settings.but(**changes)


def _jobs(jobs: int | None) -> int:
    if jobs is None:
        return cores()
    if not isinstance(jobs, int) or jobs < 1:
        raise BadSettings(f"jobs is {jobs!r}; it takes a whole number from 1 on")
    return jobs


def _labels(left: Source, right: Source) -> tuple[str, str]:
    if isinstance(left, str | Path) and isinstance(right, str | Path):
        return labels(Path(left), Path(right))
    return "a", "b"
