"""Lines of JSON and whole text files as Spark reads them, by the rules of the local engine."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import unquote

import pyarrow as pa

from likewise.catalogue import Value
from likewise.corpus.jsonl import BOM, document_in, field_in
from likewise.corpus.plain import text_in
from likewise.errors import BadInput
from likewise.model import Message
from likewise.scale import files
from likewise.scale.sources import (
    Source,
    digest,
    document_batch,
    file_of_row,
    file_stamps,
    first_place,
    open_frame,
    place_by_block,
    plain_name,
    refuse_colons,
    refuse_small_blocks,
    with_file_numbers,
)

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# Spark tells packed files by their names and takes all others for plain text.
_UNREADABLE_PACKINGS = (".xz", ".7z", ".zip", ".lzma", ".tar", ".tgz", ".rar", ".zstd")
_PACKED = {".gz": "gzip", ".bz2": "bzip2", ".zst": "zstd", ".lz4": "lz4", ".snappy": "snappy"}


def open_text_files(
    spark: SparkSession,
    path: str,
    id: str,
    text: str,
    prefer: str | None,
    kind: Literal["jsonl", "text"],
    only: str | None,
) -> Source:
    """JSON Lines, or files of which each is a text; of a folder `only` the names like that."""
    from pyspark.sql import functions as sql

    def read() -> DataFrame:
        reader = spark.read.option("recursiveFileLookup", True)
        if only:
            reader = reader.option("pathGlobFilter", only)
        if kind == "text":
            whole = reader.format("binaryFile").load(files.escape_path(spark, path))
            return whole.withColumnRenamed("content", "value")
        return reader.option("lineSep", "\n").text(files.escape_path(spark, path))

    if kind == "jsonl":
        refuse_small_blocks(spark)
    frame = open_frame(read, path)
    stamps = file_stamps(spark, frame)
    names = list(stamps)
    _refuse_packed(names, path)
    refuse_colons(names, path)
    # As bytes: what is not UTF-8 must come to the rules that say so.
    rows = with_file_numbers(
        spark,
        frame.select(
            file_of_row(),
            sql.col("_metadata.file_block_start").alias("block"),
            sql.monotonically_increasing_id().alias("row"),
            sql.col("value").cast("binary").alias("line"),
        ),
        names,
        path,
    ).select(place_by_block().alias("place"), "line", "file")
    fingerprint = digest(f"{stamps} {id} {text} {prefer} {kind}")
    if kind == "text":
        rows = rows.unionByName(_empty_files(spark, stamps))
        if prefer:
            raise BadInput("scale.no_prefer_field", about=path, name=prefer)
        root = plain_name(_root(spark, path))
        return Source(
            rows,
            partial(_decode_texts, root=root),
            fingerprint,
            path,
            lambda: rows,
            partial(_texts_as_lines, root=root),
            "text",
            None,
        )
    fields = {"id": id, "text": text}
    return Source(
        rows,
        partial(_decode_lines, prefer=prefer, **fields),
        fingerprint,
        path,
        lambda: rows,
        partial(_lines_with_ids, **fields),
        "jsonl",
        _packing(names),
    )


def _empty_files(spark: SparkSession, stamps: dict[str, tuple[int, int]]) -> DataFrame:
    """Spark passes over empty files; to us they are documents without words."""
    empty = [
        (first_place(number), b"", name)
        for number, (name, (length, _)) in enumerate(stamps.items())
        if length == 0
    ]
    return spark.createDataFrame(empty, "place long, line binary, file string")


def _decode_texts(batch: Any, root: str) -> Any:
    """Whole files, called by their paths below the folder that was given."""
    names = _names(batch, root)
    decoded = [text_in(data) for data in batch.column("line").to_pylist()]
    texts, bad = [text for text, _ in decoded], [why for _, why in decoded]
    return document_batch(batch.column("place"), names, texts, bad)


def _decode_lines(batch: Any, id: str, text: str, prefer: str | None) -> Any:
    """Objects of JSON to rows; blank lines are none."""
    names, texts, first, bad, rows = [], [], [], [], []
    for row, line in enumerate(batch.column("line").to_pylist()):
        document = document_in(line.removeprefix(BOM), text, id)
        if document is None:
            continue
        rows.append(row)
        name: str | None = None
        value: str | None = None
        number: float | None = None
        if isinstance(document, Message):
            where: dict[str, Value] = {"file": _file(batch, row), "n": len(line)}
            reason: Message | None = Message("scale.line_bad", where | {"why": document})
            name = _id_of_bad(line, id)
        else:
            name, value, record = document
            reason, value = _check_surrogates(name, value)
            if reason:
                name = None
            if prefer:
                number = _number(field_in(record, prefer))
        names.append(name)
        texts.append(value)
        first.append(number)
        bad.append(reason)
    numbers = batch.column("place").take(pa.array(rows, pa.int64()))
    return document_batch(numbers, names, texts, bad, first)


def _check_surrogates(name: str, text: str) -> tuple[Message | None, str]:
    """Half a surrogate pair cannot leave Python: the tokeniser takes it for no letter anyway."""
    if not name.isascii() and name.encode("utf-8", "replace").decode() != name:
        return Message("scale.half_pair", {"id": name}), ""
    if text.isascii():
        return None, text
    return None, text.encode("utf-8", "replace").decode()


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value)


def _lines_with_ids(batch: Any, id: str, text: str) -> Any:
    """Lines as they stand with their ids, for the cleaned corpus; bad ones are left out."""
    names, lines = [], []
    for line in batch.column("line").to_pylist():
        document = document_in(line.removeprefix(BOM), text, id)
        if isinstance(document, tuple) and _check_surrogates(document[0], "")[0] is None:
            names.append(document[0])
            lines.append(line.removeprefix(BOM).rstrip(b"\r\n").decode())
    return _with_ids(names, lines)


def _texts_as_lines(batch: Any, root: str) -> Any:
    """A text as a line of JSON, with its name as the id."""
    names, lines = [], []
    for name, data in zip(_names(batch, root), batch.column("line").to_pylist(), strict=True):
        text, reason = text_in(data)
        if reason is None:
            names.append(name)
            lines.append(json.dumps({"id": name, "text": text}, ensure_ascii=False))
    return _with_ids(names, lines)


def _with_ids(names: list[str], lines: list[str]) -> Any:
    return pa.record_batch(
        {"id": pa.array(names, pa.string()), "value": pa.array(lines, pa.string())}
    )


def _names(batch: Any, root: str) -> list[str]:
    return [unquote(name).removeprefix(root) for name in batch.column("file").to_pylist()]


def _file(batch: Any, row: int) -> str:
    return unquote(batch.column("file")[row].as_py()).rsplit("/", 1)[-1]


def _id_of_bad(line: bytes, id: str) -> str | None:
    """The id of a line that cannot be used, to find it by: Spark numbers none."""
    try:
        name = field_in(json.loads(line.removeprefix(BOM), strict=False), id)
    except (ValueError, RecursionError, AttributeError):
        return None
    if isinstance(name, bool) or not isinstance(name, str | int):
        return None
    return str(name) if _check_surrogates(str(name), "")[0] is None else None


def _root(spark: SparkSession, path: str) -> str:
    """The folder that names are given below: all of the path, or what stands before a pattern."""
    parts = path.rstrip("/").split("/")
    fixed = len(parts)
    if files.is_pattern(spark, path):
        fixed = next(i for i, part in enumerate(parts) if set(part) & files.PATTERN)
    folder = "/".join(parts[:fixed])
    if fixed == len(parts) and not files.is_folder(spark, folder):
        folder = "/".join(parts[:-1])
    return files.qualified(spark, folder or ".").rstrip("/") + "/"


def _refuse_packed(names: list[str], label: str) -> None:
    for name in names:
        if name.lower().endswith(_UNREADABLE_PACKINGS):
            last = unquote(name).rsplit("/", 1)[-1]
            raise BadInput("scale.cannot_unpack", about=label, name=last, option="--engine local")


def _packing(names: list[str]) -> str | None:
    """How the cleaned corpus is packed: as the first of its files."""
    return next((how for end, how in _PACKED.items() if names[0].lower().endswith(end)), None)
