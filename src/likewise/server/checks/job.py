"""The job that checks one document against what its owner may read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Table, select, update

from likewise.library import Candidate
from likewise.model import Check, Document
from likewise.report.storage import pack_check
from likewise.results import check_summary, plain
from likewise.server.checks.decisions import written
from likewise.server.checks.job_inputs import (
    caller_of_job,
    document_in_library,
    document_of,
    keep_in_library,
    progress_of,
    templates_of,
    wanted_filters,
)
from likewise.server.checks.request import OptionsGiven
from likewise.server.checks.web import check_with_web
from likewise.server.context import utc_now
from likewise.server.database import tables
from likewise.server.jobs.queue import tell_found
from likewise.server.jobs.work import Cancelled, Work
from likewise.server.permissions import ensure_may_add

FIRST = 10  # sources that are told before they are aligned
checks, results = tables.checks, tables.check_results


def check_upload(work: Work) -> Mapping[str, Any]:
    """Read, check and keep; what an earlier attempt has kept is not done again."""
    request = work.job.request
    id = request["check"]
    with work.site.store.reading() as connection:
        row = connection.execute(select(checks.c.summary).where(checks.c.id == id)).first()
    if row is None:
        raise Cancelled  # it was deleted
    if row.summary is not None:
        return {"check": id}
    found = _checked(work, request)
    return _keep(work, id, found, request)


def _checked(work: Work, request: Mapping[str, Any]) -> Check:
    document, number = _document(work, request)
    templates = templates_of(work, request.get("uploads", ()))
    options = OptionsGiven.model_validate(request["options"])
    work.tell("searching", 0, 0)
    with work.site.store.reading() as connection:  # may have lost rights while it was read
        caller = caller_of_job(connection, work)
        filters = wanted_filters(connection, caller, request, () if number is None else (number,))
    by = options.check_options(templates, work.site.settings.min_share)
    progress = progress_of(work)

    def tell_first(ranked: Sequence[Candidate]) -> None:
        """The likeliest sources, by their fingerprints alone: somebody waits for them."""
        first = [
            {"name": one.name, "document": one.id, "share": one.share} for one in ranked[:FIRST]
        ]
        with work.site.store.beside() as connection:
            tell_found(connection, work.job, {"first": first})

    if (web := request.get("web")) is not None:
        place = request.get("collection", "")
        if web["keep_pages"]:
            with work.site.store.reading() as connection:
                ensure_may_add(connection, caller, place)
        return check_with_web(
            work.site, document, web, place, caller.name, filters, by, tell_first, progress
        )
    return work.site.library.check_by(
        by, document, filters, on_candidates=tell_first, progress=progress
    )


def _document(work: Work, request: Mapping[str, Any]) -> tuple[Document, int | None]:
    number: int | None = request["document"]
    if number is None:
        document = document_of(work, request["upload"])
    else:
        with work.site.store.reading() as connection:
            document = document_in_library(connection, caller_of_job(connection, work), number)
    return (replace(document, name=request["name"]) if request["name"] else document), number


def _keep(work: Work, id: str, found: Check, request: Mapping[str, Any]) -> Mapping[str, Any]:
    """The result, its summary and what comes after it: all in one transaction."""
    work.tell("keeping", 0, 0)
    packed, moment = pack_check(found), written(utc_now())
    outcome: dict[str, Any] = {"check": id}
    with work.site.store.beside() as connection:
        query = select(checks.c.summary).where(checks.c.id == id).with_for_update()
        row = connection.execute(query).first()
        if row is None:
            raise Cancelled
        if row.summary is None:  # else another worker was quicker
            replace_result(connection, results, "check_id", id, packed)
            connection.execute(
                update(checks)
                .where(checks.c.id == id)
                .values(summary=summary_with_ids(found, moment))
            )
            if request["keep"] and request["upload"] is not None:
                outcome["adding"] = keep_in_library(connection, work, [request["upload"]], request)
    return outcome


def summary_with_ids(found: Check, moment: str) -> str:
    """What lists show, and for us the numbers of the sources."""
    return json.dumps(plain(check_summary(found, moment)) | {"ids": dict(found.ids)})


def replace_result(
    connection: Connection, table: Table, column: str, id: str, packed: bytes
) -> None:
    """Keep a result, whatever was there."""
    connection.execute(table.delete().where(table.c[column] == id))
    connection.execute(table.insert().values({column: id, "packed": packed}))
