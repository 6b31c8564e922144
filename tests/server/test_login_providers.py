"""Logging in by OpenID Connect, at a real provider in a process of its own."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from urllib.parse import parse_qs, parse_qsl, urlsplit

import httpx
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from likewise.server.context import utc_now
from likewise.server.login_providers.flow import challenge_of
from tests.server.accounts import acts_of, another_server, client_of, rows, tables, turn
from tests.server.openid import (
    AIGUL,
    SECRET,
    OpenIdProvider,
    come_back,
    departure,
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
def provider(process: OpenIdProvider, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenIdProvider]:
    monkeypatch.setenv("LIKEWISE_PRIVATE_HOSTS", process.host)
    process.reset()
    process.knows("sub-aigul", **AIGUL)
    yield process
    process.reset()


@pytest.fixture
def browser(app: FastAPI) -> TestClient:
    return TestClient(app, base_url="http://testserver/api/v1", raise_server_exceptions=False)


@pytest.fixture
def other_browser(app: FastAPI) -> TestClient:
    return TestClient(app, base_url="http://testserver/api/v1", raise_server_exceptions=False)


@pytest.fixture
def campus(administrator: TestClient, provider: OpenIdProvider) -> str:
    return set_up(administrator, provider)


def test_who_is_let_in_by_the_provider_has_an_account_and_a_session(
    browser: TestClient, campus: str, administrator: TestClient
) -> None:
    answer = log_in_by(browser, campus, "sub-aigul")
    assert answer.status_code == 200, answer.text
    done = answer.json()
    assert (done["purpose"], done["go_to"]) == ("log in", "/")
    assert "refresh_token" not in done["tokens"] or done["tokens"]["refresh_token"] is None
    assert "likewise_refresh=" in str(answer.headers.get_list("set-cookie"))
    browser.headers["Authorization"] = f"Bearer {done['tokens']['access_token']}"
    me = browser.get("/me").json()
    assert (me["name"], me["shown_name"], me["role"]) == ("aigul", "Aigul Nur", "teacher")
    assert (me["email"], me["has_password"], me["must_change"]) == ("aigul@campus.kz", False, False)
    (session,) = browser.get("/me/sessions").json()["items"]
    assert session["provider"] == "Campus"
    refreshed = browser.post("/token/refresh", headers={"X-Likewise": "page"})
    assert refreshed.status_code == 200, refreshed.text
    (noted,) = [one for one in acts_of(administrator, "logged in") if one["user_name"] == "aigul"]
    assert noted["detail"] == {"provider": "Campus"}
    (added,) = acts_of(administrator, "person added")[:1]
    assert added["target"] == "aigul" and added["detail"]["provider"] == "Campus"


def test_the_second_log_in_is_the_same_person_whatever_the_provider_calls_them(
    browser: TestClient, campus: str, provider: OpenIdProvider
) -> None:
    first = logged_in_by(browser, campus, "sub-aigul").get("/me").json()
    renamed = AIGUL | {"preferred_username": "dean", "email": "nur@campus.kz"}
    provider.knows("sub-aigul", **renamed)
    again = logged_in_by(browser, campus, "sub-aigul").get("/me").json()
    assert (again["id"], again["name"], again["email"]) == (
        first["id"],
        "aigul",
        "aigul@campus.kz",
    )


@SQLITE
def test_the_question_to_the_provider_is_as_the_standards_have_it(
    browser: TestClient, campus: str, provider: OpenIdProvider
) -> None:
    address = departure(browser, campus)
    parts = urlsplit(address)
    assert f"{parts.scheme}://{parts.netloc}{parts.path}" == f"{provider.issuer}/authorize"
    question = dict(parse_qsl(parts.query))
    assert question["response_type"] == "code"
    assert question["redirect_uri"] == f"http://127.0.0.1:8000/login/{campus}"
    assert question["code_challenge_method"] == "S256" and len(question["code_challenge"]) == 43
    assert question["scope"].split()[0] == "openid"
    assert len(question["state"]) > 40 and len(question["nonce"]) > 40
    another = parse_qs(urlsplit(departure(browser, campus)).query)
    for name in ("state", "nonce", "code_challenge"):
        assert another[name] != [question[name]], name


@SQLITE
def test_only_the_browser_that_set_out_comes_back(
    browser: TestClient, other_browser: TestClient, campus: str
) -> None:
    """Else a stranger could log somebody in as the stranger, and read what they hand in."""
    returned = sent_back(departure(browser, campus), "sub-aigul")
    assert refusal(come_back(other_browser, campus, returned)) == "server.login_other_browser"
    assert come_back(browser, campus, returned).status_code == 200


@SQLITE
def test_an_answer_is_good_once(browser: TestClient, campus: str) -> None:
    returned = sent_back(departure(browser, campus), "sub-aigul")
    assert come_back(browser, campus, returned).status_code == 200
    assert refusal(come_back(browser, campus, returned)) == "server.login_too_late"


@SQLITE
def test_an_answer_that_comes_too_late_is_refused(
    browser: TestClient, campus: str, context
) -> None:
    returned = sent_back(departure(browser, campus), "sub-aigul")
    turn(context, tables.login_requests, ends_on=utc_now() - timedelta(seconds=1))
    assert refusal(come_back(browser, campus, returned)) == "server.login_too_late"


@SQLITE
def test_a_state_that_nobody_made_is_refused(browser: TestClient, campus: str) -> None:
    returned = sent_back(departure(browser, campus), "sub-aigul")
    forged = returned | {"state": "x" * 43}
    assert refusal(come_back(browser, campus, forged)) == "server.login_too_late"


@SQLITE
def test_what_was_begun_in_two_windows_is_finished_in_both(
    browser: TestClient, campus: str
) -> None:
    first, second = departure(browser, campus), departure(browser, campus)
    for address in (first, second):
        answer = come_back(browser, campus, sent_back(address, "sub-aigul"))
        assert answer.status_code == 200, answer.text


@SQLITE
def test_an_answer_of_one_provider_is_none_of_another(
    browser: TestClient, campus: str, administrator: TestClient, provider: OpenIdProvider
) -> None:
    second = set_up(administrator, provider, name="Second")
    returned = sent_back(departure(browser, campus), "sub-aigul")
    assert refusal(come_back(browser, second, returned)) == "server.login_too_late"
    fresh = sent_back(departure(browser, campus), "sub-aigul")
    foreign = fresh | {"iss": "https://evil.example"}
    assert refusal(come_back(browser, campus, foreign)) == "server.login_token_refused"
    fresh = sent_back(departure(browser, campus), "sub-aigul")
    del fresh["iss"]  # the provider says that it always names itself
    assert refusal(come_back(browser, campus, fresh)) == "server.login_token_refused"


@SQLITE
def test_a_code_is_worth_nothing_without_its_verifier(
    browser: TestClient, campus: str, context
) -> None:
    """PKCE: whoever slips a code of another log in into this one gets nothing by it."""
    stolen = sent_back(departure(browser, campus), "sub-aigul")
    own = sent_back(departure(browser, campus), "sub-aigul")
    answer = come_back(browser, campus, own | {"code": stolen["code"]})
    assert refusal(answer) == "server.login_not_granted"
    assert challenge_of("a" * 43) != challenge_of("b" * 43)


@SQLITE
def test_who_goes_back_at_the_provider_is_told_so(browser: TestClient, campus: str) -> None:
    returned = sent_back(departure(browser, campus), "nobody it knows")
    assert returned["error"] == "access_denied"
    told = {name: text for name, text in returned.items() if name != "error_description"}
    assert refusal(come_back(browser, campus, told)) == "server.login_not_granted"


@SQLITE
def test_a_wrong_secret_lets_nobody_in(
    browser: TestClient, campus: str, administrator: TestClient
) -> None:
    changed = administrator.patch(f"/login-providers/{campus}", json={"client_secret": "other"})
    assert changed.status_code == 200, changed.text
    assert refusal(log_in_by(browser, campus, "sub-aigul")) == "server.login_not_granted"


@SQLITE
def test_a_secret_may_go_into_the_form_where_the_provider_wants_it_there(
    browser: TestClient, campus: str, provider: OpenIdProvider
) -> None:
    provider.says_of_itself(methods=["client_secret_post"])
    assert log_in_by(browser, campus, "sub-aigul").status_code == 200


@SQLITE
def test_where_somebody_wanted_to_go_is_remembered_and_leads_nowhere_else(
    browser: TestClient, campus: str
) -> None:
    for wanted, went in (
        ("/checks/7?tab=text", "/checks/7?tab=text"),
        ("https://evil.example/", "/"),
        ("//evil.example/", "/"),
        ("/\\evil.example", "/"),
        ("javascript:alert(1)", "/"),
    ):
        address = departure(browser, campus, go_to=wanted)
        assert "evil" not in address
        done = come_back(browser, campus, sent_back(address, "sub-aigul")).json()
        assert done["go_to"] == went, wanted


@SQLITE
def test_another_sites_page_neither_begins_nor_finishes_a_log_in(
    browser: TestClient, campus: str
) -> None:
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}):
        begun = browser.post(f"/login/{campus}", json={}, headers=headers)
        done = browser.post(f"/login/{campus}/callback", json={"state": "x"}, headers=headers)
        assert (begun.status_code, done.status_code) == (403, 403)


@SQLITE
def test_claims_that_are_told_only_when_asked_for_are_asked_for(
    browser: TestClient, campus: str, provider: OpenIdProvider
) -> None:
    hidden = {"only at userinfo": ["roles", "email", "email_verified"]}
    provider.knows("sub-aigul", **AIGUL | hidden)
    me = logged_in_by(browser, campus, "sub-aigul").get("/me").json()
    assert (me["role"], me["email"]) == ("teacher", "aigul@campus.kz")
    assert provider.asked("/userinfo") > 0
    provider.goes_wrong(**{"sub of userinfo": "somebody else"})
    assert refusal(log_in_by(browser, campus, "sub-aigul")) == "server.login_token_refused"


def test_a_log_in_is_finished_by_whichever_server_is_asked(
    place: str, browser: TestClient, campus: str
) -> None:
    address = departure(browser, campus)
    with another_server(place) as second:
        other = client_of(second)
        other.cookies = browser.cookies
        answer = come_back(other, campus, sent_back(address, "sub-aigul"))
    assert answer.status_code == 200, answer.text


@SQLITE
def test_who_logs_out_is_told_where_to_log_out_at_the_provider(
    browser: TestClient, campus: str, provider: OpenIdProvider
) -> None:
    logged_in_by(browser, campus, "sub-aigul")
    answer = browser.post("/login/end")
    assert answer.status_code == 200, answer.text
    assert browser.get("/me").status_code == 401
    assert browser.post("/token/refresh", headers={"X-Likewise": "page"}).status_code == 401
    sent = httpx.get(answer.json()["address"], follow_redirects=False)
    assert sent.headers["location"] == "http://127.0.0.1:8000/login"
    told = provider.logged_out()[-1]
    assert told["client_id"] == "likewise" and told["id_token_hint"].count(".") == 2


@SQLITE
def test_who_logged_in_by_a_password_logs_out_here_alone(teacher: TestClient, campus: str) -> None:
    assert teacher.post("/login/end").json() == {"address": None}
    assert teacher.get("/me").status_code == 401


def test_a_provider_ends_the_sessions_that_it_says_are_over(
    browser: TestClient, other_browser: TestClient, campus: str, provider: OpenIdProvider
) -> None:
    provider.knows("sub-bolat", **AIGUL | {"email": "bolat@campus.kz"})
    logged_in_by(browser, campus, "sub-aigul")
    logged_in_by(other_browser, campus, "sub-bolat")
    token = provider.logout_token(sub="sub-aigul", sid="session of sub-aigul")
    heard = browser.post(f"/login/{campus}/logout", data={"logout_token": token})
    assert heard.status_code == 200, heard.text
    assert browser.get("/me").status_code == 401
    assert other_browser.get("/me").status_code == 200


@SQLITE
def test_a_logout_token_that_does_not_hold_ends_nothing(
    browser: TestClient, campus: str, provider: OpenIdProvider
) -> None:
    logged_in_by(browser, campus, "sub-aigul")
    id_token = parse_qs(urlsplit(_log_out_elsewhere(browser)).query)["id_token_hint"][0]
    logged_in_by(browser, campus, "sub-aigul")
    tokens = [
        provider.logout_token(sub="sub-aigul", events={}),
        provider.logout_token(sub="sub-aigul", nonce="x"),
        provider.logout_token(sub="sub-aigul", aud="others"),
        provider.logout_token(sub="sub-aigul", iat=1_600_000_000),
        provider.logout_token(sub="sub-aigul", iat="1600000000"),
        provider.logout_token(),
        id_token,
        "garbage",
    ]
    provider.goes_wrong(how="none")
    tokens.append(provider.logout_token(sub="sub-aigul"))
    for token in tokens:
        heard = browser.post(f"/login/{campus}/logout", data={"logout_token": token})
        assert refusal(heard) == "server.login_token_refused"
    assert browser.get("/me").status_code == 200


def _log_out_elsewhere(browser: TestClient) -> str:
    return str(browser.post("/login/end").json()["address"])


def test_what_is_kept_of_a_log_in_is_no_use_to_who_reads_it(
    browser: TestClient, campus: str, context, caplog: pytest.LogCaptureFixture
) -> None:
    """No token, code or secret stands in the database or the log."""
    address = departure(browser, campus)
    returned = sent_back(address, "sub-aigul")
    answer = come_back(browser, campus, returned)
    secrets = [SECRET, returned["code"], returned["state"]]
    secrets += [answer.json()["tokens"]["access_token"]]
    everything = caplog.text
    for table in (tables.login_providers, tables.login_requests, tables.sessions, tables.audit):
        everything += str([tuple(row) for row in rows(context, table)])
    (request,) = rows(context, tables.login_requests)
    assert request.request == "{}" and request.used_on is not None
    for secret in secrets:
        assert secret not in everything
    assert "aigul@campus.kz" not in caplog.text
