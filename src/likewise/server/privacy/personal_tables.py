"""Which rows of which tables are about a person: the list that the export goes by.

A test holds it against the database: every column that leads to an account must stand here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sqlalchemy import ColumnElement, Table, select

from likewise.library import schema
from likewise.server.database import tables

# Whole rows are the person's own; of others' things it is told that the person did something.
Extent = Literal["row", "act"]


@dataclass(frozen=True, slots=True)
class PersonalTable:
    """Rows of a table that belong to a person by a column."""

    table: Table
    column: str
    extent: Extent = "row"
    hidden: frozenset[str] = frozenset()  # secrets, and bytes that are exported as files
    through: Table | None = None  # the person's row that these belong to

    @property
    def name(self) -> str:
        """What the rows are called in an export."""
        return self.table.name if self.column in _PLAIN else f"{self.table.name}.{self.column}"

    def belongs_to(self, user: str) -> ColumnElement[bool]:
        """The condition on rows."""
        column = self.table.c[self.column]
        if self.through is None:
            return column == user
        key = "user_id" if "user_id" in self.through.c else "owner_id"
        owned = select(self.through.c.id).where(self.through.c[key] == user)
        return column.in_(owned)


_PLAIN = ("user_id", "owner_id", "session_id", "upload_id", "check_id", "batch_id", "id")


def _own(table: Table, column: str = "user_id", *hidden: str) -> PersonalTable:
    return PersonalTable(table, column, hidden=frozenset(hidden))


def _act(table: Table, column: str = "user_id") -> PersonalTable:
    return PersonalTable(table, column, "act")


def _below(table: Table, column: str, through: Table, *hidden: str) -> PersonalTable:
    return PersonalTable(table, column, hidden=frozenset(hidden), through=through)


PERSONAL_TABLES = (
    _own(tables.users, "id", "password"),
    _own(tables.identities),
    _own(tables.second_factors, "user_id", "secret", "last_step"),
    _own(tables.recovery_codes, "user_id", "hash"),
    _own(tables.mail_queue),
    _own(tables.sessions),
    _below(tables.refresh_tokens, "session_id", tables.sessions, "hash"),
    _own(tables.password_resets, "user_id", "hash"),
    _own(tables.api_keys, "user_id", "hash"),
    _own(tables.collections, "owner_id"),
    _own(tables.uploads),
    _below(tables.upload_parts, "upload_id", tables.uploads, "data"),
    _own(tables.jobs),
    _own(tables.batches),
    _below(tables.batch_results, "batch_id", tables.batches, "packed"),
    _own(tables.checks),
    _below(tables.check_results, "check_id", tables.checks, "packed"),
    _own(tables.check_exclusions),
    _own(tables.check_confirmations),
    _own(tables.check_comments),
    _own(tables.certificates),
    _act(tables.courses),
    _own(tables.course_members),
    _act(tables.assignments),
    _act(tables.consent_texts),
    _own(tables.submissions),
    _act(tables.submissions, "handed_in_by"),
    _own(tables.self_checks, "user_id", "packed"),
    _own(tables.report_links, "user_id", "hash"),
    PersonalTable(tables.report_links, "recipient_id", hidden=frozenset({"hash"})),
    _own(tables.report_link_openings),
    _own(tables.commission_decisions),
    _act(schema.erasures),
)
# Columns that lead to an account and are exported in another way: as lines of the log, with names.
AS_LOG = frozenset({"audit.user_id", "audit_people.user_id"})
