"""A new password by a link in a mail, for whoever has forgotten the old one.

The answer is the same, and comes as soon, whether anybody has the name or not: who it is is looked
for by a thread of its own. A link is made when its letter is sent, is good once and for half an
hour, or for some days where it invites; only its hash is kept. The address of the link is the
configured one: what a request says of the host is not used.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Literal

from sqlalchemy import Connection, delete, insert, select, update

from likewise.server.context import ServerContext, utc_now
from likewise.server.database import tables
from likewise.server.http.addresses import network_of
from likewise.server.mail.addresses import sends_mail
from likewise.server.mail.background import background_of
from likewise.server.mail.queue import Mail, count_since, enqueue_mail
from likewise.server.people import audit
from likewise.server.people.login import ensure_passwords_allowed, locked_out
from likewise.server.people.login_throttle import try_address, try_request
from likewise.server.people.passwords import (
    delete_retired_password_file,
    ensure_strong,
    hash_password,
)
from likewise.server.people.sessions import Why
from likewise.server.people.users import (
    COLUMNS,
    Person,
    fold_name,
    person_by_id,
    set_password,
    users,
)
from likewise.server.problems import Problem

resets = tables.password_resets

GOOD_MINUTES, INVITED_DAYS = 30, 7
SPELL = timedelta(hours=1)
MOST_OF_NAME, MOST_FROM_ADDRESS = 3, 20  # requests in a spell
MOST_ALIKE = 5  # people who share an address of mail


def request_reset(
    context: ServerContext, request: str, address: str, language: str | None = None
) -> None:
    """Send a link to whoever has a name or mail address, if anybody has."""
    ensure_passwords_allowed(context)
    _ensure_mail(context)
    name_or_address = fold_name(request)
    with context.store.beside() as connection:
        network = network_of(address)
        wait = try_request(connection, f"reset from {network}", MOST_FROM_ADDRESS, SPELL)
        wait = wait or try_request(connection, f"reset of {name_or_address}", MOST_OF_NAME, SPELL)
    if wait:
        minutes = -(-wait // 60)
        raise Problem("locked out", "server.reset_often", details={"retry_after": wait}, n=minutes)
    background_of(context).post(lambda: _enqueue_links(context, name_or_address, address, language))


def use_reset(context: ServerContext, token: str, password: str, address: str) -> None:
    """Set a password by the token of a link; all sessions end, and other links too.

    Whoever holds the link has read mail to the address: it is known to be the person's.
    """
    ensure_passwords_allowed(context)
    _ensure_mail(context)
    settings, wait = context.settings, 0
    with context.store.beside() as connection:
        person = _person_by_token(connection, token)
        if person is None:
            wait = try_address(connection, "reset link", address, settings)
    if wait:
        raise locked_out(wait)
    if person is None:
        raise Problem("bad request", "server.reset_link")
    ensure_strong(password, person.name, settings.least_password_length)
    hashed, now = hash_password(password), utc_now()
    with context.store.beside() as connection:
        column = resets.c
        living = (column.hash == _hash(token), column.used_on.is_(None), column.ends_on > now)
        # Of two at once one finds it unused: PostgreSQL looks again after waiting.
        if connection.execute(update(resets).where(*living).values(used_on=now)).rowcount != 1:
            raise Problem("bad request", "server.reset_link")
        others = update(resets).where(column.user_id == person.id, column.used_on.is_(None))
        connection.execute(others.values(used_on=now))
        why: Why = "password reset by mail"
        set_password(
            connection, None, person.id, hashed, why=why, must_change=False, is_noted=False
        )
        is_same = (users.c.id == person.id, users.c.email == person.email)
        connection.execute(update(users).where(*is_same).values(email_verified_on=now))
        audit.record_act_of(connection, person.id, person.name, address, why, person.name)
    delete_retired_password_file(context)
    notify(context, person, "password changed")


def notify(
    context: ServerContext,
    person: Person,
    kind: Literal["password reset", "password changed", "address changed"],
    *,
    to: str | None = None,
    by: str = "",
) -> None:
    """Write to a person about the account, where there is mail and an address."""
    address = to or person.email
    if not sends_mail(context.config) or not address:
        return
    link: dict[str, Any] = {} if kind != "password reset" else {"link": _page(context, "/profile")}
    with context.store.beside() as connection:
        enqueue_mail(
            connection,
            kind,
            address,
            user=person.id,
            language=person.language,
            name=person.name,
            by=by,
            **link,
        )


def invite(context: ServerContext, connection: Connection, person: Person, by: str) -> None:
    """Send a link to a first password to whoever was given an account."""
    ensure_may_invite(context, person.email)
    enqueue_mail(
        connection,
        "invitation",
        str(person.email),
        user=person.id,
        language=person.language,
        name=person.name,
        by=by,
    )


def ensure_may_invite(context: ServerContext, address: str | None) -> None:
    """Refuse where no mail is sent, there is nowhere to send it, or no password lets in."""
    ensure_passwords_allowed(context)
    _ensure_mail(context)
    if not address:
        raise Problem("bad request", "server.invite_address")


def delete_ended_resets(connection: Connection) -> int:
    """Drop links that are good for nothing any more."""
    is_obsolete = resets.c.ends_on < utc_now() - timedelta(days=1)
    return connection.execute(delete(resets).where(is_obsolete)).rowcount


def _enqueue_links(
    context: ServerContext, name_or_address: str, address: str, language: str | None
) -> None:
    with context.store.beside() as connection:
        for person in _find_people(connection, name_or_address):
            since = utc_now() - SPELL
            if count_since(connection, "reset link", person.id, since) >= MOST_OF_NAME:
                continue  # asked for by name and by address in turn
            act = "password link asked for"
            audit.record_act_of(connection, None, None, address, act, person.name)
            own_language = person.language or language
            enqueue_mail(
                connection,
                "reset link",
                str(person.email),
                user=person.id,
                language=own_language,
                name=person.name,
            )


def prepare_reset(
    context: ServerContext, connection: Connection, mail: Mail
) -> Mapping[str, Any] | None:
    """A link that is good from now on; none for who is gone, or reads mail elsewhere now."""
    minutes = timedelta(minutes=GOOD_MINUTES)
    link = _make_link(context, connection, mail, minutes)
    return None if link is None else {"link": link, "n": GOOD_MINUTES}


def prepare_invitation(
    context: ServerContext, connection: Connection, mail: Mail
) -> Mapping[str, Any] | None:
    """The same, for longer."""
    link = _make_link(context, connection, mail, timedelta(days=INVITED_DAYS))
    return None if link is None else {"link": link, "n": INVITED_DAYS}


def _make_link(
    context: ServerContext, connection: Connection, mail: Mail, lasting: timedelta
) -> str | None:
    person = person_by_id(connection, mail.user_id or "")
    if person is None or not person.is_active or person.email != mail.to:
        return None
    token, now = secrets.token_urlsafe(32), utc_now()
    row = {"hash": _hash(token), "user_id": person.id, "made_on": now, "ends_on": now + lasting}
    connection.execute(insert(resets).values(**row))
    # Behind the # it stays in the browser: no log of a proxy and no Referer has it.
    return _page(context, f"/new-password#{token}")


def _page(context: ServerContext, path: str) -> str:
    return context.config.public_url.rstrip("/") + path


def _find_people(connection: Connection, name_or_address: str) -> list[Person]:
    """Active people with an address, by name or by address; not those without a password."""
    is_named = (users.c.name == name_or_address) | (users.c.email == name_or_address)
    has_both = (users.c.email.is_not(None), users.c.password != "")
    query = select(*COLUMNS).where(is_named, users.c.is_active, *has_both)
    rows = connection.execute(query.order_by(users.c.name).limit(MOST_ALIKE)).mappings()
    return [Person(**row) for row in rows]


def _person_by_token(connection: Connection, token: str) -> Person | None:
    column = resets.c
    living = (column.hash == _hash(token), column.used_on.is_(None))
    query = select(column.user_id).where(*living, column.ends_on > utc_now())
    user = connection.execute(query).scalar()
    person = None if user is None else person_by_id(connection, user)
    return person if person is not None and person.is_active else None


def _ensure_mail(context: ServerContext) -> None:
    if not sends_mail(context.config):
        raise Problem("not allowed", "server.no_mail")


def _hash(token: str) -> bytes:
    """Tokens are random enough to need no salt."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
