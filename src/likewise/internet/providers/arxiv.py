"""arXiv, preprints: titles and abstracts are searched."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from likewise.internet.errors import ProviderFailed
from likewise.internet.providers.parsing import SearchHit, read_xml, text_of
from likewise.internet.providers.provider import Provider, Request
from likewise.model import Message

_ATOM = "{http://www.w3.org/2005/Atom}"
_WORD = re.compile(r"\w+")


class ArXiv(Provider):
    """info.arxiv.org/help/api: one query at a time, three seconds between two of them.

    Its faults come as an entry that is called Error in a good answer.
    """

    name: ClassVar[str] = "arXiv"
    home: ClassVar[str] = "https://export.arxiv.org"
    key_name: ClassVar[str] = "LIKEWISE_MAILTO"
    most_words: ClassVar[int] = 12  # all of them must stand in the abstract
    most_results: ClassVar[int] = 50
    seconds_between: ClassVar[float] = 3.0
    sends: ClassVar[Message] = Message("internet.sends_contact", {"name": "LIKEWISE_MAILTO"})

    def _request(self, query: str, count: int) -> Request:
        words = [f"all:{word}" for word in _WORD.findall(query.lower())]
        parameters: dict[str, str | int] = {
            "search_query": " AND ".join(words),
            "start": 0,
            "max_results": count,
        }
        return Request("/api/query", parameters, {"Accept": "application/atom+xml"})

    def _results(self, body: bytes) -> list[SearchHit]:
        feed = read_xml(body)
        if feed.tag != f"{_ATOM}feed":
            raise ValueError("no feed")
        entries = feed.findall(f"{_ATOM}entry")
        for entry in entries:
            if "/api/errors" in text_of(entry, f"{_ATOM}id"):
                message = Message.verbatim(text_of(entry, f"{_ATOM}summary")[:200])
                raise ProviderFailed("internet.refuses_why", why=message)
        return [
            SearchHit(
                _address(entry), text_of(entry, f"{_ATOM}title"), text_of(entry, f"{_ATOM}summary")
            )
            for entry in entries
        ]


def _address(entry: Any) -> str:
    """The PDF, else the page of the abstract."""
    links = {link.get("title"): link.get("href") for link in entry.findall(f"{_ATOM}link")}
    hits = links.get("pdf") or text_of(entry, f"{_ATOM}id")
    return str(hits).strip().replace("http://arxiv.org", "https://arxiv.org")
