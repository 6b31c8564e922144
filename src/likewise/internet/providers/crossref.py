"""Crossref, what publishers say of their works: titles and some abstracts, no full text."""

from __future__ import annotations

from typing import Any, ClassVar

from likewise.internet.providers.parsing import SearchHit, items, read_json, text_at
from likewise.internet.providers.provider import Provider, Request
from likewise.model import Message

_FIELDS = "DOI,URL,title,abstract,link,resource"


class Crossref(Provider):
    """www.crossref.org/documentation/retrieve-metadata/rest-api: no key, but an e-mail address.

    Who gives one is in the polite pool; 429 says that it was asked too fast.
    """

    name: ClassVar[str] = "Crossref"
    home: ClassVar[str] = "https://api.crossref.org"
    key_name: ClassVar[str] = "LIKEWISE_MAILTO"
    longest_query_chars: ClassVar[int] = 500
    most_results: ClassVar[int] = 100
    seconds_between: ClassVar[float] = 0.4  # three list requests a second in the polite pool
    sends: ClassVar[Message] = Message("internet.sends_contact", {"name": "LIKEWISE_MAILTO"})

    def _request(self, query: str, count: int) -> Request:
        parameters: dict[str, str | int] = {
            "query.bibliographic": query,
            "rows": count,
            "select": _FIELDS,
        }
        if self._contact:
            parameters["mailto"] = self._contact
        return Request("/works", parameters)

    def _results(self, body: bytes) -> list[SearchHit]:
        reply = read_json(body)
        if not isinstance(reply.get("message"), dict):
            raise ValueError("no message")
        return [
            SearchHit(_address(item), text_at(item, "title"), text_at(item, "abstract"))
            for item in items(reply, "message", "items")
        ]


def _address(work: dict[str, Any]) -> str:
    """The full text where a publisher names it, else the page of the work."""
    links = items(work, "link")
    pdf = next((link for link in links if text_at(link, "content-type") == "application/pdf"), None)
    page = text_at(work, "resource", "primary", "URL") or text_at(work, "URL")
    return text_at(pdf, "URL") or page
