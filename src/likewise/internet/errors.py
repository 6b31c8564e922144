"""What can go wrong on the Internet, in sentences."""

from __future__ import annotations

from likewise.errors import LikewiseError


class ProviderFailed(LikewiseError):
    """A provider gave no answer to a query; `is_final` where asking again would not help."""

    def __init__(self, message: str, *, is_final: bool = False) -> None:
        super().__init__(message)
        self.is_final = is_final


class NotFetched(LikewiseError):
    """A page was not fetched; the message says why and holds no secret."""
