"""The result of a job on Spark: frames that stand on the stages in its work folder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from likewise.scale.cleaned import write_cleaned
from likewise.scale.counted import AtThreshold, Counted
from likewise.scale.job import Found
from likewise.scale.sample import Recall
from likewise.scale.sides import AGAINST
from likewise.scale.sources import Source
from likewise.scale.stages import Work
from likewise.scale.written_out import document_pairs, large_groups
from likewise.search import describe

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True, slots=True)
class SparkDeduped:
    """Pairs, clusters and survivors as frames; counting and writing happen where the rows are."""

    found: Found
    clusters: dict[float, DataFrame]  # cluster, place, id, weakest, kept: by threshold
    work: Work
    source: Source
    recall: Recall | None
    bad: int

    def pairs(self, most_copies: int | None = None) -> DataFrame:
        """Every pair of documents of the lowest threshold, by id.

        Of more than `most_copies` documents with equal sets only the first stands here: `groups`
        has them all.
        """
        return document_pairs(self.found, most_copies)

    def groups(self, most_copies: int) -> DataFrame:
        """(leader, place, id) of more than so many documents with equal sets that are in a pair."""
        from pyspark.sql import functions as sql

        groups = large_groups(self.found, most_copies)
        if not self.found.across:
            return groups
        pairs = self.found.pairs
        paired = pairs.select(sql.col("a").alias("leader")).union(pairs.select("b"))
        return groups.join(paired, "leader", "left_semi")

    def removed(self, threshold: float | None = None) -> DataFrame:
        """The ids that go."""
        from pyspark.sql import functions as sql

        found = self.clusters[min(self.clusters) if threshold is None else threshold]
        if not self.found.across:
            return found.where(~sql.col("kept")).select("id")
        return found.where(sql.col("place") < AGAINST).select("id")

    def kept(self, threshold: float | None = None) -> DataFrame:
        """(place, id) of the documents that stay."""
        from pyspark.sql import functions as sql

        own = self.found.documents.where(sql.col("place") < AGAINST).select("place", "id")
        return own.join(self.removed(threshold), "id", "left_anti")

    def bad_records(self, most: int) -> list[tuple[str, str | None, str]]:
        """The first that could not be used: their corpus, id and reason."""
        if not self.bad:
            return []
        read = self.work.spark.read
        made = [stage.name for stage in self.work.finished]
        shown: list[tuple[str, str | None, str]] = []
        for name in ("sketches", "against"):
            if name in made:
                rows = read.parquet(self.work.at(name)).where("bad is not null")
                shown += [
                    (name, row.id, row.bad) for row in rows.orderBy("place").limit(most).collect()
                ]
        return shown[:most]

    def write(self, output: str) -> None:
        """The cleaned corpus, a folder for each of several thresholds."""
        documents = self.found.documents.where(f"place < {AGAINST}").count()
        for threshold, (_, removed) in self._by_threshold().items():
            folder = f"{output.rstrip('/')}/{threshold:g}" if len(self.clusters) > 1 else output
            write_cleaned(self.source, self.removed(threshold), folder, documents - removed)

    def counted(self) -> Counted:
        """Figures for the report; each is counted where the rows are."""
        from pyspark.sql import functions as sql

        found = self.found
        own = sql.col("place") < AGAINST
        documents = found.documents.agg(
            sql.count_if(own).alias("own"),
            sql.count_if(~own).alias("old"),
            sql.count_if(own & (sql.col("size") == 0)).alias("wordless"),
        ).first()
        groups = found.copies.groupBy("leader").agg(sql.count(sql.lit(1)).alias("n"))
        inside = groups.agg(
            sql.sum(sql.col("n") * (sql.col("n") - 1) / 2).cast("long").alias("pairs"),
            sql.sum(sql.col("n") - 1).alias("copies"),
        ).first()
        assert documents is not None and inside is not None
        within = 0 if found.across else int(inside.pairs or 0)
        verified, between = self._pairs_between(groups)
        thresholds = []
        for threshold, (clusters, removed) in self._by_threshold().items():
            thresholds.append(
                AtThreshold(
                    threshold,
                    between[threshold] + within,
                    clusters,
                    int(documents.own) - removed,
                    removed,
                )
            )
        return Counted(
            documents=int(documents.own),
            against=int(documents.old),
            wordless=int(documents.wordless),
            bad=self.bad,
            copies=int(inside.copies or 0),
            candidates=found.compared,
            verified=verified,
            thresholds=tuple(thresholds),
            recall=self.recall,
            method=describe(found.settings),
            stages=tuple(self.work.finished),
        )

    def _pairs_between(self, groups: DataFrame) -> tuple[int, dict[float, int]]:
        """Pairs of groups with different sets, and pairs of their documents by threshold."""
        from pyspark.sql import functions as sql

        def sizes(side: str) -> DataFrame:
            return groups.select(sql.col("leader").alias(side), sql.col("n").alias(f"n_{side}"))

        joined = self.found.pairs.join(sizes("a"), "a", "left").join(sizes("b"), "b", "left")
        product = sql.coalesce("n_a", sql.lit(1)) * sql.coalesce("n_b", sql.lit(1))
        asked = [
            sql.sum(sql.when(sql.col("similarity") >= threshold, product))
            for threshold in self.clusters
        ]
        row = joined.agg(sql.count(sql.lit(1)), *asked).first()
        assert row is not None
        return row[0], {each: int(n or 0) for each, n in zip(self.clusters, row[1:], strict=True)}

    def _by_threshold(self) -> dict[float, tuple[int, int]]:
        """Clusters and removed documents, by threshold."""
        from pyspark.sql import functions as sql

        counts = {}
        for threshold, members in self.clusters.items():
            gone = sql.col("place") < AGAINST if self.found.across else ~sql.col("kept")
            row = members.agg(
                sql.count_distinct("cluster").alias("clusters"), sql.count_if(gone).alias("removed")
            ).first()
            assert row is not None
            counts[threshold] = (int(row.clusters), int(row.removed))
        return counts
