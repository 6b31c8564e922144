"""The front of the engine on Spark: `pairs` inside one's own session, `dedup` for whole jobs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Unpack

from likewise.corpus.dedup import lowest_first
from likewise.errors import BadInput, BadSettings
from likewise.progress import Progress
from likewise.scale import files
from likewise.scale.clusters import Keep, build_clusters
from likewise.scale.corpora import open_source
from likewise.scale.errors import refuse_repeated_ids
from likewise.scale.near_duplicates import (
    NearDuplicates,
    check_settings,
    find_duplicates,
    pairs_by_id,
)
from likewise.scale.recall import SAMPLE, measure_recall
from likewise.scale.result import SparkDeduped, ensure_output
from likewise.scale.sketches import load_sketches, sketch_source
from likewise.scale.sources import Format
from likewise.scale.spark_session import ensure_classic, ensure_spark
from likewise.scale.stages import MARKER, WorkFolder
from likewise.settings import Changes, Settings, settings_from

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

THRESHOLD = 0.8  # of pairs, where none is given


def dedup(
    spark: SparkSession,
    corpus: str | DataFrame,
    settings: Settings,
    *,
    work: str,
    id: str = "id",
    text: str = "text",
    format: Format | None = None,
    thresholds: Sequence[float] = (),
    against: str | DataFrame | None = None,
    against_id: str | None = None,
    against_text: str | None = None,
    keep: Keep = "first",
    prefer: str | None = None,
    skip_bad: bool = False,
    output: str | None = None,
    sample: int = SAMPLE,
    progress: Progress | None = None,
) -> SparkDeduped:
    """Near-duplicates of a corpus on Spark, by the stages that are kept in `work`.

    A second call with the same corpus and settings goes on where the first one ended. `against`
    may be the work folder of an earlier `sketch_corpus`: then the old corpus is not read again.
    With LSH, recall is measured on about `sample` documents. `output` gets the cleaned corpus.
    """
    ensure_classic(spark)
    ascending, settings = check_job(settings, thresholds, keep, prefer)
    corpora = [each for each in (corpus, against) if isinstance(each, str)]
    _refuse_stages_in_corpus(spark, work, corpora)
    folder = WorkFolder(spark, work, progress)
    folder.prepare()
    source = open_source(spark, corpus, id=id, text=text, format=format, prefer=prefer)
    if output is not None:
        ensure_output(spark, output, corpora, work)
    sketched = sketch_source(folder, "sketches", source, settings, skip_bad)
    old = old_source = None
    if isinstance(against, str) and _holds_sketches(spark, against):
        old = load_sketches(folder, against, settings)
    elif against is not None:
        names = {"id": against_id or id, "text": against_text or text}
        old_source = open_source(spark, against, **names, format=format)
        old = sketch_source(folder, "against", old_source, settings, skip_bad)
    duplicates = find_duplicates(folder, sketched, settings, old)
    clusters = {each: build_clusters(folder, duplicates, keep, each) for each in ascending}
    recall = None
    if settings.method == "lsh" and sample:
        recall = measure_recall(folder, duplicates, sketched.documents, sample)
    bad = sketched.bad + (old.bad if old else 0)
    result = SparkDeduped(duplicates, clusters, folder, source, recall, bad, old_source)
    if output is not None:
        if progress:
            progress("writing", 0, 0)
        result.write(output)
    return result


def check_job(
    settings: Settings, thresholds: Sequence[float], keep: Keep, prefer: str | None
) -> tuple[tuple[float, ...], Settings]:
    """The thresholds, ascending, and the settings for the lowest; all that can be refused is."""
    check_settings(settings)
    if keep not in ("first", "longest", "prefer"):
        raise BadSettings("scale.keep", keep=keep)
    if (keep == "prefer") != (prefer is not None):
        raise BadSettings("scale.keep_prefer")
    return lowest_first(settings, thresholds)


def sketch_corpus(
    spark: SparkSession,
    corpus: str | DataFrame,
    settings: Settings,
    *,
    work: str,
    id: str = "id",
    text: str = "text",
    format: Format | None = None,
    skip_bad: bool = False,
) -> None:
    """The sketches of a corpus, kept so that others can be held against it without its texts."""
    ensure_classic(spark)
    check_settings(settings)
    _refuse_stages_in_corpus(spark, work, [corpus] if isinstance(corpus, str) else [])
    folder = WorkFolder(spark, work)
    folder.prepare()
    source = open_source(spark, corpus, id=id, text=text, format=format)
    sketched = sketch_source(folder, "sketches", source, settings, skip_bad)
    refuse_repeated_ids(sketched.rows, sketched.label)


def pairs(
    frame: DataFrame,
    *,
    id: str = "id",
    text: str = "text",
    work: str | None = None,
    skip_bad: bool = False,
    settings: Settings | None = None,
    **changes: Unpack[Changes],
) -> DataFrame:
    """Pairs of near-duplicates in a frame: a, b, jaccard, containment_a, containment_b.

    Every setting can be given by its name; the threshold is 0.8 unless it is.

    Stages are kept in `work`, a folder that all machines reach; without one they lie in the
    session's checkpoint folder or, where everything runs on this machine, in a temporary one.
    """
    ensure_spark()
    effective = settings_from(settings, {"threshold": THRESHOLD, **changes})
    check_settings(effective)
    spark = frame.sparkSession
    ensure_classic(spark)
    folder = WorkFolder(spark, work or _temporary_folder(spark))
    folder.prepare()
    source = open_source(spark, frame, id=id, text=text)
    duplicates: NearDuplicates = find_duplicates(
        folder, sketch_source(folder, "sketches", source, effective, skip_bad), effective
    )
    return pairs_by_id(duplicates)


def _refuse_stages_in_corpus(spark: SparkSession, work: str, corpora: Sequence[str]) -> None:
    """Raises `BadInput` where stages would become a part of what is read, or write over it."""
    for corpus in corpora:
        if files.lies_in(spark, work, corpus):
            raise BadInput("scale.stages_in_corpus", about=work, corpus=corpus)


def ensure_texts(spark: SparkSession, against: str) -> None:
    """Raises `BadInput` if an old corpus is given by its sketches alone: they have no meaning."""
    if _holds_sketches(spark, against):
        raise BadInput("scale.meaning_of_sketches", about=against, option="--pairs-by-meaning")


def _holds_sketches(spark: SparkSession, against: str) -> bool:
    """Whether an old corpus is the work folder of an earlier job on it."""
    marker = f"{against.rstrip('/')}/sketches/{MARKER}"
    return not files.is_pattern(spark, against) and files.exists(spark, marker)


def _temporary_folder(spark: SparkSession) -> str:
    """A new folder for stages that nobody asked to keep."""
    import atexit
    import shutil
    from tempfile import mkdtemp
    from uuid import uuid4

    if checkpoints := spark.sparkContext.getCheckpointDir():
        return f"{checkpoints}/likewise-{uuid4().hex}"
    if not str(spark.sparkContext.master).startswith("local"):
        raise BadInput("scale.no_work_folder", option="work=")
    folder = mkdtemp(prefix="likewise-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
