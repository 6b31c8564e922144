"""What people handed in, were shown and decided: found for an erasure, and erased from its tables.

A submission goes with its check. What others wrote, and that somebody decided, stays without the
name: an institution must be able to show that there was a decision.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, delete, or_, select, update

from likewise.library import schema
from likewise.library.erasure import ERASED_PERSON, HandedIn
from likewise.library.metadata import fold_name
from likewise.library.store import now
from likewise.report.redaction import redact_text
from likewise.server.database import tables

users, submissions, self_checks = tables.users, tables.submissions, tables.self_checks
links, openings = tables.report_links, tables.report_link_openings
decisions, mail = tables.commission_decisions, tables.mail_queue

_AT_ONCE = 500


def find_people(connection: Connection, is_meant: Callable[[str], bool]) -> set[str]:
    """How people without an account are spelled where something was handed in, or shown to them."""
    names: set[str] = set()
    for column in (submissions.c.student, links.c.recipient, tables.audit_people.c.name):
        query = select(column).where(column.is_not(None)).distinct()
        if column.table is tables.audit_people:
            query = query.where(tables.audit_people.c.user_id.is_(None))
        names |= set(connection.execute(query).scalars())
    return {name for name in names if is_meant(name)}


def find_handed_in(
    connection: Connection, accounts: Sequence[str], people: Collection[str]
) -> HandedIn:
    """What accounts and people handed in: its checks, and the bytes that nobody else has."""
    ids = _ids(connection, accounts)
    own = _theirs(ids, people)
    columns = (submissions.c.sha256, submissions.c.check_id, submissions.c.student)
    rows = connection.execute(select(*columns, submissions.c.user_id).where(own)).all()
    hashes = {bytes(row.sha256) for row in rows}
    query = select(self_checks.c.sha256).where(self_checks.c.user_id.in_(ids))
    hashes |= {bytes(one) for one in connection.execute(query).scalars()}
    shown = select(users.c.shown_name).where(users.c.id.in_(ids))
    authors = {row.student for row in rows} | set(connection.execute(shown).scalars())
    document = schema.documents.c
    documents: set[int] = set()
    shared: set[bytes] = set()
    for some in _parts(hashes):
        others = select(submissions.c.sha256).where(submissions.c.sha256.in_(some), ~own)
        shared |= {bytes(one) for one in connection.execute(others).scalars()}
        stored = select(document.id, document.sha256, document.author, document.owner)
        for row in connection.execute(stored.where(document.sha256.in_(some))):
            if row.owner in accounts or row.author in authors:
                documents.add(row.id)
            else:
                shared.add(bytes(row.sha256))
    return HandedIn(
        documents=tuple(sorted(documents)),
        sha256s=frozenset(one.hex() for one in hashes - shared),
        rows=frozenset(row.check_id for row in rows if row.check_id is not None),
    )


def _ids(connection: Connection, accounts: Sequence[str]) -> list[str]:
    query = select(users.c.id).where(users.c.name.in_(list(accounts)))
    return list(connection.execute(query).scalars())


def _theirs(ids: Collection[str], people: Collection[str]) -> Any:
    return or_(submissions.c.user_id.in_(sorted(ids)), submissions.c.student.in_(sorted(people)))


def _parts(hashes: Collection[bytes]) -> Iterable[list[bytes]]:
    ordered = sorted(hashes)
    for start in range(0, len(ordered), _AT_ONCE):
        yield ordered[start : start + _AT_ONCE]


def erase_people(
    connection: Connection,
    people: Collection[str],
    account: str | None = None,
    names: Collection[str] = (),
) -> dict[str, int]:
    """Delete what people handed in, and take their names out of what others keep.

    `account` is the id of an account that is about to be deleted, with all that goes with it, and
    `names` are its own: others may be called so too, and keep what they have handed in.
    """
    ids = [] if account is None else [account]
    folded = {fold_name(name) for name in (*people, *names)}
    counts = {"submissions": 0, "self_checks": 0, "links": 0, "decisions": 0, "mail": 0}
    counts["submissions"] = connection.execute(
        delete(submissions).where(_theirs(ids, people))
    ).rowcount
    query = select(users.c.email).where(users.c.id.in_(ids), users.c.email.is_not(None))
    addresses = set(connection.execute(query).scalars())
    if account is not None:
        own = delete(self_checks).where(self_checks.c.user_id == account)
        counts["self_checks"] = connection.execute(own).rowcount
        made = update(links).where(links.c.user_id == account, links.c.revoked_on.is_(None))
        connection.execute(made.values(revoked_on=now()))
        opened = update(openings).where(openings.c.user_id == account)
        connection.execute(opened.values(address=None))
    counts["links"] = _forget_recipients(connection, ids, folded, addresses)
    counts["decisions"] = _forget_deciders(connection, ids, people)
    counts["mail"] = _delete_mail(connection, ids, folded, addresses)
    return counts


def _forget_recipients(
    connection: Connection, ids: Collection[str], folded: Collection[str], addresses: set[str]
) -> int:
    """Links that were made for somebody lead nowhere, and name nobody; what was opened stays."""
    count = 0
    columns = (links.c.id, links.c.recipient, links.c.recipient_id, links.c.email)
    for row in connection.execute(select(*columns)).all():
        is_theirs = row.recipient_id in ids or fold_name(row.recipient) in folded
        if not is_theirs and (row.email is None or row.email not in addresses):
            continue
        gone = update(links).where(links.c.id == row.id)
        nobody = {"recipient": ERASED_PERSON, "recipient_id": None, "email": None}
        connection.execute(gone.values(**nobody))
        living = gone.where(links.c.revoked_on.is_(None))
        connection.execute(living.values(revoked_on=now()))
        of_link = update(openings).where(openings.c.link_id == row.id)
        connection.execute(of_link.values(address=None))
        count += 1
    return count


def _forget_deciders(connection: Connection, ids: Collection[str], people: Collection[str]) -> int:
    """That a commission decided, and what, stays; who it was and what they wrote does not."""
    column = decisions.c
    theirs = or_(column.user_id.in_(sorted(ids)), column.user_name.in_(sorted(people)))
    rows = connection.execute(select(column.id, column.comment).where(theirs)).all()
    for row in rows:
        nobody = {"user_name": ERASED_PERSON, "user_id": None, "comment": redact_text(row.comment)}
        connection.execute(update(decisions).where(column.id == row.id).values(**nobody))
    return len(rows)


def _delete_mail(
    connection: Connection, ids: Collection[str], folded: Collection[str], addresses: set[str]
) -> int:
    """Mail to them, and about them, whether it was sent or waits."""
    count = 0
    columns = (mail.c.id, mail.c.user_id, mail.c.to, mail.c["values"])
    for row in connection.execute(select(*columns)).all():
        is_to = row.user_id in ids or row.to in addresses or fold_name(row.to) in folded
        if is_to or _names_any(json.loads(row[3]), folded):
            connection.execute(delete(mail).where(mail.c.id == row.id))
            count += 1
    return count


def _names_any(value: Any, folded: Collection[str]) -> bool:
    if isinstance(value, str):
        return fold_name(value) in folded
    if isinstance(value, dict):
        return any(_names_any(one, folded) for one in value.values())
    return isinstance(value, list) and any(_names_any(one, folded) for one in value)


def count_people(
    connection: Connection, people: Collection[str], account: str | None = None
) -> dict[str, int]:
    """How many rows `erase_people` would delete."""
    ids = [] if account is None else [account]
    own = connection.execute(select(submissions.c.id).where(_theirs(ids, people))).all()
    asked = connection.execute(select(self_checks.c.id).where(self_checks.c.user_id.in_(ids))).all()
    return {"submissions": len(own), "self_checks": len(asked)}
