"""Whose account it is that a provider vouches for.

By the subject that the provider knows the person by. Who comes for the first time is found by an
address of mail, if both sides have seen that it is the person's: the provider, for a domain that
it may vouch for, and we. Else whoever registered first with somebody's address would be handed the
account of that person later. No account is ever found by its name.
"""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, insert, select, update

from likewise.server.context import utc_now
from likewise.server.database import tables
from likewise.server.login_providers.options import claim_at
from likewise.server.login_providers.service import LoginProvider
from likewise.server.mail.addresses import is_address
from likewise.server.people import audit
from likewise.server.people.users import (
    LONGEST,
    SHORTEST,
    Person,
    change_person,
    fold_name,
    insert_person,
    person_by_id,
    users,
)
from likewise.server.problems import Problem
from likewise.server.shapes import clean_line

identities = tables.identities

_MOST_NAMES = 1_000  # that are tried for a new account


def identity_of(
    connection: Connection, provider: LoginProvider, subject: str
) -> tuple[str, str] | None:
    """The identity that a provider vouches for, and whose it is."""
    row = connection.execute(
        select(identities.c.id, identities.c.user_id).where(
            identities.c.provider_id == provider.id, identities.c.subject == subject
        )
    ).first()
    return None if row is None else (row.id, row.user_id)


def let_in(
    connection: Connection, provider: LoginProvider, claims: Mapping[str, Any], address: str
) -> tuple[Person, str]:
    """The person of some claims, with the role that they give, and the identity."""
    known = identity_of(connection, provider, claims["sub"])
    person = None if known is None else person_by_id(connection, known[1])
    if known is not None and person is not None:
        identity = known[0]
        _ensure_active(person)
        person = _give_role(connection, provider, claims, person)
        column = identities.c
        connection.execute(
            update(identities).where(column.id == identity).values(used_on=utc_now())
        )
    else:
        person = _find_or_add(connection, provider, claims, address)
        identity = add_identity(connection, provider, claims["sub"], person, address)
    _note_address(connection, provider, claims, person)
    return person, identity


def add_identity(
    connection: Connection, provider: LoginProvider, subject: str, person: Person, address: str
) -> str:
    """From now on this provider vouches for this account."""
    identity, now = secrets.token_hex(12), utc_now()
    connection.execute(
        insert(identities).values(
            id=identity,
            user_id=person.id,
            provider_id=provider.id,
            subject=subject,
            made_on=now,
            used_on=now,
        )
    )
    act = "identity linked"
    audit.record_act_of(
        connection, person.id, person.name, address, act, person.name, provider=provider.name
    )
    return identity


def vouched_address(provider: LoginProvider, claims: Mapping[str, Any]) -> str | None:
    """The address of mail in some claims, if the provider may say whose it is, and does."""
    options, given = provider.options, claims.get("email")
    is_verified = claims.get("email_verified") in (True, "true") or options.vouches_for_addresses
    if not isinstance(given, str) or not is_verified:
        return None
    address = fold_name(given)
    domain = address.rpartition("@")[2]
    return address if is_address(address) and domain in options.domains else None


def _find_or_add(
    connection: Connection, provider: LoginProvider, claims: Mapping[str, Any], address: str
) -> Person:
    options, mail = provider.options, vouched_address(provider, claims)
    if options.links_by_address and mail is not None:
        query = select(users.c.id).where(
            users.c.email == mail, users.c.email_verified_on.is_not(None)
        )
        ids = list(connection.execute(query.limit(2)).scalars())
        if len(ids) > 1:
            raise Problem("not allowed", "server.login_ambiguous")
        person = person_by_id(connection, ids[0]) if ids else None
        if person is not None:
            _ensure_active(person)
            return _give_role(connection, provider, claims, person)
    if not options.adds_people:
        raise Problem("not allowed", "server.login_no_account")
    if options.domains and mail is None:
        raise Problem("not allowed", "server.login_domain")
    return _add(connection, provider, claims, mail, address)


def _add(
    connection: Connection,
    provider: LoginProvider,
    claims: Mapping[str, Any],
    mail: str | None,
    address: str,
) -> Person:
    role = provider.options.role_of(claims)
    if role is None:
        raise Problem("not allowed", "server.login_no_role")
    shown = claims.get("name")
    for name in _names(provider, claims, mail):
        person = insert_person(
            connection,
            name,
            "",  # no password is right
            role=role,
            shown_name=shown if isinstance(shown, str) else "",
            email=mail,
            email_verified_on=None if mail is None else utc_now(),
        )
        if person is not None:
            act = "person added"
            audit.record_act_of(
                connection, None, None, address, act, name, role=role, provider=provider.name
            )
            return person
    raise Problem("conflict", "server.login_no_name")


def _names(provider: LoginProvider, claims: Mapping[str, Any], mail: str | None) -> list[str]:
    """What a new account may be called: as the provider says, else with a number."""
    given = claim_at(claims, provider.options.name_claim)
    text = given if isinstance(given, str) and given else mail or ""
    stem = fit_name(text.partition("@")[0]) or "person"
    numbered = [f"{stem[: LONGEST - 4]}{number}" for number in range(2, _MOST_NAMES)]
    return [stem, *numbered] if len(stem) >= SHORTEST else numbered


def fit_name(text: str) -> str:
    """A name to log in by, made of what somebody else calls a person.

    >>> fit_name("Aigul Nur!"), fit_name("--")
    ('aigul.nur', '')
    """
    folded = unicodedata.normalize("NFKC", clean_line(text, LONGEST)).casefold().strip()
    kept = "".join(c if c.isalnum() or c in "._-" else "." if c.isspace() else "" for c in folded)
    return kept.strip("._-")[:LONGEST]


def _give_role(
    connection: Connection, provider: LoginProvider, claims: Mapping[str, Any], person: Person
) -> Person:
    """What the claims of today say; where they say nothing of roles, the account's own stays.

    Who is an administrator by our own word stays one where the provider does not speak of them.
    """
    options = provider.options
    if not options.role_claim:
        return person
    role = options.role_of(claims)
    if role is None:
        raise Problem("not allowed", "server.login_no_role")
    if role == person.role:
        return person
    if person.role == "administrator" and not options.maps_administrators:
        return person
    try:
        return change_person(connection, None, person.id, {"role": role})
    except Problem as problem:
        if problem.message.key != "server.last_administrator":
            raise
        return person  # somebody must be able to set it right


def _note_address(
    connection: Connection, provider: LoginProvider, claims: Mapping[str, Any], person: Person
) -> None:
    """That the address which an account has is seen to be the person's."""
    mail = vouched_address(provider, claims)
    if mail is None:
        return
    unseen = (users.c.id == person.id, users.c.email == mail, users.c.email_verified_on.is_(None))
    connection.execute(update(users).where(*unseen).values(email_verified_on=utc_now()))


def _ensure_active(person: Person) -> None:
    if not person.is_active:
        raise Problem("not allowed", "server.login_deactivated")
