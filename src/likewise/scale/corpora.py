"""Corpora for Spark: Parquet, lines, texts on any filesystem it reaches, or a frame of one's own.

What a path holds is told by the names in it. Every document gets a place, a number that keeps the
order of the corpus (files by name, rows as they stand), since answers name the first of several
documents.
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import partial
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from likewise.corpus.parquet import NOT_UTF8, values_at
from likewise.corpus.shard import missing
from likewise.corpus.sniff import is_corpus_name, is_lines_by_name_only
from likewise.errors import BadInput
from likewise.model import Message
from likewise.scale import files
from likewise.scale.sources import (
    Format,
    Source,
    digest,
    document_batch,
    file_names,
    file_of_row,
    file_stamps,
    open_frame,
    place_by_row,
    refuse_colons,
    with_file_numbers,
)
from likewise.scale.text_files import open_text_files

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession
    from pyspark.sql.types import DataType, StructType


def open_source(
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
    kind, only = detect_format(spark, corpus, format)
    if kind == "parquet":
        return _of_parquet(spark, corpus, id, text, prefer, only)
    return open_text_files(spark, corpus, id, text, prefer, kind, only)


def _of_frame(frame: DataFrame, id: str, text: str, prefer: str | None) -> Source:
    from pyspark.sql import functions as sql

    if frame.isStreaming:
        raise BadInput("scale.stream", about="the frame")
    _check_columns(frame, id, text, prefer, "the frame")
    number = sql.monotonically_increasing_id().alias("place")
    rows = frame.select(number, *_columns(frame, id, text, prefer))
    spark = frame.sparkSession
    # Rows that come from no file may be others tomorrow: they serve this application only.
    inputs = file_stamps(spark, frame) or spark.sparkContext.applicationId
    inputs = digest(f"{frame.semanticHash()} {inputs} {id} {text} {prefer}")
    whole = partial(_whole, frame, id, text)
    return Source(rows, _mark_bad_rows, inputs, "the frame", whole, None, "parquet", None)


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
        return reader.parquet(files.escape_path(spark, path))

    frame = open_frame(read, path)
    _check_columns(frame, id, text, prefer, path)
    rows = frame.select(
        file_of_row(),
        sql.col("_metadata.row_index").alias("row"),
        *_columns(frame, id, text, prefer),
    )
    names = file_names(frame)
    refuse_colons(names, path)
    rows = with_file_numbers(spark, rows, names, path).select(
        place_by_row().alias("place"), "id", "text", "prefer"
    )
    fingerprint = digest(f"{file_stamps(spark, frame)} {id} {text} {prefer}")
    whole = partial(_whole, frame, id, text)
    return Source(rows, _mark_bad_rows, fingerprint, path, whole, None, "parquet", None)


def _whole(frame: DataFrame, id: str, text: str) -> DataFrame:
    """All columns under a name for each, with the id as a string beside them."""
    from pyspark.sql import functions as sql

    # what `_mark_bad_rows` calls bad; null where a column is null, which is not true either
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

    required: list[tuple[str, str, tuple[type, ...], Message]] = [
        (id, "--id", (StringType, IntegralType), Message("corpus.strings_or_numbers")),
        (text, "--text", (StringType,), Message("corpus.strings")),
    ]
    if prefer:
        required.append((prefer, "--prefer", (NumericType,), Message("scale.numbers")))
    names = _leaf_names(frame.schema)
    for name, option, allowed, what in required:
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


def _mark_bad_rows(batch: Any) -> Any:
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
    return document_batch(
        batch.column("place"), names, good, bad, batch.column("prefer").to_pylist()
    )


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
    return any("=" in name.rpartition("/")[0] for name in files.list_below(spark, path, 1))


_NAMES_READ = 2000  # names in a folder that tell what is in it
# what may stand behind .jsonl: Spark unpacks these, or they are refused by name
_PACKED = ("gz", "zst", "bz2", "lz4", "snappy", "deflate", "xz", "zstd")


def _name_pattern(*endings: str, packed: bool = False) -> str:
    """A pattern for names that end so, in capitals or not.

    >>> _name_pattern("pq"), _name_pattern("pq", packed=True)[:28]
    ('*.{[pP][qQ]}', '*.{[pP][qQ],[pP][qQ].[gG][zZ')
    """
    behind = ["", *(f".{how}" for how in _PACKED)] if packed else [""]
    whole = [ending + how for ending in endings for how in behind]
    letters = [
        "".join(f"[{c}{c.upper()}]" if c.isalpha() else c for c in ending) for ending in whole
    ]
    return f"*.{{{','.join(letters)}}}"


_PARQUET = _name_pattern("parquet", "pq")
_LINES = _name_pattern("jsonl", "ndjson", packed=True)
_JSON = _name_pattern("json", packed=True)
_TEXTS = _name_pattern("txt")


def detect_format(
    spark: SparkSession, path: str, format: Format | None
) -> tuple[Format, str | None]:
    """What a path holds, and the names that belong to it in a folder: as said, else by names."""
    is_folder = not files.is_pattern(spark, path) and files.is_folder(spark, path)
    if format is not None:
        return format, _TEXTS if format == "text" and is_folder else None
    format_by_name = _format_of_name(path)
    if format_by_name is not None and not is_folder:
        return format_by_name, None
    if is_folder:
        names = files.list_below(spark, path, _NAMES_READ, hidden=".")
        kinds = {name: _format_of_name(name) for name in names if is_corpus_name(_unpacked(name))}
        if len(set(kinds.values())) == 1:
            sure = any(not is_lines_by_name_only(_unpacked(name)) for name in kinds)
            only = {"parquet": _PARQUET, "jsonl": _LINES if sure else _JSON}
            kind = next(iter(kinds.values()))
            assert kind is not None
            _refuse_ignored_names(list(kinds), path)
            return kind, only[kind]
        if not kinds and any(name.lower().endswith(".txt") for name in names):
            return "text", _TEXTS
        if not names:
            raise BadInput("corpus.no_documents", about=path)
    elif not files.is_pattern(spark, path) and not files.exists(spark, path):
        raise BadInput("scale.nothing_there", about=path)
    raise BadInput("scale.say_format", about=path, option="--format")


def _format_of_name(path: str) -> Format | None:
    """The format that the name of a file tells.

    >>> _format_of_name("s3a://crawl/part.parquet"), _format_of_name("crawl/*.jsonl.gz")
    ('parquet', 'jsonl')
    """
    suffixes = PurePosixPath(path.lower()).suffixes[-2:]
    if {".parquet", ".pq"} & set(suffixes[-1:]):
        return "parquet"
    if {".jsonl", ".ndjson", ".json"} & set(suffixes):
        return "jsonl"
    return None


def _refuse_ignored_names(names: list[str], label: str) -> None:
    """Raises `BadInput` for a part of the corpus that Spark would leave out without a word."""
    for name in names:
        if name.rsplit("/", 1)[-1].startswith("_"):
            raise BadInput("scale.passed_over", about=label, name=name)


def _unpacked(name: str) -> str:
    """The name without what it is packed with.

    >>> _unpacked("a.jsonl.BZ2"), _unpacked("a.jsonl.bak")
    ('a.jsonl', 'a.jsonl.bak')
    """
    stem, _, last = name.rpartition(".")
    return stem if last.lower() in _PACKED else name
