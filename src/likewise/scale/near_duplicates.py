"""The same search as the local engine's, on Spark: bring alike documents together and verify them.

Documents with equal sets are one to the search, which works on the first of each group; their pairs
are written out for every member at the end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from likewise.errors import BadSettings
from likewise.kernels import overlaps
from likewise.scale import buckets, exact_join, sketches
from likewise.scale.blobs import (
    AGAINST,
    PAIR,
    SCHEMA,
    by_slot,
    places_in,
    small_enough,
    unpacked,
    with_given,
)
from likewise.scale.errors import refuse_twice
from likewise.scale.exact_join import shared_cells
from likewise.scale.sketches import Sketched
from likewise.scale.stages import Work, recipe_of, shuffled_into
from likewise.search.join import Join
from likewise.search.pairs import similarities
from likewise.settings import Settings

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


_FEWEST_A_SLOT = 1_000  # documents, below which another task costs more than it does
_MOST_A_SLOT = {"lsh": 40_000, "exact": 5_000}  # of which the join holds every shingle


@dataclass(frozen=True, slots=True)
class Found:
    """What a job leaves behind, as frames on its stages."""

    sketches: DataFrame  # of both sides: place, id, chars, prefer, size, shingles, …
    documents: DataFrame  # place, id, chars, prefer, size
    copies: DataFrame  # place, leader: documents with equal sets, groups of two and more
    candidates: DataFrame
    pairs: DataFrame  # of leaders: a, b, shared, size_a, size_b, similarity
    settings: Settings
    across: bool
    compared: int  # candidates
    everyone: int  # documents of both sides
    tied: int  # pairs of leaders
    copied: int  # documents that are not the first of their group

    @property
    def ties(self) -> int:
        """Pairs of leaders, and copies with their leaders."""
        return self.tied + self.copied


def check_settings(settings: Settings) -> None:
    """What cannot be had on many machines is refused before anything is read."""
    if settings.drop_common is not None:
        raise BadSettings("scale.drop_common", name="drop_common", option="engine='local'")
    if settings.filter != "prefix":
        raise BadSettings("scale.filters", verb="find", other="dedup", option="filter='prefix'")


def find(work: Work, sketched: Sketched, settings: Settings, old: Sketched | None = None) -> Found:
    """Verified pairs inside one corpus, or between it and an old one."""
    from pyspark.sql import functions as sql

    both = sketched.rows
    if old is not None:
        places = (sql.col("place") + sql.lit(AGAINST)).alias("place")
        both = both.unionByName(old.rows.select(places, *both.columns[1:]))
    everyone = sketched.documents + (old.documents if old else 0)
    slots = slots_for(work, everyone, settings.method)
    with shuffled_into(work.spark, slots):
        return _found(work, both, [sketched, *([old] if old else [])], settings, slots)


def _found(
    work: Work, both: DataFrame, corpora: list[Sketched], settings: Settings, slots: int
) -> Found:
    """Stage by stage."""
    from pyspark.sql import functions as sql

    across = len(corpora) > 1
    recipe = recipe_of(*(corpus.recipe for corpus in corpora))
    grouped, copies = _copies(work, both, recipe, slots, corpora)
    leaders = both.where("size > 0")
    if copies:
        others = grouped.where("place != leader").select("place")
        leaders = leaders.join(small_enough(others, copies), "place", "left_anti")
    # blobs lie by slot: those of another number of slots would let pairs through twice
    asked = recipe_of(recipe, settings.as_dict(), slots)
    if settings.method == "lsh":
        candidates = _lsh(work, leaders, across, slots, asked)
    else:
        join = Join(settings.threshold, settings.measure == "containment", across)
        shingles = sum(corpus.shingles for corpus in corpora)
        candidates = _exact(work, leaders, join, shingles, slots, asked)
    counted = work.counts("candidates")

    def verified() -> DataFrame:
        needed = candidates.where("place is not null").select(sql.col("slot").alias("to"), "place")
        documents = both.select("place", "shingles").join(
            small_enough(needed, counted["needed"]), "place"
        )
        pairs = candidates.where("blob is not null").select("slot", "blob")
        there = documents.repartition(slots, "to").groupBy("to")
        together = by_slot(pairs, slots).cogroup(there)
        return together.applyInArrow(_verifier(settings), PAIRS)

    pairs = work.stage("pairs", asked, verified, counts={"pairs": sql.count(sql.lit(1))})
    return Found(
        sketches=both,
        documents=both.select("place", "id", "chars", "prefer", "size"),
        copies=grouped,
        candidates=candidates,
        pairs=pairs,
        settings=settings,
        across=across,
        compared=counted["bytes"] // PAIR.itemsize,
        everyone=sum(corpus.documents for corpus in corpora),
        tied=work.counts("pairs")["pairs"],
        copied=copies,
    )


def _copies(
    work: Work, both: DataFrame, recipe: str, slots: int, corpora: list[Sketched]
) -> tuple[DataFrame, int]:
    """Groups of documents with equal sets, and how many are not the first of theirs.

    Ids meet on the way, so that one given twice is found without another shuffle.
    """
    from pyspark.sql import functions as sql

    def made() -> DataFrame:
        routed = both.select("place", "size", "d1", "d2", sql.xxhash64("id").alias("sum"))
        packed = routed.mapInArrow(partial(sketches.copies_routed, slots=slots), SCHEMA)
        return by_slot(packed, slots).applyInArrow(sketches.copies_found, sketches.COPIES)

    others = ~sql.col("named") & (sql.col("place") != sql.col("leader"))
    counts = {"twice": sql.count_if(sql.col("named")), "copies": sql.count_if(others)}
    rows = work.stage("copies", recipe, made, counts=counts)
    counted = work.counts("copies")
    if counted["twice"]:  # or two ids with the same sum, which is no fault
        for corpus in corpora:
            refuse_twice(corpus.rows, corpus.label)
    return rows.where(~sql.col("named")).select("place", "leader"), counted["copies"]


def _lsh(work: Work, leaders: DataFrame, across: bool, slots: int, asked: str) -> DataFrame:
    """Candidate pairs from buckets, in blobs by the slot of the first document."""
    from pyspark.sql import functions as sql

    keys = leaders.select("place", "keys")
    given = {"slots": slots, "across": across, "large": buckets.LARGE}
    found = work.stage(
        "buckets",
        asked,
        lambda: by_slot(
            keys.mapInArrow(partial(buckets.keys_routed, slots=slots), SCHEMA), slots
        ).applyInArrow(with_given(buckets.bucket_pairs, **given), buckets.FOUND),
        counts={"large": sql.count("place")},
    )
    large = work.counts("buckets")["large"]

    def pairs() -> DataFrame:
        small = found.where("blob is not null").select("slot", "blob")
        if not large:
            return small
        members = found.where("place is not null").drop("slot", "blob")
        made = (
            keys.join(small_enough(members, large), "place")
            .repartition(slots, "key", "first", "second")
            .groupBy("key", "first", "second")
            .applyInArrow(with_given(buckets.block_pairs, **given), SCHEMA)
        )
        return small.unionByName(made)

    return _candidates(work, asked, slots, pairs)


def _exact(
    work: Work, leaders: DataFrame, join: Join, shingles: int, slots: int, asked: str
) -> DataFrame:
    """Candidate pairs from the rarest shingles, in blobs by the slot of the first document."""

    def rarest() -> DataFrame:
        held = leaders.select("place", "shingles")
        table = shared_cells(held, shingles, join.across)
        cells = work.spark.sparkContext.broadcast(table) if table else None
        given: dict[str, Any] = {"slots": slots, "join": join}
        routed = held.mapInArrow(partial(exact_join.shingles_routed, cells=cells, **given), SCHEMA)
        counted = by_slot(routed, slots).applyInArrow(
            with_given(exact_join.holders_counted, slots=slots, across=join.across), SCHEMA
        )
        return by_slot(counted, slots).applyInArrow(
            with_given(exact_join.prefixes_routed, **given), SCHEMA
        )

    rare = work.stage("prefixes", asked, rarest)

    def pairs() -> DataFrame:
        return by_slot(rare, slots).applyInArrow(
            with_given(exact_join.prefix_pairs, slots=slots, join=join), SCHEMA
        )

    return _candidates(work, asked, slots, pairs)


def _candidates(work: Work, asked: str, slots: int, pairs: Callable[[], DataFrame]) -> DataFrame:
    """Each pair once, where its first document's slot is, and which documents are needed there."""
    from pyspark.sql import functions as sql

    counts: dict[str, Column] = {"bytes": sql.sum(sql.length("blob")), "needed": sql.count("place")}
    return work.stage(
        "candidates",
        asked,
        lambda: by_slot(pairs(), slots).applyInArrow(buckets.candidates, buckets.CANDIDATES),
        counts=counts,
    )


