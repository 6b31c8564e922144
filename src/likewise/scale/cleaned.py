"""The cleaned corpus, written where the rows are: nothing of it passes the driver."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from likewise.errors import BadInput
from likewise.scale import files
from likewise.scale.sources import Source
from likewise.scale.troubles import in_a_line, spark_errors

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_WITH_IDS = "id string, value string"


def ensure_output(spark: SparkSession, output: str, corpora: Iterable[str]) -> None:
    """Raises `BadInput` if the cleaned corpus could not be put there; best asked early."""
    if files.exists(spark, output):
        if not files.is_folder(spark, output):
            raise BadInput(f"{output}: is there and not a folder; give a new one")
        if files.below(spark, output, 1) or files.exists(spark, f"{output.rstrip('/')}/_SUCCESS"):
            raise BadInput(f"{output}: is not empty; give a new folder or empty this one")
    inside = files.qualified(spark, output).rstrip("/") + "/"
    for corpus in corpora:
        if inside.startswith(files.qualified(spark, corpus).rstrip("/") + "/"):
            raise BadInput(f"{output}: lies in the corpus, which would then hold it; give another")
    files.write(spark, f"{output.rstrip('/')}/_writable", "")
    files.remove(spark, output)


def write_cleaned(source: Source, removed: DataFrame, output: str) -> None:
    """Every row whose id is not among the removed ones, in the format of the corpus.

    Parquet stays Parquet with all columns, lines stay the lines they are; whole texts become lines
    of JSON, since Spark cannot write a file for each row.
    """
    spark = removed.sparkSession
    rows = source.whole
    if source.with_ids is not None:
        rows = rows.mapInArrow(partial(_each, with_ids=source.with_ids), _WITH_IDS)
    kept = rows.join(removed.select("id"), "id", "left_anti")
    try:
        if source.kind == "parquet":
            kept.select("row.*").write.mode("overwrite").parquet(output)
        else:
            packed = source.packing or "none"
            writer = kept.select("value").write.mode("overwrite").option("compression", packed)
            writer.text(output)
            files.rename_endings(spark, output, ".txt", ".jsonl")  # Spark calls all lines text
    except spark_errors() as error:
        files.remove(spark, output)
        raise BadInput(f"{output}: could not be written: {in_a_line(error)}") from error
    except BaseException:
        files.remove(spark, output)
        raise


def _each(batches: Iterable[Any], with_ids: Callable[[Any], Any]) -> Iterator[Any]:
    return (with_ids(batch) for batch in batches)
