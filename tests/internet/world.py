"""A small Internet for tests: pages of every kind on loopback, and a search engine over them."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from likewise.internet import Fetcher, Provider, available

from .loopback import Page, Seen, Site, answer, html, serving

_WORD = re.compile(r"\w+")


@dataclass
class World:
    """Who serves the pages, who answers queries, and what to ask both with."""

    web: Site
    engine: Site
    fetcher: Fetcher
    providers: list[Provider]

    @property
    def queries(self) -> list[str]:
        """What the search engine was asked for, word for word."""
        return [seen.asked["q"] for seen in self.engine.seen]

    @property
    def fetched(self) -> list[str]:
        return [path for path in self.web.paths() if path != "/robots.txt"]


@contextmanager
def world(
    texts: Mapping[str, str],
    cache: Path,
    pages: Mapping[str, Page] | None = None,
    *,
    is_strict: bool = False,
) -> Iterator[World]:
    """An Internet with these texts by their paths; `pages` says how some of them are served.

    A strict engine finds only pages that hold every word asked for.
    """
    served: dict[str, Page] = {
        path: answer(html(text), content_type="text/html; charset=utf-8")
        for path, text in texts.items()
    }
    with serving(served | dict(pages or {})) as web:
        index = _Index({web.url(path): text for path, text in texts.items()}, is_strict)

        def searxng(seen: Seen) -> bytes:
            results = [{"url": u, "title": u, "content": s} for u, s in index.found(seen)]
            return answer(json.dumps({"results": results}), content_type="application/json")

        def brave(seen: Seen) -> bytes:
            results = [{"url": u, "title": u, "description": s} for u, s in index.found(seen)]
            told = {"type": "search", "web": {"results": results}}
            return answer(json.dumps(told), content_type="application/json")

        with serving({"/search": searxng, "/res/v1/web/search": brave}) as engine:
            yield World(
                web,
                engine,
                Fetcher(cache=cache, allowed_hosts=[web.place], delay_seconds=0),
                available({"LIKEWISE_SEARXNG_URL": engine.url()}),
            )


class _Index:
    """Pages by BM25 over any of the words asked for, or over all of them."""

    def __init__(self, texts: Mapping[str, str], is_strict: bool) -> None:
        self._between = " AND " if is_strict else " OR "
        self._database = sqlite3.connect(":memory:", check_same_thread=False)
        self._database.execute("CREATE VIRTUAL TABLE found USING fts5(url UNINDEXED, text)")
        self._database.executemany("INSERT INTO found VALUES (?, ?)", texts.items())

    def found(self, seen: Seen) -> list[tuple[str, str]]:
        words = self._between.join(f'"{word}"' for word in _WORD.findall(seen.asked["q"]))
        statement = (
            "SELECT url, snippet(found, 1, '', '', ' … ', 32) FROM found WHERE found MATCH ?"
            " ORDER BY bm25(found) LIMIT 10"
        )
        return list(self._database.execute(statement, (words,)))
