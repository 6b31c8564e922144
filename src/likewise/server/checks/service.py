"""Saved checks: found, listed, shared, deleted; and where their sources stand."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    case,
    select,
    update,
)

from likewise.library import schema
from likewise.reading.submissions import display_name
from likewise.server.caller import Caller
from likewise.server.checks.selection import (
    CheckFilters,
    CheckSelection,
    ChecksRequest,
    filter_conditions,
    similar_share,
)
from likewise.server.context import ServerContext, utc_now
from likewise.server.courses.permissions import is_taught_check
from likewise.server.database import tables
from likewise.server.jobs.queue import discard_job
from likewise.server.people import audit
from likewise.server.permissions import OF_ALL, readable_collections
from likewise.server.problems import Problem, ensure_expected, not_found
from likewise.server.reports.saved import SavedReport, SavedReports

checks, results = tables.checks, tables.check_results

FACTS = ("author", "advisor", "year", "type")  # of a document, that reports tell
_AT_ONCE = 500  # numbers in one question


@dataclass(frozen=True, slots=True)
class SavedCheck(SavedReport):
    """A check without its result."""

    batch_id: str | None
    opened_on: datetime | None

    @property
    def source_ids(self) -> Mapping[str, int]:
        """Numbers of its sources in the library, by their names."""
        ids: Mapping[str, int] = (self.summary or {}).get("ids", {})
        return ids

    @property
    def references(self) -> dict[str, Any]:
        """What a summary tells us alone: numbers of sources, the hash of the file, its student."""
        summary = self.summary or {}
        label = summary.get("label", "")
        return {"ids": dict(self.source_ids), "sha256": summary.get("sha256"), "label": label}

    @property
    def label(self) -> str:
        """What people call the document, as its class does; empty where that is its name."""
        label = (self.summary or {}).get("label") or display_name(self.name)
        return "" if label == self.name else label


saved_checks = SavedReports(checks, SavedCheck, "batch_id", "opened_on", is_taught=is_taught_check)


def find_check(connection: Connection, caller: Caller, id: str, *, own: bool = False) -> SavedCheck:
    """A check that the caller may open; with `own` one that the caller may change."""
    check = saved_checks.find(connection, caller, id)
    if check is None:
        raise not_found("server.noun_check")
    if own and not saved_checks.may_change(connection, caller, check):
        raise Problem("not allowed", "server.check_owner")
    return check


def read_later_shares(connection: Connection, batch: str | None) -> dict[str, float]:
    """How much of each document of a class stands in one that came later, by name.

    Unless somebody has decided in the report of the later one that this does not count.
    """
    query = select(tables.batches.c.summary).where(tables.batches.c.id == batch)
    summary = connection.execute(query).scalar() if batch else None
    found: dict[str, tuple[str, float]] = json.loads(summary).get("later", {}) if summary else {}
    if not found:
        return {}
    decided = tables.check_exclusions
    of_sources = (
        select(checks.c.name, decided.c.source)
        .join_from(decided, checks)
        .where(checks.c.batch_id == batch, decided.c.source.is_not(None), decided.c.start.is_(None))
    )
    excluded = {(row.name, row.source) for row in connection.execute(of_sources)}
    return {name: share for name, (by, share) in found.items() if (by, name) not in excluded}


def list_checks(
    connection: Connection, caller: Caller, request: ChecksRequest
) -> tuple[list[SavedCheck], int]:
    """One page of the checks that fit of those the caller may open, and how many fit."""
    conditions = filter_conditions(connection, caller, request)
    return _page(connection, conditions, request)


def list_checks_of_batch(
    connection: Connection, batch: str, request: ChecksRequest
) -> tuple[list[SavedCheck], int]:
    """One page of the checks of a batch that the caller may open."""
    return _page(connection, [checks.c.batch_id == batch], request)


def _page(
    connection: Connection, conditions: list[ColumnElement[bool]], request: ChecksRequest
) -> tuple[list[SavedCheck], int]:
    name = request.sort.removeprefix("-")
    column = similar_share(connection) if name == "similar" else checks.c[name]
    order = (column.desc() if request.sort.startswith("-") else column.asc()).nulls_last()
    return saved_checks.page(
        connection,
        conditions,
        order,
        state=request.state,
        search=request.search,
        limit=request.limit,
        offset=request.offset,
    )


def select_checks(
    connection: Connection, caller: Caller, selection: CheckSelection
) -> list[SavedCheck]:
    """All checks that are meant; refuses as soon as one is not the caller's to open."""
    if selection.ids is not None:
        ids = list(dict.fromkeys(selection.ids))
        visible = saved_checks.visible_to(caller)
        found = saved_checks.all(connection, [visible, checks.c.id.in_(ids)])
        if len(found) < len(ids):
            raise not_found("server.noun_check")
        return found
    filters = selection.filters or CheckFilters()
    conditions = filter_conditions(connection, caller, filters)
    found = saved_checks.all(connection, conditions, state=filters.state, search=filters.search)
    ensure_expected(selection.expected, len(found))
    without = set(selection.without)
    return [check for check in found if check.id not in without]


@dataclass(frozen=True, slots=True)
class Attention:
    """How many checks somebody should look at."""

    tricks: int
    high: int
    unconfirmed: int
    failed: int


