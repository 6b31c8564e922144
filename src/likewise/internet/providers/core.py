"""CORE, full texts of open repositories."""

from __future__ import annotations

from typing import Any, ClassVar

from likewise.internet.providers.parsing import SearchHit, items, read_json, text_at
from likewise.internet.providers.provider import Provider, Request


class CORE(Provider):
    """api.core.ac.uk, version 3: a key, and few queries a minute."""

    name: ClassVar[str] = "CORE"
    home: ClassVar[str] = "https://api.core.ac.uk"
    key_name: ClassVar[str] = "LIKEWISE_CORE_KEY"
    most_results: ClassVar[int] = 100
    seconds_between: ClassVar[float] = 2.5  # 25 a minute with a registered key

    def _request(self, query: str, count: int) -> Request:
        parameters: dict[str, str | int] = {
            "q": query.lower().translate(_WITHOUT_OPERATORS),
            "limit": count,
        }
        # Without the slash at its end it answers with a redirect.
        headers = {"Authorization": f"Bearer {self._key}"}
        return Request("/v3/search/works/", parameters, headers)

    def _results(self, body: bytes) -> list[SearchHit]:
        reply = read_json(body)
        if "results" not in reply:
            raise ValueError("no results")
        return [
            SearchHit(_address(item), text_at(item, "title"), text_at(item, "abstract"))
            for item in items(reply, "results")
        ]


_WITHOUT_OPERATORS = str.maketrans(dict.fromkeys(':()[]{}<>"', " "))


def _address(work: dict[str, Any]) -> str:
    link = next((text_at(link, "url") for link in items(work, "links")), "")
    doi = text_at(work, "doi")
    return text_at(work, "downloadUrl") or link or (f"https://doi.org/{doi}" if doi else "")
