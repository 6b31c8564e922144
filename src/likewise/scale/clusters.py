"""Verified clusters as a stage: ties to forests, copies beside their leaders, and who stays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from likewise.scale import forests
from likewise.scale.blobs import by_slot, small_enough, with_given
from likewise.scale.components import components
from likewise.scale.job import Found
from likewise.scale.stages import Work, recipe_of, shuffled_into

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Keep = Literal["first", "longest", "prefer"]
ONE_TASK = 1_000_000  # ties that one task clusters faster than rounds over all machines do
_A_SLOT = 200_000  # ties or documents, of a few numbers each


def cluster(work: Work, found: Found, keep: Keep, threshold: float) -> DataFrame:
    """(cluster, place, id, weakest, kept) of every document that has a duplicate."""
    from pyspark.sql import functions as sql

    name = f"clusters-{threshold:g}-{keep}"
    recipe = recipe_of(work.recipe("pairs"), keep, threshold)
    slots = 1 + found.ties // _A_SLOT

    def made() -> DataFrame:
        ties = found.pairs.where(sql.col("similarity") >= threshold).select("a", "b", "similarity")
        named = _few(ties, found) if found.ties <= ONE_TASK else _many(ties, found)
        slot = sql.pmod(sql.xxhash64("cluster"), sql.lit(slots)).cast("int")  # whole clusters
        by_cluster = by_slot(named.withColumn("slot", slot), slots)
        return by_cluster.applyInArrow(with_given(forests.survivors, keep=keep), forests.CHOSEN)

    with shuffled_into(work.spark, 1 + (found.everyone + found.ties) // _A_SLOT):
        return work.stage(name, recipe, made)


def _few(ties: DataFrame, found: Found) -> DataFrame:
    """Documents with their clusters, by one task that has all ties and copies."""
    from pyspark.sql import functions as sql

    copies = found.copies.where("place != leader").select(
        sql.col("leader").alias("a"), sql.col("place").alias("b"), sql.lit(None).cast("double")
    )
    tied = _in_one_task(ties.union(copies), found.across)
    return found.documents.join(sql.broadcast(tied), "place")


def _many(ties: DataFrame, found: Found) -> DataFrame:
    """The same by the ties of leaders alone: a copy is where its leader is, without any rounds."""
    from pyspark.sql import functions as sql

    few = found.tied <= ONE_TASK
    tied = _in_one_task(ties, found.across) if few else _in_rounds(ties, found)
    grouped = found.documents.join(small_enough(found.copies, found.copied), "place", "left")
    leaders = tied.withColumnRenamed("place", "first")
    named = grouped.withColumn("first", sql.coalesce("leader", "place")).join(
        small_enough(leaders, 2 * found.tied), "first", "left"
    )
    # between two corpora copies inside one of them tie nothing by themselves
    clustered = "cluster is not null" if found.across else "coalesce(cluster, leader) is not null"
    return named.where(clustered).select(
        *found.documents.columns,
        sql.coalesce("cluster", "leader").alias("cluster"),
        sql.coalesce("weakest", sql.lit(1.0)).alias("weakest"),
    )


def _in_one_task(ties: DataFrame, across: bool) -> DataFrame:
    """(place, cluster, weakest) of everyone with a tie, by one task that has them all."""
    from pyspark.sql import functions as sql

    together = by_slot(ties.withColumn("slot", sql.lit(0)), 1)
    return together.applyInArrow(with_given(forests.whole_clusters, across=across), forests.TIED)


def _in_rounds(ties: DataFrame, found: Found) -> DataFrame:
    """The same where there are too many for one task."""
    from pyspark.sql import functions as sql

    slots = 1 + found.tied // _A_SLOT
    forest = ties.mapInArrow(forests.strongest_ties, forests.TIES).checkpoint()
    whole = components(forest)
    by_cluster = forest.join(whole.withColumnRenamed("place", "a"), "a")
    slot = sql.pmod(sql.xxhash64("cluster"), sql.lit(slots)).cast("int")
    in_slots = by_slot(by_cluster.withColumn("slot", slot), slots)
    weakest = in_slots.applyInArrow(forests.weakest_ties, forests.CLUSTERS)
    return whole.join(weakest, "cluster")