def count_attention(connection: Connection, caller: Caller) -> Attention:
    """Of the caller's own those not opened yet, and of others' those that wait for the caller.

    Checks of classes are counted with their class.
    """
    count = saved_checks.count

    def own(**filters: Any) -> list[ColumnElement[bool]]:
        return filter_conditions(connection, caller, CheckFilters(whose="mine", **filters))

    waiting = CheckFilters(whose="shared", unconfirmed=True)
    return Attention(
        tricks=count(connection, own(tricks=True, unopened=True)),
        high=count(connection, own(level="high", unopened=True)),
        unconfirmed=count(connection, filter_conditions(connection, caller, waiting)),
        failed=count(connection, own(), state="failed"),
    )


def note_opening(context: ServerContext, caller: Caller, check: SavedCheck) -> None:
    """That its owner has opened a report: it needs no attention any more."""
    if check.user_id != caller.id or check.opened_on is not None:
        return
    with context.store.beside() as connection:
        query = update(checks).where(checks.c.id == check.id, checks.c.opened_on.is_(None))
        connection.execute(query.values(opened_on=utc_now()))


# Results


def read_names(connection: Connection, batch: str) -> list[str]:
    """The names of what was handed in together, by which one of them is told from the others."""
    query = select(checks.c.name).where(checks.c.batch_id == batch).order_by(checks.c.name)
    return list(connection.execute(query).scalars())


def read_batch_names(connection: Connection, some: Sequence[SavedCheck]) -> dict[str | None, str]:
    """What the batches are called to which checks belong."""
    ids = {check.batch_id for check in some if check.batch_id is not None}
    batches = tables.batches.c
    rows = connection.execute(select(batches.id, batches.name).where(batches.id.in_(ids)))
    return {row.id: row.name for row in rows} if ids else {}


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


def readable_source_ids(
    connection: Connection, caller: Caller, check: SavedCheck
) -> dict[str, int]:
    """Numbers of those sources that the caller may read now, by their names."""
    readable = set(readable_sources(connection, caller, check))
    return {name: id for name, id in check.source_ids.items() if id in readable}


def find_checked_document(connection: Connection, caller: Caller, check: SavedCheck) -> Any:
    """The row of the checked document in the library, where the caller may read it there.

    One that was checked from a file is known by its bytes, and best where it was to be kept.
    """
    document, number = schema.documents.c, check.request.get("document")
    sha256: str | None = (check.summary or {}).get("sha256")
    if number is not None:
        this = document.id == number
    elif sha256 is not None:
        this = document.sha256 == bytes.fromhex(sha256)
    else:
        return None
    readable = readable_collections(connection, caller)
    place = case((document.collection == check.request.get("collection", OF_ALL), 0), else_=1)
    query = (
        select(document.id, document.author, document.advisor, document.year, document.type)
        .where(this, document.collection.in_(readable))
        .order_by(place, document.id)
        .limit(1)
    )
    return connection.execute(query).first()


def document_facts(connection: Connection, caller: Caller, check: SavedCheck) -> dict[str, Any]:
    """Author, advisor, year and type of the checked document, as the library or the request knows.

    They are read anew for each report: what was corrected or erased is so at once.
    """
    row = find_checked_document(connection, caller, check)
    asked = check.request.get("metadata", {})
    known = {} if row is None else row._asdict()
    return {name: _first(known.get(name), asked.get(name)) for name in FACTS}


def source_facts(
    connection: Connection, caller: Caller, check: SavedCheck
) -> dict[str, dict[str, Any]]:
    """Author, advisor, year and type of those sources that the caller may read, by their names."""
    name_of = {id: name for name, id in readable_source_ids(connection, caller, check).items()}
    document, numbers = schema.documents.c, sorted(name_of)
    facts: dict[str, dict[str, Any]] = {}
    for start in range(0, len(numbers), _AT_ONCE):
        query = select(document.id, *(document[name] for name in FACTS)).where(
            document.id.in_(numbers[start : start + _AT_ONCE])
        )
        for row in connection.execute(query):
            facts[name_of[row.id]] = {name: getattr(row, name) for name in FACTS}
    return facts


def _first(*values: Any) -> Any:
    return next((value for value in values if value is not None), None)


# Changing


def share_check(
    context: ServerContext, caller: Caller, id: str, is_shared: bool
) -> tuple[SavedCheck, int]:
    """Let other teachers open a check, or no longer; and how many of its sources are private."""
    with context.store.beside() as connection:
        check = find_check(connection, caller, id, own=True)
        _ensure_not_handed_in(connection, check)
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
        _ensure_not_handed_in(connection, check)
        if check.batch_id is not None:
            batch = {"batch": check.batch_id}
            raise Problem("conflict", "server.delete_batch", details=batch)
        if check.job_id is not None:
            discard_job(connection, check.job_id)
        connection.execute(checks.delete().where(checks.c.id == id))
        audit.record_act(connection, caller, "check deleted", id)


def _ensure_not_handed_in(connection: Connection, check: SavedCheck) -> None:
    """What was handed in is shared by its course, and deleted with its attempt."""
    submission = tables.submissions.c
    query = select(submission.assignment_id).where(submission.check_id == check.id)
    assignment = connection.execute(query.limit(1)).scalar()
    if assignment is not None:
        details = {"assignment": assignment}
        raise Problem("conflict", "server.handed_in", details=details)
