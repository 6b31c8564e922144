"""Near-duplicate tables: revisions by people, doctored copies, and many at once.

Beside the method of Likewise stand the plain one of paper 004 and simpler measures, so that one
sees what each step buys. The threshold of each is set where one pair of unrelated tables in a
thousand passes. About a third of the sources, by a hash of their names, was looked at while the
method was made; the figures tell both parts.
"""

from __future__ import annotations

import csv
import json
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from bench.quality.doctored import (
    Rows,
    Source,
    are_alike,
    as_table,
    combinations_of_ways,
    doctored,
    real_tables,
)
from likewise.reading import read
from likewise.tables import LEAST_SCORE, index_of
from likewise.tables.align import shared_cells
from likewise.tables.arrays import TableArrays, table_arrays
from likewise.tables.layout import lay_out
from likewise.tables.match import compare_arrays
from likewise.tables.paper_004 import Sequences, compare_as_published, sequences_of, word_rules

FALSE_POSITIVES = 0.001
UNRELATED_PAIRS = 10_000  # of sources
UNRELATED_EACH = 2  # unrelated tables that each doctored one is compared with
ROWS_FOR_PAPER = 120  # its windows all meet each other
MANY = 10_000


@dataclass(frozen=True, slots=True, eq=False)
class Told:
    """A table as each method takes it."""

    strings: frozenset[str]
    sequences: Sequences
    print: TableArrays


def _equal_strings(a: Told, b: Told) -> float:
    return len(a.strings & b.strings) / max(1, len(a.strings | b.strings))


def _equal_cells(a: Told, b: Told) -> float:
    """Cells read and weighed, but not aligned: any place will do."""
    x, y = a.print, b.print
    shared = shared_cells(x.keys, y.keys, x.bits, y.bits)
    in_x, in_y = np.zeros(x.shape, dtype=bool), np.zeros(y.shape, dtype=bool)
    in_x[shared.row_a, shared.column_a] = True
    in_y[shared.row_b, shared.column_b] = True
    explained = float(x.bits[in_x].sum()) * float(y.bits[in_y].sum())
    return float((explained / max(float(x.bits.sum()) * float(y.bits.sum()), 1e-9)) ** 0.5)


METHODS: dict[str, Callable[[Told, Told], float]] = {
    "paper 004, plain": lambda a, b: compare_as_published(a.sequences, b.sequences).score,
    "equal strings": _equal_strings,
    "equal cells, weighed": _equal_cells,
    "likewise": lambda a, b: compare_arrays(a.print, b.print)[0].score,
}


class _Teller:
    """Tables as the methods take them, with one lexicon."""

    def __init__(self) -> None:
        self._lexicon = word_rules()

    def __call__(self, rows: Rows) -> Told:
        layout = lay_out(as_table(rows))
        start = lay_out(as_table(rows[:ROWS_FOR_PAPER])) if len(rows) > ROWS_FOR_PAPER else layout
        strings = frozenset(text.casefold() for row in rows for text in row if text)
        told = table_arrays(layout, self._lexicon)
        return Told(strings, sequences_of(start, self._lexicon), told)


def table_revisions(folder: Path) -> list[dict[str, Any]]:
    """Average precision, and recall at precision .99, over pairs of the same table."""
    clusters_file = folder / "table-revisions" / "clusters.json"
    if not clusters_file.is_file():
        return []
    clusters = json.loads(clusters_file.read_text("utf-8"))
    cluster_of = {name: cluster["id"] for cluster in clusters for name in cluster["files"]}
    names = sorted(cluster_of)
    tell = _Teller()
    told = []
    for name in names:
        tables = read(clusters_file.with_name(name)).tables
        told.append(tell([list(row) for row in max(tables, key=lambda t: len(t.rows)).rows]))
    pairs = list(combinations(range(len(names)), 2))
    same = np.array([cluster_of[names[a]] == cluster_of[names[b]] for a, b in pairs])
    return [
        {"method": name, "pairs": len(pairs), "same": int(same.sum())}
        | _ranked(np.array([score(told[a], told[b]) for a, b in pairs]), same)
        for name, score in METHODS.items()
    ]


