"""What is sent and received about submissions."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from likewise.results import CheckSummary
from likewise.server.shapes import RequestBody, Shape, SingleLine, Timestamp, WithError

SubmissionState = Literal["waiting", "checked", "unread", "failed", "cancelled", "replaced"]


class HandInInput(RequestBody):
    """What goes with the files that are handed in; the rest is for teachers."""

    group: SingleLine = Field(default="", description="with whom it was written; own or allowed")
    consent: Annotated[str, Field(pattern="^[0-9a-z]{1,64}$")] | None = Field(
        default=None, description="the consent text that the student has agreed to"
    )
    student: SingleLine = Field(
        default="", description="whose files these are; else their names and folders tell"
    )
    user: Annotated[str, Field(pattern="^[0-9a-z]{1,64}$")] | None = Field(
        default=None, description="the account of the student, a member of the course"
    )
    groups: dict[SingleLine, SingleLine] = Field(
        default={}, max_length=5_000, description="of students, as files or folders name them"
    )
    handed_in_on: datetime | None = Field(
        default=None, description="when students handed in; else now, and late only as names say"
    )


class FileReceipt(Shape):
    """What was taken of one file."""

    id: str
    name: str
    size: int
    sha256: str


class HandInReceipt(Shape):
    """That something was handed in; what was read of it is told once its job is done."""

    job: str = Field(description="at /jobs/{job} for teachers; students ask for the submissions")
    handed_in_on: Timestamp
    is_late: bool
    is_new: bool = Field(description="or these files were there already, and nothing has changed")
    attempt: int | None = Field(description="of a student; archives of teachers have many")
    files: list[FileReceipt] = Field(description="of a student or for one; else empty until read")


class ReadingReceipt(Shape):
    """What was read of a file."""

    pages: int | None = None
    words: int | None = None
    characters: int | None = None
    notes: list[dict[str, Any]] = Field(default=[], description="key and values, for words")
    unread: dict[str, Any] | None = Field(default=None, description="why it could not be read")


class SubmissionShape(WithError):
    """A file of an attempt of a student."""

    id: str
    assignment: str
    number: int = Field(
        description="of the student in the assignment; to students 0 where it is not blind"
    )
    student: str | None = Field(description="None while the assignment is blind, for teachers")
    user: str | None = Field(description="the account of the student; None as above")
    attempt: int
    attempts: int = Field(description="how many the student has made")
    is_last: bool = Field(description="of the last attempt: it stands in the class")
    group: str | None
    name: str | None = Field(description="of the file; None while the assignment is blind")
    size: int
    sha256: str
    handed_in_on: Timestamp
    is_late: bool
    state: SubmissionState
    receipt: ReadingReceipt | None = Field(description="once it is read")
    check: str | None = Field(description="at /checks/{check}; for teachers")
    later_share: float | None = Field(
        description="how much of it stands in a work of the class that was handed in when it had "
        "been checked, of which its report does not know; in lists of an assignment, for teachers"
    )
    may_read_report: bool = Field(description="the caller, now")
    summary: CheckSummary | None = Field(
        description="for whoever may read the report; to students as their report shows it"
    )


class SubmissionDetail(SubmissionShape):
    """With the other attempts of the student, the newest first."""

    assignment_name: str
    course: str
    course_name: str
    others: list[SubmissionShape]


class HistoryItem(Shape):
    """One file of one attempt, with where it was handed in."""

    course: str
    course_name: str
    assignment: str
    assignment_name: str
    submission: SubmissionShape


class StudentShape(Shape):
    """A student of the caller's courses."""

    id: str
    name: str = Field(description="to log in by")
    shown_name: str
    courses: int
    submissions: int


class CheckedAgain(Shape):
    """Jobs that wait again."""

    jobs: list[str]
