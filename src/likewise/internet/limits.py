"""How far an exchange with a stranger may go."""

from __future__ import annotations

from dataclasses import dataclass

from likewise.errors import BadSettings
from likewise.reading.request import MB, Limits

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
