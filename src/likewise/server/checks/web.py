"""The Internet, where an administrator allows it and somebody is there to be asked.

Providers and their keys stand in the environment of the processes; whether they may be asked is a
setting of the site; whether one document's words are sent, the person decides for each check.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import Field

from likewise.errors import BadInput
from likewise.front import CheckOptions
from likewise.library import Candidate, Filters
from likewise.model import Check, Document
from likewise.progress import Progress
from likewise.server.context import ServerContext
from likewise.server.problems import Problem
from likewise.server.shapes import RequestBody, Shape

if TYPE_CHECKING:
    from likewise.internet import Provider


class WebInput(RequestBody):
    """That the Internet is to be asked about a document, and how."""

    queries: int | None = Field(default=None, ge=1, le=500, description="else by its size")
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
    sent: list[SentShape]
    nothing_else: str


def describe_web(context: ServerContext) -> WebShape:
    """What a person is told before anything is sent."""
    providers = _providers() if context.settings.may_ask_internet else ()
    if not providers:
        return WebShape(is_offered=False, sent=[], nothing_else="")
    from likewise.internet import NOTHING_ELSE

    sent = [
        SentShape(
            provider=one.disclosure.provider,
            host=one.disclosure.host,
            what=str(one.disclosure.what),
        )
        for one in providers
    ]
    return WebShape(is_offered=True, sent=sent, nothing_else=str(NOTHING_ELSE))


def ensure_may_ask_web(context: ServerContext) -> None:
    if not context.settings.may_ask_internet:
        raise Problem("not allowed", "server.web_not_allowed")
    if not _providers():
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
    if not context.settings.may_ask_internet:
        raise BadInput("server.web_withdrawn")
    providers = _providers()
    if not providers:
        raise BadInput("server.no_engine_here")
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


def _providers() -> Sequence[Provider]:
    """Those that have a key; none where the package for it is not installed."""
    try:
        from likewise.internet import available
    except ImportError:
        return ()
    return available(os.environ)
