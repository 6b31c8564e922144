"""Attempts: which of the files that are handed in are new, and whose attempt they make.

All files that somebody hands in at once are one attempt, a row for each. Files of the last attempt
that come again change nothing; where one of several has changed or is new, all of them are the next
attempt, and those that have not changed keep their check.
"""

from __future__ import annotations

import json
import secrets
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, insert, select

from likewise.reading.submissions import is_marked_late, submissions_of
from likewise.server.assignments.rules import Assignment
from likewise.server.database import tables

submissions, users = tables.submissions, tables.users
jobs, members = tables.jobs, tables.course_members
_BLIND_NUMBERS = 100  # at least so many to draw from, so that none tells who came first


@dataclass(frozen=True, slots=True)
class HandedInFile:
    """A file, and whose it is as far as its name tells."""

    student: str
    platform_id: str  # tells namesakes apart; empty where no platform named it
    name: str
    size: int
    sha256: bytes
    is_late: bool
    group: str


@dataclass(frozen=True, slots=True)
class HandIn:
    """One act of handing in: by whom, when, and what goes with it."""

    by: str | None
    user: str | None  # the account of the student, where it is known
    handed_in_on: datetime
    is_timed: bool  # the moment says whether it is late; else names do
    consent: str | None
    job: str


def files_by_names(
    paths: Sequence[str],
    hashes: Sequence[tuple[int, bytes]],
    *,
    student: str = "",
    groups: Mapping[str, str] | None = None,
    group: str = "",
) -> list[HandedInFile]:
    """Files with the students that their paths name; all of one, where the `student` is given."""
    group_of = {_folded(name): value for name, value in (groups or {}).items()}
    files = []
    for path, one, (size, sha256) in zip(paths, submissions_of(paths), hashes, strict=True):
        name = student or one.student
        files.append(
            HandedInFile(
                student=" ".join(name.replace("/", " ").split()),
                platform_id="" if student else one.id,
                name=one.file if not student else path,
                size=size,
                sha256=sha256,
                is_late=is_marked_late(path),
                group=group_of.get(_folded(name), group),
            )
        )
    return files


def take(
    connection: Connection, assignment: Assignment, hand_in: HandIn, files: Sequence[HandedInFile]
) -> list[str]:
    """Write down what is new, in the transaction that holds the assignment; the ids of the rows."""
    rows = connection.execute(
        select(submissions).where(submissions.c.assignment_id == assignment.id)
    ).all()
    known = _Known(assignment, list(rows), _students(connection, assignment))
    known.lost = _lost(connection, known.rows)
    new: list[str] = []
    for own in _by_student(files, hand_in).values():
        number, user = known.number_of(own[0], hand_in)
        new += _take_attempt(connection, assignment, hand_in, own, known, number, user)
    return new


def _take_attempt(
    connection: Connection,
    assignment: Assignment,
    hand_in: HandIn,
    files: Sequence[HandedInFile],
    known: _Known,
    number: int,
    user: str | None,
) -> list[str]:
    earlier = [row for row in known.rows if row.number == number]
    last = last_of(earlier)
    # Chosen twice by mistake, a file is one work all the same.
    files = list({(file.name, file.sha256): file for file in files}.values())
    settled = {bytes(row.sha256) for row in last if row.id not in known.lost}
    if {file.sha256 for file in files} <= settled:
        return []
    attempt = 1 + max((row.attempt for row in earlier), default=0)
    checked = {
        bytes(row.sha256): row
        for row in earlier
        if row.withdrawn_on is None and (row.check_id is not None or is_unread(row))
    }
    ids, names = [], set[str]()
    for file in files:
        before = checked.get(file.sha256)
        name = _own_name(file.name, names)
        names.add(name)
        ids.append(secrets.token_hex(12))
        is_late = assignment.is_late(hand_in.handed_in_on) if hand_in.is_timed else file.is_late
        receipt = None if before is None else before.receipt
        if receipt is None and file.platform_id:
            receipt = json.dumps({"platform_id": file.platform_id})
        values: dict[str, Any] = {
            "id": ids[-1],
            "assignment_id": assignment.id,
            "user_id": user,
            "student": known.name_of(file, user),
            "number": number,
            "attempt": attempt,
            "group_name": file.group or (last[0].group_name if last else None),
            "name": name,
            "size": file.size,
            "sha256": file.sha256,
            "handed_in_on": hand_in.handed_in_on,
            "handed_in_by": hand_in.by,
            "is_late": is_late,
            "job_id": hand_in.job,
            "check_id": None if before is None else before.check_id,
            "receipt": receipt,
            "consent_id": hand_in.consent,
            "withdrawn_on": None,
        }
        connection.execute(insert(submissions).values(**values))
    rows = select(submissions).where(submissions.c.id.in_(ids))
    known.rows += connection.execute(rows).all()
    return ids


def last_of(rows: Sequence[Row[Any]]) -> list[Row[Any]]:
    """Those of a student's rows that are the last attempt."""
    present = [row for row in rows if row.withdrawn_on is None]
    last = max((row.attempt for row in present), default=0)
    return [row for row in present if row.attempt == last]


