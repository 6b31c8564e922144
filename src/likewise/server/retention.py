"""What is no longer to be kept is forgotten: as administrators decided, and what nobody needs."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, delete, exists, select

from likewise.library.erase_rows import scrub_temporary_files
from likewise.library.object_store import StoreAway
from likewise.library.original_transfer import delete_orphans, move_to_store
from likewise.reading.cache import cache_folder, cache_in
from likewise.server.context import SiteSettings, read_settings, utc_now
from likewise.server.database import tables
from likewise.server.jobs.presence import forget_absent
from likewise.server.jobs.queue import ENDED, jobs, uploads_of
from likewise.server.jobs.work import Work
from likewise.server.logs import log
from likewise.server.people.cleanup import tidy_accounts
from likewise.server.privacy.retention import apply_rules
from likewise.server.privacy.self_checks import tidy_self_checks

_MOVING_SECONDS = 300.0  # of originals, in one job
_AT_ONCE = 500  # rows in one transaction: nobody waits long for it
_DAY = timedelta(days=1)

batches, checks = tables.batches, tables.checks
uploads = tables.uploads
assignments, submissions = tables.assignments, tables.submissions


def tidy(work: Work) -> Mapping[str, Any]:
    """Do a job of the kind `tidy`; how many of each kind were forgotten."""
    with work.context.store.reading() as connection:
        settings = read_settings(connection)
    steps = list(_steps(settings, work.job.id, utc_now()))
    forgotten: dict[str, int] = {}
    for done, (what, table, condition) in enumerate(steps):
        work.report_progress("tidying", done, len(steps))
        count = _forget(work, table, condition)
        forgotten[what] = forgotten.get(what, 0) + count
    for what, count in apply_rules(work.context).items():
        forgotten[what] = forgotten.get(what, 0) + count
    with work.context.store.beside() as connection:
        forgotten["self_checks"] = tidy_self_checks(connection)
        forgotten["report_links"] = _forget_links(connection, settings)
        forgotten |= tidy_accounts(connection, settings)
        forgotten["workers"] = forget_absent(connection)
    forgotten["objects"] = tidy_originals(work)
    forgotten["cache_entries"] = purge_old_entries(settings.keep_cache_days)
    return {"forgotten": forgotten}


def tidy_originals(work: Work) -> int:
    """Delete files that no document holds from their store; how many.

    Files that the database holds since the store was away, or was chosen later, are moved there.
    """
    store, until = work.context.store, time.monotonic() + _MOVING_SECONDS
    deleted, left = delete_orphans(store)
    try:
        if not left:
            move_to_store(store, go_on=lambda: time.monotonic() < until)
    except StoreAway:
        left += 1
    if left:
        log("warning", "the store of originals does not answer")
    return deleted


def _forget_links(connection: Connection, settings: SiteSettings) -> int:
    """Links that ended so long ago that the audit log forgets them, with who opened them."""
    column = tables.report_links.c
    before = utc_now() - settings.keep_audit_days * _DAY
    return connection.execute(delete(tables.report_links).where(column.ends_on < before)).rowcount


def purge_old_entries(days: int) -> int:
    """Forget what reading made of files long ago, and what processes that died left; how many."""
    cache = cache_in(cache_folder())
    purged = 0
    steps: list[Callable[[], int]] = [lambda: cache.purge_older(days), cache.purge_unnamed]
    with suppress(ImportError):
        from likewise.internet.cache import page_cache

        steps.append(lambda: page_cache().purge_older(days))
    for step in (*steps, scrub_temporary_files):
        with suppress(OSError):  # not ours to delete
            purged += step()
    return purged


Step = tuple[str, Table, Callable[[Connection], ColumnElement[bool]]]


def _steps(settings: SiteSettings, own: str, now: datetime) -> Iterator[Step]:
    if settings.keep_checks_days is not None:
        before = now - settings.keep_checks_days * _DAY
        yield "batches", batches, partial(_old, batches, before)
        yield "submissions", submissions, lambda _c: _without_class(before)
        yield "checks", checks, partial(_old, checks, before)
    jobs_before = now - settings.keep_jobs_days * _DAY
    yield "jobs", jobs, lambda _c: _unneeded_jobs(jobs_before, own)
    yield "uploads", uploads, lambda c: _unneeded_uploads(c, jobs_before)


def _forget(
    work: Work, table: Table, condition: Callable[[Connection], ColumnElement[bool]]
) -> int:
    """Delete rows, some at a time; how many there were."""
    (key,) = table.primary_key.columns
    forgotten = 0
    while True:
        with work.context.store.beside() as connection:
            some = list(
                connection.execute(
                    select(key).where(condition(connection)).limit(_AT_ONCE)
                ).scalars()
            )
            if some:
                forgotten += connection.execute(delete(table).where(key.in_(some))).rowcount
        if len(some) < _AT_ONCE:
            return forgotten


def _old(table: Table, before: datetime, _connection: Connection) -> ColumnElement[bool]:
    """Batches, and checks that stand alone; not while a job is still at them."""
    at_work = exists(select(1).where(jobs.c.id == table.c.job_id, jobs.c.state.not_in(ENDED)))
    column = submissions.c
    if table is checks:  # an earlier attempt goes with its class
        alone: ColumnElement[bool] = checks.c.batch_id.is_(None)
        is_in_use = exists(select(1).where(column.check_id == checks.c.id))
    else:  # of an assignment as long as something new comes
        # One that says how long itself says it for its class too.
        says = (assignments.c.batch_id == batches.c.id, assignments.c.keep_days.is_not(None))
        alone = ~exists(select(1).where(*says))
        is_in_use = exists(
            select(1)
            .select_from(submissions.join(assignments))
            .where(assignments.c.batch_id == batches.c.id, column.handed_in_on >= before)
        )
    return (table.c.made_on < before) & alone & ~at_work & ~is_in_use


def _without_class(before: datetime) -> ColumnElement[bool]:
    """What was handed in to an assignment whose class is gone, and had been there for as long."""
    gone = select(assignments.c.id).where(assignments.c.batch_id.is_(None))
    return submissions.c.assignment_id.in_(gone) & (submissions.c.handed_in_on < before)


def _unneeded_jobs(before: datetime, own: str) -> ColumnElement[bool]:
    """Jobs that ended long ago, but for those that say why a check came to nothing."""
    has_unfinished = [
        exists(select(1).where(table.c.job_id == jobs.c.id, table.c.summary.is_(None)))
        for table in (checks, batches)
    ]
    ended = jobs.c.state.in_(ENDED) & (jobs.c.ended_on < before) & (jobs.c.id != own)
    return ended & ~has_unfinished[0] & ~has_unfinished[1]


def _unneeded_uploads(connection: Connection, before: datetime) -> ColumnElement[bool]:
    """Old uploads for which no job will come any more."""
    upload = uploads.c
    live = connection.execute(select(jobs.c.request).where(jobs.c.state.not_in(ENDED))).scalars()
    needed = {upload_id for request in live for upload_id in uploads_of(json.loads(request))}
    old = set(connection.execute(select(upload.id).where(upload.made_on < before)).scalars())
    return upload.id.in_(sorted(old - needed)[:_AT_ONCE])
