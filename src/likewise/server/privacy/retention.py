"""Rules by which documents and submissions are deleted when their time is over, told beforehand.

A collection keeps documents for some days from when they were added, an assignment what was handed
in for some days from its deadline. A rule that is new, or has become shorter, deletes nothing for
two weeks: until then it only says what it is going to delete.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import Connection, delete, exists, func, select

from likewise.library import schema
from likewise.library.filters import split_numbers
from likewise.library.registry import read_value, write_value
from likewise.library.remove import remove_documents
from likewise.server.caller import Caller
from likewise.server.context import ServerContext, utc_now
from likewise.server.database import tables
from likewise.server.people import audit
from likewise.server.privacy.self_checks import delete_self_checks

collections, assignments, courses = tables.collections, tables.assignments, tables.courses
submissions, batches = tables.submissions, tables.batches
members = tables.course_members

NOTICE_DAYS, AHEAD_DAYS = 14, 60  # and how far one looks
_DAY = timedelta(days=1)
NOTICE, AHEAD = NOTICE_DAYS * _DAY, AHEAD_DAYS * _DAY
_RULE = "server.retention "  # and what it is a rule of: since when it holds
_AT_ONCE = 200

RuleKind = Literal["collection", "assignment"]


@dataclass(frozen=True, slots=True)
class Rule:
    """How long something keeps what it holds, and since when that is so."""

    kind: RuleKind
    id: str
    name: str
    owner: str | None  # the id of an account; of assignments the course
    keep_days: int
    counts_from: datetime | None  # the deadline of an assignment
    since: datetime | None  # None: nobody has been told yet
    is_private: bool = False  # nobody but the owner learns the name
    was_mailed: bool = False  # to whom it concerns, since it was announced

    @property
    def begins_on(self) -> datetime:
        """Before this moment the rule deletes nothing."""
        return (self.since or utc_now()) + NOTICE


@dataclass(frozen=True, slots=True)
class Deletion:
    """What a rule is going to delete, and when the first of it goes."""

    kind: RuleKind
    id: str
    name: str | None  # None of another's private collection
    keep_days: int
    first_on: datetime
    items: int  # until the end of what is looked at
    announced_on: datetime | None  # None: it is announced within the hour
    begins_on: datetime  # before, the rule deletes nothing


def list_deletions(context: ServerContext, caller: Caller) -> list[Deletion]:
    """What goes in the next weeks, the first before the others: of one's own, or of all."""
    end = utc_now() + AHEAD
    with context.store.reading() as connection:
        rules = [one for one in read_rules(connection) if _is_told(connection, caller, one)]
        coming = [one for rule in rules if (one := find_deletion(connection, rule, end))]
    names = {(one.kind, one.id): _name_for(caller, one) for one in rules}
    deletions = [replace(one, name=names[one.kind, one.id]) for one in coming]
    return sorted(deletions, key=lambda one: (one.first_on, one.kind, one.id))


def _name_for(caller: Caller, rule: Rule) -> str | None:
    return None if rule.is_private and rule.owner != caller.id else rule.name


def _is_told(connection: Connection, caller: Caller, rule: Rule) -> bool:
    if caller.is_administrator:
        return True
    if rule.kind == "collection":
        return rule.owner == caller.id
    teaches = select(members.c.user_id).where(
        members.c.course_id == rule.owner,
        members.c.user_id == caller.id,
        members.c.role == "teacher",
    )
    return connection.execute(teaches).first() is not None


def find_deletion(connection: Connection, rule: Rule, end: datetime) -> Deletion | None:
    """What a rule deletes before a moment, if anything."""
    if rule.kind == "collection":
        first, count = connection.execute(
            select(func.min(schema.documents.c.added_on), func.count()).where(
                schema.documents.c.collection == rule.id,
                schema.documents.c.added_on < end - rule.keep_days * _DAY,
            )
        ).one()
    else:
        first = rule.counts_from
        query = select(func.count()).where(submissions.c.assignment_id == rule.id)
        count = int(connection.execute(query).scalar_one())
    if not count or first is None:
        return None
    first_on = max(first + rule.keep_days * _DAY, rule.begins_on)
    if first_on >= end:
        return None
    return Deletion(
        *(rule.kind, rule.id, rule.name, rule.keep_days, first_on, int(count)),
        announced_on=rule.since,
        begins_on=rule.begins_on,
    )


