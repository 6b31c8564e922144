"""A link as it is opened: whose token it is, whether it is still good, and what it shows.

It shows the report as colleagues see it who may read nothing in the library: what the report holds,
and no more. It is good as long as whoever made it owns the report and may log in.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, insert, select

from likewise.model import Span
from likewise.results import CommentRow, CommissionDecision, CommissionRow
from likewise.server.caller import Caller, require_session
from likewise.server.checks import comments, commission, service
from likewise.server.checks.decisions import lock_check
from likewise.server.checks.report_input import read_order
from likewise.server.checks.service import SavedCheck, find_check
from likewise.server.classes.service import SavedBatch, find_batch, read_report_input
from likewise.server.context import ServerContext, utc_now
from likewise.server.database import tables
from likewise.server.http.addresses import network_of
from likewise.server.links.mail import tell_of_decision
from likewise.server.links.service import FOR_ANYBODY, FOR_ONE, hash_of, links, openings
from likewise.server.people import audit
from likewise.server.people.login import locked_out
from likewise.server.people.login_throttle import try_address, try_request
from likewise.server.problems import Problem
from likewise.server.reports.routes import RenderInput
from likewise.server.reports.saved import ensure_done

users = tables.users

ONE_OPENING = timedelta(minutes=10)  # in which the same reader is counted once
MOST_READS, SPELL = 600, timedelta(hours=1)  # of one link: reports are made anew each time
_GONE = frozenset({"not found", "not allowed"})


@dataclass(frozen=True, slots=True)
class OpenLink:
    """A link that is good, and who has opened it."""

    id: str
    check_id: str | None
    batch_id: str | None
    made_on: datetime
    ends_on: datetime
    recipient: str
    is_personal: bool
    is_commission: bool
    maker: Caller
    shared_by: str
    reader: Caller | None
    address: str

    @property
    def report_id(self) -> str:
        return self.check_id or self.batch_id or ""


def open_link(
    context: ServerContext, token: str, address: str, authenticate: Callable[[], Caller]
) -> OpenLink:
    """The link of a token; refuses wrong ones, slower and slower, and says which have ended.

    Only of a link for one person it is asked who is logged in.
    """
    with context.store.reading() as connection:
        row = _find(connection, token)
    if row is None:
        settings = context.settings
        with context.store.beside() as connection:
            wait = try_address(connection, "report link", address, settings)
        raise locked_out(wait) if wait else Problem("not found", "server.no_link")
    _ensure_good(row)
    is_personal = token.startswith(FOR_ONE)
    reader = _reader(row, authenticate) if is_personal else None
    return OpenLink(
        id=row.id,
        check_id=row.check_id,
        batch_id=row.batch_id,
        made_on=row.made_on,
        ends_on=row.ends_on,
        recipient=row.recipient,
        is_personal=is_personal,
        is_commission=row.is_commission,
        maker=Caller(row.user_id, row.name, row.role, address),
        shared_by=row.shown_name,
        reader=reader,
        address=address,
    )


def _find(connection: Connection, token: str) -> Any:
    """The row of a token, with whoever made it."""
    if not token.startswith((FOR_ONE, FOR_ANYBODY)):
        return None
    return connection.execute(
        select(links, users.c.name, users.c.shown_name, users.c.role)
        .select_from(links.join(users, users.c.id == links.c.user_id))
        .where(links.c.hash == hash_of(token), users.c.is_active)
    ).first()


def _ensure_good(row: Any) -> None:
    if row.revoked_on is not None:
        raise Problem("not found", "server.link_revoked")
    if row.ends_on <= utc_now():
        raise Problem("not found", "server.link_ended")


def _reader(row: Any, authenticate: Callable[[], Caller]) -> Caller:
    """Whoever is logged in, if the link was made for that person."""
    try:
        reader = authenticate()
    except Problem as problem:
        if problem.kind != "not logged in":
            raise
        raise Problem("not logged in", "server.link_log_in") from None
    require_session(reader)
    if reader.id != row.recipient_id or reader.role == "student":
        raise Problem("not allowed", "server.link_of_another")
    return reader


def find_report(connection: Connection, link: OpenLink) -> SavedCheck | SavedBatch:
    """What a link leads to, as long as whoever made it owns it."""
    try:
        if link.check_id is not None:
            return find_check(connection, link.maker, link.check_id, own=True)
        return find_batch(connection, link.maker, link.batch_id or "", own=True)
    except Problem as problem:
        if problem.kind in _GONE:
            raise Problem("not found", "server.no_link") from None
        raise


def read_report(context: ServerContext, link: OpenLink) -> RenderInput:
    """What the report is made of, with the watermark; it is noted that somebody reads it."""
    with context.store.reading() as connection:
        report = find_report(connection, link)
        ensure_done(report)
        if isinstance(report, SavedCheck):
            order = read_order(connection, report)
            packed = [service.read_packed_result(connection, report.id)]
            if report.batch_id is not None:
                order["handed_in"] = service.read_names(connection, report.batch_id)
        else:
            order, packed = read_report_input(connection, report)
    count_opening(context, link, report.owner_name)
    return RenderInput(report, order | {"recipient": link.recipient}, packed)


def count_opening(context: ServerContext, link: OpenLink, owner: str) -> None:
    """Note who opens a link; refuses whoever asks without end."""
    user = None if link.reader is None else link.reader.id
    network = network_of(link.address)
    with context.store.beside() as connection:
        wait = try_request(connection, f"report link {link.id}", MOST_READS, SPELL)
        if not wait:
            column, now = openings.c, utc_now()
            recent = select(column.id).where(
                column.link_id == link.id,
                column.on > now - ONE_OPENING,
                column.address == network,
                column.user_id.is_not_distinct_from(user),
            )
            if connection.execute(recent.limit(1)).first() is None:
                connection.execute(
                    insert(openings).values(
                        id=secrets.token_hex(12),
                        link_id=link.id,
                        on=now,
                        user_id=user,
                        address=network,
                    )
                )
                name = None if link.reader is None else link.reader.name
                act, detail = "report link opened", {"link": link.id, "owner": owner}
                audit.record_act_of(
                    connection, user, name, link.address, act, link.report_id, **detail
                )
    if wait:
        raise Problem(
            "too many requests",
            "server.link_often",
            details={"retry_after": wait},
            n=-(-wait // 60),
        )


# What a commission says


def add_comment(
    context: ServerContext, link: OpenLink, token: str, span: Span, comment: str
) -> CommentRow:
    """Write beside a place of the text, in the name of the recipient."""
    id = _commissioned(link)
    with context.store.reading() as connection:
        ensure_done(find_report(connection, link))
        packed = service.read_packed_result(connection, id)
    comments.ensure_span_within(span, packed)
    with context.store.beside() as connection:
        _lock(connection, link, token)
        added = comments.insert_comment(
            connection, id, span, comment, user=_user(link), by=link.recipient, link=link.id
        )
        _note(connection, link, "check comment made", comment=added.id)
    return added


def delete_comment(context: ServerContext, link: OpenLink, token: str, comment: str) -> None:
    """Take back what was written by this link."""
    id = _commissioned(link)
    with context.store.beside() as connection:
        _lock(connection, link, token)
        comments.delete_comment_of_link(connection, id, link.id, comment)
        _note(connection, link, "check comment deleted", comment=comment)


def record_decision(
    context: ServerContext,
    link: OpenLink,
    token: str,
    decision: CommissionDecision,
    comment: str,
) -> CommissionRow:
    """Record what the commission came to."""
    id = _commissioned(link)
    with context.store.beside() as connection:
        _lock(connection, link, token)
        ensure_done(find_report(connection, link))
        row = commission.add_decision(
            connection, id, link.id, _user(link), link.recipient, decision, comment
        )
        _note(connection, link, "commission decision recorded", decision=decision)
        tell_of_decision(context, connection, id, row.id, by=link.recipient)
    return row


def _commissioned(link: OpenLink) -> str:
    if not link.is_commission or link.check_id is None:
        raise Problem("not allowed", "server.link_reads")
    return link.check_id


def _lock(connection: Connection, link: OpenLink, token: str) -> None:
    """Hold the check, and look again: the link may have been revoked a moment ago."""
    lock_check(connection, link.report_id)
    row = _find(connection, token)
    if row is None:
        raise Problem("not found", "server.no_link")
    _ensure_good(row)
    find_report(connection, link)


def _user(link: OpenLink) -> str | None:
    return None if link.reader is None else link.reader.id


def _note(connection: Connection, link: OpenLink, act: str, **detail: Any) -> None:
    name = None if link.reader is None else link.reader.name
    audit.record_act_of(
        connection, _user(link), name, link.address, act, link.report_id, link=link.id, **detail
    )
