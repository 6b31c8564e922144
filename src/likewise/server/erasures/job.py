"""The job that erases documents, or all of a person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from likewise.errors import BadInput
from likewise.library import EraseRequest, run_erasure
from likewise.library.receipts import read_receipt
from likewise.server.erasures.service import purge_pages
from likewise.server.jobs.work import Work
from likewise.server.people import audit
from likewise.server.people.users import person_by_id


def erase(work: Work) -> Mapping[str, Any]:
    """Do a job of the kind `erase`; killed, the next attempt goes on where this one was.

    Names stand in the request until the first transaction, which takes them out of it too: from
    then on the receipt says what is meant.
    """
    id, request = work.job.request["erasure"], work.job.request.get("asked")
    with work.context.store.reading() as connection:
        person = person_by_id(connection, work.job.user_id) if work.job.user_id else None
        receipt_so_far = read_receipt(connection, id)
    if receipt_so_far is None and (
        person is None or not person.is_active or person.role != "administrator"
    ):
        raise BadInput("server.asker_without_right")
    receipt = run_erasure(
        work.context.library,
        None if request is None else EraseRequest.from_dict(request),
        id=id,
        by=None if person is None else (person.id, person.name),
        task=work.job.id,
        progress=work.report_progress,
        purge_pages=purge_pages,
    )
    with work.context.store.beside() as connection:
        audit.record_act(connection, None, "erasure done", id)
    return {"erasure": id, "documents": receipt.counts.get("documents", 0)}
