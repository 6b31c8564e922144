"""Who can be asked for pages: search engines and catalogues, each in a file of its own."""

from likewise.internet.providers.provider import Provider
from likewise.internet.providers.registry import (
    KINDS,
    VARIABLES,
    Kind,
    available,
    is_set,
    make_provider,
    merged,
    search_all,
)

__all__ = [
    "KINDS",
    "VARIABLES",
    "Kind",
    "Provider",
    "available",
    "is_set",
    "make_provider",
    "merged",
    "search_all",
]
