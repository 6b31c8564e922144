"""Where a document stands: a number that keeps the order of a corpus, files by name, then rows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pyarrow as pa  # type: ignore[import-untyped]

from likewise.errors import BadInput
from likewise.scale import files

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

FILE_BITS, BLOCK_BITS, ROW_BITS = 18, 18, 26  # with the side's bit: 63
BLOCK_BYTES_BITS = 22  # Spark cuts files at multiples of 4 MB or more
PARTITION_ROW_BITS = 33  # Spark's own numbers of rows: the bits above tell the partition
_SLASHES = "^([A-Za-z0-9]+):/+"
_SPELLINGS = ("/", "//", "///")  # behind the scheme


def file_of_row() -> Column:
    """The file a row was read from, in whichever spelling."""
    from pyspark.sql import functions as sql

    return sql.col("_metadata.file_path").alias("spelled")


def with_file_numbers(
    spark: SparkSession, rows: DataFrame, names: list[str], label: str
) -> DataFrame:
    """Rows with their file, as `plain_name` spells it, and its number among all files by name."""
    from pyspark.sql import functions as sql

    if not names:
        raise BadInput("corpus.no_documents", about=label)
    if len(names) > 1 << FILE_BITS:
        raise BadInput("scale.too_many_files", about=label, n=len(names), most=1 << FILE_BITS)
    # as an Arrow table: rows of Python would be read by Python processes of their own
    # every spelling is in it, since to mend it in each row takes longer than to read the row
    spelled = [
        (number, spelling, name)
        for number, name in enumerate(names)
        for spelling in sorted({re.sub("(?<=:)/", some, name, count=1) for some in _SPELLINGS})
    ]
    columns = dict(zip(("number", "spelled", "file"), zip(*spelled, strict=True), strict=True))
    numbered = pa.table(columns)
    numbers = spark.createDataFrame(numbered)
    known = rows.join(sql.broadcast(numbers), "spelled", "left")
    # A file that is in no list came while the job began: better no answer than half of one.
    unknown = sql.raise_error(sql.concat(sql.col("spelled"), sql.lit(" is new; start again")))
    return known.withColumn("number", sql.coalesce("number", unknown.cast("long")))


def refuse_small_blocks(spark: SparkSession) -> None:
    """Raises `BadInput` where Spark would cut lines into blocks whose rows get the same places."""
    for name in ("spark.sql.files.maxPartitionBytes", "spark.sql.files.openCostInBytes"):
        asked = str(spark.conf.get(name))
        if spark._jvm.org.apache.spark.network.util.JavaUtils.byteStringAsBytes(asked) < (  # type: ignore[union-attr]
            1 << BLOCK_BYTES_BITS
        ):
            raise BadInput("scale.small_blocks", name=name, value=asked)


def place_by_row() -> Column:
    """From the file's number and the row in it."""
    from pyspark.sql import functions as sql

    return sql.shiftleft(sql.col("number"), BLOCK_BITS + ROW_BITS) + sql.col("row")


def place_by_block() -> Column:
    """From the file's number, the block of it, and Spark's number of the row: for lines."""
    from pyspark.sql import functions as sql

    block = sql.shiftleft(sql.shiftright(sql.col("block"), BLOCK_BYTES_BITS), ROW_BITS)
    row = sql.col("row").bitwiseAND((1 << PARTITION_ROW_BITS) - 1)
    return sql.shiftleft(sql.col("number"), BLOCK_BITS + ROW_BITS) + block + row


def first_place(number: int) -> int:
    """Where the first document of a file stands."""
    return number << (BLOCK_BITS + ROW_BITS)


def file_names(frame: DataFrame) -> list[str]:
    """All files of a frame, in the order of a corpus."""
    return sorted({plain_name(name) for name in frame.inputFiles()}, key=unquote)


def plain_name(name: str) -> str:
    """One spelling for a file: Spark writes file:/a and file:///a for the same.

    >>> plain_name("file:///a/b.jsonl")
    'file:/a/b.jsonl'
    """
    return re.sub(_SLASHES, r"\1:/", name)


def stamps(spark: SparkSession, frame: DataFrame) -> dict[str, tuple[int, int]]:
    """Lengths and times of all files by name: what has changed is read again.

    Folder by folder, since a store far away takes long for every question.
    """
    names = file_names(frame)
    known: dict[str, tuple[int, int]] = {}
    for folder in sorted({unquote(name).rpartition("/")[0] for name in names}):
        listed = files.stamps(spark, folder)
        known |= {plain_name(name): stamp for name, stamp in listed.items()}
    return {name: known.get(unquote(name), (-1, 0)) for name in names}
