"""Checks against the Internet as a table."""

from __future__ import annotations

from collections.abc import Iterator

from bench.page.tables import Section, probability, provenance, table


def internet_page(sections: dict[str, Section]) -> Iterator[str]:
    """What is found of documents compiled from pages, and what it costs."""
    section = sections.get("on the Internet")
    if section is None:
        return
    first = section["figures"][0]
    yield "## Checks against the Internet"
    yield (
        "A small Internet on loopback: nearly 8,000 pages in three languages as HTML, PDF and "
        "plain text, in several encodings, slow, moved, broken or forbidden to programs, and a "
        "search engine that ranks them by BM25 without stems. Of these pages "
        f"{first['checked']} documents are compiled, from one to ten pages each: runs of 60 to 340 "
        "words, verbatim or edited (8 to 25 % of the words replaced, 6 % left out, 6 % put in, one "
        "time in three the sentences moved), with text of their own between them. A source is "
        "found if it, or a page with the same text, is named where its text stands. The held-out "
        "documents were not looked at before they were measured."
    )
    yield table(
        [
            *("documents", "sources", "recall, verbatim", "recall, edited", "precision"),
            *("queries per 100 words", "fetches per source"),
        ],
        [
            [
                figure["documents"],
                figure["verbatim"] + figure["edited"],
                probability(figure["recall_verbatim"]),
                probability(figure["recall_edited"]),
                probability(figure["precision"]),
                figure["queries_per_100_words"],
                figure["fetches_per_source"],
            ]
            for figure in section["figures"]
        ],
    )
    unreadable = sum(figure["unreadable"] for figure in section["figures"])
    named = sum(figure["unreadable_named"] for figure in section["figures"])
    yield (
        f"Of {unreadable} passages from pages that could not be fetched or read, {named} were "
        "explained by another page, or the page is named with the reason. The best of the PAN "
        "competitions reached an F1 of .47 on the open web, with other documents: no comparison."
    )
    yield provenance(section)
