"""Verified clusters as a stage: ties to forests, copies beside their leaders, and who stays.

What holds clusters together is, of many ties, the strongest that suffice. The strongest forest of
all ties is the strongest forest of the forests of any parts, so that every machine may throw away
most of its ties before they are brought together. Where one task cannot hold them, connected
components are found by large-star and small-star (Kiveris et al. 2014), in frames.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likewise.errors import BadInput
from likewise.scale.blobs import by_slot, places_in, small_enough, with_given
from likewise.scale.stages import Work, recipe_of, shuffled_into

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from likewise.scale.near_duplicates import Found


Keep = Literal["first", "longest", "prefer"]
ONE_TASK = 1_000_000  # ties that one task clusters faster than rounds over all machines do
_A_SLOT = 200_000  # ties or documents, of a few numbers each
_MOST_ROUNDS = 60  # the logarithm of the largest cluster, squared, is enough for all there are
TIES = "a long, b long, similarity double"
CLUSTERS = "cluster long, weakest double"
TIED = "place long, cluster long, weakest double"
CHOSEN = "cluster long, place long, id string, weakest double, kept boolean"


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
        return by_cluster.applyInArrow(with_given(survivors, keep=keep), CHOSEN)

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
    return together.applyInArrow(with_given(whole_clusters, across=across), TIED)


def _in_rounds(ties: DataFrame, found: Found) -> DataFrame:
    """The same where there are too many for one task."""
    from pyspark.sql import functions as sql

    slots = 1 + found.tied // _A_SLOT
    forest = ties.mapInArrow(strongest_ties, TIES).checkpoint()
    whole = components(forest)
    by_cluster = forest.join(whole.withColumnRenamed("place", "a"), "a")
    slot = sql.pmod(sql.xxhash64("cluster"), sql.lit(slots)).cast("int")
    in_slots = by_slot(by_cluster.withColumn("slot", slot), slots)
    weakest = in_slots.applyInArrow(weakest_ties, CLUSTERS)
    return whole.join(weakest, "cluster")


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


def strongest_ties(batches: Iterable[Any]) -> Iterator[Any]:
    """Kruskal's algorithm over each batch: ties that close a circle are left out."""
    for batch in batches:
        a, b, similarity = _ties(batch)
        kept, _, _ = _forest(a, b, similarity)
        yield pa.record_batch({"a": a[kept], "b": b[kept], "similarity": similarity[kept]})


def weakest_ties(table: Any) -> Any:
    """The weakest tie that each cluster needs, for whole clusters of ties."""
    a, b, similarity = _ties(table)
    kept, nodes, root = _forest(a, b, similarity)
    cluster = nodes[root[np.searchsorted(nodes, a[kept])]]
    order = np.lexsort((similarity[kept], cluster))
    first = np.ones(len(order), dtype=bool)
    first[1:] = cluster[order][1:] != cluster[order][:-1]
    return pa.table({"cluster": cluster[order][first], "weakest": similarity[kept][order][first]})


def whole_clusters(table: Any, across: bool) -> Any:
    """Everyone's cluster and its weakest tie at once, where all ties fit into one task.

    Copies are ties without a similarity. Between two corpora those inside one of them tie nothing
    by themselves, and count only where their leader has a tie.
    """
    a, b, similarity = _ties(table)
    copied = np.isnan(similarity)
    if across:
        used = ~copied | np.isin(a, np.concatenate((a[~copied], b[~copied])))
        a, b, similarity, copied = a[used], b[used], similarity[used], copied[used]
    similarity = np.where(copied, 1.0, similarity)
    kept, nodes, root = _forest(a, b, similarity)
    weakest = np.ones(len(nodes))
    np.minimum.at(weakest, root[np.searchsorted(nodes, a[kept])], similarity[kept])
    return pa.table({"place": nodes, "cluster": nodes[root], "weakest": weakest[root]})


def survivors(table: Any, keep: str) -> Any:
    """Who stays of each cluster: the first, the longest or the most preferred, then the first."""
    place, cluster = places_in(table.column("place")), places_in(table.column("cluster"))
    rule = np.zeros(len(place))
    if keep == "longest":
        rule = -places_in(table.column("chars")).astype(np.float64)
    elif keep == "prefer":
        rule = -_numbers(table.column("prefer"))
        rule[np.isnan(rule)] = np.inf
    order = np.lexsort((place, rule, cluster))
    first = np.ones(len(order), dtype=bool)
    first[1:] = cluster[order][1:] != cluster[order][:-1]
    kept = np.zeros(len(place), dtype=bool)
    kept[order[first]] = True
    return pa.table(
        {
            "cluster": cluster,
            "place": place,
            "id": table.column("id"),
            "weakest": table.column("weakest"),
            "kept": kept,
        }
    )


def _numbers(column: Any) -> NDArray[np.float64]:
    """A column of floats as an array; what is null is not a number."""
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    return np.array(column.to_numpy(zero_copy_only=False), dtype=np.float64)


def _ties(rows: Any) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    similarity = _numbers(rows.column("similarity"))
    return places_in(rows.column("a")), places_in(rows.column("b")), similarity


def _forest(
    a: NDArray[np.int64], b: NDArray[np.int64], similarity: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Which ties are needed, all documents ascending, and the number of each one's first."""
    nodes, inverse = np.unique(np.concatenate((a, b)), return_inverse=True)
    parent = list(range(len(nodes)))

    def root(node: int) -> int:
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    left, right = inverse[: len(a)].tolist(), inverse[len(a) :].tolist()
    kept = []
    for tie in np.argsort(-similarity, kind="stable").tolist():
        one, two = root(left[tie]), root(right[tie])
        if one != two:
            parent[max(one, two)] = min(one, two)
            kept.append(tie)
    roots = np.array([root(node) for node in range(len(nodes))], dtype=np.int64)
    return np.array(kept, dtype=np.int64), nodes, roots
