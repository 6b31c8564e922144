"""A real provider to log in by, and a browser that goes there and comes back."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx
from fastapi.testclient import TestClient

from likewise.server.login_providers.discovery import DIRECTORY
from tests.server.accounts import PASSWORD

# As openid_provider_process has them; that runs elsewhere and is not imported here.
CLIENT, SECRET = "likewise", "client secret of the tests: wormwood+rain/%"
TEACHERS = {"role_claim": "roles", "roles": {"teacher": ["staff"], "administrator": ["deans"]}}
AIGUL = {
    "email": "aigul@campus.kz",
    "email_verified": True,
    "preferred_username": "aigul",
    "name": "Aigul Nur",
    "roles": ["staff"],
}


@dataclass
class OpenIdProvider:
    """The process, as tests tell it what to do."""

    issuer: str
    control: httpx.Client

    @property
    def host(self) -> str:
        return urlsplit(self.issuer).netloc

    def knows(self, sub: str, **claims: Any) -> None:
        self.control.put(f"/people/{sub}", json=claims).raise_for_status()

    def rotate(self) -> None:
        self.control.post("/rotate").raise_for_status()

    def goes_wrong(self, **wrong: Any) -> None:
        self.control.put("/wrong", json=wrong).raise_for_status()

    def says_of_itself(self, **said: Any) -> None:
        self.control.put("/description", json=said).raise_for_status()

    def logout_token(self, **claims: Any) -> str:
        answer = self.control.post("/logout", json={"claims": claims})
        return str(answer.json()["logout_token"])

    def asked(self, path: str) -> int:
        requests: list[str] = self.control.get("/requests").json()["requests"]
        return requests.count(path)

    def logged_out(self) -> list[dict[str, str]]:
        found: list[dict[str, str]] = self.control.get("/requests").json()["logged_out"]
        return found

    def reset(self) -> None:
        """As in the beginning; what this process remembers of it is forgotten, too."""
        self.goes_wrong()
        self.says_of_itself()
        DIRECTORY._cached.clear()
        DIRECTORY._missed_at.clear()


@contextmanager
def running_provider() -> Iterator[OpenIdProvider]:
    script = Path(__file__).with_name("openid_provider_process.py")
    process = subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    try:
        issuer = process.stdout.readline().strip()
        assert issuer, "the provider did not start"
        with httpx.Client(base_url=f"{issuer}/control", timeout=30) as control:
            yield OpenIdProvider(issuer, control)
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def set_up(administrator: TestClient, provider: OpenIdProvider, **more: Any) -> str:
    """The provider among those of the site; its id."""
    options = TEACHERS | {"adds_people": True, "domains": ["campus.kz"], "links_by_address": True}
    body = {
        "name": "Campus",
        "issuer": provider.issuer,
        "client_id": CLIENT,
        "client_secret": SECRET,
        "options": options | more.pop("options", {}),
    } | more
    answer = administrator.post("/login-providers", json=body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def sent_back(address: str, sub: str) -> dict[str, str]:
    """What the provider writes into the address to which it sends somebody back."""
    answer = httpx.post(address, data={"sub": sub}, timeout=30)
    assert answer.status_code == 302, answer.text
    return dict(parse_qsl(urlsplit(answer.headers["location"]).query))


def departure(browser: TestClient, id: str, how: str = "", **body: Any) -> str:
    answer = browser.post(f"/login/{id}{how}", json=body)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["address"])


def come_back(browser: TestClient, id: str, returned: dict[str, str]) -> httpx.Response:
    return browser.post(f"/login/{id}/callback", json=returned)  # type: ignore[return-value]


def log_in_by(browser: TestClient, id: str, sub: str, how: str = "") -> httpx.Response:
    """The whole way there and back."""
    return come_back(browser, id, sent_back(departure(browser, id, how), sub))


def refusal(answer: Any) -> str:
    assert answer.status_code >= 400, answer.text
    return str(answer.json()["code"])


def logged_in_by(browser: TestClient, id: str, sub: str) -> TestClient:
    answer = log_in_by(browser, id, sub)
    assert answer.status_code == 200, answer.text
    browser.headers["Authorization"] = f"Bearer {answer.json()['tokens']['access_token']}"
    return browser


def give_password(client: TestClient, password: str = PASSWORD) -> None:
    answer = client.post("/me/authenticate", json={"password": password})
    assert answer.status_code == 204, answer.text
