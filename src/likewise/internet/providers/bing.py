"""Services that speak as the Bing Web Search API v7 did; Microsoft's own ended in August 2025."""

from __future__ import annotations

from typing import ClassVar

from likewise.internet.errors import ProviderFailed
from likewise.internet.line import Answer
from likewise.internet.providers.provider import Provider, Request, message_in
from likewise.internet.providers.reading import Found, items, read_json, text_at


class Bing(Provider):
    """learn.microsoft.com/bing/search-apis: queries below 1,500 characters, up to 50 results."""

    name: ClassVar[str] = "Bing-compatible"
    key_name: ClassVar[str] = "LIKEWISE_BING_KEY"
    longest_query_chars: ClassVar[int] = 1000
    most_results: ClassVar[int] = 50

    def _request(self, query: str, count: int) -> Request:
        parameters: dict[str, str | int] = {
            "q": query,
            "count": count,
            "responseFilter": "Webpages",
            "safeSearch": "Off",
            "textDecorations": "false",
        }
        return Request("/v7.0/search", parameters, {"Ocp-Apim-Subscription-Key": self._key})

    def _results(self, body: bytes) -> list[Found]:
        told = read_json(body)
        if "_type" not in told and "webPages" not in told:
            raise ValueError("no answer to a search")
        return [
            Found(text_at(item, "url"), text_at(item, "name"), text_at(item, "snippet"))
            for item in items(told, "webPages", "value")
        ]

    def _refused(self, answer: Answer) -> ProviderFailed:
        # 403 is said of keys without the right and of spent quotas alike.
        if answer.status == 403 and "quota" in message_in(answer).lower():
            return self._quota_reached()
        if answer.status == 429 and self._wait(answer) is not None:
            return ProviderFailed("internet.too_fast")
        return super()._refused(answer)
