"""Pages from the web, politely and safely."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import httpx

from likewise.internet.addresses import Resolver, parse_url, redacted_url, site_of, system_resolver
from likewise.internet.cache import CachedPage, PageCache
from likewise.internet.errors import NotFetched
from likewise.internet.model import FetchedPage, FetchLimits
from likewise.internet.pages import check_type, document_from
from likewise.internet.polite_client import (
    REDIRECTS,
    PoliteClient,
    RedirectChain,
    SitePacer,
    cached_page,
    refusal_message,
)
from likewise.machine import cores
from likewise.model import Message
from likewise.reading.cache import cache_folder

_ACCEPT = "text/html,application/xhtml+xml,application/pdf,text/plain;q=0.9,*/*;q=0.8"


class Fetcher:
    """Fetches pages: by robots.txt, one at a time from each site, with a pause between them.

    No private, loopback or link-local address is ever reached, whatever a name or a redirect leads
    to, unless `allowed_hosts` names the host (`intranet.example`, `127.0.0.1:8080`).
    """

    def __init__(
        self,
        limits: FetchLimits | None = None,
        cache: Path | None = None,
        allowed_hosts: Iterable[str] = (),
        delay_seconds: float = 1.0,
        *,
        longest_delay_seconds: float = 10.0,
        threads: int = 8,
        contact: str = "",
        resolve: Resolver = system_resolver,
    ) -> None:
        self._limits = limits or FetchLimits()
        self._cache = PageCache(cache or cache_folder() / "pages")
        pacer = SitePacer(delay_seconds, longest_delay_seconds)
        self._client = PoliteClient(
            self._limits, self._cache, pacer, allowed_hosts, resolve, contact
        )
        self._threads = threads
        self._reading = threading.BoundedSemaphore(cores())

    @classmethod
    def by_environment(
        cls, environment: Mapping[str, str] = os.environ, limits: FetchLimits | None = None
    ) -> Fetcher:
        """As the administrator set it: LIKEWISE_PRIVATE_HOSTS (with commas), LIKEWISE_MAILTO."""
        allowed = environment.get("LIKEWISE_PRIVATE_HOSTS", "")
        hosts = [host for part in allowed.split(",") if (host := part.strip())]
        return cls(limits, allowed_hosts=hosts, contact=environment.get("LIKEWISE_MAILTO", ""))

    def fetch(self, url: str) -> FetchedPage:
        """The document at a URL, or why there is none. Never raises."""
        final_url, received, now = redacted_url(url), 0, datetime.now(UTC)
        try:
            chain = self._client.begin(parse_url(url))
            try:
                page, from_cache = self._page(chain)
            finally:
                final_url, received = str(chain.url), chain.received
            with self._reading:
                document = document_from(
                    page.body, redacted_url(url), page.content_type, self._limits
                )
        except NotFetched as error:
            return FetchedPage(redacted_url(url), final_url, None, error.message, now, received)
        except Exception as error:  # a hostile page may make any library raise anything
            problem = Message("internet.unexpected", {"error": type(error).__name__})
            return FetchedPage(redacted_url(url), final_url, None, problem, now, received)
        return FetchedPage(
            redacted_url(url), page.final_url, document, None, page.fetched_on, received, from_cache
        )

    def fetch_many(
        self, urls: Iterable[str], tell: Callable[[FetchedPage], None] | None = None
    ) -> list[FetchedPage]:
        """Many pages, several sites at once; in the order asked for. `tell` hears of each."""
        urls_in_order = list(urls)
        sites: dict[str, list[int]] = {}
        for number, url in enumerate(urls_in_order):
            sites.setdefault(_site(url), []).append(number)
        fetched: dict[int, FetchedPage] = {}
        is_over = threading.Event()

        def visit(numbers: list[int]) -> None:
            for number in numbers:
                if is_over.is_set():
                    return
                fetched[number] = self.fetch(urls_in_order[number])
                if tell:
                    tell(fetched[number])

        pool = ThreadPoolExecutor(self._threads)
        try:
            for done in [pool.submit(visit, numbers) for numbers in sites.values()]:
                done.result()
        finally:
            is_over.set()  # somebody may have lost patience
            pool.shutdown(wait=False, cancel_futures=True)
        return [fetched[number] for number in range(len(urls_in_order))]

    def _page(self, chain: RedirectChain) -> tuple[CachedPage, bool]:
        """The page, and whether it stood in the cache."""
        url_text = str(chain.url)
        cached = self._client.cached_page_for(url_text)
        if cached and cached.is_fresh:
            chain.url = httpx.URL(cached.final_url)
            return cached, True
        while True:
            is_same = cached is not None and cached.final_url == str(chain.url)
            headers = {"Accept": _ACCEPT} | dict(cached.validators if cached and is_same else {})
            response = self._client.ask(chain, headers, check=_check_headers)
            if response.status not in REDIRECTS:
                break
            self._client.follow(chain, response)
        if response.status == 304 and cached and is_same:
            page = cached.renewed()
        elif response.status == 200:
            page = cached_page(url_text, chain, response.body, response.headers)
        else:
            raise NotFetched(refusal_message(response.status))
        self._cache.put(page)
        return page, response.status == 304


def _check_headers(headers: Mapping[str, str]) -> None:
    check_type(headers.get("content-type", ""))


def _site(url: str) -> str:
    try:
        return site_of(parse_url(url))
    except NotFetched:
        return ""
