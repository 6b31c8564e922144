"""Connected components by large-star and small-star (Kiveris et al. 2014), in frames."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likewise.errors import BadInput

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_MOST_ROUNDS = 60  # the logarithm of the largest cluster, squared, is enough for all there are


def components(ties: DataFrame) -> DataFrame:
    """(place, cluster) of every document with a tie; a cluster is called by its first document.

    Every round is checkpointed on the filesystem, so that a lost machine costs one round.
    """
    from pyspark.sql import functions as sql

    edges = ties.select("a", "b").distinct().checkpoint()
    before = None
    for _ in range(_MOST_ROUNDS):
        edges = _small_star(_large_star(edges)).checkpoint()
        now = edges.agg(
            sql.count(sql.lit(1)),
            sql.sum(sql.hash("a", "b").cast("long")),
            sql.sum(sql.xxhash64("a", "b") % 1000003),
        ).first()
        if now == before:
            nodes = edges.select(sql.col("b").alias("place"), sql.col("a").alias("cluster"))
            firsts = edges.select(sql.col("a").alias("place"), sql.col("a").alias("cluster"))
            return nodes.unionByName(firsts.distinct())
        before = now
    raise BadInput("scale.not_settled", n=_MOST_ROUNDS)


def _large_star(edges: DataFrame) -> DataFrame:
    """Every larger neighbour of a document is tied to its smallest one instead."""
    from pyspark.sql import functions as sql

    both = edges.unionByName(edges.select(sql.col("b").alias("a"), sql.col("a").alias("b")))
    least = both.groupBy("a").agg(sql.least(sql.min("b"), sql.col("a")).alias("m"))
    return (
        both.join(least, "a")
        .where(sql.col("b") > sql.col("a"))
        .select(sql.col("m").alias("a"), "b")
        .distinct()
    )


def _small_star(edges: DataFrame) -> DataFrame:
    """Smaller neighbours of a document, and itself, are tied to the smallest of them."""
    from pyspark.sql import functions as sql

    turned = edges.select(sql.col("b").alias("u"), sql.col("a").alias("v"))
    least = turned.groupBy("u").agg(sql.min("v").alias("m"))
    tied = turned.join(least, "u")
    return (
        tied.select(sql.col("m").alias("a"), sql.col("v").alias("b"))
        .unionByName(least.select(sql.col("m").alias("a"), sql.col("u").alias("b")))
        .where(sql.col("a") != sql.col("b"))
        .distinct()
    )
