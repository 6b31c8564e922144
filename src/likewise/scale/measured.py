"""The sample as a stage: its true pairs are kept like everything else that takes time."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from likewise.scale.job import Found
from likewise.scale.sample import TRUTH, Recall, chosen, recall_of, sample_of, true_pairs
from likewise.scale.sides import AGAINST
from likewise.scale.stages import Work, recipe_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def measured_recall(work: Work, found: Found, documents: int, size: int) -> Recall:
    """What share of the sample's true pairs the job has found."""
    from pyspark.sql import functions as sql

    settings = found.settings
    others = found.copies.where("place != leader").select("place")
    leaders = found.sketches.where("size > 0").join(others, "place", "left_anti")
    own = leaders.where(sql.col("place") < AGAINST)
    rows = chosen(own, documents, size).collect()  # the sample, which is small by its rule

    def made() -> DataFrame:
        sample = sample_of(rows, settings.threshold)
        against = leaders.where(sql.col("place") >= AGAINST) if found.across else leaders
        return against.select("place", "shingles").mapInArrow(
            partial(true_pairs, sample=sample, settings=settings, across=found.across), TRUTH
        )

    truth = work.stage("sample", recipe_of(work.recipe("pairs"), size), made)
    return recall_of(truth, found.pairs, len(rows), settings)
