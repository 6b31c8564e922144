"""Several providers asked at once; what one does wrong, the others do not suffer."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from itertools import zip_longest
from urllib.parse import urlsplit

from likewise.internet.errors import ProviderFailed
from likewise.internet.model import Asked, Result
from likewise.internet.providers.provider import Provider
from likewise.model import Message


def search_all(
    providers: Sequence[Provider], query: str, count: int = 10
) -> tuple[list[Result], list[Asked]]:
    """What all providers find for a query, merged, and what was sent to whom.

    Those that have given up are not asked, and stand in no line of the log.
    """
    asked = [provider for provider in providers if not provider.given_up]
    if not asked:
        return [], []
    with ThreadPoolExecutor(len(asked)) as pool:
        answers = list(pool.map(lambda provider: _search(provider, query, count), asked))
    return merged([found for found, _ in answers]), [line for _, line in answers]


def _search(provider: Provider, query: str, count: int) -> tuple[list[Result], Asked]:
    on, found = datetime.now(UTC), list[Result]()
    problem: Message | None = None
    try:
        found = provider.search(query, count)
    except ProviderFailed as error:
        problem = error.message
    sent = provider.query(query)
    return found, Asked(provider.name, sent, provider.host, on, len(found), problem)


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
            known = best.get(page)
            if known is None:
                best[page] = result
            elif len(result.snippet) > len(known.snippet):
                best[page] = Result(
                    known.url, known.title, result.snippet, known.provider, known.rank
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
