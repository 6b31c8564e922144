"""The assignment's own text and templates, which every work of it may contain."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select

from likewise.server.assignments.shapes import AssignmentFileShape
from likewise.server.caller import Caller
from likewise.server.checks.start import ensure_checkable, is_archive
from likewise.server.context import ServerContext
from likewise.server.database import tables
from likewise.server.http.form_parts import ReceivedFile
from likewise.server.people.audit import record_act
from likewise.server.problems import Problem, not_found

files = tables.assignment_files
MOST_FILES = 100  # of one assignment
_SHOWN = (files.c.id, files.c.name, files.c.size, files.c.sha256)


def list_rows(connection: Connection, assignment: str) -> list[AssignmentFileShape]:
    """By name, without their bytes."""
    query = select(*_SHOWN).where(files.c.assignment_id == assignment)
    rows = connection.execute(query.order_by(files.c.name, files.c.id))
    return [_shape(row) for row in rows]


def add_files(
    context: ServerContext,
    connection: Connection,
    caller: Caller,
    assignment: str,
    received: Sequence[ReceivedFile],
) -> list[AssignmentFileShape]:
    """Keep some; one of the same name takes the place of the other."""
    if not received:
        raise Problem("bad request", "server.no_files")
    for file in received:
        if is_archive(file):
            raise Problem("unsupported file", "server.archive_alone", name=file.name)
        ensure_checkable(context, file.name, file.size)
    names = {file.name for file in received}
    of_assignment = files.c.assignment_id == assignment
    connection.execute(delete(files).where(of_assignment, files.c.name.in_(names)))
    present = select(func.count()).select_from(files).where(of_assignment)
    if connection.execute(present).scalar_one() + len(received) > MOST_FILES:
        raise Problem("quota reached", "server.many_assignment_files", n=MOST_FILES)
    ids = []
    for file in received:
        file.file.seek(0)
        ids.append(secrets.token_hex(12))
        connection.execute(
            insert(files).values(
                id=ids[-1],
                assignment_id=assignment,
                name=file.name,
                size=file.size,
                sha256=file.sha256,
                data=file.file.read(),
            )
        )
    record_act(connection, caller, "assignment files added", assignment, files=len(received))
    return [one for one in list_rows(connection, assignment) if one.id in ids]


def remove_file(connection: Connection, caller: Caller, assignment: str, id: str) -> None:
    """It counts for checks that are still to come."""
    deleted = connection.execute(
        delete(files).where(files.c.id == id, files.c.assignment_id == assignment)
    ).rowcount
    if not deleted:
        raise not_found("server.noun_assignment_file")
    record_act(connection, caller, "assignment file removed", assignment)


def read_file(connection: Connection, assignment: str, id: str) -> tuple[str, bytes]:
    """Its name and its bytes."""
    query = select(files.c.name, files.c.data)
    row = connection.execute(
        query.where(files.c.id == id, files.c.assignment_id == assignment)
    ).first()
    if row is None:
        raise not_found("server.noun_assignment_file")
    return row.name, bytes(row.data)


def read_all(connection: Connection, assignment: str) -> list[tuple[str, bytes]]:
    """All of them, by name, for checks."""
    query = select(files.c.name, files.c.data).where(files.c.assignment_id == assignment)
    rows = connection.execute(query.order_by(files.c.name, files.c.id))
    return [(row.name, bytes(row.data)) for row in rows]


def _shape(row: Row[Any, Any, Any, Any]) -> AssignmentFileShape:
    return AssignmentFileShape(
        id=row.id, name=row.name, size=row.size, sha256=bytes(row.sha256).hex()
    )
