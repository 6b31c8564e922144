"""Pairs of documents by their ids: what was found for groups of copies, written out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likewise.scale.blobs import small_enough
from likewise.scale.job import Found

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


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
