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
from likewise.scale.blobs import bind_arguments, broadcast_if_small, group_by_slot, int64_array
from likewise.scale.stages import WorkFolder, recipe_of, shuffle_partitions

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from likewise.scale.near_duplicates import NearDuplicates


Keep = Literal["first", "longest", "prefer"]
ONE_TASK = 1_000_000  # ties that one task clusters faster than rounds over all machines do
_A_SLOT = 200_000  # ties or documents, of a few numbers each
_MOST_ROUNDS = 60  # the logarithm of the largest cluster, squared, is enough for all there are
TIE_ROWS = "a long, b long, similarity double"
CLUSTER_ROWS = "cluster long, weakest double"
MEMBER_ROWS = "place long, cluster long, weakest double"
SURVIVOR_ROWS = "cluster long, place long, id string, weakest double, kept boolean"


def build_clusters(
    work: WorkFolder, duplicates: NearDuplicates, keep: Keep, threshold: float
) -> DataFrame:
    """(cluster, place, id, weakest, kept) of every document that has a duplicate."""
    from pyspark.sql import functions as sql

    name = f"clusters-{threshold:g}-{keep}"
    recipe = recipe_of(work.recipe("pairs"), keep, threshold)
    slots = 1 + duplicates.ties // _A_SLOT

    def build() -> DataFrame:
        ties = duplicates.pairs.where(sql.col("similarity") >= threshold).select(
            "a", "b", "similarity"
        )
        members = (
            _cluster_few(ties, duplicates)
            if duplicates.ties <= ONE_TASK
            else _cluster_many(ties, duplicates)
        )
        slot = sql.pmod(sql.xxhash64("cluster"), sql.lit(slots)).cast("int")  # whole clusters
        by_cluster = group_by_slot(members.withColumn("slot", slot), slots)
        return by_cluster.applyInArrow(bind_arguments(choose_survivors, keep=keep), SURVIVOR_ROWS)

    with shuffle_partitions(
        work.spark, 1 + (duplicates.document_count + duplicates.ties) // _A_SLOT
    ):
        return work.stage(name, recipe, build)


def _cluster_few(ties: DataFrame, duplicates: NearDuplicates) -> DataFrame:
    """Documents with their clusters, by one task that has all ties and copies."""
    from pyspark.sql import functions as sql

    copies = duplicates.copies.where("place != leader").select(
        sql.col("leader").alias("a"), sql.col("place").alias("b"), sql.lit(None).cast("double")
    )
    clusters = _in_one_task(ties.union(copies), duplicates.across)
    return duplicates.documents.join(sql.broadcast(clusters), "place")


def _cluster_many(ties: DataFrame, duplicates: NearDuplicates) -> DataFrame:
    """The same by the ties of leaders alone: a copy is where its leader is, without any rounds."""
    from pyspark.sql import functions as sql

    fits = duplicates.pair_count <= ONE_TASK
    clusters = _in_one_task(ties, duplicates.across) if fits else _in_rounds(ties, duplicates)
    grouped = duplicates.documents.join(
        broadcast_if_small(duplicates.copies, duplicates.copy_count), "place", "left"
    )
    leaders = clusters.withColumnRenamed("place", "first")
    members = grouped.withColumn("first", sql.coalesce("leader", "place")).join(
        broadcast_if_small(leaders, 2 * duplicates.pair_count), "first", "left"
    )
    # between two corpora copies inside one of them tie nothing by themselves
    clustered = (
        "cluster is not null" if duplicates.across else "coalesce(cluster, leader) is not null"
    )
    return members.where(clustered).select(
        *duplicates.documents.columns,
        sql.coalesce("cluster", "leader").alias("cluster"),
        sql.coalesce("weakest", sql.lit(1.0)).alias("weakest"),
    )


def _in_one_task(ties: DataFrame, across: bool) -> DataFrame:
    """(place, cluster, weakest) of everyone with a tie, by one task that has them all."""
    from pyspark.sql import functions as sql

    together = group_by_slot(ties.withColumn("slot", sql.lit(0)), 1)
    return together.applyInArrow(bind_arguments(whole_clusters, across=across), MEMBER_ROWS)


