"""The quality benchmark as tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bench.page.tables import Section, probability, provenance, table


def quality_page(sections: dict[str, Section]) -> Iterator[str]:
    """Paragraphs and tables, for what was measured."""
    if not {"planted articles", "planted copies", "revised pages"} & set(sections):
        return
    yield "## Quality"
    yield from _articles(sections.get("planted articles"))
    yield from _copies(sections.get("planted copies"))
    yield from _revisions(sections.get("revised pages"))


def _articles(section: Section | None) -> Iterator[str]:
    if section is None:
        return
    yield "### Planted articles"
    yield (
        "English news articles with near-duplicates planted among them (`planted-pairs`). With "
        "*default* words stems are compared and stop words dropped; *plain* ones are as written."
    )
    yield table(
        ["collection", "documents", "words", "method", "threshold", "planted", "found", "others"],
        [[figure[key] for key in _ARTICLE] for figure in section["figures"]],
    )
    yield provenance(section)


_ARTICLE = "collection documents words method threshold planted found others".split()


def _copies(section: Section | None) -> Iterator[str]:
    if section is None:
        return
    yield "### Planted copies"
    yield (
        "3,000 documents of a corpus and 2,000 copies edited to a Jaccard of .3 to .65: words "
        "replaced, put in and lost, ends cut off, text added, blocks exchanged. The truth is every "
        "pair, counted one by one. LSH is asked for a recall of .99 at the threshold."
    )
    yield table(
        [
            "corpus",
            "threshold",
            "method",
            "pairs",
            "compared",
            "recall",
            "precision",
            "copies found",
        ],
        [
            [
                figure["corpus"],
                figure["threshold"],
                figure["method"],
                f"{figure['true']:,}",
                f"{figure['compared']:,}",
                probability(figure["recall"]),
                probability(figure["precision"]),
                f"{figure['planted_found']:,} of {figure['planted']:,}",
            ]
            for figure in section["figures"]
        ],
    )
    yield provenance(section)


def _revisions(section: Section | None) -> Iterator[str]:
    if section is None:
        return
    yield "### Revised pages"
    yield (
        "Russian technical pages in several revisions by people (`ru-revisions`); pairs marked "
        "grey are left out. Precision, recall and F1 over pairs, as found and as clustered."
    )
    yield table(
        ["collection", "words", "threshold", "pairs: P / R / F1", "clusters: P / R / F1"],
        [
            [
                figure["collection"],
                figure["words"],
                figure["threshold"],
                _three(figure["pairs"]),
                _three(figure["clusters"]),
            ]
            for figure in section["figures"]
        ],
    )
    yield provenance(section)


def _three(rightness: dict[str, Any]) -> str:
    return " / ".join(probability(rightness[key]) for key in ("precision", "recall", "f1"))
