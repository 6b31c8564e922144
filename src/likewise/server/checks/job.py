"""The job that checks one document against what its owner may read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import select, update

from likewise.library import Candidate
from likewise.model import Check, Document
from likewise.report.storage import pack_check
from likewise.results import check_at_level, check_summary, plain
from likewise.server.checks.decisions import report_time
from likewise.server.checks.job_inputs import (
    enqueue_adding,
    job_caller,
    job_progress,
    read_library_document,
    read_templates,
    read_upload_document,
    source_filters,
)
from likewise.server.checks.request import OptionsInput
from likewise.server.checks.start import ensure_checkable
from likewise.server.checks.web import check_with_web
from likewise.server.context import utc_now
from likewise.server.database import tables
from likewise.server.jobs.queue import write_partial_outcome
from likewise.server.jobs.work import Cancelled, Work
from likewise.server.permissions import ensure_may_add
from likewise.server.reports.saved import replace_result

FIRST = 10  # sources that are told before they are aligned
checks, results = tables.checks, tables.check_results


def check_upload(work: Work) -> Mapping[str, Any]:
    """Read, check and keep; what an earlier attempt has kept is not done again."""
    request = work.job.request
    id = request["check"]
    with work.context.store.reading() as connection:
        row = connection.execute(select(checks.c.summary).where(checks.c.id == id)).first()
    if row is None:
        raise Cancelled  # it was deleted
    if row.summary is not None:
        return {"check": id}
    options = OptionsInput.model_validate(request["options"])
    check = check_at_level(_check(work, request, options), options.level)
    return _save(work, id, check, request)


def _check(work: Work, request: Mapping[str, Any], options: OptionsInput) -> Check:
    document, number = _read_document(work, request)
    ensure_checkable(work.context, document.name, len(document.text))
    templates = read_templates(work, request.get("uploads", ()))
    work.report_progress("searching", 0, 0)
    with work.context.store.reading() as connection:  # may have lost rights while it was read
        caller = job_caller(connection, work)
        filters = source_filters(connection, caller, request, () if number is None else (number,))
    check_options = options.check_options(templates, work.context.settings.min_share)
    progress = job_progress(work)

    def write_first(ranked: Sequence[Candidate]) -> None:
        """The likeliest sources, by their fingerprints alone: somebody waits for them."""
        first = [
            {"name": one.name, "document": one.id, "share": one.share} for one in ranked[:FIRST]
        ]
        with work.context.store.beside() as connection:
            write_partial_outcome(connection, work.job, {"first": first})

    if (web := request.get("web")) is not None:
        place = request.get("collection", "")
        if web["keep_pages"]:
            with work.context.store.reading() as connection:
                ensure_may_add(connection, caller, place)
        return check_with_web(
            work.context,
            document,
            web,
            place,
            caller.name,
            filters,
            check_options,
            write_first,
            progress,
        )
    return work.context.library.check_by(
        check_options, document, filters, on_candidates=write_first, progress=progress
    )


def _read_document(work: Work, request: Mapping[str, Any]) -> tuple[Document, int | None]:
    number: int | None = request["document"]
    if number is None:
        document = read_upload_document(work, request["upload"])
    else:
        with work.context.store.reading() as connection:
            document = read_library_document(connection, job_caller(connection, work), number)
    return (replace(document, name=request["name"]) if request["name"] else document), number


def _save(work: Work, id: str, check: Check, request: Mapping[str, Any]) -> Mapping[str, Any]:
    """The result, its summary and what comes after it: all in one transaction."""
    work.report_progress("keeping", 0, 0)
    packed, done_on = pack_check(check), report_time(utc_now())
    outcome: dict[str, Any] = {"check": id}
    with work.context.store.beside() as connection:
        query = select(checks.c.summary).where(checks.c.id == id).with_for_update()
        row = connection.execute(query).first()
        if row is None:
            raise Cancelled
        if row.summary is None:  # else another worker was quicker
            replace_result(connection, results, "check_id", id, packed)
            connection.execute(
                update(checks)
                .where(checks.c.id == id)
                .values(summary=summary_with_ids(check, done_on))
            )
            if request["keep"] and request["upload"] is not None:
                outcome["adding"] = enqueue_adding(connection, work, [request["upload"]], request)
    return outcome


def summary_with_ids(check: Check, done_on: str, label: str = "") -> str:
    """What lists show, and for us the numbers of the sources, the hash of the file and its name."""
    references = {"ids": dict(check.ids), "sha256": check.document.sha256, "label": label}
    return json.dumps(plain(check_summary(check, done_on)) | references)
