"""Checks as they are kept: whose they are, who may open them, and how far they have come.

A check belongs to who asked for it. Others open it when its owner shares it, and then all of its
report, whichever collections its sources stand in; administrators are no exception.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from sqlalchemy import (
    JSON,
    ColumnElement,
    Connection,
    Row,
    Select,
    and_,
    case,
    cast,
    func,
    or_,
    select,
    type_coerce,
    update,
)

from likewise.library import schema
from likewise.server.caller import Caller
from likewise.server.context import ServerContext
from likewise.server.database import tables
from likewise.server.jobs.queue import JobError, State, cancel_job, error_of, read_job, uploads_of
from likewise.server.jobs.uploads import forget_upload
from likewise.server.people import audit
from likewise.server.permissions import (
    OF_ALL,
    readable_collections,
)
from likewise.server.problems import Problem, not_found

checks, jobs, users = tables.checks, tables.jobs, tables.users
results = tables.check_results

_AT_ONCE = 500  # numbers in one question


class Standing(Protocol):
    """Something that a job works on."""

    @property
    def state(self) -> State: ...
    @property
    def error(self) -> JobError | None: ...


@dataclass(frozen=True, slots=True)
class Kept:
    """A check without its result."""

    id: str
    user_id: str
    owner: str
    owner_name: str
    job_id: str | None
    batch_id: str | None
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

    @property
    def ids(self) -> Mapping[str, int]:
        """Numbers of its sources in the library, by their names."""
        found: Mapping[str, int] = (self.summary or {}).get("ids", {})
        return found


# Where a result is there, whatever happened to its job, it can be shown.
STATE = case(
    (checks.c.summary.is_not(None), "done"),
    (jobs.c.state.is_not(None), jobs.c.state),
    else_="failed",
)
_COLUMNS = (
    *(checks.c[name] for name in ("id", "user_id", "job_id", "batch_id", "name", "request")),
    *(checks.c[name] for name in ("made_on", "is_shared", "summary")),
    *(users.c.shown_name.label("owner"), users.c.name.label("owner_name")),
    STATE.label("state"),
    *(jobs.c[name] for name in ("stage", "done", "total", "error")),
)
_ALL = checks.join(users).outerjoin(jobs, jobs.c.id == checks.c.job_id)


def visible_to(caller: Caller) -> ColumnElement[bool]:
    return or_(checks.c.user_id == caller.id, checks.c.is_shared)


def find_check(connection: Connection, caller: Caller, id: str, *, own: bool = False) -> Kept:
    """A check that the caller may open; with `own` one that the caller may change."""
    query = select(*_COLUMNS).select_from(_ALL).where(checks.c.id == id, visible_to(caller))
    row = connection.execute(query).first()
    if row is None:
        raise not_found("server.noun_check")
    kept = _kept(row)
    if own and kept.user_id != caller.id:
        raise Problem("not allowed", "server.check_owner")
    return kept


def list_checks(
    connection: Connection,
    caller: Caller,
    *,
    whose: str = "all",
    state: State | None = None,
    search: str = "",
    batch: str | None = None,
    in_batches: bool = False,
    sort: str = "-made_on",
    limit: int = 50,
    offset: int = 0,
) -> tuple[list[Kept], int]:
    """One page of the checks that the caller may open, and how many there are."""
    is_mine = checks.c.user_id == caller.id
    wanted = {
        "all": visible_to(caller),
        "mine": is_mine,
        "shared": and_(checks.c.is_shared, ~is_mine),
    }
    conditions: list[ColumnElement[bool]] = [wanted[whose]]
    if batch is not None:
        conditions.append(checks.c.batch_id == batch)
    elif not in_batches:
        conditions.append(checks.c.batch_id.is_(None))
    if state is not None:
        conditions.append(STATE.in_([state]))
    conditions += [names_hold(checks.c.name, word) for word in search.split()]
    count: Select[Any] = select(func.count()).select_from(_ALL).where(*conditions)
    order = _order(connection, sort.removeprefix("-"))
    backwards = sort.startswith("-")
    page = (
        select(*_COLUMNS)
        .select_from(_ALL)
        .where(*conditions)
        .order_by((order.desc() if backwards else order.asc()).nulls_last(), checks.c.id)
        .limit(limit)
        .offset(offset)
    )
    rows = connection.execute(page).all()
    return [_kept(row) for row in rows], int(connection.execute(count).scalar_one())


def names_hold(column: ColumnElement[str], word: str) -> ColumnElement[bool]:
    """Rows whose name holds a word, however it is written; databases do not know all capitals."""
    spellings = {word, word.lower(), word.upper(), word.capitalize(), word.casefold()}
    return or_(*(column.contains(one, autoescape=True) for one in sorted(spellings)))


def _order(connection: Connection, name: str) -> Any:
    if name != "similar":
        return checks.c[name]
    is_strict = connection.dialect.name == "postgresql"
    summary = cast(checks.c.summary, JSON) if is_strict else type_coerce(checks.c.summary, JSON)
    return summary[("shares", "similar")].as_float()


def _kept(row: Row[Any]) -> Kept:
    values = dict(row._mapping)
    values["request"] = json.loads(values["request"])
    values["summary"] = None if values["summary"] is None else json.loads(values["summary"])
    values |= {"done": values["done"] or 0, "total": values["total"] or 0}
    values["error"] = error_of(values["state"], values["error"])
    return Kept(**values)


# Results


def ensure_done(kept: Standing) -> None:
    """A result that is there; else it is said why not."""
    if kept.state == "done":
        return
    details = {"state": kept.state}
    if kept.state == "failed" and kept.error is not None:
        raise Problem("not ready", "server.failed", details=details, why=kept.error.told)
    raise Problem("not ready", _NOT_DONE[kept.state], details=details)


_NOT_DONE = {
    "queued": "server.waits",
    "running": "server.running",
    "cancelled": "server.cancelled_without_result",
}


def packed_result(connection: Connection, id: str) -> bytes:
    packed = connection.execute(select(results.c.packed).where(results.c.check_id == id)).scalar()
    if packed is None:
        raise not_found("server.noun_check_result")
    return bytes(packed)


def readable_sources(connection: Connection, caller: Caller, kept: Kept) -> list[int]:
    """Numbers of those sources that the caller may read now."""
    return _standing_in(connection, kept, readable_collections(connection, caller))


def private_sources(connection: Connection, kept: Kept) -> int:
    """How many sources stand in collections that others do not read."""
    column = tables.collections.c
    shared = connection.execute(select(column.id).where(column.is_shared)).scalars()
    everywhere = _standing_in(connection, kept, None)
    return len(everywhere) - len(_standing_in(connection, kept, (OF_ALL, *shared)))


def _standing_in(
    connection: Connection, kept: Kept, collections: Sequence[str] | None
) -> list[int]:
    document, numbers = schema.documents.c, sorted(kept.ids.values())
    found: list[int] = []
    for start in range(0, len(numbers), _AT_ONCE):
        query = select(document.id).where(document.id.in_(numbers[start : start + _AT_ONCE]))
        if collections is not None:
            query = query.where(document.collection.in_(collections))
        found += connection.execute(query).scalars()
    return found


class Owned(Protocol):
    """A check or a batch: somebody's."""

    @property
    def id(self) -> str: ...
    @property
    def owner_name(self) -> str: ...


