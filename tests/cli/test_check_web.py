"""`likewise check --web`: says what it sends, sends it and nothing else, and only when asked."""

import os

import pytest

from tests.align.rendered_texts import SEA, checked, source
from tests.internet.world import world
from tests.texts import MARKET, OWN, RIVER

from .conftest import write

TEXTS = {
    "/river.html": RIVER,
    "/market.html": MARKET,
    "/sea.html": source("en", SEA["en"]),
}


@pytest.fixture
def online(tmp_path, monkeypatch):
    """A small Internet, and an environment that knows its search engine."""
    for name in list(os.environ):
        if name.startswith("LIKEWISE_") and name != "LIKEWISE_CACHE":
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("LIKEWISE_CACHE", str(tmp_path / "cache"))
    with world(TEXTS, tmp_path / "pages") as made:
        monkeypatch.setenv("LIKEWISE_SEARXNG_URL", made.engine.url())
        monkeypatch.setenv("LIKEWISE_PRIVATE_HOSTS", made.web.place)
        yield made


@pytest.fixture
def essay(tmp_path):
    return write(tmp_path / "private-essay.txt", f"{RIVER}\n\n{OWN}")


def test_the_page_that_was_copied_from_is_named(likewise, online, essay):
    ran = likewise("check", essay, "--web")
    assert ran.status == 0, ran.err
    assert "river.html" in ran.out
    assert "market.html" not in ran.out
    assert "Asked on the Internet" in ran.out


def test_what_is_sent_is_said_before(likewise, online, essay):
    ran = likewise("check", essay, "--web", "--quiet", "--queries", "2")
    assert "sending to SearXNG (127.0.0.1): " in ran.err
    assert "at most 2 queries of up to 10 words" in ran.err
    assert "Nothing else is sent" in ran.err
    assert len(online.queries) <= 2


def test_every_query_is_in_the_json_word_for_word(likewise, online, essay):
    (found,) = likewise("check", essay, "--web", "--json").lines
    assert [one["query"] for one in found["asked"]] == online.queries
    assert {one["sent_to"] for one in found["asked"]} == {"127.0.0.1"}
    assert "private-essay" not in str(online.engine.seen) + str(online.web.seen)


def test_without_the_option_nothing_is_sent(likewise, online, essay, tmp_path):
    write(tmp_path / "all" / "river.txt", RIVER)
    assert likewise("check", essay, "--against", tmp_path / "all").status == 0
    assert likewise("add", tmp_path / "all").status == 0
    assert likewise("check", essay).status == 0
    assert not online.engine.seen
    assert not online.web.seen


def test_the_library_counts_too_where_there_is_one(likewise, online, tmp_path):
    write(tmp_path / "all" / "market.txt", MARKET)
    likewise("add", tmp_path / "all", "--library", tmp_path / "campus.db")
    both = write(tmp_path / "both.txt", f"{RIVER}\n\n{MARKET}")
    (found,) = likewise("check", both, "--web", "--library", tmp_path / "campus.db", "--json").lines
    names = {source["name"].rpartition("/")[2] for source in found["sources"]}
    assert names == {"river.html", "market.txt"}
    assert "/market.html" not in online.fetched


def test_pages_are_kept_in_the_library_if_asked(likewise, online, essay, tmp_path):
    place = tmp_path / "campus.db"
    assert likewise("check", essay, "--web", "--keep-pages", "--library", place).status == 0
    ran = likewise("list", "--library", place, "--json")
    assert online.web.url("/river.html") in ran.out
    online.web.seen.clear()
    (found,) = likewise("check", essay, "--library", place, "--json").lines
    assert found["shares"]["similar"] > 0.4
    assert not online.web.seen


def test_queries_in_other_languages_find_what_was_translated(likewise, online, tmp_path):
    essay = write(tmp_path / "essay.txt", checked("ru", SEA["ru"]))
    (found,) = likewise("check", essay, "--web", "--queries", "20", "--json").lines
    assert found["sources"] == []
    assert not any(query.isascii() for query in online.queries)
    online.engine.seen.clear()
    options = ("--web", "--queries", "20", "--other-languages")
    ran = likewise("check", essay, *options, "--json")
    assert "some of them translated: English, Kazakh" in ran.err
    (found,) = ran.lines
    assert [source["name"] for source in found["sources"]] == [online.web.url("/sea.html")]
    assert [one["query"] for one in found["asked"]] == online.queries
    assert any(query.isascii() for query in online.queries)


@pytest.mark.parametrize(
    "ending",
    [pytest.param("html", marks=pytest.mark.bundles), "pdf", "docx", "csv", "json"],
)
def test_a_report_of_every_kind_can_be_asked_for(likewise, online, essay, tmp_path, ending):
    report = tmp_path / f"report.{ending}"
    assert likewise("check", essay, "--web", "--report", report).status == 0
    assert report.stat().st_size > 500


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--queries", "5"), "belong to --web"),
        (("--keep-pages",), "belong to --web"),
        (("--other-languages",), "belong to --web"),
        (("--web", "--other-languages", "--no-by-meaning"), "compared by meaning alone"),
        (("--web", "--provider", "Altavista"), "not among those that have a key: SearXNG"),
        (("--web", "--against", "."), "not with --against"),
        (("--web", "--queries", "0"), "greater than or equal to 1"),
    ],
)
def test_options_that_make_no_sense_are_refused(likewise, online, essay, options, told):
    ran = likewise("check", essay, *options)
    assert ran.status == 2
    assert told in ran.err
    assert not online.engine.seen


def test_without_a_key_it_says_how_to_get_one(likewise, online, essay, monkeypatch):
    monkeypatch.delenv("LIKEWISE_SEARXNG_URL")
    ran = likewise("check", essay, "--web")
    assert ran.status == 2
    assert "LIKEWISE_BRAVE_KEY" in ran.err
    assert "Traceback" not in ran.err


def test_a_search_engine_that_is_not_there_is_named(likewise, online, essay, monkeypatch):
    monkeypatch.setenv("LIKEWISE_SEARXNG_URL", "http://127.0.0.1:9")
    ran = likewise("check", essay, "--web")
    assert ran.status == 0, ran.err
    assert "SearXNG" in ran.out
    assert "refuses connections" in ran.out
