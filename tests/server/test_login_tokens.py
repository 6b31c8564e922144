"""What a provider signs is believed only if everything about it holds; keys may change."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from likewise.server.login_providers import discovery
from tests.server.openid import (
    AIGUL,
    OpenIdProvider,
    log_in_by,
    refusal,
    running_provider,
    set_up,
)

pytestmark = pytest.mark.parametrize("engine_name", ["sqlite"])
REFUSED = "server.login_token_refused"


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


@pytest.mark.parametrize(
    "wrong",
    [
        {"how": "none"},
        {"how": "public key as secret"},
        {"how": "another key of the name"},
        {"how": "changed afterwards"},
        {"how": "unknown key"},
        {"iss": "https://evil.example"},
        {"aud": "others"},
        {"aud": ["likewise", "others"]},
        {"aud": ["likewise", "others"], "azp": "others"},
        {"azp": "others"},
        {"aud": []},
        {"exp": 1_600_000_000},
        {"exp": "tomorrow"},
        {"iat": 99_999_999_999},
        {"nbf": 99_999_999_999},
        {"nonce": "of another log in"},
        {"nonce": None},
        {"sub": ""},
        {"sub": 7},
        {"sub": "x" * 256},
        {"iat": "yesterday"},
        {"without": ["nonce"]},
        {"without": ["exp"]},
        {"without": ["iat"]},
        {"without": ["aud"]},
        {"without": ["iss"]},
        {"without": ["sub"]},
    ],
    ids=str,
)
def test_a_token_that_does_not_hold_lets_nobody_in(
    browser: TestClient, campus: str, provider: OpenIdProvider, wrong: dict[str, Any]
) -> None:
    provider.goes_wrong(**wrong)
    answer = log_in_by(browser, campus, "sub-aigul")
    assert refusal(answer) == REFUSED and answer.status_code == 403
    provider.goes_wrong()
    assert log_in_by(browser, campus, "sub-aigul").status_code == 200


def test_what_the_standard_allows_lets_people_in(
    browser: TestClient, campus: str, provider: OpenIdProvider
) -> None:
    provider.goes_wrong(azp="likewise")
    assert log_in_by(browser, campus, "sub-aigul").status_code == 200
    provider.goes_wrong(exp=int(time.time()) - 30)  # clocks differ
    assert log_in_by(browser, campus, "sub-aigul").status_code == 200


def test_a_new_key_is_asked_for_once_and_believed(
    browser: TestClient, campus: str, provider: OpenIdProvider
) -> None:
    assert log_in_by(browser, campus, "sub-aigul").status_code == 200
    before = provider.asked("/jwks")
    provider.rotate()
    assert log_in_by(browser, campus, "sub-aigul").status_code == 200
    assert log_in_by(browser, campus, "sub-aigul").status_code == 200
    assert provider.asked("/jwks") == before + 1


def test_tokens_of_unknown_keys_do_not_make_us_ask_all_day(
    browser: TestClient, campus: str, provider: OpenIdProvider
) -> None:
    assert log_in_by(browser, campus, "sub-aigul").status_code == 200
    before = provider.asked("/jwks")
    provider.goes_wrong(how="unknown key")
    for _ in range(5):
        assert refusal(log_in_by(browser, campus, "sub-aigul")) == REFUSED
    assert provider.asked("/jwks") == before + 1


def test_a_key_that_is_gone_is_believed_no_more(
    browser: TestClient, campus: str, provider: OpenIdProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the latest after an hour; here the hour is over at once."""
    assert log_in_by(browser, campus, "sub-aigul").status_code == 200
    before = provider.asked("/jwks")
    monkeypatch.setattr(discovery, "FRESH_SECONDS", 0.0)
    assert log_in_by(browser, campus, "sub-aigul").status_code == 200
    assert provider.asked("/jwks") > before


@pytest.mark.parametrize(
    "said",
    [
        {"issuer": "https://evil.example"},
        {"id_token_signing_alg_values_supported": ["HS256", "none"]},
        {"jwks_uri": "http://intranet.example/keys"},
        {"token_endpoint": "file:///etc/passwd"},
        {"token_endpoint": None},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"redirected": True},
    ],
    ids=str,
)
def test_a_provider_that_describes_itself_wrongly_is_not_used(
    browser: TestClient,
    campus: str,
    administrator: TestClient,
    provider: OpenIdProvider,
    said: dict[str, Any],
) -> None:
    provider.says_of_itself(**said)
    assert browser.post(f"/login/{campus}", json={}).status_code in (422, 503)
    probe = administrator.post(f"/login-providers/{campus}/test").json()
    assert probe["works"] is False and probe["problem"] and probe["code"]


def test_a_description_may_name_no_host_that_is_not_asked_by_https(
    browser: TestClient, campus: str, provider: OpenIdProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor may one of this machine be asked, but where whoever runs the server allows it."""
    monkeypatch.delenv("LIKEWISE_PRIVATE_HOSTS")
    answer = browser.post(f"/login/{campus}", json={})
    assert refusal(answer) == "server.login_provider_https"


def test_what_a_provider_says_of_itself_is_shown_to_administrators(
    administrator: TestClient, campus: str
) -> None:
    probe = administrator.post(f"/login-providers/{campus}/test").json()
    assert probe["works"] and probe["keys"] == 1 and probe["algorithms"] == ["RS256"]
    assert probe["has_log_out"] and probe["has_user_info"]
