"""What a reader does with the page of a report, whatever the size of the screen."""

from __future__ import annotations

from playwright.sync_api import Page


def choose_tab(page: Page, which: str) -> None:
    """Opens what stands beside the text; on a narrow screen its sheet rises from below."""
    page.click(f"#tab-{which}")


def unfold_sources(page: Page) -> None:
    """Shows the sources of which nothing counts."""
    if (folded := page.locator("details.uncounted:not([open]) > summary")).count():
        folded.click()
        page.wait_for_selector("details.uncounted[open] .source")


def measures_of(page: Page, source: int) -> str:
    """What the details say of a source."""
    choose_tab(page, "details")
    page.click(f"[data-measures='{source}'] > summary")
    page.wait_for_selector(f"[data-measures='{source}'] .mono")
    return page.inner_text(f"[data-measures='{source}']")


def wait_for_text(page: Page) -> None:
    page.wait_for_selector("#the-text[aria-busy=false]")
