"""Links to reports: made by the owner of a report, listed with who opened them, revoked.

The address of a link ends in a token of 256 bits. Only its hash is kept: it is told once. Of a link
for one person the token begins with another letter, so that it opens nothing any more when the
account is gone.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, insert, select, update

from likewise.server.caller import Caller
from likewise.server.checks.service import find_check
from likewise.server.classes.service import find_batch
from likewise.server.context import ServerContext, read_settings, utc_now
from likewise.server.database import tables
from likewise.server.links.shapes import LinkState, MakeLink, Reported
from likewise.server.mail.addresses import sends_mail
from likewise.server.mail.queue import enqueue_mail
from likewise.server.people import audit
from likewise.server.people.login_throttle import try_request
from likewise.server.people.users import (
    Person,
    fold_name,
    mail_address,
    person_by_name,
    require_person,
)
from likewise.server.problems import Problem, not_found
from likewise.server.reports.saved import ensure_done
from likewise.server.shapes import clean_line, to_stored_time

links, openings, users = tables.report_links, tables.report_link_openings, tables.users

MOST_LINKS = 100  # of a report, that are open
PAGE = "/shared"  # behind the # stands the token: no log of a proxy and no Referer has it
MOST_SENT, SPELL = 60, timedelta(hours=1)  # by one person
FOR_ONE, FOR_ANYBODY = "p", "a"  # how tokens begin


@dataclass(frozen=True, slots=True)
class ReportLink:
    """A link as its maker sees it."""

    id: str
    check_id: str | None
    batch_id: str | None
    user_id: str | None
    made_on: datetime
    ends_on: datetime
    revoked_on: datetime | None
    recipient: str
    recipient_id: str | None
    email: str | None
    is_commission: bool
    colleague: str | None
    openings: int
    opened_on: datetime | None

    @property
    def is_personal(self) -> bool:
        return self.recipient_id is not None

    @property
    def state(self) -> LinkState:
        if self.revoked_on is not None:
            return "revoked"
        return "open" if utc_now() < self.ends_on else "ended"


def hash_of(token: str) -> bytes:
    """Tokens are random enough to need no salt."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def make_link(
    context: ServerContext, caller: Caller, kind: Reported, id: str, request: MakeLink
) -> tuple[ReportLink, str | None]:
    """A new link to a report of the caller's own, and the token that its address ends in.

    Of one that is sent by mail there is none yet: it is made when the letter is sent.
    """
    if request.send:
        _ensure_may_send(context, caller)
    with context.store.beside() as connection:
        ensure_owns_done(connection, caller, kind, id)
        if request.is_commission and kind != "check":
            raise Problem("bad request", "server.commission_of_check")
        now = utc_now()
        is_open = (_of(kind, id), links.c.revoked_on.is_(None), links.c.ends_on > now)
        count = select(func.count()).select_from(links).where(*is_open)
        if connection.execute(count).scalar_one() >= MOST_LINKS:
            raise Problem("conflict", "server.many_links", n=MOST_LINKS)
        colleague = _colleague(connection, caller, request.colleague)
        recipient = colleague.shown_name if colleague else clean_line(request.recipient, 200)
        if not recipient:
            raise Problem("bad request", "server.link_recipient")
        address = _address(request, colleague) if request.send else None
        token = new_token(is_personal=colleague is not None)
        link = secrets.token_hex(12)
        connection.execute(
            insert(links).values(
                id=link,
                hash=hash_of(token),
                check_id=id if kind == "check" else None,
                batch_id=id if kind == "batch" else None,
                user_id=caller.id,
                made_on=now,
                ends_on=_end(connection, request.ends_on, now),
                recipient=recipient,
                recipient_id=colleague.id if colleague else None,
                email=address,
                is_commission=request.is_commission,
            )
        )
        audit.record_act(
            connection,
            caller,
            "report link made",
            id,
            link=link,
            is_personal=colleague is not None,
            is_commission=request.is_commission,
        )
        if address is not None:
            reader = colleague or require_person(connection, caller.id)
            enqueue_mail(
                connection,
                "report link",
                address,
                user=reader.id,
                language=reader.language,
                key=f"report link {link}",
                link_id=link,
            )
        return find_link(connection, caller, link), None if address else token


def new_token(*, is_personal: bool) -> str:
    """256 bits, after a letter that says what they open."""
    return (FOR_ONE if is_personal else FOR_ANYBODY) + secrets.token_urlsafe(32)


