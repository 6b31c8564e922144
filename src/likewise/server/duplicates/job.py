"""The search for duplicates as a job, over what whoever asked for it may read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from likewise.errors import BadInput
from likewise.library import DuplicatePair, Duplicates
from likewise.server.checks.job_inputs import job_caller
from likewise.server.duplicates.shapes import DuplicatesRequest, PairFigures
from likewise.server.jobs.work import Work
from likewise.server.permissions import collection_of, readable_collections

MOST_PAIRS = 2_000  # that are kept, the strongest
MOST_MEMBERS = 10_000  # of the clusters that are kept, the largest first
_SHARE_OF_MEMORY = 4  # a job may hold a quarter of its memory in fingerprints
_STAGES = {"comparing": "pairing"}


def find_duplicates(work: Work) -> Mapping[str, Any]:
    """The strongest pairs and the largest clusters, by the numbers of documents alone.

    Administrators see what came of jobs, and not what others keep; names are read by whoever asks
    for the result, as far as they may read the documents then.
    """
    request = DuplicatesRequest.model_validate(work.job.request["duplicates"])
    with work.context.store.reading() as connection:
        readable = readable_collections(connection, job_caller(connection, work))
    collections = tuple(one for one in readable if _is_requested(request.collection, one))
    if not collections:
        raise BadInput("server.collections_lost")
    duplicates = work.context.library.duplicates(
        request.filters(collections),
        threshold=request.threshold,
        measure=request.measure,
        jobs=1,
        memory=work.context.config.worker_memory_mb * 1_000_000 // _SHARE_OF_MEMORY,
        progress=lambda stage, done, total: work.report_progress(
            _STAGES.get(stage, stage), done, total
        ),
    )
    work.report_progress("keeping", 0, 0)
    return {
        "documents": duplicates.documents,
        "without_fingerprints": duplicates.without_fingerprints,
        "pairs": len(duplicates),
        "clusters": len(duplicates.clusters),
        "awaits_rebuild": duplicates.awaits_rebuild,
        "strongest_pairs": [
            {"documents": [pair.a, pair.b], "figures": _figures(pair)}
            for pair in islice(duplicates, MOST_PAIRS)
        ],
        "largest_clusters": _largest_clusters(duplicates),
    }


def _figures(pair: DuplicatePair) -> PairFigures:
    return PairFigures(
        pair.similarity, pair.shared, pair.fingerprints_a, pair.fingerprints_b, pair.is_same_text
    )


def _is_requested(names: Sequence[str] | None, collection: str) -> bool:
    return names is None or collection in map(collection_of, names)


def _largest_clusters(duplicates: Duplicates) -> list[dict[str, Any]]:
    """As many as are kept; of one that is larger than that, the eldest documents."""
    clusters: list[dict[str, Any]] = []
    remaining = MOST_MEMBERS
    for cluster in duplicates.clusters:
        if remaining < 2:
            break
        documents = list(cluster.members[:remaining])
        clusters.append({"documents": documents, "weakest": cluster.weakest})
        remaining -= len(documents)
    return clusters
