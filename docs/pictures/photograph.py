"""Takes report.png and app.png, as the README shows them: the page of a real check, and a real
server with the class of essays that was handed in.

python -m docs.pictures.photograph
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

import likewise as lw
from tests.pages.live_server import PASSWORD, LiveServer

HERE = Path(__file__).parent
EXAMPLES = HERE.parent.parent / "examples"
ESSAYS = EXAMPLES / "essays"
COLOURS = 96  # enough for a page, and a third of the size


def main() -> None:
    with _page() as page, tempfile.TemporaryDirectory() as folder:
        _report(page, Path(folder))
        _app(page, Path(folder))
    for name in ("report.png", "app.png"):
        with Image.open(HERE / name) as picture:
            small = picture.convert("RGB").quantize(COLOURS)
        small.save(HERE / name, optimize=True)


def _report(page: Page, folder: Path) -> None:
    check = lw.check(ESSAYS / "jack-silk-road.txt", ESSAYS)
    report = folder / "report.html"
    lw.save(check, report, language="en")
    page.goto(report.as_uri())
    page.wait_for_selector("#the-text[aria-busy=false]")
    page.keyboard.press("n")
    page.wait_for_timeout(500)
    page.screenshot(path=HERE / "report.png")


def _app(page: Page, folder: Path) -> None:
    with LiveServer(str(folder / "campus.db"), folder) as server:
        server.people(maria="teacher:Maria Ivanova")
        archive = sorted((EXAMPLES / "archive").iterdir())
        server.texts("maria", {path.stem: path.read_text("utf-8") for path in archive})
        page.goto(f"{server.address}/login")
        page.fill("input[autocomplete=username]", "maria")
        page.fill("input[type=password]", PASSWORD)
        page.click("button[type=submit]")
        page.wait_for_url(f"{server.address}/")
        page.goto(f"{server.address}/classes/new")
        files = [str(path) for path in sorted(ESSAYS.iterdir())]
        page.get_by_label("Name of the class").fill("Essays, autumn term")
        page.set_input_files("input[type=file]", files)
        page.get_by_role("button", name="Check", exact=False).last.click()
        page.wait_for_url("**/classes/*", timeout=120_000)
        page.wait_for_selector("table tbody tr", timeout=120_000)
        page.wait_for_timeout(1_500)
        page.screenshot(path=HERE / "app.png")


@contextmanager
def _page() -> Iterator[Page]:
    with sync_playwright() as playwright:
        program = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser.new_page(viewport={"width": 1180, "height": 900}, locale="en-GB")
        browser.close()


if __name__ == "__main__":
    os.environ.setdefault("LIKEWISE_CACHE", tempfile.mkdtemp())
    main()
