"""What the pages load: little, compressed, and the words of one language."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from threading import Event

import pytest
from playwright.sync_api import Page, Route, expect

from .conftest import Visit
from .live_server import LiveServer
from .speech import LANGUAGES, Speech

MOST_BYTES = 120_000
TRAVELLED = """() => [...performance.getEntriesByType("navigation"),
  ...performance.getEntriesByType("resource")]
  .map((entry) => [new URL(entry.name).pathname, entry.transferSize])"""


def travelled(page: Page) -> dict[str, int]:
    """Every file that the page has loaded, and its bytes on the wire, heads included."""
    page.wait_for_load_state("networkidle")
    return dict(page.evaluate(TRAVELLED))


def catalogues(files: dict[str, int]) -> set[str]:
    return {found[1] for name in files if (found := re.match(r"/assets/(en|ru|kk)-", name))}


@pytest.mark.parametrize("engine_name", ["sqlite"])
def test_the_log_in_takes_120_kilobytes_and_the_words_of_one_language(
    live_server: LiveServer, visit: Visit
) -> None:
    live_server.start(workers=0)
    for language in LANGUAGES:
        guest = visit(live_server, language)
        guest.page.goto("/login")
        expect(guest.button("login.go")).to_be_visible()
        guest.picture(language)
        files = travelled(guest.page)
        assert catalogues(files) == {language}
        assert 40_000 < sum(files.values()) <= MOST_BYTES, files
        # Known by their content: nothing of them travels again.
        guest.page.reload()
        expect(guest.button("login.go")).to_be_visible()
        again = travelled(guest.page)
        assert {name for name, size in again.items() if size > 1_000} == set(), again


@pytest.mark.parametrize("engine_name", ["sqlite"])
def test_another_language_is_spoken_as_soon_as_it_is_chosen(
    live_server: LiveServer, visit: Visit
) -> None:
    live_server.people(aigul="teacher")
    live_server.start(workers=0)
    guest = visit(live_server, "en")
    guest.page.goto("/login")
    for language in ("kk", "ru", "en", "kk"):
        guest.page.locator("select[name=language]").select_option(language)
        guest.words = Speech(language)
        expect(guest.button("login.go")).to_be_visible()
        expect(guest.page.locator("html")).to_have_attribute("lang", language)
        assert guest.page.title().startswith(guest.words("login.title"))
    assert catalogues(travelled(guest.page)) == {"en", "kk", "ru"}
    guest.log_in("aigul", at=guest.page.url)
    guest.sees("home.title")
    # Without a way to its words the page speaks on as before.
    guest.page.reload()
    guest.sees("home.title")
    guest.page.route(re.compile("/assets/ru-"), lambda route: route.abort())
    guest.account().click()
    guest.page.locator("header.bar label", has=guest.page.locator("input[value=ru]")).click()
    expect(guest.page.locator("header.bar input[value=kk]")).to_be_checked()
    guest.sees("broken.outdated")
    guest.sees("home.title")


@pytest.mark.parametrize("engine_name", ["sqlite"])
def test_a_report_is_asked_for_at_once_and_waits_for_no_word_of_other_pages(
    live_server: LiveServer, visit: Visit
) -> None:
    live_server.people(aigul="teacher")
    live_server.start()
    text = b"The river carries snow from the mountains down to the fields of wheat. " * 9
    with live_server.client("aigul") as client:
        check = client.post("/checks", files={"file": ("essay.txt", text)}).json()["id"]
    teacher = visit(live_server, "ru")
    teacher.log_in("aigul", at=f"/checks/{check}")
    teacher.read_report()
    held: list[Route] = []
    is_free = Event()
    words = re.compile(r"/assets/ru-[^/]+\.js$")

    def answer(route: Route) -> None:
        # The words of other pages wait until they are let go; home.title is one of them.
        if is_free.is_set() or "home.title" not in route.fetch().text():
            route.continue_()
        else:
            held.append(route)

    teacher.page.route(words, answer)
    asked: list[str] = []
    teacher.page.on("request", lambda request: asked.append(request.url.partition("/api/v1")[2]))
    teacher.page.reload()
    teacher.read_report()
    questions = [each for each in asked if each]
    assert questions[:4] == ["/token/refresh", "/me", f"/checks/{check}", f"/checks/{check}/view"]
    assert len(questions) == len(set(questions))
    expect(teacher.account()).to_contain_text(teacher.words("profile.title"))
    assert "undefined" not in teacher.page.locator("body").inner_text()
    # Whoever goes on has all of them.
    teacher.page.locator("header.bar").get_by_role("link", name=teacher.words("place.home")).click()
    teacher.page.wait_for_timeout(100)
    expect(teacher.page.locator("main.reader")).to_be_visible()
    is_free.set()
    for route in held:
        route.continue_()
    teacher.sees("home.title")


@pytest.mark.parametrize("engine_name", ["sqlite"])
def test_times_are_those_of_the_readers_clock_and_name_its_zone(
    live_server: LiveServer, visit: Visit
) -> None:
    live_server.people(aigul="teacher")
    live_server.start()
    text = b"The river carries snow from the mountains down to the fields of wheat. " * 9
    with live_server.client("aigul") as client:
        sent = client.post("/checks", files={"file": ("essay.txt", text)})
        check = client.get(f"/checks/{sent.json()['id']}").json()
    made = datetime.fromisoformat(check["made_on"])
    there = made.astimezone(timezone(timedelta(hours=-9, minutes=-30)))  # the Marquesas
    teacher = visit(live_server, "en", timezone_id="Pacific/Marquesas")
    teacher.log_in("aigul", at="/checks")
    exact = f"{there.day} {there:%B %Y}, {there:%H:%M} (UTC−9:30)"
    expect(teacher.page.get_by_role("cell", name=f"{there:%Y-%m-%d}")).to_have_attribute(
        "title", exact
    )
    teacher.page.get_by_role("link", name="essay.txt").click()
    teacher.read_report()
    # The report says when it was made, by the same clock.
    expect(teacher.page.get_by_text("(UTC−9:30)").first).to_be_attached()
