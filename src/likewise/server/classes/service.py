"""Classes: many documents checked together, each against the library and all among themselves."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, case, func, insert, or_, select, update

from likewise.results import plain
from likewise.server.caller import Caller
from likewise.server.checks.decisions import (
    confirmations,
    exclusions,
    read_confirmations,
    read_decisions,
)
from likewise.server.checks.request import Asked
from likewise.server.checks.service import checks, give_up, names_hold, results
from likewise.server.checks.start import ensure_may_ask, parted
from likewise.server.context import ServerContext, utc_now
from likewise.server.database import tables
from likewise.server.http.form_parts import ReceivedFile
from likewise.server.jobs.queue import JobError, State, enqueue, error_of
from likewise.server.jobs.uploads import keep_upload
from likewise.server.people import audit
from likewise.server.problems import Problem, not_found

batches, jobs, users = tables.batches, tables.jobs, tables.users
batch_results = tables.batch_results


@dataclass(frozen=True, slots=True)
class KeptBatch:
    """A batch without its result."""

    id: str
    user_id: str
    owner: str
    owner_name: str
    job_id: str
    name: str
    request: Mapping[str, Any]
    made_on: datetime
    is_shared: bool
    summary: Mapping[str, Any] | None
    state: State
    stage: str | None
    done: int
    total: int
    error: JobError | None


STATE = case(
    (batches.c.summary.is_not(None), "done"),
    (jobs.c.state.is_not(None), jobs.c.state),
    else_="failed",
)
_COLUMNS = (
    *(batches.c[name] for name in ("id", "user_id", "job_id", "name", "request")),
    *(batches.c[name] for name in ("made_on", "is_shared", "summary")),
    *(users.c.shown_name.label("owner"), users.c.name.label("owner_name")),
    STATE.label("state"),
    *(jobs.c[name] for name in ("stage", "done", "total", "error")),
)
_ALL = batches.join(users).outerjoin(jobs, jobs.c.id == batches.c.job_id)


def find_batch(connection: Connection, caller: Caller, id: str, *, own: bool = False) -> KeptBatch:
    """A batch that the caller may open; with `own` one that the caller may change."""
    visible = or_(batches.c.user_id == caller.id, batches.c.is_shared)
    query = select(*_COLUMNS).select_from(_ALL).where(batches.c.id == id, visible)
    row = connection.execute(query).first()
    if row is None:
        raise not_found("server.noun_batch")
    kept = _kept(row)
    if own and kept.user_id != caller.id:
        raise Problem("not allowed", "server.batch_owner")
    return kept


def list_batches(
    connection: Connection,
    caller: Caller,
    *,
    state: State | None = None,
    search: str = "",
    limit: int = 50,
    offset: int = 0,
) -> tuple[list[KeptBatch], int]:
    """One page of the batches that the caller may open, the newest first."""
    wanted: list[ColumnElement[bool]] = [or_(batches.c.user_id == caller.id, batches.c.is_shared)]
    if state is not None:
        wanted.append(STATE.in_([state]))
    wanted += [names_hold(batches.c.name, word) for word in search.split()]
    total = connection.execute(select(func.count()).select_from(_ALL).where(*wanted)).scalar_one()
    rows = connection.execute(
        select(*_COLUMNS)
        .select_from(_ALL)
        .where(*wanted)
        .order_by(batches.c.made_on.desc(), batches.c.id)
        .limit(limit)
        .offset(offset)
    )
    return [_kept(row) for row in rows], int(total)


def _kept(row: Row[Any]) -> KeptBatch:
    values = dict(row._mapping)
    values["request"] = json.loads(values["request"])
    values["summary"] = None if values["summary"] is None else json.loads(values["summary"])
    values |= {"done": values["done"] or 0, "total": values["total"] or 0}
    values["error"] = error_of(values["state"], values["error"])
    return KeptBatch(**values)


def ask_for_batch(
    site: ServerContext, caller: Caller, asked: Asked, files: Sequence[ReceivedFile]
) -> tuple[str, str]:
    """Accept a batch with all its files, or nothing of it; its id and its job."""
    documents, templates = parted(asked.templates, files)
    if not documents:
        raise Problem("bad request", "server.empty_batch")
    with site.store.beside() as connection:
        ensure_may_ask(site, connection, caller, asked, documents)
        id, request = secrets.token_hex(12), asked.model_dump(mode="json")
        of_templates = [keep_upload(connection, caller, file) for file in templates]
        of_documents = [keep_upload(connection, caller, file) for file in documents]
        job = enqueue(
            connection,
            "batch",
            caller.id,
            {
                **request,
                "batch": id,
                "uploads": [*of_documents, *of_templates],
                "template_uploads": of_templates,
            },
        )
        connection.execute(
            insert(batches).values(
                id=id,
                user_id=caller.id,
                job_id=job,
                name=asked.name or documents[0].name,
                request=json.dumps(request),
                made_on=utc_now(),
                is_shared=False,
                summary=None,
            )
        )
    return id, job


def packed_batch(
    connection: Connection, id: str
) -> tuple[bytes, list[dict[str, Any]], list[bytes]]:
    """The kept report, and those of its checks about which somebody decided something."""
    query = select(batch_results.c.packed).where(batch_results.c.batch_id == id)
    packed = connection.execute(query).scalar()
    if packed is None:
        raise not_found("server.noun_batch_result")
    decided = or_(
        checks.c.id.in_(select(exclusions.c.check_id)),
        checks.c.id.in_(select(confirmations.c.check_id)),
    )
    rows = connection.execute(
        select(checks.c.id, checks.c.name, results.c.packed)
        .select_from(checks.join(results))
        .where(checks.c.batch_id == id, decided)
    ).all()
    members = [
        {
            "name": row.name,
            "decisions": plain(read_decisions(connection, row.id)),
            "confirmations": plain(read_confirmations(connection, row.id)),
        }
        for row in rows
    ]
    return bytes(packed), members, [bytes(row.packed) for row in rows]


def share_batch(site: ServerContext, caller: Caller, id: str, is_shared: bool) -> KeptBatch:
    """Let other teachers open a batch and its checks, or no longer."""
    with site.store.beside() as connection:
        find_batch(connection, caller, id, own=True)
        connection.execute(update(batches).where(batches.c.id == id).values(is_shared=is_shared))
        own = update(checks).where(checks.c.batch_id == id)
        connection.execute(own.values(is_shared=is_shared))
        act = "batch shared" if is_shared else "batch no longer shared"
        audit.record_act(connection, caller, act, id)
        return find_batch(connection, caller, id)


def delete_batch(site: ServerContext, caller: Caller, id: str) -> None:
    """Delete a batch with its checks; its job is given up."""
    with site.store.beside() as connection:
        kept = find_batch(connection, caller, id, own=True)
        give_up(connection, kept.job_id)
        connection.execute(batches.delete().where(batches.c.id == id))
        audit.record_act(connection, caller, "batch deleted", id)
