"""A real browser before a real server; pictures are kept where LIKEWISE_SHOTS says."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from .live_server import LiveServer
from .speech import Language
from .visitor import Visitor

Visit = Callable[..., Visitor]
MakeHouse = Callable[..., LiveServer]
PATIENCE_MS = 60_000


@pytest.fixture(autouse=True, scope="module")
def patience() -> Iterator[None]:
    """A busy machine is not a bug."""
    expect.set_options(timeout=PATIENCE_MS)
    yield
    expect.set_options(timeout=5_000)


@pytest.fixture
def live_server(place: str, own_cache: Path, tmp_path: Path) -> Iterator[LiveServer]:
    """A server that is not started yet; killed in the end."""
    made = LiveServer(place, tmp_path)
    yield made
    made.kill()


@pytest.fixture
def visit(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """Comes to a server with a browser of one's own; nothing on the pages may complain."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def came(live_server: LiveServer, language: Language = "en", **how: Any) -> Visitor:
        how = {"viewport": {"width": 1300, "height": 900}, "locale": language, **how}
        context = browser.new_context(base_url=live_server.address, **how)
        contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        context.on("page", lambda page: listened(page, complaints))
        return Visitor(context.new_page(), language, request.node.name)

    yield came
    for context in contexts:
        context.close()
    assert not complaints


def listened(page: Page, complaints: list[str]) -> None:
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console",
        # What a server refuses is told in the page; the browser says so in its console too.
        lambda message: complaints.extend(
            [message.text]
            if message.type in ("warning", "error")
            and "Failed to load resource" not in message.text
            else []
        ),
    )


@pytest.fixture(scope="session", autouse=True)
def pictures() -> None:
    """The folder for pictures, where they are wanted."""
    if folder := os.environ.get("LIKEWISE_SHOTS"):
        Path(folder).mkdir(parents=True, exist_ok=True)
