"""What a corpus is to Spark: a frame, and what makes documents of its batches.

Every document has a place: a number that keeps the order of a corpus, files by name, then rows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import unquote

import pyarrow as pa

from likewise.errors import BadInput
from likewise.model import Message
from likewise.scale import files
from likewise.scale.errors import reason_of, spark_errors

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession


Format = Literal["parquet", "jsonl", "text"]


@dataclass(frozen=True, slots=True)
class Source:
    """A frame, what makes (place, id, text, prefer, bad) of its batches, and what names it."""

    frame: DataFrame
    decode: Callable[[Any], Any]
    fingerprint: str
    label: str
    # For the cleaned corpus: rows as they stand, and what gives them ids if they bring none.
    whole: Callable[[], DataFrame]
    with_ids: Callable[[Any], Any] | None
    kind: Format
    packing: str | None


def document_batch(
    places: Any,
    names: Sequence[str | None],
    texts: Sequence[str | None],
    bad: Sequence[Message | None],
    prefer: Sequence[float | None] | None = None,
) -> Any:
    """Documents as the stages expect them."""
    first = pa.nulls(len(names), pa.float64()) if prefer is None else pa.array(prefer, pa.float64())
    return pa.record_batch(
        {
            "place": places,
            "id": pa.array(names, pa.string()),
            "text": pa.array(texts, pa.large_string()),
            "prefer": first,
            "bad": pa.array([None if why is None else str(why) for why in bad], pa.string()),
        }
    )


def open_frame(read: Callable[[], DataFrame], path: str) -> DataFrame:
    """The frame that Spark makes of files, or the reason why there is none."""
    try:
        return read()
    except spark_errors() as error:
        condition = str(getattr(error, "getCondition", lambda: "")() or "")
        if condition == "PATH_NOT_FOUND":
            raise BadInput("scale.nothing_there", about=path) from error
        if condition == "UNABLE_TO_INFER_SCHEMA":
            raise BadInput("corpus.no_documents", about=path) from error
        raise BadInput("scale.spark_cannot_read", about=path, why=reason_of(error)) from error


def refuse_colons(names: Sequence[str], label: str) -> None:
    """Raises `BadInput` for names on a disk that Spark lists and then cannot open."""
    for name in names:
        last = unquote(name).rsplit("/", 1)[-1]
        if ":" in last and name.startswith("file:"):
            raise BadInput("scale.colon", about=label, name=last)


def digest(inputs: str) -> str:
    """A short name for what a frame was made of."""
    return blake2b(inputs.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


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
    with_numbers = rows.join(sql.broadcast(numbers), "spelled", "left")
    # A file that is in no list came while the job began: better no answer than half of one.
    unknown = sql.raise_error(sql.concat(sql.col("spelled"), sql.lit(" is new; start again")))
    return with_numbers.withColumn("number", sql.coalesce("number", unknown.cast("long")))


def refuse_small_blocks(spark: SparkSession) -> None:
    """Raises `BadInput` where Spark would cut lines into blocks whose rows get the same places."""
    for name in ("spark.sql.files.maxPartitionBytes", "spark.sql.files.openCostInBytes"):
        size = str(spark.conf.get(name))
        if spark._jvm.org.apache.spark.network.util.JavaUtils.byteStringAsBytes(size) < (  # type: ignore[union-attr]
            1 << BLOCK_BYTES_BITS
        ):
            raise BadInput("scale.small_blocks", name=name, value=size)


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


def file_stamps(spark: SparkSession, frame: DataFrame) -> dict[str, tuple[int, int]]:
    """Lengths and times of all files by name: what has changed is read again.

    Folder by folder, since a store far away takes long for every question.
    """
    names = file_names(frame)
    stamps: dict[str, tuple[int, int]] = {}
    for folder in sorted({unquote(name).rpartition("/")[0] for name in names}):
        in_folder = files.stamps(spark, folder)
        stamps |= {plain_name(name): stamp for name, stamp in in_folder.items()}
    return {name: stamps.get(unquote(name), (-1, 0)) for name in names}
