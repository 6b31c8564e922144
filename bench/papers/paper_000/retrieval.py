"""Tables 1 and 2: is the original found from a copy in which rows were replaced at random?"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.papers import Tell
from bench.papers.paper_000 import recipe
from bench.papers.paper_000.pdfs import Size
from bench.papers.paper_000.published import BANDINGS, SIMILARITIES, SLOTS
from bench.papers.paper_000.rows import SETTINGS, Rows, sets_of
from likewise.kernels import band_keys, overlaps
from likewise.search import Plan
from likewise.sketch import Sets, signatures_of

Numbers = NDArray[np.int64]


def retrieval(rows: Rows, size: Size, tell: Tell) -> dict[str, Any]:
    """The paper's experiment, `size.rounds` times, and what the true Jaccard was each time."""
    database = [rows.of(d) for d in range(len(rows))]
    ours = sets_of(rows, database)
    theirs = [np.unique(rows.theirs[rows.places(chosen)]) for chosen in database]
    shingles = len(np.unique(np.concatenate(theirs)))
    seen = _Seen()
    for number in range(1, size.rounds + 1):
        dice = np.random.default_rng([1, number])
        originals = dice.integers(len(rows), size=size.trials)
        copies = [
            copied_rows(rows, original, similarity, dice)
            for original in originals.tolist()
            for similarity in SIMILARITIES
        ]
        asked = np.repeat(originals, len(SIMILARITIES))
        alike = sets_of(rows, copies)
        seen.note_jaccard(_jaccard(ours, alike, asked))
        settings = SETTINGS.but(seed=number)
        signed = signatures_of(ours, settings), signatures_of(alike, settings)
        seen.note("likewise", lambda cut, made=signed: [band_keys(s, *cut) for s in made], asked)
        functions = recipe.random_functions(dice)
        copied = [np.unique(rows.theirs[rows.places(chosen)]) for chosen in copies]
        signed = (
            recipe.signatures(theirs, functions, shingles),
            recipe.signatures(copied, functions, shingles),
        )
        seen.note(
            "paper", lambda cut, made=signed: [recipe.list_hashes(s, *cut) for s in made], asked
        )
        tell(f"round {number} of {size.rounds}")
    return {
        "documents": len(rows),
        "rows": len(rows.starts) - 1,
        "rows_a_document": round((len(rows.starts) - 1) / len(rows), 1),
        "shingles": len(ours.hashes),
        "rounds": size.rounds,
        "trials_a_round": size.trials,
        "slots": SLOTS,
        "jaccard": seen.jaccards(),
        "cells": seen.cells(),
    }


def copied_rows(rows: Rows, original: int, similarity: float, dice: np.random.Generator) -> Numbers:
    """A copy: each row stays with this probability, or any row of any document replaces it."""
    chosen = rows.of(original)
    replaced = np.flatnonzero(dice.random(len(chosen)) >= similarity)
    documents = dice.integers(len(rows), size=len(replaced))
    first, last = rows.documents[documents], rows.documents[documents + 1]
    chosen[replaced] = first + (dice.random(len(replaced)) * (last - first)).astype(np.int64)
    return chosen


def _jaccard(ours: Sets, copies: Sets, asked: Numbers) -> NDArray[np.float64]:
    both = np.concatenate((ours.hashes, copies.hashes))
    offsets = np.concatenate((ours.offsets, ours.offsets[-1] + copies.offsets[1:]))
    right = np.arange(len(copies)) + len(ours)
    shared = overlaps(both, offsets, asked.astype(np.uint32), right.astype(np.uint32))
    union = ours.sizes[asked] + copies.sizes - shared.astype(np.int64)
    return np.asarray(shared / union)


class _Seen:
    """What the trials brought, cell by cell."""

    def __init__(self) -> None:
        self._jaccard: list[NDArray[np.float64]] = []
        self._found: dict[tuple[str, tuple[int, int]], list[NDArray[np.bool_]]] = {}
        self._others: dict[tuple[str, tuple[int, int]], list[NDArray[np.int64]]] = {}

    def note_jaccard(self, jaccard: NDArray[np.float64]) -> None:
        self._jaccard.append(jaccard.reshape(-1, len(SIMILARITIES)))

    def note(self, who: str, keys_by: Any, asked: Numbers) -> None:
        """Which originals share a bucket with their copy, and how many others do."""
        for cut in BANDINGS:
            database, copies = keys_by(cut)
            together = np.zeros((copies.shape[1], database.shape[1]), dtype=bool)
            for band in range(len(copies)):
                together |= copies[band][:, None] == database[band]
            found = together[np.arange(len(asked)), asked]
            shape = (-1, len(SIMILARITIES))
            self._found.setdefault((who, cut), []).append(found.reshape(shape))
            others = together.sum(axis=1) - found
            self._others.setdefault((who, cut), []).append(others.reshape(shape))

    def jaccards(self) -> list[dict[str, float]]:
        """Mean and spread of the true Jaccard at each similarity."""
        flat = np.concatenate(self._jaccard)
        return [
            {
                "similarity": similarity,
                "mean": round(float(flat[:, i].mean()), 4),
                "deviation": round(float(flat[:, i].std()), 4),
            }
            for i, similarity in enumerate(SIMILARITIES)
        ]

    def cells(self) -> list[dict[str, Any]]:
        """Every banding at every similarity."""
        jaccard = np.concatenate(self._jaccard)
        cells = []
        for cut in BANDINGS:
            plan = Plan(*cut)
            for i, similarity in enumerate(SIMILARITIES):
                by_round = [rnd[:, i].mean() for rnd in self._found["likewise", cut]]
                cells.append(
                    {
                        "bands": cut[0],
                        "rows": cut[1],
                        "similarity": similarity,
                        "trials": len(jaccard),
                        "ideal": round(plan.chance(similarity), 4),
                        "ideal_at_jaccard": round(
                            float(np.mean([plan.chance(j) for j in jaccard[:, i].tolist()])), 4
                        ),
                        "likewise": self._mean(self._found, "likewise", cut, i),
                        "likewise_by_round": [round(float(share), 4) for share in by_round],
                        "recipe": self._mean(self._found, "paper", cut, i),
                        "others_likewise": self._mean(self._others, "likewise", cut, i),
                        "others_recipe": self._mean(self._others, "paper", cut, i),
                    }
                )
        return cells

    @staticmethod
    def _mean(kept: dict[Any, list[Any]], who: str, cut: tuple[int, int], column: int) -> float:
        return round(float(np.concatenate(kept[who, cut])[:, column].mean()), 4)
