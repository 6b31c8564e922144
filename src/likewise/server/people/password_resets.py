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
from likewise.server.people.login import locked_out
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
    site: ServerContext, asked: str, address: str, language: str | None = None
) -> None:
    """Send a link to whoever has a name or mail address, if anybody has."""
    _ensure_mail(site)
    wanted = fold_name(asked)
    with site.store.beside() as connection:
        network = network_of(address)
        wait = try_request(connection, f"reset from {network}", MOST_FROM_ADDRESS, SPELL)
        wait = wait or try_request(connection, f"reset of {wanted}", MOST_OF_NAME, SPELL)
    if wait:
        minutes = -(-wait // 60)
        raise Problem("locked out", "server.reset_often", details={"retry_after": wait}, n=minutes)
    mailer_of(site).post(lambda: _send_links(site, wanted, address, language))


def use_reset(site: ServerContext, token: str, password: str, address: str) -> None:
    """Set a password by the token of a link; all sessions end, and other links too."""
    _ensure_mail(site)
    settings, wait = site.settings, 0
    with site.store.beside() as connection:
        person = _person_by_token(connection, token)
        if person is None:
            wait = try_address(connection, "reset link", address, settings)
    if wait:
        raise locked_out(wait)
    if person is None:
        raise Problem("bad request", "server.reset_link")
    ensure_strong(password, person.name, settings.least_password_length)
    hashed, moment = hash_password(password), utc_now()
    with site.store.beside() as connection:
        column = resets.c
        living = (column.hash == _hash(token), column.used_on.is_(None), column.ends_on > moment)
        # Of two at once one finds it unused: PostgreSQL looks again after waiting.
        if connection.execute(update(resets).where(*living).values(used_on=moment)).rowcount != 1:
            raise Problem("bad request", "server.reset_link")
        others = update(resets).where(column.user_id == person.id, column.used_on.is_(None))
        connection.execute(others.values(used_on=moment))
        why: Why = "password reset by mail"
        set_password(
            connection, None, person.id, hashed, why=why, must_change=False, is_noted=False
        )
        audit.record_act_of(connection, person.id, person.name, address, why, person.name)
    delete_retired_password_file(site)
    notify(site, person, "password changed")


def notify(
    site: ServerContext,
    person: Person,
    letter: MailTemplate,
    *,
    to: str | None = None,
    by: str = "",
) -> None:
    """Write to a person about the account, where there is mail and an address."""
    address = to or person.email
    if not sends_mail(site.config) or not address:
        return
    link = site.config.public_url.rstrip("/") + "/profile"
    subject, text = compose_mail(letter, person.language, name=person.name, by=by, link=link)
    mailer = mailer_of(site)
    mailer.post(lambda: mailer.send(address, subject, text))


def delete_ended_resets(connection: Connection) -> int:
    """Drop links that are good for nothing any more."""
    gone = resets.c.ends_on < utc_now() - timedelta(days=1)
    return connection.execute(delete(resets).where(gone)).rowcount


def _send_links(site: ServerContext, wanted: str, address: str, language: str | None) -> None:
    moment, letters = utc_now(), []
    with site.store.beside() as connection:
        for person in _find_people(connection, wanted):
            recent = select(func.count()).where(
                resets.c.user_id == person.id, resets.c.made_on > moment - SPELL
            )
            if connection.execute(recent).scalar_one() >= MOST_OF_NAME:
                continue  # asked for by name and by address in turn
            token = secrets.token_urlsafe(32)
            ends_on = moment + timedelta(minutes=GOOD_MINUTES)
            connection.execute(
                insert(resets).values(
                    hash=_hash(token), user_id=person.id, made_on=moment, ends_on=ends_on
                )
            )
            act = "password link asked for"
            audit.record_act_of(connection, None, None, address, act, person.name)
            letters.append((person, token))
    for person, token in letters:
        # Behind the # it stays in the browser: no log of a proxy and no Referer has it.
        link = f"{site.config.public_url.rstrip('/')}/new-password#{token}"
        chosen = person.language or language
        subject, text = compose_mail(
            "reset link", chosen, name=person.name, minutes=GOOD_MINUTES, link=link
        )
        mailer_of(site).send(str(person.email), subject, text)


def _find_people(connection: Connection, wanted: str) -> list[Person]:
    """Active people with an address, by name or by address."""
    is_meant = (users.c.name == wanted) | (users.c.email == wanted)
    query = select(*COLUMNS).where(is_meant, users.c.is_active, users.c.email.is_not(None))
    rows = connection.execute(query.order_by(users.c.name).limit(MOST_ALIKE)).mappings()
    return [Person(**row) for row in rows]


def _person_by_token(connection: Connection, token: str) -> Person | None:
    column = resets.c
    living = (column.hash == _hash(token), column.used_on.is_(None))
    query = select(column.user_id).where(*living, column.ends_on > utc_now())
    user = connection.execute(query).scalar()
    found = None if user is None else person_by_id(connection, user)
    return found if found is not None and found.is_active else None


def _ensure_mail(site: ServerContext) -> None:
    if not sends_mail(site.config):
        raise Problem("not allowed", "server.no_mail")


def _hash(token: str) -> bytes:
    """Tokens are random enough to need no salt."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
