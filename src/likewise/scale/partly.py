"""Partial copies as a job: inside one corpus, or of a new one against an old one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from likewise.errors import BadSettings
from likewise.scale import partial_copies
from likewise.scale.bad import refuse_bad
from likewise.scale.blobs import SCHEMA, with_given
from likewise.scale.frames import source_of
from likewise.scale.job import check_settings, slots_for
from likewise.scale.sides import AGAINST
from likewise.scale.sources import Format, Source
from likewise.scale.stages import Work, recipe_of
from likewise.scale.starting import ensure_classic
from likewise.settings import Settings

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

COMMON_FROM = 1000  # documents that hold a fingerprint before it is taken for common text


def partly_copied(
    spark: SparkSession,
    corpus: str | DataFrame,
    settings: Settings,
    *,
    work: str,
    id: str = "id",
    text: str = "text",
    format: Format | None = None,
    against: str | DataFrame | None = None,
    threshold: float = 0.3,
    cap: int = COMMON_FROM,
    skip_bad: bool = False,
) -> DataFrame:
    """Documents of which a part stands in another: a, b, shared, containment_a, containment_b.

    Shares are of winnowed fingerprints; those that more than `cap` documents hold are common text.
    With `against`, `a` is a document of the corpus and `b` one of the other.
    """
    from pyspark.sql import functions as sql

    ensure_classic(spark)
    check_settings(settings)
    if not 0 < threshold <= 1:
        raise BadSettings(
            "core.setting_share", name="threshold", value=str(threshold), low=0.0, high=1.0
        )
    if cap < 2:
        raise BadSettings("scale.cap", n=cap)
    place = Work(spark, work)
    place.prepare()
    new = source_of(spark, corpus, id=id, text=text, format=format)
    both, recipe = _prints(place, "prints", new, settings, skip_bad)
    if against is not None:
        old = source_of(spark, against, id=id, text=text, format=format)
        rows, made = _prints(place, "prints-against", old, settings, skip_bad)
        moved = (sql.col("place") + sql.lit(AGAINST)).alias("place")
        both = both.unionByName(rows.select(moved, *rows.columns[1:]))
        recipe = recipe_of(recipe, made)
    slots = slots_for(place, both.count())
    across = against is not None

    def made_of_prints() -> DataFrame:
        routed = both.select("place", "prints").mapInArrow(
            partial(partial_copies.prints_routed, slots=slots), SCHEMA
        )
        met = routed.groupBy("slot").applyInArrow(
            with_given(partial_copies.meetings, slots=slots, cap=cap, across=across), SCHEMA
        )
        return met.groupBy("slot").applyInArrow(
            with_given(partial_copies.contained, threshold=threshold), partial_copies.CONTAINED
        )

    found = place.stage("contained", recipe_of(recipe, threshold, cap, slots), made_of_prints)
    ids = both.select("place", "id")
    return (
        found.withColumnRenamed("a", "p")
        .withColumnRenamed("b", "q")
        .join(ids.select(sql.col("place").alias("p"), sql.col("id").alias("a")), "p")
        .join(ids.select(sql.col("place").alias("q"), sql.col("id").alias("b")), "q")
        .select(
            "a",
            "b",
            "shared",
            (sql.col("shared") / sql.col("size_a")).alias("containment_a"),
            (sql.col("shared") / sql.col("size_b")).alias("containment_b"),
        )
    )


def _prints(
    place: Work, name: str, source: Source, settings: Settings, skip_bad: bool
) -> tuple[DataFrame, str]:
    """The fingerprints of a corpus, checked, and what they were made of."""
    recipe = recipe_of(settings.recipe(), source.fingerprint)
    rows = place.stage(
        name,
        recipe,
        lambda: source.frame.mapInArrow(
            partial(partial_copies.fingerprinted, settings=settings, decode=source.decode),
            partial_copies.PRINTS,
        ),
    )
    refuse_bad(rows, source.label, skip_bad)
    return rows.where("bad is null").drop("bad"), recipe
