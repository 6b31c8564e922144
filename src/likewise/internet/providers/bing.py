"""Services that speak as the Bing Web Search API v7 did; Microsoft's own ended in August 2025."""

from __future__ import annotations

from typing import Any, ClassVar

from likewise.errors import BadSettings
from likewise.internet.errors import ProviderFailed
from likewise.internet.http_client import Response
from likewise.internet.providers.parsing import SearchHit, items, read_json, text_at
from likewise.internet.providers.provider import Provider, Request, message_in


class Bing(Provider):
    """learn.microsoft.com/bing/search-apis: queries below 1,500 characters, up to 50 results."""

    name: ClassVar[str] = "Bing-compatible"
    key_name: ClassVar[str] = "LIKEWISE_BING_KEY"
    longest_query_chars: ClassVar[int] = 1000
    most_results: ClassVar[int] = 50

    def __init__(self, key: str = "", *, url: str = "", **options: Any) -> None:
        if not url:
            raise BadSettings("internet.bing_ended", name="LIKEWISE_BING_URL")
        super().__init__(key, url=url, **options)

    def _request(self, query: str, count: int) -> Request:
        parameters: dict[str, str | int] = {
            "q": query,
            "count": count,
            "responseFilter": "Webpages",
            "safeSearch": "Off",
            "textDecorations": "false",
        }
        return Request("/v7.0/search", parameters, {"Ocp-Apim-Subscription-Key": self._key})

    def _results(self, body: bytes) -> list[SearchHit]:
        reply = read_json(body)
        if "_type" not in reply and "webPages" not in reply:
            raise ValueError("no answer to a search")
        return [
            SearchHit(text_at(item, "url"), text_at(item, "name"), text_at(item, "snippet"))
            for item in items(reply, "webPages", "value")
        ]

    def _refused(self, response: Response) -> ProviderFailed:
        # 403 is said of keys without the right and of spent quotas alike.
        if response.status == 403 and "quota" in message_in(response).lower():
            return self._quota_reached()
        if response.status == 429 and self._wait(response) is not None:
            return ProviderFailed("internet.too_fast")
        return super()._refused(response)
