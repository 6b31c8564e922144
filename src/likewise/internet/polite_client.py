"""Requests to sites as they wish and as we may: checked, by robots.txt, each in its turn."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from likewise.errors import ReadingError
from likewise.internet.addresses import (
    AllowedHosts,
    Resolver,
    host_of,
    is_public,
    parse_url,
    port_of,
    site_of,
)
from likewise.internet.cache import CachedPage, PageCache
from likewise.internet.errors import NotFetched
from likewise.internet.http_client import PRODUCT, HttpClient, Response
from likewise.internet.model import FetchLimits
from likewise.internet.robots import EVERYTHING, LONGEST, NOTHING, Rules, robots_rules
from likewise.model import Message


class SitePacer:
    """Whose turn it is at each site.

    A site that asks for longer pauses gets them, up to `longest_delay`; one that asked to be left
    alone is left alone.
    """

    def __init__(self, delay_seconds: float, longest_delay_seconds: float) -> None:
        self._delay, self._longest = delay_seconds, longest_delay_seconds
        self._lock = threading.Lock()
        self._locks: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
        self._delays: dict[str, float] = {}
        self._free_at: dict[str, float] = {}
        self._resting: dict[str, tuple[float, Message]] = {}

    def ask_for(self, place: str, delay_seconds: float) -> None:
        """A site's own wish for pauses."""
        self._delays[place] = max(self._delay, min(delay_seconds, self._longest))

    def rest(self, place: str, seconds: float, why: Message) -> None:
        """Leave a site alone for some time."""
        self._resting[place] = time.monotonic() + seconds, why

    def check_rest(self, place: str) -> None:
        """`NotFetched` with the reason where a site is to be left alone."""
        until, why = self._resting.get(place, (0.0, None))
        if why and time.monotonic() < until:
            raise NotFetched(why)

    @contextmanager
    def turn(self, place: str) -> Iterator[None]:
        """Waits for the turn; whatever happens in it, the next comes a pause later."""
        with self._lock:
            lock = self._locks[place]
        with lock:
            pause = self._free_at.get(place, 0.0) - time.monotonic()
            if pause > 0:
                time.sleep(pause)
            self.check_rest(place)
            try:
                yield
            finally:
                self._free_at[place] = time.monotonic() + self._delays.get(place, self._delay)


_MEANINGS = {
    401: "internet.wants_password",
    402: "internet.wants_money",
    403: "internet.no_programs",
    404: "internet.gone",
    410: "internet.gone",
    429: "internet.wants_later",
    451: "internet.legal",
    503: "internet.out_of_service",
}
_LONGEST_REST = 3600.0
_USUAL_REST = 60.0


def refusal_message(status: int) -> Message:
    """What the status of an answer says of a page.

    >>> str(refusal_message(404)), str(refusal_message(206))
    ('there is no such page any more (404)',
    'the site answers with something else than a page (206)')
    """
    key = "internet.no_page"
    if status >= 400:
        usual = "internet.refused" if status < 500 else "internet.fault"
        key = _MEANINGS.get(status, usual)
    return Message(key, {"status": status})


def retry_after_seconds(response: Response) -> float:
    """How long a server wants to be left alone; 0 where it did not say."""
    if response.status not in (429, 503):
        return 0.0
    start_url = response.headers.get("retry-after", "").strip()
    if start_url.isdigit():
        return min(float(start_url[:9]), _LONGEST_REST)
    try:
        until = parsedate_to_datetime(start_url)
        seconds = (until - datetime.now(UTC)).total_seconds()
    except (TypeError, ValueError):
        return _USUAL_REST if response.status == 429 else 0.0
    return max(0.0, min(seconds, _LONGEST_REST))


REDIRECTS = frozenset({301, 302, 303, 307, 308})
_A_DAY = {"cache-control": "max-age=86400"}
_PLAIN = {"Accept-Encoding": "identity"}  # so that the beginning of a long one can be read
_RULES_LAST = 86_400.0  # seconds
_UNTIL_NEXT_TRY = 600.0
_LATER = Message("internet.later")


@dataclass(slots=True)
class RedirectChain:
    """How far we are from the URL that was asked for to the page."""

    url: httpx.URL
    seconds_left: float
    hops: int = 0
    received: int = 0
    by_leave: list[str] = field(default_factory=list)  # places that an administrator allowed


