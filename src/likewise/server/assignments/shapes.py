"""What is sent and received about assignments."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from likewise.server.checks.request import CheckingRequest
from likewise.server.classes.shapes import BatchCountsShape, BatchSummary
from likewise.server.courses.shapes import Standing
from likewise.server.jobs.queue import State
from likewise.server.reports.saved import Progress
from likewise.server.shapes import RequestBody, Shape, Timestamp, Title

StudentReport = Literal["never", "after_deadline", "always"]
Share = Annotated[float, Field(ge=0, le=1)]
KeepDays = Annotated[int, Field(ge=1, le=36_500)]
Attempts = Annotated[int, Field(ge=1, le=1_000)]


class RulesInput(RequestBody):
    """Who sees what, and from which share on a work needs a look."""

    student_report: StudentReport = Field(
        default="never", description="when students see the report of their own work"
    )
    self_checks: bool = Field(default=False, description="students may check before handing in")
    self_checks_a_day: int = Field(default=3, ge=1, le=100, description="of one student")
    most_attempts: Attempts | None = Field(default=None, description="of one student; None any")
    may_name_group: bool = Field(default=False, description="students say with whom they worked")
    notice_share: Share | None = Field(default=None, description="None as the site says")
    high_share: Share | None = Field(default=None, description="None as the site says")

    @model_validator(mode="after")
    def _in_order(self) -> RulesInput:
        notice, high = self.notice_share, self.high_share
        if notice is not None and high is not None and notice > high:
            raise ValueError("notice_share is at most high_share")
        return self


class AssignmentInput(RequestBody):
    """An assignment that is to be made."""

    name: Title
    instructions: str = Field(default="", max_length=10_000, description="what students read")
    opens_on: datetime | None = Field(default=None, description="before it students see nothing")
    due_on: datetime | None = Field(default=None, description="from then on it is late")
    closes_on: datetime | None = Field(
        default=None, description="from then on nothing is taken from students"
    )
    rules: RulesInput = RulesInput()
    request: CheckingRequest = Field(
        default=CheckingRequest(), description="what its checks are asked for"
    )
    is_blind: bool = Field(default=False, description="teachers see numbers until it is unveiled")
    keep_days: KeepDays | None = Field(
        default=None, description="what is handed in, after the deadline; None as the site says"
    )


class AssignmentChange(RequestBody):
    """What is left out stays as it is; None takes a date away."""

    name: Title | None = None
    instructions: str | None = Field(default=None, max_length=10_000)
    opens_on: datetime | None = None
    due_on: datetime | None = None
    closes_on: datetime | None = None
    rules: RulesInput | None = None
    request: CheckingRequest | None = Field(
        default=None, description="of the checks that are still to come"
    )
    is_blind: bool | None = Field(default=None, description="only before anything is handed in")
    keep_days: KeepDays | None = None


class AssignmentCounts(Shape):
    """How far an assignment has come; of last attempts alone."""

    students: int = Field(description="who have handed in")
    files: int = Field(description="of last attempts")
    late: int = Field(description="students whose last attempt is late")
    waiting: int = Field(description="files that are not checked yet")
    unread: int = Field(description="files that could not be read")


class AssignmentFileShape(Shape):
    """The assignment's own text, or a template: what stands in it is nobody's copying."""

    id: str
    name: str
    size: int
    sha256: str


class AssignmentShape(Shape):
    """An assignment, as lists show it."""

    id: str
    course: str
    course_name: str
    name: str
    made_on: Timestamp
    opens_on: Timestamp | None
    due_on: Timestamp | None
    closes_on: Timestamp | None
    is_blind: bool
    unveiled_on: Timestamp | None
    standing: Standing = Field(description="what the caller is in the course")
    may_hand_in: bool = Field(description="the caller, now")
    batch: str | None = Field(
        description="its class, once something is handed in: pairs, clusters, reports; for teachers"
    )
    state: State | None = Field(description="of its newest job; None before anything is handed in")
    counts: AssignmentCounts | None = Field(description="for teachers")
    notice_share: float = Field(description="the threshold that holds")
    high_share: float = Field(description="the threshold that holds")
    levels: BatchCountsShape | None = Field(description="works that need a look; for teachers")
    own_attempts: int | None = Field(description="for students: how often they have handed in")


class SelfCheckQuota(Shape):
    """How often a student may check without handing in."""

    a_day: int
    left_today: int = Field(description="days are counted in UTC")
    until: Timestamp | None = Field(description="the deadline")


class AssignmentDetail(AssignmentShape):
    """An assignment, with its rules."""

    instructions: str
    rules: RulesInput
    keep_days: int | None
    files: list[AssignmentFileShape] = Field(description="for teachers; students see none")
    request: dict[str, Any] | None = Field(description="what checks are asked for; for teachers")
    self_checks: SelfCheckQuota | None = Field(
        description="for students, where they may check before they hand in"
    )
    report_from: Timestamp | None = Field(
        description="when students begin to see their reports; None where no date says so"
    )
    job: str | None = Field(description="its newest job, at /jobs/{job}; for teachers")
    progress: Progress | None = Field(description="of its newest job; for teachers")
    summary: BatchSummary | None = Field(description="figures of its class; for teachers")
