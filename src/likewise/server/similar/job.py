"""Paper 003's request: every document that shares text with a file, by all measures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from likewise.library import measure_candidates
from likewise.results import measures_result, plain
from likewise.server.checks.job_inputs import caller_of_job, document_of, wanted_filters
from likewise.server.checks.request import SimilarAsked
from likewise.server.jobs.work import Work


def measure_similar(work: Work) -> Mapping[str, Any]:
    """The documents whose agreement reaches the minimum percentage, the likest first.

    By their numbers alone: administrators see what came of jobs, and not what others keep.
    """
    asked = SimilarAsked.model_validate(work.job.request["similar"])
    document = document_of(work, work.job.request["upload"])
    work.tell("searching", 0, 0)
    library = work.site.library
    with work.site.store.reading() as connection:
        caller = caller_of_job(connection, work)
        chosen = {"filters": {"language": asked.language, "type": asked.type}}
        filters = wanted_filters(connection, caller, chosen)
    found = library.candidates(document, filters, limit=asked.limit)
    similar: list[dict[str, Any]] = []
    for done, (candidate, match) in enumerate(measure_candidates(library, document, found)):
        work.tell("measuring", done, len(found.ranked))
        if match is None:
            continue
        measures = measures_result(match, asked.level, asked.min_percentage)
        if measures.is_similar:
            told = plain(measures)
            similar += [
                {"document": id, "shared_fingerprints": candidate.share, "measures": told}
                for id in (candidate.id, *candidate.copies)
            ]
    similar.sort(key=lambda one: (-one["measures"]["percentage"], one["document"]))
    return {
        "level": asked.level,
        "min_percentage": asked.min_percentage,
        "similar": similar,
        "measured": len(found.ranked),
        "beyond": found.beyond,
        "common_share": found.common_share,
    }
