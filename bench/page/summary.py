"""One page that can be read: what was asked, what was measured, where we are worse.

Its tables are rows and columns of the subjects' tables, picked by their names, so that no figure
stands on it that is not the figure of a run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from bench.page.headings import heading_of
from bench.page.leftovers import all_results
from bench.page.shortfalls import Shortfall, shortfalls
from bench.page.tables import table

HEAD = """\
# Evidence

What was asked, what was measured, and where we are worse. *Asked* was set before the work began; a
figure in **bold** falls short of it, of a paper or of a peer. Times are CPU times, compared within
one run. Every table is an excerpt: its link leads to the whole of it, with the command, the day,
the machine and the raw figures in `bench/results/`."""


class Excerpt(NamedTuple):
    """A few rows and columns of a table on a subject's page."""

    title: str
    subject: str
    heading: str  # above the table; empty: the page's first table
    columns: tuple[str, ...]
    rows: tuple[str, ...]  # by their first cells; empty: all
    sentence: str
    plot: str = ""


EXCERPTS = (
    Excerpt(
        "No honest author accused",
        "innocent",
        "",
        ("documents", "genre", "texts", "accused", "at most", "accused before"),
        ("1,000 all", "6,000 all", "100,000 all"),
        "Honest texts of eight genres in three languages against libraries of so many documents: "
        "anything counted is an accusation. *At most* is the upper 95 % bound of the rate. The "
        "price stands under *What is lost for it*.",
        "innocent.svg",
    ),
    Excerpt(
        "Passages",
        "passages",
        "PAN 2013, all 5,185 pairs",
        ("pairs", "asked", "plagdet", "recall"),
        (
            "all",
            "02-no-obfuscation",
            "03-random-obfuscation",
            "04-translation-obfuscation",
            "05-summary-obfuscation",
        ),
        "Where exactly two documents share text. The best published aligner gets .90 on this "
        "corpus.",
    ),
    Excerpt(
        "In other words",
        "reworded",
        "What each part gives",
        ("parts", "English", "Russian", "Kazakh", "summaries", "translated", "freely"),
        (
            "asked",
            "words alone",
            "+ concepts",
            "+ names",
            "+ numbers: all",
            "unseen texts",
        ),
        "Plagdet of reworded and translated passages, part by part; on unseen texts nobody tuned.",
    ),
    Excerpt(
        "Near-duplicates, beside others",
        "speed",
        "Side by side",
        ("engine", "MB per CPU-s at .8", "peak MB", "recall / precision at .8"),
        (
            "**Likewise**, exact join",
            "**Likewise**, LSH",
            "Daft",
            "gaoya",
            "rensa",
            "datasketch, xxHash",
            "SciPy, exact",
        ),
        "From texts in memory to pairs at Jaccard .8, one core. Some peers take less memory: they "
        "keep signatures alone, and decide on an estimate.",
        "speed-recall.svg",
    ),
    Excerpt(
        "Reading files",
        "reading",
        "",
        ("what", "asked", "measured"),
        (),
        "Files of other projects' tests, real pages and damaged files.",
    ),
    Excerpt(
        "Scans and photographs",
        "scans",
        "",
        ("language", "severity", "characters wrong", "worst page"),
        ("en 0", "ru 0", "ru 3", "kk 0", "kk 3"),
        "Severity 0 is a clean scan, 3 a bad photograph. Asked: at most 2 % wrong on clean pages.",
    ),
    Excerpt(
        "Tables",
        "tables",
        "Doctored tables",
        ("done to the table", "paper 004, plain", "equal cells, weighed", "likewise"),
        ("units changed", "two tables merged", "**mean, alone**", "**mean, two at a time**"),
        "Tables that were reordered, transposed, rounded, renamed, cut or merged: recall where one "
        "unrelated pair in a thousand passes.",
    ),
    Excerpt(
        "A library",
        "library",
        "What one would take instead",
        ("index", "in memory, MB", "check, CPU-ms: median / 99 %", "recall, 8 canonical words"),
        (
            "**Likewise**, library on SQLite",
            "datasketch, MinHashLSH at .02 (2.0.0)",
            "SetSimilaritySearch, containment (1.0.1)",
            "tantivy, fingerprints as terms (0.27.0)",
        ),
        "One document against 100,000: a run of eight words is never missed. Indexes in memory "
        "answer sooner.",
        "library.svg",
    ),
    Excerpt(
        "A server",
        "server",
        "Asked and measured",
        ("what", "asked", "PostgreSQL, 50 people", "SQLite, 10 people"),
        (
            "list, server ms, 95 %",
            "check of a 10-page DOCX, upload to result, s, 95 %",
            "other calls beside 20 uploads, ms, 95 %",
            "errors",
        ),
        "People who use it at once, on the same two cores. What was tried to break it: "
        "[attacks](evidence/attacks.md), [kills and full disks](evidence/server-faults.md).",
    ),
    Excerpt(
        "Beyond one machine",
        "spark",
        "Asked and measured",
        ("what", "asked", "measured"),
        (
            "pairs, clusters and survivors of both engines, by hash",
            "CPU, LSH, 200,000 documents, warm",
            "CPU, exact, 200,000 documents, warm",
            "recall at .8 and more, LSH",
        ),
        "The same answers on Spark, to the bit, at a higher price than was asked.",
        "spark-size.svg",
    ),
)


