"""Mail to those whose documents or courses a rule of retention concerns, two weeks before it acts.

A letter tells how much goes, how soon, and where the rules stand; no name of a document, of a
collection or of a course. Of each rule people are told once, and again when it has become shorter.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, select

from likewise.catalogue import Words
from likewise.languages import codes
from likewise.server.context import ServerContext, utc_now
from likewise.server.database import tables
from likewise.server.mail.queue import enqueue_mail
from likewise.server.privacy.retention import (
    AHEAD,
    NOTICE,
    Deletion,
    Rule,
    find_deletion,
    note_rule,
    read_rules,
)

users, members = tables.users, tables.course_members


def tell_of_deletions(context: ServerContext) -> int:
    """Ask for a letter to each person of whose things some go soon; how many letters."""
    now, told = utc_now(), 0
    with context.store.reading() as connection:
        if not _soon(connection):
            return 0
    with context.store.beside() as connection:
        by_person: dict[str, list[Deletion]] = defaultdict(list)
        people: dict[str, Any] = {}
        # Looked for again: another server may have been quicker.
        for rule, deletion in _soon(connection):
            note_rule(connection, replace(rule, was_mailed=True))
            for person in _people(connection, rule):
                people[person.id] = person
                by_person[person.id].append(deletion)
        for id, deletions in sorted(by_person.items()):
            person, keys = people[id], sorted(f"{one.kind} {one.id}" for one in deletions)
            told += enqueue_mail(
                connection,
                "deletion ahead",
                person.email,
                user=id,
                language=person.language,
                key=f"deletion ahead {id} {now.isoformat()} {keys[0]}",
                link=f"{context.config.public_url.rstrip('/')}/retention",
                **_values(deletions, person.language),
            )
    return told


def _soon(connection: Connection) -> list[tuple[Rule, Deletion]]:
    """Rules that were announced, not yet by mail, and delete something within two weeks."""
    soon, end = utc_now() + NOTICE, utc_now() + AHEAD
    return [
        (rule, deletion)
        for rule in read_rules(connection)
        if rule.since is not None and not rule.was_mailed
        if (deletion := find_deletion(connection, rule, end)) and deletion.first_on <= soon
    ]


def _people(connection: Connection, rule: Rule) -> Sequence[Any]:
    """The owner of a collection, the teachers of an assignment: those who have an address."""
    column = users.c
    query = select(column.id, column.email, column.language).where(
        column.is_active, column.email.is_not(None)
    )
    if rule.kind == "collection":
        query = query.where(column.id == rule.owner)
    else:
        teachers = select(members.c.user_id).where(
            members.c.course_id == rule.owner, members.c.role == "teacher"
        )
        query = query.where(column.id.in_(teachers))
    return connection.execute(query.order_by(column.id)).all()


def _values(deletions: Sequence[Deletion], language: str | None) -> Mapping[str, Any]:
    words = Words(language if language in codes() else "en")
    first = min(one.first_on for one in deletions)
    return {
        "day": words.day(first.isoformat()),
        "documents": sum(one.items for one in deletions if one.kind == "collection"),
        "submissions": sum(one.items for one in deletions if one.kind == "assignment"),
    }
