"""Texts to shingle sets, on whichever machine a part of the corpus is: the first stage.

A word's hash depends on the word alone, so that any cut into parts gives the same sets. The
sketches of a corpus are made and checked, or read from the stage of an earlier job.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likewise.errors import BadInput
from likewise.kernels import set_digests
from likewise.language import Lexicon
from likewise.scale.blobs import (
    Records,
    binary,
    int64_array,
    route_records,
    sides_of,
    slots_of,
    unpack_records,
)
from likewise.scale.errors import refuse_unusable
from likewise.scale.sources import Source
from likewise.scale.stages import WorkFolder, recipe_of
from likewise.search.lsh import bucket_keys, plan
from likewise.settings import Settings
from likewise.sketch import Sets, build_sets, signatures_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


SCHEMA = (
    "place long, id string, chars int, prefer double, size int, d1 long, d2 long, "
    "shingles binary, keys binary, bad string"
)
_ARROW = pa.schema(
    [
        ("place", pa.int64()),
        ("id", pa.string()),
        ("chars", pa.int32()),
        ("prefer", pa.float64()),
        ("size", pa.int32()),
        ("d1", pa.int64()),
        ("d2", pa.int64()),
        ("shingles", pa.binary()),
        ("keys", pa.binary()),
        ("bad", pa.string()),
    ]
)

Decode = Callable[[Any], Any]  # a batch as Spark read it to one of place, id, text, prefer, bad
_PIECE_CHARS = 1 << 24  # texts sketched at a time: what is made of them must fit into one answer


def sketch_batches(batches: Iterable[Any], settings: Settings, decode: Decode) -> Iterator[Any]:
    """Batches of texts to batches of sketches; what cannot be used goes along with its reason."""
    lexicon = cached_lexicon(settings)
    for batch in batches:
        yield from _sketch_batch(decode(batch), settings, lexicon)


@lru_cache(maxsize=2)
def cached_lexicon(settings: Settings) -> Lexicon:
    """One a process: a worker of Spark serves many tasks."""
    return Lexicon(settings)


def _sketch_batch(batch: Any, settings: Settings, lexicon: Lexicon) -> Iterator[Any]:
    texts = [text or "" for text in batch.column("text").to_pylist()]
    lengths = np.array([len(text) for text in texts], dtype=np.int64)
    piece = (np.cumsum(lengths) - lengths) // _PIECE_CHARS
    edges = [*np.flatnonzero(np.diff(piece, prepend=-1)).tolist(), len(texts)]
    for first, last in pairwise(edges):
        sets = build_sets(texts[first:last], settings, lexicon)
        digests = set_digests(sets.hashes, sets.offsets).view(np.int64)
        part = batch.slice(first, last - first)
        yield pa.record_batch(
            {
                "place": part.column("place"),
                "id": part.column("id"),
                "chars": pa.array(lengths[first:last].astype(np.int32)),
                "prefer": part.column("prefer"),
                "size": pa.array(sets.sizes.astype(np.int32)),
                "d1": pa.array(np.ascontiguousarray(digests[:, 0])),
                "d2": pa.array(np.ascontiguousarray(digests[:, 1])),
                "shingles": binary(sets.hashes, sets.offsets * 8),
                "keys": _keys(sets, settings),
                "bad": part.column("bad"),
            },
            schema=_ARROW,
        )


def _keys(sets: Sets, settings: Settings) -> Any:
    """The bucket keys of each document, end to end; nothing where the join is exact."""
    if settings.method != "lsh":
        return pa.nulls(len(sets), pa.binary())
    keys: NDArray[np.uint64] = bucket_keys(signatures_of(sets, settings), plan(settings))
    bounds = np.arange(len(sets) + 1) * (8 * len(keys))
    return binary(np.ascontiguousarray(keys.T), bounds)


COPIES = "place long, leader long, named boolean"
_SUM = np.dtype([("d1", "<i8"), ("d2", "<i8"), ("place", "<i8"), ("named", "?")])


def route_digests(batches: Iterable[Any], slots: int) -> Iterator[Any]:
    """The two sums of each set, and one of each id, to where equal ones meet."""
    return route_records(_sums(batch, slots) for batch in batches)


def _sums(batch: Any, slots: int) -> tuple[Records, NDArray[np.int32]]:
    worded = int64_array(batch.column("size")) > 0
    records = np.zeros(len(batch) + int(np.count_nonzero(worded)), dtype=_SUM)
    places = int64_array(batch.column("place"))
    ids, sets = records[: len(batch)], records[len(batch) :]
    ids["d1"], ids["place"], ids["named"] = int64_array(batch.column("sum")), places, True
    sets["place"] = places[worded]
    for name in ("d1", "d2"):
        sets[name] = int64_array(batch.column(name))[worded]
    return records, slots_of(records["d1"], slots)


def find_copies(table: Any) -> Any:
    """Documents with equal sets, each with the first of them: groups of two and more.

    Those whose ids have equal sums come too, as `named`: there should be none.
    """
    records, _ = unpack_records(table.column("blob"), _SUM)
    records = records[_repeated(records["d1"])]  # most are alone, and need no order
    side = sides_of(records["place"])
    order = np.lexsort((records["place"], side, records["d2"], records["d1"], records["named"]))
    records, side = records[order], side[order]
    new = np.ones(len(records), dtype=bool)
    new[1:] = side[1:] != side[:-1]
    for name in ("named", "d1", "d2"):
        new[1:] |= records[name][1:] != records[name][:-1]
    starts = np.flatnonzero(new)
    sizes = np.diff(np.concatenate((starts, [len(records)])))
    several = np.repeat(sizes > 1, sizes)
    return pa.table(
        {
            "place": np.ascontiguousarray(records["place"][several]),
            "leader": np.repeat(records["place"][starts], sizes)[several],
            "named": np.ascontiguousarray(records["named"][several]),
        }
    )


def _repeated(numbers: NDArray[Any]) -> NDArray[np.int64]:
    """Where numbers stand that occur more than once."""
    order = np.argsort(numbers)
    ordered = numbers[order]
    same = ordered[1:] == ordered[:-1]
    several = np.zeros(len(numbers), dtype=bool)
    several[1:] = same
    several[:-1] |= same
    return order[several]


@dataclass(frozen=True, slots=True)
class SketchedCorpus:
    """Sketches of good documents, how many there are, and what people call the corpus."""

    rows: DataFrame
    documents: int
    bad: int
    shingles: int  # of all of them
    label: str
    recipe: str  # everything that they depend on


def sketch_source(
    work: WorkFolder, name: str, source: Source, settings: Settings, skip_bad: bool
) -> SketchedCorpus:
    """The sketches of a corpus; refused if a document is bad, unless that is allowed."""
    from pyspark.sql import functions as sql

    recipe = recipe_of(sketch_recipe(settings), source.fingerprint)
    rows = work.stage(
        name,
        recipe,
        lambda: source.frame.mapInArrow(
            partial(sketch_batches, settings=settings, decode=source.decode), SCHEMA
        ),
        description=sketch_recipe(settings),
        counts={
            "documents": sql.count(sql.lit(1)),
            "bad": sql.count("bad"),
            "shingles": sql.sum("size"),
        },
    )
    counts = work.counts(name)
    documents, bad = counts["documents"], counts["bad"]
    refuse_unusable(rows, source.label, skip_bad, documents, bad)
    return SketchedCorpus(
        _usable_rows(rows), documents - bad, bad, counts["shingles"], source.label, recipe
    )


def load_sketches(work: WorkFolder, folder: str, settings: Settings) -> SketchedCorpus:
    """Sketches of an earlier time; refused if they were made otherwise."""
    path = f"{folder.rstrip('/')}/sketches"
    marker = work.marker(path)
    if marker["told"] != sketch_recipe(settings):
        raise BadInput("scale.other_settings", about=folder, settings=str(marker["told"]))
    counts = marker["counts"]
    documents, bad = counts["documents"], counts["bad"]
    rows = _usable_rows(work.spark.read.parquet(path))
    return SketchedCorpus(
        rows, documents - bad, bad, counts["shingles"], folder, str(marker["recipe"])
    )


def sketch_recipe(settings: Settings) -> str:
    """Everything that sketches depend on: the recipe, and how signatures are cut into bands."""
    if settings.method != "lsh":
        return f"{settings.recipe()} no bands"
    cut = plan(settings)
    return f"{settings.recipe()} {cut.bands} bands of {cut.rows}, {cut.agreeing} agreeing"


def _usable_rows(rows: DataFrame) -> DataFrame:
    return rows.where("bad is null").drop("bad")
