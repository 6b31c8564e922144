"""The result of a job on Spark: frames that stand on the stages in its work folder.

Its figures are lines for people and JSON for programs. The cleaned corpus is written where the rows
are: nothing of it passes the driver.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from likewise.errors import BadInput
from likewise.scale import files
from likewise.scale.blobs import AGAINST
from likewise.scale.errors import call_spark, reason_of, spark_errors
from likewise.scale.meaning import STAGES, find_meaning_pairs
from likewise.scale.near_duplicates import NearDuplicates, large_groups, pairs_by_id, slots_for
from likewise.scale.recall import LARGEST, Recall
from likewise.scale.sources import Source
from likewise.scale.stages import Stage, WorkFolder, recipe_of
from likewise.search import describe

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@dataclass(frozen=True, slots=True)
class AtThreshold:
    """What one threshold comes to."""

    threshold: float
    pairs: int  # of documents
    clusters: int
    kept: int
    removed: int


@dataclass(frozen=True, slots=True)
class JobCounts:
    """Figures of a whole job."""

    documents: int
    against: int
    wordless: int
    bad: int
    copies: int  # documents whose set equals that of an earlier one
    candidates: int
    verified: int  # candidates that reached the lowest threshold: pairs of groups of copies
    thresholds: tuple[AtThreshold, ...]
    recall: Recall | None
    method: str
    stages: tuple[Stage, ...]

    @property
    def false_candidates(self) -> int:
        """Candidates that did not reach the threshold."""
        return self.candidates - self.verified

    @property
    def pairs(self) -> int:
        return self.thresholds[0].pairs

    @property
    def clusters(self) -> int:
        return self.thresholds[0].clusters

    @property
    def removed(self) -> int:
        return self.thresholds[0].removed

    @property
    def resumed(self) -> tuple[str, ...]:
        """The stages that an earlier run had made."""
        return tuple(stage.name for stage in self.stages if stage.resumed)

    @property
    def seconds(self) -> dict[str, float]:
        """Of the stages that were made this time."""
        return {stage.name: stage.seconds for stage in self.stages if not stage.resumed}

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        values = asdict(self)
        values["false_candidates"] = self.false_candidates
        if self.recall is not None:
            values["recall"]["measured"] = self.recall.measured
            values["recall"]["chosen"] = SAMPLE_RULE
        return values

    def report(self) -> str:
        """The same for people."""
        return "\n".join(self.lines())

    def lines(self) -> list[str]:
        """The report, a sentence a line."""
        lines = [
            f"{self.documents:,} documents"
            + (f" against {self.against:,}" if self.against else "")
            + (f", {self.bad:,} left out as bad" if self.bad else "")
            + (f", {self.wordless:,} without words, kept" if self.wordless else ""),
            f"{self.copies:,} have the very words of an earlier one",
            f"{self.candidates:,} candidates: {self.verified:,} verified, "
            f"{self.false_candidates:,} false",
        ]
        lines += [
            f"at {at.threshold:g}: {at.pairs:,} pairs of documents, {at.clusters:,} clusters, "
            f"{at.kept:,} documents stay, {at.removed:,} go"
            for at in self.thresholds
        ]
        lines += [self.method, *_recall_lines(self.recall)]
        return [*lines, *(_stage_line(stage) for stage in self.stages)]


SAMPLE_RULE = f"by the hash of the id, among documents of at most {LARGEST:,} shingles"


def _recall_lines(recall: Recall | None) -> list[str]:
    if recall is None:
        return []
    if recall.measured is None:
        return [
            f"recall: {recall.documents:,} documents (chosen {SAMPLE_RULE}) have no partner at "
            "all, so there is nothing to measure it by"
        ]
    return [
        f"recall measured {recall.measured:.4f}, expected {recall.expected:.4f}: {recall.found:,} "
        f"of the {recall.pairs:,} pairs that the exact join finds for {recall.documents:,} "
        f"documents, chosen {SAMPLE_RULE}"
    ]


def _stage_line(stage: Stage) -> str:
    """A stage in a line for people.

    >>> _stage_line(Stage("pairs", 12.34, 5_600_000, resumed=False))
    'pairs: 12.3 s, 5.6 MB'
    """
    earlier = ", from an earlier run" if stage.resumed else ""
    return f"{stage.name}: {stage.seconds:.1f} s, {format_bytes(stage.bytes)}{earlier}"


def format_bytes(count: int) -> str:
    """A size in the unit that suits it.

    >>> format_bytes(999), format_bytes(5_600_000), format_bytes(7 * 10**12)
    ('999 B', '5.6 MB', '7.0 TB')
    """
    size = float(count)
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if size < 1000 or unit == "TB":
            break
        size /= 1000
    return f"{count} B" if unit == "B" else f"{size:.1f} {unit}"


@dataclass(frozen=True, slots=True)
class SparkDeduped:
    """Pairs, clusters and survivors as frames; counting and writing happen where the rows are."""

    duplicates: NearDuplicates
    clusters: dict[float, DataFrame]  # cluster, place, id, weakest, kept: by threshold
    work: WorkFolder
    source: Source
    recall: Recall | None
    bad: int
    against: Source | None = None  # the old corpus, where its texts were read

    def pairs(self, most_copies: int | None = None) -> DataFrame:
        """Every pair of documents of the lowest threshold, by id.

        Of more than `most_copies` documents with equal sets only the first stands here: `groups`
        has them all.
        """
        return pairs_by_id(self.duplicates, most_copies)

    def groups(self, most_copies: int) -> DataFrame:
        """(leader, place, id) of more than so many documents with equal sets that are in a pair."""
        from pyspark.sql import functions as sql

        groups = large_groups(self.duplicates, most_copies)
        if not self.duplicates.across:
            return groups
        pairs = self.duplicates.pairs
        paired = pairs.select(sql.col("a").alias("leader")).union(pairs.select("b"))
        return groups.join(paired, "leader", "left_semi")

    def pairs_by_meaning(self) -> DataFrame:
        """What was rewritten or translated among the documents that stay at the lowest threshold.

        (a, b, meaning_a, meaning_b, place_a, place_b): nothing is removed for it. Against another
        corpus: between these documents and those of the other, which are `b`.
        """
        from pyspark.sql import functions as sql

        if self.duplicates.across and self.against is None:
            option = "--pairs-by-meaning"
            raise BadInput("scale.meaning_of_sketches", about="against", option=option)
        documents = self.kept()
        texts = _texts_of(self.source).join(documents.select("place"), "place", "left_semi")
        if self.against is not None:
            old = _texts_of(self.against)
            texts = texts.unionByName(old.withColumn("place", sql.col("place") + AGAINST))
            old_documents = self.duplicates.documents.where(sql.col("place") >= AGAINST)
            documents = documents.unionByName(old_documents.select("place", "id"))
        slots = slots_for(self.work, self.duplicates.document_count)
        lowest = min(self.clusters)
        names = [stage.name for stage in self.work.finished if stage.name not in STAGES]
        stages = [self.work.recipe(name) for name in names]
        pairs = find_meaning_pairs(
            self.work,
            texts,
            self.duplicates.settings,
            slots,
            recipe_of(lowest, *stages),
            across=self.against is not None,
        )
        for side in ("a", "b"):
            of_side = documents.select(
                sql.col("place").alias(f"place_{side}"), sql.col("id").alias(side)
            )
            pairs = pairs.withColumnRenamed(side, f"place_{side}").join(of_side, f"place_{side}")
        return pairs.select("a", "b", "meaning_a", "meaning_b", "place_a", "place_b")

    def removed(self, threshold: float | None = None) -> DataFrame:
        """The ids that go."""
        from pyspark.sql import functions as sql

        members = self.clusters[min(self.clusters) if threshold is None else threshold]
        if not self.duplicates.across:
            return members.where(~sql.col("kept")).select("id")
        return members.where(sql.col("place") < AGAINST).select("id")

    def kept(self, threshold: float | None = None) -> DataFrame:
        """(place, id) of the documents that stay."""
        from pyspark.sql import functions as sql

        own = self.duplicates.documents.where(sql.col("place") < AGAINST).select("place", "id")
        return own.join(self.removed(threshold), "id", "left_anti")

    def bad_records(self, most: int) -> list[tuple[str, str | None, str]]:
        """The first that could not be used: their corpus, id and reason."""
        if not self.bad:
            return []
        read = self.work.spark.read
        stage_names = [stage.name for stage in self.work.finished]
        records: list[tuple[str, str | None, str]] = []
        for name in ("sketches", "against"):
            if name in stage_names:
                rows = read.parquet(self.work.at(name)).where("bad is not null")
                records += [
                    (name, row.id, row.bad) for row in rows.orderBy("place").limit(most).collect()
                ]
        return records[:most]

    def write(self, output: str) -> None:
        """The cleaned corpus, a folder for each of several thresholds."""
        documents = self.duplicates.documents.where(f"place < {AGAINST}").count()
        for threshold, (_, removed) in self._by_threshold().items():
            folder = f"{output.rstrip('/')}/{threshold:g}" if len(self.clusters) > 1 else output
            write_cleaned_corpus(self.source, self.removed(threshold), folder, documents - removed)

    def counted(self) -> JobCounts:
        """Figures for the report; each is counted where the rows are."""
        from pyspark.sql import functions as sql

        duplicates = self.duplicates
        own = sql.col("place") < AGAINST
        documents = duplicates.documents.agg(
            sql.count_if(own).alias("own"),
            sql.count_if(~own).alias("old"),
            sql.count_if(own & (sql.col("size") == 0)).alias("wordless"),
        ).first()
        groups = duplicates.copies.groupBy("leader").agg(sql.count(sql.lit(1)).alias("n"))
        inside = groups.agg(
            sql.sum(sql.col("n") * (sql.col("n") - 1) / 2).cast("long").alias("pairs"),
            sql.sum(sql.col("n") - 1).alias("copies"),
        ).first()
        assert documents is not None and inside is not None
        within = 0 if duplicates.across else int(inside.pairs or 0)
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
        return JobCounts(
            documents=int(documents.own),
            against=int(documents.old),
            wordless=int(documents.wordless),
            bad=self.bad,
            copies=int(inside.copies or 0),
            candidates=duplicates.candidate_count,
            verified=verified,
            thresholds=tuple(thresholds),
            recall=self.recall,
            method=describe(duplicates.settings),
            stages=tuple(self.work.finished),
        )

    def _pairs_between(self, groups: DataFrame) -> tuple[int, dict[float, int]]:
        """Pairs of groups with different sets, and pairs of their documents by threshold."""
        from pyspark.sql import functions as sql

        def sizes(side: str) -> DataFrame:
            return groups.select(sql.col("leader").alias(side), sql.col("n").alias(f"n_{side}"))

        joined = self.duplicates.pairs.join(sizes("a"), "a", "left").join(sizes("b"), "b", "left")
        product = sql.coalesce("n_a", sql.lit(1)) * sql.coalesce("n_b", sql.lit(1))
        pair_sums = [
            sql.sum(sql.when(sql.col("similarity") >= threshold, product))
            for threshold in self.clusters
        ]
        row = joined.agg(sql.count(sql.lit(1)), *pair_sums).first()
        assert row is not None
        return row[0], {each: int(n or 0) for each, n in zip(self.clusters, row[1:], strict=True)}

    def _by_threshold(self) -> dict[float, tuple[int, int]]:
        """Clusters and removed documents, by threshold."""
        from pyspark.sql import functions as sql

        counts = {}
        for threshold, members in self.clusters.items():
            removed = sql.col("place") < AGAINST if self.duplicates.across else ~sql.col("kept")
            row = members.agg(
                sql.count_distinct("cluster").alias("clusters"),
                sql.count_if(removed).alias("removed"),
            ).first()
            assert row is not None
            counts[threshold] = (int(row.clusters), int(row.removed))
        return counts


_WITH_IDS = "id string, value string"


def ensure_output(spark: SparkSession, output: str, corpora: Iterable[str], work: str) -> None:
    """Raises `BadInput` if the cleaned corpus could not be put there; best asked early."""
    for corpus in corpora:
        if files.lies_in(spark, output, corpus):
            raise BadInput("scale.output_in_corpus", about=output)
    if files.lies_in(spark, output, work) or files.lies_in(spark, work, output):
        raise BadInput("scale.output_in_stages", about=output, work=work)
    if files.exists(spark, output):
        if not files.is_folder(spark, output):
            raise BadInput("scale.output_no_folder", about=output)
        if not files.is_empty(spark, output):
            raise BadInput("scale.output_not_empty", about=output)
    files.write(spark, f"{output.rstrip('/')}/_writable", "")
    files.remove(spark, output)


def write_cleaned_corpus(source: Source, removed: DataFrame, output: str, stay: int) -> None:
    """Every row whose id is not among the removed ones, in the format of the corpus.

    So many must stay: a corpus that says something else when it is read again, as one with random
    ids does, would come out with its duplicates.

    Parquet stays Parquet with all columns, lines stay the lines they are; whole texts become lines
    of JSON, since Spark cannot write a file for each row.
    """
    from pyspark.sql import Observation
    from pyspark.sql import functions as sql

    spark = removed.sparkSession
    rows = call_spark("scale.not_written", output, source.whole)
    if source.with_ids is not None:
        rows = rows.mapInArrow(partial(_each, with_ids=source.with_ids), _WITH_IDS)
    observation = Observation()
    remaining = rows.join(removed.select("id"), "id", "left_anti")
    remaining = remaining.observe(observation, sql.count(sql.lit(1)).alias("rows"))
    try:
        if source.kind == "parquet":
            remaining.select("row.*").write.mode("overwrite").parquet(output)
        else:
            packing = source.packing or "none"
            writer = (
                remaining.select("value").write.mode("overwrite").option("compression", packing)
            )
            writer.text(output)
            files.rename_endings(spark, output, ".txt", ".jsonl")  # Spark calls all lines text
        if observation.get["rows"] != stay:
            raise BadInput(
                "scale.corpus_changed",
                about=output,
                corpus=source.label,
                n=observation.get["rows"],
                stay=stay,
            )
    except spark_errors() as error:
        files.remove(spark, output)
        raise BadInput("scale.output_failed", about=output, why=reason_of(error)) from error
    except BaseException:
        files.remove(spark, output)
        raise


def _texts_of(source: Source) -> DataFrame:
    """(place, text) of the documents of a corpus that can be used."""
    return source.frame.mapInArrow(partial(_texts, decode=source.decode), "place long, text string")


def _texts(batches: Iterable[Any], decode: Callable[[Any], Any]) -> Iterator[Any]:
    """Places and texts of the documents that can be used."""
    for batch in batches:
        rows = decode(batch)
        rows = rows.filter(rows.column("bad").is_null())
        names = ["place", "text"]
        columns = [rows.column("place"), rows.column("text").cast("string")]
        yield type(rows).from_arrays(columns, names=names)


def _each(batches: Iterable[Any], with_ids: Callable[[Any], Any]) -> Iterator[Any]:
    return (with_ids(batch) for batch in batches)
