"""Documents with tables that were copied, reordered and altered."""

from collections.abc import Sequence
from dataclasses import replace

import likewise as lw
from likewise.model import Check, Document, Span, Table
from likewise.report import view_of_check
from likewise.report.view import CheckView
from likewise.tables import matching_tables

from .texts import MARKET, OWN, RIVER, document

Rows = Sequence[Sequence[str]]

RIVERS: Rows = (
    ("No.", "River", "Length, km", "Basin"),
    ("1", "Irtysh", "4248", "1643"),
    ("2", "Ishim", "2450", "177"),
    ("3", "Ural", "2428", "231"),
    ("4", "Chu", "1186", "67"),
    ("5", "Ili", "1439", "140"),
    ("6", "Tobol", "1591", "426"),
)
DOCTORED: Rows = (  # two rows exchanged, one altered, one gone, one new, columns in another order
    ("No.", "Length, km", "River", "Basin"),
    ("1", "2450", "Ishim", "177"),
    ("2", "4248", "Irtysh", "1643"),
    ("3", "2431", "Ural", "231"),
    ("4", "1439", "Ili", "140"),
    ("5", "1591", "Tobol", "426"),
    ("6", "2212", "Syr Darya", "219"),
)


def table(rows: Rows, caption: str = "", page: int | None = None) -> Table:
    return Table(tuple(tuple(row) for row in rows), Span(0, 20), caption, page)


def turned(rows: Rows) -> Rows:
    return tuple(zip(*rows, strict=True))


def with_tables(name: str, *tables: Table, text: str = OWN) -> Document:
    return replace(document(name, text, MARKET), tables=tables)


def check_of(mine: Document, *others: Document) -> Check:
    """A check with the tables that are alike, the likest first."""
    found = lw.check(mine, others)
    tables = tuple(
        (other.name, match)
        for other in others
        for match in matching_tables(mine.tables, other.tables)
    )
    texts = {**found.texts, **{other.name: other for other in others}}
    return replace(found, tables=tables, texts=texts)


def small_view(theirs: Rows = DOCTORED, caption: str = "Rivers of Kazakhstan") -> CheckView:
    mine = with_tables("mine.txt", table(RIVERS, "Longest rivers", 3))
    other = with_tables("archive/rivers.docx", table(theirs, caption, 7), text=RIVER)
    return view_of_check(check_of(mine, other))
