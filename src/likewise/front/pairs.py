"""Pairs of documents, inside a collection or between two; two documents; pairs of tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from likewise.align import compare_pair, judge_by_meaning, with_passages
from likewise.errors import BadInput
from likewise.front.arguments import (
    Source,
    names_settings,
    read_any,
    read_document,
    read_source,
    read_two,
    side_labels,
    workers,
)
from likewise.language import borrow_lexicon, words_of
from likewise.machine import memory_budget
from likewise.model import Document, Match, Matches
from likewise.progress import Progress
from likewise.reading import ReadOptions, is_file_of
from likewise.reading.request import LANGUAGES
from likewise.search import SearchOptions, cross_between, find_in
from likewise.settings import Changes, CommonChanges, Settings, settings_from
from likewise.tables import LEAST_SCORE, with_tables
from likewise.tables.documents import TablePairs, pairs_of_tables


@names_settings
def find(
    source: Source,
    *,
    language: str | None = None,
    passages: bool = False,
    by_meaning: bool = True,
    pairs_by_meaning: bool = False,
    settings: Settings | None = None,
    jobs: int | None = None,
    memory: int | None = None,
    cache: bool = True,
    ocr: tuple[str, ...] = LANGUAGES,
    verify: bool = False,
    progress: Progress | None = None,
    **changes: Unpack[Changes],
) -> Matches:
    """Similar pairs inside one collection: a folder, or documents.

    Only documents in `language` are compared, if one is given; `passages` are aligned when they
    are looked at, by their words and `by_meaning` where these explain nothing. With
    `pairs_by_meaning` each document is also compared with the ten that are the likeliest to say the
    same in other words, and what has such a passage is a match too: these come last. `jobs` are
    threads and `memory` is in bytes: neither changes the answer. `cache`, `ocr` and `verify` say
    how files are read. Every setting can be given by its name.

    >>> texts = {"a": "one two three four five six", "b": "zero one two three four five", "c": "no"}
    >>> matches = find([Document.from_text(t, name=n) for n, t in texts.items()],
    ...                settings=Settings.plain(shingle=2), threshold=0.6)
    >>> [(match.a, match.b, round(match.jaccard, 2)) for match in matches]
    [('a', 'b', 0.67)]
    """
    options = SearchOptions(settings_from(settings, changes), workers(jobs), memory_budget(memory))
    _ensure_by_meaning(by_meaning, pairs_by_meaning)
    reading = ReadOptions(cache=cache, ocr=ocr, verify=verify, jobs=options.jobs)
    collection = read_source(source, reading, progress, language)
    if pairs_by_meaning:
        options = _with_judge(options, len(collection.documents))
    matches = find_in(
        collection.documents,
        options,
        label=collection.label,
        unread=collection.unread,
        collections=(collection.counts,),
        progress=progress,
    )
    matches.by_meaning = by_meaning
    return with_passages(matches) if passages else matches


@names_settings
def cross(
    left: Source,
    right: Source,
    *,
    language: str | None = None,
    passages: bool = False,
    by_meaning: bool = True,
    pairs_by_meaning: bool = False,
    settings: Settings | None = None,
    jobs: int | None = None,
    memory: int | None = None,
    cache: bool = True,
    ocr: tuple[str, ...] = LANGUAGES,
    verify: bool = False,
    progress: Progress | None = None,
    **changes: Unpack[Changes],
) -> Matches:
    """Similar pairs between two collections, each a folder or documents; options as of `find`.

    A name that stands in both is told with its folder, in pairs, clusters, notes and unread files.

    >>> essay = Document.from_text("one two three four five six", name="essay")
    >>> source = Document.from_text("zero one two three four five", name="source")
    >>> matches = cross([essay], [source], settings=Settings.plain(shingle=2), threshold=0.6)
    >>> [(match.a, match.b) for match in matches]
    [('essay', 'source')]
    """
    options = SearchOptions(settings_from(settings, changes), workers(jobs), memory_budget(memory))
    _ensure_by_meaning(by_meaning, pairs_by_meaning)
    reading = ReadOptions(cache=cache, ocr=ocr, verify=verify, jobs=options.jobs)
    ours, theirs = read_two(left, right, reading, progress, language)
    if pairs_by_meaning:
        options = _with_judge(options, len(ours.documents) + len(theirs.documents))
    matches = cross_between(
        ours.documents,
        theirs.documents,
        options,
        labels=(ours.label, theirs.label),
        unread=(*ours.unread, *theirs.unread),
        collections=(ours.counts, theirs.counts),
        progress=progress,
    )
    matches.by_meaning = by_meaning
    return with_passages(matches) if passages else matches


def _ensure_by_meaning(by_meaning: bool, pairs_by_meaning: bool) -> None:
    """Refuse to look for pairs by what their passages are not looked at for."""
    if pairs_by_meaning and not by_meaning:
        raise BadInput("core.pairs_by_meaning")


def _with_judge(options: SearchOptions, documents: int) -> SearchOptions:
    return replace(options, judge=judge_by_meaning(options.settings, max(documents - 1, 1)))


@names_settings
def compare(
    a: str | Path | Document,
    b: str | Path | Document,
    *,
    names: tuple[str, str] | None = None,
    level: int = 99,
    by_meaning: bool = True,
    settings: Settings | None = None,
    cache: bool = True,
    ocr: tuple[str, ...] = LANGUAGES,
    verify: bool = False,
    **changes: Unpack[Changes],
) -> Match:
    """Two documents: every measure, their agreement at a level of 90, 95 or 99 %, and passages.

    Files are called by their own names unless others are given. Passages are looked for by their
    words, and `by_meaning` in what these do not explain: rewritten, summarised, translated.

    >>> a = Document.from_text("The caravan crossed the pass before the first snow.", name="a")
    >>> b = Document.from_text("The caravan crossed the pass before the snow fell.", name="b")
    >>> match = compare(a, b, shingle=2)
    >>> round(match.containment_a, 2), match.scores.interval.level
    (0.5, 99)
    """
    used_settings = settings_from(settings, changes)
    reading = ReadOptions(cache=cache, ocr=ocr, verify=verify)
    one, two = (
        read_document(source, reading, name)
        for source, name in zip((a, b), names or (None, None), strict=True)
    )
    return with_tables(compare_pair(one, two, used_settings, level, by_meaning=by_meaning))


def without_words(match: Match) -> list[str]:
    """The documents of a comparison in which there was nothing to compare."""
    if match.jaccard or match.scores.words or match.documents is None:
        return []
    with borrow_lexicon(match.settings or Settings()) as lexicon:
        return [d.name for d in match.documents if not len(words_of(d.compared_text, lexicon))]


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

    >>> from tempfile import TemporaryDirectory
    >>> rows = ["camels,17,230.5", "tents,42,19.75", "bells,311,3.25"]
    >>> with TemporaryDirectory() as folder:
    ...     a, b = Path(folder, "a.csv"), Path(folder, "b.csv")
    ...     _ = a.write_text("\\n".join(["item,count,price", *rows]))
    ...     _ = b.write_text("\\n".join(["item,count,price", *reversed(rows)]))
    ...     [(pair.a, pair.b, pair.match.rows) for pair in find_tables(a, b, cache=False)]
    [('a.csv', 'b.csv', ((0, 0), (1, 3), (2, 2), (3, 1)))]
    """
    used_settings = settings_from(settings, changes)
    reading = ReadOptions(cache=cache, ocr=ocr, jobs=workers(jobs))
    sides = [read_any(side, reading, progress) for side in (a, b) if side is not None]
    ours, theirs = sides[0].documents, None
    if b is not None:
        ours, theirs = _distinguish(a, b, ours, sides[1].documents)
    return pairs_of_tables(
        ours,
        theirs,
        used_settings,
        threshold=threshold,
        unread=[file for side in sides for file in side.unread],
        progress=progress,
    )


def _distinguish(
    a: Any, b: Any, ours: Sequence[Document], theirs: Sequence[Document]
) -> tuple[Sequence[Document], Sequence[Document]]:
    """Both sides by names of their own, and no file beside itself in the folder it lies in."""
    label_a, label_b = side_labels(a, b)
    if isinstance(a, str | Path) and isinstance(b, str | Path):
        one, two = Path(a), Path(b)
        if one.is_file() and two.is_dir():
            theirs = [other for other in theirs if not is_file_of(one, two, other)]
        elif two.is_file() and one.is_dir():
            ours = [other for other in ours if not is_file_of(two, one, other)]
    names_in_both = {one.name for one in ours} & {one.name for one in theirs}
    if not names_in_both:
        return ours, theirs

    def rename(side: Sequence[Document], label: str, source: Any) -> list[Document]:
        is_file = isinstance(source, str | Path) and [d.name for d in side] == [Path(source).name]
        return [
            replace(d, name=str(source) if is_file else f"{label}/{d.name}")
            if d.name in names_in_both
            else d
            for d in side
        ]

    return rename(ours, label_a, a), rename(theirs, label_b, b)
