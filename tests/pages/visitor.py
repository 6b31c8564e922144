"""Somebody before a browser: sees what the page says, and uses what is on it by its name."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

from .live_server import PASSWORD
from .speech import Language, Speech


class Visitor:
    """A person with a page open; `page` is Playwright's, `words` are the page's."""

    def __init__(self, page: Page, language: Language, story: str) -> None:
        self.page, self.words, self._story, self._pictures = page, Speech(language), story, 0

    def log_in(self, name: str, password: str = PASSWORD, at: str = "/") -> None:
        self.page.goto(at)
        self.fill("login.name", name)
        self.fill("login.password", password)
        self.press("login.go")
        expect(self.page.locator("header.bar")).to_be_visible()

    def account(self) -> Locator:
        """The button of one's account, in the bar of a wide page."""
        return self.page.locator("header.bar .account > button")

    def log_out(self) -> None:
        self.account().click()
        self.press("login.leave")
        expect(self.button("login.go")).to_be_visible()

    def button(self, key: str, **values: Any) -> Locator:
        return self.page.get_by_role("button", name=self.words(key, **values), exact=True)

    def link(self, key: str, **values: Any) -> Locator:
        return self.page.get_by_role("link", name=self.words(key, **values), exact=True)

    def field(self, key: str, **values: Any) -> Locator:
        return self.page.get_by_label(self.words(key, **values), exact=True)

    def press(self, key: str, **values: Any) -> None:
        self.button(key, **values).click()

    def follow(self, key: str, **values: Any) -> None:
        self.link(key, **values).click()

    def fill(self, key: str, value: str) -> None:
        self.field(key).fill(value)

    def sees(self, key: str, **values: Any) -> None:
        expect(self.page.get_by_text(self.words(key, **values)).first).to_be_visible()

    def is_at(self, path: str) -> None:
        expect(self.page).to_have_url(re.compile(rf"^http://[\d.:]+{path}$"))

    def give(self, *files: str | Path | dict[str, Any]) -> None:
        """Choose files as from a dialog of the system."""
        several = len(files) > 1
        with self.page.expect_file_chooser() as chooser:
            chosen = [self.words("drop.file"), self.words("drop.files")]
            name = re.compile("|".join(f"^{re.escape(each)}$" for each in chosen))
            self.page.get_by_role("button", name=name).click()
        chooser.value.set_files(list(files) if several else files[0])  # type: ignore[arg-type]

    def drop(self, **texts: str) -> None:
        """Drag text files onto the page and let go."""
        dragged = self.page.evaluate_handle(
            """(texts) => {
              const transfer = new DataTransfer();
              for (const [name, text] of Object.entries(texts))
                transfer.items.add(new File([text], `${name}.txt`, { type: "text/plain" }));
              return transfer;
            }""",
            texts,
        )
        for event in ("dragover", "drop"):
            self.page.locator(".drop").dispatch_event(event, {"dataTransfer": dragged})

    def read_report(self) -> None:
        """Wait for a report, as long as the check takes."""
        expect(self.page.locator(".verdict-sentence")).to_be_visible()
        expect(self.page.locator("#the-text[aria-busy=false]")).to_be_visible()

    def picture(self, name: str) -> None:
        """Of this moment, if pictures are wanted."""
        if folder := os.environ.get("LIKEWISE_SHOTS"):
            self._pictures += 1
            story = re.sub(r"^test_", "", self._story)
            self.page.screenshot(path=Path(folder) / f"{story}-{self._pictures}-{name}.png")
