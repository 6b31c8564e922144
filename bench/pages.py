"""The pages of a server: how large, at what cost, how smoothly: `./dev bench pages`.

A library with 100,000 documents, whose rows are written straight into the tables, is served by
`likewise serve`; Chromium opens the first view, scrolls the table of the library, searches, sorts
and chooses all of it; the server is asked for the same, and to change and remove all. A report is
opened over a slow network by a slow machine, by somebody who was never here and by one who was.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.corpus import say
from bench.record import RESULTS, keep

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

DOCUMENTS = 100_000
ROUNDS, WHEELS, THROWS = 5, 120, 40
# A phone on a bad day: bits and milliseconds of the network, and how much slower than this machine.
SLOW_BITS_A_SECOND, SLOW_MS, SLOWER = 1_600_000, 150, 4
SOURCES, SOURCE_WORDS, COPIED_WORDS = 20, 3_000, 150
NAME, PASSWORD = "reader", "a table without an end"
WORDS = "apple river steppe market copper wheat law poetry анализ модель метод данные өзен кітап"
LARGEST_PAINT = """() => new Promise((resolve) =>
  new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
    .observe({ type: "largest-contentful-paint", buffered: true }))"""
CATEGORIES = ["toplevel", "disabled-by-default-devtools.timeline", "__metadata"]


def main() -> None:
    """Measure the first view and the table of the library."""
    parser = argparse.ArgumentParser(prog="./dev bench pages", description=__doc__)
    parser.add_argument("--documents", type=int, default=DOCUMENTS)
    parser.add_argument("--lists", action="store_true", help="asking, choosing and acting alone")
    parser.add_argument("--output", type=Path, default=RESULTS / "pages.json")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        place = Path(folder, "library.db")
        fill(place, arguments.documents)
        if arguments.lists:
            with served(place) as address:
                lists = lists_of(browser, address, arguments.documents)
            say(f"  {lists}")
            keep(arguments.output, "lists", "./dev bench pages --lists", lists)
            return
        with served(place) as address:
            figures = {
                "documents": arguments.documents,
                "log_in": opened(browser, address) | {"kb": log_in_kb(browser, address)},
                "library": scrolled(browser, address),
            }
            lists = lists_of(browser, address, arguments.documents)
        place = Path(folder, "sources.db")
        essay = add_sources(place)
        with served(place, workers=1) as address:
            figures["report"] = report_opened(browser, address, checked(address, essay))
    say(f"  {figures} {lists}")
    keep(arguments.output, "pages", "./dev bench pages", figures)
    keep(arguments.output, "lists", "./dev bench pages", lists)


def lists_of(browser: Browser, address: str, documents: int) -> dict[str, Any]:
    """What it costs to ask for other rows, and to do something to all of them."""
    return {
        "documents": documents,
        "longest_task": asked(browser, address),
        "server_cpu_ms": answered(address, documents),
    }


# The library.


def fill(place: Path, documents: int) -> None:
    """Rows of documents, and somebody who may read them all."""
    from sqlalchemy import insert, update

    from likewise.library import Library, schema
    from likewise.server.config import Config
    from likewise.server.context import ServerContext
    from likewise.server.people.users import add_person

    with Library(place) as library:
        add_person(ServerContext(library, Config(workers=0)), NAME, PASSWORD)
        with library.store.writing() as (connection, _):
            rows = _rows(documents)
            while some := list(islice(rows, 2_000)):
                connection.execute(insert(schema.documents), some)
            connection.execute(update(schema.library).values(last_document=documents))


def _rows(documents: int) -> Iterator[dict[str, Any]]:
    from likewise.library.metadata import search_text

    dice, words, first = random.Random(1), WORDS.split(), datetime(2020, 1, 1)
    for i in range(1, documents + 1):
        name = f"{' '.join(dice.sample(words, 3))} {i}.docx"
        author = f"{dice.choice(words).title()} {dice.choice(words).title()}"
        yield {
            "id": i,
            "collection": "",
            "name": name,
            "sha256": hashlib.sha256(str(i).encode()).digest(),
            "is_file": True,
            "text_hash": hashlib.md5(str(i).encode()).digest(),
            "owner": NAME,
            "added_on": first + timedelta(minutes=i),
            "language": dice.choice(["kk", "ru", "en"]),
            "type": dice.choice(["essay", "thesis", None]),
            "author": author,
            "year": 2020 + i % 6,
            "words": dice.randrange(300, 30_000),
            "chars": dice.randrange(3_000, 200_000),
            "searched": search_text((name, NAME, author)),
        }


def add_sources(place: Path) -> str:
    """A library with sources; the text of an essay that copies from each of them."""
    from likewise.library import Library
    from likewise.server.config import Config
    from likewise.server.context import ServerContext
    from likewise.server.people.users import add_person

    dice, words = random.Random(2), [f"{one}{i}" for one in WORDS.split() for i in range(150)]

    def written(count: int) -> str:
        chosen = dice.choices(words, k=count)
        lines = (" ".join(chosen[i : i + 15]) + "." for i in range(0, count, 15))
        return "\n\n".join(lines)

    sources = [written(SOURCE_WORDS) for _ in range(SOURCES)]
    with Library(place) as library:
        add_person(ServerContext(library, Config(workers=0)), NAME, PASSWORD)
        library.add_texts({f"{i}.txt": text for i, text in enumerate(sources)}, owner=NAME)
    copied = (" ".join(text.split()[300 : 300 + COPIED_WORDS]) for text in sources)
    return "\n\n".join(f"{written(COPIED_WORDS)}\n\n{each}" for each in copied)


def checked(address: str, essay: str) -> str:
    """The number of a check that is done."""
    import httpx

    with httpx.Client(base_url=f"{address}/api/v1", timeout=60) as client:
        token = client.post("/token", json={"name": NAME, "password": PASSWORD}).json()
        client.headers["Authorization"] = f"Bearer {token['access_token']}"
        sent = client.post("/checks", files={"file": ("essay.txt", essay.encode())})
        check = str(sent.json()["id"])
        deadline = time.monotonic() + 120
        while (state := client.get(f"/checks/{check}").json()["state"]) != "done":
            if state in ("failed", "cancelled") or time.monotonic() > deadline:
                raise RuntimeError(f"the check is {state}")
            time.sleep(0.2)
    return check


@contextmanager
def served(place: Path, workers: int = 0) -> Iterator[str]:
    """The address of a server over a library, as long as it is needed."""
    command = [sys.executable, "-m", "likewise", "serve", "--library", str(place), "--no-browser"]
    with subprocess.Popen(
        [*command, "--port", "0", "--workers", str(workers)],
        env=os.environ | {"LIKEWISE_LOG_LEVEL": "warning"},
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdout is not None
        try:
            told = next(line for line in server.stdout if "Ctrl-C" in line)
            found = re.search(r"http://[\d.:]+", told)
            assert found is not None
            _PIDS[found[0]] = server.pid
            yield found[0]
        finally:
            server.terminate()


_PIDS: dict[str, int] = {}  # of servers, by their addresses


def server_cpu_seconds(address: str) -> float:
    """What a server without workers has used so far."""
    stat = Path(f"/proc/{_PIDS[address]}/stat").read_text()
    user, system = stat.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


# The browser.


@contextmanager
def chromium() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    program = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


def cpu_seconds(browser: Browser) -> float:
    """What all processes of the browser have used so far."""
    session = browser.new_browser_cdp_session()
    told = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    return float(sum(each["cpuTime"] for each in told))


def wait_until_idle(page: Page) -> None:
    page.evaluate("() => new Promise((resolve) => requestIdleCallback(resolve))")


@contextmanager
def traced(browser: Browser, page: Page) -> Iterator[dict[str, int]]:
    """The longest task of the page's main thread meanwhile, in milliseconds.

    By its own CPU time too: on a crowded machine the clock runs while others have the core.
    """
    longest: dict[str, int] = {}
    browser.start_tracing(page=page, categories=CATEGORIES)
    yield longest
    events = json.loads(browser.stop_tracing())["traceEvents"]
    mains = {
        (each["pid"], each["tid"])
        for each in events
        if each["name"] == "thread_name" and each["args"]["name"] == "CrRendererMain"
    }
    tasks = [
        each
        for each in events
        if each["name"].endswith("RunTask") and (each["pid"], each["tid"]) in mains
    ]
    longest["ms"] = round(max(each.get("dur", 0) for each in tasks) / 1000)
    longest["cpu_ms"] = round(max(each.get("tdur", 0) for each in tasks) / 1000)


def opened(browser: Browser, address: str) -> dict[str, Any]:
    """The first view, by somebody who was never here: CPU until it can be used."""
    seconds = []
    for _ in range(ROUNDS):
        context = browser.new_context(locale="ru")
        page = context.new_page()
        before = cpu_seconds(browser)
        page.goto(address)
        page.get_by_role("button").first.wait_for()
        wait_until_idle(page)
        seconds.append(cpu_seconds(browser) - before)
        context.close()
    return {"cpu_s": round(statistics.median(seconds), 2), "first_cpu_s": round(seconds[0], 2)}


def log_in_kb(browser: Browser, address: str) -> float:
    """What travels until somebody who was never here can log in, heads and all."""
    context = browser.new_context(locale="ru")
    page = context.new_page()
    page.goto(f"{address}/login")
    page.get_by_role("button").first.wait_for()
    page.wait_for_load_state("networkidle")
    size = page.evaluate(
        """() => ["navigation", "resource"]
          .flatMap((kind) => performance.getEntriesByType(kind))
          .reduce((sum, entry) => sum + entry.transferSize, 0)"""
    )
    context.close()
    return round(float(size) / 1000, 1)


def report_opened(browser: Browser, address: str, check: str) -> dict[str, Any]:
    """Until the largest text of a report is painted, from the click on a link to it."""
    context = browser.new_context(locale="ru", viewport={"width": 1280, "height": 800})
    log_in(context.new_page(), address)
    figures: dict[str, Any] = {}
    for name in ("first", "again"):
        milliseconds = []
        for _ in range(ROUNDS):
            page = context.new_page()
            devtools = context.new_cdp_session(page)
            devtools.send("Network.enable")
            if name == "first":
                devtools.send("Network.clearBrowserCache")
            slow = {"offline": False, "latency": SLOW_MS}
            slow |= dict.fromkeys(
                ("downloadThroughput", "uploadThroughput"), SLOW_BITS_A_SECOND // 8
            )
            devtools.send("Network.emulateNetworkConditions", slow)
            devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
            page.goto(f"{address}/checks/{check}")
            page.locator("#the-text").wait_for()
            page.wait_for_load_state("networkidle")
            milliseconds.append(page.evaluate(LARGEST_PAINT))
            page.close()
        # The best: the clock runs while others have the core.
        figures[f"{name}_largest_paint_ms"] = round(min(milliseconds))
    context.close()
    return figures


def asked(browser: Browser, address: str) -> dict[str, int]:
    """The longest task while the table is searched, sorted by each column and chosen as a whole."""
    context = browser.new_context(locale="ru", viewport={"width": 1300, "height": 900})
    page = context.new_page()
    log_in(page, address)
    page.goto(f"{address}/library")
    table = page.locator(".long")
    table.locator("tbody a").first.wait_for()
    found, heads = page.get_by_role("status").first, table.locator("thead")
    with traced(browser, page) as longest:
        for searched in ("river", "wheat", ""):
            shown = found.inner_text()
            page.get_by_role("searchbox").first.fill(searched)
            page.wait_for_function(
                "(shown) => document.querySelector('[role=status]').innerText !== shown", arg=shown
            )
        for head in heads.get_by_role("button").all():
            head.click()
            table.locator("tbody a").first.wait_for()
        heads.get_by_role("checkbox").check()
        page.locator(".chosen").wait_for()
    context.close()
    return longest


def answered(address: str, documents: int) -> dict[str, int]:
    """CPU of the server, in milliseconds: the mean of three answers; what changes all is once."""
    import httpx

    with httpx.Client(base_url=f"{address}/api/v1", timeout=300) as client:
        token = client.post("/token", json={"name": NAME, "password": PASSWORD}).json()
        client.headers["Authorization"] = f"Bearer {token['access_token']}"

        def ask(rounds: int, method: str, path: str, **request: Any) -> int:
            before = server_cpu_seconds(address)
            for _ in range(rounds):
                client.request(method, path, **request).raise_for_status()
            return round(1000 * (server_cpu_seconds(address) - before) / rounds)

        def listed(**query: Any) -> int:
            return ask(3, "GET", "/documents", params={"limit": 100, "sort": "-added_on"} | query)

        own: dict[str, Any] = {"filters": {"owner": [NAME]}}
        return {
            "opened": listed(),
            "searched": listed(search="river"),
            "filtered": listed(type="essay", language="kk"),
            "sorted": listed(sort="author"),
            "at_the_end": listed(offset=documents - 100),
            "all_changed": ask(1, "PATCH", "/documents", json=own | {"metadata": {"year": 2026}}),
            "all_removed": ask(1, "POST", "/documents/delete", json=own),
        }


def log_in(page: Page, address: str) -> None:
    page.goto(address)
    page.fill("input[name=username]", NAME)
    page.fill("input[name=password]", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_selector("header.bar")


def scrolled(browser: Browser, address: str) -> dict[str, Any]:
    """The table of the library: opened, scrolled by the wheel, and thrown about by its bar."""
    context = browser.new_context(locale="ru", viewport={"width": 1300, "height": 900})
    page = context.new_page()
    log_in(page, address)
    wait_until_idle(page)
    table = page.locator(".long")
    figures: dict[str, Any] = {}
    before = cpu_seconds(browser)
    page.goto(f"{address}/library")
    table.locator("tbody a").first.wait_for()
    wait_until_idle(page)
    figures["open_cpu_s"] = round(cpu_seconds(browser) - before, 2)
    table.hover()
    with traced(browser, page) as longest:
        for _ in range(WHEELS):
            page.mouse.wheel(0, 900)
            page.wait_for_timeout(30)
        table.locator("tbody a").first.wait_for()
    figures["longest_task_wheel"] = longest
    dice = random.Random(3)
    with traced(browser, page) as longest:
        for _ in range(THROWS):
            part = dice.random()
            table.evaluate("(one, part) => { one.scrollTop = part * one.scrollHeight; }", part)
            page.wait_for_timeout(60)
        table.evaluate("(one) => { one.scrollTop = one.scrollHeight; }")
        table.locator("tbody a").last.wait_for()
    figures["longest_task_thrown"] = longest
    figures["rows_in_the_page"] = table.locator("tbody tr").count()
    context.close()
    return figures


if __name__ == "__main__":
    main()