def read_rules(connection: Connection) -> list[Rule]:
    """Those of all collections and assignments that have one."""
    column, course = assignments.c, courses.c
    rules: list[Rule] = []
    query = select(collections).where(collections.c.keep_days.is_not(None))
    for row in connection.execute(query.order_by(collections.c.id)).all():
        since, was_mailed = _announcement(connection, "collection", row.id, row.keep_days)
        rules.append(
            Rule(
                *("collection", row.id, row.name, row.owner_id, row.keep_days, None, since),
                is_private=not row.is_shared,
                was_mailed=was_mailed,
            )
        )
    query = (
        select(*(column[name] for name in ("id", "course_id", "keep_days", "due_on", "closes_on")))
        .add_columns(column.made_on, column.name, course.name.label("course"))
        .join_from(assignments, courses, column.course_id == course.id)
        .where(column.keep_days.is_not(None))
        .order_by(column.id)
    )
    for row in connection.execute(query).all():
        since, was_mailed = _announcement(connection, "assignment", row.id, row.keep_days)
        deadline = row.closes_on or row.due_on or row.made_on
        name = f"{row.course}: {row.name}"
        rules.append(
            Rule(
                *("assignment", row.id, name, row.course_id, row.keep_days, deadline, since),
                was_mailed=was_mailed,
            )
        )
    return rules


def _announcement(
    connection: Connection, kind: str, id: str, keep_days: int
) -> tuple[datetime | None, bool]:
    """Since when a rule is known, and whether it was told by mail; not of one that was longer."""
    stored = read_value(connection, f"{_RULE}{kind} {id}")
    if stored is None:
        return None, False
    told: dict[str, Any] = json.loads(stored)
    if keep_days < told["keep_days"]:
        return None, False
    return datetime.fromisoformat(told["since"]), bool(told.get("mailed"))


# What the cleanup does


def apply_rules(context: ServerContext) -> dict[str, int]:
    """Note new rules, and delete what rules that everybody could hear of no longer keep."""
    with context.store.beside() as connection:
        rules = read_rules(connection)
        _note_rules(connection, rules)
    counts = {"documents": 0, "submissions": 0}
    for rule in rules:
        if rule.since is None or rule.begins_on > utc_now():
            continue
        if rule.kind == "collection":
            counts["documents"] += _delete_documents(context, rule)
        else:
            counts["submissions"] += _delete_submissions(context, rule)
    return counts


def _note_rules(connection: Connection, rules: Sequence[Rule]) -> None:
    there: set[str] = set()
    for rule in rules:
        key = f"{_RULE}{rule.kind} {rule.id}"
        there.add(key)
        if rule.since is None:
            detail = {"keep_days": rule.keep_days, "kind": rule.kind}
            audit.record_act(connection, None, "deletion announced", rule.id, **detail)
        note_rule(connection, rule)
    column = schema.key_values.c
    query = select(column.key).where(column.key.startswith(_RULE))
    for key in set(connection.execute(query).scalars()) - there:
        write_value(connection, key, None)


def note_rule(connection: Connection, rule: Rule) -> None:
    """Write down that a rule is known, and whether people were told of it by mail."""
    since = (rule.since or utc_now()).isoformat()
    known = {"keep_days": rule.keep_days, "since": since, "mailed": rule.was_mailed}
    write_value(connection, f"{_RULE}{rule.kind} {rule.id}", json.dumps(known))


def _delete_documents(context: ServerContext, rule: Rule) -> int:
    before, removed = utc_now() - rule.keep_days * _DAY, 0
    for some in _old_documents(context, rule.id, before):
        with context.store.writing() as (connection, change):
            removed += remove_documents(connection, change, some)
            audit.record_act(connection, None, "time over", rule.id, documents=len(some))
    return removed


def _old_documents(
    context: ServerContext, collection: str, before: datetime
) -> Iterator[list[int]]:
    """Documents that nobody has handed in since a day, some at a time."""
    document, again = schema.documents.c, schema.document_references.c
    handed_in_since = exists(
        select(1).where(again.document_id == document.id, again.added_on >= before)
    )
    query = select(document.id).where(
        document.collection == collection, document.added_on < before, ~handed_in_since
    )
    with context.store.reading() as connection:
        numbers = list(connection.execute(query.order_by(document.id)).scalars())
    for start in range(0, len(numbers), _AT_ONCE):
        for part in split_numbers(numbers[start : start + _AT_ONCE]):
            yield list(part)


def _delete_submissions(context: ServerContext, rule: Rule) -> int:
    """All that was handed in to an assignment, with its class; the assignment itself stays."""
    if rule.counts_from is None or rule.counts_from + rule.keep_days * _DAY > utc_now():
        return 0
    with context.store.beside() as connection:
        query = select(assignments.c.batch_id).where(assignments.c.id == rule.id)
        batch = connection.execute(query).scalar()
        own = submissions.c.assignment_id == rule.id
        count = connection.execute(delete(submissions).where(own)).rowcount
        delete_self_checks(connection, [rule.id])
        if batch is not None:
            connection.execute(delete(batches).where(batches.c.id == batch))
        if count:
            audit.record_act(connection, None, "time over", rule.id, submissions=count)
    return count
