"""The small Internet served on loopback: its pages, and a search engine over them.

    python -m bench.making.web_server WORLD.db      prints its address, ends with its input

The engine speaks SearXNG's JSON (`/search`) and Brave's (`/res/v1/web/search`). It ranks by BM25
over any of the words, below `/strict` over all of them, without stems.
"""

from __future__ import annotations

import html
import json
import re
import sqlite3
import sys
import threading
import time
from functools import lru_cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

MOST_RESULTS = 20
SNIPPET_WORDS = 36
SLOW_SECONDS = 0.4
STRICT = "/strict"  # below it the engine finds only pages that hold every word asked for
ROBOTS = "User-agent: *\nDisallow: /private/\n"
ENCODINGS = {"en": ("cp1252",), "ru": ("cp1251", "koi8-r", "utf-16"), "kk": ("utf-16", "utf-8")}
_WORD = re.compile(r"\w+")
_LOCAL = threading.local()
PAGE = """<!DOCTYPE html><html lang="{language}"><head>{meta}<title>{title}</title>
<style>body {{ font-family: serif }}</style><script>var seen = 1;</script></head><body>
<header><a href="/">Home</a> <a href="/news">News</a> <a href="/about">About us</a></header>
<nav><ul><li><a href="/1">First pages</a></li><li><a href="/2">Further pages</a></li></ul></nav>
<main><article><h1>{title}</h1>
{paragraphs}
</article></main>
<aside><h3>Read also</h3><p>Ten things that our readers liked last week.</p></aside>
<footer><p>All rights reserved. Terms of use. Write to the editors.</p></footer></body></html>
"""


