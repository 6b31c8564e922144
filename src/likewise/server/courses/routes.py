"""Courses and their members."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query

from likewise.server.courses import members, service
from likewise.server.courses.shapes import (
    CandidateShape,
    CourseChange,
    CourseInput,
    CourseShape,
    MemberChange,
    MemberRole,
    MemberShape,
    MembersInput,
)
from likewise.server.people.access import CampusRead, ContextDep, CoursesRead, CoursesWrite
from likewise.server.shapes import Id, Limit, Offset, Page, Search

router = APIRouter(prefix="/courses", tags=["courses"])


@router.get("", summary="List courses")
def list_courses(
    context: ContextDep,
    caller: CampusRead,
    whose: Annotated[
        Literal["mine", "all"], Query(description="all are listed for administrators alone")
    ] = "mine",
    is_open: Annotated[bool | None, Query(alias="open", description="or only closed ones")] = None,
    search: Search = "",
    limit: Limit = 50,
    offset: Offset = 0,
) -> Page[CourseShape]:
    """Those in which the caller teaches or studies; the newest first."""
    items, total = service.list_courses(
        context, caller, whose=whose, is_open=is_open, search=search, limit=limit, offset=offset
    )
    return Page(items=items, total=total)


@router.post("", status_code=201, summary="Make a course")
def make_course(body: CourseInput, context: ContextDep, caller: CoursesWrite) -> CourseShape:
    """In which the caller teaches."""
    return service.make_course(context, caller, body)


@router.get("/{id}", summary="Show a course")
def show_course(id: Id, context: ContextDep, caller: CampusRead) -> CourseShape:
    """To its members; of administrators to all."""
    return service.show_course(context, caller, id)


@router.patch("/{id}", summary="Change a course")
def change_course(
    id: Id, body: CourseChange, context: ContextDep, caller: CoursesWrite
) -> CourseShape:
    """Its name, or that it is closed; what is left out stays as it is."""
    return service.change_course(context, caller, id, body)


@router.delete("/{id}", status_code=204, summary="Delete a course")
def delete_course(
    id: Id,
    context: ContextDep,
    caller: CoursesWrite,
    with_submissions: Annotated[bool, Query(description="and all that was handed in")] = False,
) -> None:
    """With its assignments and reports; refused where something was handed in, unless told."""
    service.delete_course(context, caller, id, with_submissions=with_submissions)


# Members


@router.get("/{id}/members", summary="List members")
def list_members(
    id: Id,
    context: ContextDep,
    caller: CoursesRead,
    role: MemberRole | None = None,
    search: Search = "",
    limit: Limit = 50,
    offset: Offset = 0,
) -> Page[MemberShape]:
    """Who teaches and who studies, by name; for teachers of the course and administrators."""
    items, total = members.list_members(
        context, caller, id, role=role, search=search, limit=limit, offset=offset
    )
    return Page(items=items, total=total)


@router.post("/{id}/members", status_code=201, summary="Add members")
def add_members(
    id: Id, body: MembersInput, context: ContextDep, caller: CoursesWrite
) -> list[MemberShape]:
    """All of them, or nobody; whoever is a member already keeps the role."""
    return members.add_members(context, caller, id, body.members)


@router.patch("/{id}/members/{user}", summary="Change a member's role")
def change_member(
    id: Id, user: Id, body: MemberChange, context: ContextDep, caller: CoursesWrite
) -> MemberShape:
    """One teacher is always left."""
    return members.change_member(context, caller, id, user, body.role)


@router.delete("/{id}/members/{user}", status_code=204, summary="Remove a member")
def remove_member(id: Id, user: Id, context: ContextDep, caller: CoursesWrite) -> None:
    """What the person has handed in stays."""
    members.remove_member(context, caller, id, user)


@router.get("/{id}/candidates", summary="Who could join")
def list_candidates(
    id: Id,
    context: ContextDep,
    caller: CoursesRead,
    search: Annotated[str, Query(max_length=200, description="two characters at least")] = "",
) -> list[CandidateShape]:
    """Accounts that are no members yet, twenty at most."""
    return members.list_candidates(context, caller, id, search)
