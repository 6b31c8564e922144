"""Corpora for Spark: Parquet, lines, texts on any filesystem it reaches, or a frame of one's own.

Every document gets a place, a number that keeps the order of the corpus (files by name, rows as
they stand), since answers name the first of several documents.
"""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import pyarrow as pa  # type: ignore[import-untyped]

from likewise.corpus.shard import missing
from likewise.corpus.sniff import is_corpus_name, is_lines_by_name_only
from likewise.errors import BadInput
from likewise.scale import files, places
from likewise.scale.lines import of_lines
from likewise.scale.sources import Format, Source, digest, opened

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession
    from pyspark.sql.types import DataType, StructType

_LOOKED_AT = 2000  # names in a folder that tell what is in it
_PARQUET = "*.{parquet,pq}"
_LINES = "*.{jsonl,ndjson}*"
_JSON = "*.json*"
_TEXTS = "*.{txt,TXT}"


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
    kind, only = _kind(spark, corpus, format)
    if kind == "parquet":
        return _of_parquet(spark, corpus, id, text, prefer, only)
    return of_lines(spark, corpus, id, text, prefer, kind, only)


def _of_frame(frame: DataFrame, id: str, text: str, prefer: str | None) -> Source:
    from pyspark.sql import functions as sql

    _check_columns(frame, id, text, prefer, "the frame")
    number = sql.monotonically_increasing_id().alias("place")
    rows = frame.select(number, *_columns(frame, id, text, prefer))
    spark = frame.sparkSession
    # Rows that come from no file may be others tomorrow: they serve this application only.
    made = places.stamps(spark, frame) or spark.sparkContext.applicationId
    made = digest(f"{frame.semanticHash()} {made} {id} {text} {prefer}")
    whole = _whole(frame, id, text)
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
        return reader.parquet(path)

    frame = opened(read, path)
    _check_columns(frame, id, text, prefer, path)
    rows = frame.select(
        places.file_of_row(),
        sql.col("_metadata.row_index").alias("row"),
        *_columns(frame, id, text, prefer),
    )
    rows = places.with_file_numbers(spark, rows, places.file_names(frame), path).select(
        places.place_by_row().alias("place"), "id", "text", "prefer"
    )
    made = digest(f"{places.stamps(spark, frame)} {id} {text} {prefer}")
    return Source(rows, _checked, made, path, _whole(frame, id, text), None, "parquet", None)


def _whole(frame: DataFrame, id: str, text: str) -> DataFrame:
    """All columns under a name for each, with the id as a string beside them."""
    from pyspark.sql import functions as sql

    usable = _column(frame, id).isNotNull() & _column(frame, text).isNotNull()
    everything = sql.struct(*(sql.col(f"`{name}`") for name in frame.columns)).alias("row")
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

    return sql.col(f"`{name}`") if name in frame.columns else sql.col(name)


def _check_columns(frame: DataFrame, id: str, text: str, prefer: str | None, label: str) -> None:
    from pyspark.sql.types import IntegralType, NumericType, StringType

    wanted: list[tuple[str, str, tuple[type, ...], str]] = [
        (id, "--id", (StringType, IntegralType), "strings or whole numbers"),
        (text, "--text", (StringType,), "strings"),
    ]
    if prefer:
        wanted.append((prefer, "--prefer", (NumericType,), "numbers"))
    names = _leaf_names(frame.schema)
    for name, option, allowed, what in wanted:
        kind = _type_at(frame.schema, name)
        if kind is None:
            near = get_close_matches(name, names, 1, 0.5)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise BadInput(f"{label}: {missing(name, option, names)}{hint}")
        if not isinstance(kind, allowed):
            raise BadInput(
                f"{label}: the column {name!r} holds {kind.simpleString()}, not {what}; "
                f"name another with {option}"
            )


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
    texts, ids = batch.column("text"), batch.column("id")
    bad: list[str | None] = [None] * len(batch)
    if texts.null_count or ids.null_count:
        bad = [
            "its text is null" if text is None else "its id is null" if name is None else None
            for text, name in zip(texts.to_pylist(), ids.to_pylist(), strict=True)
        ]
    return batch.append_column("bad", pa.array(bad, pa.string()))


def _kind(spark: SparkSession, path: str, format: Format | None) -> tuple[Format, str | None]:
    """What a path holds, and the names that belong to it in a folder: as said, else by names."""
    is_folder = not set(path) & set("*?[{") and files.is_folder(spark, path)
    if format is not None:
        return format, _TEXTS if format == "text" and is_folder else None
    named = _kind_of_name(path)
    if named is not None and not is_folder:
        return named, None
    if is_folder:
        names = files.below(spark, path, _LOOKED_AT)
        kinds = {name: _kind_of_name(name) for name in names if is_corpus_name(name)}
        if len(set(kinds.values())) == 1:
            sure = any(not is_lines_by_name_only(name) for name in kinds)
            only = {"parquet": _PARQUET, "jsonl": _LINES if sure else _JSON}
            kind = next(iter(kinds.values()))
            assert kind is not None
            return kind, only[kind]
        if not kinds and any(name.lower().endswith(".txt") for name in names):
            return "text", _TEXTS
        if not names:
            raise BadInput(f"{path}: no documents in it")
    elif not files.exists(spark, path) and not set(path) & set("*?[{"):
        raise BadInput(f"{path}: there is nothing there")
    raise BadInput(f"{path}: say what is in it: --format parquet, jsonl or text")


def _kind_of_name(path: str) -> Format | None:
    """
    >>> _kind_of_name("s3a://crawl/part.parquet"), _kind_of_name("crawl/*.jsonl.gz")
    ('parquet', 'jsonl')
    """
    suffixes = PurePosixPath(path.lower()).suffixes[-2:]
    if {".parquet", ".pq"} & set(suffixes[-1:]):
        return "parquet"
    if {".jsonl", ".ndjson", ".json"} & set(suffixes):
        return "jsonl"
    return None


def _is_partitioned(spark: SparkSession, path: str) -> bool:
    """Whether folders in it are named after values, as Hive does: those are columns too."""
    return any("=" in name.rpartition("/")[0] for name in files.below(spark, path, 1))
