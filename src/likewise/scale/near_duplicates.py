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
    bind_arguments,
    broadcast_if_small,
    group_by_slot,
    int64_array,
    unpack_records,
)
from likewise.scale.errors import refuse_repeated_ids
from likewise.scale.exact_join import build_cell_table
from likewise.scale.sketches import SketchedCorpus
from likewise.scale.stages import WorkFolder, recipe_of, shuffle_partitions
from likewise.search.join import Join
from likewise.search.pairs import similarities
from likewise.settings import Settings

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


_FEWEST_A_SLOT = 1_000  # documents, below which another task costs more than it does
_MOST_A_SLOT = {"lsh": 40_000, "exact": 5_000}  # of which the join holds every shingle


@dataclass(frozen=True, slots=True)
class NearDuplicates:
    """What a job leaves behind, as frames on its stages."""

    sketches: DataFrame  # of both sides: place, id, chars, prefer, size, shingles, …
    documents: DataFrame  # place, id, chars, prefer, size
    copies: DataFrame  # place, leader: documents with equal sets, groups of two and more
    candidates: DataFrame
    pairs: DataFrame  # of leaders: a, b, shared, size_a, size_b, similarity
    settings: Settings
    across: bool
    candidate_count: int  # candidates
    document_count: int  # documents of both sides
    pair_count: int  # pairs of leaders
    copy_count: int  # documents that are not the first of their group

    @property
    def ties(self) -> int:
        """Pairs of leaders, and copies with their leaders."""
        return self.pair_count + self.copy_count


def check_settings(settings: Settings) -> None:
    """What cannot be had on many machines is refused before anything is read."""
    if settings.drop_common is not None:
        raise BadSettings("scale.drop_common", name="drop_common", option="engine='local'")
    if settings.filter != "prefix":
        raise BadSettings("scale.filters", verb="find", other="dedup", option="filter='prefix'")


def find_duplicates(
    work: WorkFolder,
    sketched: SketchedCorpus,
    settings: Settings,
    old: SketchedCorpus | None = None,
) -> NearDuplicates:
    """Verified pairs inside one corpus, or between it and an old one."""
    from pyspark.sql import functions as sql

    both = sketched.rows
    if old is not None:
        places = (sql.col("place") + sql.lit(AGAINST)).alias("place")
        both = both.unionByName(old.rows.select(places, *both.columns[1:]))
    documents = sketched.documents + (old.documents if old else 0)
    slots = slots_for(work, documents, settings.method)
    with shuffle_partitions(work.spark, slots):
        return _run_stages(work, both, [sketched, *([old] if old else [])], settings, slots)


def _run_stages(
    work: WorkFolder, both: DataFrame, corpora: list[SketchedCorpus], settings: Settings, slots: int
) -> NearDuplicates:
    """Stage by stage."""
    from pyspark.sql import functions as sql

    across = len(corpora) > 1
    recipe = recipe_of(*(corpus.recipe for corpus in corpora))
    grouped, copies = _copies(work, both, recipe, slots, corpora)
    leaders = both.where("size > 0")
    if copies:
        others = grouped.where("place != leader").select("place")
        leaders = leaders.join(broadcast_if_small(others, copies), "place", "left_anti")
    # blobs lie by slot: those of another number of slots would let pairs through twice
    search_recipe = recipe_of(recipe, settings.as_dict(), slots)
    if settings.method == "lsh":
        candidates = _lsh(work, leaders, across, slots, search_recipe)
    else:
        join = Join(settings.threshold, settings.measure == "containment", across)
        shingles = sum(corpus.shingles for corpus in corpora)
        candidates = _exact(work, leaders, join, shingles, slots, search_recipe)
    counts = work.counts("candidates")

    def verify() -> DataFrame:
        needed = candidates.where("place is not null").select(sql.col("slot").alias("to"), "place")
        documents = both.select("place", "shingles").join(
            broadcast_if_small(needed, counts["needed"]), "place"
        )
        pairs = candidates.where("blob is not null").select("slot", "blob")
        by_slot = documents.repartition(slots, "to").groupBy("to")
        slots_together = group_by_slot(pairs, slots).cogroup(by_slot)
        return slots_together.applyInArrow(_verifier(settings), PAIRS)

    pairs = work.stage("pairs", search_recipe, verify, counts={"pairs": sql.count(sql.lit(1))})
    return NearDuplicates(
        sketches=both,
        documents=both.select("place", "id", "chars", "prefer", "size"),
        copies=grouped,
        candidates=candidates,
        pairs=pairs,
        settings=settings,
        across=across,
        candidate_count=counts["bytes"] // PAIR.itemsize,
        document_count=sum(corpus.documents for corpus in corpora),
        pair_count=work.counts("pairs")["pairs"],
        copy_count=copies,
    )


