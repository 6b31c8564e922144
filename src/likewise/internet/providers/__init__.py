"""Who can be asked for pages: search engines and catalogues, each in a file of its own."""

from likewise.internet.providers.provider import Provider
from likewise.internet.providers.registry import VARIABLES, available, merged, search_all

__all__ = ["VARIABLES", "Provider", "available", "merged", "search_all"]
