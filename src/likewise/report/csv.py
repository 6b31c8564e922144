"""The passages of a check, or the pairs of a collection, as a table for a spreadsheet."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

from likewise.report.catalogue import Language, Words
from likewise.report.paper.characters import in_one_line
from likewise.report.paper.sentences import kind_of, ranges
from likewise.report.view import CheckView, CollectionView, Ends, TextView, View

LONGEST_EXCERPT = 300  # characters
Cell = str | int | float

# What a spreadsheet would take for a formula, or leave out before one.
_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


def write_csv(view: View, path: Path, language: Language = "en") -> None:
    """Write one row a passage or a pair, with a mark by which spreadsheets know UTF-8."""
    path.write_text(csv_of(view, language), encoding="utf-8-sig", newline="")


def csv_of(view: View, language: Language = "en") -> str:
    """The table itself, its heads in the language asked for, its numbers as programs read them."""
    words = Words(language)
    written = StringIO()
    writer = csv.writer(written)
    for row in _passages(view, words) if isinstance(view, CheckView) else _pairs(view, words):
        writer.writerow([guarded(cell) if isinstance(cell, str) else cell for cell in row])
    return written.getvalue()


def guarded(cell: str) -> str:
    """The cell with an apostrophe before what a spreadsheet would run.

    >>> guarded("=1+1"), guarded("a-b")
    ("'=1+1", 'a-b')
    """
    return f"'{cell}" if cell.startswith(_FORMULAS) else cell


def _passages(view: CheckView, words: Words) -> Iterator[list[Cell]]:
    yield [
        *("№", words("sources.source"), words("csv.kind"), words("csv.score")),
        *(words("csv.words"), words("csv.holders")),
        *(words("paper.pages_here"), words("paper.pages_there")),
        *(words("csv.start_here"), words("csv.end_here")),
        *(words("csv.start_there"), words("csv.end_there")),
        *(words("csv.text_here"), words("csv.text_there"), words("csv.counted")),
    ]
    for passage in view.passages:
        source = view.sources[passage.source]
        yield [
            passage.source + 1,
            in_one_line(source.text.name),
            kind_of(passage, words),
            round(passage.score, 4),
            passage.words,
            passage.holders,
            ranges([passage.pages_a]),
            ranges([passage.pages_b]),
            *passage.a,
            *passage.b,
            excerpt(view.document, passage.a),
            excerpt(source.text, passage.b),
            round(source.counted / view.shares.whole, 4) if view.shares.whole else 0.0,
        ]


def _pairs(view: CollectionView, words: Words) -> Iterator[list[Cell]]:
    yield [
        *("№", words("collection.similarity")),
        *(words("collection.first"), words("collection.second")),
        *(words("collection.of_first"), words("collection.of_second")),
        *(words("measures.jaccard"), words("measures.agreement"), words("sources.passages")),
    ]
    for number, pair in enumerate(view.pairs, 1):
        yield [
            number,
            round(pair.similarity, 4),
            in_one_line(view.texts[pair.a].name),
            in_one_line(view.texts[pair.b].name),
            round(pair.containment_a, 4),
            round(pair.containment_b, 4),
            round(pair.jaccard, 4),
            round(pair.measures.agreement, 4) if pair.measures else "",
            len(pair.passages),
        ]


def excerpt(text: TextView, place: Ends) -> str:
    """The beginning of a passage, as far as the report holds it."""
    start, end = place
    for held_from, held in text.stretches:
        if held_from <= start < held_from + len(held):
            said = in_one_line(held[start - held_from : end - held_from])
            return said if len(said) <= LONGEST_EXCERPT else said[: LONGEST_EXCERPT - 1] + "…"
    return ""