def _copies(
    work: WorkFolder, both: DataFrame, recipe: str, slots: int, corpora: list[SketchedCorpus]
) -> tuple[DataFrame, int]:
    """Groups of documents with equal sets, and how many are not the first of theirs.

    Ids meet on the way, so that one given twice is found without another shuffle.
    """
    from pyspark.sql import functions as sql

    def group_copies() -> DataFrame:
        routed = both.select("place", "size", "d1", "d2", sql.xxhash64("id").alias("sum"))
        records = routed.mapInArrow(partial(sketches.route_digests, slots=slots), SCHEMA)
        return group_by_slot(records, slots).applyInArrow(sketches.find_copies, sketches.COPIES)

    others = ~sql.col("named") & (sql.col("place") != sql.col("leader"))
    counts = {"twice": sql.count_if(sql.col("named")), "copies": sql.count_if(others)}
    rows = work.stage("copies", recipe, group_copies, counts=counts)
    totals = work.counts("copies")
    if totals["twice"]:  # or two ids with the same sum, which is no fault
        for corpus in corpora:
            refuse_repeated_ids(corpus.rows, corpus.label)
    return rows.where(~sql.col("named")).select("place", "leader"), totals["copies"]


def _lsh(work: WorkFolder, leaders: DataFrame, across: bool, slots: int, recipe: str) -> DataFrame:
    """Candidate pairs from buckets, in blobs by the slot of the first document."""
    from pyspark.sql import functions as sql

    keys = leaders.select("place", "keys")
    arguments = {"slots": slots, "across": across, "large": buckets.LARGE}
    bucket_rows = work.stage(
        "buckets",
        recipe,
        lambda: group_by_slot(
            keys.mapInArrow(partial(buckets.route_keys, slots=slots), SCHEMA), slots
        ).applyInArrow(bind_arguments(buckets.bucket_pairs, **arguments), buckets.BUCKET_ROWS),
        counts={"large": sql.count("place")},
    )
    large = work.counts("buckets")["large"]

    def build_pairs() -> DataFrame:
        small = bucket_rows.where("blob is not null").select("slot", "blob")
        if not large:
            return small
        members = bucket_rows.where("place is not null").drop("slot", "blob")
        block_pairs = (
            keys.join(broadcast_if_small(members, large), "place")
            .repartition(slots, "key", "first", "second")
            .groupBy("key", "first", "second")
            .applyInArrow(bind_arguments(buckets.block_pairs, **arguments), SCHEMA)
        )
        return small.unionByName(block_pairs)

    return _candidates(work, recipe, slots, build_pairs)


def _exact(
    work: WorkFolder, leaders: DataFrame, join: Join, shingles: int, slots: int, recipe: str
) -> DataFrame:
    """Candidate pairs from the rarest shingles, in blobs by the slot of the first document."""

    def build_prefixes() -> DataFrame:
        documents = leaders.select("place", "shingles")
        table = build_cell_table(documents, shingles, join.across)
        cells = work.spark.sparkContext.broadcast(table) if table else None
        arguments: dict[str, Any] = {"slots": slots, "join": join}
        routed = documents.mapInArrow(
            partial(exact_join.route_shingles, cells=cells, **arguments), SCHEMA
        )
        holders = group_by_slot(routed, slots).applyInArrow(
            bind_arguments(exact_join.count_holders, slots=slots, across=join.across), SCHEMA
        )
        return group_by_slot(holders, slots).applyInArrow(
            bind_arguments(exact_join.route_prefixes, **arguments), SCHEMA
        )

    prefix_rows = work.stage("prefixes", recipe, build_prefixes)

    def build_pairs() -> DataFrame:
        return group_by_slot(prefix_rows, slots).applyInArrow(
            bind_arguments(exact_join.prefix_pairs, slots=slots, join=join), SCHEMA
        )

    return _candidates(work, recipe, slots, build_pairs)


def _candidates(
    work: WorkFolder, recipe: str, slots: int, pairs: Callable[[], DataFrame]
) -> DataFrame:
    """Each pair once, where its first document's slot is, and which documents are needed there."""
    from pyspark.sql import functions as sql

    counts: dict[str, Column] = {"bytes": sql.sum(sql.length("blob")), "needed": sql.count("place")}
    return work.stage(
        "candidates",
        recipe,
        lambda: group_by_slot(pairs(), slots).applyInArrow(
            buckets.collect_candidates, buckets.CANDIDATES
        ),
        counts=counts,
    )


def _verifier(settings: Settings) -> Any:
    return lambda pairs, documents: verify_candidates(pairs, documents, settings)


