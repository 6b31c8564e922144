"""What the tests of accounts share: a second server, and a turn of the clock."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fastapi.testclient import TestClient
from sqlalchemy import Table, select, update

from likewise.library import Library
from likewise.server.app import make_app
from likewise.server.config import Config
from likewise.server.context import ServerContext, SiteSettings
from likewise.server.database import tables as tables

PASSWORD = "wormwood after rain"
OTHER = "seven camels at the ford"


@contextmanager
def another_server(place: str, **config: Any) -> Iterator[ServerContext]:
    """The same site as a second process sees it: nothing in memory is shared."""
    with Library(place) as library:
        yield ServerContext(library, Config(workers=0, **config))


def client_of(context: ServerContext, **headers: str) -> TestClient:
    url = "http://testserver/api/v1"
    return TestClient(
        make_app(context), base_url=url, headers=headers, raise_server_exceptions=False
    )


def rows(context: ServerContext, table: Table) -> list[Any]:
    with context.store.reading() as connection:
        return list(connection.execute(select(table)))


def turn(context: ServerContext, table: Table, **values: Any) -> None:
    """Make the database say what it would say at another time."""
    with context.store.beside() as connection:
        connection.execute(update(table).values(**values))


def decide(context: ServerContext, settings: SiteSettings) -> None:
    """What an administrator does in the settings."""
    with context.store.beside() as connection:
        context.change_settings(connection, settings)


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def acts_of(administrator: TestClient, act: str) -> list[dict[str, Any]]:
    answer = administrator.get("/audit", params={"act": act, "limit": 500})
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["items"]
    return found
