"""OpenAlex, a catalogue of scholarly works with abstracts and links to open copies."""

from __future__ import annotations

from typing import Any, ClassVar

from likewise.internet.errors import ProviderFailed
from likewise.internet.http_client import Response
from likewise.internet.providers.parsing import SearchHit, items, read_json, text_at
from likewise.internet.providers.provider import Provider, Request
from likewise.model import Message

_FIELDS = "id,doi,title,abstract_inverted_index,best_oa_location,primary_location"
_MOST_WORDS = 2000  # of an abstract


class OpenAlex(Provider):
    """developers.openalex.org: a key (free) in the URL, 429 once the day's allowance is spent."""

    name: ClassVar[str] = "OpenAlex"
    home: ClassVar[str] = "https://api.openalex.org"
    key_name: ClassVar[str] = "LIKEWISE_OPENALEX_KEY"
    longest_query_chars: ClassVar[int] = 1000
    most_results: ClassVar[int] = 100
    seconds_between: ClassVar[float] = 0.1
    sends: ClassVar[Message] = Message("internet.sends_both", {"name": "LIKEWISE_MAILTO"})

    def _request(self, query: str, count: int) -> Request:
        parameters: dict[str, str | int] = {
            # Signs would be read as filters and wildcards, AND, OR and NOT in capitals as rules.
            "search": query.lower().translate(_WITHOUT_OPERATORS),
            "per_page": count,
            "select": _FIELDS,
            "api_key": self._key,
        }
        if self._contact:
            parameters["mailto"] = self._contact
        return Request("/works", parameters)

    def _refused(self, response: Response) -> ProviderFailed:
        if response.status == 403:  # as its documentation says; 429 is for the day's allowance
            return ProviderFailed("internet.too_fast")
        return super()._refused(response)

    def _results(self, body: bytes) -> list[SearchHit]:
        reply = read_json(body)
        if "results" not in reply:
            raise ValueError("no results")
        return [
            SearchHit(_address(item), text_at(item, "title"), _abstract(item))
            for item in items(reply, "results")
        ]


_WITHOUT_OPERATORS = str.maketrans(dict.fromkeys(":,|!?*~", " "))


def _address(work: dict[str, Any]) -> str:
    """The open copy, else the page of the publisher."""
    places = (
        ("best_oa_location", "pdf_url"),
        ("best_oa_location", "landing_page_url"),
        ("primary_location", "landing_page_url"),
        ("doi",),
        ("id",),
    )
    return next((hits for place in places if (hits := text_at(work, *place))), "")


def _abstract(work: dict[str, Any]) -> str:
    """An abstract from the list of its words and their positions, which is how it is published."""
    index = work.get("abstract_inverted_index")
    if not isinstance(index, dict):
        return ""
    words = [
        (position, word)
        for word, positions in index.items()
        if isinstance(positions, list)
        for position in positions
        if isinstance(position, int)
    ]
    return " ".join(word for _, word in sorted(words)[:_MOST_WORDS])
