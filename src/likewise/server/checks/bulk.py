"""Many checks at once: shared, deleted, asked for again. What is another's stays as it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy import Connection, delete, select, update

from likewise.server.caller import Caller
from likewise.server.checks.request import CheckRequest
from likewise.server.checks.selection import CheckSelection
from likewise.server.checks.service import SavedCheck, checks, select_checks
from likewise.server.checks.start import enqueue_documents, readable_numbers
from likewise.server.context import ServerContext
from likewise.server.database import tables
from likewise.server.jobs.queue import discard_job, retry_job
from likewise.server.people import audit
from likewise.server.reports.saved import end_links

submissions = tables.submissions

_AT_ONCE = 500  # ids in one question
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class BulkResult:
    """How many checks it was done to, and how many were left as they are."""

    checks: int
    skipped: int


def delete_checks(context: ServerContext, caller: Caller, selection: CheckSelection) -> BulkResult:
    """Delete checks with their results; jobs of those that go on are given up."""
    with context.store.beside() as connection:
        selected = select_checks(connection, caller, selection)
        own = _own(connection, selected, caller)
        for check in own:
            # A job that is done has forgotten its files already.
            if check.job_id is not None and check.state != "done":
                discard_job(connection, check.job_id)
        for ids in _parts([check.id for check in own]):
            connection.execute(delete(checks).where(checks.c.id.in_(ids)))
        _note(connection, caller, "checks deleted", own)
    return BulkResult(len(own), len(selected) - len(own))


def share_checks(
    context: ServerContext, caller: Caller, selection: CheckSelection, is_shared: bool
) -> BulkResult:
    """Let other teachers open checks, or no longer."""
    with context.store.beside() as connection:
        selected = select_checks(connection, caller, selection)
        own = _own(connection, selected, caller)
        for ids in _parts([check.id for check in own]):
            changed = update(checks).where(checks.c.id.in_(ids))
            connection.execute(changed.values(is_shared=is_shared))
            if not is_shared:
                end_links(connection, checks, ids)
        act = "checks shared" if is_shared else "checks no longer shared"
        _note(connection, caller, act, own)
    return BulkResult(len(own), len(selected) - len(own))


def check_again(context: ServerContext, caller: Caller, selection: CheckSelection) -> BulkResult:
    """Try again what did not succeed, and check documents of the library anew."""
    with context.store.beside() as connection:
        selected = select_checks(connection, caller, selection)
        started = 0
        anew: list[SavedCheck] = []
        for check in _own(connection, selected, caller):
            if check.state in ("failed", "cancelled"):
                started += check.job_id is not None and retry_job(connection, check.job_id)
            elif check.state == "done" and check.request.get("document") is not None:
                anew.append(check)
        readable = readable_numbers(connection, caller, [_number(check) for check in anew])
        requests = [
            (_number(check), check.name, CheckRequest.model_validate(_public(check)))
            for check in anew
            if _number(check) in readable
        ]
        started += enqueue_documents(connection, context, caller, requests)
        audit.record_act(connection, caller, "checks repeated", None, checks=started)
    return BulkResult(started, len(selected) - started)


def _own(
    connection: Connection, selected: Sequence[SavedCheck], caller: Caller
) -> list[SavedCheck]:
    """Those that the caller may change one by one: a class is changed as a whole.

    What was handed in goes with its attempt, also the checks of earlier ones, in no class any more.
    """
    own = [one for one in selected if one.user_id == caller.id and one.batch_id is None]
    handed_in: set[str] = set()
    for ids in _parts([check.id for check in own]):
        query = select(submissions.c.check_id).where(submissions.c.check_id.in_(ids))
        handed_in.update(connection.execute(query).scalars())
    return [check for check in own if check.id not in handed_in]


def _number(check: SavedCheck) -> int:
    return int(check.request["document"])


def _public(check: SavedCheck) -> dict[str, object]:
    """What a check was asked for, but for the Internet: nobody has agreed to that anew."""
    return dict(check.request) | {"web": None}


def _note(connection: Connection, caller: Caller, act: str, own: Sequence[SavedCheck]) -> None:
    if own:
        audit.record_act(connection, caller, act, None, checks=len(own))


def _parts(items: Sequence[T]) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), _AT_ONCE):
        yield items[start : start + _AT_ONCE]
