"""Links in letters: sent to whom they are for; their makers are told what becomes of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, select, update

from likewise.catalogue import Words
from likewise.languages import codes
from likewise.server.context import ServerContext, utc_now
from likewise.server.database import tables
from likewise.server.links.service import PAGE, hash_of, links, new_token, users
from likewise.server.mail.addresses import sends_mail
from likewise.server.mail.kinds import choice_of
from likewise.server.mail.queue import Mail, enqueue_mail

SOON = timedelta(days=3)


def prepare_link(
    context: ServerContext, connection: Connection, mail: Mail
) -> Mapping[str, Any] | None:
    """A new token for a link, which the letter alone has; none where it is good no more.

    Of two attempts the link of the last one is good.
    """
    row = connection.execute(
        select(links, users.c.shown_name)
        .select_from(links.join(users, users.c.id == links.c.user_id))
        .where(
            links.c.id == mail.values["link_id"],
            links.c.revoked_on.is_(None),
            links.c.ends_on > utc_now(),
            users.c.is_active,
        )
    ).first()
    if row is None:
        return None
    token = new_token(is_personal=row.recipient_id is not None)
    if mail.user_id != row.user_id and row.recipient_id is None:
        return None  # the colleague whom it was for is gone
    connection.execute(update(links).where(links.c.id == row.id).values(hash=hash_of(token)))
    address = context.config.public_url.rstrip("/") + PAGE
    day = _words(mail.language).day(row.ends_on.isoformat())
    return {"link": f"{address}#{token}", "by": row.shown_name, "day": day}


def tell_of_endings(context: ServerContext) -> int:
    """Tell those who made links that these end within three days; each of them once.

    One letter for all links of a person that end soon. A link that was made for a few days is not
    told of.
    """
    now, told = utc_now(), 0
    with context.store.beside() as connection:
        column = links.c
        rows = connection.execute(
            select(
                *(column.id, column.check_id, column.batch_id, column.ends_on, column.made_on),
                *(column.user_id, users.c.email, users.c.language, users.c.mail_kinds),
            )
            .select_from(links.join(users, users.c.id == column.user_id))
            .where(
                column.told_on.is_(None),
                column.revoked_on.is_(None),
                column.ends_on > now,
                column.ends_on <= now + SOON,
                users.c.is_active,
            )
            .order_by(column.ends_on, column.id)
        ).all()
        by_person: dict[str, list[Any]] = defaultdict(list)
        for row in rows:
            once = update(links).where(column.id == row.id, column.told_on.is_(None))
            if connection.execute(once.values(told_on=now)).rowcount != 1:
                continue  # another server was quicker
            if row.email and choice_of(row.mail_kinds).links and row.ends_on - row.made_on > SOON:
                by_person[row.user_id].append(row)
        for person, ending in by_person.items():
            first = ending[0]
            told += enqueue_mail(
                connection,
                "link ending",
                first.email,
                user=person,
                language=first.language,
                key=f"link ending {first.id}",
                n=len(ending),
                day=_words(first.language).day(first.ends_on.isoformat()),
                link=context.config.public_url.rstrip("/") + _page_of(first),
            )
    return told


def tell_of_decision(
    context: ServerContext, connection: Connection, id: str, decision: str, *, by: str
) -> None:
    """Tell the owner of a check that a commission decided; what and why stands in the report."""
    column = users.c
    query = (
        select(column.id, column.email, column.language, column.mail_kinds)
        .join_from(users, tables.checks)
        .where(tables.checks.c.id == id, column.is_active, column.email.is_not(None))
    )
    owner = connection.execute(query).first()
    if owner is None or not sends_mail(context.config) or not choice_of(owner.mail_kinds).decisions:
        return
    enqueue_mail(
        connection,
        "decision",
        owner.email,
        user=owner.id,
        language=owner.language,
        key=f"decision {decision}",
        by=by,
        link=f"{context.config.public_url.rstrip('/')}/checks/{id}",
    )


def _page_of(row: Any) -> str:
    return f"/checks/{row.check_id}" if row.check_id else f"/classes/{row.batch_id}"


def _words(language: str | None) -> Words:
    return Words(language if language in codes() else "en")
