"""What readers of a report decide: what is not to count and why, and that they agree.

The owner of a check takes sources and passages out of the count; another teacher confirms the
report. A confirmation is of the report as it stood: a change of what counts withdraws it.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from likewise.model import Span
from likewise.results import ConfirmationRow, DecisionRow, plain
from likewise.server.caller import Caller
from likewise.server.checks.service import SavedCheck, checks, find_check, read_packed_result
from likewise.server.context import ServerContext, utc_now
from likewise.server.database import tables
from likewise.server.people import audit
from likewise.server.people.users import person_by_id
from likewise.server.problems import Problem, not_found
from likewise.server.reports.renderer_pool import renderers
from likewise.server.reports.saved import ensure_done

exclusions = tables.check_exclusions
confirmations = tables.check_confirmations

_ROUNDS = 5  # somebody else may change the same check at the same moment
_UNKNOWN = {
    "source": "server.no_such_source",
    "span": "server.span_beyond",
}


def read_decisions(connection: Connection, id: str) -> list[DecisionRow]:
    """What was taken out of the count, the first first."""
    column = exclusions.c
    rows = connection.execute(
        select(exclusions).where(column.check_id == id).order_by(column.made_on, column.id)
    )
    return [
        DecisionRow(
            id=row.id,
            source=row.source,
            span=None if row.start is None else Span(row.start, row.end),
            by=row.user_name,
            on=report_time(row.made_on),
            reason=row.reason,
        )
        for row in rows
    ]


def read_confirmations(connection: Connection, id: str) -> list[ConfirmationRow]:
    """Who agrees, the first first."""
    column = confirmations.c
    rows = connection.execute(
        select(confirmations).where(column.check_id == id).order_by(column.made_on, column.id)
    )
    return [
        ConfirmationRow(
            id=row.id, by=row.user_name, on=report_time(row.made_on), comment=row.comment
        )
        for row in rows
    ]


def read_confirmer_ids(connection: Connection, id: str) -> set[str]:
    """Which accounts have confirmed a check."""
    column = confirmations.c
    ids = connection.execute(select(column.user_id).where(column.check_id == id))
    return set(ids.scalars())


def report_time(time: datetime) -> str:
    """A time as reports write it."""
    return time.replace(tzinfo=UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def exclude(
    context: ServerContext,
    caller: Caller,
    id: str,
    *,
    reason: str,
    source: str | None = None,
    span: Span | None = None,
) -> DecisionRow:
    """Take a source or a stretch of the text out of the count."""
    decision = DecisionRow(
        id=secrets.token_hex(12), source=source, span=span, by="", on="", reason=reason
    )

    def change(exclusions_now: list[DecisionRow]) -> list[DecisionRow]:
        if any((one.source, one.span) == (source, span) for one in exclusions_now):
            raise Problem("conflict", "server.excluded")
        return [*exclusions_now, decision]

    def write(connection: Connection) -> None:
        nonlocal decision
        now = utc_now()
        decision = replace(decision, by=display_name(connection, caller), on=report_time(now))
        connection.execute(
            insert(exclusions).values(
                id=decision.id,
                check_id=id,
                user_id=caller.id,
                user_name=decision.by,
                made_on=now,
                source=source,
                start=None if span is None else span.start,
                end=None if span is None else span.end,
                reason=reason,
            )
        )
        audit.record_act(connection, caller, "check exclusion made", id, exclusion=decision.id)

    _change(context, caller, id, change, write)
    return decision


def include(context: ServerContext, caller: Caller, id: str, exclusion: str) -> None:
    """Let something count again."""

    def change(exclusions_now: list[DecisionRow]) -> list[DecisionRow]:
        remaining = [one for one in exclusions_now if one.id != exclusion]
        if len(remaining) == len(exclusions_now):
            raise not_found("server.noun_exclusion")
        return remaining

    def write(connection: Connection) -> None:
        connection.execute(delete(exclusions).where(exclusions.c.id == exclusion))
        audit.record_act(connection, caller, "check exclusion withdrawn", id, exclusion=exclusion)

    _change(context, caller, id, change, write)


def _change(
    context: ServerContext,
    caller: Caller,
    id: str,
    change: Callable[[list[DecisionRow]], list[DecisionRow]],
    write: Callable[[Connection], None],
) -> None:
    """Count a check anew, then write the decision and the new figures in one transaction."""
    for _ in range(_ROUNDS):
        with context.store.reading() as connection:
            check = _find_own(connection, caller, id)
            before, packed = read_decisions(connection, id), read_packed_result(connection, id)
        summary = _recount(check, change(before), packed)
        with context.store.beside() as connection:
            lock_check(connection, id)
            check = _find_own(connection, caller, id)
            if read_decisions(connection, id) != before:
                continue
            write(connection)
            connection.execute(
                update(checks)
                .where(checks.c.id == id)
                .values(summary=json.dumps(summary | check.references))
            )
            withdrawn = delete(confirmations).where(confirmations.c.check_id == id)
            if connection.execute(withdrawn).rowcount:
                audit.record_act(connection, caller, "check confirmations withdrawn", id)
            return
    raise Problem("conflict", "server.at_once")


def _recount(check: SavedCheck, decisions: list[DecisionRow], packed: bytes) -> dict[str, Any]:
    done_on = (check.summary or {}).get("done_on", "")
    order = {"what": "summary", "decisions": plain(decisions), "date": done_on}
    summary: dict[str, Any] = json.loads(renderers().render(order, packed))
    if "unknown" in summary:
        raise Problem("bad request", _UNKNOWN[summary["unknown"]])
    return summary


def _find_own(connection: Connection, caller: Caller, id: str) -> SavedCheck:
    check = find_check(connection, caller, id, own=True)
    ensure_done(check)
    return check


def lock_check(connection: Connection, id: str) -> None:
    """One after the other changes a check; on SQLite one writes at a time in any case."""
    connection.execute(select(checks.c.id).where(checks.c.id == id).with_for_update())


def display_name(connection: Connection, caller: Caller) -> str:
    """What people call somebody."""
    person = person_by_id(connection, caller.id)
    return person.shown_name if person else caller.name


def confirm(context: ServerContext, caller: Caller, id: str, comment: str) -> ConfirmationRow:
    """Another teacher has read the report and agrees; once."""
    with context.store.beside() as connection:
        lock_check(connection, id)
        check = find_check(connection, caller, id)
        ensure_done(check)
        if check.user_id == caller.id:
            raise Problem("not allowed", "server.own_check")
        if caller.id in read_confirmer_ids(connection, id):
            raise Problem("conflict", "server.confirmed")
        now, by = utc_now(), display_name(connection, caller)
        confirmation = ConfirmationRow(
            id=secrets.token_hex(12), by=by, on=report_time(now), comment=comment
        )
        connection.execute(
            insert(confirmations).values(
                id=confirmation.id,
                check_id=id,
                user_id=caller.id,
                user_name=by,
                made_on=now,
                comment=comment,
            )
        )
        audit.record_act(connection, caller, "check confirmed", id)
    return confirmation


def withdraw(context: ServerContext, caller: Caller, id: str, confirmation: str) -> None:
    """Take one's own confirmation back."""
    with context.store.beside() as connection:
        find_check(connection, caller, id)
        column = confirmations.c
        deleted = connection.execute(
            delete(confirmations).where(
                column.id == confirmation, column.check_id == id, column.user_id == caller.id
            )
        ).rowcount
        if not deleted:
            raise not_found("server.noun_confirmation")
        audit.record_act(connection, caller, "check confirmation withdrawn", id)
