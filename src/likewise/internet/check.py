"""A document against the Internet, and against a library beside it: one check of both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from likewise.align import CheckOptions, check_against, without
from likewise.align.check import USUAL
from likewise.align.exclude import CommonRuns
from likewise.catalogue import Value
from likewise.errors import BadInput
from likewise.internet.model import Disclosure, SentQuery
from likewise.internet.providers import Provider, search_all
from likewise.internet.queries import (
    QUERY_WORDS,
    Part,
    Query,
    Word,
    default_budget,
    informative_parts,
    other_budget,
    searched_words,
)
from likewise.internet.source_search import PageFetcher, ResultRanker, SearchOutcome, SourceSearch
from likewise.internet.translation import translate_parts
from likewise.language import Lexicon
from likewise.language.rarity import Rarity
from likewise.model import Check, Document, Kind, Message, Note, Source, Span, Unread
from likewise.progress import Progress
from likewise.settings import Settings
from likewise.tables import check_with_tables

if TYPE_CHECKING:
    from likewise.library import Batch, BatchSoFar, Candidate, Filters, Library

    OnCandidates = Callable[[Sequence[Candidate]], None]

NOTHING_ELSE = Message("internet.nothing_else")

_LANGUAGE_NAMES = {
    "en": Message("language.en"),
    "ru": Message("language.ru"),
    "kk": Message("language.kk"),
}
_NOTHING_IS_COMMON = CommonRuns((), 0)  # pages are found because they share text: that is no form
_ECHO = 0.5  # of what a page retells, counted for it; less, and better sources explain it
_RETOLD: frozenset[Kind] = frozenset({"rewritten", "summarised"})
_LOOSE = 0.3  # a retelling less alike: the likest of all pages on a subject may be that by chance
_SAMPLES, _IN_A_ROW = 10, 10  # documents that say which words are frequent in a library
_SAMPLE_CHARS = 20_000  # of each


@dataclass(frozen=True, slots=True)
class Plan:
    """What will be asked about a document; `disclosures` say so to people before anything is."""

    document: Document
    words: tuple[Word, ...]
    parts: tuple[Part, ...]
    budget: int
    disclosures: tuple[Disclosure, ...]


def plan_of(
    document: Document,
    providers: Sequence[Provider],
    *,
    budget: int | None = None,
    settings: Settings | None = None,
    library: Library | None = None,
    filters: Filters | None = None,
    other_languages: bool = False,
) -> Plan:
    """The queries of a document, before any is sent.

    A library says which words are frequent, and of it the collections of `filters` alone. With
    `other_languages` some of the queries are translated, within the same budget.
    """
    if budget is not None and budget < 1:
        raise BadInput("internet.too_few_queries", n=budget)
    lexicon = Lexicon(settings or Settings())
    rarity = Rarity.shipped()
    if library is not None:
        rarity = rarity.among(_sample(library, filters), lexicon)
    words = tuple(searched_words(document, lexicon, rarity))
    allowed = default_budget(len(words)) if budget is None else budget
    parts = informative_parts(document, words, allowed)
    if other_languages:
        # Every part is asked for in its own words first: of larger parts there are fewer.
        fewer_parts = informative_parts(document, words, allowed - other_budget(allowed))
        translated_parts = translate_parts(document, words, fewer_parts)
        if any(part.translations for part in translated_parts):
            parts = translated_parts
    queries = [query for part in parts for query in (*part.queries, *part.translations)]
    disclosures = _disclosures(providers, queries, allowed)
    return Plan(document, words, parts, allowed, disclosures)


def _disclosures(
    providers: Sequence[Provider], queries: Sequence[Query], budget: int
) -> tuple[Disclosure, ...]:
    """What will be sent to whom, one line for each provider."""
    possible = min(budget, len(queries))
    languages = tuple(sorted({query.language for query in queries} - {""}))
    return tuple(
        replace(one.disclosure, what=_counted(one.disclosure.what, possible, languages))
        for one in providers
    )


def _counted(what: Message, budget: int, languages: Sequence[str]) -> Message:
    values: dict[str, Value] = {"what": what, "n": budget, "most": QUERY_WORDS}
    if not languages:
        return Message("internet.sends_counted", values)
    names = tuple(_LANGUAGE_NAMES[language] for language in languages)
    return Message("internet.sends_translated", values | {"languages": names})


def check_on_web(
    document: Document,
    *,
    providers: Sequence[Provider],
    fetcher: PageFetcher,
    library: Library | None = None,
    settings: Settings | None = None,
    budget: int | None = None,
    plan: Plan | None = None,
    filters: Filters | None = None,
    options: CheckOptions = USUAL,
    other_languages: bool = False,
    keep_pages: Library | None = None,
    keep_in: str = "",
    kept_by: str | None = None,
    on_candidates: OnCandidates | None = None,
    progress: Progress | None = None,
) -> Check:
    """Where the text of a document comes from, as far as providers find the pages.

    Only the words of queries are sent, to the providers given; `Check.asked` tells each of them.
    With `other_languages` they are asked for translations of words as well; a `plan` says for
    itself whether they are.
    With a library, its documents are sources as well, and what they explain is not asked for.
    Pages that are sources are kept in the library `keep_pages`, with address and date, in its
    collection `keep_in`, as handed in by `kept_by`.
    """
    _ensure_askable(providers, options, other_languages)
    using = library.settings if library is not None else settings or Settings()
    plan_to_follow = plan or plan_of(
        document,
        providers,
        budget=budget,
        settings=using,
        library=library,
        filters=filters,
        other_languages=other_languages,
    )

    def beside(pages: Sequence[Document], first: OnCandidates | None = None) -> Check:
        if library is not None:
            return library.check_by(
                options,
                document,
                filters,
                beside=pages,
                on_candidates=first,
                progress=progress,
            )
        outcome = check_against(
            document,
            pages,
            using,
            options,
            common_runs=_NOTHING_IS_COMMON,
            progress=progress,
        )
        return check_with_tables(outcome, pages)

    explained = () if library is None else _explained(beside((), on_candidates))
    outcome = _seek(
        plan_to_follow, using, providers, fetcher, explained, options.by_meaning, progress
    )
    check = _without_echoes(beside(outcome.pages), outcome, plan_to_follow)
    if keep_pages is not None:
        _keep(keep_pages, check, outcome.pages, keep_in, kept_by)
    return check


def check_batch_on_web(
    library: Library,
    documents: Sequence[Document],
    filters: Filters | None = None,
    options: CheckOptions = USUAL,
    *,
    providers: Sequence[Provider],
    fetcher: PageFetcher,
    budget: int | None = None,
    other_languages: bool = False,
    keep_pages: Library | None = None,
    keep_in: str = "",
    kept_by: str | None = None,
    handed_in_by: str | None = None,
    unread: Sequence[Unread] = (),
    so_far: BatchSoFar | None = None,
    progress: Progress | None = None,
) -> Batch:
    """Many documents against a library, each other and the Internet; `budget` is of each of them.

    All ask the same providers and fetch with the same fetcher: whoever has given up is not asked
    for the next document, and a page that two documents hold is fetched once. What a document
    shares with others of the batch is asked for all the same: both may have it from one page.
    """
    from likewise.library import check_batch

    _ensure_askable(providers, options, other_languages)
    pages_of: dict[str, Sequence[Document]] = {}
    done = 0

    def report(_stage: str, _done: int, _total: int) -> None:
        if progress:  # for as long as a document takes, the share of the whole batch
            progress("asking", done, len(documents))

    def search_pages(
        document: Document, of_document: Filters
    ) -> tuple[Sequence[Document], Callable[[Check], Check]]:
        nonlocal done
        plan = plan_of(
            document,
            providers,
            budget=budget,
            library=library,
            settings=library.settings,
            filters=of_document,
            other_languages=other_languages,
        )
        explained = _explained(library.check_by(options, document, of_document))
        outcome = _seek(
            plan, library.settings, providers, fetcher, explained, options.by_meaning, report
        )
        done += 1
        if not outcome.pages:
            return (), lambda check: _with_notes(check, outcome, plan, 0, 0)
        # Before others of the batch are beside them: who has copied the same page explains it, and
        # it would be taken for an echo.
        alone = library.check_by(options, document, of_document, beside=outcome.pages)
        echoes = _echoes(alone, {page.name for page in outcome.pages})
        pages = [page for page in outcome.pages if page.name not in echoes]
        pages_of[document.name] = pages
        return pages, lambda check: _with_notes(check, outcome, plan, len(pages), len(echoes))

    batch = check_batch(
        library,
        documents,
        filters,
        options,
        handed_in_by=handed_in_by,
        unread=unread,
        search_pages=search_pages,
        so_far=so_far,
        progress=progress,
    )
    if keep_pages is not None:  # behind all of them: else pages would be documents of the library
        for check in batch.checks:
            _keep(keep_pages, check, pages_of.get(check.name, ()), keep_in, kept_by)
    return batch


def _ensure_askable(
    providers: Sequence[Provider], options: CheckOptions, other_languages: bool
) -> None:
    if not providers:
        raise BadInput("internet.nobody_to_ask")
    if other_languages and not options.by_meaning:
        raise BadInput("internet.languages_by_meaning")


def _explained(check: Check) -> tuple[Span, ...]:
    """What a library accounts for, and nobody need be asked about."""
    return tuple(span for source in check.sources for span in source.spans)


def _seek(
    plan: Plan,
    settings: Settings,
    providers: Sequence[Provider],
    fetcher: PageFetcher,
    explained: Sequence[Span],
    by_meaning: bool,
    progress: Progress | None,
) -> SearchOutcome:
    lexicon = Lexicon(settings)
    ranking = ResultRanker(plan.words, lexicon, Rarity.shipped())

    def ask(query: str, count: int) -> tuple[list[Any], list[SentQuery]]:
        return search_all(providers, query, count)

    seeking = SourceSearch(
        plan.document,
        plan.words,
        lexicon,
        ranking,
        ask,
        fetcher,
        explained,
        by_meaning=by_meaning,
    )
    return seeking.seek(plan.parts, plan.budget, progress)


def _without_echoes(check: Check, outcome: SearchOutcome, plan: Plan) -> Check:
    """The check without pages that are no sources, and with what was asked."""
    echoes = _echoes(check, {page.name for page in outcome.pages})
    if echoes:
        # No reader of a report took them out.
        check = replace(
            without(check, sources=echoes),
            taken_out=check.taken_out,
            before=check.before,
            documents=check.documents,
        )
    return _with_notes(check, outcome, plan, len(outcome.pages), len(echoes))


def _with_notes(check: Check, outcome: SearchOutcome, plan: Plan, pages: int, echoes: int) -> Check:
    """The check, with what was asked and what of the Internet was not read.

    `pages` were beside it, `echoes` were left out.
    """
    unread = dict.fromkeys(
        Unread(one.provider, one.failure) for one in outcome.asked if one.failure
    )
    notes = []
    if not plan.parts:
        notes.append(Note("not searched", Message("internet.too_little")))
    if echoes:
        notes.append(Note("echoes", Message("internet.echoes", {"n": echoes})))
    return replace(
        check,
        documents=check.documents + outcome.compared - pages,
        unread=(*check.unread, *unread, *outcome.unread),
        notes=(*((check.name, note) for note in notes), *check.notes),
        asked=tuple(outcome.asked),
    )


def _echoes(check: Check, pages: set[str]) -> set[str]:
    """Pages without a word-for-word passage that others explain better, or that retell loosely.

    A search engine picks what is likest of everything on a subject, or in one body of laws: that
    such a page resembles the text says less than it would of a document in a folder.
    """

    def is_echo(source: Source) -> bool:
        kinds = {passage.kind for passage in source.passages}
        if not kinds or "verbatim" in kinds:
            return False
        is_loose = kinds <= _RETOLD and all(p.score < _LOOSE for p in source.passages)
        return is_loose or source.counted < _ECHO * source.share

    return {source.name for source in check.sources if source.name in pages and is_echo(source)}


def _keep(
    library: Library, check: Check, pages: Sequence[Document], collection: str, owner: str | None
) -> None:
    """Pages that hold text of the document, each with its address and the day it was fetched."""
    sources = {source.name for source in check.sources if source.passages}
    for page in pages:
        if page.name in sources:
            on = datetime.fromisoformat(page.meta["fetched"])
            library.add([page], type="web page", added_on=on, collection=collection, owner=owner)


def _sample(library: Library, filters: Filters | None) -> list[str]:
    """The beginnings of documents all over those collections of a library that are meant."""
    collections: Any = {} if filters is None else {"collection": filters.collection}
    total = library.list(limit=1, **collections).total
    step = max(total // _SAMPLES, _IN_A_ROW)
    return [
        library.get(entry.id).compared_text[:_SAMPLE_CHARS]
        for offset in range(0, total, step)
        for entry in library.list(limit=_IN_A_ROW, offset=offset, **collections).entries
    ]
