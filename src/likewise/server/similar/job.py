"""Paper 003's request: every document measured against a file, by all measures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from likewise.results import plain
from likewise.server.checks.job_inputs import (
    job_caller,
    job_progress,
    read_upload_document,
    source_filters,
)
from likewise.server.jobs.work import Work
from likewise.server.similar.shapes import SimilarRequest


def measure_similar(work: Work) -> Mapping[str, Any]:
    """The documents that are similar, the likest first.

    By their numbers alone: administrators see what came of jobs, and not what others keep.
    """
    request = SimilarRequest.model_validate(work.job.request["similar"])
    document = read_upload_document(work, work.job.request["upload"])
    work.report_progress("searching", 0, 0)
    with work.context.store.reading() as connection:
        caller = job_caller(connection, work)
        query = {"filters": {"language": request.language, "type": request.type}}
        filters = source_filters(connection, caller, query)
    similar = work.context.library.similar(
        document,
        filters,
        min_percentage=request.min_percentage,
        level=request.level,
        limit=request.limit,
        progress=job_progress(work),
    )
    return {
        "level": similar.level,
        "min_percentage": similar.min_percentage,
        "similar": [
            {
                "document": each.entry.id,
                "shared_fingerprints": each.shared_fingerprints,
                "measures": plain(each.measures),
            }
            for each in similar.ranked
        ],
        "total": similar.total,
        "documents": similar.documents,
        "measured": similar.measured,
        "damaged": similar.damaged,
        "beyond": similar.beyond,
        "common_share": similar.common_share,
    }
