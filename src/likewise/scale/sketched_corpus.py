"""The sketches of a corpus as a stage: made and checked, or found from an earlier time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from likewise.errors import BadInput
from likewise.scale import sketches
from likewise.scale.bad import refuse_unusable
from likewise.scale.sources import Source
from likewise.scale.stages import Work, recipe_of
from likewise.search.lsh import plan
from likewise.settings import Settings

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True, slots=True)
class Sketched:
    """Sketches of good documents, how many there are, and what people call the corpus."""

    rows: DataFrame
    documents: int
    bad: int
    shingles: int  # of all of them
    label: str
    recipe: str  # everything that they depend on


def sketch(work: Work, name: str, source: Source, settings: Settings, skip_bad: bool) -> Sketched:
    """The sketches of a corpus; refused if a document is bad, unless that is allowed."""
    from pyspark.sql import functions as sql

    recipe = recipe_of(made_by(settings), source.fingerprint)
    rows = work.stage(
        name,
        recipe,
        lambda: source.frame.mapInArrow(
            partial(sketches.sketched, settings=settings, decode=source.decode), sketches.SCHEMA
        ),
        told=made_by(settings),
        counts={
            "documents": sql.count(sql.lit(1)),
            "bad": sql.count("bad"),
            "shingles": sql.sum("size"),
        },
    )
    counted = work.counts(name)
    documents, bad = counted["documents"], counted["bad"]
    refuse_unusable(rows, source.label, skip_bad, documents, bad)
    return Sketched(_good(rows), documents - bad, bad, counted["shingles"], source.label, recipe)


def stored(work: Work, folder: str, settings: Settings) -> Sketched:
    """Sketches of an earlier time; refused if they were made otherwise."""
    path = f"{folder.rstrip('/')}/sketches"
    marker = work.marker(path)
    if marker["told"] != made_by(settings):
        raise BadInput("scale.other_settings", about=folder, settings=str(marker["told"]))
    counted = marker["counts"]
    documents, bad = counted["documents"], counted["bad"]
    rows = _good(work.spark.read.parquet(path))
    return Sketched(rows, documents - bad, bad, counted["shingles"], folder, str(marker["recipe"]))


def made_by(settings: Settings) -> str:
    """Everything that sketches depend on: the recipe, and how signatures are cut into bands."""
    if settings.method != "lsh":
        return f"{settings.recipe()} no bands"
    cut = plan(settings)
    return f"{settings.recipe()} {cut.bands} bands of {cut.rows}, {cut.agreeing} agreeing"


def _good(rows: DataFrame) -> DataFrame:
    return rows.where("bad is null").drop("bad")