def note_reading(site: ServerContext, caller: Caller, kept: Owned, act: str) -> None:
    """Whoever reads another's report leaves a line in the audit log, which its owner sees too."""
    audit.record_reading(site.store, caller, act, kept.id, kept.owner_name)


# Changing


def share_check(site: ServerContext, caller: Caller, id: str, is_shared: bool) -> tuple[Kept, int]:
    """Let other teachers open a check, or no longer; and how many of its sources are private."""
    with site.store.beside() as connection:
        kept = find_check(connection, caller, id, own=True)
        if kept.batch_id is not None:
            batch = {"batch": kept.batch_id}
            raise Problem("conflict", "server.share_batch", details=batch)
        connection.execute(update(checks).where(checks.c.id == id).values(is_shared=is_shared))
        hidden = private_sources(connection, kept)
        act = "check shared" if is_shared else "check no longer shared"
        audit.record_act(connection, caller, act, id, private_sources=hidden)
        return find_check(connection, caller, id), hidden


def give_up(connection: Connection, job: str) -> None:
    """End a job, and forget the files of one that failed and could be tried again."""
    if cancel_job(connection, job):
        return
    ended = read_job(connection, job)
    for upload in uploads_of(ended.request) if ended else ():
        forget_upload(connection, upload)


def delete_check(site: ServerContext, caller: Caller, id: str) -> None:
    """Delete a check with its result; its job is given up."""
    with site.store.beside() as connection:
        kept = find_check(connection, caller, id, own=True)
        if kept.batch_id is not None:
            batch = {"batch": kept.batch_id}
            raise Problem("conflict", "server.delete_batch", details=batch)
        if kept.job_id is not None:
            give_up(connection, kept.job_id)
        connection.execute(checks.delete().where(checks.c.id == id))
        audit.record_act(connection, caller, "check deleted", id)
