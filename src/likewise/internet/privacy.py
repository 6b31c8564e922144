"""What leaves the machine, said before it does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from likewise.internet.model import Sent
from likewise.internet.queries import QUERY_WORDS
from likewise.model import Message

NOTHING_ELSE = Message("internet.nothing_else")


class Asking(Protocol):
    """Somebody who is asked, and what he is sent."""

    @property
    def sent(self) -> Sent: ...


def what_is_sent(providers: Sequence[Asking], budget: int) -> tuple[Sent, ...]:
    """What will be sent to whom, one line for each provider."""
    return tuple(replace(one.sent, what=_counted(one.sent.what, budget)) for one in providers)


def _counted(what: Message, budget: int) -> Message:
    return Message("internet.sends_counted", {"what": what, "n": budget, "most": QUERY_WORDS})
