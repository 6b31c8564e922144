"""Counts and shares by course and term, in which nobody can be found.

No row names a person. What would be about fewer than five people is not told, and where a total
would give away the one number that is not told, the smallest beside it is not told either.
"""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO

from sqlalchemy import Connection, select

from likewise.catalogue import LanguageCode, Words
from likewise.report.csv import guarded
from likewise.server.context import ServerContext, SiteSettings
from likewise.server.database import tables

LEAST = 5  # people that a number must be about
LEVELS = ("low", "notice", "high")

courses, assignments, checks = tables.courses, tables.assignments, tables.checks
submissions = tables.submissions


@dataclass(frozen=True, slots=True)
class CourseStatistics:
    """One course in one term; None is a number that is too small to be told."""

    course: str
    code: str
    term: str
    assignments: int
    students: int | None
    submissions: int | None
    late: int | None
    levels: Mapping[str, int | None]  # last attempts by how high the similar share is


@dataclass(slots=True)
class _Sums:
    students: set[object] = field(default_factory=set)
    submissions: int = 0
    late: set[object] = field(default_factory=set)
    late_files: int = 0
    levels: dict[str, set[object]] = field(default_factory=lambda: defaultdict(set))


def course_statistics(context: ServerContext, *, term: str | None = None) -> list[CourseStatistics]:
    """The courses of a term, or of all, by term and name."""
    settings = context.settings
    with context.store.reading() as connection:
        query = select(courses.c.id, courses.c.name, courses.c.code, courses.c.term)
        if term is not None:
            query = query.where(courses.c.term == term)
        order = (courses.c.term.desc(), courses.c.name, courses.c.id)
        rows = connection.execute(query.order_by(*order)).all()
        counts = _assignments(connection)
        sums = _sums(connection, settings)
    return [
        _told(row.name, row.code, row.term, counts.get(row.id, 0), sums.get(row.id, _Sums()))
        for row in rows
    ]


def _assignments(connection: Connection) -> dict[str, int]:
    counts: dict[str, int] = defaultdict(int)
    for course in connection.execute(select(assignments.c.course_id)).scalars():
        counts[course] += 1
    return counts


def _sums(connection: Connection, settings: SiteSettings) -> dict[str, _Sums]:
    """Of each course; a student is told apart by account, else by the number in an assignment."""
    column = submissions.c
    query = (
        select(
            *(assignments.c.course_id, column.assignment_id, column.user_id, column.number),
            *(column.attempt, column.is_late, checks.c.summary),
        )
        .join_from(submissions, assignments, column.assignment_id == assignments.c.id)
        .join(checks, checks.c.id == column.check_id, isouter=True)
        .where(column.withdrawn_on.is_(None))
        .order_by(column.assignment_id, column.number, column.attempt)
    )
    sums: dict[str, _Sums] = defaultdict(_Sums)
    last: dict[tuple[str, str, int], tuple[int, float | None]] = {}
    for row in connection.execute(query):
        one = sums[row.course_id]
        who = row.user_id or (row.assignment_id, row.number)
        one.students.add(who)
        one.submissions += 1
        if row.is_late:
            one.late.add(who)
            one.late_files += 1
        key = (row.course_id, row.assignment_id, row.number)
        attempt, share = last.get(key, (0, None))
        own = _share(row.summary)
        if row.attempt > attempt:
            share = None
        shares = [each for each in (share, own) if each is not None]
        last[key] = (row.attempt, max(shares, default=None))
    for (course, assignment, number), (_, share) in last.items():
        if share is not None:
            level = _level(share, settings)
            sums[course].levels[level].add((assignment, number))
    return sums


def _share(summary: str | None) -> float | None:
    if summary is None:
        return None
    share = json.loads(summary).get("shares", {}).get("similar")
    return None if share is None else float(share)


def _level(share: float, settings: SiteSettings) -> str:
    if share >= settings.high_share:
        return "high"
    return "notice" if share >= settings.notice_share else "low"


def _told(course: str, code: str, term: str, count: int, sums: _Sums) -> CourseStatistics:
    few = len(sums.students) < LEAST
    late = None if 0 < len(sums.late) < LEAST or few else sums.late_files
    levels = suppress_small({level: len(sums.levels[level]) for level in LEVELS})
    return CourseStatistics(
        course=course,
        code=code,
        term=term,
        assignments=count,
        students=None if few else len(sums.students),
        submissions=None if few else sums.submissions,
        late=late,
        levels=dict.fromkeys(LEVELS) if few else levels,
    )


def suppress_small(cells: Mapping[str, int]) -> dict[str, int | None]:
    """Cells of a total without those that are about few; never exactly one of them is left out.

    >>> suppress_small({"low": 40, "notice": 3, "high": 9})
    {'low': 40, 'notice': None, 'high': None}
    >>> suppress_small({"low": 40, "notice": 0, "high": 9})
    {'low': 40, 'notice': 0, 'high': 9}
    """
    hidden = {name for name, count in cells.items() if 0 < count < LEAST}
    if len(hidden) == 1:
        others = sorted((count, name) for name, count in cells.items() if name not in hidden)
        hidden |= {name for _, name in [one for one in others if one[0]][:1] or others[:1]}
    return {name: None if name in hidden else count for name, count in cells.items()}


_HEAD = (
    *("server.statistics_term", "server.statistics_course", "server.statistics_code"),
    *("server.statistics_assignments", "server.statistics_students"),
    *("server.statistics_submissions", "server.statistics_late"),
    *("server.statistics_low", "server.statistics_notice", "server.statistics_high"),
)
_SURELY_FEW = 3  # students, submissions, late ones: they are withheld for their own sake


def statistics_as_csv(rows: Sequence[CourseStatistics], language: LanguageCode = "en") -> str:
    """A table for spreadsheets of a language, in which nothing is run as a formula."""
    words = Words(language)
    buffer = StringIO()
    writer = csv.writer(buffer, delimiter="," if words.decimal_sign == "." else ";")
    writer.writerow([words(key) for key in _HEAD])
    few, withheld = words("server.statistics_few"), words("server.statistics_withheld")
    for one in rows:
        told = [one.students, one.submissions, one.late, *(one.levels[level] for level in LEVELS)]
        figures = [
            # Of levels one that is large enough is withheld beside the small one.
            (few if place < _SURELY_FEW else withheld) if number is None else number
            for place, number in enumerate(told)
        ]
        names = [guarded(text) for text in (one.term, one.course, one.code)]
        writer.writerow([*names, one.assignments, *figures])
    return buffer.getvalue()
