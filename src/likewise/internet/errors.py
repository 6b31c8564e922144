"""What can go wrong on the Internet."""

from __future__ import annotations

from likewise.catalogue import Message, Value
from likewise.errors import LikewiseError


class ProviderFailed(LikewiseError):
    """A provider gave no answer to a query; `is_final` where asking again would not help."""

    def __init__(
        self,
        key: str | Message,
        /,
        about: object = None,
        *,
        is_final: bool = False,
        **values: Value,
    ) -> None:
        super().__init__(key, about, **values)
        self.is_final = is_final


class NotFetched(LikewiseError):
    """A page was not fetched; the message says why and holds no secret."""
