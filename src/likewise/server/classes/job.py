"""The job that checks many documents against the library and against each other."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from sqlalchemy import delete, insert, select, update

from likewise.catalogue import Message
from likewise.errors import BadInput, ReadingError
from likewise.library import Batch, batch_view, check_batch
from likewise.model import Document, Unread
from likewise.reading.folder import File, authors, list_members, read_files
from likewise.reading.request import ReadOptions
from likewise.report.storage import pack_check, pack_view
from likewise.report.view import BatchView
from likewise.results import check_at_level
from likewise.server.checks.decisions import report_time
from likewise.server.checks.job import summary_with_ids
from likewise.server.checks.job_inputs import (
    enqueue_adding,
    job_caller,
    job_progress,
    read_stored_upload,
    read_templates,
    source_filters,
)
from likewise.server.checks.request import OptionsInput
from likewise.server.checks.web import check_class_with_web
from likewise.server.context import utc_now
from likewise.server.database import tables
from likewise.server.jobs.work import Cancelled, Work
from likewise.server.permissions import ensure_may_add
from likewise.server.problems import with_code
from likewise.server.reports.saved import replace_result

batches, checks = tables.batches, tables.checks
results, batch_results = tables.check_results, tables.batch_results

SIMILAR_FROM = 0.25  # a share that a summary counts
_OUR_LIBRARY = "Likewise"  # where the institution has not said what it is called


def check_class(work: Work) -> Mapping[str, Any]:
    """Read, check and keep all of it; what an earlier attempt has kept is not done again."""
    request = work.job.request
    id = request["batch"]
    with work.context.store.reading() as connection:
        row = connection.execute(select(batches.c.summary).where(batches.c.id == id)).first()
    if row is None:
        raise Cancelled  # it was deleted
    if row.summary is not None:
        return {"batch": id, "documents": json.loads(row.summary)["documents"]}
    templates = set(request["template_uploads"])
    uploads = [upload for upload in request["uploads"] if upload not in templates]
    batch = _check(work, request, uploads)
    view = batch_view(batch, job_progress(work))
    return _save(work, id, batch, view, uploads)


def _check(work: Work, request: Mapping[str, Any], uploads: Sequence[str]) -> Batch:
    documents, unread = _read(work, uploads)
    templates = read_templates(work, request["template_uploads"])
    options = OptionsInput.model_validate(request["options"])
    web, place = request.get("web"), request.get("collection", "")
    with work.context.store.reading() as connection:
        caller = job_caller(connection, work)
        filters = source_filters(connection, caller, request)
        if web is not None and web["keep_pages"]:
            ensure_may_add(connection, caller, place)
    check_options = options.check_options(templates, work.context.settings.min_share)
    if web is not None:
        batch = check_class_with_web(
            work.context,
            documents,
            web,
            place,
            caller.name,
            filters,
            check_options,
            unread,
            job_progress(work),
        )
    else:
        batch = check_batch(
            work.context.library,
            documents,
            filters,
            check_options,
            handed_in_by=caller.name,
            unread=unread,
            progress=job_progress(work),
        )
    return replace(
        batch,
        checks=tuple(check_at_level(check, options.level) for check in batch.checks),
        library=work.context.settings.institution or _OUR_LIBRARY,
    )


def _read(work: Work, uploads: Sequence[str]) -> tuple[list[Document], list[Unread]]:
    """The documents of all uploads, archives opened, each under a name of its own."""
    options = ReadOptions()
    unread: list[Unread] = []
    files: list[File] = []
    for done, upload in enumerate(uploads):
        work.report_progress("unpacking", done, len(uploads))
        for one in _files_of(work, upload, options, above=len(uploads) > 1):
            if isinstance(one, Unread):
                unread.append(one)
            else:
                files.append(one)
        if len(files) > (most := work.context.settings.most_files):
            raise BadInput("server.many_files", n=most)
    author_names = authors([file.name for file in files])
    files = [replace(file, author=file.author or author_names.get(file.name)) for file in files]

    def report(_stage: str, done: int, total: int) -> None:
        work.report_progress("reading", done, total)

    documents, failed = read_files(_unique_names(files), options, report)
    most = work.context.config.most_text_bytes
    too_long = [
        Unread(one.name, Message("server.text_too_long", {"n": len(one.text), "most": most}))
        for one in documents
        if len(one.text) > most
    ]
    checkable = [one for one in documents if len(one.text) <= most]
    return checkable, [*unread, *failed, *too_long]


def _files_of(
    work: Work, upload: str, options: ReadOptions, *, above: bool
) -> Sequence[File | Unread]:
    stored, data = read_stored_upload(work.context, upload)
    try:
        members = list_members(
            data, stored.name, options.limits, f"{stored.name}/" if above else ""
        )
    except ReadingError as problem:
        return [Unread(stored.name, problem.message)]
    # Read again when its turn comes: a class of scans need not be in memory all at once.
    own = File(stored.name, lambda: read_stored_upload(work.context, upload)[1])
    return [own] if members is None else members


def _unique_names(files: Sequence[File]) -> list[File]:
    """The files, with a number after a name that comes again."""
    names = {file.name for file in files}
    used: set[str] = set()
    renamed = []
    for file in files:
        name, number = file.name, 1
        while name in used or (number > 1 and name in names):
            number += 1
            name = f"{file.name} ({number})"
        used.add(name)
        renamed.append(replace(file, name=name))
    return renamed


def _save(
    work: Work, id: str, batch: Batch, view: BatchView, uploads: Sequence[str]
) -> Mapping[str, Any]:
    """The report, a check for each document and the summary: all in one transaction."""
    work.report_progress("keeping", 0, 0)
    packed = [(check, pack_check(check)) for check in batch.checks]
    packed_view, now = pack_view(view), utc_now()
    labels = {each.document.name: each.document.label for each in view.checks}
    request = work.job.request
    outcome: dict[str, Any] = {"batch": id, "documents": len(batch.checks)}
    with work.context.store.beside() as connection:
        query = select(batches).where(batches.c.id == id).with_for_update()
        row = connection.execute(query).first()
        if row is None:
            raise Cancelled
        if row.summary is not None:  # another worker was quicker
            return outcome
        connection.execute(delete(checks).where(checks.c.batch_id == id))
        for check, data in packed:
            one = secrets.token_hex(12)
            connection.execute(
                insert(checks).values(
                    id=one,
                    user_id=row.user_id,
                    job_id=None,
                    batch_id=id,
                    name=check.name,
                    request=row.request,
                    made_on=now,
                    is_shared=row.is_shared,
                    summary=summary_with_ids(check, report_time(now), labels[check.name]),
                )
            )
            replace_result(connection, results, "check_id", one, data)
        replace_result(connection, batch_results, "batch_id", id, packed_view)
        summary = json.dumps(class_summary(view, report_time(now)))
        connection.execute(update(batches).where(batches.c.id == id).values(summary=summary))
        if request["keep"]:
            outcome["adding"] = enqueue_adding(connection, work, uploads, request)
    return outcome


def class_summary(view: BatchView, done_on: str) -> dict[str, Any]:
    """What lists tell of a class: the figures of its report."""
    shares = [Fraction(check.shares.similar, check.shares.whole or 1) for check in view.checks]
    most = view.checks[0].document if view.checks else None  # the most similar is the first
    return {
        "documents": len(view.checks),
        "unread": [
            {"name": name, **with_code("reason", message)}
            for name, _, message in view.unchecked.unread
        ],
        "pairs": view.collection.all_pairs,
        "clusters": view.collection.all_clusters,
        "similar": sum(share >= SIMILAR_FROM for share in shares),
        "most_similar": most
        and {"name": most.name, "label": most.called, "similar": float(shares[0])},
        "done_on": done_on,
    }
