"""Every page in every language, light and dark, on a phone and on a wide screen."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from likewise.server.providers.service import TEST_QUERY

from .campus import Campus
from .conftest import PATIENCE_MS, listened
from .live_server import LiveServer
from .speech import Language, own_messages
from .visitor import Visitor

AXE = Path(__file__).parents[2] / "ui" / "node_modules" / "axe-core" / "axe.min.js"
# Each language in light and in dark, each of these narrow and wide.
LOOKS: list[tuple[Language, str, int]] = [
    *(("en", "light", 1300), ("en", "dark", 360), ("ru", "light", 360)),
    *(("ru", "dark", 1300), ("kk", "light", 1300), ("kk", "dark", 360)),
]


@pytest.fixture(scope="module")
def campus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Campus]:
    folder = tmp_path_factory.mktemp("campus")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LIKEWISE_CACHE", str(folder / "cache"))
        live_server = LiveServer(str(folder / "library.db"), folder)
        try:
            yield Campus(live_server)
        finally:
            live_server.kill()


def come(browser: Browser, server: LiveServer, language: Language, **how: object) -> Visitor:
    context = browser.new_context(base_url=server.address, locale=language, **how)  # type: ignore[arg-type]
    context.set_default_timeout(PATIENCE_MS)
    return Visitor(context.new_page(), language, "every page")


def wait_until_ready(page: Page) -> None:
    """Everything has come that the page asked for."""
    expect(page.locator("h1:visible").first).to_be_visible()
    expect(page.locator(".loading:visible")).to_have_count(0)
    expect(page.locator("[aria-busy=true]")).to_have_count(0)


SERIOUS = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations
  .filter((each) => ["serious", "critical"].includes(each.impact))
  .flatMap((each) => each.nodes.slice(0, 3).map((node) =>
    `${each.id}: ${node.html.slice(0, 160)} ${node.failureSummary}`))"""


def faults(page: Page) -> list[str]:
    """What axe-core finds that keeps people out."""
    page.evaluate(AXE.read_text("utf-8"))
    found: list[str] = page.evaluate(SERIOUS)
    return found


# What is written on the page by us: not names, not documents, not what is typed.
SAID = """() => {
  const apart =
    "bdi, .mono, .secret, textarea, script, style, #the-text, blockquote, :is(option, span)[lang]";
  const found = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const { parentElement: one, data } = walk.currentNode;
    const isSeen = one.checkVisibility() || one.closest("option");
    if (data.trim() && !one.closest(apart) && isSeen) found.push(data.trim());
  }
  for (const one of document.querySelectorAll("[aria-label], [placeholder], [title], [alt]"))
    if (!one.closest(apart))
      for (const name of ["aria-label", "placeholder", "title", "alt"])
        if (one.getAttribute(name)) found.push(one.getAttribute(name));
  return [document.title, ...found];
}"""
# What people write in Latin letters whatever they speak.
NAMES = re.compile(
    r"\b(Likewise|PDF|DOCX|HTML|CSV|JSON|ZIP|RTF|Word|OpenDocument|SHA-256|UTC|MinHash|LSH|tf|idf"
    r"|SQLite|PostgreSQL|sqlite|postgresql|Chrome|HeadlessChrome|Mozilla|Linux|Python|httpx)\b"
    r"|\b(Moodle|Canvas|Blackboard)\b"
    r"|LIKEWISE_[A-Z_]+|[\w./ -]+\.(txt|docx|pdf|zip|exe)\b"
    r"|\b(aigul|boris|dean|daniyar|administrator|newcomer-\w+)\b"
    r"|\b(ODT)\b"
    r"|\b(Esc|Enter|Shift)\b|^en, ru, kk$|\bOpenID Connect\b"
    r"|\b(SearXNG|Brave|Google|Yandex|Bing-compatible|OpenAlex|CORE|Crossref|arXiv)\b"
    r"|«file»|: author, type, year, tags|https://search\.example\.org"
    rf"|\bapi\.search\.brave\.com\b|^{TEST_QUERY}$"
)


# Names of people and files may be written in any letters, but not in words that are ours.
NAMED = """() => [...document.querySelectorAll("bdi")].map((one) => one.innerText.trim())"""


