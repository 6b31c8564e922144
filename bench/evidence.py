"""Render `docs/evidence.md` and its plots from `bench/results/`: `./dev evidence`."""

from __future__ import annotations

import argparse
from pathlib import Path

from bench.page.internet import internet_page
from bench.page.library import library_page
from bench.page.ocr import ocr_page
from bench.page.passages import passages_page
from bench.page.plots import speed_plots
from bench.page.quality import quality_page
from bench.page.reading import reading_page
from bench.page.reports import reports_page
from bench.page.server import server_page
from bench.page.speed import speed_page
from bench.page.tables_study import tables_page
from bench.record import RESULTS, read_results

DOCS = Path(__file__).parents[1] / "docs"
HEAD = """\
# Evidence

What was measured, how, and what came out. This page is made by `./dev evidence` from the raw
figures in `bench/results/`; each table names the command that measured it."""


def main() -> None:
    """Write the page from whatever results there are."""
    parser = argparse.ArgumentParser(prog="./dev evidence", description=__doc__)
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder of the figures")
    parser.add_argument("--docs", type=Path, default=DOCS, help="folder of the page")
    arguments = parser.parse_args()
    speed = read_results(arguments.results, "speed")
    quality = read_results(arguments.results, "quality")
    pages = (reading_page, passages_page, ocr_page, tables_page, internet_page)
    more = [paragraph for part in pages for paragraph in part(quality)]
    more += reports_page(read_results(arguments.results, "reports"))
    more += library_page(speed, read_results(arguments.results, "faults"))
    more += server_page(speed)
    page = "\n\n".join([HEAD, *speed_page(speed), *quality_page(quality), *more])
    arguments.docs.mkdir(parents=True, exist_ok=True)
    (arguments.docs / "evidence.md").write_text(page + "\n", "utf-8")
    speed_plots(speed, arguments.docs / "plots")
    print(arguments.docs / "evidence.md")


if __name__ == "__main__":
    main()
