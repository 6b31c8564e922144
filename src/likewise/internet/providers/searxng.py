"""SearXNG, a search engine of one's own that asks others; its JSON has to be switched on."""

from __future__ import annotations

from typing import ClassVar

from likewise.internet.errors import ProviderFailed
from likewise.internet.http_client import Response
from likewise.internet.providers.parsing import SearchHit, items, read_json, text_at
from likewise.internet.providers.provider import Provider, Request
from likewise.model import Message


class SearXNG(Provider):
    """docs.searxng.org/dev/search_api: `formats` in its settings.yml must name json."""

    name: ClassVar[str] = "SearXNG"
    most_results: ClassVar[int] = 50  # a page of it holds what its engines gave
    sends: ClassVar[Message] = Message("internet.sends_engines")

    def _request(self, query: str, count: int) -> Request:
        return Request("/search", {"q": query, "format": "json", "safesearch": 0})

    def _results(self, body: bytes) -> list[SearchHit]:
        reply = read_json(body)
        if "results" not in reply:
            raise ValueError("no results")
        hits = [
            SearchHit(text_at(item, "url"), text_at(item, "title"), text_at(item, "content"))
            for item in items(reply, "results")
        ]
        silent = reply.get("unresponsive_engines")
        if not hits and isinstance(silent, list) and silent:
            raise ProviderFailed("internet.no_engine")
        return hits

    def _refused(self, response: Response) -> ProviderFailed:
        if response.status == 403:
            return ProviderFailed("internet.no_json", is_final=True)
        if response.status == 429:
            return ProviderFailed("internet.limiter", is_final=True)
        return super()._refused(response)
