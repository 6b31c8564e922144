"""What is sent and received about courses and their members."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from likewise.server.shapes import RequestBody, Shape, SingleLine, Timestamp, Title

MemberRole = Literal["teacher", "student"]
Standing = Literal["teacher", "student", "administrator"]
UserId = Annotated[str, Field(pattern="^[0-9a-z]{1,64}$")]
MOST_MEMBERS = 5_000  # in one request


class CourseInput(RequestBody):
    """A course that is to be made; whoever makes it teaches in it."""

    name: Title
    code: SingleLine = Field(default="", description="as in the catalogue of studies")
    term: SingleLine = Field(default="", description='such as "Autumn 2026"')


class CourseChange(RequestBody):
    """What is left out stays as it is."""

    name: Title | None = None
    code: SingleLine | None = None
    term: SingleLine | None = None
    is_closed: bool | None = Field(
        default=None, description="nothing is handed in any more; everything can be read"
    )


class CourseShape(Shape):
    """A course, as lists show it."""

    id: str
    name: str
    code: str
    term: str
    made_on: Timestamp
    closed_on: Timestamp | None
    standing: Standing = Field(description="what the caller is in the course")
    teachers: list[str] = Field(description="as people call them")
    students: int | None = Field(description="how many; for teachers and administrators")
    assignments: int = Field(description="how many the caller sees")


class MemberInput(RequestBody):
    """Somebody who joins, by id or by the name to log in by."""

    user: UserId | None = None
    user_name: SingleLine | None = Field(default=None, description="to log in by")
    role: MemberRole = "student"


class MembersInput(RequestBody):
    """Several at once: all of them join, or nobody."""

    members: list[MemberInput] = Field(min_length=1, max_length=MOST_MEMBERS)


class MemberChange(RequestBody):
    """Another role in the course."""

    role: MemberRole


class MemberShape(Shape):
    """Somebody who teaches or studies in a course."""

    id: str
    name: str = Field(description="to log in by")
    shown_name: str
    role: MemberRole
    made_on: Timestamp = Field(description="since when")
    submissions: int = Field(description="handed in by the student in this course")
    may_teach: bool = Field(description="accounts of students never teach")


class CandidateShape(Shape):
    """Somebody who may join."""

    id: str
    name: str = Field(description="to log in by")
    shown_name: str
