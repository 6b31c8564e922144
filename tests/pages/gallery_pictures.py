"""Pictures of the page of components, and how two of them are compared.

Renderers differ in the edges of letters, so nothing here asks for the same pixels: where things
stand and which colours, sizes and edges they have is compared as text, and what only a picture
shows at half the size and blurred. All of it is set in the letters beside the pictures.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

from PIL import Image, ImageChops, ImageFilter
from playwright.sync_api import Browser, Page, expect

from .conftest import listened

KEPT = Path(__file__).parent / "gallery"
LETTERS = "".join(
    f"@font-face {{ font-family: Letters; font-weight: {weight}; "
    f"src: url(data:font/woff2;base64,{data}) }}\n"
    for weight, data in (
        (weight, base64.b64encode((KEPT / f"letters-{weight}.woff2").read_bytes()).decode())
        for weight in (400, 700)
    )
)
STEADY = """
:root { --sans: Letters; --serif: Letters; --mono: Letters; text-rendering: geometricPrecision; }
*, *::before, *::after { animation: none !important; transition: none !important; }
"""
# Messages that pass away stay as long as pictures are taken.
LASTING = """const { setTimeout } = window;
window.setTimeout = (act, wait, ...more) => wait > 4000 ? 0 : setTimeout(act, wait, ...more);"""
# What stands over the page: what opens it, and what is then looked at.
OPENED = {
    "menu of the account": (".account > button, .fold", ".account .panel"),
    "question": ("[data-opens=confirm]", "dialog"),
    "form": ("[data-opens=form]", "dialog"),
}
SMALLER = 2
NEAR_PIXELS = 2  # a box may be off by
NEAR_COLOUR = 40  # of 255, once blurred
SPECKS = 30  # pixels of the small picture that may differ by more

DESCRIBED = """(root) => {
  const start = root.getBoundingClientRect(), boxes = [], styles = [];
  const number = (value) => String(Math.round(value * 10) / 10);
  for (const one of [root, ...root.querySelectorAll("*")]) {
    if (!one.checkVisibility() || one.closest("svg") !== null && one.tagName !== "svg") continue;
    const name = [one.localName, ...[...one.classList].sort()].join(".");
    const { x, y, width, height } = one.getBoundingClientRect();
    boxes.push(`${name} ${[x - start.x, y - start.y, width, height].map(number).join(" ")}`);
    const look = getComputedStyle(one);
    const told = ["color", "background-color", "border-top-color", "border-top-width",
      "border-inline-start-width", "border-top-left-radius", "padding", "font-size", "font-weight",
      "box-shadow", "opacity", "stroke-width"].map((each) => look.getPropertyValue(each));
    styles.push(`${name} ${told.join("; ")}`);
  }
  const { x, y } = start;
  return { boxes, styles: [...new Set(styles)], at: [x, y + scrollY] };
}"""


@dataclass
class Pictures:
    """The page as it looks: a picture of each specimen, where everything in it stands, and how."""

    images: dict[str, Image.Image] = field(default_factory=dict)
    boxes: dict[str, list[str]] = field(default_factory=dict)
    styles: dict[str, list[str]] = field(default_factory=dict)


def open_gallery(
    browser: Browser, address: str, language: str, theme: str, width: int
) -> tuple[Page, list[str]]:
    """The page, and what it complains of."""
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        locale=language,
        timezone_id="UTC",
        reduced_motion="reduce",
    )
    context.set_default_timeout(20_000)
    context.add_init_script(LASTING)
    page = context.new_page()
    complaints: list[str] = []
    listened(page, complaints)
    page.goto(f"{address}?language={language}&theme={theme}")
    page.add_style_tag(content=LETTERS + STEADY)
    expect(page.locator("[data-specimen]").last).to_be_visible()
    page.evaluate("document.fonts.ready")
    return page, complaints


def specimens(page: Page) -> Iterator[tuple[str, str]]:
    """The name of each specimen and its selector, what stands over the page last, while it does."""
    names = page.locator("[data-specimen]").evaluate_all(
        "(all) => all.map((one) => one.dataset.specimen)"
    )
    yield "bar", "header.bar"
    for name in names:
        yield name, f"[data-specimen='{name}']"
    for name, (opens, opened) in OPENED.items():
        page.locator(opens).locator("visible=true").first.click()
        yield name, opened
        page.keyboard.press("Escape")


def take_pictures(page: Page) -> Pictures:
    taken = Pictures()
    whole: Image.Image | None = None
    for name, selector in specimens(page):
        one = page.locator(selector).locator("visible=true").first
        found = one.evaluate(DESCRIBED)
        taken.boxes[name], taken.styles[name] = found["boxes"], found["styles"]
        x, y = (round(each) for each in found["at"])
        width, height = size_of(found["boxes"])
        if name in OPENED:
            image = opened_image(page.screenshot())
            y -= round(page.evaluate("scrollY"))
        else:
            whole = whole or opened_image(page.screenshot(full_page=True))
            image = whole
        taken.images[name] = image.crop((x, y, x + width, y + height))
    return taken


def size_of(boxes: list[str]) -> tuple[int, int]:
    """Of a specimen: its own box is the first."""
    width, height = (round(float(each)) for each in boxes[0].split()[-2:])
    return width, height


def opened_image(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("RGB")


# Kept: one picture with all specimens below each other, and beside it where each begins.


def keep(taken: Pictures, look: str, boxes: str, styles: str | None) -> None:
    small = {name: smaller(image) for name, image in taken.images.items()}
    width = max(image.width for image in small.values())
    whole = Image.new("RGB", (width, sum(image.height for image in small.values())))
    top = 0
    for image in small.values():
        whole.paste(image, (0, top))
        top += image.height
    path = KEPT / f"{look}.png"
    # The colours of an octree are spread over all that there are: small things keep theirs.
    few = whole.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    few.save(path, optimize=True)
    (KEPT / f"{boxes}.txt").write_text(written(taken.boxes), "utf-8")
    if styles:
        (KEPT / f"{styles}.txt").write_text(written(taken.styles), "utf-8")


def written(lines: dict[str, list[str]]) -> str:
    return "".join(f"[{name}]\n" + "".join(f"{line}\n" for line in lines[name]) for name in lines)


def read(name: str) -> dict[str, list[str]]:
    lines: dict[str, list[str]] = {}
    for line in (KEPT / f"{name}.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            lines[line[1:-1]] = []
        else:
            lines[list(lines)[-1]].append(line)
    return lines


def kept_images(look: str, boxes: str) -> dict[str, Image.Image]:
    whole = Image.open(KEPT / f"{look}.png").convert("RGB")
    images, top = {}, 0
    for name, lines in read(boxes).items():
        size = small_size(*size_of(lines))
        images[name] = whole.crop((0, top, size[0], top + size[1]))
        top += size[1]
    return images


def small_size(width: int, height: int) -> tuple[int, int]:
    return max(1, width // SMALLER), max(1, height // SMALLER)


def smaller(image: Image.Image) -> Image.Image:
    return image.resize(small_size(*image.size), Image.Resampling.BOX)


# Compared.


def moved(now: dict[str, list[str]], kept: dict[str, list[str]]) -> list[str]:
    """Which boxes stand elsewhere, or are others; the first few of each specimen."""
    found = [f"there is no {name!r}" for name in kept if name not in now]
    for name, lines in now.items():
        pairs = zip_longest(lines, kept.get(name, []), fillvalue="nothing")
        different = [f"{name}: {a} was {b}" for a, b in pairs if not is_near(a, b)]
        found += different[:3]
    return found


def is_near(one: str, other: str) -> bool:
    (name, *box), (other_name, *other_box) = one.split(" "), other.split(" ")
    if name != other_name or len(box) != len(other_box):
        return False
    return all(abs(float(a) - float(b)) <= NEAR_PIXELS for a, b in zip(box, other_box, strict=True))


def restyled(now: dict[str, list[str]], kept: dict[str, list[str]]) -> list[str]:
    """What has other colours, sizes or edges; the first few of each specimen."""
    found = []
    for name, lines in now.items():
        before = kept.get(name, [])
        new = [line for line in lines if line not in before]
        old = [line for line in before if line not in lines]
        pairs = zip_longest(new, old, fillvalue="nothing")
        found += [f"{name}: {a} was {b}" for a, b in pairs][:3]
    return found


def redrawn(now: dict[str, Image.Image], kept: dict[str, Image.Image]) -> list[str]:
    """Which specimens look different."""
    found = []
    for name, image in now.items():
        if name not in kept:
            found.append(f"{name} is new")
            continue
        differing = specks(smaller(image), kept[name])
        if differing > SPECKS:
            found.append(f"{name}: {differing} points have another colour")
    return found


def specks(one: Image.Image, other: Image.Image) -> int:
    """How many points of two small pictures differ, whatever renderer drew them."""
    if one.size != other.size:
        other = other.resize(one.size)
    blur = ImageFilter.GaussianBlur(1.2)
    difference = ImageChops.difference(one.filter(blur), other.filter(blur))
    red, green, blue = difference.split()
    most = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    return sum(most.histogram()[NEAR_COLOUR + 1 :])
