"""Documents against many, and where each piece of their text comes from.

`check` takes a folder or documents, `check_in_library` a library, `check_on_web` the Internet with
or without one, `check_batch` many documents at once. Modules of libraries and of the Internet are
loaded by those who ask them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, Unpack

from likewise.align import CheckOptions, check_against, wordings_of
from likewise.align.check import FEWEST_WORDS
from likewise.align.exclude import Exclusions
from likewise.errors import BadInput
from likewise.front.arguments import (
    Source,
    names_settings,
    read_document,
    read_paths,
    read_source,
    workers,
)
from likewise.model import WORDINGS, Check, Document, ensure_text
from likewise.progress import Progress
from likewise.reading import ReadOptions, is_file_of
from likewise.reading.request import LANGUAGES
from likewise.settings import Changes, Settings, settings_from
from likewise.tables import check_with_tables

if TYPE_CHECKING:
    from likewise.internet import Plan, Provider
    from likewise.library import Batch, Filters, Library, PartnerLibrary, SimilarDocuments
    from likewise.results import Level

DocumentSource = str | Path | Document


@names_settings
def check(
    document: DocumentSource,
    against: Source,
    *,
    name: str | None = None,
    exclusions: Exclusions | None = None,
    templates: Iterable[DocumentSource] = (),
    skip: Iterable[str] = (),
    min_words: int = FEWEST_WORDS,
    count: Iterable[str] = WORDINGS,
    by_meaning: bool = True,
    insist: bool = False,
    partners: Sequence[PartnerLibrary] = (),
    settings: Settings | None = None,
    jobs: int | None = None,
    cache: bool = True,
    ocr: tuple[str, ...] = LANGUAGES,
    verify: bool = False,
    progress: Progress | None = None,
    **changes: Unpack[Changes],
) -> Check:
    """One document against many: its sources, each character counted once, and its shares.

    A file is called by its own `name` unless it is given one, and is not compared with itself in
    its folder. What is in `exclusions` and `templates` does not count, a source called in `skip` is
    not compared, and a passage of fewer than `min_words` words is shown only. Of what is similar
    only the wordings in `count` count: "word_for_word", "reworded", "translated". What the words do
    not explain is looked for `by_meaning` too. Where nothing can be compared there is nothing to
    show, or an error for those who `insist`.

    >>> text = "The caravan crossed the pass before the first snow fell on the northern slopes."
    >>> source = Document.from_text(f"They say: {text[:-1]}, and rested.", name="source")
    >>> result = check(Document.from_text(text, name="essay"), [source])
    >>> [(found.name, len(found.passages)) for found in result.sources]
    [('source', 1)]
    """
    used_settings = settings_from(settings, changes)
    reading = ReadOptions(cache=cache, ocr=ocr, verify=verify, jobs=workers(jobs))
    options = replace(
        _options(exclusions, _templates(templates, reading), min_words, count, by_meaning),
        skip=tuple(skip),
    )
    one = read_document(document, reading, name)
    collection = read_source(against, reading, progress)
    others = collection.documents
    if isinstance(document, str | Path) and isinstance(against, str | Path):
        others = [o for o in others if not is_file_of(Path(document), Path(against), o)]
    if insist:
        if unknown := sorted(set(options.skip) - {other.name for other in others}):
            raise BadInput("core.no_source", option="skip", name=unknown[0], place=str(against))
        ensure_text(one)
    result = check_against(
        one, others, used_settings, options, unread=collection.unread, progress=progress
    )
    if insist and not result.documents and not result.skipped:
        if not result.unread:
            raise BadInput("core.nothing_to_compare", about=against)
        first = result.unread[0]
        raise BadInput(
            "core.nothing_to_compare_why", about=against, name=first.name, why=first.reason
        )
    return _with_partners(check_with_tables(result, others), partners)


def check_in_library(
    document: DocumentSource,
    library: Library,
    *,
    name: str | None = None,
    filters: Filters | None = None,
    exclusions: Exclusions | None = None,
    templates: Iterable[DocumentSource] = (),
    skip: Iterable[str] = (),
    min_words: int = FEWEST_WORDS,
    count: Iterable[str] = WORDINGS,
    by_meaning: bool = True,
    min_share: float = 0.0,
    partners: Sequence[PartnerLibrary] = (),
    cache: bool = True,
    ocr: tuple[str, ...] = LANGUAGES,
    verify: bool = False,
    progress: Progress | None = None,
) -> Check:
    """One document against those of a library that fit, but for the very file that was added.

    Options as of `check`; `skip` calls documents by number or name. A source with less than
    `min_share` of the text is not shown.
    """
    from likewise.library import Filters, note_own_file

    reading = ReadOptions(cache=cache, ocr=ocr, verify=verify)
    options = _options(
        exclusions, _templates(templates, reading), min_words, count, by_meaning, min_share
    )
    one = read_document(document, reading, name)
    ensure_text(one)
    own, skipped = _not_compared(library, document, one, tuple(skip))
    used_filters = replace(filters or Filters(), not_ids=(*own, *skipped))
    result = library.check_by(options, one, used_filters, progress=progress)
    if not result.documents and not skipped:
        _refuse_nothing_to_compare(library, filters, own)
    result = replace(note_own_file(result, own), skipped=tuple(sorted(skip)))
    return _with_partners(result, partners)


def similar_in_library(
    document: DocumentSource,
    library: Library,
    *,
    name: str | None = None,
    filters: Filters | None = None,
    min_percentage: float | None = None,
    level: Level = 99,
    limit: int = 100,
    cache: bool = True,
    ocr: tuple[str, ...] = LANGUAGES,
    verify: bool = False,
    progress: Progress | None = None,
) -> SimilarDocuments:
    """The documents of a library most like one, but for the very file that was added.

    Options as of `Library.similar`.
    """
    from likewise.library import Filters, own_file_note

    one = read_document(document, ReadOptions(cache=cache, ocr=ocr, verify=verify), name)
    ensure_text(one)
    own, _ = _not_compared(library, document, one, ())
    similar = library.similar(
        one,
        replace(filters or Filters(), not_ids=own),
        min_percentage=min_percentage,
        level=level,
        limit=limit,
        progress=progress,
    )
    if not similar.documents:
        _refuse_nothing_to_compare(library, filters, own)
    notes = [*one.notes, *([own_file_note(own)] if own else [])]
    return replace(similar, notes=tuple((one.name, note) for note in notes))


def check_on_web(
    document: DocumentSource,
    providers: Sequence[Provider],
    *,
    name: str | None = None,
    library: Library | None = None,
    filters: Filters | None = None,
    queries: int | None = None,
    other_languages: bool = False,
    keep_pages: bool = False,
    on_plan: Callable[[Plan], None] | None = None,
    exclusions: Exclusions | None = None,
    templates: Iterable[DocumentSource] = (),
    skip: Iterable[str] = (),
    min_words: int = FEWEST_WORDS,
    count: Iterable[str] = WORDINGS,
    by_meaning: bool = True,
    min_share: float = 0.0,
    partners: Sequence[PartnerLibrary] = (),
    settings: Settings | None = None,
    cache: bool = True,
    ocr: tuple[str, ...] = LANGUAGES,
    verify: bool = False,
    progress: Progress | None = None,
) -> Check:
    """One document against the Internet, and a library beside it if there is one.

    Words of the document go to the `providers` and to nobody else; `on_plan` hears of what is sent
    before it is. With `other_languages` some of the words are translated into the other languages
    of the lexicon, to find what the document was translated from. `keep_pages` adds the pages that
    are sources to the library. A library has its own settings; other options as of
    `check_in_library`.
    """
    from likewise.internet import Fetcher, plan_of
    from likewise.internet import check_on_web as check_on
    from likewise.library import Filters, note_own_file

    if other_languages and not by_meaning:
        raise BadInput("internet.languages_by_meaning")
    reading = ReadOptions(cache=cache, ocr=ocr, verify=verify)
    options = _options(
        exclusions, _templates(templates, reading), min_words, count, by_meaning, min_share
    )
    one = read_document(document, reading, name)
    ensure_text(one)
    own: tuple[int, ...] = ()
    used_settings, used_filters = settings or Settings(), filters
    if library is None:
        if skip := tuple(skip):
            raise BadInput("core.skip_without_library", option="skip", name=skip[0])
    else:
        if used_settings != Settings():
            raise BadInput("core.library_words")
        used_settings = library.settings
        own, skipped = _not_compared(library, document, one, tuple(skip))
        used_filters = replace(filters or Filters(), not_ids=(*own, *skipped))
    plan = plan_of(
        one,
        providers,
        budget=queries,
        settings=used_settings,
        library=library,
        other_languages=other_languages,
    )
    if on_plan:
        on_plan(plan)
    result = check_on(
        one,
        providers=providers,
        fetcher=Fetcher.by_environment(),
        library=library,
        settings=used_settings,
        plan=plan,
        filters=used_filters,
        options=options,
        keep_pages=library if keep_pages else None,
        progress=progress,
    )
    result = replace(note_own_file(result, own), skipped=tuple(sorted(skip)))
    return _with_partners(result, partners)


def check_batch(
    paths: Sequence[str | Path],
    library: Library,
    *,
    filters: Filters | None = None,
    exclusions: Exclusions | None = None,
    templates: Iterable[DocumentSource] = (),
    skip: Iterable[str] = (),
    min_words: int = FEWEST_WORDS,
    count: Iterable[str] = WORDINGS,
    by_meaning: bool = True,
    min_share: float = 0.0,
    partners: Sequence[PartnerLibrary] = (),
    jobs: int | None = None,
    cache: bool = True,
    ocr: tuple[str, ...] = LANGUAGES,
    verify: bool = False,
    progress: Progress | None = None,
) -> Batch:
    """Documents of files, folders and archives, each against a library, all against each other.

    Options as of `check_in_library`.
    """
    from likewise.library import Filters, resolve_documents
    from likewise.library import check_batch as check_all

    reading = ReadOptions(cache=cache, ocr=ocr, verify=verify, jobs=workers(jobs))
    options = _options(
        exclusions, _templates(templates, reading), min_words, count, by_meaning, min_share
    )
    skipped = resolve_documents(library, skip)
    documents, unread, paths_by_name = read_paths(paths, reading, progress)
    used_filters = replace(filters or Filters(), not_ids=tuple(skipped))
    batch = check_all(
        library,
        documents,
        used_filters,
        options,
        places=paths_by_name,
        unread=unread,
        progress=progress,
    )
    return replace(batch, checks=tuple(_with_partners(one, partners) for one in batch.checks))


def _options(
    exclusions: Exclusions | None,
    templates: tuple[Document, ...],
    min_words: int,
    count: Iterable[str],
    by_meaning: bool,
    min_share: float = 0.0,
) -> CheckOptions:
    """Without names to skip: a library knows documents by their numbers."""
    return CheckOptions(
        exclusions or Exclusions(),
        templates,
        min_words=min_words,
        min_share=min_share,
        count=wordings_of(count),
        by_meaning=by_meaning,
    )


def _templates(sources: Iterable[DocumentSource], reading: ReadOptions) -> tuple[Document, ...]:
    return tuple(read_document(one, replace(reading, verify=False)) for one in sources)


def _not_compared(
    library: Library, document: DocumentSource, read: Document, skip: Sequence[str]
) -> tuple[tuple[int, ...], list[int]]:
    """The numbers of the very file that is checked, and of what is to be skipped."""
    from likewise.library import find_own_file, resolve_documents

    own: tuple[int, ...] = ()
    if not isinstance(document, Document):
        own = find_own_file(library, read, Path(document))
    return own, resolve_documents(library, skip)


def _refuse_nothing_to_compare(
    library: Library, filters: Filters | None, own: tuple[int, ...]
) -> NoReturn:
    """Say why there is no document to compare with."""
    if filters:
        raise BadInput("core.nothing_fits", about=library.name)
    if own:
        raise BadInput("core.nothing_but_itself", about=library.name)
    raise BadInput("core.nothing_to_compare", about=library.name)


def _with_partners(check: Check, partners: Sequence[PartnerLibrary]) -> Check:
    """The check, and what stands in other institutions."""
    if not partners:
        return check
    from likewise.library import with_partners

    return with_partners(check, partners)
