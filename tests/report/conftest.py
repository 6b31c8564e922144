"""A real browser for the pages; pictures of them are kept where LIKEWISE_SCREENSHOTS says."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from likewise.catalogue import LanguageCode
from likewise.report import View, write_view

Open = Callable[..., Page]
Opened = Callable[..., Page]
AXE = Path(__file__).parents[2] / "ui" / "node_modules" / "axe-core" / "axe.min.js"


@pytest.fixture
def open_page(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Writes a view as a page and opens the file; nothing on it may complain."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def opened(view: View, language: str | None = None, **how: Any) -> Page:
        path = tmp_path / f"report-{len(contexts)}.html"
        write_view(view, path, language)
        how = {"viewport": {"width": 1280, "height": 900}, "locale": "en-GB", **how}
        how.setdefault("timezone_id", "UTC")
        context = browser.new_context(**how)
        contexts.append(context)
        context.set_default_timeout(10_000)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.on("request", lambda request: _only_the_file(request.url, complaints))
        page.goto(path.as_uri())
        if how.get("java_script_enabled", True):
            # In a class it stands in a tab of its own, in a check beside the text.
            made = "#side-body, section[aria-labelledby=made], [role=tablist], .pair-page"
            page.wait_for_selector(made, state="attached")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not complaints


@pytest.fixture
def opened(open_page: Open) -> Opened:
    """Opens the page of a view, or what a link into it shows."""

    def open_at(
        view: View,
        fragment: str = "",
        *,
        language: LanguageCode = "en",
        dark: bool = False,
        width: int = 1280,
    ) -> Page:
        page = open_page(
            view,
            language,
            viewport={"width": width, "height": 900},
            color_scheme="dark" if dark else "light",
        )
        if fragment:
            page.goto(page.url + fragment)
            page.reload()
            expect(page.locator("main:visible")).to_be_visible()
        return page

    return open_at


def _only_the_file(url: str, complaints: list[str]) -> None:
    if not url.startswith(("file:", "data:", "blob:")):
        complaints.append(f"asked the network for {url}")


@pytest.fixture
def picture(tmp_path: Path, request: pytest.FixtureRequest) -> Callable[..., Path]:
    """Takes a picture of a page, named after the test."""
    folder = Path(os.environ.get("LIKEWISE_SCREENSHOTS") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)

    def taken(page: Page, name: str = "", **how: Any) -> Path:
        path = folder / f"{request.node.name}{name and '-'}{name}.png"
        page.screenshot(path=path, **how)
        return path

    return taken


@pytest.fixture
def faults() -> Callable[[Page], list[str]]:
    """What axe-core finds on a page that keeps people out."""
    source = AXE.read_text("utf-8")

    def found(page: Page) -> list[str]:
        page.evaluate(source)
        violations = page.evaluate("async () => (await axe.run()).violations")
        return [
            f"{each['id']} ({each['impact']}): {node['html'][:200]} {node['failureSummary']}"
            for each in violations
            for node in each["nodes"][:3]
        ]

    return found
