"""Recall, measured: what the exact join finds for a sample of documents, and what was found.

The sample is chosen by the hash of the ids, so that it is the same on every run. Each of its
documents is held against the whole corpus: a prefix filter inside one task, no shuffle at all. Its
true pairs are a stage, kept like everything else that takes time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likewise.kernels import overlaps
from likewise.scale.blobs import AGAINST, Places, int64_array, sides_of, unpack_records
from likewise.scale.stages import WorkFolder, recipe_of
from likewise.search.join import smallest_part
from likewise.search.lsh import plan
from likewise.search.pairs import similarities
from likewise.settings import Settings

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from likewise.scale.near_duplicates import NearDuplicates


SAMPLE = 1000  # documents held against all others
LARGEST = 20_000  # shingles of a document that may be chosen: the sample travels to every worker
TRUTH = "a long, b long, similarity double"
_RANGE = 1 << 31
_FILTER_BITS = 22
_MOST_MEETINGS = 1 << 22


@dataclass(frozen=True, slots=True)
class Recall:
    """How many of the sample's true pairs were found, and how many were to be expected."""

    documents: int  # in the sample
    pairs: int  # that the exact join finds for them
    found: int
    expected: float  # the mean chance of those pairs
    promised: float  # the chance of a pair that just reaches the threshold

    @property
    def measured(self) -> float | None:
        return self.found / self.pairs if self.pairs else None


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Sets of some documents, and where the rarest of their shingles stand."""

    places: Places
    hashes: NDArray[np.uint64]
    offsets: NDArray[np.int64]
    keys: NDArray[np.uint64]  # rare shingles, ascending
    owners: NDArray[np.int64]  # whose they are
    filled: NDArray[np.bool_]  # a table that most shingles of others do not pass


def choose_sample(leaders: DataFrame, documents: int, size: int = SAMPLE) -> DataFrame:
    """About so many documents, the same whenever their ids are."""
    from pyspark.sql import functions as sql

    cut = min(_RANGE, -(-size * _RANGE // max(documents, 1)))
    by_id = sql.pmod(sql.xxhash64("id"), sql.lit(_RANGE)) < sql.lit(cut)
    return leaders.where(by_id & (sql.col("size") <= LARGEST)).select("place", "shingles")


def index_sample(rows: list[Any], threshold: float) -> Sample:
    """An index of the sample's rare shingles.

    A partner shares at least the threshold's part of a set, and so one of any shingles that are
    more than the rest: the rarest of the sample are taken.
    """
    rows = sorted(rows, key=lambda row: int(row.place))
    sets = [np.frombuffer(bytes(row.shingles), np.uint64) for row in rows]
    hashes = np.concatenate([np.zeros(0, np.uint64), *sets])
    sizes = np.array([len(one) for one in sets], dtype=np.int64)
    offsets = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    _, inverse, counts = np.unique(hashes, return_inverse=True, return_counts=True)
    owner = np.repeat(np.arange(len(sets)), sizes)
    order = np.lexsort((hashes, counts[inverse], owner))
    nth = np.arange(len(hashes)) - np.repeat(offsets[:-1], sizes)
    needed = sizes - smallest_part(sizes, threshold) + 1
    rare = order[nth < np.repeat(needed, sizes)]
    rare = rare[np.argsort(hashes[rare], kind="stable")]
    filled = np.zeros(1 << _FILTER_BITS, dtype=bool)
    filled[_cell(hashes[rare])] = True
    places = np.array([int(row.place) for row in rows], dtype=np.int64)
    return Sample(places, hashes, offsets, hashes[rare], owner[rare], filled)


def true_pairs(
    batches: Iterable[Any], sample: Sample, settings: Settings, across: bool
) -> Iterator[Any]:
    """Pairs of the sample with a part of the corpus, counted exactly."""
    for batch in batches:
        hashes, offsets = unpack_records(batch.column("shingles"), np.dtype("<u8"))
        places = int64_array(batch.column("place"))
        for document, owner in _rare_meetings(hashes, offsets, sample):
            apart = places[document] != sample.places[owner]
            if across:
                apart &= sides_of(places[document]) != sides_of(sample.places[owner])
            yield _verified_pairs(
                hashes, offsets, places, document[apart], owner[apart], sample, settings
            )


def _rare_meetings(
    hashes: NDArray[np.uint64], offsets: NDArray[np.int64], sample: Sample
) -> Iterator[tuple[Places, Places]]:
    """(document, sampled document) that share a rare shingle, each once in a piece."""
    at = np.flatnonzero(sample.filled[_cell(hashes)])
    first = np.searchsorted(sample.keys, hashes[at], side="left")
    many = np.searchsorted(sample.keys, hashes[at], side="right") - first
    at, first, many = at[many > 0], first[many > 0], many[many > 0]
    document = np.searchsorted(offsets, at, side="right") - 1
    edges = np.flatnonzero(np.diff(document, prepend=-1))  # where the next document begins
    filled = np.concatenate(([0], np.cumsum(many)))
    start = 0
    while start < len(edges):
        stop = int(np.searchsorted(filled[edges], filled[edges[start]] + _MOST_MEETINGS))
        stop = max(stop, start + 1)
        a, b = int(edges[start]), int(edges[stop]) if stop < len(edges) else len(at)
        within = np.arange(filled[b] - filled[a]) - np.repeat(filled[a:b] - filled[a], many[a:b])
        owners = sample.owners[np.repeat(first[a:b], many[a:b]) + within]
        key = np.unique(np.repeat(document[a:b], many[a:b]) * len(sample.places) + owners)
        yield key // len(sample.places), key % len(sample.places)
        start = stop


def _verified_pairs(
    hashes: NDArray[np.uint64],
    offsets: NDArray[np.int64],
    places: Places,
    document: Places,
    owner: Places,
    sample: Sample,
    settings: Settings,
) -> Any:
    both = np.concatenate((hashes, sample.hashes))
    bounds = np.concatenate((offsets, sample.offsets[1:] + offsets[-1]))
    right = owner + len(places)
    shared = overlaps(both, bounds, document.astype(np.uint32), right.astype(np.uint32))
    sizes = np.diff(bounds)
    similarity = similarities(shared, sizes[document], sizes[right], settings.measure)
    enough = similarity >= settings.threshold
    one, two = places[document][enough], sample.places[owner][enough]
    return pa.record_batch(
        {"a": np.minimum(one, two), "b": np.maximum(one, two), "similarity": similarity[enough]}
    )


def recall_of(truth: DataFrame, pairs: DataFrame, documents: int, settings: Settings) -> Recall:
    """Figures from the sample's true pairs and all pairs that were found."""
    from pyspark.sql import functions as sql

    cut = plan(settings)
    distinct_truth = truth.distinct()
    found_pairs = pairs.select("a", "b", sql.lit(1).alias("found"))
    by_similarity = (
        distinct_truth.join(found_pairs, ["a", "b"], "left")
        .groupBy(sql.round("similarity", 3).alias("similarity"))
        .agg(sql.count(sql.lit(1)).alias("pairs"), sql.count("found").alias("found"))
        .collect()
    )
    pairs_there = sum(row.pairs for row in by_similarity)
    chances = sum(cut.chance(row.similarity) * row.pairs for row in by_similarity)
    return Recall(
        documents=documents,
        pairs=pairs_there,
        found=sum(row.found for row in by_similarity),
        expected=chances / pairs_there if pairs_there else cut.chance(settings.threshold),
        promised=cut.chance(settings.threshold),
    )


def _cell(hashes: NDArray[np.uint64]) -> NDArray[np.int64]:
    return (hashes >> np.uint64(64 - _FILTER_BITS)).astype(np.int64)


def measure_recall(
    work: WorkFolder, duplicates: NearDuplicates, documents: int, size: int
) -> Recall:
    """What share of the sample's true pairs the job has found."""
    from pyspark.sql import functions as sql

    settings = duplicates.settings
    others = duplicates.copies.where("place != leader").select("place")
    leaders = duplicates.sketches.where("size > 0").join(others, "place", "left_anti")
    own = leaders.where(sql.col("place") < AGAINST)
    rows = choose_sample(own, documents, size).collect()  # the sample, which is small by its rule

    def find_true_pairs() -> DataFrame:
        sample = index_sample(rows, settings.threshold)
        against = leaders.where(sql.col("place") >= AGAINST) if duplicates.across else leaders
        return against.select("place", "shingles").mapInArrow(
            partial(true_pairs, sample=sample, settings=settings, across=duplicates.across), TRUTH
        )

    truth = work.stage("sample", recipe_of(work.recipe("pairs"), size), find_true_pairs)
    return recall_of(truth, duplicates.pairs, len(rows), settings)
