"""Corpora for Spark: Parquet, lines, texts on any filesystem it reaches, or a frame of one's own.

Every document gets a place, a number that keeps the order of the corpus (files by name, rows as
they stand), since answers name the first of several documents.
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING, Any

import pyarrow as pa  # type: ignore[import-untyped]

from likewise.corpus.parquet import NOT_UTF8, values_at
from likewise.corpus.shard import missing
from likewise.errors import BadInput
from likewise.model import Message
from likewise.scale import files, places
from likewise.scale.kinds import kind_at
from likewise.scale.lines import of_lines
from likewise.scale.sources import Format, Source, digest, opened, refuse_colons, rows_of

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession
    from pyspark.sql.types import DataType, StructType


def source_of(
    spark: SparkSession,
    corpus: str | DataFrame,
    *,
    id: str = "id",
    text: str = "text",
    format: Format | None = None,
    prefer: str | None = None,
) -> Source:
    """A corpus to read: a path that Spark understands, or a frame of the caller's."""
    if not isinstance(corpus, str):
        return _of_frame(corpus, id, text, prefer)
    kind, only = kind_at(spark, corpus, format)
    if kind == "parquet":
        return _of_parquet(spark, corpus, id, text, prefer, only)
    return of_lines(spark, corpus, id, text, prefer, kind, only)


def _of_frame(frame: DataFrame, id: str, text: str, prefer: str | None) -> Source:
    from pyspark.sql import functions as sql

    if frame.isStreaming:
        raise BadInput("scale.stream", about="the frame")
    _check_columns(frame, id, text, prefer, "the frame")
    number = sql.monotonically_increasing_id().alias("place")
    rows = frame.select(number, *_columns(frame, id, text, prefer))
    spark = frame.sparkSession
    # Rows that come from no file may be others tomorrow: they serve this application only.
    made = places.stamps(spark, frame) or spark.sparkContext.applicationId
    made = digest(f"{frame.semanticHash()} {made} {id} {text} {prefer}")
    whole = partial(_whole, frame, id, text)
    return Source(rows, _checked, made, "the frame", whole, None, "parquet", None)


def _of_parquet(
    spark: SparkSession, path: str, id: str, text: str, prefer: str | None, only: str | None
) -> Source:
    from pyspark.sql import functions as sql

    def read() -> DataFrame:
        reader = spark.read
        if only:
            reader = reader.option("pathGlobFilter", only)
            if not _is_partitioned(spark, path):
                reader = reader.option("recursiveFileLookup", True)
        return reader.parquet(files.reached(spark, path))

    frame = opened(read, path)
    _check_columns(frame, id, text, prefer, path)
    rows = frame.select(
        places.file_of_row(),
        sql.col("_metadata.row_index").alias("row"),
        *_columns(frame, id, text, prefer),
    )
    names = places.file_names(frame)
    refuse_colons(names, path)
    rows = places.with_file_numbers(spark, rows, names, path).select(
        places.place_by_row().alias("place"), "id", "text", "prefer"
    )
    made = digest(f"{places.stamps(spark, frame)} {id} {text} {prefer}")
    whole = partial(_whole, frame, id, text)
    return Source(rows, _checked, made, path, whole, None, "parquet", None)


def _whole(frame: DataFrame, id: str, text: str) -> DataFrame:
    """All columns under a name for each, with the id as a string beside them."""
    from pyspark.sql import functions as sql

    # what `_checked` calls bad; null where a column is null, which is not true either
    usable = sql.is_valid_utf8(_column(frame, id).cast("string"))
    usable &= sql.is_valid_utf8(_column(frame, text))
    everything = sql.struct(*(_column(frame, name) for name in frame.columns)).alias("row")
    return frame.where(usable).select(_column(frame, id).cast("string").alias("id"), everything)


def _columns(frame: DataFrame, id: str, text: str, prefer: str | None) -> list[Column]:
    from pyspark.sql import functions as sql

    first = _column(frame, prefer).cast("double") if prefer else sql.lit(None).cast("double")
    return [
        _column(frame, id).cast("string").alias("id"),
        _column(frame, text).alias("text"),
        first.alias("prefer"),
    ]


