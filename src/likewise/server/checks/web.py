"""The Internet, where an administrator allows it and somebody is there to be asked.

Providers and their keys stand in the environment of the processes, or were set by administrators;
whether they may be asked, and for classes too, are settings of the site; whether the words of a
document or of a class are sent, the person decides for each check.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import Field

from likewise.errors import BadInput
from likewise.front import CheckOptions
from likewise.library import Batch, BatchSoFar, Candidate, Filters
from likewise.model import Check, Document, Unread
from likewise.progress import Progress
from likewise.server.context import ServerContext
from likewise.server.problems import Problem
from likewise.server.providers.service import asked_providers
from likewise.server.shapes import RequestBody, Shape

if TYPE_CHECKING:
    from likewise.internet import Provider

_WORDS_OF_AN_ESSAY, _WORDS_OF_A_THESIS = 3_000, 30_000


class WebInput(RequestBody):
    """That the Internet is to be asked about a document, and how."""

    queries: int | None = Field(
        default=None, ge=1, le=500, description="for each document; else by its size"
    )
    other_languages: bool = Field(
        default=False,
        description="ask in the other languages of English, Russian and Kazakh too, for what was "
        "translated: words of the document are sent in translation, within the same number of "
        "queries; needs by_meaning",
    )
    keep_pages: bool = Field(default=False, description="pages that are sources are kept too")


class SentShape(Shape):
    """What is sent to whom."""

    provider: str
    host: str
    what: str


class WebShape(Shape):
    """Whether the Internet can be asked, and what is sent where if it is."""

    is_offered: bool
    is_offered_for_classes: bool
    sent: list[SentShape]
    nothing_else: str
    usual_queries: int = Field(description="for a document of some pages, of one provider")
    most_queries: int = Field(description="for a very long one")


def describe_web(context: ServerContext) -> WebShape:
    """What a person is told before anything is sent."""
    settings = context.settings
    providers = asked_providers(context) if settings.may_ask_internet else ()
    if not providers:
        return WebShape(
            is_offered=False,
            is_offered_for_classes=False,
            sent=[],
            nothing_else="",
            usual_queries=0,
            most_queries=0,
        )
    from likewise.internet import NOTHING_ELSE, default_budget

    sent = [
        SentShape(
            provider=one.disclosure.provider,
            host=one.disclosure.host,
            what=str(one.disclosure.what),
        )
        for one in providers
    ]
    return WebShape(
        is_offered=True,
        is_offered_for_classes=settings.classes_may_ask_internet,
        sent=sent,
        nothing_else=str(NOTHING_ELSE),
        usual_queries=default_budget(_WORDS_OF_AN_ESSAY),
        most_queries=default_budget(_WORDS_OF_A_THESIS),
    )


def ensure_may_ask_web(context: ServerContext, *, for_class: bool = False) -> None:
    """Whether a check, or a class, may ask the Internet at all."""
    settings = context.settings
    if not settings.may_ask_internet:
        raise Problem("not allowed", "server.web_not_allowed")
    if for_class and not settings.classes_may_ask_internet:
        raise Problem("not allowed", "server.web_not_for_classes")
    if not asked_providers(context):
        raise Problem("not ready", "server.no_engine", file="docs/internet.md")


def check_with_web(
    context: ServerContext,
    document: Document,
    web_request: Mapping[str, Any],
    keep_in: str,
    kept_by: str,
    filters: Filters,
    options: CheckOptions,
    on_candidates: Callable[[Sequence[Candidate]], None],
    progress: Progress,
) -> Check:
    """A check against the library and the Internet together."""
    options_input = WebInput.model_validate(web_request)
    providers = _providers_now(context, may_ask=context.settings.may_ask_internet)
    from likewise.internet import Fetcher, check_on_web

    return check_on_web(
        document,
        providers=providers,
        fetcher=Fetcher.by_environment(),
        library=context.library,
        budget=options_input.queries,
        other_languages=options_input.other_languages,
        keep_pages=context.library if options_input.keep_pages else None,
        keep_in=keep_in,
        kept_by=kept_by,
        filters=filters,
        options=options,
        on_candidates=on_candidates,
        progress=progress,
    )


def check_class_with_web(
    context: ServerContext,
    documents: Sequence[Document],
    web_request: Mapping[str, Any],
    keep_in: str,
    kept_by: str,
    filters: Filters,
    options: CheckOptions,
    unread: Sequence[Unread],
    progress: Progress,
    so_far: BatchSoFar | None = None,
) -> Batch:
    """A class against the library, itself and the Internet together."""
    options_input, settings = WebInput.model_validate(web_request), context.settings
    may_ask = settings.may_ask_internet and settings.classes_may_ask_internet
    providers = _providers_now(context, may_ask=may_ask)
    from likewise.internet import Fetcher, check_batch_on_web

    return check_batch_on_web(
        context.library,
        documents,
        filters,
        options,
        providers=providers,
        fetcher=Fetcher.by_environment(),
        budget=options_input.queries,
        other_languages=options_input.other_languages,
        keep_pages=context.library if options_input.keep_pages else None,
        keep_in=keep_in,
        kept_by=kept_by,
        handed_in_by=kept_by,
        unread=unread,
        so_far=so_far,
        progress=progress,
    )


def _providers_now(context: ServerContext, *, may_ask: bool) -> Sequence[Provider]:
    """Whom a job asks; it may have waited while the right was withdrawn."""
    if not may_ask:
        raise BadInput("server.web_withdrawn")
    providers = asked_providers(context)
    if not providers:
        raise BadInput("server.no_engine_here")
    return providers