def left_in_english(said: list[str], named: list[str]) -> list[str]:
    """Texts of a Russian or Kazakh page with English words in them."""
    ours = {each for each in own_messages("en").values() if isinstance(each, str)}
    found = [text for text in said if re.search(r"[A-Za-z]{2,}", NAMES.sub("", text))]
    return found + [name for name in named if name in ours]


def unsaid(said: list[str]) -> list[str]:
    """Keys of the catalogue that stand on the page instead of words."""
    groups = "|".join(sorted({key.split(".")[0] for key in own_messages("en")}))
    return [text for text in said if re.search(rf"^(?:{groups})\.[a-z_.]+$", text)]


# How many sizes they have: a long sentence beside one must not make it smaller.
BOXES_TO_TICK = """() => new Set(
    [...document.querySelectorAll(".check-field input")]
      .filter((one) => one.checkVisibility())
      .map((one) => Math.round(one.getBoundingClientRect().width))
  ).size"""


# Whether one lies over the name of what it chooses.
COVERING_BOXES = """() => [...document.querySelectorAll("tr input[type=checkbox]")]
  .filter((one) => one.checkVisibility())
  .some((one) => {
    const box = one.getBoundingClientRect();
    return [...one.closest("tr").querySelectorAll("a, bdi")].some((name) => {
      const { left, right, top, bottom } = name.getBoundingClientRect();
      return left < box.right && right > box.left && top < box.bottom && bottom > box.top;
    });
  })"""


def shortcomings(page: Page, language: Language) -> list[str]:
    """What keeps people out of a page, is not said in its language or has no room on it."""
    said = page.evaluate(SAID)
    wrong = [*faults(page), *unsaid(said)]
    if language != "en":
        wrong += left_in_english(said, page.evaluate(NAMED))
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        wrong.append("is wider than the screen")
    if page.evaluate(BOXES_TO_TICK) > 1:
        wrong.append("has boxes to tick of several sizes")
    if page.evaluate(COVERING_BOXES):
        wrong.append("has boxes to tick that cover a name")
    if page.locator("h1:visible").count() != 1:
        wrong.append("has not one heading of the first level")
    return wrong


@pytest.mark.parametrize(("language", "theme", "width"), LOOKS)
def test_every_page_is_open_to_everybody_and_speaks_one_language(
    browser: Browser, campus: Campus, language: Language, theme: str, width: int
) -> None:
    size = {"width": width, "height": 900}
    visitor = come(browser, campus.live_server, language, viewport=size, color_scheme=theme)
    page, complaints = visitor.page, []
    listened(page, complaints)
    shots = os.environ.get("LIKEWISE_SHOTS")
    found: list[str] = []

    def look(name: str) -> None:
        wait_until_ready(page)
        found.extend(f"{name}: {each}" for each in shortcomings(page, language))
        if shots:
            path = Path(shots) / f"page-{name}-{language}-{theme}-{width}.png"
            page.screenshot(path=path, full_page=True)

    page.goto("/login")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    look("login")
    visitor.button("login.go").hover()
    look("login-pointed-at")
    visitor.log_in("dean")
    for name, path in campus.pages().items():
        page.goto(path)
        look(name)
        if name == "users":
            visitor.press("users.new")
            look("new-user")
            page.get_by_role("dialog").locator("input").first.fill("boris")
            visitor.press("app.save")
            expect(page.get_by_role("dialog").get_by_role("alert")).to_be_visible()
            look("user-refused")
            page.keyboard.press("Escape")
            page.get_by_role("row").filter(has_text="boris").get_by_role(
                "button", name=visitor.words("users.remove")
            ).click()
            look("user-removed")
        if name == "internet":
            visitor.press("providers.set_up.title", name="Google")
            look("provider")
        if name == "new-check":
            page.locator("details.more > summary").last.click()
            look("options")
    page.context.close()
    assert not found, "\n".join(found)
    assert not complaints


