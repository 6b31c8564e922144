"""Nobody gets at what is another's, whatever they send.

Who may what, route by route, stands in tests/security/policy.txt and is tested there.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from likewise.server.app import OPEN_TO_ALL
from likewise.server.context import ServerContext
from likewise.server.http.pages import ALWAYS
from tests.server.world import SECRET, UNKNOWN, Things, called, full, routes, things_of

CLOSED = [(method, path) for method, path in routes() if full(path) not in OPEN_TO_ALL]
OF_SOMEBODY = [(method, path) for method, path in CLOSED if "{" in path]

LogIn = Callable[..., TestClient]


@pytest.fixture
def things(teacher: TestClient, work_off: Callable[[], int]) -> Things:
    """What belongs to the first teacher alone."""
    return things_of(teacher, "aigul", work_off)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer "},
        {"Authorization": "Bearer garbage"},
        {"Authorization": "Bearer a.b.c"},
        {"Authorization": "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0."},
        {"Authorization": "Bearer likewise_0000000000000000_0000"},
        {"Authorization": "Basic " + base64.b64encode(b"dean:wormwood after rain").decode()},
        {"Authorization": "garbage"},
        {"Authorization": "Bearer " + "x" * 12_000},
        {"Authorization": "Bearer \u00e9".encode("latin-1").decode("latin-1")},
        {"Cookie": "likewise_refresh=garbage; access_token=garbage"},
        {"X-User": "dean", "X-Forwarded-User": "dean", "X-Forwarded-For": "127.0.0.1"},
    ],
    ids=lambda headers: str(headers)[:40],
)
@pytest.mark.parametrize("engine_name", ["sqlite"])
def test_without_a_good_token_nothing_answers(
    anybody: TestClient, administrator: TestClient, headers: dict[str, str]
) -> None:
    assert len(CLOSED) > 50
    raw = [(name, value.encode("latin-1")) for name, value in headers.items()]
    for method, path in CLOSED:
        address = path.format(**UNKNOWN.of(path))
        body = None if method in ("GET", "DELETE") else {}
        answer = anybody.request(method, address, headers=raw, json=body)  # type: ignore[arg-type]
        if path == "/token/end" and "Cookie" in headers:
            assert answer.status_code == 403  # a cookie counts only when our page sends it
            continue
        assert answer.status_code == 401, f"{method} {path}: {answer.text}"
        assert answer.headers["www-authenticate"] == "Bearer"
        assert answer.json()["kind"] == "not logged in"


@pytest.mark.parametrize("engine_name", ["sqlite"])
def test_a_token_in_the_address_does_not_count(anybody: TestClient, teacher: TestClient) -> None:
    token = teacher.headers["Authorization"].removeprefix("Bearer ")
    for name in ("access_token", "token", "authorization", "key"):
        assert anybody.get("/me", params={name: token}).status_code == 401


def test_administrators_learn_whose_a_private_collection_is_and_its_size_alone(
    administrator: TestClient, things: Things
) -> None:
    seen = administrator.get(f"/collections/{things.collection}").json()
    assert (seen["owner"], seen["documents"]) == ("aigul", 1)
    assert (seen["name"], seen["about"], seen["may_read"]) == (None, None, False)


def test_no_list_tells_of_what_is_anothers(log_in: LogIn, things: Things) -> None:
    for client in (log_in("bolat"), log_in("dean", "administrator")):
        for method, path in CLOSED:
            if method != "GET" or "{" in path or path in ("/audit", "/audit/export", "/metrics"):
                continue
            text = client.get(path).text
            # Of all courses, which administrators look after.
            of_all = ("/jobs", "/statistics", "/statistics/export")
            if client.get("/me").json()["role"] == "administrator" and path in of_all:
                continue
            for secret in (SECRET, "secret ", "private things", things.check, things.batch):
                assert secret not in text, path


def test_a_private_source_is_not_found_by_others(
    log_in: LogIn, things: Things, work_off: Callable[[], int]
) -> None:
    for name, role in (("bolat", "teacher"), ("dean", "administrator")):
        other = log_in(name, role)
        essay = [("file", ("essay.txt", f"As I said: {SECRET}.".encode(), "text/plain"))]
        accepted = other.post("/checks", files=essay).json()
        work_off()
        result = other.get(f"/checks/{accepted['id']}/result")
        assert result.status_code == 200, result.text
        assert result.json()["sources"] == []
        asked = json.dumps({"collections": [things.collection]})
        answer = other.post("/checks", files=[*essay, ("request", (None, asked))])
        assert answer.status_code == 404, answer.text


def test_a_cookie_alone_does_nothing(
    context: ServerContext, teacher: TestClient, anybody: TestClient
) -> None:
    answer = anybody.post(
        "/token", json={"name": "aigul", "password": "wormwood after rain", "cookie": True}
    )
    assert "refresh_token" not in answer.json()
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert anybody.cookies
    for method, path in CLOSED:
        if path.startswith("/token"):
            continue
        address = path.format(**UNKNOWN.of(path))
        assert anybody.request(method, address).status_code == 401, f"{method} {path}"
    for headers in ({}, {"Origin": "https://evil.kz", "X-Likewise": "page"}):
        assert anybody.post("/token/refresh", headers=headers).status_code == 403
        assert anybody.post("/token/end", headers=headers).status_code == 403
    assert anybody.post("/token/refresh", headers={"X-Likewise": "page"}).status_code == 200


def test_a_form_of_another_site_is_not_understood(anybody: TestClient) -> None:
    """What a page elsewhere can send without asking: forms and plain text, never JSON."""
    body = json.dumps({"name": "dean", "password": "wormwood after rain"})
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        answer = anybody.post("/token", content=body, headers={"content-type": kind})
        assert answer.status_code == 422, kind


@pytest.mark.parametrize("engine_name", ["sqlite"])
def test_no_other_origin_is_invited(anybody: TestClient) -> None:
    asked = {"Origin": "https://evil.kz", "Access-Control-Request-Method": "POST"}
    for method, path in routes():
        address = path.format(**UNKNOWN.of(path))
        answer = anybody.options(address, headers=asked)
        assert answer.status_code == 405, f"{method} {path}"
        assert not [name for name in answer.headers if name.startswith("access-control")]


def test_names_with_html_and_line_ends_are_data_in_every_answer(
    teacher: TestClient, things: Things
) -> None:
    for method, path in OF_SOMEBODY:
        if method != "GET" or path.endswith("/events"):
            continue
        answer = called(teacher, method, path, things)
        for name, value in ALWAYS.items():
            assert answer.headers[name] == value
        kind = answer.headers["content-type"]
        disposition = answer.headers.get("content-disposition", "")
        if "script>" in answer.text and not disposition.startswith("attachment"):
            assert kind == "application/json", f"{path}: {kind}"
        assert "\r" not in disposition
        assert "<script>" not in disposition


@pytest.mark.parametrize("name", ["a\r\nSet-Cookie: x=1", 'a"; filename="b', "a\x00b", "../../x"])
def test_a_name_cannot_add_headers_or_paths(
    teacher: TestClient, work_off: Callable[[], int], name: str
) -> None:
    files = [("file", (name, SECRET.encode(), "text/plain"))]
    answer = teacher.post("/checks", files=files)
    if answer.status_code == 422:
        return  # refused is as good
    assert answer.status_code == 202, answer.text
    work_off()
    id = answer.json()["id"]
    report = teacher.get(f"/checks/{id}/report", params={"format": "csv"})
    assert report.status_code == 200, report.text
    assert "set-cookie" not in report.headers
    shown = teacher.get(f"/checks/{id}").json()["name"]
    assert not set(shown) & set("\r\n\0/\\")


WORDS = ("' OR 1=1 --", "%", "_", "\\", "'; DROP TABLE users; --", '"', "\x00", "а́")


def texts_asked_for(app: FastAPI, path: str) -> list[str]:
    """What may be written behind the question mark of an address."""
    asked = app.openapi()["paths"].get(full(path), {}).get("get", {}).get("parameters", [])
    return [one["name"] for one in asked if one["in"] == "query" and "string" in str(one["schema"])]


def test_what_is_searched_for_is_never_a_command(
    app: FastAPI, administrator: TestClient, teacher: TestClient
) -> None:
    tried = set()
    for method, path in CLOSED:
        if method != "GET" or "{" in path:
            continue
        for name in texts_asked_for(app, path):
            for word in WORDS:
                answer = administrator.get(path, params={name: word})
                assert answer.status_code in (200, 422, 404), f"{path}?{name}: {answer.text}"
            tried.add(name)
    assert tried >= {"search", "sort", "person", "act", "language", "type", "owner", "whose"}
    assert administrator.get("/users").json()["total"] == 2


def test_a_change_of_role_holds_for_tokens_that_are_out(
    administrator: TestClient, log_in: LogIn
) -> None:
    second = log_in("rector", "administrator")
    me = second.get("/me").json()["id"]
    assert second.get("/users").status_code == 200
    changed = administrator.patch(f"/users/{me}", json={"role": "teacher"})
    assert changed.status_code == 200, changed.text
    assert second.get("/users").status_code == 403
    administrator.patch(f"/users/{me}", json={"is_active": False})
    assert second.get("/me").status_code == 401


def test_keys_of_teachers_reach_no_further_than_teachers(
    teacher: TestClient, anybody: TestClient
) -> None:
    made = teacher.post("/keys", json={"name": "all", "scopes": ["administer", "metrics"]})
    if made.status_code == 201:
        anybody.headers["Authorization"] = f"Bearer {made.json()['secret']}"
        for path in ("/users", "/audit", "/health/details", "/metrics"):
            assert anybody.get(path).status_code == 403, path


def test_whoever_reads_the_report_of_another_is_noted(
    log_in: LogIn, teacher: TestClient, administrator: TestClient, things: Things
) -> None:
    other = log_in("bolat")
    for kind, id in (("checks", things.check), ("batches", things.batch)):
        assert teacher.post(f"/{kind}/{id}/share", json={"shared": True}).status_code == 200
        for reader in (teacher, other):
            assert reader.get(f"/{kind}/{id}/report", params={"format": "csv"}).status_code == 200
    assert other.get(f"/checks/{things.check}/result").status_code == 200
    for act, id, times in (
        ("check of another read", things.check, 1),
        ("batch of another read", things.batch, 1),
    ):
        lines = administrator.get("/audit", params={"act": act}).json()["items"]
        assert [(line["user_name"], line["target"]) for line in lines] == [("bolat", id)] * times
