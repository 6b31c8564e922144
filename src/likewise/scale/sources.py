"""What a corpus is to Spark: a frame, and what makes documents of its batches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import unquote

import pyarrow as pa  # type: ignore[import-untyped]

from likewise.errors import BadInput
from likewise.model import Message
from likewise.scale.troubles import reason_of, spark_errors

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

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


def rows_of(
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


def opened(read: Callable[[], DataFrame], path: str) -> DataFrame:
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


def digest(made: str) -> str:
    """A short name for what a frame was made of."""
    return blake2b(made.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
