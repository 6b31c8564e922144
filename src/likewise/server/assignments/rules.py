"""What an assignment allows, and when: handing in, seeing a report, knowing whose a work is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row

from likewise.server.assignments.shapes import RulesInput
from likewise.server.caller import Caller
from likewise.server.context import SiteSettings
from likewise.server.courses.shapes import Standing
from likewise.server.problems import Problem, not_found


@dataclass(frozen=True, slots=True)
class Assignment:
    """A row of the table, with what the caller is in its course."""

    row: Row[Any]
    standing: Standing
    rules: RulesInput
    course_name: str
    is_course_closed: bool

    @property
    def id(self) -> str:
        return str(self.row.id)

    @property
    def teaches(self) -> bool:
        return self.standing == "teacher"

    @property
    def hides_names(self) -> bool:
        """Teachers see numbers until it is unveiled."""
        return bool(self.row.is_blind and self.row.unveiled_on is None)

    def is_open(self, now: datetime) -> bool:
        """Students see it."""
        return self.row.opens_on is None or self.row.opens_on <= now

    def has_closed(self, now: datetime) -> bool:
        return self.row.closes_on is not None and self.row.closes_on <= now

    def is_late(self, time: datetime) -> bool:
        return self.row.due_on is not None and time >= self.row.due_on

    def thresholds(self, settings: SiteSettings) -> tuple[float, float]:
        """From which share on a work is noticed, and from which it is high."""
        return thresholds(self.rules, settings)

    @property
    def deadline(self) -> datetime | None:
        """Until when students work at it."""
        deadline: datetime | None = self.row.due_on or self.row.closes_on
        return deadline

    def is_before_deadline(self, now: datetime) -> bool:
        """Without a deadline it is always before it."""
        return self.deadline is None or now < self.deadline

    def takes_self_checks(self, now: datetime) -> bool:
        """Whether students may check before they hand in."""
        is_over = self.is_course_closed or self.has_closed(now)
        return self.rules.self_checks and not is_over and self.is_before_deadline(now)

    def shows_reports_to_students(self, now: datetime) -> bool:
        """Whether students may see the reports of their own works now."""
        if self.rules.student_report == "after_deadline":
            return not self.is_before_deadline(now)
        return self.rules.student_report == "always"

    @property
    def reports_from(self) -> datetime | None:
        """When students begin to see their reports, where that is at a deadline."""
        return self.deadline if self.rules.student_report == "after_deadline" else None


def thresholds(rules: RulesInput, settings: SiteSettings) -> tuple[float, float]:
    """Those of an assignment, else of the site; the first is never above the second."""
    notice = settings.notice_share if rules.notice_share is None else rules.notice_share
    high = settings.high_share if rules.high_share is None else rules.high_share
    return min(notice, high), high


def ensure_visible(assignment: Assignment, now: datetime) -> None:
    """Before it opens, students do not learn that it is there."""
    if assignment.standing == "student" and not assignment.is_open(now):
        raise not_found("server.noun_assignment")


def refusal_of_hand_in(
    assignment: Assignment, caller: Caller, now: datetime, own_attempts: int
) -> Problem | None:
    """Why the caller may not hand in now; None if the caller may."""
    if assignment.standing == "administrator":
        return Problem("not allowed", "server.course_teachers")
    if assignment.is_course_closed:
        return Problem("conflict", "server.course_closed")
    if assignment.teaches:
        return None
    if not assignment.is_open(now):
        return Problem("conflict", "server.assignment_not_open")
    if assignment.has_closed(now):
        return Problem("conflict", "server.assignment_closed")
    most = assignment.rules.most_attempts
    if most is not None and own_attempts >= most:
        return Problem("conflict", "server.many_attempts", n=most)
    return None
