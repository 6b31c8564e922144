"""Reports: how large, at what cost, and how smoothly they open: `./dev bench reports`.

A document of 100 pages in Russian with 50 sources, and a collection of 1,000 documents with 5,000
pairs, both made of the texts in `ru-revisions`; then every kind of file is written in a fresh
process, and the pages are opened in Chromium.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench.corpus import DEFAULT_FOLDER, say
from bench.record import RESULTS, keep
from likewise.front import check, find
from likewise.model import Document, Page, Span
from likewise.report import ENDINGS, View, view_of_check, view_of_matches, write_view

PAGES, CHARS_A_PAGE, SOURCES = 100, 2_900, 50
DOCUMENTS, GROUPS, PARAGRAPHS = 1_000, 72, 8
ROUNDS = 3
STEPS = 25  # passages onwards; twice as many back, past the first to the last


def main() -> None:
    """Measure both reports."""
    parser = argparse.ArgumentParser(prog="./dev bench reports", description=__doc__)
    parser.add_argument("--corpus", type=Path, default=DEFAULT_FOLDER)
    parser.add_argument("--output", type=Path, default=RESULTS / "reports.json")
    parser.add_argument("--only", choices=("check", "collection"), help="one of the two")
    parser.add_argument("--write", nargs=3, help=argparse.SUPPRESS)  # what a fresh process does
    arguments = parser.parse_args()
    if arguments.write:
        what, ending, path = arguments.write
        print(json.dumps(_written(what, ending, Path(path), arguments.corpus)))
        return
    if not (arguments.corpus / "ru-revisions").is_dir():
        raise SystemExit(f"there is no ru-revisions in {arguments.corpus}: unpack it there first")
    for what in (arguments.only,) if arguments.only else ("check", "collection"):
        figures = []
        with tempfile.TemporaryDirectory() as folder:
            for ending in ENDINGS:
                path = Path(folder, f"{what}{ending}")
                figure = _in_a_fresh_process(what, ending, path, arguments.corpus)
                if ending == ".html":
                    figure |= opened(path)
                say(f"  {what}{ending}: {figure}")
                figures.append({"format": ending[1:], **figure})
        keep(arguments.output, f"{what} report", "./dev bench reports", figures)


def _in_a_fresh_process(what: str, ending: str, path: Path, corpus: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "bench.reports", "--corpus", str(corpus)]
    done = subprocess.run(
        [*command, "--write", what, ending, str(path)], stdout=subprocess.PIPE, text=True
    )
    if done.returncode:
        return {"failed": f"exit status {done.returncode}"}
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def _written(what: str, ending: str, path: Path, corpus: Path) -> dict[str, Any]:
    """CPU seconds from the finished result to the file, the first time and the median."""
    paragraphs = _paragraphs(corpus)
    facts: dict[str, Any]
    seconds = []
    if what == "check":
        found = check(*thesis_and_sources(paragraphs))
        facts = {
            "sources": len(found.sources),
            "passages": sum(len(source.passages) for source in found.sources),
        }

        def view() -> View:
            return view_of_check(found)
    else:
        matches = find(collection(paragraphs), threshold=0.3)
        began = time.process_time()
        made = view_of_matches(matches)
        facts = {"pairs": len(made.pairs), "align_cpu_s": round(time.process_time() - began, 2)}

        def view() -> View:
            return made

    for _ in range(ROUNDS):
        began = time.process_time()
        write_view(view(), path, None if ending == ".html" else "ru")
        seconds.append(time.process_time() - began)
    size = path.stat().st_size
    return facts | {
        "mb": round(size / 1e6, 3),
        "first_cpu_s": round(seconds[0], 2),
        "cpu_s": round(sorted(seconds)[ROUNDS // 2], 2),
    }


def opened(path: Path) -> dict[str, Any]:
    """The longest task in milliseconds while a page opens and is scrolled to its end.

    In a report about one document, while its reader walks from passage to passage too.
    """
    from playwright.sync_api import sync_playwright

    program = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.add_init_script(
            "window.tasks = [];"
            "new PerformanceObserver(list => list.getEntries().forEach(e =>"
            " window.tasks.push(e.duration))).observe({type: 'longtask', buffered: true});"
        )
        page.goto(path.as_uri())
        page.wait_for_selector("main")
        page.wait_for_timeout(3000)
        opening = page.evaluate("Math.max(0, ...window.tasks)")
        page.evaluate("window.tasks.length = 0")
        page.mouse.move(400, 600)  # above the text, which scrolls by itself
        for _ in range(60):
            page.mouse.wheel(0, 4000)
            page.wait_for_timeout(50)
        figures = {
            "longest_task_opening_ms": round(opening),
            "longest_task_scrolling_ms": round(page.evaluate("Math.max(0, ...window.tasks)")),
        }
        if page.locator("#the-text").count():
            page.evaluate("window.tasks.length = 0")
            for key in ("n",) * STEPS + ("p",) * (2 * STEPS):
                page.keyboard.press(key)
                page.wait_for_timeout(50)
            walking = page.evaluate("Math.max(0, ...window.tasks)")
            figures["longest_task_walking_ms"] = round(walking)
        browser.close()
    return figures


# What is reported on.


def _paragraphs(corpus: Path) -> list[str]:
    folder = corpus / "ru-revisions"
    found = {
        line.strip()
        for path in sorted(folder.rglob("*.*"))
        if path.suffix in (".md", ".txt")
        for line in path.read_text("utf-8").split("\n\n")
        if 250 < len(line.strip()) < 1200
    }
    chosen = sorted(found)
    random.Random(1).shuffle(chosen)
    return chosen


def thesis_and_sources(paragraphs: list[str]) -> tuple[Document, list[Document]]:
    """A document of 100 pages, nearly half of it from 50 sources, a part of that edited."""
    draw = random.Random(2)
    copied, own = paragraphs[: len(paragraphs) // 2], paragraphs[len(paragraphs) // 2 :]
    sources = [copied[i::SOURCES] for i in range(SOURCES)]
    text = ""
    while len(text) < PAGES * CHARS_A_PAGE:
        if draw.random() < 0.45:
            part = draw.choice(draw.choice(sources))
            if draw.random() < 0.4:
                words = part.split()
                for _ in range(len(words) // 10):
                    words[draw.randrange(len(words))] = draw.choice(draw.choice(own).split())
                part = " ".join(words)
        else:
            part = draw.choice(own)
        text += part + "\n\n"
    text = text[: PAGES * CHARS_A_PAGE]
    pages = tuple(Page(i + 1, Span(i * CHARS_A_PAGE, (i + 1) * CHARS_A_PAGE)) for i in range(PAGES))
    thesis = Document("thesis.pdf", text, pages, language="ru")
    return thesis, [
        Document.from_text("\n\n".join(source), f"source {i + 1}.docx", "ru")
        for i, source in enumerate(sources)
    ]


def collection(paragraphs: list[str]) -> list[Document]:
    """Groups of essays that share most of their paragraphs."""
    draw = random.Random(3)
    groups = [[draw.choice(paragraphs) for _ in range(PARAGRAPHS)] for _ in range(GROUPS)]
    essays = []
    for i in range(DOCUMENTS):
        parts = list(draw.choice(groups))
        for _ in range(draw.randrange(1, 4)):
            parts[draw.randrange(PARAGRAPHS)] = draw.choice(paragraphs)
        essays.append(Document.from_text("\n\n".join(parts), f"essay {i:04}.docx", "ru"))
    return essays


if __name__ == "__main__":
    main()
