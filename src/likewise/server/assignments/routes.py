"""Assignments of courses, and their files."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from likewise.server.assignments import files, service
from likewise.server.assignments.service import When
from likewise.server.assignments.shapes import (
    AssignmentChange,
    AssignmentDetail,
    AssignmentFileShape,
    AssignmentInput,
    AssignmentShape,
)
from likewise.server.caller import Caller
from likewise.server.context import ServerContext
from likewise.server.downloads import download
from likewise.server.forms import receive_form
from likewise.server.http.form_parts import ReceivedForm
from likewise.server.http.openapi import describe_form
from likewise.server.people.access import CampusRead, ContextDep, CoursesRead, CoursesWrite
from likewise.server.shapes import Id, Limit, Offset, Page, RequestBody, Search

router = APIRouter(tags=["assignments"])


class NoRequest(RequestBody):
    """Files alone."""


@router.get("/courses/{id}/assignments", summary="The assignments of a course")
def list_of_course(
    id: Id,
    context: ContextDep,
    caller: CampusRead,
    search: Search = "",
    limit: Limit = 50,
    offset: Offset = 0,
) -> Page[AssignmentShape]:
    """By deadline; students see those that are open, or were."""
    items, total = service.list_of_course(context, caller, id, search, limit, offset)
    return Page(items=items, total=total)


@router.post("/courses/{id}/assignments", status_code=201, summary="Make an assignment")
def make_assignment(
    id: Id, body: AssignmentInput, context: ContextDep, caller: CoursesWrite
) -> AssignmentDetail:
    """For teachers of the course."""
    return service.make_assignment(context, caller, id, body)


@router.get("/assignments", summary="List assignments")
def list_assignments(
    context: ContextDep,
    caller: CampusRead,
    when: Annotated[When | None, Query(description="by the deadline")] = None,
    search: Search = "",
    limit: Limit = 50,
    offset: Offset = 0,
) -> Page[AssignmentShape]:
    """Of all courses in which the caller teaches or studies."""
    items, total = service.list_own(context, caller, when, search, limit, offset)
    return Page(items=items, total=total)


@router.get("/assignments/{id}", summary="Show an assignment")
def show_assignment(id: Id, context: ContextDep, caller: CampusRead) -> AssignmentDetail:
    """With its rules; to its teachers with how far it has come."""
    return service.show_assignment(context, caller, id)


@router.patch("/assignments/{id}", summary="Change an assignment")
def change_assignment(
    id: Id, body: AssignmentChange, context: ContextDep, caller: CoursesWrite
) -> AssignmentDetail:
    """What is left out stays as it is."""
    return service.change_assignment(context, caller, id, body)


@router.delete("/assignments/{id}", status_code=204, summary="Delete an assignment")
def delete_assignment(
    id: Id,
    context: ContextDep,
    caller: CoursesWrite,
    with_submissions: Annotated[bool, Query(description="and all that was handed in")] = False,
) -> None:
    """With its reports; refused where something was handed in, unless told."""
    service.delete_assignment(context, caller, id, with_submissions=with_submissions)


@router.post("/assignments/{id}/unveil", summary="Tell whose the works are")
def unveil(id: Id, context: ContextDep, caller: CoursesWrite) -> AssignmentDetail:
    """Of a blind assignment, and for good."""
    return service.unveil(context, caller, id)


# The assignment's own text and templates


@router.get("/assignments/{id}/files", summary="The assignment's own files")
def list_files(id: Id, context: ContextDep, caller: CoursesRead) -> list[AssignmentFileShape]:
    """Its text and templates: what stands in them is nobody's copying."""
    with context.store.reading() as connection:
        service.find_taught(connection, caller, id)
        return files.list_rows(connection, id)


@router.post(
    "/assignments/{id}/files",
    status_code=201,
    summary="Add files of the assignment",
    openapi_extra=describe_form(NoRequest, "its text and templates, no archives"),
)
async def add_files(
    id: Id, request: Request, context: ContextDep, caller: CoursesWrite
) -> list[AssignmentFileShape]:
    """One of the same name takes the place of the other; checks that are done stay as they are."""
    await run_in_threadpool(_ensure_taught, context, caller, id)
    async with receive_form(request, context, caller) as form:
        NoRequest.model_validate(form.request)
        return await run_in_threadpool(_add_files, context, caller, id, form)


def _ensure_taught(context: ServerContext, caller: Caller, id: str) -> None:
    with context.store.reading() as connection:
        service.find_taught(connection, caller, id)


def _add_files(
    context: ServerContext, caller: Caller, id: str, form: ReceivedForm
) -> list[AssignmentFileShape]:
    with context.store.beside() as connection:
        service.find_taught(connection, caller, id)
        return files.add_files(context, connection, caller, id, form.files)


@router.get(
    "/assignments/{id}/files/{file}",
    summary="Download a file of the assignment",
    response_class=Response,
    responses={
        200: {
            "description": "the file, to be saved",
            "content": {
                "application/octet-stream": {"schema": {"type": "string", "format": "binary"}}
            },
        }
    },
)
def read_file(id: Id, file: Id, context: ContextDep, caller: CoursesRead) -> Response:
    """As it was added."""
    with context.store.reading() as connection:
        service.find_taught(connection, caller, id)
        name, data = files.read_file(connection, id, file)
    return download(data, name)


@router.delete(
    "/assignments/{id}/files/{file}", status_code=204, summary="Remove a file of the assignment"
)
def remove_file(id: Id, file: Id, context: ContextDep, caller: CoursesWrite) -> None:
    """For checks that are still to come."""
    with context.store.beside() as connection:
        service.find_taught(connection, caller, id)
        files.remove_file(connection, caller, id, file)
