"""The whole page from whatever results are on file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from bench.page.attacks import attacks_page
from bench.page.browser import browser_page
from bench.page.contents import contents
from bench.page.curves import curves_page
from bench.page.innocent import innocent_page
from bench.page.internet import internet_page
from bench.page.leftovers import all_results, leftovers_page, machines_page
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
from bench.page.server import server_page
from bench.page.server_faults import server_faults_page
from bench.page.shortfalls import listed, shortfalls
from bench.page.spark import spark_page
from bench.page.speed import speed_page
from bench.page.tables import Section
from bench.page.tables_study import tables_page
from bench.record import read_results

HEAD = """\
# Evidence

What was measured, how, and what came out. This page is made by `./dev evidence` from the raw
figures in `bench/results/`; each table names the command that measured it, the day and the
version."""

Plotted = Callable[[dict[str, Section], Path], Iterator[str]]

PAPERS: dict[str, Plotted] = {
    "paper-000": paper_000_page,
    "paper-001": paper_001_page,
    "paper-002": paper_002_page,
    "paper-003": paper_003_page,
    "paper-004": paper_004_page,
}


def whole_page(results: Path, plots: Path) -> str:
    """The page; its plots are written beside it."""
    body = list(_body(results, plots))
    body += list(leftovers_page(results, "\n".join(body)))
    body += list(machines_page(results))
    first = ["## Read this first", *_read_first(results, body)]
    return "\n\n".join([HEAD, *first, "## Contents", contents(body), *body]) + "\n"


def _body(results: Path, plots: Path) -> Iterator[str]:
    for name, page in PAPERS.items():
        yield from page(read_results(results, name), plots)
    yield from curves_page(read_results(results, "curves"), plots, results)
    speed, quality = read_results(results, "speed"), read_results(results, "quality")
    yield from speed_page(speed)
    speed_plots(speed, plots)
    parts = (quality_page, reading_page, passages_page, ocr_page, tables_page, internet_page)
    for part in parts:
        yield from part(quality)
    yield from innocent_page(quality, plots)
    yield from reports_page(read_results(results, "reports"))
    yield from library_page(speed, read_results(results, "faults"))
    yield from server_page(speed)
    yield from server_faults_page(read_results(results, "server_faults"))
    yield from attacks_page(read_results(results, "attacks"))
    yield from browser_page(read_results(results, "pages"))
    yield from spark_page(read_results(results, "spark"), plots)


def _read_first(results: Path, body: list[str]) -> Iterator[str]:
    yield (
        "*Asked* is what was set as the target before the work began; *the paper* is the figure "
        "printed in one of the five papers that Likewise is built from, measured on other machines "
        "and, where it says so, on other documents. Where ours is worse than what was asked, than "
        "a paper's or than a peer's, it stands in **bold** with the reason below its table. Times "
        "are CPU seconds, compared within one run."
    )
    found = list(shortfalls(body))
    if found:
        parts = len({shortfall.address for shortfall in found})
        yield (
            f"**Not reached, or worse than somebody else: {len(found)} rows in {parts} "
            "tables.** The list is made from the tables themselves."
        )
        yield listed(found)
    if experiments := _experiments(results):
        yield experiments


def _experiments(results: Path) -> str:
    """How long it takes to do the papers' part again."""
    taken = {
        name: max(section["experiment_cpu_s"] for section in sections.values())
        for name, sections in all_results(results).items()
        if sections and all("experiment_cpu_s" in section for section in sections.values())
    }
    if not taken:
        return ""
    each = ", ".join(f"{name} {seconds / 60:.1f}" for name, seconds in taken.items())
    return (
        f"To check it: `./dev evidence` runs the papers' experiments and the curves again and "
        f"makes this page; the runs on file took {sum(taken.values()) / 60:.0f} CPU-minutes "
        f"({each}). "
        "All other figures have their own commands, below their tables. The corpora are not part "
        "of the repository; what is missing is named."
    )
