"""Rows of a course, written as the services write them, for tests of what goes over all tables."""

from __future__ import annotations

import hashlib
import json
import secrets
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Table, insert, select

from likewise.server.context import ServerContext, utc_now
from likewise.server.database import tables


def put(context: ServerContext, table: Table, **values: Any) -> str:
    """A row with an id; what may not be empty and is not said is plain."""
    plain: dict[type, Any] = {str: "", int: 0, bool: False, bytes: b"", datetime: utc_now()}
    row = {
        column.name: plain[column.type.python_type]
        for column in table.c
        if not column.nullable and column.name not in values and not column.foreign_keys
    }
    row |= values
    if "id" in table.c:
        row["id"] = values.get("id") or secrets.token_hex(12)
    with context.store.beside() as connection:
        connection.execute(insert(table).values(**row))
    return str(row.get("id", ""))


class Campus:
    """A course of one teacher with one assignment and its class."""

    def __init__(
        self,
        context: ServerContext,
        teacher: str,
        *,
        name: str = "Ecology of steppes",
        term: str = "2026/2",
        **assignment: Any,
    ) -> None:
        self.context = context
        self.teacher = self.id_of(teacher)
        self.course = put(
            context, tables.courses, name=name, code="EC", term=term, user_id=self.teacher
        )
        put(
            context,
            tables.course_members,
            course_id=self.course,
            user_id=self.teacher,
            role="teacher",
        )
        batch = {"user_id": self.teacher, "name": "class", "request": "{}", "summary": "{}"}
        self.batch = put(context, tables.batches, **batch)
        made = {"course_id": self.course, "batch_id": self.batch, "user_id": self.teacher}
        rules = {"rules": "{}", "request": "{}", "name": "First essay"}
        self.assignment = put(context, tables.assignments, **made, **rules, **assignment)
        self._number = 0

    def id_of(self, user: str | None) -> str | None:
        with self.context.store.reading() as connection:
            query = select(tables.users.c.id).where(tables.users.c.name == user)
            return connection.execute(query).scalar()

    def check(self, *, summary: str = "{}", name: str = "essay.docx") -> str:
        of_class = {"user_id": self.teacher, "batch_id": self.batch, "request": "{}"}
        return put(self.context, tables.checks, **of_class, name=name, summary=summary)

    def submission(
        self,
        user: str | None,
        *,
        student: str = "Somebody",
        check: str | None = None,
        data: bytes = b"bytes",
        **more: Any,
    ) -> str:
        self._number += 1
        values = {
            "assignment_id": self.assignment,
            "user_id": self.id_of(user),
            "student": student,
            "number": self._number,
            "attempt": 1,
            "name": "essay.docx",
            "size": len(data),
            "sha256": hashlib.sha256(data).digest(),
            "check_id": check,
        }
        return put(self.context, tables.submissions, **values | more)

    def self_check(self, user: str, **more: Any) -> str:
        values = {
            "assignment_id": self.assignment,
            "user_id": self.id_of(user),
            "name": "draft.docx",
            "sha256": hashlib.sha256(b"draft").digest(),
            "ends_on": utc_now() + timedelta(days=1),
        }
        return put(self.context, tables.self_checks, **values | more)

    def link(self, check: str, **more: Any) -> str:
        values = {
            "hash": secrets.token_bytes(32),
            "check_id": check,
            "user_id": self.teacher,
            "ends_on": utc_now() + timedelta(days=7),
            "recipient": "A colleague",
        }
        return put(self.context, tables.report_links, **values | more)

    def mail(self, user: str | None, to: str, **values: Any) -> str:
        told = {"user_id": self.id_of(user), "to": to, "values": json.dumps(values)}
        return put(self.context, tables.mail_queue, **told, kind="check done")
