"""What is asked of the Internet, and what comes back."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from likewise.model import Asked, Document

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
    """A page that was asked for: its document, or the sentence that says why there is none.

    `bytes` is what came over the network, 0 where the page stood in the cache and was not asked
    for again. `final_url` is where the last redirect led.
    """

    url: str
    final_url: str
    document: Document | None = field(repr=False)
    problem: str | None
    fetched_on: datetime  # when the page was as it is here; in UTC
    bytes: int
    from_cache: bool = False


@dataclass(frozen=True, slots=True)
class Sent:
    """What will be sent where, to be said before anything is.

    >>> str(Sent("Brave", "api.search.brave.com", "queries made of words of the document"))
    'to Brave (api.search.brave.com): queries made of words of the document'
    """

    provider: str
    host: str
    what: str

    def __str__(self) -> str:
        return f"to {self.provider} ({self.host}): {self.what}"
