"""What is asked of the Internet, and what comes back."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from likewise.catalogue import Value
from likewise.model import Asked, Document, Message

__all__ = ["Asked", "Fetched", "Result", "Sent"]


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
class Fetched:
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
class Sent:
    """What will be sent where, to be said before anything is.

    >>> str(Sent("Brave", "api.search.brave.com", Message("internet.sends_key")))
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
