"""A server in this process, on SQLite and on a real PostgreSQL server; jobs run when asked."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher

from likewise.library import Library
from likewise.server.app import make_app
from likewise.server.caller import Role
from likewise.server.config import Config
from likewise.server.context import ServerContext
from likewise.server.people import passwords
from likewise.server.people.users import add_person

PASSWORD = "wormwood after rain"
LogIn = Callable[..., TestClient]

# Nearly every test logs somebody in, which is meant to be work: a fifth of their time went there.
# What is asserted of that work is asserted with REAL_HASHER.
REAL_HASHER = passwords._hasher
CHEAP_HASHER = PasswordHash((Argon2Hasher(time_cost=1, memory_cost=8, parallelism=1),))


@pytest.fixture(autouse=True)
def heard_logger(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server's log is heard, whatever a test before it in this process did to logging."""
    logger = logging.getLogger("likewise.server")
    monkeypatch.setattr(logger, "disabled", False)
    monkeypatch.setattr(logger, "propagate", True)
    monkeypatch.setattr(logging.root.manager, "disable", 0)


@pytest.fixture(autouse=True)
def cheap_hasher(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "_hasher", CHEAP_HASHER)


@pytest.fixture
def context(place: str, own_cache: Path) -> Iterator[ServerContext]:
    with Library(place) as library:
        yield ServerContext(library, Config(workers=0))


@pytest.fixture
def app(context: ServerContext) -> FastAPI:
    return make_app(context)


@pytest.fixture
def anybody(app: FastAPI) -> TestClient:
    """A client that is not logged in."""
    return TestClient(app, base_url="http://testserver/api/v1", raise_server_exceptions=False)


@pytest.fixture
def log_in(context: ServerContext, app: FastAPI) -> LogIn:
    """Makes a person, if there is none of the name, and logs in."""

    def logged_in(name: str = "aigul", role: Role = "teacher") -> TestClient:
        add_person(context, name, PASSWORD, role=role, or_keep=True)
        client = TestClient(app, base_url="http://testserver/api/v1", raise_server_exceptions=False)
        answer = client.post("/token", json={"name": name, "password": PASSWORD})
        assert answer.status_code == 200, answer.text
        client.headers["Authorization"] = f"Bearer {answer.json()['access_token']}"
        return client

    return logged_in


@pytest.fixture
def teacher(log_in: LogIn) -> TestClient:
    return log_in("aigul")


@pytest.fixture
def administrator(log_in: LogIn) -> TestClient:
    return log_in("dean", "administrator")


@pytest.fixture
def work_off(context: ServerContext) -> Callable[[], int]:
    """Runs every job that waits, in this process; how many there were."""
    from likewise.server.workers.worker import work_off

    return lambda: work_off(context)
