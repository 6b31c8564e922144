"""Tables that were copied, reordered and doctored: found, scored and aligned cell by cell.

`matching_tables` compares the tables of one document with those of another or with each other,
`TableIndex` holds those of many. `paper.compare_as_published` is the plain method of paper 004.
"""

from likewise.tables.documents import (
    check_with_tables,
    matching_tables,
    pictures_in,
    same_pictures,
    with_tables,
)
from likewise.tables.index import TableIndex, index_of
from likewise.tables.match import LEAST_SCORE, CellState, TableMatch

__all__ = [
    "LEAST_SCORE",
    "CellState",
    "TableIndex",
    "TableMatch",
    "check_with_tables",
    "index_of",
    "matching_tables",
    "pictures_in",
    "same_pictures",
    "with_tables",
]
