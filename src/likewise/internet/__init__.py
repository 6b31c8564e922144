"""The Internet as a collection: queries, providers, fetching, and the check against them."""

from likewise.internet.check import NOTHING_ELSE, Plan, check_on_web, plan_of
from likewise.internet.errors import NotFetched, ProviderFailed
from likewise.internet.fetch import Fetcher
from likewise.internet.model import Disclosure, FetchedPage, Result, SentQuery
from likewise.internet.providers import VARIABLES, Provider, available

__all__ = [
    "NOTHING_ELSE",
    "VARIABLES",
    "SentQuery",
    "FetchedPage",
    "Fetcher",
    "NotFetched",
    "Plan",
    "Provider",
    "ProviderFailed",
    "Result",
    "Disclosure",
    "available",
    "check_on_web",
    "plan_of",
]
