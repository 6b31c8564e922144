"""An account erased with all its own; what it did to others' things stays, without a name."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from sqlalchemy import Connection, delete, func, insert, or_, select, update

from likewise.errors import BadInput
from likewise.library import schema
from likewise.library.erasure import ERASED_PERSON, Receipt
from likewise.report.redaction import redact_text
from likewise.server.database import tables
from likewise.server.database.campus_owners import another_administrator, hand_over_classes
from likewise.server.database.erase_campus import count_people, erase_people
from likewise.server.database.erase_jobs import erase_people_from_records, names_of_account

users, collections = tables.users, tables.collections
jobs, uploads = tables.jobs, tables.uploads
confirmations, exclusions = tables.check_confirmations, tables.check_exclusions
comments = tables.check_comments
guesses, key_values, erasures = tables.guesses, schema.key_values, schema.erasures

NOTICES_SEEN = "server.notices seen:"  # and an account's id
REMOVED_PERSON = "server.removed person:"  # and a hash of the name, which is never given again
_OF_ACCOUNTS = {
    "sessions": tables.sessions,
    "api_keys": tables.api_keys,
    "checks_deleted": tables.checks,
    "batches_deleted": tables.batches,
    "uploads": tables.uploads,
    "jobs": tables.jobs,
}


def ensure_erasable(connection: Connection, user: str, by: str | None = None) -> None:
    """Refuse to erase somebody who is not there, oneself, or the last administrator."""
    row = connection.execute(select(users.c.id, users.c.role).where(users.c.name == user)).first()
    if row is None:
        raise BadInput("library.no_such_user")
    if row.id == by:
        raise BadInput("library.erase_yourself")
    others = (
        select(func.count())
        .select_from(users)
        .where(users.c.role == "administrator", users.c.is_active, users.c.id != row.id)
    )
    if row.role == "administrator" and not connection.execute(others).scalar_one():
        raise BadInput("library.last_administrator")


def documents_of_account(connection: Connection, user: str) -> list[int]:
    """The documents in collections that nobody else may see."""
    document = schema.documents.c
    owned = (
        select(collections.c.id)
        .join_from(collections, users, collections.c.owner_id == users.c.id)
        .where(users.c.name == user, ~collections.c.is_shared)
    )
    query = select(document.id).where(document.collection.in_(owned))
    return list(connection.execute(query).scalars())


def count_account(connection: Connection, user: str) -> dict[str, int]:
    """How many rows belong to an account."""
    id = connection.execute(select(users.c.id).where(users.c.name == user)).scalar()
    if id is None:
        return {}
    counts = {"accounts": 1}
    for what, table in _OF_ACCOUNTS.items():
        query = select(func.count()).select_from(table).where(table.c.user_id == id)
        counts[what] = int(connection.execute(query).scalar_one())
    owned = (
        select(func.count())
        .select_from(collections)
        .where(collections.c.owner_id == id, ~collections.c.is_shared)
    )
    counts["collections"] = int(connection.execute(owned).scalar_one())
    return counts | count_people(connection, (), id)


def erase_account(
    connection: Connection, user: str, *, heir: str | None = None, own: str | None = None
) -> dict[str, int]:
    """Delete a person with sessions, keys, checks, batches, uploads, jobs and private collections.

    Shared collections go to the `heir`, an administrator, or nobody could change them any more.
    `own` is the job that erases.
    """
    id = connection.execute(select(users.c.id).where(users.c.name == user)).scalar()
    if id is None:  # removed before, and only named in records
        return erase_people_from_records(connection, [user])
    names = names_of_account(connection, user)
    # Students' works are not the teacher's to be erased.
    hand_over_classes(connection, id, keeper=heir or another_administrator(connection, id))
    counts = count_account(connection, user)
    counts["comments"] = _forget_comments(connection, id, names)
    counts |= erase_people(connection, (), id, names)
    mine = collections.c.owner_id == id
    connection.execute(delete(collections).where(mine, ~collections.c.is_shared))
    connection.execute(update(collections).where(mine).values(owner_id=heir))
    theirs = (jobs.c.user_id == id, jobs.c.id != (own or ""))
    connection.execute(
        update(jobs)
        .where(*theirs, jobs.c.state == "running")
        .values(is_unwanted=True, request="{}", error=None, outcome=None)
    )
    connection.execute(delete(jobs).where(*theirs, jobs.c.state != "running"))
    counted = erase_people_from_records(connection, names, id)
    connection.execute(delete(users).where(users.c.id == id))
    connection.execute(
        update(erasures)
        .where(or_(erasures.c.user_id == id, erasures.c.user_name == user))
        .values(user_name=ERASED_PERSON)
    )
    connection.execute(delete(key_values).where(key_values.c.key == NOTICES_SEEN + id))
    hashed = hashlib.sha256(user.encode("utf-8", "surrogatepass")).hexdigest()
    of = guesses.c.of  # the name's own row, and those of the networks that tried it
    connection.execute(
        delete(guesses).where(or_(of == f"name {hashed}", of.startswith(f"name {hashed} ")))
    )
    _remember_name(connection, hashed)
    return counts | counted


def _forget_comments(connection: Connection, id: str, names: tuple[str, ...]) -> int:
    """Under others' reports stays that somebody agreed, commented, or took something out."""
    counted = 0
    texts = ((confirmations, "comment"), (exclusions, "reason"), (comments, "comment"))
    for table, text in texts:
        query = select(table.c.id, table.c[text]).where(
            or_(table.c.user_id == id, table.c.user_name.in_(names))
        )
        for row_id, comment in connection.execute(query).all():
            values = {"user_name": ERASED_PERSON, "user_id": None, text: redact_text(comment)}
            connection.execute(update(table).where(table.c.id == row_id).values(**values))
            counted += 1
    return counted


def _remember_name(connection: Connection, hashed: str) -> None:
    """That a name was used, without keeping it."""
    key = REMOVED_PERSON + hashed
    there = connection.execute(select(key_values.c.key).where(key_values.c.key == key)).first()
    if there is None:
        connection.execute(insert(key_values).values(key=key, value=""))


def accounts_again(connection: Connection, receipts: Sequence[Receipt]) -> list[str]:
    """Accounts that were erased earlier and have come back, or are named in the log again."""
    column = tables.audit_people.c
    named = connection.execute(select(column.name).where(column.user_id.is_(None))).scalars().all()
    names = connection.execute(select(users.c.name)).scalars().all()
    accounts = [one for receipt in receipts for one in receipt.users]
    people = [one for receipt in receipts for one in receipt.people]
    again = {name for name in (*names, *named) if name and any(o.fits(name) for o in accounts)}
    again |= {name for name in named if name and any(one.fits(name) for one in people)}
    return sorted(again)
