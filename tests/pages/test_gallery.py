"""The page of components looks as it did, in light and dark, in every language, wide and narrow.

What was changed on purpose is looked at (./dev ui --gallery) and kept anew:

    LIKEWISE_RENEW_PICTURES=1 ./dev test tests/pages/test_gallery.py
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageDraw, ImageFont
from playwright.sync_api import Browser, Page

from . import gallery_pictures
from .gallery_pictures import (
    OPENED,
    keep,
    kept_images,
    moved,
    open_gallery,
    read,
    redrawn,
    restyled,
    specimens,
    take_pictures,
)
from .test_every_page import faults

UI = Path(__file__).parents[2] / "ui"
LOOKS = [
    (language, theme, width)
    for language in ("en", "ru", "kk")
    for theme in ("light", "dark")
    for width in (1280, 360)
]
RENEW = "LIKEWISE_RENEW_PICTURES"


@pytest.fixture(scope="module")
def address() -> str:
    spec = importlib.util.spec_from_file_location("gallery", UI / "gallery.py")
    assert spec is not None and spec.loader is not None
    gallery = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(gallery)
    page: Path = gallery.build()
    return page.as_uri()


@pytest.fixture
def wide(browser: Browser, address: str) -> Iterator[Page]:
    page, _ = open_gallery(browser, address, "en", "light", 1280)
    yield page
    page.context.close()


@pytest.mark.parametrize(("language", "theme", "width"), LOOKS)
def test_every_component_looks_as_it_is_kept_and_is_open_to_everybody(
    browser: Browser, address: str, language: str, theme: str, width: int
) -> None:
    page, complaints = open_gallery(browser, address, language, theme, width)
    taken = take_pictures(page)
    assert not complaints
    # Where things stand is told by language and width, how they look by theme.
    look, boxes = f"{language}-{theme}-{width}", f"boxes-{language}-{width}"
    styles = f"styles-{theme}" if (language, width) == ("en", 1280) else None
    if os.environ.get(RENEW):
        keep(taken, look, boxes, styles)
    different = [
        *moved(taken.boxes, read(boxes)),
        *(restyled(taken.styles, read(styles)) if styles else []),
        *redrawn(taken.images, kept_images(look, boxes)),
    ]
    kept_out = faults(page)
    for name, _ in specimens(page):
        if name in OPENED and language == "en":
            kept_out += [f"{name}: {each}" for each in faults(page)]
    is_too_wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    page.context.close()
    assert not different, "\n".join([*different, f"on purpose? {RENEW}=1 keeps it as it is now"])
    assert not kept_out, "\n".join(kept_out)
    assert not is_too_wide


# The comparison itself: a component that changes is noticed, another renderer is not.
CHANGES = {
    "padding": ".button { padding: 0.45rem 1rem !important }",
    "a colour": ":root { --accent: #8a2be2 }",
    "corners": ".card { border-radius: 0 !important }",
    "layout": ".tiles { grid-template-columns: 1fr !important }",
    "a shadow": ".notice { box-shadow: none !important }",
    "a drawing": ".icon path { d: path('M3 3 17 17') }",
    "a mark before a text": ".page-head::before, .empty::before { content: '▲▲▲' }",
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_component_that_changes_is_noticed(wide: Page, change: str) -> None:
    wide.add_style_tag(content=CHANGES[change])
    now = take_pictures(wide)
    assert (
        moved(now.boxes, read("boxes-en-1280"))
        or restyled(now.styles, read("styles-light"))
        or redrawn(now.images, kept_images("en-light-1280", "boxes-en-1280"))
    )


def test_a_drawing_that_changes_is_seen_in_the_picture_alone(wide: Page) -> None:
    wide.add_style_tag(content=CHANGES["a drawing"])
    now = take_pictures(wide)
    assert not moved(now.boxes, read("boxes-en-1280"))
    assert any(
        "icons" in each
        for each in redrawn(now.images, kept_images("en-light-1280", "boxes-en-1280"))
    )


def test_other_edges_of_letters_are_not_taken_for_a_change() -> None:
    """Lines of words as two renderers would draw them, one of them a quarter of a point further."""
    large = Image.new("RGB", (3200, 800), "white")
    drawing, letters = ImageDraw.Draw(large), ImageFont.load_default(size=56)
    for top in range(8, 720, 88):
        drawing.text((16, top), "the shore withdrew " * 5, fill="#1d2125", font=letters)
    hard = large.resize((800, 200), Image.Resampling.LANCZOS)
    soft = ImageChops.offset(large, 1, 0).resize((800, 200), Image.Resampling.BOX)
    assert hard.tobytes() != soft.tobytes()
    small = [gallery_pictures.smaller(each) for each in (hard, soft)]
    assert gallery_pictures.specks(*small) <= gallery_pictures.SPECKS


# How far a ring around what has the focus stands out from what is behind it.
RING = """() => {
  const one = document.activeElement;
  const shown = getComputedStyle(one).opacity === "0" ? one.nextElementSibling : one;
  const look = getComputedStyle(shown);
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const light = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((value) =>
      value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  let behind = shown.parentElement;
  while (behind && /, 0\\)$|transparent/.test(getComputedStyle(behind).backgroundColor))
    behind = behind.parentElement;
  const [a, b] = [light(look.outlineColor),
    light(getComputedStyle(behind ?? document.documentElement).backgroundColor)];
  return {
    name: `${one.localName}.${one.className}`,
    isBody: one === document.body,
    width: look.outlineStyle === "none" ? 0 : parseFloat(look.outlineWidth),
    contrast: (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05),
  };
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_keyboard_comes_to_everything_and_is_always_seen(
    browser: Browser, address: str, theme: str
) -> None:
    page, _ = open_gallery(browser, address, "en", theme, 1280)
    page.locator(".account > button").click()  # its menu is a part of the way
    page.locator("header.bar .brand").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")  # seen as one who came by keyboard
    weak, stops = [], 0
    while not (ring := page.evaluate(RING))["isBody"] and stops < 300:
        stops += 1
        if ring["width"] < 2 or ring["contrast"] < 3:
            weak.append(f"{ring['name']}: {ring['width']} px, {ring['contrast']:.1f} : 1")
        page.keyboard.press("Tab")
    page.context.close()
    assert stops > 60
    assert not weak, "\n".join(weak)


def test_the_menu_of_ones_account_is_used_by_keyboard_and_closes_by_itself(wide: Page) -> None:
    toggle = wide.locator(".account > button")
    panel = wide.locator(".account .panel")

    def is_open() -> bool:
        return panel.is_visible() and toggle.get_attribute("aria-expanded") == "true"

    toggle.focus()
    assert not is_open()
    wide.keyboard.press("Enter")
    assert is_open()
    wide.keyboard.press("Tab")  # the profile
    wide.keyboard.press("Tab")  # the language
    wide.keyboard.press("ArrowRight")
    assert wide.locator("html").get_attribute("lang") == "ru"
    wide.keyboard.press("Tab")
    wide.keyboard.press("ArrowRight")
    assert wide.locator("html").get_attribute("data-theme") == "dark"
    wide.keyboard.press("Escape")
    assert not is_open()
    assert toggle.evaluate("(one) => one === document.activeElement")
    wide.keyboard.press("Space")
    assert is_open()
    wide.locator("h1").click()
    assert not is_open()
    toggle.click()
    for _ in range(5):  # past the way out
        wide.keyboard.press("Tab")
    assert not is_open()
