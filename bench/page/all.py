"""The pages of evidence from whatever results are on file: a summary, and a page a subject."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.page.attacks import attacks_page
from bench.page.browser import browser_page
from bench.page.curves import curves_page
from bench.page.innocent import innocent_page
from bench.page.internet import internet_page
from bench.page.leftovers import leftovers_page, machines_page
from bench.page.library import library_page
from bench.page.ocr import ocr_page
from bench.page.paper_000 import paper_000_page
from bench.page.paper_001 import paper_001_page
from bench.page.paper_002 import paper_002_page
from bench.page.paper_003 import paper_003_page
from bench.page.paper_004 import paper_004_page
from bench.page.passages import passages_page
from bench.page.plots import speed_plots
from bench.page.quality import quality_page
from bench.page.reading import reading_page
from bench.page.reports import reports_page
from bench.page.reworded import reworded_page
from bench.page.server import server_page
from bench.page.server_faults import server_faults_page
from bench.page.shortfalls import shortfalls_page
from bench.page.sources import sources_page
from bench.page.spark import spark_page
from bench.page.speed import speed_page
from bench.page.summary import summary_page
from bench.page.tables import Section
from bench.page.tables_study import tables_page
from bench.record import read_results

PaperPage = Callable[[dict[str, Section], Path], Iterator[str]]

PAPERS: dict[str, PaperPage] = {
    "paper-000": paper_000_page,
    "paper-001": paper_001_page,
    "paper-002": paper_002_page,
    "paper-003": paper_003_page,
    "paper-004": paper_004_page,
}


def all_pages(results: Path, plots: Path) -> dict[str, str]:
    """Every page by its path under docs/; plots are written where they are told to."""
    bodies = {name: list(body) for name, body in _subjects(results, plots)}
    together = "\n".join(text for body in bodies.values() for text in body)
    bodies["other"] = list(leftovers_page(results, together))
    bodies["machines"] = list(machines_page(results))
    subjects = {
        name: [_one_level_up(paragraph) for paragraph in body]
        for name, body in bodies.items()
        if body
    }
    if worse := list(shortfalls_page(subjects)):
        subjects["shortfalls"] = worse
    pages = {
        f"evidence/{name}.md": _text(
            [*paragraphs[:1], "[All subjects](../evidence.md)", *paragraphs[1:]]
        ).replace("](plots/", "](../plots/")
        for name, paragraphs in subjects.items()
    }
    return {"evidence.md": _text(summary_page(subjects, results)), **pages}


def _subjects(results: Path, plots: Path) -> Iterator[tuple[str, Iterator[str]]]:
    for name, page in PAPERS.items():
        yield name, page(read_results(results, name), plots)
    yield "curves", curves_page(read_results(results, "curves"), plots, results)
    speed, quality = read_results(results, "speed"), read_results(results, "quality")
    yield "speed", speed_page(speed)
    speed_plots(speed, plots)
    yield "near-duplicates", quality_page(quality)
    yield "reading", reading_page(quality)
    yield "passages", passages_page(quality)
    yield "reworded", reworded_page(quality)
    yield "sources", sources_page(quality)
    yield "scans", ocr_page(quality)
    yield "tables", tables_page(quality)
    yield "internet", internet_page(quality)
    yield "innocent", innocent_page(quality, plots)
    yield "reports", reports_page(read_results(results, "reports"))
    yield "library", library_page(speed, read_results(results, "faults"))
    yield "server", server_page(speed, read_results(results, "deadline"))
    yield "server-faults", server_faults_page(read_results(results, "server_faults"))
    yield "attacks", attacks_page(read_results(results, "attacks"))
    yield "pages", browser_page(read_results(results, "pages"))
    yield "spark", spark_page(read_results(results, "spark"), plots)


def _one_level_up(paragraph: str) -> str:
    """The headings of a subject, on a page of its own."""
    return re.sub(r"^#(#+ )", r"\1", paragraph, flags=re.MULTILINE)


def _text(paragraphs: list[str]) -> str:
    return "\n\n".join(paragraphs) + "\n"
