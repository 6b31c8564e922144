"""Documents that cannot be used: named, and refused unless they may be left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likewise.errors import BadInput

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
        shown = ", ".join(
            f"{row.id!r} ({row.bad})" if row.id is not None else row.bad
            for row in rows.where("bad is not null")
            .select("id", "bad")
            .orderBy("id", "bad")
            .limit(NAMED)
            .collect()
        )
        raise BadInput(
            f"{label}: {bad:,} documents cannot be used: {shown}"
            f"{' …' if bad > NAMED else ''}; mend them, or leave them out with --skip-bad"
        )
    if documents == bad:
        raise BadInput(f"{label}: no documents in it")


def refuse_twice(rows: DataFrame, label: str) -> None:
    """Raises `BadInput` if two rows have the same id."""
    from pyspark.sql import functions as sql

    twice = rows.groupBy("id").agg(sql.count(sql.lit(1)).alias("n")).where("n > 1")
    named = twice.orderBy("id").limit(NAMED + 1).collect()
    if named:
        shown = ", ".join(f"{row.id!r} ({row.n} times)" for row in named[:NAMED])
        raise BadInput(
            f"{label}: ids must differ, and these do not: {shown}{' …' if named[NAMED:] else ''}"
        )
