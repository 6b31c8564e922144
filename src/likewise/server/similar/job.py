"""Paper 003's request: every document that shares text with a file, by all measures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from likewise.library import measure_candidates
from likewise.results import measures_result, plain
from likewise.server.checks.job_inputs import job_caller, read_upload_document, source_filters
from likewise.server.jobs.work import Work
from likewise.server.similar.shapes import SimilarRequest


def measure_similar(work: Work) -> Mapping[str, Any]:
    """The documents whose agreement reaches the minimum percentage, the likest first.

    By their numbers alone: administrators see what came of jobs, and not what others keep.
    """
    request = SimilarRequest.model_validate(work.job.request["similar"])
    document = read_upload_document(work, work.job.request["upload"])
    work.report_progress("searching", 0, 0)
    library = work.context.library
    with work.context.store.reading() as connection:
        caller = job_caller(connection, work)
        query = {"filters": {"language": request.language, "type": request.type}}
        filters = source_filters(connection, caller, query)
    candidates = library.candidates(document, filters, limit=request.limit)
    similar: list[dict[str, Any]] = []
    for done, (candidate, match) in enumerate(measure_candidates(library, document, candidates)):
        work.report_progress("measuring", done, len(candidates.ranked))
        if match is None:
            continue
        measures = measures_result(match, request.level, request.min_percentage)
        if measures.is_similar:
            measure_values = plain(measures)
            similar += [
                {"document": id, "shared_fingerprints": candidate.share, "measures": measure_values}
                for id in (candidate.id, *candidate.copies)
            ]
    similar.sort(key=lambda one: (-one["measures"]["percentage"], one["document"]))
    return {
        "level": request.level,
        "min_percentage": request.min_percentage,
        "similar": similar,
        "measured": len(candidates.ranked),
        "beyond": candidates.beyond,
        "common_share": candidates.common_share,
    }
