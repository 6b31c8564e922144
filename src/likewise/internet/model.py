"""What is asked of the Internet, what comes back, and how far an exchange may go."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from likewise.catalogue import Value
from likewise.errors import BadSettings
from likewise.model import Document, Message, SentQuery
from likewise.reading.request import MB, Limits

__all__ = ["SentQuery", "FetchedPage", "Result", "Disclosure"]


@dataclass(frozen=True, slots=True)
class Result:
    """A page that a provider found: nobody has fetched it yet.

    `rank` counts from 1, best first.
    """

    url: str
    title: str
    snippet: str
    provider: str
    rank: int


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """A page that was asked for: its document, or why there is none.

    `bytes` is what came over the network, 0 where the page stood in the cache and was not asked
    for again. `final_url` is where the last redirect led.
    """

    url: str
    final_url: str
    document: Document | None = field(repr=False)
    problem: Message | None
    fetched_on: datetime  # when the page was as it is here; in UTC
    bytes: int
    from_cache: bool = False


@dataclass(frozen=True, slots=True)
class Disclosure:
    """What will be sent where, to be said before anything is.

    >>> str(Disclosure("Brave", "api.search.brave.com", Message("internet.sends_key")))
    'to Brave (api.search.brave.com): queries made of words of the document, and the key'
    """

    provider: str
    host: str
    what: Message

    def __str__(self) -> str:
        return str(self.message)

    @property
    def message(self) -> Message:
        where: dict[str, Value] = {"provider": self.provider, "host": self.host}
        return Message("internet.sent_to", where | {"what": self.what})


# For the reader of what is short by its nature: robots.txt, a page of search results.
SHORT_ANSWER = Limits(memory_bytes=1024 * MB, seconds=10.0, total_seconds=10.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchLimits:
    """Bounds that few honest pages meet and no hostile one gets past."""

    received_bytes: int = 32 * MB
    unpacked_bytes: int = 64 * MB
    seconds: float = 30.0  # for the whole of an exchange, not between two bytes
    connect_seconds: float = 10.0
    redirects: int = 5
    reading_seconds: float = 60.0  # for the process that reads the document
    reading_memory_bytes: int = 1536 * MB

    def __post_init__(self) -> None:
        for name in ("received_bytes", "unpacked_bytes", "seconds", "connect_seconds"):
            if getattr(self, name) <= 0:
                value = str(getattr(self, name))
                raise BadSettings("internet.not_positive", name=name, value=value)
        if self.redirects < 0:
            raise BadSettings("internet.negative_redirects", n=self.redirects)
