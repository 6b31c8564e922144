"""Paper 004: its worked table by its own method, and what becomes of that when tables are doctored.

Lizunov and others: Detection of near dublicates in tables based on the locality-sensitive hashing
method and the nearest neighbor method. The paper prints an original table and its modification,
and formulas (1) to (14), but no distance, no threshold and no verdict: those are computed here, by
`likewise.tables.paper_004`, for windows of one to three words and numbers and its three metrics.
A third table of ours, which has nothing to do with either, shows what a verdict is worth.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any, get_args

from bench.papers import Sections, Tell, corpus
from bench.quality.doctored import WAYS, Rows, Source, as_table, doctored
from bench.quality.tables import table_revisions
from likewise.tables import matching_tables
from likewise.tables.layout import lay_out
from likewise.tables.paper_004 import (
    Metric,
    Sequences,
    Windows,
    codes_of,
    compare_as_published,
    nearest_codes,
    nearest_windows,
    normalised,
    sequences_of,
    word_rules,
)

Figure = dict[str, Any]

ORIGINAL: Rows = [
    ["Company name", "Income", "Number of employees"],
    ["Corporation TechBud", "225 750", "560"],
    ["New Company", "785 960", "1220"],
    ["Alpha-Bud", "895 975", "1150"],
]
MODIFIED: Rows = [
    ["Company", "Number of employees", "In."],
    ["Alpha-Bud", "1150", "895 975"],
    ["Corp. TechBud", "560", "225 750"],
    ["N.Company", "1220", "785 960"],
]
UNRELATED: Rows = [
    ["River", "Length, km", "Basin"],
    ["Irtysh", "4248", "1 643 000"],
    ["Ishim", "2450", "177 000"],
    ["Ural", "2428", "231 000"],
    ["Syr Darya", "2212", "219 000"],
]
SIZES = (1, 2, 3)  # of windows
METRICS: tuple[Metric, ...] = get_args(Metric)


def measure(folder: Path, small: bool, tell: Tell) -> Sections:
    """The worked table, doctored copies of it, and the study of real revisions."""
    sections: Sections = {"worked table": worked_table(), "doctored copies": doctored_copies()}
    if not small:
        corpus(folder, "table-revisions")
        tell("real tables and their revisions, all against all")
        sections["table revisions"] = table_revisions(folder)
    return sections


def worked_table() -> list[Figure]:
    """Distances and verdicts of the modified table and of the unrelated one."""
    original = _sequences(ORIGINAL)
    return [
        {"table": name, "likewise": _our_score(rows), **_compared(_sequences(rows), original, w)}
        for name, rows in (("modified", MODIFIED), ("unrelated", UNRELATED))
        for w in _windows()
    ]


def _windows() -> list[Windows]:
    return [
        Windows(words=size, numbers=size, metric=metric) for metric, size in product(METRICS, SIZES)
    ]


def _compared(ours: Sequences, theirs: Sequences, windows: Windows) -> Figure:
    """Formulas (7) to (14) for the input table and the original."""
    code, other = (codes_of(each.words, windows.words, windows.bits) for each in (ours, theirs))
    hamming = nearest_codes(code, other, windows.bits)
    distances = nearest_windows(ours.numbers, theirs.numbers, windows)
    match = compare_as_published(ours, theirs, windows)
    return {
        "metric": windows.metric,
        "window": windows.words,
        "hamming": [round(float(value), 4) for value in hamming],
        "distances": [round(float(value), 3) for value in distances],
        "normalised": [round(float(value), 4) for value in normalised(distances)],
        "words_alike": match.words_alike,
        "numbers_alike": match.numbers_alike,
        "verdict": match.verdict,
    }


def doctored_copies() -> list[Figure]:
    """The original after each way of doctoring, compared with the original."""
    source = Source("Table 1", ORIGINAL, for_tuning=False)
    copies = {way: doctored(source, [way], [UNRELATED]) for way in WAYS}
    found = []
    for way, rows in {**copies, "as the paper did": MODIFIED, "another table": UNRELATED}.items():
        if rows is None:
            continue
        match = compare_as_published(_sequences(rows), _sequences(ORIGINAL))
        found.append(
            {
                "done": way,
                "word_windows": round(match.word_windows, 4),
                "number_windows": round(match.number_windows, 4),
                "verdict": match.verdict,
                "likewise": _our_score(rows),
            }
        )
    return found


def _sequences(rows: Rows) -> Sequences:
    return sequences_of(lay_out(as_table(rows)), word_rules())


def _our_score(rows: Rows) -> float:
    """Of Likewise's own method; 0 where it reports nothing."""
    found = matching_tables([as_table(rows)], [as_table(ORIGINAL)])
    return round(found[0].score, 4) if found else 0.0
