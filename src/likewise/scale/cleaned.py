"""The cleaned corpus, written where the rows are: nothing of it passes the driver."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from likewise.errors import BadInput
from likewise.scale import files
from likewise.scale.sources import Source
from likewise.scale.troubles import asked_of_spark, reason_of, spark_errors

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

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


def write_cleaned(source: Source, removed: DataFrame, output: str, stay: int) -> None:
    """Every row whose id is not among the removed ones, in the format of the corpus.

    So many must stay: a corpus that says something else when it is read again, as one with random
    ids does, would come out with its duplicates.

    Parquet stays Parquet with all columns, lines stay the lines they are; whole texts become lines
    of JSON, since Spark cannot write a file for each row.
    """
    from pyspark.sql import Observation
    from pyspark.sql import functions as sql

    spark = removed.sparkSession
    rows = asked_of_spark("scale.not_written", output, source.whole)
    if source.with_ids is not None:
        rows = rows.mapInArrow(partial(_each, with_ids=source.with_ids), _WITH_IDS)
    seen = Observation()
    kept = rows.join(removed.select("id"), "id", "left_anti")
    kept = kept.observe(seen, sql.count(sql.lit(1)).alias("rows"))
    try:
        if source.kind == "parquet":
            kept.select("row.*").write.mode("overwrite").parquet(output)
        else:
            packed = source.packing or "none"
            writer = kept.select("value").write.mode("overwrite").option("compression", packed)
            writer.text(output)
            files.rename_endings(spark, output, ".txt", ".jsonl")  # Spark calls all lines text
        if seen.get["rows"] != stay:
            raise BadInput(
                "scale.corpus_changed",
                about=output,
                corpus=source.label,
                n=seen.get["rows"],
                stay=stay,
            )
    except spark_errors() as error:
        files.remove(spark, output)
        raise BadInput("scale.output_failed", about=output, why=reason_of(error)) from error
    except BaseException:
        files.remove(spark, output)
        raise


def _each(batches: Iterable[Any], with_ids: Callable[[Any], Any]) -> Iterator[Any]:
    return (with_ids(batch) for batch in batches)
