"""The front door: every job as one function, which takes documents or paths, and settings by name.

Python, the command line and the server's jobs all come in here; behind it stand `ReadOptions`,
`SearchOptions` and `CheckOptions`.
"""

from likewise.front.checks import check
from likewise.front.corpora import dedup
from likewise.front.pairs import compare, cross, find, without_words
from likewise.front.reports import save
from likewise.front.sources import Source
from likewise.front.tables import LEAST_SCORE, TablePair, TablePairs, find_tables
from likewise.reading import ReadOptions, read
from likewise.search import SearchOptions

__all__ = [
    "LEAST_SCORE",
    "ReadOptions",
    "SearchOptions",
    "Source",
    "TablePair",
    "TablePairs",
    "check",
    "compare",
    "cross",
    "dedup",
    "find",
    "find_tables",
    "read",
    "save",
    "without_words",
]
