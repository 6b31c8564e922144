"""Saved checks: found, listed, shared, deleted; and where their sources stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import JSON, ColumnElement, Connection, and_, cast, select, type_coerce

from likewise.library import schema
from likewise.server.caller import Caller
from likewise.server.context import ServerContext
from likewise.server.database import tables
from likewise.server.jobs.queue import State, discard_job
from likewise.server.people import audit
from likewise.server.permissions import OF_ALL, readable_collections
from likewise.server.problems import Problem, not_found
from likewise.server.reports.saved import SavedReport, SavedReports

checks, results = tables.checks, tables.check_results

_AT_ONCE = 500  # numbers in one question


@dataclass(frozen=True, slots=True)
class SavedCheck(SavedReport):
    """A check without its result."""

    batch_id: str | None

    @property
    def source_ids(self) -> Mapping[str, int]:
        """Numbers of its sources in the library, by their names."""
        ids: Mapping[str, int] = (self.summary or {}).get("ids", {})
        return ids


saved_checks = SavedReports(checks, SavedCheck, "batch_id")


def find_check(connection: Connection, caller: Caller, id: str, *, own: bool = False) -> SavedCheck:
    """A check that the caller may open; with `own` one that the caller may change."""
    check = saved_checks.find(connection, caller, id)
    if check is None:
        raise not_found("server.noun_check")
    if own and check.user_id != caller.id:
        raise Problem("not allowed", "server.check_owner")
    return check


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
) -> tuple[list[SavedCheck], int]:
    """One page of the checks that the caller may open, and how many there are."""
    is_mine = checks.c.user_id == caller.id
    visible = {
        "all": saved_checks.visible_to(caller),
        "mine": is_mine,
        "shared": and_(checks.c.is_shared, ~is_mine),
    }
    conditions: list[ColumnElement[bool]] = [visible[whose]]
    if batch is not None:
        conditions.append(checks.c.batch_id == batch)
    elif not in_batches:
        conditions.append(checks.c.batch_id.is_(None))
    column = _sort_column(connection, sort.removeprefix("-"))
    order = (column.desc() if sort.startswith("-") else column.asc()).nulls_last()
    return saved_checks.page(
        connection, conditions, order, state=state, search=search, limit=limit, offset=offset
    )


def _sort_column(connection: Connection, name: str) -> Any:
    if name != "similar":
        return checks.c[name]
    is_strict = connection.dialect.name == "postgresql"
    summary = cast(checks.c.summary, JSON) if is_strict else type_coerce(checks.c.summary, JSON)
    return summary[("shares", "similar")].as_float()


# Results


def read_names(connection: Connection, batch: str) -> list[str]:
    """The names of what was handed in together, by which one of them is told from the others."""
    query = select(checks.c.name).where(checks.c.batch_id == batch).order_by(checks.c.name)
    return list(connection.execute(query).scalars())


def read_packed_result(connection: Connection, id: str) -> bytes:
    packed = connection.execute(select(results.c.packed).where(results.c.check_id == id)).scalar()
    if packed is None:
        raise not_found("server.noun_check_result")
    return bytes(packed)


def readable_sources(connection: Connection, caller: Caller, check: SavedCheck) -> list[int]:
    """Numbers of those sources that the caller may read now."""
    return _sources_in(connection, check, readable_collections(connection, caller))


def private_sources(connection: Connection, check: SavedCheck) -> int:
    """How many sources stand in collections that others do not read."""
    column = tables.collections.c
    shared = connection.execute(select(column.id).where(column.is_shared)).scalars()
    everywhere = _sources_in(connection, check, None)
    return len(everywhere) - len(_sources_in(connection, check, (OF_ALL, *shared)))


def _sources_in(
    connection: Connection, check: SavedCheck, collections: Sequence[str] | None
) -> list[int]:
    document, numbers = schema.documents.c, sorted(check.source_ids.values())
    ids: list[int] = []
    for start in range(0, len(numbers), _AT_ONCE):
        query = select(document.id).where(document.id.in_(numbers[start : start + _AT_ONCE]))
        if collections is not None:
            query = query.where(document.collection.in_(collections))
        ids += connection.execute(query).scalars()
    return ids


# Changing


def share_check(
    context: ServerContext, caller: Caller, id: str, is_shared: bool
) -> tuple[SavedCheck, int]:
    """Let other teachers open a check, or no longer; and how many of its sources are private."""
    with context.store.beside() as connection:
        check = find_check(connection, caller, id, own=True)
        if check.batch_id is not None:
            batch = {"batch": check.batch_id}
            raise Problem("conflict", "server.share_batch", details=batch)
        saved_checks.set_shared(connection, id, is_shared)
        hidden = private_sources(connection, check)
        act = "check shared" if is_shared else "check no longer shared"
        audit.record_act(connection, caller, act, id, private_sources=hidden)
        return find_check(connection, caller, id), hidden


def delete_check(context: ServerContext, caller: Caller, id: str) -> None:
    """Delete a check with its result; its job is given up."""
    with context.store.beside() as connection:
        check = find_check(connection, caller, id, own=True)
        if check.batch_id is not None:
            batch = {"batch": check.batch_id}
            raise Problem("conflict", "server.delete_batch", details=batch)
        if check.job_id is not None:
            discard_job(connection, check.job_id)
        connection.execute(checks.delete().where(checks.c.id == id))
        audit.record_act(connection, caller, "check deleted", id)