def _verifier(settings: Settings) -> Any:
    return lambda pairs, documents: verify_candidates(pairs, documents, settings)


def slots_for(work: Work, documents: int, method: str = "exact") -> int:
    """Into how many parts the documents of a shuffle are cut: what is in one fits into a task."""
    cores = work.spark.sparkContext.defaultParallelism
    few = min(cores, -(-documents // _FEWEST_A_SLOT))
    return max(few, -(-documents // _MOST_A_SLOT[method]), 1)


PAIRS = "a long, b long, shared int, size_a int, size_b int, similarity double"


def verify_candidates(pairs: Any, documents: Any, settings: Settings) -> Any:
    """The candidates of a slot that reach the threshold, by the division the local engine makes."""
    asked, _ = unpacked(pairs.column("blob"), PAIR)
    places = places_in(documents.column("place"))
    hashes, offsets = unpacked(documents.column("shingles"), np.dtype("<u8"))
    order = np.argsort(places)
    left = order[np.searchsorted(places, asked["a"], sorter=order)]
    right = order[np.searchsorted(places, asked["b"], sorter=order)]
    sizes = np.diff(offsets)
    shared = overlaps(hashes, offsets, left.astype(np.uint32), right.astype(np.uint32))
    similarity = similarities(shared, sizes[left], sizes[right], settings.measure)
    enough = similarity >= settings.threshold
    return pa.table(
        {
            "a": np.ascontiguousarray(asked["a"][enough]),
            "b": np.ascontiguousarray(asked["b"][enough]),
            "shared": shared[enough].astype(np.int32),
            "size_a": sizes[left][enough].astype(np.int32),
            "size_b": sizes[right][enough].astype(np.int32),
            "similarity": similarity[enough],
        }
    )


def document_pairs(found: Found, most_copies: int | None = None) -> DataFrame:
    """Every pair of documents with ids: groups of copies written out, which may be many.

    A group of more than `most_copies` stands in pairs by its first document alone.
    """
    from pyspark.sql import functions as sql

    copies = found.copies
    if most_copies is not None:
        large = _large(found, most_copies)
        copies = copies.join(small_enough(large, found.ties), "leader", "left_anti")
    pairs = _by_members(found, copies)
    # the one that stands first is called a, whichever of the two groups it is in
    swap = sql.col("p") > sql.col("q")

    def turned(one: str, other: str) -> list[Column]:
        return [
            sql.when(swap, sql.col(other)).otherwise(sql.col(one)).alias(one),
            sql.when(swap, sql.col(one)).otherwise(sql.col(other)).alias(other),
        ]

    ordered = pairs.select(*turned("a", "b"), "shared", *turned("size_a", "size_b"))
    shared, size_a, size_b = (sql.col(n).cast("double") for n in ("shared", "size_a", "size_b"))
    return ordered.select(
        "a",
        "b",
        (shared / (size_a + size_b - shared)).alias("jaccard"),
        (shared / size_a).alias("containment_a"),
        (shared / size_b).alias("containment_b"),
    )


def large_groups(found: Found, most_copies: int) -> DataFrame:
    """(leader, place, id) of every document in a group of more than `most_copies`."""
    members = found.copies.join(
        small_enough(_large(found, most_copies), found.ties), "leader", "left_semi"
    )
    ids = found.documents.select("place", "id")
    return ids.join(small_enough(members, found.ties), "place").select("leader", "place", "id")


def _large(found: Found, most_copies: int) -> DataFrame:
    from pyspark.sql import functions as sql

    counted = found.copies.groupBy("leader").agg(sql.count(sql.lit(1)).alias("n"))
    return counted.where(sql.col("n") > most_copies).select("leader")


def _by_members(found: Found, copies: DataFrame) -> DataFrame:
    """Pairs of leaders for all members of both groups: p, q (places), a, b (ids) and counts.

    Inside one corpus a group is a pair with itself, of which all is shared.
    """
    from pyspark.sql import functions as sql

    counts = ("shared", "size_a", "size_b")
    pairs = found.pairs.select(
        sql.col("a").alias("group_a"), sql.col("b").alias("group_b"), *counts
    )
    if not found.across:
        leaders = copies.where("place = leader")
        nothing = [sql.lit(None).cast("int").alias(name) for name in counts]
        itself = [sql.col("leader").alias("group_a"), sql.col("leader").alias("group_b")]
        pairs = pairs.unionByName(leaders.select(*itself, *nothing))
    documents = found.documents.select("place", "id", "size")
    members = documents.join(small_enough(copies, found.ties), "place", "left")
    leader = sql.coalesce("leader", "place")
    left = members.select(
        leader.alias("group_a"), sql.col("place").alias("p"), sql.col("id").alias("a"), "size"
    )
    right = members.select(
        leader.alias("group_b"), sql.col("place").alias("q"), sql.col("id").alias("b")
    )
    begun = left.join(small_enough(pairs, found.ties), "group_a")
    both = right.join(small_enough(begun, found.ties), "group_b")
    once = both.where("group_a != group_b or p < q")
    return once.select("p", "q", "a", "b", *(sql.coalesce(n, "size").alias(n) for n in counts))
