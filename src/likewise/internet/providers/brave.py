"""Brave Search, an index of its own."""

from __future__ import annotations

from typing import ClassVar

from likewise.internet.errors import ProviderFailed
from likewise.internet.http_client import Response
from likewise.internet.providers.parsing import SearchHit, items, read_json, text_at
from likewise.internet.providers.provider import Provider, Request


class Brave(Provider):
    """api-dashboard.search.brave.com: up to 400 characters and 50 words, 20 results.

    A wrong key is answered with 422; 429 is said of too many queries a second and of a spent quota.
    """

    name: ClassVar[str] = "Brave"
    home: ClassVar[str] = "https://api.search.brave.com/res"
    key_name: ClassVar[str] = "LIKEWISE_BRAVE_KEY"

    def _request(self, query: str, count: int) -> Request:
        parameters: dict[str, str | int] = {
            "q": query,
            "count": count,
            "country": "ALL",
            "result_filter": "web",
            "spellcheck": "false",  # the words are those of the document, faults and all
            "text_decorations": "false",
            "safesearch": "off",
        }
        return Request("/v1/web/search", parameters, {"X-Subscription-Token": self._key})

    def _results(self, body: bytes) -> list[SearchHit]:
        reply = read_json(body)
        if reply.get("type") != "search" and "web" not in reply:
            raise ValueError("no answer to a search")
        return [
            SearchHit(text_at(item, "url"), text_at(item, "title"), _snippet(item))
            for item in items(reply, "web", "results")
        ]

    def _refused(self, response: Response) -> ProviderFailed:
        code = _code(response)
        if code.startswith("SUBSCRIPTION_") or (
            response.status == 422 and b"token" in response.body
        ):
            return self._wrong_key()
        if code == "RATE_LIMITED":
            return ProviderFailed("internet.too_fast")
        return super()._refused(response)

    def _wait(self, response: Response) -> float | None:
        return 1.0 if _code(response) == "RATE_LIMITED" else None


def _snippet(item: dict[str, object]) -> str:
    more = item.get("extra_snippets")
    extra = [text for text in more if isinstance(text, str)] if isinstance(more, list) else []
    return " … ".join([text_at(item, "description"), *extra])


def _code(response: Response) -> str:
    """Brave's name for a fault; it stands in `error`, and in `errors` in its documentation."""
    if response.status == 200:
        return ""
    try:
        reply = read_json(response.body)
        errors = items(reply, "errors")
    except ValueError:
        return ""
    return text_at(reply, "error", "code") or (text_at(errors[0], "code") if errors else "")
