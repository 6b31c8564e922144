"""Partial copies on many machines: documents of which a part stands in another.

Winnowed fingerprints, few a document, meet where they are equal; a fingerprint that more documents
hold than the cap allows is common text and brings nobody together. What is shared is counted in
fingerprints, a containment that is told as an estimate of the words'.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from likewise.errors import BadSettings
from likewise.kernels import shingle_runs, winnow
from likewise.scale.blobs import (
    AGAINST,
    SCHEMA,
    Records,
    bind_arguments,
    int64_array,
    pack_records,
    pairs_between,
    sides_of,
    slots_of,
    unpack_records,
)
from likewise.scale.corpora import open_source
from likewise.scale.errors import refuse_bad
from likewise.scale.near_duplicates import check_settings, slots_for
from likewise.scale.sketches import Decode, cached_lexicon
from likewise.scale.sources import Format, Source
from likewise.scale.spark_session import ensure_classic
from likewise.scale.stages import WorkFolder, recipe_of
from likewise.settings import Settings
from likewise.sketch.batches import Batch, sketched

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

COMMON_FROM = 1000  # documents that hold a fingerprint before it is taken for common text


def partly_copied(
    spark: SparkSession,
    corpus: str | DataFrame,
    settings: Settings,
    *,
    work: str,
    id: str = "id",
    text: str = "text",
    format: Format | None = None,
    against: str | DataFrame | None = None,
    threshold: float = 0.3,
    cap: int = COMMON_FROM,
    skip_bad: bool = False,
) -> DataFrame:
    """Documents of which a part stands in another: a, b, shared, containment_a, containment_b.

    Shares are of winnowed fingerprints; those that more than `cap` documents hold are common text.
    With `against`, `a` is a document of the corpus and `b` one of the other.
    """
    from pyspark.sql import functions as sql

    ensure_classic(spark)
    check_settings(settings)
    if not 0 < threshold <= 1:
        raise BadSettings(
            "core.setting_share", name="threshold", value=str(threshold), low=0.0, high=1.0
        )
    if cap < 2:
        raise BadSettings("scale.cap", n=cap)
    folder = WorkFolder(spark, work)
    folder.prepare()
    new = open_source(spark, corpus, id=id, text=text, format=format)
    both, recipe = _prints(folder, "prints", new, settings, skip_bad)
    if against is not None:
        old = open_source(spark, against, id=id, text=text, format=format)
        rows, old_recipe = _prints(folder, "prints-against", old, settings, skip_bad)
        places = (sql.col("place") + sql.lit(AGAINST)).alias("place")
        both = both.unionByName(rows.select(places, *rows.columns[1:]))
        recipe = recipe_of(recipe, old_recipe)
    slots = slots_for(folder, both.count())
    across = against is not None

    def find_contained() -> DataFrame:
        routed = both.select("place", "prints").mapInArrow(
            partial(route_fingerprints, slots=slots), SCHEMA
        )
        meeting_rows = routed.groupBy("slot").applyInArrow(
            bind_arguments(find_meetings, slots=slots, cap=cap, across=across), SCHEMA
        )
        return meeting_rows.groupBy("slot").applyInArrow(
            bind_arguments(contained_pairs, threshold=threshold), CONTAINED
        )

    contained_rows = folder.stage(
        "contained", recipe_of(recipe, threshold, cap, slots), find_contained
    )
    ids = both.select("place", "id")
    return (
        contained_rows.withColumnRenamed("a", "p")
        .withColumnRenamed("b", "q")
        .join(ids.select(sql.col("place").alias("p"), sql.col("id").alias("a")), "p")
        .join(ids.select(sql.col("place").alias("q"), sql.col("id").alias("b")), "q")
        .select(
            "a",
            "b",
            "shared",
            (sql.col("shared") / sql.col("size_a")).alias("containment_a"),
            (sql.col("shared") / sql.col("size_b")).alias("containment_b"),
        )
    )


def _prints(
    folder: WorkFolder, name: str, source: Source, settings: Settings, skip_bad: bool
) -> tuple[DataFrame, str]:
    """The fingerprints of a corpus, checked, and what they were made of."""
    recipe = recipe_of(settings.recipe(), source.fingerprint)
    rows = folder.stage(
        name,
        recipe,
        lambda: source.frame.mapInArrow(
            partial(fingerprint_batches, settings=settings, decode=source.decode),
            PRINTS,
        ),
    )
    refuse_bad(rows, source.label, skip_bad)
    return rows.where("bad is null").drop("bad"), recipe


PRINTS = "place long, id string, size int, prints binary, bad string"
CONTAINED = "a long, b long, shared int, size_a int, size_b int"
_PRINT = np.dtype([("print", "<u8"), ("place", "<i8"), ("size", "<i4")])
_MEETING = np.dtype([("a", "<i8"), ("b", "<i8"), ("size_a", "<i4"), ("size_b", "<i4")])
_EMPTY = pa.schema({"slot": pa.int32(), "blob": pa.binary()})


def fingerprint_batches(
    batches: Iterable[Any], settings: Settings, decode: Decode
) -> Iterator[Any]:
    """The distinct fingerprints of each text, ascending."""
    lexicon = cached_lexicon(settings)

    def prints(batch: Batch) -> list[Any]:
        runs, ends = shingle_runs(*batch, settings.shingle)
        places, bounds = winnow(runs, ends, settings.window)
        selected = runs[places]
        return [np.unique(selected[s:e]) for s, e in pairwise(bounds.tolist())]

    for batch in batches:
        rows = decode(batch)
        texts = [text or "" for text in rows.column("text").to_pylist()]
        fingerprints = [one for some in sketched(texts, settings, lexicon, prints) for one in some]
        yield pa.record_batch(
            {
                "place": rows.column("place"),
                "id": rows.column("id"),
                "size": pa.array([len(one) for one in fingerprints], pa.int32()),
                "prints": pa.array([one.tobytes() for one in fingerprints], pa.binary()),
                "bad": rows.column("bad"),
            }
        )


def route_fingerprints(batches: Iterable[Any], slots: int) -> Iterator[Any]:
    """Every fingerprint, to where equal ones meet."""
    for batch in batches:
        prints, ends = unpack_records(batch.column("prints"), np.dtype("<u8"))
        if not len(prints):
            continue
        sizes = np.diff(ends)
        records = np.empty(len(prints), dtype=_PRINT)
        records["print"] = prints
        records["place"] = np.repeat(int64_array(batch.column("place")), sizes)
        records["size"] = np.repeat(sizes, sizes)
        yield pack_records(records, slots_of(prints, slots))


def find_meetings(table: Any, slots: int, cap: int, across: bool) -> Any:
    """Two documents for each fingerprint they share, where at most `cap` documents hold it."""
    records, _ = unpack_records(table.column("blob"), _PRINT)
    records = records[np.lexsort((records["place"], records["print"]))]
    new = np.ones(len(records), dtype=bool)
    new[1:] = records["print"][1:] != records["print"][:-1]
    starts = np.flatnonzero(new)
    sizes = np.diff(np.concatenate((starts, [len(records)])))
    parts = []
    for size in np.unique(sizes[(sizes > 1) & (sizes <= cap)]).tolist():
        rows = starts[sizes == size][:, None] + np.arange(size)
        one, two = np.triu_indices(size, 1)
        meetings = _meeting_records(
            records[rows[:, one].ravel()], records[rows[:, two].ravel()], across
        )
        parts.append(pack_records(meetings, slots_of(meetings["a"], slots)))
    return pa.Table.from_batches(parts, schema=_EMPTY)


def _meeting_records(one: Records, two: Records, across: bool) -> Records:
    meetings = np.empty(len(one), dtype=_MEETING)
    pairs = pairs_between(one["place"], two["place"])
    swapped = one["place"] > two["place"]
    meetings["a"], meetings["b"] = pairs["a"], pairs["b"]
    meetings["size_a"] = np.where(swapped, two["size"], one["size"])
    meetings["size_b"] = np.where(swapped, one["size"], two["size"])
    return meetings[sides_of(meetings["a"]) != sides_of(meetings["b"])] if across else meetings


def contained_pairs(table: Any, threshold: float) -> Any:
    """Pairs of which the smaller stands in the larger to this share of its fingerprints."""
    meetings, _ = unpack_records(table.column("blob"), _MEETING)
    meetings = meetings[np.lexsort((meetings["b"], meetings["a"]))]
    new = np.ones(len(meetings), dtype=bool)
    new[1:] = (meetings["a"][1:] != meetings["a"][:-1]) | (meetings["b"][1:] != meetings["b"][:-1])
    starts = np.flatnonzero(new)
    shared = np.diff(np.concatenate((starts, [len(meetings)])))
    pairs = meetings[starts]
    enough = shared / np.minimum(pairs["size_a"], pairs["size_b"]) >= threshold
    return pa.table(
        {
            "a": np.ascontiguousarray(pairs["a"][enough]),
            "b": np.ascontiguousarray(pairs["b"][enough]),
            "shared": shared[enough].astype(np.int32),
            "size_a": np.ascontiguousarray(pairs["size_a"][enough]),
            "size_b": np.ascontiguousarray(pairs["size_b"][enough]),
        }
    )
