"""The log of queries: every word that was sent, where to, and what came of it, in every report."""

from __future__ import annotations

import csv
from dataclasses import replace
from datetime import UTC, datetime
from io import StringIO

import pytest

import likewise as lw
from likewise.catalogue import Words
from likewise.model import Document, Message, SentQuery
from likewise.report import view_of_check
from likewise.report.csv import csv_of
from likewise.report.paper import paper_of
from likewise.report.view import CheckView

from .reading import choose_tab
from .texts import OWN, RIVER, document

ON = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
ADDRESS = "https://river.example/a.html"
LOG = (
    SentQuery("SearXNG", "herons <b>priests</b> =1+1", "search.example", ON, 7),
    SentQuery("Brave", "=cmd()", "brave.example", ON, 0, Message("internet.nonsense")),
)


def checked(log: tuple[SentQuery, ...] = LOG) -> CheckView:
    page = Document(ADDRESS, RIVER, meta={"url": ADDRESS, "fetched": ON.isoformat()})
    found = lw.check(document("mine.txt", OWN, RIVER), [page])
    return view_of_check(replace(found, asked=log))


def test_the_page_lists_every_query_and_says_what_was_sent(open_page):
    page = open_page(checked())
    assert "as fetched on" in page.inner_text("main")
    choose_tab(page, "unchecked")
    assert "The Internet was not searched" not in page.inner_text("main")
    choose_tab(page, "details")
    told = page.inner_text("section[aria-labelledby=asked]")
    assert "herons <b>priests</b> =1+1" in told
    assert "SearXNG (search.example)" in told
    assert "it answers with nonsense" in told
    assert "nothing else" in told


def test_a_long_log_is_shown_in_parts(open_page):
    page = open_page(checked(LOG * 30))
    choose_tab(page, "details")
    rows = page.locator("section[aria-labelledby=asked] li")
    assert rows.count() == 21
    rows.last.locator("button").click()
    assert rows.count() == 60


def test_without_a_search_there_is_no_log(open_page):
    page = open_page(checked(()))
    choose_tab(page, "details")
    assert page.locator("section[aria-labelledby=asked]").count() == 0
    choose_tab(page, "unchecked")
    assert "The Internet was not searched" in page.inner_text("main")


@pytest.mark.parametrize("language", ["en", "ru", "kk"])
def test_the_paper_lists_every_query_in_its_language(language):
    words = Words(language)
    paper = str(paper_of(checked(), words))
    assert words("asked.heading") in paper
    assert "SearXNG (search.example)" in paper
    assert words("internet.nonsense") in paper
    assert words("unchecked.internet") not in paper
    assert words("unchecked.internet") in str(paper_of(checked(()), words))


def test_queries_are_rows_of_the_table_and_run_nowhere():
    rows = list(csv.reader(StringIO(csv_of(checked(), "en"))))
    assert len({len(row) for row in rows}) == 1
    queries = [row for row in rows if "query" in row]
    assert len(queries) == 2
    assert "'=cmd()" in queries[1]
