"""Classes of before there were courses: each becomes an assignment of a course of its owner.

Nothing of a class is changed: its checks, decisions and reports are those of its assignment. Names
follow from what is there, so that every engine makes the same rows.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

import sqlalchemy as sa
from alembic import op

from likewise.reading.submissions import submissions_of

_COURSE_NAMES = {"en": "Earlier classes", "ru": "Прежние группы", "kk": "Бұрынғы топтар"}
_OF_CHECKING = frozenset(
    ("filters", "collections", "not_mine", "not_by", "options", "keep", "collection", "metadata")
)
_NO_HASH = bytes(32)  # of a file whose bytes nobody has any more


def _table(name: str, *columns: str) -> Any:
    return sa.table(name, *(sa.column(column) for column in columns))


_users = _table("users", "id", "name", "language")
_batches = _table("batches", "id", "user_id", "job_id", "name", "request", "made_on", "summary")
_checks = _table("checks", "id", "batch_id", "name", "made_on", "summary")
_courses = _table("courses", "id", "name", "code", "term", "user_id", "made_on", "closed_on")
_members = _table("course_members", "course_id", "user_id", "role", "made_on")
_assignments = _table(
    *("assignments", "id", "course_id", "batch_id", "user_id", "name", "instructions", "made_on"),
    *("rules", "request", "is_blind"),
)
_submissions = _table(
    *("submissions", "id", "assignment_id", "student", "number", "attempt", "name", "size"),
    *("sha256", "handed_in_on", "handed_in_by", "is_late", "job_id", "check_id", "receipt"),
)


def make_assignments_of_classes() -> None:
    """A course for each owner of classes, an assignment for each class that is done."""
    connection = op.get_bind()
    query = sa.select(_batches).where(_batches.c.summary.is_not(None))
    classes = connection.execute(query.order_by(_batches.c.made_on, _batches.c.id)).all()
    owners = {row.id: row for row in connection.execute(sa.select(_users))}
    made: set[str] = set()
    for batch in classes:
        owner = owners[batch.user_id]
        course = _id("course", owner.id)
        if course not in made:
            made.add(course)
            _make_course(connection, course, owner, batch.made_on)
        _make_assignment(connection, course, batch)


def _make_course(connection: Any, id: str, owner: Any, made_on: Any) -> None:
    name = _COURSE_NAMES.get(owner.language or "en", _COURSE_NAMES["en"])
    connection.execute(
        sa.insert(_courses).values(
            id=id, name=name, code="", term="", user_id=owner.id, made_on=made_on, closed_on=None
        )
    )
    connection.execute(
        sa.insert(_members).values(course_id=id, user_id=owner.id, role="teacher", made_on=made_on)
    )


def _make_assignment(connection: Any, course: str, batch: Any) -> None:
    id = _id("assignment", batch.id)
    request: Mapping[str, Any] = json.loads(batch.request)
    connection.execute(
        sa.insert(_assignments).values(
            id=id,
            course_id=course,
            batch_id=batch.id,
            user_id=batch.user_id,
            name=batch.name[:200],
            instructions="",
            made_on=batch.made_on,
            rules="{}",
            request=json.dumps({key: request[key] for key in request if key in _OF_CHECKING}),
            is_blind=False,
        )
    )
    rows = list(_rows(connection, id, batch))
    if rows:
        connection.execute(sa.insert(_submissions), rows)


def _rows(connection: Any, assignment: str, batch: Any) -> Iterator[dict[str, Any]]:
    """What was checked, and what could not be read; a number for each student."""
    query = sa.select(_checks).where(_checks.c.batch_id == batch.id)
    checks = sorted(connection.execute(query).all(), key=lambda row: (row.name, row.id))
    unread = sorted(json.loads(batch.summary).get("unread", []), key=lambda one: str(one["name"]))
    paths = [*(row.name for row in checks), *(str(one["name"]) for one in unread)]
    numbers: dict[tuple[str, str], int] = {}
    taken: set[tuple[int, str]] = set()
    for place, (path, whose) in enumerate(zip(paths, submissions_of(paths), strict=True)):
        number = numbers.setdefault((whose.student.casefold(), whose.id), len(numbers) + 1)
        name = whose.file if (number, whose.file) not in taken else path
        while (number, name) in taken:
            name += " "
        taken.add((number, name))
        check = checks[place] if place < len(checks) else None
        receipt: dict[str, Any] = {"platform_id": whose.id} if whose.id else {}
        if check is None:
            receipt["unread"] = _reason(unread[place - len(checks)])
        yield {
            "id": _id("submission", f"{batch.id} {path}" if check is None else check.id),
            "assignment_id": assignment,
            "student": whose.student,
            "number": number,
            "attempt": 1,
            "name": name,
            "size": 0,
            "sha256": _NO_HASH if check is None else _hash_of(check.summary),
            "handed_in_on": batch.made_on if check is None else check.made_on,
            "handed_in_by": batch.user_id,
            "is_late": False,
            "job_id": batch.job_id,
            "check_id": None if check is None else check.id,
            "receipt": json.dumps(receipt, ensure_ascii=False) if receipt else None,
        }


def _reason(unread: Mapping[str, Any]) -> dict[str, Any]:
    """Why a file could not be read, as a message; earlier versions kept a sentence."""
    if unread.get("code"):
        return {"key": unread["code"], "values": unread.get("values") or {}}
    return {"key": "core.verbatim", "values": {"text": str(unread.get("reason") or "")}}


def _hash_of(summary: str | None) -> bytes:
    known = json.loads(summary).get("sha256") if summary else None
    return bytes.fromhex(known) if known else _NO_HASH


def _id(kind: str, of: str) -> str:
    return hashlib.sha256(f"{kind} {of}".encode()).hexdigest()[:24]
