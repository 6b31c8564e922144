"""A new password by a link in a mail, for whoever has forgotten the old one.

The answer is the same, and comes as soon, whether anybody has the name or not: who it is is looked
for by the thread that sends the mail. A link is good once and for half an hour; only its hash is
kept. The address of the link is the configured one: what a request says of the host is not used.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from sqlalchemy import Connection, delete, func, insert, select, update

from likewise.server.context import ServerContext, utc_now
from likewise.server.database import tables
from likewise.server.http.addresses import network_of
from likewise.server.people import audit
from likewise.server.people.login import ensure_passwords_allowed, locked_out
from likewise.server.people.login_throttle import try_address, try_request
from likewise.server.people.mail import MailTemplate, compose_mail, mailer_of, sends_mail
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

GOOD_MINUTES = 30
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
    mailer_of(context).post(lambda: _send_links(context, name_or_address, address, language))


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
    letter: MailTemplate,
    *,
    to: str | None = None,
    by: str = "",
) -> None:
    """Write to a person about the account, where there is mail and an address."""
    address = to or person.email
    if not sends_mail(context.config) or not address:
        return
    link = context.config.public_url.rstrip("/") + "/profile"
    subject, text = compose_mail(letter, person.language, name=person.name, by=by, link=link)
    mailer = mailer_of(context)
    mailer.post(lambda: mailer.send(address, subject, text))


def delete_ended_resets(connection: Connection) -> int:
    """Drop links that are good for nothing any more."""
    is_obsolete = resets.c.ends_on < utc_now() - timedelta(days=1)
    return connection.execute(delete(resets).where(is_obsolete)).rowcount


def _send_links(
    context: ServerContext, name_or_address: str, address: str, language: str | None
) -> None:
    now, letters = utc_now(), []
    with context.store.beside() as connection:
        for person in _find_people(connection, name_or_address):
            recent = select(func.count()).where(
                resets.c.user_id == person.id, resets.c.made_on > now - SPELL
            )
            if connection.execute(recent).scalar_one() >= MOST_OF_NAME:
                continue  # asked for by name and by address in turn
            token = secrets.token_urlsafe(32)
            ends_on = now + timedelta(minutes=GOOD_MINUTES)
            connection.execute(
                insert(resets).values(
                    hash=_hash(token), user_id=person.id, made_on=now, ends_on=ends_on
                )
            )
            act = "password link asked for"
            audit.record_act_of(connection, None, None, address, act, person.name)
            letters.append((person, token))
    for person, token in letters:
        # Behind the # it stays in the browser: no log of a proxy and no Referer has it.
        link = f"{context.config.public_url.rstrip('/')}/new-password#{token}"
        own_language = person.language or language
        subject, text = compose_mail(
            "reset link", own_language, name=person.name, minutes=GOOD_MINUTES, link=link
        )
        mailer_of(context).send(str(person.email), subject, text)


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