def summary_page(subjects: dict[str, list[str]], results: Path) -> list[str]:
    """The page; excerpts of what is not on file are left out."""
    paragraphs = [HEAD]
    for excerpt in EXCERPTS:
        if rows := excerpt_of(subjects.get(excerpt.subject, []), excerpt):
            paragraphs += [
                f"## {excerpt.title}",
                excerpt.sentence,
                table(excerpt.columns, rows),
            ]
            if excerpt.plot:
                paragraphs.append(f"![{excerpt.title}](plots/{excerpt.plot})")
            paragraphs.append(f"[The whole](evidence/{excerpt.subject}.md)")
    if worse := list(shortfalls(subjects)):
        parts = len({shortfall.address for shortfall in worse})
        paragraphs += [
            "## Where we are worse",
            f"{len(worse)} rows in {parts} tables were not reached, or somebody else is better: "
            "[all of them](evidence/shortfalls.md).",
            _counts(worse),
        ]
    if subjects:
        links = " · ".join(
            f"[{_title(paragraphs)}](evidence/{name}.md)" for name, paragraphs in subjects.items()
        )
        paragraphs += ["## By subject", links]
    if repeat := _how_to_repeat(results):
        paragraphs += ["## To check it", repeat]
    return paragraphs


def excerpt_of(paragraphs: Iterable[str], excerpt: Excerpt) -> list[list[str]]:
    """The rows that an excerpt asks for, in its order, as far as they are there.

    >>> page = ["# Speed", "| engine | MB | s |\\n| --- | --- | --- |\\n| ours | 1 | 2 |"]
    >>> excerpt_of(page, Excerpt("", "speed", "", ("engine", "s"), ("ours", "theirs"), ""))
    [['ours', '2']]
    """
    is_below = not excerpt.heading
    for paragraph in paragraphs:
        if heading := heading_of(paragraph):
            is_below = not excerpt.heading or heading[1] == excerpt.heading
        if is_below and paragraph.startswith("| "):
            return _rows(paragraph, excerpt)
    return []


def _rows(markdown: str, excerpt: Excerpt) -> list[list[str]]:
    head, _, *lines = [
        [cell.strip() for cell in line[1:-1].split("|")] for line in markdown.splitlines()
    ]
    if any(column not in head for column in excerpt.columns):
        return []
    places = [head.index(column) for column in excerpt.columns]
    picked = {
        wanted: [line[place] for place in places]
        for wanted in excerpt.rows
        for line in lines
        if wanted in (line[0], " ".join(line[:2]))
    }
    return list(picked.values()) or [[line[place] for place in places] for line in lines]


def _counts(worse: Iterable[Shortfall]) -> str:
    """How many rows of which table, with a link to each."""
    rows = Counter((shortfall.section, shortfall.address) for shortfall in worse)
    return " · ".join(
        f"[{section}](evidence/{address}): {count}" for (section, address), count in rows.items()
    )


def _title(paragraphs: list[str]) -> str:
    heading = heading_of(paragraphs[0])
    return heading[1].partition(":")[0] if heading else ""


def _how_to_repeat(results: Path) -> str:
    """How long it takes to do the papers' part again."""
    seconds = {
        name: max(section["experiment_cpu_s"] for section in sections.values())
        for name, sections in all_results(results).items()
        if sections and all("experiment_cpu_s" in section for section in sections.values())
    }
    if not seconds:
        return ""
    return (
        "`./dev evidence` runs the papers' experiments and the curves again "
        f"({sum(seconds.values()) / 60:.0f} CPU-minutes when it last ran) and makes these pages; "
        "`./dev evidence --render` makes them from the figures on file. All others have their "
        "commands below their tables. The corpora are not part of the repository; what is missing "
        "is named."
    )