def _column(frame: DataFrame, name: str) -> Column:
    """A name with dots is tried as it stands first, then as a way inside."""
    from pyspark.sql import functions as sql

    parts = [name] if name in frame.columns else name.split(".")
    return sql.col(".".join(f"`{part.replace('`', '``')}`" for part in parts))


def _check_columns(frame: DataFrame, id: str, text: str, prefer: str | None, label: str) -> None:
    from pyspark.sql.types import DecimalType, IntegralType, NumericType, StringType

    wanted: list[tuple[str, str, tuple[type, ...], Message]] = [
        (id, "--id", (StringType, IntegralType), Message("corpus.strings_or_numbers")),
        (text, "--text", (StringType,), Message("corpus.strings")),
    ]
    if prefer:
        wanted.append((prefer, "--prefer", (NumericType,), Message("scale.numbers")))
    names = _leaf_names(frame.schema)
    for name, option, allowed, what in wanted:
        kind = _type_at(frame.schema, name)
        if kind is None:
            why = missing(name, option, names)
            if near := get_close_matches(name, names, 1, 0.5):
                why = Message("scale.did_you_mean", {"why": why, "near": near[0]})
            raise BadInput(why, about=label)
        twins = _twins(frame, name)
        if len(twins) > 1:
            raise BadInput("scale.twin_columns", about=label, first=twins[0], rest=(*twins[1:],))
        whole = isinstance(kind, DecimalType) and not kind.scale  # as uint64 comes from Parquet
        if not isinstance(kind, allowed) and not (whole and option == "--id"):
            raise BadInput(
                "scale.column_type",
                about=label,
                name=name,
                kind=kind.simpleString(),
                wanted=what,
                option=option,
            )


def _twins(frame: DataFrame, name: str) -> list[str]:
    """The columns that Spark takes for the one with this name."""
    first = name if name in frame.columns else name.split(".")[0]
    if frame.sparkSession.conf.get("spark.sql.caseSensitive") == "true":
        return [repr(each) for each in frame.columns if each == first]
    return [repr(each) for each in frame.columns if each.lower() == first.lower()]


def _type_at(schema: StructType, name: str) -> DataType | None:
    from pyspark.sql.types import StructType

    if name in schema.names:
        return schema[name].dataType
    kind: Any = schema
    for part in name.split("."):
        if not isinstance(kind, StructType) or part not in kind.names:
            return None
        kind = kind[part].dataType
    return kind  # type: ignore[no-any-return]


def _leaf_names(schema: StructType, prefix: str = "") -> list[str]:
    from pyspark.sql.types import StructType

    names = []
    for field in schema.fields:
        if isinstance(field.dataType, StructType):
            names += _leaf_names(field.dataType, f"{prefix}{field.name}.")
        else:
            names.append(prefix + field.name)
    return names


def _checked(batch: Any) -> Any:
    """Rows as they are, with a reason for those that cannot be used."""
    if _is_fine(batch.column("text")) and _is_fine(batch.column("id")):
        return batch.append_column("bad", pa.nulls(len(batch), pa.string()))
    texts, ids = values_at(batch, ("text",)), values_at(batch, ("id",))
    bad = [
        _why_bad("text", text) or _why_bad("id", name)
        for text, name in zip(texts, ids, strict=True)
    ]
    names = [None if name is NOT_UTF8 else name for name in ids]
    good = [text if reason is None else None for text, reason in zip(texts, bad, strict=True)]
    return rows_of(batch.column("place"), names, good, bad, batch.column("prefer").to_pylist())


def _is_fine(column: Any) -> bool:
    """Whether every value is there, and is UTF-8: Spark carries any bytes as a string."""
    try:
        column.validate(full=True)
    except pa.ArrowInvalid:
        return False
    return not column.null_count


def _why_bad(name: str, value: object) -> Message | None:
    if value is None:
        return Message("scale.is_null", {"name": name})
    return Message("scale.not_utf8", {"name": name}) if value is NOT_UTF8 else None


def _is_partitioned(spark: SparkSession, path: str) -> bool:
    """Whether folders in it are named after values, as Hive does: those are columns too."""
    return any("=" in name.rpartition("/")[0] for name in files.below(spark, path, 1))