class Handler(BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.1"
    world: Path

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        asked = {name: values[0] for name, values in parse_qs(address.query).items()}
        between = " AND " if address.path.startswith(STRICT) else " OR "
        path = address.path.removeprefix(STRICT)
        if path == "/robots.txt":
            self._answer(ROBOTS.encode(), "text/plain")
        elif path == "/search":
            query = asked.get("q", "")
            self._answer_json(searxng(query, self._found(query, between)))
        elif path == "/res/v1/web/search":
            query, count = asked.get("q", ""), int(asked.get("count", MOST_RESULTS))
            self._answer_json(brave(query, self._found(query, between)[:count]))
        else:
            self._serve(path)

    def _serve(self, path: str) -> None:
        _, _, number = path.rpartition("/")
        number = number.partition(".")[0]
        row = number.isdigit() and self._rows("SELECT * FROM pages WHERE id = ?", number)
        if not row:
            self._answer(b"no such page", "text/plain", 404)
            return
        _, language, kind, title, text = row[0]
        if kind == "gone":
            self._answer(b"<h1>Gone</h1>", "text/html", 404)
        elif kind == "broken":
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", "100000")
            self.end_headers()
            self.wfile.write(b"<html><body><p>It begins and")
            self.close_connection = True
        elif kind == "moved" and path.startswith("/moved/"):
            self.send_response(301)
            self.send_header("Location", f"/text/{number}.html")
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif kind == "script":
            page = "<html><body><div id=app></div><script>start()</script></body></html>"
            self._answer(page.encode(), "text/html")
        elif kind == "plain":
            self._answer(text.encode(), "text/plain; charset=utf-8")
        elif kind == "pdf":
            self._answer(pdf_of(title, text), "application/pdf")
        elif kind == "old page":
            self._answer(*old_page(int(number), language, title, text))
        else:
            if kind == "slow":
                time.sleep(SLOW_SECONDS)
            made = html_of(language, title, text, '<meta charset="utf-8">')
            self._answer(made.encode(), "text/html; charset=utf-8")

    def _found(self, query: str, between: str) -> list[dict[str, str]]:
        words = [word for word in _WORD.findall(query) if word]
        if not words:
            return []
        host = self.headers.get("Host", "")
        asked = between.join(f'"{word}"' for word in words)
        rows = self._rows(
            "WITH best AS"
            " (SELECT rowid, rank FROM found WHERE found MATCH ?1 ORDER BY rank LIMIT ?2)"
            " SELECT pages.id, pages.kind, pages.title,"
            f" snippet(found, 1, '', '', ' … ', {SNIPPET_WORDS})"
            " FROM best JOIN pages ON pages.id = best.rowid"
            " JOIN found ON found.rowid = best.rowid AND found MATCH ?1"
            " ORDER BY best.rank, pages.id",
            asked,
            MOST_RESULTS,
        )
        return [
            {"url": f"http://{host}{path_of(number, kind)}", "title": title, "snippet": snippet}
            for number, kind, title, snippet in rows
        ]

    def _rows(self, statement: str, *values: Any) -> list[Any]:
        if not hasattr(_LOCAL, "database"):
            _LOCAL.database = sqlite3.connect(f"file:{self.world}?mode=ro", uri=True)
        return list(_LOCAL.database.execute(statement, values))

    def _answer_json(self, told: dict[str, Any]) -> None:
        self._answer(json.dumps(told, ensure_ascii=False).encode(), "application/json")

    def _answer(self, body: bytes, kind: str, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nobody reads a log here."""


def path_of(number: int, kind: str) -> str:
    """Where a page stands."""
    folder = {"moved": "moved", "private": "private"}.get(kind, "text")
    ending = {"pdf": "pdf", "plain": "txt"}.get(kind, "html")
    return f"/{folder}/{number}.{ending}"


def searxng(query: str, found: list[dict[str, str]]) -> dict[str, Any]:
    """As SearXNG answers with `format=json`."""
    results = [
        {"url": f["url"], "title": f["title"], "content": f["snippet"], "engine": "loopback"}
        for f in found
    ]
    return {"query": query, "number_of_results": len(found), "results": results}


def brave(query: str, found: list[dict[str, str]]) -> dict[str, Any]:
    """As Brave's web search answers."""
    results = [{"url": f["url"], "title": f["title"], "description": f["snippet"]} for f in found]
    return {"type": "search", "query": {"original": query}, "web": {"results": results}}


def html_of(language: str, title: str, text: str, meta: str) -> str:
    """A page as sites make them: ways elsewhere, the text, and what stands on every page."""
    paragraphs = "\n".join(f"<p>{html.escape(part)}</p>" for part in text.split("\n\n"))
    title = html.escape(title)
    return PAGE.format(language=language, meta=meta, title=title, paragraphs=paragraphs)


def old_page(number: int, language: str, title: str, text: str) -> tuple[bytes, str]:
    """A page in another encoding: named in the header, in the page, or not at all."""
    encodings = ENCODINGS[language]
    encoding = encodings[number % len(encodings)]
    named = number % 3
    meta = f'<meta charset="{encoding}">' if named == 1 and encoding != "utf-16" else ""
    data = html_of(language, title, text, meta).encode(encoding, "xmlcharrefreplace")
    return data, f"text/html; charset={encoding}" if named == 0 else "text/html"


@lru_cache(maxsize=400)
def pdf_of(title: str, text: str) -> bytes:
    """The text as a PDF."""
    import typst

    def quoted(part: str) -> str:
        return '#"' + part.replace("\\", "\\\\").replace('"', '\\"') + '"'

    parts = [quoted(part) for part in text.split("\n\n")]
    source = '#set text(font: ("Libertinus Serif", "DejaVu Serif"))\n= ' + quoted(title)
    return bytes(typst.compile((source + "\n\n" + "\n\n".join(parts)).encode()))


def serve(world: Path) -> ThreadingHTTPServer:
    """A server on a free port of loopback."""
    handler = type("Handler", (Handler,), {"world": world})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def main() -> None:
    """Serve until nobody holds the other end of the input."""
    server = serve(Path(sys.argv[1]))
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
