"""Which providers there are, and those that an environment has keys for, asked all at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from itertools import zip_longest
from typing import NamedTuple
from urllib.parse import urlsplit

from likewise.internet.addresses import Resolver, system_resolver
from likewise.internet.errors import ProviderFailed
from likewise.internet.model import FetchLimits, Result, SentQuery
from likewise.internet.providers.arxiv import ArXiv
from likewise.internet.providers.bing import Bing
from likewise.internet.providers.brave import Brave
from likewise.internet.providers.core import CORE
from likewise.internet.providers.crossref import Crossref
from likewise.internet.providers.google import Google
from likewise.internet.providers.openalex import OpenAlex
from likewise.internet.providers.provider import LIMITS, Provider
from likewise.internet.providers.searxng import SearXNG
from likewise.internet.providers.yandex import Yandex
from likewise.model import Message


class Kind(NamedTuple):
    """A kind of provider, and the variables of the environment that turn it on.

    `LIKEWISE_<NAME>_KEY` is its key, `LIKEWISE_<NAME>_URL` another place where its API is spoken.
    """

    make: type[Provider]
    name: str
    switch: str  # the variable without which it is not asked
    about: str
    also: str = ""  # a variable that it needs beside the key

    @property
    def fields(self) -> tuple[str, ...]:
        """All variables that it needs, without the `LIKEWISE_` before them.

        >>> [kind.fields for kind in KINDS if kind.name in ("BRAVE", "BING", "ARXIV")]
        [('BRAVE_KEY',), ('BING_KEY', 'BING_URL'), ('MAILTO',)]
        """
        own_place = () if self.make.home or self.switch.endswith("_URL") else (f"{self.name}_URL",)
        return (self.switch, *((self.also,) if self.also else ()), *own_place)


_MAIL = "your e-mail address: Crossref and arXiv (scholarly) ask for no key"
KINDS = (
    Kind(SearXNG, "SEARXNG", "SEARXNG_URL", "SearXNG: the address of your own search engine"),
    Kind(Brave, "BRAVE", "BRAVE_KEY", "Brave Search"),
    Kind(
        Google,
        "GOOGLE",
        "GOOGLE_KEY",
        "Google Programmable Search, with LIKEWISE_GOOGLE_ENGINE",
        also="GOOGLE_ENGINE",
    ),
    Kind(
        Yandex,
        "YANDEX",
        "YANDEX_KEY",
        "Yandex Search API, with LIKEWISE_YANDEX_FOLDER",
        also="YANDEX_FOLDER",
    ),
    Kind(Bing, "BING", "BING_KEY", "a service that speaks as Bing did, with LIKEWISE_BING_URL"),
    Kind(OpenAlex, "OPENALEX", "OPENALEX_KEY", "OpenAlex (scholarly; the key is free)"),
    Kind(CORE, "CORE", "CORE_KEY", "CORE (scholarly, full texts)"),
    Kind(Crossref, "CROSSREF", "MAILTO", _MAIL),
    Kind(ArXiv, "ARXIV", "MAILTO", _MAIL),
)
VARIABLES: Mapping[str, str] = {f"LIKEWISE_{kind.switch}": kind.about for kind in KINDS}


def available(
    environment: Mapping[str, str] = os.environ,
    *,
    limits: FetchLimits = LIMITS,
    resolve: Resolver = system_resolver,
) -> list[Provider]:
    """The providers that can be asked, by the variables that are set (`VARIABLES`).

    >>> available({"LIKEWISE_SEARXNG_URL": "http://localhost:8888"})
    [<SearXNG at localhost>]
    """
    return [
        make_provider(kind, environment, limits=limits, resolve=resolve)
        for kind in KINDS
        if is_set(kind, environment)
    ]


def is_set(kind: Kind, environment: Mapping[str, str]) -> bool:
    """Whether the variable that turns a provider on is set."""
    return bool(_value(environment, kind.switch))


def make_provider(
    kind: Kind,
    environment: Mapping[str, str],
    *,
    limits: FetchLimits = LIMITS,
    resolve: Resolver = system_resolver,
) -> Provider:
    """The provider of one kind; `BadSettings` says what of its variables is missing or wrong."""
    make: Callable[..., Provider] = kind.make  # some need one value more
    return make(
        _value(environment, f"{kind.name}_KEY"),
        *((_value(environment, kind.also),) if kind.also else ()),
        url=_value(environment, f"{kind.name}_URL"),
        contact=_value(environment, "MAILTO"),
        limits=limits,
        resolve=resolve,
    )


def _value(environment: Mapping[str, str], name: str) -> str:
    return environment.get(f"LIKEWISE_{name}", "").strip()


def search_all(
    providers: Sequence[Provider], query: str, count: int = 10
) -> tuple[list[Result], list[SentQuery]]:
    """What all providers find for a query, merged, and what was sent to whom.

    Those that have given up are not asked, and stand in no line of the log.
    """
    active = [provider for provider in providers if not provider.given_up]
    if not active:
        return [], []
    with ThreadPoolExecutor(len(active)) as pool:
        answers = list(pool.map(lambda provider: _search(provider, query, count), active))
    return merged([hits for hits, _ in answers]), [line for _, line in answers]


def _search(provider: Provider, query: str, count: int) -> tuple[list[Result], SentQuery]:
    on, hits = datetime.now(UTC), list[Result]()
    problem: Message | None = None
    try:
        hits = provider.search(query, count)
    except ProviderFailed as error:
        problem = error.message
    sent_query = provider.query(query)
    return hits, SentQuery(provider.name, sent_query, provider.host, on, len(hits), problem)


def merged(lists: Sequence[Sequence[Result]]) -> list[Result]:
    """Results of several providers by their ranks in turn; a page that two found stands once.

    >>> a = Result("https://a.org/", "", "short", "A", 1)
    >>> b = Result("http://a.org", "", "a longer snippet", "B", 1)
    >>> [result.snippet for result in merged([[a], [b]])]
    ['a longer snippet']
    """
    best: dict[str, Result] = {}
    for rank in zip_longest(*lists):
        for result in rank:
            if result is None:
                continue
            page = _page(result.url)
            previous = best.get(page)
            if previous is None:
                best[page] = result
            elif len(result.snippet) > len(previous.snippet):
                best[page] = Result(
                    previous.url, previous.title, result.snippet, previous.provider, previous.rank
                )
    return list(best.values())


def _page(url: str) -> str:
    """What two spellings of one page's URL have in common."""
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").removeprefix("www.").removesuffix(".")
        port = "" if parts.port in (None, 80, 443) else f":{parts.port}"
    except ValueError:
        return url
    query = f"?{parts.query}" if parts.query else ""
    return f"{host}{port}{parts.path.rstrip('/')}{query}"
