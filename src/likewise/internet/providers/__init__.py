"""Who can be asked for pages: search engines and catalogues, each in a file of its own."""

from likewise.internet.providers.asking import merged, search_all
from likewise.internet.providers.available import VARIABLES, available
from likewise.internet.providers.provider import Provider

__all__ = ["VARIABLES", "Provider", "available", "merged", "search_all"]