def _ranked(scores: np.ndarray[Any, Any], same: np.ndarray[Any, Any]) -> dict[str, float]:
    order = np.argsort(-scores, kind="stable")
    right = np.cumsum(same[order])
    precision = right / np.arange(1, len(order) + 1)
    average = float((precision * same[order]).sum() / same.sum())
    recall = float(max(right[precision >= 0.99], default=0) / same.sum())
    return {"average_precision": average, "recall_at_99": recall}


def doctored_tables(folder: Path) -> list[dict[str, Any]]:
    """Recall of each way of doctoring, alone and two at a time, at a fixed rate of false alarms."""
    sources = real_tables(folder)
    if not sources:
        return []
    tell = _Teller()
    originals = [tell(source.rows) for source in sources]
    unrelated = _unrelated(sources)
    chance = random.Random(1)
    pairs = [(a, b) for a, b in sorted(unrelated) if a < b]
    sample = chance.sample(pairs, min(UNRELATED_PAIRS, len(pairs)))
    false = [_scores(originals[a], originals[b]) for a, b in sample]
    true: list[tuple[tuple[str, ...], bool, dict[str, float]]] = []
    for ways in combinations_of_ways():
        for place, source in enumerate(sources):
            other = chance.choice([p for p in range(len(sources)) if (p, place) in unrelated])
            rows = doctored(source, ways, [sources[other].rows])
            if rows is None:
                continue
            told = tell(rows)
            true.append((ways, source.for_tuning, _scores(told, originals[place])))
            for stranger in chance.sample(range(len(sources)), UNRELATED_EACH):
                related = {place, other} if "two tables merged" in ways else {place}
                if all((stranger, one) in unrelated for one in related):
                    false.append(_scores(told, originals[stranger]))
    return _recalls(len(sources), sum(s.for_tuning for s in sources), true, false)


def _unrelated(sources: Sequence[Source]) -> set[tuple[int, int]]:
    found = set()
    for a, b in combinations(range(len(sources)), 2):
        if not are_alike(sources[a].rows, sources[b].rows):
            found |= {(a, b), (b, a)}
    return found


def _scores(a: Told, b: Told) -> dict[str, float]:
    return {name: score(a, b) for name, score in METHODS.items()}


def _recalls(
    sources: int,
    for_tuning: int,
    true: Sequence[tuple[tuple[str, ...], bool, dict[str, float]]],
    false: Sequence[dict[str, float]],
) -> list[dict[str, Any]]:
    figures = []
    for method in METHODS:
        noise = sorted((scores[method] for scores in false), reverse=True)
        threshold = noise[int(FALSE_POSITIVES * len(noise))]
        for part in ("all", "tuning", "held out"):
            recalls: dict[str, dict[str, float]] = {}
            for ways in combinations_of_ways():
                found = [
                    scores[method] > threshold
                    for done, tuned, scores in true
                    if done == ways and (part == "all" or tuned == (part == "tuning"))
                ]
                if found:
                    recalls[" + ".join(ways)] = {
                        "tables": len(found),
                        "recall": float(np.mean(found)),
                    }
            figures.append(
                {
                    "method": method,
                    "part": part,
                    "sources": sources,
                    "sources_for_tuning": for_tuning,
                    "unrelated": len(false),
                    "threshold": threshold,
                    "recalls": recalls,
                }
            )
    return figures


def many_tables(folder: Path) -> list[dict[str, Any]]:
    """CPU time for 10,000 tables, all against all."""
    paths = sorted((folder / "table-revisions").glob("*.csv"))
    if not paths:
        return []
    tables = [as_table(rows) for path in paths for rows in _blocks(path)]
    random.Random(1).shuffle(tables)
    tables = tables[:MANY]
    start = time.process_time()
    index = index_of(tables)
    built = time.process_time()
    candidates = len(index.candidate_pairs())
    found = sum(1 for _ in index.scored_pairs())
    return [
        {
            "tables": len(tables),
            "cells": sum(len(table.rows) * len(table.rows[0]) for table in tables),
            "threshold": LEAST_SCORE,
            "candidates": candidates,
            "found": found,
            "indexing_cpu_s": built - start,
            "cpu_s": time.process_time() - start,
        }
    ]


def _blocks(path: Path) -> list[Rows]:
    """Every eleven rows of a long table under its head."""
    with path.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.reader(lines))
    width = max(map(len, rows))
    rows = [row + [""] * (width - len(row)) for row in rows]
    return [rows[:1] + rows[at : at + 11] for at in range(1, len(rows) - 5, 11)]
