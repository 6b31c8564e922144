"""What is in a folder or behind a path, as far as names tell."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from likewise.corpus.sniff import is_corpus_name, is_lines_by_name_only
from likewise.errors import BadInput
from likewise.scale import files
from likewise.scale.sources import Format

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_LOOKED_AT = 2000  # names in a folder that tell what is in it
# what may stand behind .jsonl: Spark unpacks these, or they are refused by name
_PACKED = ("gz", "zst", "bz2", "lz4", "snappy", "deflate", "xz", "zstd")


def _named(*endings: str, packed: bool = False) -> str:
    """A pattern for names that end so, in capitals or not.

    >>> _named("pq"), _named("pq", packed=True)[:28]
    ('*.{[pP][qQ]}', '*.{[pP][qQ],[pP][qQ].[gG][zZ')
    """
    behind = ["", *(f".{how}" for how in _PACKED)] if packed else [""]
    whole = [ending + how for ending in endings for how in behind]
    letters = [
        "".join(f"[{c}{c.upper()}]" if c.isalpha() else c for c in ending) for ending in whole
    ]
    return f"*.{{{','.join(letters)}}}"


_PARQUET = _named("parquet", "pq")
_LINES = _named("jsonl", "ndjson", packed=True)
_JSON = _named("json", packed=True)
_TEXTS = _named("txt")


def kind_at(spark: SparkSession, path: str, format: Format | None) -> tuple[Format, str | None]:
    """What a path holds, and the names that belong to it in a folder: as said, else by names."""
    is_folder = not files.is_pattern(spark, path) and files.is_folder(spark, path)
    if format is not None:
        return format, _TEXTS if format == "text" and is_folder else None
    named = _kind_of_name(path)
    if named is not None and not is_folder:
        return named, None
    if is_folder:
        names = files.below(spark, path, _LOOKED_AT, hidden=".")
        kinds = {name: _kind_of_name(name) for name in names if is_corpus_name(_unpacked(name))}
        if len(set(kinds.values())) == 1:
            sure = any(not is_lines_by_name_only(_unpacked(name)) for name in kinds)
            only = {"parquet": _PARQUET, "jsonl": _LINES if sure else _JSON}
            kind = next(iter(kinds.values()))
            assert kind is not None
            _refuse_passed_over(list(kinds), path)
            return kind, only[kind]
        if not kinds and any(name.lower().endswith(".txt") for name in names):
            return "text", _TEXTS
        if not names:
            raise BadInput("corpus.no_documents", about=path)
    elif not files.is_pattern(spark, path) and not files.exists(spark, path):
        raise BadInput("scale.nothing_there", about=path)
    raise BadInput("scale.say_format", about=path, option="--format")


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


def _refuse_passed_over(names: list[str], label: str) -> None:
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
