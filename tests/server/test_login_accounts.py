"""Whose account a provider opens: by subject, by an address that both sides have verified."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from likewise.server.context import utc_now
from tests.server.accounts import acts_of, bearer, rows, tables
from tests.server.openid import (
    AIGUL,
    OpenIdProvider,
    come_back,
    departure,
    give_password,
    log_in_by,
    logged_in_by,
    refusal,
    running_provider,
    sent_back,
    set_up,
)

SQLITE = pytest.mark.parametrize("engine_name", ["sqlite"])


@pytest.fixture(scope="module")
def process() -> Iterator[OpenIdProvider]:
    with running_provider() as provider:
        yield provider


@pytest.fixture
def provider(process: OpenIdProvider, monkeypatch: pytest.MonkeyPatch) -> OpenIdProvider:
    monkeypatch.setenv("LIKEWISE_PRIVATE_HOSTS", process.host)
    process.reset()
    process.knows("sub-aigul", **AIGUL)
    return process


@pytest.fixture
def browser(app: FastAPI) -> TestClient:
    return TestClient(app, base_url="http://testserver/api/v1", raise_server_exceptions=False)


@pytest.fixture
def campus(administrator: TestClient, provider: OpenIdProvider) -> str:
    return set_up(administrator, provider)


def has_address(context, name: str, email: str, *, is_verified: bool) -> None:
    with context.store.beside() as connection:
        connection.execute(
            tables.users.update()
            .where(tables.users.c.name == name)
            .values(email=email, email_verified_on=utc_now() if is_verified else None)
        )


def change(administrator: TestClient, campus: str, **options: Any) -> None:
    shown = administrator.get(f"/login-providers/{campus}").json()["options"]
    body = {"options": shown | options}
    answer = administrator.patch(f"/login-providers/{campus}", json=body)
    assert answer.status_code == 200, answer.text


def test_an_account_whose_address_both_sides_have_verified_is_linked(
    browser: TestClient, campus: str, context, teacher: TestClient
) -> None:
    has_address(context, "aigul", "aigul@campus.kz", is_verified=True)
    me = logged_in_by(browser, campus, "sub-aigul").get("/me").json()
    assert me["id"] == teacher.get("/me").json()["id"] and me["has_password"]
    (identity,) = browser.get("/me/identities").json()
    assert identity["provider"] == "Campus"


@pytest.mark.parametrize(
    ("claims", "is_verified"),
    [
        ({}, False),  # somebody registered first with an address that is not theirs
        ({"email_verified": False}, True),
        ({"email_verified": "false"}, True),
        ({"email_verified": None}, True),
        ({"email_verified": 1.5}, True),
        ({"email": "aigul@campus.kz.evil.example"}, True),
        ({"email": "aigul@evil.example"}, True),
        ({"email": ["aigul@campus.kz"]}, True),
        ({"email": "x@evil.example,aigul@campus.kz"}, True),
    ],
    ids=str,
)
@SQLITE
def test_an_account_is_not_linked_by_an_address_that_is_not_proved(
    browser: TestClient,
    campus: str,
    context,
    provider: OpenIdProvider,
    teacher: TestClient,
    administrator: TestClient,
    claims: dict[str, Any],
    is_verified: bool,
) -> None:
    change(administrator, campus, adds_people=False)
    has_address(context, "aigul", "aigul@campus.kz", is_verified=is_verified)
    provider.knows("sub-aigul", **AIGUL | claims)
    assert refusal(log_in_by(browser, campus, "sub-aigul")) == "server.login_no_account"
    change(administrator, campus, adds_people=True)
    answer = log_in_by(browser, campus, "sub-aigul")
    if answer.status_code == 200:
        me = browser.get("/me", headers=bearer(answer.json()["tokens"]["access_token"])).json()
        assert me["id"] != teacher.get("/me").json()["id"] and me["name"] == "aigul2"
    else:
        assert refusal(answer) == "server.login_domain"


@SQLITE
def test_an_address_that_several_accounts_have_opens_none(
    browser: TestClient, campus: str, context, log_in
) -> None:
    for name in ("aigul", "bolat"):
        log_in(name)
        has_address(context, name, "aigul@campus.kz", is_verified=True)
    assert refusal(log_in_by(browser, campus, "sub-aigul")) == "server.login_ambiguous"


@SQLITE
def test_nobody_is_known_by_a_name_that_an_account_has_here(
    browser: TestClient, campus: str, administrator: TestClient, provider: OpenIdProvider
) -> None:
    provider.knows("sub-dean", **AIGUL | {"preferred_username": "dean", "email": "d@campus.kz"})
    me = logged_in_by(browser, campus, "sub-dean").get("/me").json()
    assert me["name"] == "dean2" and me["role"] == "teacher"
    assert me["id"] != administrator.get("/me").json()["id"]


@SQLITE
def test_an_address_that_was_changed_is_no_longer_verified(
    browser: TestClient, campus: str, context, teacher: TestClient, administrator: TestClient
) -> None:
    has_address(context, "aigul", "other@campus.kz", is_verified=True)
    give_password(teacher)
    assert teacher.patch("/me", json={"email": "aigul@campus.kz"}).status_code == 200
    change(administrator, campus, adds_people=False)
    assert refusal(log_in_by(browser, campus, "sub-aigul")) == "server.login_no_account"


@SQLITE
def test_claims_decide_the_role_at_every_log_in(
    browser: TestClient, campus: str, provider: OpenIdProvider
) -> None:
    for roles, role in (
        (["staff"], "teacher"),
        (["staff", "deans"], "administrator"),
        ("staff", "teacher"),
    ):
        provider.knows("sub-aigul", **AIGUL | {"roles": roles})
        assert logged_in_by(browser, campus, "sub-aigul").get("/me").json()["role"] == role


@SQLITE
def test_who_has_no_role_any_more_is_refused_and_told_so(
    browser: TestClient, campus: str, provider: OpenIdProvider, administrator: TestClient
) -> None:
    logged_in_by(browser, campus, "sub-aigul")
    for roles in ([], ["sports"], None, {"staff": True}, "staff,deans"):
        provider.knows("sub-aigul", **AIGUL | {"roles": roles})
        assert refusal(log_in_by(browser, campus, "sub-aigul")) == "server.login_no_role"
    (noted, *_) = acts_of(administrator, "log in refused")
    assert noted["detail"]["provider"] == "Campus"
    change(administrator, campus, default_role="student")
    assert logged_in_by(browser, campus, "sub-aigul").get("/me").json()["role"] == "student"


@SQLITE
def test_nobody_becomes_an_administrator_but_by_a_claim_that_is_mapped(
    browser: TestClient, campus: str, provider: OpenIdProvider, administrator: TestClient
) -> None:
    change(administrator, campus, roles={"teacher": ["staff"]})
    provider.knows("sub-aigul", **AIGUL | {"roles": ["staff", "deans", "administrator"]})
    assert logged_in_by(browser, campus, "sub-aigul").get("/me").json()["role"] == "teacher"
    answer = administrator.patch(
        f"/login-providers/{campus}", json={"options": {"default_role": "administrator"}}
    )
    assert answer.status_code == 422


@SQLITE
def test_the_last_administrator_stays_one_whatever_the_claims_say(
    browser: TestClient, campus: str, provider: OpenIdProvider, administrator: TestClient, context
) -> None:
    has_address(context, "dean", "dean@campus.kz", is_verified=True)
    provider.knows("sub-dean", **AIGUL | {"email": "dean@campus.kz"})
    assert logged_in_by(browser, campus, "sub-dean").get("/me").json()["role"] == "administrator"


@SQLITE
def test_an_administrator_by_our_own_word_stays_one_where_the_provider_maps_none(
    browser: TestClient,
    campus: str,
    provider: OpenIdProvider,
    administrator: TestClient,
    log_in,
    context,
) -> None:
    log_in("rector", "administrator")
    change(administrator, campus, roles={"teacher": ["staff"]})
    has_address(context, "rector", "rector@campus.kz", is_verified=True)
    provider.knows("sub-rector", **AIGUL | {"email": "rector@campus.kz"})
    assert logged_in_by(browser, campus, "sub-rector").get("/me").json()["role"] == "administrator"


@SQLITE
def test_a_deactivated_account_stays_so(
    browser: TestClient, campus: str, administrator: TestClient
) -> None:
    id = logged_in_by(browser, campus, "sub-aigul").get("/me").json()["id"]
    assert administrator.delete(f"/users/{id}").status_code == 204
    assert refusal(log_in_by(browser, campus, "sub-aigul")) == "server.login_deactivated"
    assert browser.get("/me").status_code == 401


@SQLITE
def test_who_logs_in_by_a_provider_alone_has_no_password(
    browser: TestClient, campus: str, anybody: TestClient
) -> None:
    logged_in_by(browser, campus, "sub-aigul")
    for password in ("", " ", "x" * 12):
        answer = anybody.post("/token", json={"name": "aigul", "password": password})
        assert answer.json()["kind"] in ("wrong name or password", "locked out")
    begun = browser.post("/me/second-factor")
    assert begun.status_code in (403, 409), begun.text


def test_i_let_a_provider_vouch_for_my_account(
    browser: TestClient, campus: str, teacher: TestClient, provider: OpenIdProvider
) -> None:
    provider.knows("other", **AIGUL | {"email_verified": False})
    assert log_in_by(teacher, campus, "other", "/link").json()["purpose"] == "link"
    me = logged_in_by(browser, campus, "other").get("/me").json()
    assert me["id"] == teacher.get("/me").json()["id"]
    (identity,) = teacher.get("/me/identities").json()
    assert teacher.delete(f"/me/identities/{identity['id']}").status_code == 204
    assert browser.get("/me").status_code == 401 and teacher.get("/me").status_code == 200


@SQLITE
def test_nobody_links_what_belongs_to_another_or_in_a_session_that_is_over(
    browser: TestClient, campus: str, teacher: TestClient, log_in
) -> None:
    logged_in_by(browser, campus, "sub-aigul")
    other = log_in("bolat")
    assert refusal(log_in_by(other, campus, "sub-aigul", "/link")) == (
        "server.login_linked_to_other"
    )
    address = departure(other, campus, "/link")
    assert other.post("/me/end-everywhere").status_code == 204
    answer = come_back(other, campus, sent_back(address, "nobody yet"))
    assert answer.status_code >= 400
    assert not [one for one in browser.get("/me/identities").json() if one["provider"] == "x"]


@SQLITE
def test_the_only_way_into_an_account_is_not_taken_away(browser: TestClient, campus: str) -> None:
    logged_in_by(browser, campus, "sub-aigul")
    (identity,) = browser.get("/me/identities").json()
    answer = browser.delete(f"/me/identities/{identity['id']}")
    assert refusal(answer) == "server.only_way_in"


@SQLITE
def test_who_sits_there_is_proved_at_the_provider_just_now(
    browser: TestClient, campus: str, provider: OpenIdProvider
) -> None:
    provider.goes_wrong(auth_time=1_600_000_000)  # logged in there long ago
    logged_in_by(browser, campus, "sub-aigul")
    key = {"name": "mine", "scopes": ["documents:read"]}
    assert browser.post("/keys", json=key).json()["kind"] == "authenticate again"
    stale = log_in_by(browser, campus, "sub-aigul", "/authenticate")
    assert refusal(stale) == "server.login_not_anew"
    provider.goes_wrong(without=["auth_time"])
    unsaid = log_in_by(browser, campus, "sub-aigul", "/authenticate")
    assert refusal(unsaid) == "server.login_no_moment"
    provider.goes_wrong()
    provider.knows("sub-bolat", **AIGUL | {"email": "bolat@campus.kz"})
    other = log_in_by(browser, campus, "sub-bolat", "/authenticate")
    assert refusal(other) == "server.login_somebody_else"
    assert browser.post("/keys", json=key).json()["kind"] == "authenticate again"
    assert "prompt=login" in departure(browser, campus, "/authenticate")
    assert log_in_by(browser, campus, "sub-aigul", "/authenticate").status_code == 200
    assert browser.post("/keys", json=key).status_code == 201


@SQLITE
def test_a_password_that_had_to_be_changed_holds_up_nobody_who_comes_by_a_provider(
    browser: TestClient, campus: str, administrator: TestClient, context
) -> None:
    made = administrator.post("/users", json={"name": "aigul"})
    assert made.status_code == 201
    has_address(context, "aigul", "aigul@campus.kz", is_verified=True)
    me = logged_in_by(browser, campus, "sub-aigul").get("/me").json()
    assert (me["name"], me["must_change"]) == ("aigul", False)


def test_a_provider_is_for_administrators_and_its_secret_for_nobody(
    administrator: TestClient, teacher: TestClient, campus: str, context
) -> None:
    shown = administrator.get(f"/login-providers/{campus}").json()
    assert shown["has_secret"] and "client_secret" not in shown
    assert shown["return_address"] == f"http://127.0.0.1:8000/login/{campus}"
    assert shown["back_channel_address"].endswith(f"/api/v1/login/{campus}/logout")
    (row,) = rows(context, tables.login_providers)
    assert b"wormwood" not in bytes(row.client_secret)
    for method, path in (("GET", ""), ("POST", ""), ("DELETE", f"/{campus}")):
        assert teacher.request(method, f"/login-providers{path}", json=None).status_code in (
            403,
            422,
        )
    changed = administrator.patch(f"/login-providers/{campus}", json={"name": "University"})
    assert changed.json()["name"] == "University" and changed.json()["has_secret"]
    (noted,) = acts_of(administrator, "login provider changed")
    assert noted["detail"] == {"fields": ["name"]}


@SQLITE
def test_an_issuer_stays_once_people_have_come_by_it(
    administrator: TestClient, browser: TestClient, campus: str
) -> None:
    """Another one would call others by the same subject, who then had these accounts."""
    other = {"issuer": "https://id.example.kz"}
    logged_in_by(browser, campus, "sub-aigul")
    answer = administrator.patch(f"/login-providers/{campus}", json=other)
    assert refusal(answer) == "server.issuer_in_use"


@SQLITE
def test_a_secret_does_not_go_along_to_another_issuer(
    administrator: TestClient, campus: str
) -> None:
    other = {"issuer": "https://id.example.kz"}
    changed = administrator.patch(f"/login-providers/{campus}", json=other)
    assert changed.status_code == 200 and changed.json()["has_secret"] is False


@pytest.mark.parametrize(
    "issuer",
    [
        "http://id.example.kz",
        "https://user:secret@id.example.kz",
        "ftp://id.example.kz",
        "id.example.kz",
        "https://",
    ],
)
@SQLITE
def test_an_issuer_is_an_address_with_https(administrator: TestClient, issuer: str) -> None:
    body = {"name": "Campus", "issuer": issuer, "client_id": "likewise"}
    assert administrator.post("/login-providers", json=body).status_code == 422


@SQLITE
def test_who_came_by_a_provider_that_is_removed_is_logged_out(
    administrator: TestClient, browser: TestClient, campus: str
) -> None:
    logged_in_by(browser, campus, "sub-aigul")
    assert administrator.delete(f"/login-providers/{campus}").status_code == 204
    assert browser.get("/me").status_code == 401
    assert browser.get("/login").json()["providers"] == []
    assert browser.post(f"/login/{campus}", json={}).status_code == 404


@SQLITE
def test_a_provider_that_is_switched_off_lets_nobody_in(
    administrator: TestClient, browser: TestClient, campus: str
) -> None:
    address = departure(browser, campus)
    administrator.patch(f"/login-providers/{campus}", json={"is_active": False})
    assert browser.get("/login").json() == {"passwords": True, "providers": []}
    assert browser.post(f"/login/{campus}", json={}).status_code == 404
    assert come_back(browser, campus, sent_back(address, "sub-aigul")).status_code == 404
