"""The Internet as a collection: queries, providers, fetching, and the check against them."""

from likewise.internet.check import Plan, check_on_web, plan_of
from likewise.internet.errors import NotFetched, ProviderFailed
from likewise.internet.fetch import Fetcher
from likewise.internet.model import Asked, Fetched, Result, Sent
from likewise.internet.privacy import NOTHING_ELSE
from likewise.internet.providers import VARIABLES, Provider, available

__all__ = [
    "NOTHING_ELSE",
    "VARIABLES",
    "Asked",
    "Fetched",
    "Fetcher",
    "NotFetched",
    "Plan",
    "Provider",
    "ProviderFailed",
    "Result",
    "Sent",
    "available",
    "check_on_web",
    "plan_of",
]