def _ensure_may_send(context: ServerContext, caller: Caller) -> None:
    if not sends_mail(context.config):
        raise Problem("not allowed", "server.no_mail")
    with context.store.beside() as connection:
        wait = try_request(connection, f"links sent by {caller.id}", MOST_SENT, SPELL)
    if wait:
        minutes = -(-wait // 60)
        details = {"retry_after": wait}
        raise Problem("too many requests", "server.links_sent", details=details, n=minutes)


def _address(request: MakeLink, colleague: Person | None) -> str:
    """A link for one person goes to the address of the account, and to no other."""
    address = colleague.email if colleague else mail_address(request.email)
    if not address:
        raise Problem("bad request", "server.link_address")
    return address


def _colleague(connection: Connection, caller: Caller, name: str | None) -> Person | None:
    """A teacher or an administrator by the name to log in by."""
    if not name:
        return None
    person = person_by_name(connection, fold_name(name))
    if person is None or not person.is_active or person.role == "student":
        raise not_found("server.noun_person")
    if person.id == caller.id:
        raise Problem("bad request", "server.link_to_oneself")
    return person


def _end(connection: Connection, asked: datetime | None, now: datetime) -> datetime:
    settings = read_settings(connection)
    if asked is None:
        return now + timedelta(days=min(settings.link_days, settings.most_link_days))
    end, most = to_stored_time(asked), timedelta(days=settings.most_link_days)
    # A day more, since people choose days and their clocks are not ours.
    if not now < end <= now + most + timedelta(days=1):
        raise Problem("bad request", "server.link_days", n=settings.most_link_days)
    return end


def ensure_owns_done(connection: Connection, caller: Caller, kind: Reported, id: str) -> None:
    """Refuse whoever is not the owner of a report, and where there is none yet."""
    if kind == "check":
        ensure_done(find_check(connection, caller, id, own=True))
    else:
        ensure_done(find_batch(connection, caller, id, own=True))


def list_links(connection: Connection, caller: Caller, kind: Reported, id: str) -> list[ReportLink]:
    """Those of a report of the caller's own, the newest first."""
    if kind == "check":
        find_check(connection, caller, id, own=True)
    else:
        find_batch(connection, caller, id, own=True)
    return _read(connection, _of(kind, id), links.c.user_id == caller.id)


def find_link(connection: Connection, caller: Caller, id: str) -> ReportLink:
    """One that the caller has made."""
    found = _read(connection, links.c.id == id, links.c.user_id == caller.id)
    if not found:
        raise not_found("server.noun_link")
    return found[0]


def _of(kind: Reported, id: str) -> ColumnElement[bool]:
    return links.c.check_id == id if kind == "check" else links.c.batch_id == id


def _read(connection: Connection, *conditions: ColumnElement[bool]) -> list[ReportLink]:
    column = links.c
    counted = (
        select(
            openings.c.link_id,
            func.count().label("openings"),
            func.max(openings.c.on).label("opened_on"),
        )
        .group_by(openings.c.link_id)
        .subquery()
    )
    own = ("id", "check_id", "batch_id", "user_id", "made_on", "ends_on", "revoked_on")
    more = ("recipient", "recipient_id", "email", "is_commission")
    rows = connection.execute(
        select(
            *(column[name] for name in (*own, *more)),
            users.c.name.label("colleague"),
            func.coalesce(counted.c.openings, 0).label("openings"),
            counted.c.opened_on,
        )
        .select_from(
            links.outerjoin(users, users.c.id == column.recipient_id).outerjoin(
                counted, counted.c.link_id == column.id
            )
        )
        .where(*conditions)
        .order_by(column.made_on.desc(), column.id)
    ).mappings()
    return [ReportLink(**row) for row in rows]


def revoke_link(context: ServerContext, caller: Caller, id: str) -> ReportLink:
    """It opens nothing from now on; who opened it stays known."""
    with context.store.beside() as connection:
        link = find_link(connection, caller, id)
        if link.revoked_on is None:
            revoked = update(links).where(links.c.id == id)
            connection.execute(revoked.values(revoked_on=utc_now()))
            target = link.check_id or link.batch_id
            audit.record_act(connection, caller, "report link revoked", target, link=id)
        return find_link(connection, caller, id)


def list_openings(
    connection: Connection, caller: Caller, id: str, limit: int, offset: int
) -> tuple[list[dict[str, Any]], int]:
    """Who opened a link of the caller's, the newest first, and how often it was."""
    find_link(connection, caller, id)
    column = openings.c
    count = select(func.count()).select_from(openings).where(column.link_id == id)
    rows = connection.execute(
        select(column.id, column.on, users.c.shown_name.label("person"), column.address)
        .select_from(openings.outerjoin(users, users.c.id == column.user_id))
        .where(column.link_id == id)
        .order_by(column.on.desc(), column.id)
        .limit(limit)
        .offset(offset)
    ).mappings()
    return [dict(row) for row in rows], int(connection.execute(count).scalar_one())
