"""What every provider of search results has in common."""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar
from urllib.parse import quote, quote_plus

import httpx

from likewise.catalogue import Value
from likewise.errors import BadSettings
from likewise.internet.addresses import Resolver, system_resolver
from likewise.internet.errors import NotFetched, ProviderFailed
from likewise.internet.http_client import HttpClient, MayConnect, Response
from likewise.internet.model import Disclosure, FetchLimits, Result
from likewise.internet.providers.parsing import SearchHit, is_address, plain, read_json
from likewise.model import Message
from likewise.reading.request import MB

LIMITS = FetchLimits(
    received_bytes=8 * MB, unpacked_bytes=16 * MB, seconds=20.0, connect_seconds=8.0
)
_PATIENCE = 3  # failures in a row, then it is not asked again
_LONGEST_WAIT = 5.0  # seconds that a query waits where a provider is asked too fast


@dataclass(frozen=True, slots=True)
class Request:
    """What goes to a provider for one query; the key is in no text that people see."""

    path: str
    parameters: Mapping[str, str | int] = field(default_factory=dict, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    content: bytes | None = field(default=None, repr=False)


class Provider(ABC):
    """Someone who answers a query with pages.

    It remembers its failures: after a wrong key, a spent quota or three failures in a row
    `given_up` says why it is not asked again.
    """

    name: ClassVar[str]
    home: ClassVar[str] = ""  # where its API is, where nobody names another place
    key_name: ClassVar[str] = "key"  # the variable to look at when the key is refused
    longest_query_chars: ClassVar[int] = 400
    most_words: ClassVar[int] = 50
    most_results: ClassVar[int] = 20
    seconds_between: ClassVar[float] = 0.0  # two queries, as its rules ask
    sends: ClassVar[Message] = Message("internet.sends_key")

    def __init__(
        self,
        key: str = "",
        *,
        url: str = "",
        contact: str = "",
        limits: FetchLimits = LIMITS,
        resolve: Resolver = system_resolver,
    ) -> None:
        self._key, self._contact = key.strip(), contact.strip()
        if not (self._key.isascii() and self._key.isprintable()):
            raise BadSettings("internet.bad_key", name=self.key_name)
        self._url = _base(url or self.home, self.name)
        self._limits, self._resolve = limits, resolve
        # Whoever runs this named the place: a search engine of one's own is on a private address.
        self.restrict(lambda _host, _port, _address: True)
        self._lock = threading.Lock()
        self._free_at = 0.0
        self._failures = 0
        self.given_up: Message | None = None

    def __repr__(self) -> str:
        return f"<{self.name} at {self.host}>"

    def restrict(self, may_connect: MayConnect) -> None:
        """Reach only addresses that pass: of a place that somebody named who does not run this."""
        self._client = HttpClient(self._limits, may_connect, self._resolve, self._contact)

    @property
    def host(self) -> str:
        """Whom the queries go to."""
        return self._url.host

    @property
    def disclosure(self) -> Disclosure:
        """What will be sent where."""
        return Disclosure(self.name, self.host, self.sends)

    def query(self, query: str) -> str:
        """A query as it will be sent: what a provider refuses for its length is cut off."""
        shortened = ""
        for word in query.split()[: self.most_words]:
            longer = f"{shortened} {word}" if shortened else word
            if len(longer) > self.longest_query_chars:
                break
            shortened = longer
        return shortened or query.strip()[: self.longest_query_chars]

    def search(self, query: str, count: int = 10) -> list[Result]:
        """The pages that a provider finds, best first; `ProviderFailed` says why there are none."""
        if self.given_up:
            raise ProviderFailed(self.given_up, self._about, is_final=True)
        sent_query = self.query(query)
        if not sent_query or count < 1:
            return []
        try:
            hits = self._hits(sent_query, min(count, self.most_results))
        except NotFetched as error:
            raise self._failed(error.message) from error
        except ProviderFailed as error:
            raise self._failed(error.message, is_final=error.is_final) from error
        self._failures = 0
        pages = [page for page in hits if is_address(page.url)][:count]
        return [
            Result(page.url, plain(page.title), plain(page.snippet), self.name, rank)
            for rank, page in enumerate(pages, 1)
        ]

    def _hits(self, query: str, count: int) -> list[SearchHit]:
        request = self._request(query, count)
        response = self._ask(request)
        wait = self._wait(response)
        if wait is not None and wait <= _LONGEST_WAIT:  # asked too fast: once more, later
            time.sleep(wait)
            response = self._ask(request)
        if response.status != 200:
            raise self._refused(response)
        try:
            return self._results(response.body)
        except (ValueError, TypeError, KeyError, AttributeError, LookupError) as error:
            raise ProviderFailed("internet.nonsense") from error

    def _ask(self, request: Request) -> Response:
        with self._lock:
            pause = self._free_at - time.monotonic()
            self._free_at = max(self._free_at, time.monotonic()) + self.seconds_between
        if pause > 0:
            time.sleep(pause)
        path = self._url.path.rstrip("/") + request.path
        url = self._url.copy_with(path=path)
        if request.parameters:
            url = url.copy_merge_params(dict(request.parameters))
        return self._client.ask(
            url,
            {"Accept": "application/json"} | dict(request.headers),
            method="GET" if request.content is None else "POST",
            content=request.content,
        )

    def _refused(self, response: Response) -> ProviderFailed:
        """What a status means, as most providers use them."""
        status = response.status
        if status in (401, 403):
            return self._wrong_key()
        if status in (402, 429):
            return self._quota_reached()
        if 300 <= status < 400:
            return ProviderFailed("internet.elsewhere", status=status, is_final=True)
        if status >= 500:
            return ProviderFailed("internet.its_fault", status=status)
        if quoted := self._quoted(response):
            return ProviderFailed("internet.refuses_because", status=status, why=quoted)
        return ProviderFailed("internet.refuses", status=status)

    def _wrong_key(self) -> ProviderFailed:
        if not self._key:
            return ProviderFailed("internet.not_let_in", is_final=True)
        return ProviderFailed("internet.wrong_key", name=self.key_name, is_final=True)

    def _quota_reached(self) -> ProviderFailed:
        return ProviderFailed("internet.quota", is_final=True)

    def _wait(self, response: Response) -> float | None:
        """Seconds after which the same query may be sent again; None where it may not."""
        retry_after = response.headers.get("retry-after", "")
        return (
            float(retry_after[:9])
            if response.status in (429, 503) and retry_after.isdigit()
            else None
        )

    @property
    def _about(self) -> str:
        return self._without_key(f"{self.name} ({self.host})")

    def _quoted(self, response: Response) -> Message | None:
        """A provider's own words about a fault, where it has some."""
        message = plain(message_in(response))
        return Message.verbatim(self._without_key(message)[:200]) if message else None

    def _without_key(self, text: str) -> str:
        """A text in which the key of the provider is not to be read, whichever way it is quoted.

        >>> from likewise.internet.providers.brave import Brave
        >>> Brave("s e/cret")._without_key("the key s%20e%2Fcret is wrong")
        'the key … is wrong'
        """
        if self._key:
            for spelling in (self._key, quote(self._key, safe=""), quote_plus(self._key)):
                text = text.replace(spelling, "…")
        return text

    def _failed(self, why: Message, *, is_final: bool = False) -> ProviderFailed:
        self._failures += 1
        why = self._scrubbed(why)
        if is_final or self._failures >= _PATIENCE:
            self.given_up = why
        return ProviderFailed(why, self._about, is_final=self.given_up is not None)

    def _scrubbed(self, message: Message) -> Message:
        """The message without the key, whoever's words stand in it."""
        return Message(message.key, {name: self._hide(v) for name, v in message.values.items()})

    def _hide(self, value: Value) -> Value:
        if isinstance(value, Message):
            return self._scrubbed(value)
        return self._without_key(value) if isinstance(value, str) else value

    @abstractmethod
    def _request(self, query: str, count: int) -> Request:
        """How a query is asked."""

    @abstractmethod
    def _results(self, body: bytes) -> list[SearchHit]:
        """What stands in a good answer."""


def message_in(response: Response) -> str:
    """The sentence in an error, in one of the usual places."""
    try:
        reply: Any = read_json(response.body)
    except ValueError:
        return ""
    for name in ("error", "errors"):
        inner = reply.get(name)
        reply = inner[0] if isinstance(inner, list) and inner else inner or reply
        if isinstance(reply, str):
            return reply
        if not isinstance(reply, dict):
            return ""
    for name in ("message", "detail"):
        if isinstance(reply.get(name), str):
            return str(reply[name])
    return ""


def _base(url: str, name: str) -> httpx.URL:
    try:
        base = httpx.URL(url.strip())
        is_usable = base.scheme in ("http", "https") and base.host and not base.userinfo
    except httpx.InvalidURL:
        is_usable = False
    if not is_usable:
        raise BadSettings("internet.bad_url", name=name)
    return base.copy_with(query=None, fragment=None)
