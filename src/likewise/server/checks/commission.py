"""What a commission decided about a report; recorded by a link that was made for it.

A decision stays as it was recorded: who changes their mind records another.
"""

from __future__ import annotations

import secrets

from sqlalchemy import Connection, func, insert, select

from likewise.results import CommissionDecision, CommissionRow
from likewise.server.checks.decisions import report_time
from likewise.server.context import utc_now
from likewise.server.database import tables
from likewise.server.problems import Problem

decisions = tables.commission_decisions

MOST_DECISIONS = 100  # of a check


def read_commission(connection: Connection, id: str) -> list[CommissionRow]:
    """The first first."""
    column = decisions.c
    rows = connection.execute(
        select(decisions).where(column.check_id == id).order_by(column.made_on, column.id)
    )
    return [
        CommissionRow(
            id=row.id,
            by=row.user_name,
            on=report_time(row.made_on),
            decision=row.decision,
            comment=row.comment,
        )
        for row in rows
    ]


def add_decision(
    connection: Connection,
    id: str,
    link: str,
    user: str | None,
    by: str,
    decision: CommissionDecision,
    comment: str,
) -> CommissionRow:
    """Record a decision; whoever calls holds the check and has looked at the link."""
    count = select(func.count()).select_from(decisions).where(decisions.c.check_id == id)
    if connection.execute(count).scalar_one() >= MOST_DECISIONS:
        raise Problem("conflict", "server.many_decisions", n=MOST_DECISIONS)
    now = utc_now()
    row = CommissionRow(
        id=secrets.token_hex(12), by=by, on=report_time(now), decision=decision, comment=comment
    )
    connection.execute(
        insert(decisions).values(
            id=row.id,
            check_id=id,
            link_id=link,
            user_id=user,
            user_name=by,
            made_on=now,
            decision=decision,
            comment=comment,
        )
    )
    return row
