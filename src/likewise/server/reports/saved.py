"""What a saved check and a saved batch have in common: whose they are, and how far they have come.

Both belong to who asked for them, and what was handed in to a course to its teachers. Others open
them when their owner shares them, and then all of the report, whichever collections its sources
stand in; administrators are no exception.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from sqlalchemy import ColumnElement, Connection, Row, Table, case, func, or_, select, update

from likewise.server.caller import Caller
from likewise.server.context import ServerContext, utc_now
from likewise.server.database import tables
from likewise.server.jobs.queue import JobError, State, error_fields, error_of
from likewise.server.people import audit
from likewise.server.problems import Problem
from likewise.server.shapes import RequestBody, Shape

jobs, users = tables.jobs, tables.users

_FIELDS = ("id", "user_id", "job_id", "name", "request", "made_on", "is_shared", "summary")


@dataclass(frozen=True, slots=True)
class SavedReport:
    """A check or a batch, without its result."""

    id: str
    user_id: str
    owner: str
    owner_name: str
    job_id: str | None
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


Condition = ColumnElement[bool]
R = TypeVar("R", bound=SavedReport)


class SavedReports(Generic[R]):
    """The rows of a table, each with its owner and its job."""

    def __init__(
        self, table: Table, kind: type[R], *more: str, is_taught: Callable[[Caller], Condition]
    ) -> None:
        self._table, self._kind, self._is_taught = table, kind, is_taught
        # Where a result is there, whatever happened to its job, it can be shown.
        self._state = case(
            (table.c.summary.is_not(None), "done"),
            (jobs.c.state.is_not(None), jobs.c.state),
            else_="failed",
        )
        self._columns = (
            *(table.c[name] for name in (*_FIELDS, *more)),
            *(users.c.shown_name.label("owner"), users.c.name.label("owner_name")),
            self._state.label("state"),
            *(jobs.c[name] for name in ("stage", "done", "total", "error")),
        )
        self._joined = table.join(users).outerjoin(jobs, jobs.c.id == table.c.job_id)

    def visible_to(self, caller: Caller) -> ColumnElement[bool]:
        return or_(
            self._table.c.user_id == caller.id, self._table.c.is_shared, self._is_taught(caller)
        )

    def may_change(self, connection: Connection, caller: Caller, report: R) -> bool:
        """Its owner, and whoever teaches the course that it belongs to."""
        if report.user_id == caller.id:
            return True
        query = select(self._table.c.id).where(self._table.c.id == report.id)
        return connection.execute(query.where(self._is_taught(caller))).first() is not None

    def find(self, connection: Connection, caller: Caller, id: str) -> R | None:
        """One that the caller may open."""
        query = select(*self._columns).select_from(self._joined)
        row = connection.execute(
            query.where(self._table.c.id == id, self.visible_to(caller))
        ).first()
        return None if row is None else self._from_row(row)

    def read(self, connection: Connection, id: str) -> R | None:
        """One that somebody may open for another reason than these."""
        query = select(*self._columns).select_from(self._joined)
        row = connection.execute(query.where(self._table.c.id == id)).first()
        return None if row is None else self._from_row(row)

    def page(
        self,
        connection: Connection,
        conditions: Sequence[ColumnElement[bool]],
        order: ColumnElement[Any],
        *,
        state: State | None,
        search: str,
        limit: int,
        offset: int,
    ) -> tuple[list[R], int]:
        """One page of those that meet all conditions, and how many there are."""
        conditions = self._conditions(conditions, state, search)
        rows = connection.execute(
            select(*self._columns)
            .select_from(self._joined)
            .where(*conditions)
            .order_by(order, self._table.c.id)
            .limit(limit)
            .offset(offset)
        ).all()
        return [self._from_row(row) for row in rows], self.count(connection, conditions)

    def count(
        self,
        connection: Connection,
        conditions: Sequence[ColumnElement[bool]],
        *,
        state: State | None = None,
        search: str = "",
    ) -> int:
        """How many meet all conditions."""
        conditions = self._conditions(conditions, state, search)
        query = select(func.count()).select_from(self._joined).where(*conditions)
        return int(connection.execute(query).scalar_one())

    def all(
        self,
        connection: Connection,
        conditions: Sequence[ColumnElement[bool]],
        *,
        state: State | None = None,
        search: str = "",
    ) -> list[R]:
        """All that meet all conditions, the newest first."""
        conditions = self._conditions(conditions, state, search)
        newest = self._table.c.made_on.desc()
        rows = connection.execute(
            select(*self._columns)
            .select_from(self._joined)
            .where(*conditions)
            .order_by(newest, self._table.c.id)
        )
        return [self._from_row(row) for row in rows]

    def _conditions(
        self, conditions: Sequence[ColumnElement[bool]], state: State | None, search: str
    ) -> list[ColumnElement[bool]]:
        of_state = [] if state is None else [self._state.in_([state])]
        of_name = [_name_holds(self._table.c.name, word) for word in search.split()]
        return [*conditions, *of_state, *of_name]

    def set_shared(self, connection: Connection, id: str, is_shared: bool) -> None:
        query = update(self._table).where(self._table.c.id == id)
        connection.execute(query.values(is_shared=is_shared))
        if not is_shared:
            end_links(connection, self._table, [id])

    def _from_row(self, row: Row[Any]) -> R:
        values = dict(row._mapping)
        values["request"] = json.loads(values["request"])
        values["summary"] = None if values["summary"] is None else json.loads(values["summary"])
        values |= {"done": values["done"] or 0, "total": values["total"] or 0}
        values["error"] = error_of(values["state"], values["error"])
        return self._kind(**values)


def end_links(connection: Connection, table: Table, ids: Sequence[str]) -> None:
    """Revoke the links to what is made private, and with a class those to its members."""
    column = tables.report_links.c
    is_meant: ColumnElement[bool] = column.check_id.in_(ids)
    if table is tables.batches:
        members = select(tables.checks.c.id).where(tables.checks.c.batch_id.in_(ids))
        is_meant = column.batch_id.in_(ids) | column.check_id.in_(members)
    ended = update(tables.report_links).where(is_meant, column.revoked_on.is_(None))
    connection.execute(ended.values(revoked_on=utc_now()))


def _name_holds(column: ColumnElement[str], word: str) -> ColumnElement[bool]:
    """Rows whose name holds a word, however it is written; databases do not know all capitals."""
    spellings = {word, word.lower(), word.upper(), word.capitalize(), word.casefold()}
    return or_(*(column.contains(one, autoescape=True) for one in sorted(spellings)))


def ensure_done(report: SavedReport) -> None:
    """A result that is there; else it is said why not."""
    if report.state == "done":
        return
    details = {"state": report.state}
    if report.state == "failed" and report.error is not None:
        raise Problem("not ready", "server.failed", details=details, why=report.error.full_message)
    raise Problem("not ready", _NOT_DONE[report.state], details=details)


_NOT_DONE = {
    "queued": "server.waits",
    "running": "server.running",
    "cancelled": "server.cancelled_without_result",
}


def note_reading(context: ServerContext, caller: Caller, report: SavedReport, act: str) -> None:
    """Whoever reads another's report leaves a line in the audit log, which its owner sees too."""
    audit.record_reading(context.store, caller, act, report.id, report.owner_name)


def replace_result(
    connection: Connection, table: Table, column: str, id: str, packed: bytes
) -> None:
    """Keep a result, whatever was there."""
    connection.execute(table.delete().where(table.c[column] == id))
    connection.execute(table.insert().values({column: id, "packed": packed}))


# What is sent and received


class Progress(Shape):
    """How far a check is: `done` of `total` pages, or documents, of a stage."""

    stage: str | None
    done: int
    total: int


class Share(RequestBody):
    """Said in so many words: who says nothing shares nothing."""

    shared: bool


def report_fields(report: SavedReport, caller: Caller) -> dict[str, Any]:
    """What is sent of a check and of a batch alike."""
    return {
        "id": report.id,
        "name": report.name,
        "state": report.state,
        "made_on": report.made_on,
        "owner": report.owner,
        "owner_name": report.owner_name,
        "is_mine": report.user_id == caller.id,
        "is_shared": report.is_shared,
        "job": report.job_id,
        "progress": Progress(stage=report.stage, done=report.done, total=report.total),
        **error_fields(report.error),
        "summary": report.summary,
    }
