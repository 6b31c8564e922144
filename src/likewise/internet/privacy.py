"""What leaves the machine, said before it does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from likewise.internet.model import Sent
from likewise.internet.queries import QUERY_WORDS

NOTHING_ELSE = (
    "Nothing else is sent: no file, no file name, no sentence. Pages that are found are asked for "
    "by their addresses, and their sites see where you ask from."
)


class Asking(Protocol):
    """Somebody who is asked, and what he is sent."""

    @property
    def sent(self) -> Sent: ...


def what_is_sent(providers: Sequence[Asking], budget: int) -> tuple[Sent, ...]:
    """What will be sent to whom, one line for each provider."""
    queries = "1 query" if budget == 1 else f"at most {budget} queries"
    most = f"{queries} of up to {QUERY_WORDS} words"
    return tuple(
        replace(provider.sent, what=f"{provider.sent.what} ({most})") for provider in providers
    )
