"""The front door: every job as one function, which takes documents or paths, and settings by name.

Python, the command line and the server's jobs all come in here; behind it stand `ReadOptions`,
`SearchOptions` and `CheckOptions`.
"""

from likewise.align import CheckOptions
from likewise.align.check import FEWEST_WORDS
from likewise.align.exclude import Exclusions
from likewise.corpus import open_corpus
from likewise.front.arguments import Source, is_collection
from likewise.front.checks import (
    check,
    check_batch,
    check_in_library,
    check_on_web,
    similar_in_library,
)
from likewise.front.corpora import dedup
from likewise.front.pairs import compare, cross, find, find_tables, without_words
from likewise.front.reports import save
from likewise.measure import check_level, share_measures, values_in_agreement
from likewise.reading import ReadOptions, read
from likewise.search import SearchOptions
from likewise.tables import LEAST_SCORE, TableMatch
from likewise.tables.documents import TablePair, TablePairs

__all__ = [
    "CheckOptions",
    "Exclusions",
    "FEWEST_WORDS",
    "LEAST_SCORE",
    "ReadOptions",
    "SearchOptions",
    "Source",
    "TableMatch",
    "TablePair",
    "TablePairs",
    "check",
    "check_batch",
    "check_in_library",
    "check_level",
    "check_on_web",
    "compare",
    "cross",
    "dedup",
    "share_measures",
    "find",
    "find_tables",
    "is_collection",
    "open_corpus",
    "read",
    "save",
    "similar_in_library",
    "values_in_agreement",
    "without_words",
]
