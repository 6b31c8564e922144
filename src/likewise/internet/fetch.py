"""Pages from the web, politely and safely."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import httpx

from likewise.internet.addresses import Resolver, system_resolver
from likewise.internet.cache import Kept, PageCache
from likewise.internet.errors import NotFetched
from likewise.internet.limits import FetchLimits
from likewise.internet.locations import parsed, place_of, shown
from likewise.internet.model import Fetched
from likewise.internet.pages import check_type, document_from
from likewise.internet.polite import Turns
from likewise.internet.statuses import why_refused
from likewise.internet.visits import REDIRECTS, Journey, Visits, kept_page
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
        turns = Turns(delay_seconds, longest_delay_seconds)
        self._visits = Visits(self._limits, self._cache, turns, allowed_hosts, resolve, contact)
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

    def fetch(self, url: str) -> Fetched:
        """The document at a URL, or why there is none. Never raises."""
        final_url, received, now = shown(url), 0, datetime.now(UTC)
        try:
            journey = self._visits.begin(parsed(url))
            try:
                kept, from_cache = self._page(journey)
            finally:
                final_url, received = str(journey.url), journey.received
            with self._reading:
                document = document_from(kept.body, shown(url), kept.content_type, self._limits)
        except NotFetched as error:
            return Fetched(shown(url), final_url, None, error.message, now, received)
        except Exception as error:  # a hostile page may make any library raise anything
            problem = Message("internet.unexpected", {"error": type(error).__name__})
            return Fetched(shown(url), final_url, None, problem, now, received)
        return Fetched(
            shown(url), kept.final_url, document, None, kept.fetched_on, received, from_cache
        )

    def fetch_many(
        self, urls: Iterable[str], tell: Callable[[Fetched], None] | None = None
    ) -> list[Fetched]:
        """Many pages, several sites at once; in the order asked for. `tell` hears of each."""
        wanted = list(urls)
        sites: dict[str, list[int]] = {}
        for number, url in enumerate(wanted):
            sites.setdefault(_site(url), []).append(number)
        fetched: dict[int, Fetched] = {}
        is_over = threading.Event()

        def visit(numbers: list[int]) -> None:
            for number in numbers:
                if is_over.is_set():
                    return
                fetched[number] = self.fetch(wanted[number])
                if tell:
                    tell(fetched[number])

        pool = ThreadPoolExecutor(self._threads)
        try:
            for done in [pool.submit(visit, numbers) for numbers in sites.values()]:
                done.result()
        finally:
            is_over.set()  # somebody may have lost patience
            pool.shutdown(wait=False, cancel_futures=True)
        return [fetched[number] for number in range(len(wanted))]

    def _page(self, journey: Journey) -> tuple[Kept, bool]:
        """The page, and whether it stood in the cache."""
        asked = str(journey.url)
        known = self._visits.known(asked)
        if known and known.is_fresh:
            journey.url = httpx.URL(known.final_url)
            return known, True
        while True:
            is_same = known is not None and known.final_url == str(journey.url)
            headers = {"Accept": _ACCEPT} | dict(known.validators if known and is_same else {})
            answer = self._visits.ask(journey, headers, check=_check_headers)
            if answer.status not in REDIRECTS:
                break
            self._visits.follow(journey, answer)
        if answer.status == 304 and known and is_same:
            kept = known.renewed()
        elif answer.status == 200:
            kept = kept_page(asked, journey, answer.body, answer.headers)
        else:
            raise NotFetched(why_refused(answer.status))
        self._cache.put(kept)
        return kept, answer.status == 304


def _check_headers(headers: Mapping[str, str]) -> None:
    check_type(headers.get("content-type", ""))


def _site(url: str) -> str:
    try:
        return place_of(parsed(url))
    except NotFetched:
        return ""
