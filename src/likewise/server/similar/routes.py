"""Paper 003's request in one call: a file, and the documents that are similar to it."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool

from likewise.library.entries import read_entries
from likewise.server.caller import Caller
from likewise.server.checks.start import is_archive
from likewise.server.context import ServerContext
from likewise.server.forms import receive_form
from likewise.server.http.form_parts import ReceivedFile
from likewise.server.http.openapi import describe_form
from likewise.server.jobs.queue import Job, enqueue, read_job
from likewise.server.jobs.uploads import keep_upload
from likewise.server.people.access import ChecksRead, ChecksWrite, ContextDep
from likewise.server.permissions import readable_collections
from likewise.server.problems import Problem, not_found
from likewise.server.quotas import ensure_may_check
from likewise.server.shapes import Accepted, Id
from likewise.server.similar.shapes import SimilarDocument, SimilarRequest, SimilarResult

router = APIRouter(prefix="/similar", tags=["similar"])

FIRST_LOOK_SECONDS, SLOWEST_LOOK_SECONDS = 0.1, 0.5


@router.post(
    "",
    summary="Which documents are similar",
    response_model=SimilarResult,
    responses={202: {"model": Accepted, "description": "it takes longer: poll /similar/{job}"}},
    openapi_extra=describe_form(SimilarRequest, "the document"),
)
async def find_similar(
    request: Request, response: Response, context: ContextDep, caller: ChecksWrite
) -> Any:
    """File, language, type and minimum percentage: all measures, with their interval.

    Of up to 3,000 documents that the caller reads every one is measured; of more those that share
    most text.
    """
    async with receive_form(request, context, caller) as form:
        options = SimilarRequest.model_validate(form.request)
        id = await run_in_threadpool(_enqueue, context, caller, options, form.files)
    job = await _wait_for_end(context, id, options.wait_seconds)
    if job is None:
        response.status_code = 202
        return Response(
            Accepted(id=id, job=id).model_dump_json(), 202, media_type="application/json"
        )
    return await run_in_threadpool(_result, context, caller, job)


@router.get("/{job}", summary="What came of such a request", response_model=SimilarResult)
def read_similar(job: Id, context: ContextDep, caller: ChecksRead) -> SimilarResult:
    """Where the answer took longer than was waited for."""
    with context.store.reading() as connection:
        job_row = read_job(connection, job)
    if job_row is None or job_row.user_id != caller.id or "similar" not in job_row.request:
        raise not_found("server.noun_request")
    if job_row.state != "done":
        details = {"state": job_row.state}
        if job_row.state == "failed" and job_row.error is not None:
            raise Problem(
                "not ready", "server.failed", details=details, why=job_row.error.full_message
            )
        is_cancelled = job_row.state == "cancelled"
        key = "server.cancelled" if is_cancelled else "server.in_progress"
        raise Problem("not ready", key, details=details)
    return _result(context, caller, job_row)


def _enqueue(
    context: ServerContext, caller: Caller, options: SimilarRequest, files: list[ReceivedFile]
) -> str:
    if len(files) != 1:
        raise Problem("bad request", "server.one_file")
    if is_archive(files[0]):
        raise Problem("unsupported file", "server.archive_similar")
    with context.store.beside() as connection:
        ensure_may_check(connection, context, caller)
        return enqueue(
            connection,
            "check",
            caller.id,
            {
                "similar": options.model_dump(mode="json"),
                "upload": keep_upload(connection, caller, files[0]),
            },
        )


async def _wait_for_end(context: ServerContext, id: str, seconds: float) -> Job | None:
    """The job when it has ended; None where that takes too long. No thread waits with us."""
    loop = asyncio.get_running_loop()
    end, pause = loop.time() + seconds, FIRST_LOOK_SECONDS
    while (remaining := end - loop.time()) > 0:
        await asyncio.sleep(min(pause, remaining))
        job = await run_in_threadpool(partial(_read, context, id))
        if job is None or job.has_ended:
            return job
        pause = min(1.5 * pause, SLOWEST_LOOK_SECONDS)
    return None


def _read(context: ServerContext, id: str) -> Job | None:
    with context.store.reading() as connection:
        return read_job(connection, id)


def _result(context: ServerContext, caller: Caller, job: Job) -> SimilarResult:
    """What was found, as far as the caller may read it now."""
    if job.state == "failed":
        if job.error is None:
            raise Problem("unsupported file", "server.not_compared")
        raise Problem("unsupported file", job.error.message, job.error.about)
    if job.state == "cancelled" or job.outcome is None:
        raise Problem("conflict", "server.cancelled")
    matches: list[dict[str, Any]] = job.outcome["similar"]
    with context.store.reading() as connection:
        readable = readable_collections(connection, caller)
        entries = read_entries(connection, [one["document"] for one in matches])
    entries_by_id = {entry.id: entry for entry in entries if entry.collection in readable}
    similar = [
        SimilarDocument(
            document=entry.id,
            name=entry.name,
            author=entry.author,
            language=entry.language,
            type=entry.type,
            year=entry.year,
            shared_fingerprints=one["shared_fingerprints"],
            measures=one["measures"],
        )
        for one in matches
        if (entry := entries_by_id.get(one["document"])) is not None
    ]
    # What was measured before these were told has none of them.
    outcome = {"total": len(similar), "documents": None, "damaged": 0, **job.outcome}
    fields = SimilarResult.model_fields.keys() - {"job", "similar"}
    return SimilarResult(job=job.id, similar=similar, **{name: outcome[name] for name in fields})
