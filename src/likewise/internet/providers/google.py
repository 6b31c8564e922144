"""Google Programmable Search; its JSON API closes for everybody on 1 January 2027."""

from __future__ import annotations

from typing import ClassVar

from likewise.errors import BadSettings
from likewise.internet.addresses import Resolver, system_resolver
from likewise.internet.errors import ProviderFailed
from likewise.internet.http_client import Response
from likewise.internet.model import FetchLimits
from likewise.internet.providers.parsing import SearchHit, items, read_json, text_at
from likewise.internet.providers.provider import LIMITS, Provider, Request, message_in


class Google(Provider):
    """developers.google.com/custom-search/v1: up to 10 results and 100 free queries a day.

    The key travels in the query of the URL, so no URL of a request is ever shown or logged.
    """

    name: ClassVar[str] = "Google"
    home: ClassVar[str] = "https://customsearch.googleapis.com"
    key_name: ClassVar[str] = "LIKEWISE_GOOGLE_KEY"
    longest_query_chars: ClassVar[int] = 1000
    most_words: ClassVar[int] = 32  # what follows is ignored
    most_results: ClassVar[int] = 10

    def __init__(
        self,
        key: str,
        engine: str,
        *,
        url: str = "",
        contact: str = "",
        limits: FetchLimits = LIMITS,
        resolve: Resolver = system_resolver,
    ) -> None:
        if not engine.strip():
            raise BadSettings("internet.google_engine", name="LIKEWISE_GOOGLE_ENGINE")
        super().__init__(key, url=url, contact=contact, limits=limits, resolve=resolve)
        self._engine = engine.strip()

    def _request(self, query: str, count: int) -> Request:
        parameters: dict[str, str | int] = {
            "key": self._key,
            "cx": self._engine,
            "q": query,
            "num": count,
        }
        return Request("/customsearch/v1", parameters)

    def _results(self, body: bytes) -> list[SearchHit]:
        reply = read_json(body)
        if "kind" not in reply and "items" not in reply:
            raise ValueError("no answer to a search")
        return [
            SearchHit(text_at(item, "link"), text_at(item, "title"), text_at(item, "snippet"))
            for item in items(reply, "items")
        ]

    def _refused(self, response: Response) -> ProviderFailed:
        message = message_in(response)
        if response.status == 400 and "API key" in message:
            return self._wrong_key()
        if response.status == 403 and ("uota" in message or "imit" in message):
            return self._quota_reached()
        return super()._refused(response)
