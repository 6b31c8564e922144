"""The Internet as a collection: queries, providers, fetching, and the check against them."""

from likewise.internet.addresses import AllowedHosts, is_public
from likewise.internet.check import (
    NOTHING_ELSE,
    Plan,
    check_batch_on_web,
    check_on_web,
    plan_of,
)
from likewise.internet.errors import NotFetched, ProviderFailed
from likewise.internet.fetch import Fetcher
from likewise.internet.model import Disclosure, FetchedPage, Result, SentQuery
from likewise.internet.providers import (
    KINDS,
    VARIABLES,
    Kind,
    Provider,
    available,
    is_set,
    make_provider,
)
from likewise.internet.queries import default_budget

__all__ = [
    "KINDS",
    "NOTHING_ELSE",
    "VARIABLES",
    "AllowedHosts",
    "SentQuery",
    "FetchedPage",
    "Fetcher",
    "Kind",
    "NotFetched",
    "Plan",
    "Provider",
    "ProviderFailed",
    "Result",
    "Disclosure",
    "available",
    "check_batch_on_web",
    "check_on_web",
    "default_budget",
    "is_public",
    "is_set",
    "make_provider",
    "plan_of",
]