def last_attempts(rows: Sequence[Row[Any]]) -> list[Row[Any]]:
    """Those of a class that are the last attempt of their student, by the students' numbers."""
    of_number: dict[int, list[Row[Any]]] = {}
    for row in rows:
        of_number.setdefault(row.number, []).append(row)
    return [row for number in sorted(of_number) for row in last_of(of_number[number])]


def _lost(connection: Connection, rows: Sequence[Row[Any]]) -> set[str]:
    """Rows that nothing comes of any more: their job failed, was cancelled, or is gone."""
    unchecked = [row for row in rows if row.check_id is None and not is_unread(row)]
    ids = {row.job_id for row in unchecked if row.job_id is not None}
    query = select(jobs.c.id).where(jobs.c.id.in_(ids), jobs.c.state.in_(("queued", "running")))
    going_on = set(connection.execute(query).scalars())
    return {row.id for row in unchecked if row.job_id not in going_on}


def is_same_platform(row: Row[Any], platform_id: str) -> bool:
    """Whether a row may be of whom a platform calls so; names alone do not tell namesakes apart."""
    own = str(json.loads(row.receipt or "{}").get("platform_id", ""))
    return not own or not platform_id or own == platform_id


def is_unread(row: Row[Any]) -> bool:
    """Whether a file could not be read."""
    return bool(row.receipt and json.loads(row.receipt).get("unread"))


class _Known:
    """Who has handed in until now, and who could."""

    def __init__(
        self, assignment: Assignment, rows: list[Row[Any]], students: Sequence[tuple[str, str]]
    ) -> None:
        self.rows = rows
        self.lost: set[str] = set()
        self._is_blind = bool(assignment.row.is_blind)
        self._name_of = dict(students)
        self._students: dict[str, list[str]] = {}
        self._students_by_joined_name: dict[str, list[str]] = {}
        for id, name in students:
            self._students.setdefault(_folded(name), []).append(id)
            for joined in _joined_names(name):
                self._students_by_joined_name.setdefault(joined, []).append(id)

    def number_of(self, file: HandedInFile, hand_in: HandIn) -> tuple[int, str | None]:
        """The number of a student in the assignment, an old one or the next, and the account."""
        named = _folded(file.student)
        accounts = self._students.get(named, [])
        if not accounts and file.platform_id:
            accounts = self._students_by_joined_name.get(named, [])
        user = hand_in.user or (accounts[0] if len(accounts) == 1 else None)
        for row in self.rows:
            if user is not None and row.user_id == user:
                return row.number, user
        for row in self.rows:
            is_other = user is not None and row.user_id is not None
            if (
                not is_other
                and _folded(row.student) == named
                and is_same_platform(row, file.platform_id)
            ):
                return row.number, user or row.user_id
        return self._next_number(), user

    def name_of(self, file: HandedInFile, user: str | None) -> str:
        """What to call the student: as the account does, where a platform runs names together."""
        named = _folded(file.student)
        is_joined = named not in self._students and named in self._students_by_joined_name
        return self._name_of.get(user or "", file.student) if is_joined else file.student

    def _next_number(self) -> int:
        taken = {row.number for row in self.rows}
        if not self._is_blind:
            return max(taken, default=0) + 1
        free = sorted(set(range(1, max(_BLIND_NUMBERS, 4 * len(taken)) + 1)) - taken)
        return secrets.choice(free)


def _students(connection: Connection, assignment: Assignment) -> list[tuple[str, str]]:
    """Accounts of students of the course with their names, as people write them."""
    rows = connection.execute(
        select(users.c.id, users.c.shown_name)
        .join_from(members, users)
        .where(members.c.course_id == assignment.row.course_id, members.c.role == "student")
        .order_by(users.c.id)
    )
    return [(id, name) for id, name in rows]


def _joined_names(name: str) -> set[str]:
    """A name as Canvas writes it: the last name first, letters and digits alone.

    Which of the words is the last name is not known, so each of them may come first.

    >>> sorted(_joined_names("Dana O'Neil"))
    ['danaoneil', 'oneildana']
    """
    words = ["".join(filter(str.isalnum, word)) for word in _folded(name).split()]
    words = [word for word in words if word]
    return {"".join(words[n:] + words[:n]) for n in range(len(words))}


def _by_student(
    files: Sequence[HandedInFile], hand_in: HandIn
) -> dict[tuple[str, str], list[HandedInFile]]:
    """The files of each student, by name; one who hands in for oneself has all of them."""
    grouped: dict[tuple[str, str], list[HandedInFile]] = {}
    for file in sorted(files, key=lambda file: (file.student, file.platform_id, file.name)):
        key = ("", "") if hand_in.user else (_folded(file.student), file.platform_id)
        grouped.setdefault(key, []).append(file)
    return grouped


def _own_name(name: str, taken: set[str]) -> str:
    unique, number = name, 1
    while unique in taken:
        number += 1
        unique = f"{name} ({number})"
    return unique


def _folded(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
