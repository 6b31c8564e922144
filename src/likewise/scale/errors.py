"""Errors: what Spark complains about, in a line, and documents that cannot be used.

Bad documents are named, and refused unless they may be left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import unquote

from likewise.catalogue import Value
from likewise.errors import BadInput
from likewise.model import Message

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


_FILE = (
    re.compile(r"FAILED_READ_FILE[\w.]{0,60}\] Encountered error while reading file (\S+?)\.?\s"),
    re.compile(r"Could not read footer for file: (?:FileStatus\{path=)?([^;\s]+)"),
)
_CAUSE = re.compile(r"^Caused by: (?:[\w$]+\.)*([\w$]+)(?:: (.*))?$", re.MULTILINE)
_PYTHON = re.compile(r"^(?:[\w$]+\.)*(\w*(?:Error|Exception|BadInput|BadSettings)): (.+)$", re.M)
_LONGEST = 200
_QUOTE_NOTHING = {"ImportError", "ModuleNotFoundError", "MemoryError", "FileNotFoundError"}
_NO_MEMORY = ("OutOfMemoryError", "SparkContext was shut down", "ExecutorLostFailure")
_MEMORY_OPTIONS = {
    "option": "--conf spark.executor.memory=4g",
    "local": "spark.driver.memory",
}

T = TypeVar("T")


def spark_errors() -> tuple[type[Exception], ...]:
    """What calls into Spark may raise."""
    from py4j.protocol import Py4JError  # type: ignore[import-untyped]
    from pyspark.errors import PySparkException

    return (PySparkException, Py4JError)


def reason_of(error: Exception) -> Message:
    """The reason in a line, without Java's list of calls.

    >>> str(reason_of(Exception('[FAILED_READ_FILE.NO_HINT] Encountered error while reading file '
    ...     'file:///a/b.gz.  SQLSTATE\\n  at x\\nCaused by: java.io.EOFException: cut short')))
    'file:///a/b.gz cannot be read (cut short)'
    """
    words = str(error)
    if any(sign in words for sign in _NO_MEMORY):
        return Message("scale.no_memory", _MEMORY_OPTIONS)
    causes = _CAUSE.findall(words)
    cause = next((text or kind for kind, text in reversed(causes) if text or kind), "")
    for pattern in _FILE:
        if match := pattern.search(words):
            why = _short(cause) if cause else Message("scale.damaged")
            return Message("scale.file_unreadable", {"file": unquote(match[1]), "why": why})
    if "Traceback (most recent call last)" in words and (exceptions := _PYTHON.findall(words)):
        kind, text = exceptions[-1]
        if kind in ("BadInput", "BadSettings"):
            return _short(text)
        # the words of other errors could quote a document
        return _short(f"{kind}: {text}" if kind in _QUOTE_NOTHING else kind)
    if cause:
        return _short(cause)
    lines = [line.strip() for line in words.strip().splitlines()]
    if len(lines) > 1 and lines[0].startswith("An error occurred while calling"):
        lines = lines[1:]  # py4j's own heading
    first = lines[0] if lines else type(error).__name__
    return _short(re.sub(r"^: (?:[\w$]+\.)*([\w$]+: )?", "", first))


def call_spark(key: str, about: str, call: Callable[[], T]) -> T:
    """What Spark answers; where it cannot, `BadInput` about a file, by a key that takes `why`."""
    try:
        return call()
    except spark_errors() as error:
        raise BadInput(key, about=about, why=reason_of(error)) from error


def _short(words: str) -> Message:
    cut = words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "…"
    return Message.verbatim(cut)


MAX_EXAMPLES = 5  # bad documents that are named; all are counted


def refuse_bad(rows: DataFrame, label: str, skip_bad: bool) -> None:
    """Raises `BadInput` for rows of which one is bad, two have the same id, or none is good."""
    refuse_unusable(rows, label, skip_bad, rows.count(), rows.where("bad is not null").count())
    refuse_repeated_ids(rows.where("bad is null"), label)


def refuse_unusable(rows: DataFrame, label: str, skip_bad: bool, documents: int, bad: int) -> None:
    """Raises `BadInput` if some of so many documents are bad, or all are and may be."""
    if bad and not skip_bad:
        examples = rows.where("bad is not null").select("id", "bad").orderBy("id", "bad")
        named = _list_examples(
            [_bad_row(row.id, row.bad) for row in examples.limit(MAX_EXAMPLES).collect()], bad
        )
        raise BadInput("scale.bad_documents", about=label, n=bad, shown=named, option="--skip-bad")
    if documents == bad:
        raise BadInput("corpus.no_documents", about=label)


def refuse_repeated_ids(rows: DataFrame, label: str) -> None:
    """Raises `BadInput` if two rows have the same id."""
    from pyspark.sql import functions as sql

    repeated = rows.groupBy("id").agg(sql.count(sql.lit(1)).alias("n")).where("n > 1")
    examples = repeated.orderBy("id").limit(MAX_EXAMPLES + 1).collect()
    if examples:
        times = [
            Message("scale.id_times", {"id": row.id, "n": row.n}) for row in examples[:MAX_EXAMPLES]
        ]
        raise BadInput("scale.ids_twice", about=label, shown=_list_examples(times, len(examples)))


def _bad_row(id: str | None, reason: str) -> Message:
    why = Message.verbatim(reason)
    return why if id is None else Message("scale.bad_document", {"id": id, "why": why})


def _list_examples(examples: list[Message], total: int) -> Value:
    """Those that are named, and a sign where there are more."""
    return (
        Message("scale.and_more", {"shown": (*examples,)}) if total > MAX_EXAMPLES else (*examples,)
    )
