"""Verified clusters as a stage: ties to forests, copies beside their leaders, and who stays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from likewise.scale import forests
from likewise.scale.blobs import by_slot, with_given
from likewise.scale.components import components
from likewise.scale.stages import Work, recipe_of

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from likewise.scale.job import Found

Keep = Literal["first", "longest", "prefer"]
ONE_TASK = 1_000_000  # ties that one task clusters faster than rounds over all machines do
_TIES_A_SLOT = 200_000


def cluster(work: Work, found: Found, keep: Keep, threshold: float) -> DataFrame:
    """(cluster, place, id, weakest, kept) of every document that has a duplicate."""
    from pyspark.sql import functions as sql

    name = f"clusters-{threshold:g}-{keep}"
    recipe = recipe_of(work.recipe("pairs"), keep, threshold)

    def made() -> DataFrame:
        ties = found.pairs.where(sql.col("similarity") >= threshold).select("a", "b", "similarity")
        few = found.ties <= ONE_TASK
        tied = _in_one_task(ties, found) if few else _in_rounds(ties, found)
        named = found.documents.join(sql.broadcast(tied) if few else tied, "place")
        by_cluster = by_slot(named.withColumn("slot", _slot(found)), _slots(found))
        return by_cluster.applyInArrow(with_given(forests.survivors, keep=keep), forests.CHOSEN)

    return work.stage(name, recipe, made)


def _in_one_task(ties: DataFrame, found: Found) -> DataFrame:
    """(place, cluster, weakest) of everyone with a tie or a copy, by one task that has them all."""
    from pyspark.sql import functions as sql

    copies = found.copies.where("place != leader").select(
        sql.col("leader").alias("a"), sql.col("place").alias("b"), sql.lit(None).cast("double")
    )
    together = by_slot(ties.union(copies).withColumn("slot", sql.lit(0)), 1)
    return together.applyInArrow(
        with_given(forests.whole_clusters, across=found.across), forests.TIED
    )


def _in_rounds(ties: DataFrame, found: Found) -> DataFrame:
    """The same where there are too many for one task."""
    from pyspark.sql import functions as sql

    forest = ties.mapInArrow(forests.strongest_ties, forests.TIES).checkpoint()
    whole = components(forest)
    by_cluster = forest.join(whole.withColumnRenamed("place", "a"), "a")
    in_slots = by_slot(by_cluster.withColumn("slot", _slot(found)), _slots(found))
    weakest = in_slots.applyInArrow(forests.weakest_ties, forests.CLUSTERS)
    tied = whole.join(weakest, "cluster").checkpoint()  # it is looked at from several sides
    groups = found.copies
    if found.across:  # copies inside one corpus tie nothing by themselves
        groups = groups.join(tied.select(sql.col("place").alias("leader")), "leader", "left_semi")
    members = groups.join(tied.withColumnRenamed("place", "leader"), "leader", "left").select(
        "place",
        sql.coalesce("cluster", "leader").alias("cluster"),
        sql.coalesce("weakest", sql.lit(1.0)).alias("weakest"),
    )
    alone = tied.join(groups.select("place"), "place", "left_anti")
    return members.unionByName(alone.select("place", "cluster", "weakest"))


def _slots(found: Found) -> int:
    return 1 + found.ties // _TIES_A_SLOT


def _slot(found: Found) -> Column:
    """Whole clusters in as many tasks as there are ties for."""
    from pyspark.sql import functions as sql

    return sql.pmod(sql.xxhash64("cluster"), sql.lit(_slots(found))).cast("int")
