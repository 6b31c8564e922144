"""Requests to sites as they wish and as we may: checked, by robots.txt, each in its turn."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import httpx

from likewise.errors import ReadingError
from likewise.internet.addresses import Resolver, is_public
from likewise.internet.cache import Kept, PageCache
from likewise.internet.errors import NotFetched
from likewise.internet.limits import FetchLimits
from likewise.internet.line import PRODUCT, Answer, Line
from likewise.internet.locations import AllowedHosts, host_of, parsed, place_of, port_of
from likewise.internet.polite import Turns
from likewise.internet.robots import EVERYTHING, LONGEST, NOTHING, Rules, rules_in
from likewise.internet.statuses import rest_seconds
from likewise.model import Message

REDIRECTS = frozenset({301, 302, 303, 307, 308})
_A_DAY = {"cache-control": "max-age=86400"}
_PLAIN = {"Accept-Encoding": "identity"}  # so that the beginning of a long one can be read
_RULES_LAST = 86_400.0  # seconds
_UNTIL_NEXT_TRY = 600.0
_LATER = Message("internet.later")


@dataclass(slots=True)
class Journey:
    """How far we are from the URL that was asked for to the page."""

    url: httpx.URL
    seconds_left: float
    hops: int = 0
    received: int = 0
    by_leave: list[str] = field(default_factory=list)  # places that an administrator allowed


class Visits:
    """Asks sites for pages, hop by hop; every hop is checked as if it were the first."""

    def __init__(
        self,
        limits: FetchLimits,
        cache: PageCache,
        turns: Turns,
        allowed_hosts: Iterable[str],
        resolve: Resolver,
        contact: str,
    ) -> None:
        self._limits, self._cache, self._turns = limits, cache, turns
        self._allowed = AllowedHosts(allowed_hosts)
        self._line = Line(limits, self._may_connect, resolve, contact)
        self._rules: dict[str, tuple[Rules, float]] = {}

    def begin(self, url: httpx.URL) -> Journey:
        return Journey(url, self._limits.seconds)

    def ask(self, journey: Journey, headers: Mapping[str, str], **how: Any) -> Answer:
        """The answer at the place that a journey has reached; `how` is for the line."""
        url = journey.url
        self._allowed.check_port(url)
        self._turns.check_rest(place_of(url))
        if not self._rules_of(url).allow(url.raw_path.decode("ascii")):
            raise NotFetched("internet.robots")
        answer = self._exchange(journey, headers, **how)
        if pause := rest_seconds(answer):
            self._turns.rest(place_of(url), pause, _LATER)
        return answer

    def follow(self, journey: Journey, answer: Answer) -> None:
        """Go where a redirect leads; the checks are made there."""
        journey.hops += 1
        if journey.hops > self._limits.redirects:
            raise NotFetched("internet.redirects", n=self._limits.redirects)
        journey.url = _redirected(journey.url, answer)

    def known(self, url: str) -> Kept | None:
        """The page in the cache, where today's settings would let it be fetched."""
        kept = self._cache.get(url)
        if kept is None:
            return None
        for place in kept.by_leave:
            host, _, port = place.rpartition(":")
            if not self._allowed.has(host, int(port)):
                return None
        return kept

    def _exchange(self, journey: Journey, headers: Mapping[str, str], **how: Any) -> Answer:
        """One hop; all hops together take no longer than the limit, waiting for turns aside."""
        with self._turns.turn(place_of(journey.url)):
            began = time.monotonic()
            left = max(journey.seconds_left, 0.0)
            answer = self._line.ask(journey.url, headers, seconds=left, **how)
        journey.seconds_left -= time.monotonic() - began
        journey.received += answer.received
        if self._allowed.has(host_of(journey.url), port_of(journey.url)):
            journey.by_leave.append(place_of(journey.url))
        return answer

    def _rules_of(self, url: httpx.URL) -> Rules:
        site = f"{url.scheme}://{place_of(url)}"
        rules, until = self._rules.get(site, (EVERYTHING, 0.0))
        if time.monotonic() >= until:
            try:
                rules = self._ask_for_rules(url)
            except NotFetched as error:  # it cannot be reached; nor can its other pages
                self._turns.rest(place_of(url), _UNTIL_NEXT_TRY, error.message)
                raise
            lasts = _UNTIL_NEXT_TRY if rules is NOTHING else _RULES_LAST
            self._rules[site] = rules, time.monotonic() + lasts
            self._turns.ask_for(place_of(url), rules.delay_seconds)
        return rules

    def _ask_for_rules(self, url: httpx.URL) -> Rules:
        """What robots.txt says; a site that has none allows all, one that is ill nothing."""
        journey = self.begin(url.copy_with(raw_path=b"/robots.txt"))
        asked = str(journey.url)
        if (kept := self.known(asked)) and kept.is_fresh:
            return _rules_in(kept.body)
        try:
            while True:
                self._allowed.check_port(journey.url)
                answer = self._exchange(journey, _PLAIN, most_bytes=LONGEST, cut=True)
                if answer.status not in REDIRECTS:
                    break
                self.follow(journey, answer)
        except NotFetched:
            if journey.hops:  # the site answers, and sends us where we do not go
                return NOTHING
            raise
        if answer.status == 429 or answer.status >= 500:
            return NOTHING
        body = answer.body if answer.status == 200 else b""
        self._cache.put(kept_page(asked, journey, body, _A_DAY))
        return _rules_in(body)

    def _may_connect(self, host: str, port: int, address: str) -> bool:
        return is_public(address) or self._allowed.has(host, port)


def _rules_in(body: bytes) -> Rules:
    try:
        return rules_in(body, PRODUCT) if body else EVERYTHING
    except ReadingError:
        return NOTHING  # what cannot be understood allows nothing


def kept_page(asked: str, journey: Journey, body: bytes, headers: Mapping[str, str]) -> Kept:
    """A page as it is to be kept at the end of a journey."""
    return Kept(
        asked,
        str(journey.url),
        datetime.now(UTC),
        body,
        headers.get("content-type", ""),
        headers.get("etag", ""),
        headers.get("last-modified", ""),
        headers.get("cache-control", "").lower(),
        tuple(journey.by_leave),
    )


def _redirected(url: httpx.URL, answer: Answer) -> httpx.URL:
    """Where a redirect leads, checked as if somebody had asked for it."""
    location = answer.headers.get("location", "")
    if not location:
        raise NotFetched("internet.redirect_nowhere")
    try:
        location = location.encode("latin-1").decode("utf-8")
        target = parsed(str(url.join(location)))
    except (UnicodeError, httpx.InvalidURL, ValueError):
        raise NotFetched("internet.redirect_bad") from None
    except NotFetched as error:
        raise NotFetched("internet.redirect_forbidden", why=error.message) from None
    if url.scheme == "https" and target.scheme == "http":
        raise NotFetched("internet.downgrade")
    return target
