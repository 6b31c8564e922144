"""Passwords switched off: providers alone let people in, and the last way in stays open."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from likewise.cli.admin import app as admin
from tests.server.accounts import PASSWORD, acts_of
from tests.server.openid import (
    AIGUL,
    OpenIdProvider,
    log_in_by,
    logged_in_by,
    refusal,
    running_provider,
    set_up,
)

pytestmark = pytest.mark.parametrize("engine_name", ["sqlite"])
OFF = {"passwords_allowed": False}


@pytest.fixture(scope="module")
def process() -> Iterator[OpenIdProvider]:
    with running_provider() as provider:
        yield provider


@pytest.fixture
def provider(process: OpenIdProvider, monkeypatch: pytest.MonkeyPatch) -> OpenIdProvider:
    monkeypatch.setenv("LIKEWISE_PRIVATE_HOSTS", process.host)
    process.reset()
    process.knows("sub-aigul", **AIGUL)
    process.knows("sub-dean", **AIGUL | {"email": "dean@campus.kz", "roles": ["deans"]})
    return process


@pytest.fixture
def browser(app: FastAPI) -> TestClient:
    return TestClient(app, base_url="http://testserver/api/v1", raise_server_exceptions=False)


@pytest.fixture
def campus(administrator: TestClient, provider: OpenIdProvider) -> str:
    return set_up(administrator, provider)


@pytest.fixture
def linked(administrator: TestClient, campus: str) -> str:
    assert log_in_by(administrator, campus, "sub-dean", "/link").status_code == 200
    return campus


def test_passwords_are_switched_off_once_an_administrator_has_another_way_in(
    administrator: TestClient, campus: str
) -> None:
    assert refusal(administrator.patch("/settings", json=OFF)) == "server.last_way_in"
    assert log_in_by(administrator, campus, "sub-dean", "/link").status_code == 200
    assert administrator.patch("/settings", json=OFF).status_code == 200
    (noted,) = acts_of(administrator, "settings changed")
    assert noted["detail"] == {"passwords_allowed": [True, False]}


def test_then_no_password_lets_anybody_in_and_everybody_is_told_the_same(
    administrator: TestClient, linked: str, browser: TestClient, teacher: TestClient
) -> None:
    assert administrator.patch("/settings", json=OFF).status_code == 200
    for name in ("dean", "aigul", "nobody"):
        answer = browser.post("/token", json={"name": name, "password": PASSWORD})
        assert (answer.status_code, refusal(answer)) == (403, "server.passwords_off")
    assert browser.get("/login").json()["passwords"] is False
    assert browser.get("/password-resets").json() == {"is_possible": False}
    for path, body in (
        ("/password-resets", {"name": "aigul"}),
        ("/password-resets/use", {"token": "x", "password": PASSWORD}),
    ):
        assert refusal(browser.post(path, json=body)) == "server.passwords_off"
    id = teacher.get("/me").json()["id"]
    reset = administrator.post(f"/users/{id}/password")
    assert refusal(reset) == "server.passwords_off"
    assert teacher.get("/me").status_code == 200  # who is in stays in
    assert logged_in_by(browser, linked, "sub-dean").get("/me").json()["name"] == "dean"


def test_then_the_last_way_in_is_not_taken_away(
    administrator: TestClient, linked: str, log_in
) -> None:
    log_in("rector", "administrator")  # who has a password alone
    assert administrator.patch("/settings", json=OFF).status_code == 200
    me = administrator.get("/me").json()["id"]
    (identity,) = administrator.get("/me/identities").json()
    for answer in (
        administrator.delete(f"/login-providers/{linked}"),
        administrator.patch(f"/login-providers/{linked}", json={"is_active": False}),
        administrator.delete(f"/me/identities/{identity['id']}"),
    ):
        assert refusal(answer) == "server.last_way_in"
    for answer in (
        administrator.patch(f"/users/{me}", json={"role": "teacher"}),
        administrator.delete(f"/users/{me}"),
    ):
        assert refusal(answer) == "server.last_administrator"


def test_whoever_runs_the_server_allows_passwords_again(
    administrator: TestClient, linked: str, browser: TestClient, place: str, context
) -> None:
    assert administrator.patch("/settings", json=OFF).status_code == 200
    done = CliRunner().invoke(admin, ["passwords", "on", "--library", place])
    assert done.exit_code == 0, done.output
    context._settings = None  # else this process notices within seconds
    answer = browser.post("/token", json={"name": "dean", "password": PASSWORD})
    assert answer.status_code == 200, answer.text