def _in_rounds(ties: DataFrame, duplicates: NearDuplicates) -> DataFrame:
    """The same where there are too many for one task."""
    from pyspark.sql import functions as sql

    slots = 1 + duplicates.pair_count // _A_SLOT
    forest = ties.mapInArrow(strongest_ties, TIE_ROWS).checkpoint()
    whole = components(forest)
    by_cluster = forest.join(whole.withColumnRenamed("place", "a"), "a")
    slot = sql.pmod(sql.xxhash64("cluster"), sql.lit(slots)).cast("int")
    in_slots = group_by_slot(by_cluster.withColumn("slot", slot), slots)
    weakest = in_slots.applyInArrow(weakest_ties, CLUSTER_ROWS)
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
        selected, _, _ = _forest(a, b, similarity)
        yield pa.record_batch(
            {"a": a[selected], "b": b[selected], "similarity": similarity[selected]}
        )


def weakest_ties(table: Any) -> Any:
    """The weakest tie that each cluster needs, for whole clusters of ties."""
    a, b, similarity = _ties(table)
    selected, nodes, root = _forest(a, b, similarity)
    cluster = nodes[root[np.searchsorted(nodes, a[selected])]]
    order = np.lexsort((similarity[selected], cluster))
    first = np.ones(len(order), dtype=bool)
    first[1:] = cluster[order][1:] != cluster[order][:-1]
    return pa.table(
        {"cluster": cluster[order][first], "weakest": similarity[selected][order][first]}
    )


def whole_clusters(table: Any, across: bool) -> Any:
    """Everyone's cluster and its weakest tie at once, where all ties fit into one task.

    Copies are ties without a similarity. Between two corpora those inside one of them tie nothing
    by themselves, and count only where their leader has a tie.
    """
    a, b, similarity = _ties(table)
    is_copy = np.isnan(similarity)
    if across:
        used = ~is_copy | np.isin(a, np.concatenate((a[~is_copy], b[~is_copy])))
        a, b, similarity, is_copy = a[used], b[used], similarity[used], is_copy[used]
    similarity = np.where(is_copy, 1.0, similarity)
    selected, nodes, root = _forest(a, b, similarity)
    weakest = np.ones(len(nodes))
    np.minimum.at(weakest, root[np.searchsorted(nodes, a[selected])], similarity[selected])
    return pa.table({"place": nodes, "cluster": nodes[root], "weakest": weakest[root]})


def choose_survivors(table: Any, keep: str) -> Any:
    """Who stays of each cluster: the first, the longest or the most preferred, then the first."""
    place, cluster = int64_array(table.column("place")), int64_array(table.column("cluster"))
    rule = np.zeros(len(place))
    if keep == "longest":
        rule = -int64_array(table.column("chars")).astype(np.float64)
    elif keep == "prefer":
        rule = -_numbers(table.column("prefer"))
        rule[np.isnan(rule)] = np.inf
    order = np.lexsort((place, rule, cluster))
    first = np.ones(len(order), dtype=bool)
    first[1:] = cluster[order][1:] != cluster[order][:-1]
    survives = np.zeros(len(place), dtype=bool)
    survives[order[first]] = True
    return pa.table(
        {
            "cluster": cluster,
            "place": place,
            "id": table.column("id"),
            "weakest": table.column("weakest"),
            "kept": survives,
        }
    )


def _numbers(column: Any) -> NDArray[np.float64]:
    """A column of floats as an array; what is null is not a number."""
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    return np.array(column.to_numpy(zero_copy_only=False), dtype=np.float64)


def _ties(rows: Any) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    similarity = _numbers(rows.column("similarity"))
    return int64_array(rows.column("a")), int64_array(rows.column("b")), similarity


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
    selected = []
    for tie in np.argsort(-similarity, kind="stable").tolist():
        one, two = root(left[tie]), root(right[tie])
        if one != two:
            parent[max(one, two)] = min(one, two)
            selected.append(tie)
    roots = np.array([root(node) for node in range(len(nodes))], dtype=np.int64)
    return np.array(selected, dtype=np.int64), nodes, roots
