"""Checks that ask the Internet: allowed by the site, chosen by the person, told in the report."""

from __future__ import annotations

from dataclasses import fields

import pytest

from likewise.internet import VARIABLES
from likewise.server.config import PREFIX, Config
from likewise.server.context import SiteSettings
from tests.align.rendered_texts import SEA
from tests.align.rendered_texts import checked as russian_essay
from tests.internet.world import World, world
from tests.server.accounts import acts_of
from tests.server.checking import APPLES, MARKET, OWN, RIVER, add, checked, post, thesis


@pytest.fixture
def web(tmp_path, monkeypatch):
    """A small Internet that the environment names."""
    texts = {"/market": MARKET * 2, "/apples": APPLES, "/sea": SEA["en"]}
    with world(texts, tmp_path / "pages") as made:
        monkeypatch.setenv("LIKEWISE_SEARXNG_URL", made.engine.url())
        monkeypatch.setenv("LIKEWISE_PRIVATE_HOSTS", made.web.place)
        yield made


def allow(context, **more) -> None:
    with context.store.beside() as connection:
        context.change_settings(connection, SiteSettings(may_ask_internet=True, **more))


def test_nothing_is_offered_and_nothing_sent_until_an_administrator_allows_it(
    context, teacher, web: World
):
    told = teacher.get("/web").json()
    assert (told["is_offered"], told["is_offered_for_classes"]) == (False, False)
    assert (told["sent"], told["nothing_else"]) == ([], "")
    refused = post(teacher, "/checks", {"a.txt": thesis()}, web={})
    assert refused.status_code == 403 and "administrator" in refused.json()["message"]
    assert web.queries == []


def test_what_would_be_sent_where_is_told_before(context, teacher, web: World):
    allow(context)
    told = teacher.get("/web").json()
    assert told["is_offered"] and told["sent"][0]["provider"] == "SearXNG"
    assert "no file name" in told["nothing_else"]
    assert web.queries == []


def test_a_check_without_the_wish_asks_nobody(context, teacher, work_off, web: World):
    allow(context)
    checked(teacher, work_off)
    assert web.queries == [] and web.fetched == []


def test_pages_and_documents_are_sources_of_one_check(context, teacher, work_off, web: World):
    allow(context)
    add(context, river=RIVER)
    id = checked(teacher, work_off, thesis(OWN, RIVER, MARKET), web={"keep_pages": True})
    result = teacher.get(f"/checks/{id}/result").json()
    names = [source["name"] for source in result["sources"]]
    assert "river.txt" in names and web.web.url("/market") in names
    view = teacher.get(f"/checks/{id}/view").json()
    assert view["asked"] and view["asked"][0]["provider"] == "SearXNG"
    assert {one["query"] for one in view["asked"]} == set(web.queries)
    kept = teacher.get("/documents", params={"type": "web page"}).json()
    assert [one["name"] for one in kept["items"]] == [web.web.url("/market")]
    assert [one["owner"] for one in kept["items"]] == ["aigul"]


ESSAYS = {"anna.txt": f"{OWN} {MARKET}", "boris.txt": f"{APPLES} {MARKET}"}


def test_a_class_asks_only_where_that_is_allowed_too(context, teacher, work_off, web: World):
    allow(context)
    assert teacher.get("/web").json()["is_offered_for_classes"] is False
    refused = post(teacher, "/batches", ESSAYS, web={})
    assert (refused.status_code, refused.json()["code"]) == (403, "server.web_not_for_classes")
    allow(context, classes_may_ask_internet=True)
    told = teacher.get("/web").json()
    assert told["is_offered_for_classes"] and told["most_queries"] > told["usual_queries"] > 0
    assert post(teacher, "/batches", ESSAYS).status_code == 202
    work_off()
    assert web.queries == []


def test_pages_and_classmates_are_sources_of_the_documents_of_a_class(
    context, teacher, work_off, web: World, administrator
):
    allow(context, classes_may_ask_internet=True)
    started = post(teacher, "/batches", ESSAYS, web={"keep_pages": True, "queries": 30})
    assert started.status_code == 202, started.text
    work_off()
    listed = teacher.get(f"/batches/{started.json()['id']}/checks").json()["items"]
    checks = {one["name"]: one["id"] for one in listed}
    assert set(checks) == set(ESSAYS)
    market, apples = web.web.url("/market"), web.web.url("/apples")
    asked = []
    for name, pages in (("anna.txt", {market}), ("boris.txt", {market, apples})):
        result = teacher.get(f"/checks/{checks[name]}/result").json()
        sources = {source["name"] for source in result["sources"]}
        (peer,) = set(ESSAYS) - {name}
        assert pages <= sources and peer in sources
        view = teacher.get(f"/checks/{checks[name]}/view").json()
        asked += [one["query"] for one in view["asked"]]
        assert 0 < len(view["asked"]) <= 30
    assert sorted(asked) == sorted(web.queries)  # each is told where it was asked
    assert web.fetched.count("/market") == 1  # of two documents, fetched once
    kept = teacher.get("/documents", params={"type": "web page"}).json()["items"]
    assert {one["name"] for one in kept} == {market, apples}
    assert len(acts_of(administrator, "internet asked")) == 1


def test_a_class_whose_right_is_withdrawn_while_it_waits_asks_nobody(
    context, teacher, work_off, web: World
):
    allow(context, classes_may_ask_internet=True)
    job = post(teacher, "/batches", ESSAYS, web={}).json()["job"]
    allow(context)
    work_off()
    ended = teacher.get(f"/jobs/{job}").json()
    assert (ended["state"], ended["error_code"]) == ("failed", "server.web_withdrawn")
    assert web.queries == []


def test_other_languages_are_asked_only_where_the_person_allows_it(
    context, teacher, work_off, web: World
):
    allow(context)
    essay = russian_essay("ru", SEA["ru"])
    checked(teacher, work_off, essay, web={"queries": 20})
    assert web.queries and not any(query.isascii() for query in web.queries)
    id = checked(teacher, work_off, essay, web={"queries": 20, "other_languages": True})
    assert any(query.isascii() for query in web.queries)
    result = teacher.get(f"/checks/{id}/result").json()
    assert [source["name"] for source in result["sources"]] == [web.web.url("/sea")]
    sent = {one["query"] for one in teacher.get(f"/checks/{id}/view").json()["asked"]}
    assert any(query.isascii() for query in sent) and sent <= set(web.queries)


def test_other_languages_need_a_comparison_by_meaning(context, teacher, web: World):
    allow(context)
    refused = post(
        teacher,
        "/checks",
        {"a.txt": thesis()},
        web={"other_languages": True},
        options={"by_meaning": False},
    )
    assert refused.status_code == 422
    assert refused.json()["code"] == "internet.languages_by_meaning"
    assert web.queries == []


def test_without_a_search_engine_it_is_said(context, teacher, monkeypatch):
    monkeypatch.delenv("LIKEWISE_SEARXNG_URL", raising=False)
    allow(context)
    assert teacher.get("/web").json()["is_offered"] is False
    refused = post(teacher, "/checks", {"a.txt": thesis()}, web={})
    assert refused.status_code == 409 and "search engine" in refused.json()["message"]


def test_the_server_and_the_fetcher_read_different_variables():
    own = {PREFIX + one.name.upper() for one in fields(Config)}
    assert not own & {*VARIABLES, "LIKEWISE_PRIVATE_HOSTS", "LIKEWISE_MAILTO"}
