"""How right Likewise is: `./dev bench quality`.

Takes `planted-pairs`, `ru-revisions`, `formats`, `pages`, `icdar13-tables-eu`, `pan13-train`,
`receipts`, `rewritten` and `table-revisions`, unpacked in the folder of corpora, and the corpora
that `python -m bench.corpus` makes there. What is not there is left out, and said so.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.corpus import DEFAULT_FOLDER, say
from bench.quality import encodings, icdar, webpages
from bench.quality.alignment import aligned_pairs, pairs_among_many, two_theses
from bench.quality.concepts import lexicon_of_concepts
from bench.quality.copies import planted_copies
from bench.quality.damaged import damaged_files
from bench.quality.degrees import degrees
from bench.quality.disguised import disguised
from bench.quality.innocent import innocent_texts
from bench.quality.internet import on_the_web
from bench.quality.ocr import receipts, recognised_pages, recognition_without_steps
from bench.quality.one_subject import one_subject
from bench.quality.planted import planted_articles
from bench.quality.reading import every_file, office_speed, pdf_speed
from bench.quality.revisions import revised_pages
from bench.quality.reworded import (
    reworded_passages,
    rewritten_papers,
    unseen_reworded_passages,
)
from bench.quality.reworded_parts import parts_of_meaning
from bench.quality.reworded_peers import reworded_peers
from bench.quality.reworded_speed import cost_of_meaning
from bench.quality.sources import checks_in_libraries, sources_in_libraries
from bench.quality.tables import doctored_tables, many_tables, table_revisions
from bench.record import RESULTS, keep

Measure = Callable[[Path], list[dict[str, Any]]]


def _in(name: str, score: Callable[[Path], dict[str, Any]]) -> Measure:
    """What a folder of the corpora scores, if it is there."""
    return lambda folder: [score(folder / name)] if (folder / name).is_dir() else []


SECTIONS: dict[str, Measure] = {
    "planted articles": planted_articles,
    "planted copies": planted_copies,
    "revised pages": revised_pages,
    "every file": every_file,
    "damaged files": damaged_files,
    "PDF speed": pdf_speed,
    "office speed": office_speed,
    "encodings": _in("pages", encodings.score),
    "web pages": _in("pages", webpages.score),
    "ruled tables": _in("icdar13-tables-eu", icdar.score),
    "aligned pairs": aligned_pairs,
    "pairs among many": pairs_among_many,
    "two theses": two_theses,
    "reworded passages": reworded_passages,
    "unseen reworded passages": unseen_reworded_passages,
    "rewritten papers": rewritten_papers,
    "reworded passages, parts": parts_of_meaning,
    "reworded passages, peers": reworded_peers,
    "lexicon of concepts": lexicon_of_concepts,
    "cost of meaning": cost_of_meaning,
    "sources in a library": sources_in_libraries,
    "checks of rewritten texts": checks_in_libraries,
    "one subject": one_subject,
    "disguised texts": disguised,
    "innocent texts": innocent_texts,
    "degrees": degrees,
    "recognised pages": recognised_pages,
    "recognition without steps": recognition_without_steps,
    "receipts": receipts,
    "table revisions": table_revisions,
    "doctored tables": doctored_tables,
    "many tables": many_tables,
    "on the Internet": on_the_web,
}


def main() -> None:
    """Measure all sections, or those named."""
    parser = argparse.ArgumentParser(prog="./dev bench quality", description=__doc__)
    parser.add_argument(
        "sections", nargs="*", metavar="SECTION", help=f"{', '.join(SECTIONS)} (default: all)"
    )
    parser.add_argument("--corpus", type=Path, default=DEFAULT_FOLDER, help="folder (.data)")
    parser.add_argument("--output", type=Path, default=RESULTS / "quality.json")
    arguments = parser.parse_args()
    if unknown := set(arguments.sections) - set(SECTIONS):
        parser.error(f"no section {', '.join(sorted(unknown))}; there are {', '.join(SECTIONS)}")
    for section in arguments.sections or SECTIONS:
        figures = SECTIONS[section](arguments.corpus)
        if not figures:
            say(f"{section}: nothing to measure in {arguments.corpus}")
            continue
        for figure in figures:
            say(f"{section}: {figure}")
        keep(arguments.output, section, f"./dev bench quality '{section}'", figures)


if __name__ == "__main__":
    main()