@pytest.mark.parametrize(("language", "theme", "width"), LOOKS)
def test_every_page_of_a_student_is_open_to_everybody_and_speaks_one_language(
    browser: Browser, campus: Campus, language: Language, theme: str, width: int
) -> None:
    size = {"width": width, "height": 900}
    visitor = come(browser, campus.live_server, language, viewport=size, color_scheme=theme)
    page, complaints = visitor.page, []
    listened(page, complaints)
    visitor.log_in("daniyar")
    found: list[str] = []
    for name, path in campus.own_pages().items():
        page.goto(path)
        wait_until_ready(page)
        found.extend(f"{name}: {each}" for each in shortcomings(page, language))
        if shots := os.environ.get("LIKEWISE_SHOTS"):
            picture = Path(shots) / f"own-{name}-{language}-{theme}-{width}.png"
            page.screenshot(path=picture, full_page=True)
    page.context.close()
    assert not found, "\n".join(found)
    assert not complaints


def test_filters_stand_in_the_address_and_a_link_shows_the_same(
    browser: Browser, campus: Campus
) -> None:
    visitor = come(browser, campus.live_server, "en")
    page = visitor.page
    visitor.log_in("dean", at="/checks")
    rows = page.get_by_role("table").get_by_role("row")
    expect(rows).to_have_count(3)
    page.get_by_role("combobox", name=visitor.words("checks.state")).select_option("done")
    expect(rows).to_have_count(2)
    page.get_by_role("combobox", name=visitor.words("checks.whose")).select_option("mine")
    page.get_by_role("searchbox").fill("диплом")
    expect(page).to_have_url(re.compile(r"state=done.*whose=mine.*q=", re.I))
    seen = rows.all_inner_texts()
    page.reload()
    expect(rows).to_have_count(2)
    assert rows.all_inner_texts() == seen
    expect(page.get_by_role("combobox", name=visitor.words("checks.state"))).to_have_value("done")
    page.get_by_role("searchbox").fill("nothing of the kind")
    visitor.sees("checks.none")

    page.goto("/library?language=ru&sort=name&q=a")
    expect(page.get_by_role("searchbox")).to_have_value("a")
    visitor.press("library.clear")
    visitor.is_at(r"/library\?sort=name")
    page.goto("/administration/audit?act=check%20shared")
    expect(rows.nth(1)).to_be_visible()
    page.context.close()


# Where everything stands that a style sheet could move: what is on the page in order.
BOXES = """() => [...document.querySelectorAll(
    "#main :is(table, tr, th, td, [role=table], [role=row], [role=cell], .card, .page-head, h1, h2)"
  )].filter((one) => one.checkVisibility() && !one.closest(".report-root"))
  .map((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    const name = one.tagName.toLowerCase() + "." + one.className;
    return `${name} ${[x, y + scrollY, width, height].map(Math.round).join(" ")}`;
  })"""


def go_on_to(page: Page, path: str) -> None:
    """Open another page as a link in a page does, without loading anything anew."""
    page.evaluate("(path) => history.pushState({}, '', path)", path)
    page.evaluate("() => dispatchEvent(new PopStateEvent('popstate'))")
    expect(page).to_have_url(re.compile(rf"{re.escape(path)}$"))


@pytest.mark.parametrize("report", ["check", "class"])
def test_a_report_leaves_no_trace_on_the_pages_after_it(
    browser: Browser, campus: Campus, report: str
) -> None:
    paths = campus.pages()
    # Whoever opens the page for everybody by its address alone sees no bar on it.
    without = ("missing", "no-document", "verify", "no-link")
    others = {name: path for name, path in paths.items() if name not in without}
    visitor = come(browser, campus.live_server, "en", viewport={"width": 1300, "height": 900})
    page = visitor.page
    visitor.log_in("dean")
    fresh: dict[str, list[str]] = {}
    for name, path in others.items():
        page.goto(path, wait_until="networkidle")
        wait_until_ready(page)
        fresh[name] = page.evaluate(BOXES)
    page.goto(paths[report])
    visitor.read_report() if report == "check" else wait_until_ready(page)
    moved: list[str] = []
    for name, path in others.items():
        go_on_to(page, path)
        wait_until_ready(page)
        # What a page asks for may come in any order: it is given time to look as it did.
        for _ in range(50):
            if (now := page.evaluate(BOXES)) == fresh[name]:
                break
            page.wait_for_timeout(100)
        else:
            pairs = zip_longest(fresh[name], now)
            moved += [f"{name}: {a} is now {b}" for a, b in pairs if a != b][:3]
    page.context.close()
    assert not moved, "\n".join(moved)
