"""Documents that cannot be used: named, and refused unless they may be left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likewise.catalogue import Value
from likewise.errors import BadInput
from likewise.model import Message

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

NAMED = 5  # bad documents that are named; all are counted


def refuse_bad(rows: DataFrame, label: str, skip_bad: bool) -> None:
    """Raises `BadInput` for rows of which one is bad, two have the same id, or none is good."""
    refuse_unusable(rows, label, skip_bad, rows.count(), rows.where("bad is not null").count())
    refuse_twice(rows.where("bad is null"), label)


def refuse_unusable(rows: DataFrame, label: str, skip_bad: bool, documents: int, bad: int) -> None:
    """Raises `BadInput` if some of so many documents are bad, or all are and may be."""
    if bad and not skip_bad:
        named = rows.where("bad is not null").select("id", "bad").orderBy("id", "bad")
        shown = _shown([_bad_row(row.id, row.bad) for row in named.limit(NAMED).collect()], bad)
        raise BadInput("scale.bad_documents", about=label, n=bad, shown=shown, option="--skip-bad")
    if documents == bad:
        raise BadInput("corpus.no_documents", about=label)


def refuse_twice(rows: DataFrame, label: str) -> None:
    """Raises `BadInput` if two rows have the same id."""
    from pyspark.sql import functions as sql

    twice = rows.groupBy("id").agg(sql.count(sql.lit(1)).alias("n")).where("n > 1")
    named = twice.orderBy("id").limit(NAMED + 1).collect()
    if named:
        times = [Message("scale.id_times", {"id": row.id, "n": row.n}) for row in named[:NAMED]]
        raise BadInput("scale.ids_twice", about=label, shown=_shown(times, len(named)))


def _bad_row(id: str | None, reason: str) -> Message:
    why = Message.verbatim(reason)
    return why if id is None else Message("scale.bad_document", {"id": id, "why": why})


def _shown(named: list[Message], total: int) -> Value:
    """Those that are named, and a sign where there are more."""
    return Message("scale.and_more", {"shown": (*named,)}) if total > NAMED else (*named,)
