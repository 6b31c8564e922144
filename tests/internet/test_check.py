"""A document against a small real Internet: its verdict, its price, and what it gives away."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from likewise.errors import BadInput
from likewise.internet import available, check_on_web, plan_of
from likewise.library import Library
from likewise.model import Document
from likewise.report import view_of_check, write_view
from likewise.report.storage import pack_check, unpack_check
from tests.texts import MARKET, OWN, RIVER

from .loopback import answer, redirect
from .world import World, world

EXAMPLES = Path(__file__).parents[2] / "examples" / "archive"
ESSAYS = {f"/{path.stem}.html": path.read_text("utf-8") for path in EXAMPLES.glob("*.txt")}
TEXTS = {**ESSAYS, "/river.html": f"{RIVER}\n\n{OWN}", "/market.html": MARKET}
DOCUMENT = Document.from_text(f"{RIVER}\n\n{ESSAYS['/walter-library.html']}", name="mine.txt")
SECRET = Document.from_text(f"Confidential: {OWN}", name="secret-name.txt")


@pytest.fixture
def small(tmp_path: Path) -> Iterator[World]:
    with world(TEXTS, tmp_path / "pages") as made:
        yield made


def sources_of(check) -> set[str]:
    return {s.name.rpartition("/")[2] for s in check.sources if s.passages}


def test_pages_that_were_copied_from_are_the_sources(small: World):
    check = check_on_web(DOCUMENT, providers=small.providers, fetcher=small.fetcher)
    assert sources_of(check) == {"river.html", "walter-library.html"}
    assert check.shares.similar > 0.9
    river = next(source for source in check.sources if "river" in source.name)
    assert river.name == small.web.url("/river.html")
    assert river.passages[0].a.of(DOCUMENT.text).startswith("The river leaves")
    page = check.texts[river.name]
    assert page.meta["url"] == river.name
    assert page.meta["fetched"].startswith("20")


def test_an_edited_copy_is_found_too(small: World):
    words = RIVER.split()
    edited = [word for number, word in enumerate(words) if number % 9] + OWN.split()[:20]
    document = Document.from_text(" ".join(edited))
    check = check_on_web(document, providers=small.providers, fetcher=small.fetcher)
    assert "river.html" in sources_of(check)


def test_an_engine_that_wants_every_word_is_asked_for_fewer(tmp_path: Path):
    text = ESSAYS["/walter-library.html"]
    edited = " ".join(word for number, word in enumerate(text.split()) if number % 9)
    edited = edited.replace("library", "bookroom").replace("catalog", "register")
    changed = [f"{word}x" if n % 11 == 4 else word for n, word in enumerate(edited.split())]
    document = Document.from_text(" ".join(changed))
    with world(TEXTS, tmp_path, is_strict=True) as small:
        check = check_on_web(document, providers=small.providers, fetcher=small.fetcher)
    assert "walter-library.html" in sources_of(check)
    lengths = [len(query.split()) for query in small.queries]
    assert lengths[:2] == [10, 10]
    assert 3 in lengths


def test_text_of_ones_own_has_no_source_and_fetches_nothing(tmp_path: Path):
    with world(ESSAYS, tmp_path) as small:
        document = Document.from_text(OWN)
        check = check_on_web(document, providers=small.providers, fetcher=small.fetcher)
        assert (check.sources, check.shares.similar) == ((), 0)
        assert small.queries
        assert not small.fetched


def test_what_a_page_explains_is_not_asked_for_again(small: World):
    text = ESSAYS["/walter-library.html"]
    possible = sum(len(p.queries) for p in plan_of(Document.from_text(text), ()).parts)
    check = check_on_web(Document.from_text(text), providers=small.providers, fetcher=small.fetcher)
    assert check.shares.similar > 0.9
    assert len(small.queries) < possible / 2
    assert len(small.fetched) == 1


def test_the_budget_is_never_exceeded_and_covers_the_whole_text(small: World):
    check = check_on_web(DOCUMENT, providers=small.providers, fetcher=small.fetcher, budget=2)
    assert len(small.queries) == len(check.asked) == 2
    assert sources_of(check) == {"river.html", "walter-library.html"}


@pytest.mark.parametrize("budget", [0, -1])
def test_a_budget_of_nothing_is_refused(small: World, budget: int):
    with pytest.raises(BadInput, match="give 1 or more"):
        check_on_web(DOCUMENT, providers=small.providers, fetcher=small.fetcher, budget=budget)


def test_nothing_but_the_queries_reaches_the_provider(small: World):
    check = check_on_web(SECRET, providers=small.providers, fetcher=small.fetcher)
    (plan,) = {disclosure.what for disclosure in plan_of(SECRET, small.providers).disclosures}
    assert "of up to 10 words" in str(plan)
    assert [asked.query for asked in check.asked] == small.queries
    for seen in small.engine.seen:
        assert set(seen.asked) <= {"q", "format", "safesearch"}
        assert seen.body == b""
        assert len(seen.asked["q"].split()) <= 10
        assert seen.asked["q"] not in SECRET.text.lower()  # words, and no sentence
    for seen in [*small.engine.seen, *small.web.seen]:
        told = f"{seen.target} {dict(seen.headers)}"
        assert "secret-name" not in told
        assert "cookie" not in {name.lower() for name in seen.headers}
    assert all(seen.method == "GET" and not seen.body for seen in small.web.seen)


def test_pages_are_not_told_what_is_looked_for(small: World):
    check_on_web(DOCUMENT, providers=small.providers, fetcher=small.fetcher)
    for seen in small.web.seen:
        assert "referer" not in {name.lower() for name in seen.headers}
        assert "?" not in seen.target


def test_planning_sends_nothing(small: World):
    plan = plan_of(DOCUMENT, small.providers)
    assert plan.parts
    assert plan.disclosures[0].host == "127.0.0.1"
    assert not small.engine.seen
    assert not small.web.seen


def test_a_page_that_cannot_be_read_is_named_with_its_reason(tmp_path: Path):
    broken = {
        "/river.html": answer("<h1>Gone</h1>", 404),
        "/market.html": redirect("http://10.0.0.1/secret"),
    }
    document = Document.from_text(f"{RIVER}\n\n{MARKET}")
    with world(TEXTS, tmp_path, broken) as small:
        check = check_on_web(document, providers=small.providers, fetcher=small.fetcher)
    assert {file.name.rpartition("/")[2] for file in check.unread} == {"river.html", "market.html"}
    assert all(file.reason for file in check.unread)
    assert sources_of(check) == set()


def test_a_page_reached_by_two_addresses_is_one_source(tmp_path: Path):
    twice = {**TEXTS, "/moved.html": TEXTS["/river.html"]}
    with world(twice, tmp_path, {"/moved.html": redirect("/river.html", 301)}) as small:
        document = Document.from_text(RIVER)
        check = check_on_web(document, providers=small.providers, fetcher=small.fetcher)
    assert sources_of(check) == {"river.html"}


def test_a_provider_that_fails_stops_nobody_and_is_named(small: World):
    providers = [
        *available({"LIKEWISE_BRAVE_KEY": "wrong", "LIKEWISE_BRAVE_URL": small.web.url("/none")}),
        *small.providers,
    ]
    check = check_on_web(DOCUMENT, providers=providers, fetcher=small.fetcher)
    assert sources_of(check) == {"river.html", "walter-library.html"}
    assert "Brave" in {file.name for file in check.unread}


def test_where_nobody_answers_the_check_ends_and_says_so(tmp_path: Path, small: World):
    nobody = available({"LIKEWISE_SEARXNG_URL": "http://127.0.0.1:9"})
    check = check_on_web(DOCUMENT, providers=nobody, fetcher=small.fetcher)
    assert check.sources == ()
    assert {file.name for file in check.unread} == {"SearXNG"}
    assert len(check.asked) < len(plan_of(DOCUMENT, nobody).parts)  # it was not asked for ever


def test_without_a_provider_there_is_nobody_to_ask(small: World):
    with pytest.raises(BadInput, match="nobody to ask"):
        check_on_web(DOCUMENT, providers=[], fetcher=small.fetcher)


def test_library_and_internet_stand_in_one_check(small: World, tmp_path: Path):
    with Library(tmp_path / "campus.db") as library:
        library.add_texts({"walter.txt": ESSAYS["/walter-library.html"]})
        check = check_on_web(
            DOCUMENT, providers=small.providers, fetcher=small.fetcher, library=library
        )
        assert sources_of(check) == {"river.html", "walter.txt"}
        assert check.shares.similar > 0.9
        # What the library explains was not asked for.
        assert not any("walter" in path for path in small.fetched)


def test_found_pages_are_kept_with_address_and_date(small: World, tmp_path: Path):
    with Library(tmp_path / "campus.db") as library:
        check_on_web(
            DOCUMENT,
            providers=small.providers,
            fetcher=small.fetcher,
            keep_pages=library,
        )
        entries = library.list().entries
        assert {e.name for e in entries} == {
            small.web.url("/river.html"),
            small.web.url("/walter-library.html"),
        }
        assert {entry.type for entry in entries} == {"web page"}
        again = library.check(DOCUMENT)
        assert again.shares.similar > 0.9


@pytest.mark.parametrize("ending", ["html", "json", "csv", "pdf", "docx"])
@pytest.mark.parametrize("language", ["en", "ru", "kk"])
def test_the_log_of_queries_is_in_every_report(ending: str, language: str, checked, tmp_path: Path):
    from likewise.reading import read

    check, path = checked, tmp_path / f"report.{ending}"
    write_view(view_of_check(check, "2026-01-02T03:04:05Z"), path, language)
    query = check.asked[0].query
    if ending == "html":
        assert path.stat().st_size > 10_000  # its view is compressed; JSON is the same view
    elif ending == "json":
        (asked, *_) = json.loads(path.read_text("utf-8"))["asked"]
        assert (asked["query"], asked["sent_to"]) == (query, "127.0.0.1")
    elif ending == "csv":
        assert query in path.read_text("utf-8-sig")
    else:
        text = " ".join(read(path, cache=False).text.split())
        assert query in text
        assert "127.0.0.1" in text


def test_a_check_that_is_kept_comes_back_with_its_log(checked):
    assert unpack_check(pack_check(checked)) == checked
    assert checked.asked[0].on.tzinfo is not None


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory):
    with world(TEXTS, tmp_path_factory.mktemp("pages")) as small:
        return check_on_web(DOCUMENT, providers=small.providers, fetcher=small.fetcher)