class PoliteClient:
    """Asks sites for pages, hop by hop; every hop is checked as if it were the first."""

    def __init__(
        self,
        limits: FetchLimits,
        cache: PageCache,
        pacer: SitePacer,
        allowed_hosts: Iterable[str],
        resolve: Resolver,
        contact: str,
    ) -> None:
        self._limits, self._cache, self._pacer = limits, cache, pacer
        self._allowed = AllowedHosts(allowed_hosts)
        self._client = HttpClient(limits, self._may_connect, resolve, contact)
        self._rules: dict[str, tuple[Rules, float]] = {}

    def begin(self, url: httpx.URL) -> RedirectChain:
        return RedirectChain(url, self._limits.seconds)

    def ask(self, chain: RedirectChain, headers: Mapping[str, str], **options: Any) -> Response:
        """The response at the place that the redirects have reached; `options` are the client's."""
        url = chain.url
        self._allowed.check_port(url)
        self._pacer.check_rest(site_of(url))
        if not self._rules_of(url).allow(url.raw_path.decode("ascii")):
            raise NotFetched("internet.robots")
        response = self._exchange(chain, headers, **options)
        if pause := retry_after_seconds(response):
            self._pacer.rest(site_of(url), pause, _LATER)
        return response

    def follow(self, chain: RedirectChain, response: Response) -> None:
        """Go where a redirect leads; the checks are made there."""
        chain.hops += 1
        if chain.hops > self._limits.redirects:
            raise NotFetched("internet.redirects", n=self._limits.redirects)
        chain.url = _redirected(chain.url, response)

    def cached_page_for(self, url: str) -> CachedPage | None:
        """The page in the cache, where today's settings would let it be fetched."""
        page = self._cache.get(url)
        if page is None:
            return None
        for place in page.by_leave:
            host, _, port = place.rpartition(":")
            if not self._allowed.has(host, int(port)):
                return None
        return page

    def _exchange(
        self, chain: RedirectChain, headers: Mapping[str, str], **options: Any
    ) -> Response:
        """One hop; all hops together take no longer than the limit, waiting for turns aside."""
        with self._pacer.turn(site_of(chain.url)):
            began = time.monotonic()
            remaining_seconds = max(chain.seconds_left, 0.0)
            response = self._client.ask(chain.url, headers, seconds=remaining_seconds, **options)
        chain.seconds_left -= time.monotonic() - began
        chain.received += response.received
        if self._allowed.has(host_of(chain.url), port_of(chain.url)):
            chain.by_leave.append(site_of(chain.url))
        return response

    def _rules_of(self, url: httpx.URL) -> Rules:
        site = f"{url.scheme}://{site_of(url)}"
        rules, until = self._rules.get(site, (EVERYTHING, 0.0))
        if time.monotonic() >= until:
            try:
                rules = self._ask_for_rules(url)
            except NotFetched as error:  # it cannot be reached; nor can its other pages
                self._pacer.rest(site_of(url), _UNTIL_NEXT_TRY, error.message)
                raise
            lasts = _UNTIL_NEXT_TRY if rules is NOTHING else _RULES_LAST
            self._rules[site] = rules, time.monotonic() + lasts
            self._pacer.ask_for(site_of(url), rules.delay_seconds)
        return rules

    def _ask_for_rules(self, url: httpx.URL) -> Rules:
        """What robots.txt says; a site that has none allows all, one that is ill nothing."""
        chain = self.begin(url.copy_with(raw_path=b"/robots.txt"))
        start_url = str(chain.url)
        if (page := self.cached_page_for(start_url)) and page.is_fresh:
            return _rules_in(page.body)
        try:
            while True:
                self._allowed.check_port(chain.url)
                response = self._exchange(chain, _PLAIN, most_bytes=LONGEST, cut=True)
                if response.status not in REDIRECTS:
                    break
                self.follow(chain, response)
        except NotFetched:
            if chain.hops:  # the site answers, and sends us where we do not go
                return NOTHING
            raise
        if response.status == 429 or response.status >= 500:
            return NOTHING
        body = response.body if response.status == 200 else b""
        self._cache.put(cached_page(start_url, chain, body, _A_DAY))
        return _rules_in(body)

    def _may_connect(self, host: str, port: int, address: str) -> bool:
        return is_public(address) or self._allowed.has(host, port)


def _rules_in(body: bytes) -> Rules:
    try:
        return robots_rules(body, PRODUCT) if body else EVERYTHING
    except ReadingError:
        return NOTHING  # what cannot be understood allows nothing


def cached_page(
    start_url: str, chain: RedirectChain, body: bytes, headers: Mapping[str, str]
) -> CachedPage:
    """A page as the cache keeps it, at the end of its redirects."""
    return CachedPage(
        start_url,
        str(chain.url),
        datetime.now(UTC),
        body,
        headers.get("content-type", ""),
        headers.get("etag", ""),
        headers.get("last-modified", ""),
        headers.get("cache-control", "").lower(),
        tuple(chain.by_leave),
    )


def _redirected(url: httpx.URL, response: Response) -> httpx.URL:
    """Where a redirect leads, checked as if somebody had asked for it."""
    location = response.headers.get("location", "")
    if not location:
        raise NotFetched("internet.redirect_nowhere")
    try:
        location = location.encode("latin-1").decode("utf-8")
        target = parse_url(str(url.join(location)))
    except (UnicodeError, httpx.InvalidURL, ValueError):
        raise NotFetched("internet.redirect_bad") from None
    except NotFetched as error:
        raise NotFetched("internet.redirect_forbidden", why=error.message) from None
    if url.scheme == "https" and target.scheme == "http":
        raise NotFetched("internet.downgrade")
    return target