def slots_for(work: WorkFolder, documents: int, method: str = "exact") -> int:
    """Into how many parts the documents of a shuffle are cut: what is in one fits into a task."""
    cores = work.spark.sparkContext.defaultParallelism
    few = min(cores, -(-documents // _FEWEST_A_SLOT))
    return max(few, -(-documents // _MOST_A_SLOT[method]), 1)


PAIRS = "a long, b long, shared int, size_a int, size_b int, similarity double"


def verify_candidates(pairs: Any, documents: Any, settings: Settings) -> Any:
    """The candidates of a slot that reach the threshold, by the division the local engine makes."""
    candidates, _ = unpack_records(pairs.column("blob"), PAIR)
    places = int64_array(documents.column("place"))
    hashes, offsets = unpack_records(documents.column("shingles"), np.dtype("<u8"))
    order = np.argsort(places)
    left = order[np.searchsorted(places, candidates["a"], sorter=order)]
    right = order[np.searchsorted(places, candidates["b"], sorter=order)]
    sizes = np.diff(offsets)
    shared = overlaps(hashes, offsets, left.astype(np.uint32), right.astype(np.uint32))
    similarity = similarities(shared, sizes[left], sizes[right], settings.measure)
    enough = similarity >= settings.threshold
    return pa.table(
        {
            "a": np.ascontiguousarray(candidates["a"][enough]),
            "b": np.ascontiguousarray(candidates["b"][enough]),
            "shared": shared[enough].astype(np.int32),
            "size_a": sizes[left][enough].astype(np.int32),
            "size_b": sizes[right][enough].astype(np.int32),
            "similarity": similarity[enough],
        }
    )


def pairs_by_id(duplicates: NearDuplicates, most_copies: int | None = None) -> DataFrame:
    """Every pair of documents with ids: groups of copies written out, which may be many.

    A group of more than `most_copies` stands in pairs by its first document alone.
    """
    from pyspark.sql import functions as sql

    copies = duplicates.copies
    if most_copies is not None:
        large = _large(duplicates, most_copies)
        copies = copies.join(broadcast_if_small(large, duplicates.ties), "leader", "left_anti")
    pairs = _by_members(duplicates, copies)
    # the one that stands first is called a, whichever of the two groups it is in
    swap = sql.col("p") > sql.col("q")

    def ordered_columns(one: str, other: str) -> list[Column]:
        return [
            sql.when(swap, sql.col(other)).otherwise(sql.col(one)).alias(one),
            sql.when(swap, sql.col(one)).otherwise(sql.col(other)).alias(other),
        ]

    ordered = pairs.select(
        *ordered_columns("a", "b"), "shared", *ordered_columns("size_a", "size_b")
    )
    shared, size_a, size_b = (sql.col(n).cast("double") for n in ("shared", "size_a", "size_b"))
    return ordered.select(
        "a",
        "b",
        (shared / (size_a + size_b - shared)).alias("jaccard"),
        (shared / size_a).alias("containment_a"),
        (shared / size_b).alias("containment_b"),
    )


def large_groups(duplicates: NearDuplicates, most_copies: int) -> DataFrame:
    """(leader, place, id) of every document in a group of more than `most_copies`."""
    members = duplicates.copies.join(
        broadcast_if_small(_large(duplicates, most_copies), duplicates.ties), "leader", "left_semi"
    )
    ids = duplicates.documents.select("place", "id")
    return ids.join(broadcast_if_small(members, duplicates.ties), "place").select(
        "leader", "place", "id"
    )


def _large(duplicates: NearDuplicates, most_copies: int) -> DataFrame:
    from pyspark.sql import functions as sql

    group_sizes = duplicates.copies.groupBy("leader").agg(sql.count(sql.lit(1)).alias("n"))
    return group_sizes.where(sql.col("n") > most_copies).select("leader")


def _by_members(duplicates: NearDuplicates, copies: DataFrame) -> DataFrame:
    """Pairs of leaders for all members of both groups: p, q (places), a, b (ids) and counts.

    Inside one corpus a group is a pair with itself, of which all is shared.
    """
    from pyspark.sql import functions as sql

    counts = ("shared", "size_a", "size_b")
    pairs = duplicates.pairs.select(
        sql.col("a").alias("group_a"), sql.col("b").alias("group_b"), *counts
    )
    if not duplicates.across:
        leaders = copies.where("place = leader")
        nothing = [sql.lit(None).cast("int").alias(name) for name in counts]
        itself = [sql.col("leader").alias("group_a"), sql.col("leader").alias("group_b")]
        pairs = pairs.unionByName(leaders.select(*itself, *nothing))
    documents = duplicates.documents.select("place", "id", "size")
    members = documents.join(broadcast_if_small(copies, duplicates.ties), "place", "left")
    leader = sql.coalesce("leader", "place")
    left = members.select(
        leader.alias("group_a"), sql.col("place").alias("p"), sql.col("id").alias("a"), "size"
    )
    right = members.select(
        leader.alias("group_b"), sql.col("place").alias("q"), sql.col("id").alias("b")
    )
    with_first = left.join(broadcast_if_small(pairs, duplicates.ties), "group_a")
    both = right.join(broadcast_if_small(with_first, duplicates.ties), "group_b")
    once = both.where("group_a != group_b or p < q")
    return once.select("p", "q", "a", "b", *(sql.coalesce(n, "size").alias(n) for n in counts))
