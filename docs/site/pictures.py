"""Pictures of the guides, made from the running app: python -m docs.site.pictures FOLDER.

A server is started on a library that lives for a minute, and a browser goes through its pages as a
teacher and an administrator would, in each language. `./dev docs` does this before the site is
built; --list says which pictures there are.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, expect, sync_playwright

from docs.site.samples import (
    SAMPLES,
    Person,
    Sample,
    class_archive,
    disguised,
    metadata_table,
    portfolio,
    text_of,
    title_of,
)
from likewise.catalogue import Words, texts
from likewise.languages import language_of
from likewise.library import Library
from likewise.server.caller import Role
from likewise.server.config import Config
from likewise.server.context import ServerContext
from likewise.server.people.users import add_person

ROOT = Path(__file__).parents[2]
PASSWORD = secrets.token_hex(8)  # of everybody
PATIENCE_MS = 120_000  # a busy machine takes its time
WIDTH, HEIGHT = 1080, 800
BAR = 100  # what may stick to the lower edge of the screen
# In the order in which they are made; each guide names its own.
PICTURES = {
    "administrators": (
        *("first-steps", "person", "thresholds", "providers", "stop-words"),
        *("people", "removing", "jobs", "erasure"),
    ),
    "students": (),
    "teachers": (
        *("log-in", "account", "adding", "new-class", "new-check", "report", "passage"),
        *("exclusion", "certificate", "genuine", "class", "matrix", "overview", "selection"),
    ),
}


class PageWords(Words):
    """The words of a language, those of reports and those of the pages around them."""

    def __init__(self, language: str) -> None:
        super().__init__(language)
        own = sorted((ROOT / "ui" / "src" / "app" / "words").glob(f"*/{language}.json"))
        self._texts = dict(texts(language))
        for path in own:
            self._texts |= json.loads(path.read_text("utf-8"))


class Visitor:
    """Somebody with a page open, who finds things by their names."""

    def __init__(self, browser: Browser, address: str, language: str, folder: Path) -> None:
        context = browser.new_context(
            base_url=address,
            locale=language,
            timezone_id="Asia/Almaty",
            viewport={"width": WIDTH, "height": HEIGHT},
            device_scale_factor=2,
            reduced_motion="reduce",
        )
        context.set_default_timeout(PATIENCE_MS)
        self.page, self._folder = context.new_page(), folder
        self.language, self.words = language, PageWords(language)
        self.page.on("dialog", lambda asked: asked.accept())  # what was typed may go

    def log_in(self, name: str) -> None:
        self.page.goto("/login")
        self.fill("login.name", name)
        self.fill("login.password", PASSWORD)
        self.press("login.go")
        expect(self.page.locator("header.bar")).to_be_visible()

    def button(self, key: str, **values: Any) -> Locator:
        return self.page.get_by_role("button", name=self.words(key, **values), exact=True)

    def press(self, key: str, **values: Any) -> None:
        self.button(key, **values).click()

    def field(self, key: str) -> Locator:
        return self.page.get_by_label(self.words(key), exact=True)

    def fill(self, key: str, value: str) -> None:
        self.field(key).fill(value)

    def give(self, *files: tuple[str, bytes], to: str = ".drop input[type=file]") -> None:
        """Choose files, as from a dialog of the system."""
        payloads = [
            {"name": name, "mimeType": "application/octet-stream", "buffer": data}
            for name, data in files
        ]
        self.page.locator(to).first.set_input_files(payloads)  # type: ignore[arg-type]

    def sees(self, where: str) -> Locator:
        found = self.page.locator(where).first
        expect(found).to_be_visible()
        return found

    def picture(self, name: str, *parts: str | Locator, margin: int = 16) -> None:
        """Of the rectangle around these parts of the page; without any, of the screen."""
        page = self.page
        page.wait_for_load_state("networkidle")
        page.evaluate("document.fonts.ready")
        located = [page.locator(one).first if isinstance(one, str) else one for one in parts]
        if located:  # on a screen that all of it has room on: bars that stick lie across no part
            page.evaluate("scrollTo(0, 0)")
            _, _, _, bottom = around(located, margin)
            page.set_viewport_size({"width": WIDTH, "height": max(HEIGHT, bottom + BAR)})
            left, top, right, bottom = around(located, margin)
            clip: Any = {"x": left, "y": top, "width": right - left, "height": bottom - top}
            page.screenshot(path=self._folder / f"{name}.png", clip=clip)
            page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
        else:
            page.screenshot(path=self._folder / f"{name}.png")


def around(parts: list[Locator], margin: int) -> tuple[int, int, int, int]:
    """The rectangle with all of them in it: left, top, right, bottom."""
    boxes = [box for one in parts if (box := one.bounding_box())]
    assert len(boxes) == len(parts), "a part of the picture is not on the page"
    left, top = min(box["x"] for box in boxes), min(box["y"] for box in boxes)
    right = max(box["x"] + box["width"] for box in boxes)
    bottom = max(box["y"] + box["height"] for box in boxes)
    outer = left - margin, top - margin, min(right + margin, WIDTH), bottom + margin
    return max(int(outer[0]), 0), max(int(outer[1]), 0), int(outer[2]), int(outer[3])


def show_an_empty_server(dean: Visitor, sample: Sample) -> None:
    """The first steps of an administrator."""
    page = dean.page
    dean.log_in(sample.administrator.login)
    dean.sees(".steps")
    dean.picture("first-steps", "header.bar", ".card:has(.steps)")
    page.goto("/administration/settings")
    dean.fill("institution.name", sample.institution)
    dean.press("app.save")
    dean.sees(".notice, .notices")
    page.goto("/administration/types")
    for each in sample.types:
        dean.fill("types.new", each)
        dean.press("types.add")
        expect(page.get_by_role("cell", name=each, exact=True)).to_be_visible()
    page.goto("/administration/users")
    dean.press("users.new")
    dean.fill("login.name", sample.colleague.login)
    dean.fill("profile.shown_name", sample.colleague.name)
    dean.picture("person", "dialog[open]", margin=0)
    dean.press("app.save")
    dean.sees("dialog[open]")


def show_the_way_in(teacher: Visitor, sample: Sample) -> None:
    page = teacher.page
    page.goto("/login")
    teacher.sees("main.log-in .institution")
    teacher.picture("log-in", "main.log-in .card", "main.log-in > :last-child", margin=24)
    teacher.log_in(sample.teacher.login)
    page.locator("header.bar .account > button").click()
    teacher.picture("account", "header.bar .account .panel", "header.bar .account", margin=10)
    page.keyboard.press("Escape")


def fill_the_library(teacher: Visitor, sample: Sample) -> None:
    page = teacher.page
    page.goto("/library/add")
    files = [(f"{title_of(one.example)}.txt", text_of(one.example)) for one in sample.library]
    teacher.give(*((name, text.encode()) for name, text in files))
    table = metadata_table(sample.library, sample.types[0])
    teacher.give(("table.csv", table), to="details input[type=file]")
    page.mouse.move(0, 0)
    teacher.picture("adding", "main.page h1", ".drop", "#table")
    teacher.press("add.start", n=len(files))
    teacher.sees(".at-hand a[href='/library']")


def check_a_class(teacher: Visitor, sample: Sample) -> str:
    """Starts it; the address of its page."""
    page = teacher.page
    page.goto("/classes/new")
    name = re.sub(r"[^\w]+", "-", sample.class_name)
    teacher.give((f"{name}.zip", class_archive(sample.students)))
    teacher.fill("class.name", sample.class_name)
    page.locator("details.more").first.locator("summary").click()
    teacher.fill("template.text", sample.assignment)
    teacher.picture("new-class", "main.page h1", "details.more", teacher.button("class.start"))
    teacher.press("class.start")
    page.wait_for_url(re.compile(r"/classes/[0-9a-f]{8}"))
    return page.url


def check_a_document(teacher: Visitor, sample: Sample) -> str:
    """Starts it, and waits for the report; its address."""
    page = teacher.page
    page.goto("/checks/new")
    teacher.give((sample.file, portfolio(sample)))
    teacher.sees(".chosen")
    teacher.picture("new-check", "main.page h1", teacher.button("check.start"))
    teacher.press("check.start")
    teacher.sees("#the-text[aria-busy=false]")
    return page.url


def show_a_report(teacher: Visitor, sample: Sample, address: str) -> None:
    page = teacher.page
    page.goto(address)
    teacher.sees("#the-text[aria-busy=false]")
    teacher.picture("report")
    page.keyboard.press("n")
    panel = teacher.sees("aside.panel.is-open")
    teacher.press("comments.add")
    teacher.fill("comments.text", sample.comment)
    teacher.press("comments.save")
    expect(panel.get_by_text(sample.comment)).to_be_visible()
    page.set_viewport_size({"width": WIDTH, "height": 2 * HEIGHT})  # so that the panel has room
    panel.evaluate("panel => panel.scrollTo(0, 0)")
    page.locator(".side-body, .panes").evaluate_all(
        "all => all.forEach((one) => one.scrollTo(0, 0))"
    )
    teacher.picture("passage", ".verdict", panel.locator(".passage-comments"), margin=0)
    panel.get_by_role("button", name=teacher.words("exclude.passage"), exact=True).click()
    teacher.press("exclude.keep")
    teacher.fill("keep.reason", sample.reason)
    teacher.picture("exclusion", "dialog[open]", margin=0)
    teacher.press("keep.go")
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.reload()
    teacher.sees("#the-text[aria-busy=false]")


def issue_a_certificate(teacher: Visitor, sample: Sample) -> None:
    page = teacher.page
    teacher.press("certificate.title")
    dialog = teacher.sees("dialog[open]")
    teacher.fill("certificate.author", sample.author)
    teacher.fill("certificate.work", sample.title)
    teacher.fill("certificate.supervisor", sample.supervisor)
    teacher.picture("certificate", "dialog[open]", margin=0)
    teacher.press("certificate.issue")
    code = dialog.locator("li .code").first.inner_text()
    page.goto(f"/certificates/{code}")
    teacher.sees("[data-state=genuine]")
    teacher.picture("genuine", "main.log-in .card")


def show_a_class(teacher: Visitor, address: str) -> None:
    page = teacher.page
    page.goto(address)
    expect(page.get_by_role("tab", selected=True)).to_contain_text(teacher.words("batch.students"))
    teacher.picture("class", "main h1", "[role=tablist]", "table.row-table")
    page.get_by_role("tab", name=teacher.words("batch.matrix_tab")).click()
    teacher.sees("[role=tabpanel] [role=grid]")
    teacher.picture(
        "matrix", page.locator("[role=tabpanel]").filter(has=page.locator("[role=grid]"))
    )


def leave_something_to_do(teacher: Visitor, sample: Sample) -> None:
    """A copy in disguise that nobody has looked at yet, and a file that cannot be read."""
    page = teacher.page
    late = f"{title_of(sample.late.example)}.txt", disguised(text_of(sample.late.example)).encode()
    for one in (late, ("scan.pdf", b"%PDF-1.7\n%cut off")):
        page.goto("/checks/new")
        teacher.give(one)
        teacher.press("check.start")
        page.wait_for_url(re.compile(r"/checks/[0-9a-f]{8}"))
        page.goto("/")


def show_lists(teacher: Visitor) -> None:
    page = teacher.page
    expect(page.locator(".needs li")).to_have_count(3)
    teacher.picture("overview", "header.bar", ".card:has(.needs)", margin=0)
    page.goto("/library")
    teacher.sees("tbody td.tick")
    page.locator("tbody td.tick input").nth(1).check()
    teacher.sees(".chosen.card")
    teacher.picture("selection", "main.page h1", ".page-head", "tbody tr:last-child")


def show_administration(dean: Visitor, sample: Sample) -> None:
    page = dean.page
    page.goto("/administration/users")
    dean.sees(".delay")
    dean.picture("people", "nav.parts", "table")
    row = page.get_by_role("row").filter(has_text=sample.teacher.login)
    row.get_by_role("button", name=dean.words("users.remove"), exact=True).click()
    dean.sees("dialog[open] .has")
    heir = f"{sample.colleague.name} ({sample.colleague.login})"
    dean.field("users.remove.heir").select_option(label=heir)
    dean.picture("removing", "dialog[open]", margin=0)
    page.keyboard.press("Escape")
    page.goto("/administration/settings#thresholds")
    card = page.locator("section.card").filter(has_text=dean.words("thresholds.title"))
    dean.fill("thresholds.notice", "25")
    dean.fill("thresholds.high", "50")
    dean.picture("thresholds", card)
    page.goto("/administration/internet")
    dean.sees("article.provider")
    dean.picture("providers", "main.page h1", page.locator("article.provider").nth(1))
    page.goto("/administration/stop-words")
    dean.sees("textarea")
    dean.field("library.language").select_option(dean.language)
    words = page.locator("textarea")
    shipped = language_of(dean.language)
    assert shipped is not None
    one = min(shipped.stop_words())
    expect(words).to_have_value(re.compile(rf"^{one}$", re.MULTILINE))
    words.fill(f"{words.input_value().rstrip()}\n{sample.types[0].lower()}")
    dean.press("stopwords.show")
    dean.sees("section.card[role=status]")
    dean.picture("stop-words", "main.page h1", dean.button("stopwords.show"))
    page.goto("/administration/jobs")
    dean.sees("tbody tr")
    dean.picture("jobs", "nav.parts", "table")
    page.goto("/administration/erasures")
    dean.field("erasures.kind").select_option("person")
    dean.fill("erasures.kind.person", sample.library[0].author)
    dean.press("erasures.show")
    dean.sees("section.card[role=status]")
    dean.picture("erasure", "main.page h1", "form.card")


def make(browser: Browser, language: str, folder: Path) -> None:
    """All pictures of one language."""
    sample = SAMPLES[language]
    folder.mkdir(parents=True, exist_ok=True)
    with serving(sample) as (place, address):
        dean = Visitor(browser, address, language, folder)
        teacher = Visitor(browser, address, language, folder)
        show_an_empty_server(dean, sample)
        add_people(place, sample.teacher, sample.forgetful)
        show_the_way_in(teacher, sample)
        fill_the_library(teacher, sample)
        report = check_a_document(teacher, sample)
        group = check_a_class(teacher, sample)
        show_a_report(teacher, sample, report)
        issue_a_certificate(teacher, sample)
        show_a_class(teacher, group)
        leave_something_to_do(teacher, sample)
        show_lists(teacher)
        guess_a_password(teacher, sample.forgetful.login)
        show_administration(dean, sample)
        for each in (dean, teacher):
            each.page.context.close()


def guess_a_password(visitor: Visitor, name: str) -> None:
    """Often enough that its owner has to wait."""
    for _ in range(7):
        visitor.page.request.post("/api/v1/token", data={"name": name, "password": "no"})


def add_people(place: str, *people: Person, role: Role = "teacher") -> None:
    with Library(place) as library:
        context = ServerContext(library, Config(workers=0))
        for one in people:
            add_person(context, one.login, PASSWORD, role=role, shown_name=one.name)


@contextmanager
def serving(sample: Sample) -> Iterator[tuple[str, str]]:
    """The place of a library with nothing but an administrator, and its server's address."""
    with tempfile.TemporaryDirectory() as kept:
        place = str(Path(kept, "school.db"))
        add_people(place, sample.administrator, role="administrator")
        command = [sys.executable, "-m", "likewise", "serve", "--library", place]
        process = subprocess.Popen(
            [*command, "--no-browser", "--port", "0", "--workers", "1"],
            env=os.environ | {"XDG_DATA_HOME": kept, "LIKEWISE_LOG_LEVEL": "error"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert process.stdout is not None
            said = next((line for line in process.stdout if "http://" in line), "")
            found = re.search(r"http://[\w.]+:\d+", said)
            if found is None:
                raise RuntimeError("the server did not start")
            yield place, found[0]
        finally:
            process.terminate()
            process.wait()
            if process.stdout is not None:
                process.stdout.close()


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, help="where the pictures go")
    parser.add_argument("--language", choices=list(SAMPLES), help="one language alone")
    parser.add_argument("--list", action="store_true", help="say which pictures there are")
    asked = parser.parse_args(arguments)
    if asked.list:
        print(json.dumps(PICTURES, indent=1))
        return 0
    languages = [asked.language] if asked.language else list(SAMPLES)
    for stale in (path for each in languages for path in asked.folder.glob(f"{each}/*.png")):
        stale.unlink()
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    if found is None:
        print("pictures: there is no chromium; the guides have no pictures", file=sys.stderr)
        return 0
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        for language in languages:
            start = time.monotonic()
            make(browser, language, asked.folder / language)
            print(f"pictures: {language}, {time.monotonic() - start:.0f} s", flush=True)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
