"""Providers that administrators set up on the page: keys go in and never come out."""

from __future__ import annotations

import json
import logging

import pytest
from sqlalchemy import select, update

from likewise.internet import VARIABLES
from likewise.library import schema
from likewise.server.config import Config
from likewise.server.context import SiteSettings
from likewise.server.providers.service import TEST_QUERY, asked_providers
from tests.internet.loopback import answer, serving
from tests.internet.world import World, world
from tests.server.accounts import acts_of, another_server, client_of, decide, tables, turn
from tests.server.checking import APPLES, MARKET, OWN, checked, thesis

KEY = "s3cret-key/of the+university"


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch):
    for name in (*VARIABLES, "LIKEWISE_PRIVATE_HOSTS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def web(tmp_path, monkeypatch):
    """A small Internet that no environment names, on places that are allowed."""
    with world({"/market": MARKET * 2, "/apples": APPLES}, tmp_path / "pages") as made:
        monkeypatch.setenv("LIKEWISE_PRIVATE_HOSTS", f"{made.web.place},{made.engine.place}")
        yield made


def states(client):
    reply = client.get("/providers")
    assert reply.status_code == 200, reply.text
    return {one["name"]: one for one in reply.json()["items"]}


def set_up(client, name, **values):
    return client.patch(f"/providers/{name}", json={"values": values})


def field(state, name):
    return next(one for one in state["fields"] if one["name"] == name)


def whole_database(context) -> str:
    with context.store.reading() as connection:
        stored = connection.execute(select(schema.key_values)).all()
        noted = connection.execute(select(tables.audit)).all()
    return repr(stored) + repr(noted)


def test_all_providers_are_listed_and_none_is_set_up(administrator):
    listed = states(administrator)
    assert {"searxng", "brave", "google", "yandex", "crossref", "arxiv"} <= set(listed)
    assert not any(one["is_set"] or one["by_environment"] for one in listed.values())
    assert all(one["what"]["sentence"] for one in listed.values())
    assert [one["name"] for one in listed["google"]["fields"]] == ["key", "engine"]
    assert [one["name"] for one in listed["crossref"]["fields"]] == ["mailto"]


def test_teachers_and_strangers_see_and_change_none(teacher, anybody):
    for client, status in ((teacher, 403), (anybody, 401)):
        assert client.get("/providers").status_code == status
        assert set_up(client, "brave", key=KEY).status_code == status
        assert client.post("/providers/brave/test").status_code == status


def test_a_key_that_was_typed_in_is_used_and_never_seen_again(
    context, administrator, teacher, caplog
):
    with caplog.at_level(logging.DEBUG):
        changed = set_up(administrator, "brave", key=KEY)
    assert changed.status_code == 200 and changed.json()["is_set"]
    key = field(states(administrator)["brave"], "key")
    assert key == {"name": "key", "is_secret": True, "is_set": True, "value": None}
    (provider,) = asked_providers(context)
    assert provider.name == "Brave" and provider._key == KEY
    (noted,) = acts_of(administrator, "provider changed")
    assert (noted["target"], noted["detail"]) == ("Brave", {"fields": ["key"]})
    answers = [
        administrator.get(path).text
        for path in ("/providers", "/settings", "/audit", "/health/details", "/web")
    ]
    for told in (*answers, changed.text, caplog.text, whole_database(context)):
        for piece in (KEY, "s3cret", "s3cret-key%2Fof"):
            assert piece not in told


def test_a_key_is_erased_when_it_is_asked_for(context, administrator):
    set_up(administrator, "brave", key=KEY)
    erased = set_up(administrator, "brave", key=None).json()
    assert not erased["is_set"] and not field(erased, "key")["is_set"]
    assert asked_providers(context) == []
    with context.store.reading() as connection:
        column = schema.key_values.c
        query = select(column.value).where(column.key == "server.internet providers")
        assert json.loads(connection.execute(query).scalar_one())["values"] == {}


def test_keys_need_a_password_given_lately(context, administrator):
    from datetime import datetime

    turn(context, tables.sessions, authenticated_on=datetime(2020, 1, 1))
    refused = set_up(administrator, "brave", key=KEY)
    assert (refused.status_code, refused.json()["kind"]) == (403, "authenticate again")


def test_what_the_environment_says_holds_alone(context, administrator, monkeypatch):
    set_up(administrator, "brave", key=KEY)
    monkeypatch.setenv("LIKEWISE_BRAVE_KEY", "of-the-environment")
    brave = states(administrator)["brave"]
    assert brave["by_environment"] and brave["is_set"]
    (provider,) = asked_providers(context)
    assert provider._key == "of-the-environment"
    assert "of-the-environment" not in administrator.get("/providers").text
    refused = set_up(administrator, "brave", key="another")
    assert (refused.status_code, refused.json()["code"]) == (409, "server.provider_environment")
    off = administrator.patch("/providers/brave", json={"is_on": False})
    assert off.status_code == 200 and asked_providers(context) == []


def test_a_key_is_not_sent_to_another_place_than_it_was_given_for(administrator):
    set_up(administrator, "bing", key=KEY, url="https://search.example.org")
    moved = set_up(administrator, "bing", url="https://thief.example.org").json()
    assert not field(moved, "key")["is_set"] and not moved["is_set"]


def test_a_place_in_the_network_of_the_server_is_not_reached_from_the_page(
    administrator, monkeypatch
):
    def page(_seen):
        return answer(json.dumps({"results": []}), content_type="application/json")

    with serving({"/search": page}) as inside:
        set_up(administrator, "searxng", url=inside.url())
        refused = administrator.post("/providers/searxng/test").json()
        assert refused["outcome"] == "unreachable" and inside.paths() == []
        assert refused["message"]["code"] == "internet.not_public"
        monkeypatch.setenv("LIKEWISE_PRIVATE_HOSTS", inside.place)
        assert administrator.post("/providers/searxng/test").json()["outcome"] == "works"


def test_a_test_asks_always_the_same_and_says_what_came_back(administrator, web: World):
    nothing = administrator.post("/providers/searxng/test").json()
    assert nothing["outcome"] == "refused"
    assert nothing["message"]["code"] == "server.provider_not_set"
    set_up(administrator, "searxng", url=web.engine.url())
    result = administrator.post("/providers/searxng/test").json()
    assert (result["outcome"], result["message"]) == ("works", None)
    assert web.queries == [TEST_QUERY] == [administrator.get("/providers").json()["test_query"]]


@pytest.mark.parametrize(
    ("status", "outcome"),
    [(401, "wrong key"), (402, "quota"), (500, "unreachable"), (400, "refused")],
)
def test_what_a_provider_refuses_is_said_by_its_kind_and_without_the_key(
    administrator, monkeypatch, status, outcome
):
    def refusing(seen):
        quoted = json.dumps({"error": {"message": f"bad request with {KEY}"}})
        return answer(quoted, status=status, content_type="application/json")

    with serving({"/v7.0/search": refusing}) as service:
        monkeypatch.setenv("LIKEWISE_PRIVATE_HOSTS", service.place)
        set_up(administrator, "bing", key=KEY, url=service.url())
        result = administrator.post("/providers/bing/test")
    assert result.json()["outcome"] == outcome
    assert result.json()["message"]["sentence"] and KEY not in result.text


def test_what_cannot_be_right_is_refused_and_not_kept(administrator):
    for name, values in (
        ("searxng", {"url": "ftp://example.org"}),
        ("searxng", {"url": "https://me:secret@example.org"}),
        ("google", {"key": KEY}),  # without its engine
        ("brave", {"engine": "x"}),
    ):
        assert set_up(administrator, name, **values).status_code == 422, name
        assert not any(one["is_set"] for one in states(administrator)[name]["fields"])
    assert set_up(administrator, "nobody", key=KEY).status_code == 404


def test_a_check_asks_whom_the_page_names(context, administrator, teacher, work_off, web: World):
    decide(context, SiteSettings(may_ask_internet=True))
    assert teacher.get("/web").json()["is_offered"] is False
    set_up(administrator, "searxng", url=web.engine.url())
    assert teacher.get("/web").json()["sent"][0]["provider"] == "SearXNG"
    id = checked(teacher, work_off, thesis(OWN, MARKET), web={})
    result = teacher.get(f"/checks/{id}/result").json()
    assert web.web.url("/market") in [source["name"] for source in result["sources"]]
    administrator.patch("/providers/searxng", json={"is_on": False})
    assert teacher.get("/web").json()["is_offered"] is False


def test_keys_that_were_encrypted_with_another_secret_are_typed_in_anew(place, context):
    with another_server(place, secret_key="one secret") as first:
        from likewise.server.people.users import add_person

        from .accounts import PASSWORD, bearer

        add_person(first, "rector", PASSWORD, role="administrator")
        client = client_of(first)
        token = client.post("/token", json={"name": "rector", "password": PASSWORD}).json()
        client.headers.update(bearer(token["access_token"]))
        assert set_up(client, "brave", key=KEY).json()["is_set"]
        assert len(asked_providers(first)) == 1
        client.patch("/providers/core", json={"values": {"key": "other"}})
        assert len(asked_providers(first)) == 2
    with another_server(place, secret_key="another secret") as second:
        assert asked_providers(second) == []
    with another_server(place, secret_key="one secret") as third:
        assert len(asked_providers(third)) == 2
        # A value is bound to its name: nobody reads one by putting it in another's place.
        with third.store.beside() as connection:
            column = schema.key_values.c
            mine = column.key == "server.internet providers"
            stored = json.loads(connection.execute(select(column.value).where(mine)).scalar_one())
            stored["values"]["CORE_KEY"] = stored["values"]["BRAVE_KEY"]
            text = json.dumps(stored)
            connection.execute(update(schema.key_values).where(mine).values(value=text))
        assert [one.name for one in asked_providers(third)] == ["Brave"]


def test_the_secret_of_a_process_stands_in_no_text_of_it():
    assert "hush" not in repr(Config(secret_key="hush"))
