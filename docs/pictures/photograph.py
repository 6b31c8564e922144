"""Takes report.png: the page of a real check, as the README shows it.

python docs/pictures/photograph.py
"""

import shutil
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

import likewise as lw

HERE = Path(__file__).parent
ESSAYS = HERE.parent.parent / "examples" / "essays"
COLOURS = 96  # enough for a page, and a third of the size


def main() -> None:
    check = lw.check(ESSAYS / "jack-silk-road.txt", ESSAYS)
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.html")
        lw.save(check, report, language="en")
        with sync_playwright() as playwright:
            program = shutil.which("chromium") or shutil.which("chromium-browser")
            browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": 1180, "height": 900})
            page.goto(report.as_uri())
            page.wait_for_selector("#the-text[aria-busy=false]")
            page.keyboard.press("n")
            page.wait_for_timeout(500)
            page.screenshot(path=HERE / "report.png")
            browser.close()
    with Image.open(HERE / "report.png") as picture:
        small = picture.convert("RGB").quantize(COLOURS)
    small.save(HERE / "report.png", optimize=True)


if __name__ == "__main__":
    main()
