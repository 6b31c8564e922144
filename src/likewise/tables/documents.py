"""Tables of whole documents: of two, or of one against many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from likewise.model import Check, Document, Match
from likewise.tables.compare import matching_tables
from likewise.tables.index import TableIndex
from likewise.tables.match import TableMatch


def with_tables(match: Match) -> Match:
    """A match of two documents, with the tables that they share."""
    if match.documents is None:
        return match
    a, b = match.documents
    return replace(match, tables=matching_tables(a.tables, b.tables, match.settings))


def check_with_tables(check: Check, others: Sequence[Document]) -> Check:
    """A check, with the tables of the document that stand in others, the likest first.

    A document may share a table and no text; it is no source of text then, and is named here.
    """
    compared = [other for other in others if other.name not in check.skipped]
    found = _found(check.document, compared, check)
    texts = {other.name: other for other in compared}
    named = {name: texts[name] for name, _ in found}
    return replace(check, tables=found, texts={**named, **check.texts})


def _found(
    document: Document, others: Sequence[Document], check: Check
) -> tuple[tuple[str, TableMatch], ...]:
    if not document.tables:
        return ()
    index = TableIndex(check.settings)
    homes: list[tuple[str, int]] = []  # of each table in the index: its document, its place there
    for other in others:
        for place, table in enumerate(other.tables):
            index.add(table)
            homes.append((other.name, place))
    found = []
    for place, table in enumerate(document.tables):
        for match in index.search(table, a=place):
            name, there = homes[match.b]
            found.append((name, replace(match, b=there)))
    return tuple(sorted(found, key=lambda each: (-each[1].score, each[1].a, each[0], each[1].b)))
