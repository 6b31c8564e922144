"""Personal data without a mouse: a consent text, a collection with an end, all that is kept."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import expect

from .conftest import Visit
from .keyboard import Keyboard
from .live_server import PASSWORD, LiveServer

TEXT = "We keep your work for two years."


@pytest.mark.parametrize("engine_name", ["sqlite"])
def test_the_keys_lead_through_what_is_kept_about_people(
    live_server: LiveServer, visit: Visit, tmp_path: Path
) -> None:
    live_server.people(dean="administrator:Сәуле", aigul="teacher:Айгүл")
    live_server.start()
    dean = visit(live_server, "en")
    page, keys, words = dean.page, Keyboard(dean.page), dean.words
    dean.log_in("dean")

    def opens(path: str) -> None:
        page.goto(path)
        expect(page.locator("h1")).to_be_visible()
        expect(page.locator("#main")).to_be_focused()

    # A consent text is written, looked at and asked.
    opens("/administration/consent")
    dean.sees("consent.none_asked")
    keys.write(page.locator("textarea").first, TEXT)
    expect(page.locator("blockquote")).to_have_text(TEXT)
    keys.go(dean.button("consent.ask"))
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    keys.go(dialog.get_by_role("button", name=words("consent.ask"), exact=True))
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("row").filter(has_text=words("consent.current"))).to_be_visible()

    # A collection gets an end, which the page of retention tells.
    opens("/library/collections")
    keys.go(dean.button("collections.new"))
    keys.is_on(dean.field("collections.name"))
    keys.type("Autumn")
    keys.write(dean.field("collections.keep_days"), "365")
    keys.press("Enter")
    expect(page.get_by_text(words("retention.days", n=365))).to_be_visible()
    keys.go(dean.link("retention.title"))
    dean.is_at("/retention")
    expect(page.locator("#main")).to_be_focused()
    dean.sees("retention.none")
    expect(page.get_by_text("Autumn")).to_be_visible()

    # What is kept about oneself is saved as an archive.
    opens("/profile")
    keys.go(dean.link("mydata.open"))
    dean.is_at("/profile/data")
    expect(page.locator("#main")).to_be_focused()
    expect(page.get_by_text(words("mydata.kind.collections"), exact=True)).to_be_visible()
    with page.expect_download() as download:
        keys.go(dean.button("mydata.export.go"))
    archive = tmp_path / "mine.zip"
    download.value.save_as(archive)
    with zipfile.ZipFile(archive) as opened:
        told = json.loads(opened.read("data.json"))
    assert told["person"] == "dean"
    assert [one["name"] for one in told["rows"]["collections"]] == ["Autumn"]
    dean.sees("mydata.export.done")

    # An administrator takes along what is kept about somebody, who is told.
    opens("/administration/users")
    row = page.get_by_role("row").filter(has_text="aigul")
    keys.go(row.get_by_role("button", name=words("users.export"), exact=True))
    with page.expect_download():
        keys.go(dialog.get_by_role("button", name=words("mydata.export.go"), exact=True))
    expect(dialog).to_have_count(0)
    aigul = visit(live_server, "en")
    aigul.log_in("aigul", PASSWORD)
    aigul.sees("notices.act.personal data exported", who="dean")
