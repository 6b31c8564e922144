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
from likewise.server.checks.service import Kept, checks, ensure_done, find_check, packed_result
from likewise.server.context import ServerContext, utc_now
from likewise.server.database import tables
from likewise.server.people import audit
from likewise.server.people.users import person_by_id
from likewise.server.problems import Problem, not_found
from likewise.server.reports.renderer_pool import renderers

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
            on=written(row.made_on),
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
        ConfirmationRow(id=row.id, by=row.user_name, on=written(row.made_on), comment=row.comment)
        for row in rows
    ]


def read_confirming(connection: Connection, id: str) -> set[str]:
    """Which accounts have confirmed a check."""
    column = confirmations.c
    found = connection.execute(select(column.user_id).where(column.check_id == id))
    return set(found.scalars())


def written(moment: datetime) -> str:
    """A moment as reports write it."""
    return moment.replace(tzinfo=UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def take_out(
    site: ServerContext,
    caller: Caller,
    id: str,
    *,
    reason: str,
    source: str | None = None,
    span: Span | None = None,
) -> DecisionRow:
    """Take a source or a stretch of the text out of the count."""
    new = DecisionRow(
        id=secrets.token_hex(12), source=source, span=span, by="", on="", reason=reason
    )

    def changed(there: list[DecisionRow]) -> list[DecisionRow]:
        if any((one.source, one.span) == (source, span) for one in there):
            raise Problem("conflict", "server.excluded")
        return [*there, new]

    def write(connection: Connection) -> None:
        nonlocal new
        moment = utc_now()
        new = replace(new, by=called(connection, caller), on=written(moment))
        connection.execute(
            insert(exclusions).values(
                id=new.id,
                check_id=id,
                user_id=caller.id,
                user_name=new.by,
                made_on=moment,
                source=source,
                start=None if span is None else span.start,
                end=None if span is None else span.end,
                reason=reason,
            )
        )
        audit.record_act(connection, caller, "check exclusion made", id, exclusion=new.id)

    _change(site, caller, id, changed, write)
    return new


def put_back(site: ServerContext, caller: Caller, id: str, exclusion: str) -> None:
    """Let something count again."""

    def changed(there: list[DecisionRow]) -> list[DecisionRow]:
        left = [one for one in there if one.id != exclusion]
        if len(left) == len(there):
            raise not_found("server.noun_exclusion")
        return left

    def write(connection: Connection) -> None:
        connection.execute(delete(exclusions).where(exclusions.c.id == exclusion))
        audit.record_act(connection, caller, "check exclusion withdrawn", id, exclusion=exclusion)

    _change(site, caller, id, changed, write)


def _change(
    site: ServerContext,
    caller: Caller,
    id: str,
    changed: Callable[[list[DecisionRow]], list[DecisionRow]],
    write: Callable[[Connection], None],
) -> None:
    """Count a check anew, then write the decision and the new figures in one transaction."""
    for _ in range(_ROUNDS):
        with site.store.reading() as connection:
            kept = _own(connection, caller, id)
            before, packed = read_decisions(connection, id), packed_result(connection, id)
        summary = _counted_anew(kept, changed(before), packed)
        with site.store.beside() as connection:
            _lock(connection, id)
            kept = _own(connection, caller, id)
            if read_decisions(connection, id) != before:
                continue
            write(connection)
            connection.execute(
                update(checks)
                .where(checks.c.id == id)
                .values(summary=json.dumps(summary | {"ids": kept.ids}))
            )
            withdrawn = delete(confirmations).where(confirmations.c.check_id == id)
            if connection.execute(withdrawn).rowcount:
                audit.record_act(connection, caller, "check confirmations withdrawn", id)
            return
    raise Problem("conflict", "server.at_once")


def _counted_anew(kept: Kept, decisions: list[DecisionRow], packed: bytes) -> dict[str, Any]:
    done_on = (kept.summary or {}).get("done_on", "")
    order = {"what": "summary", "decisions": plain(decisions), "date": done_on}
    counted: dict[str, Any] = json.loads(renderers().make(order, packed))
    if "unknown" in counted:
        raise Problem("bad request", _UNKNOWN[counted["unknown"]])
    return counted


def _own(connection: Connection, caller: Caller, id: str) -> Kept:
    kept = find_check(connection, caller, id, own=True)
    ensure_done(kept)
    return kept


def _lock(connection: Connection, id: str) -> None:
    """One after the other changes a check; on SQLite one writes at a time in any case."""
    connection.execute(select(checks.c.id).where(checks.c.id == id).with_for_update())


def called(connection: Connection, caller: Caller) -> str:
    """What people call somebody."""
    person = person_by_id(connection, caller.id)
    return person.shown_name if person else caller.name


def confirm(site: ServerContext, caller: Caller, id: str, comment: str) -> ConfirmationRow:
    """Another teacher has read the report and agrees; once."""
    with site.store.beside() as connection:
        _lock(connection, id)
        kept = find_check(connection, caller, id)
        ensure_done(kept)
        if kept.user_id == caller.id:
            raise Problem("not allowed", "server.own_check")
        if caller.id in read_confirming(connection, id):
            raise Problem("conflict", "server.confirmed")
        moment, by = utc_now(), called(connection, caller)
        new = ConfirmationRow(id=secrets.token_hex(12), by=by, on=written(moment), comment=comment)
        connection.execute(
            insert(confirmations).values(
                id=new.id,
                check_id=id,
                user_id=caller.id,
                user_name=by,
                made_on=moment,
                comment=comment,
            )
        )
        audit.record_act(connection, caller, "check confirmed", id)
    return new


def withdraw(site: ServerContext, caller: Caller, id: str, confirmation: str) -> None:
    """Take one's own confirmation back."""
    with site.store.beside() as connection:
        find_check(connection, caller, id)
        column = confirmations.c
        gone = connection.execute(
            delete(confirmations).where(
                column.id == confirmation, column.check_id == id, column.user_id == caller.id
            )
        ).rowcount
        if not gone:
            raise not_found("server.noun_confirmation")
        audit.record_act(connection, caller, "check confirmation withdrawn", id)
