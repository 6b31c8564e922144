"""The tables of a campus: courses, assignments, what students hand in, and whom a report is shown.

An assignment is a class with dates and rules: its checks, pairs and clusters are those of the batch
that it belongs to, made when something is handed in for the first time.
"""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
)

from likewise.library.schema import Number, metadata
from likewise.server.database.columns import by_column, id_column, owner_column

courses = Table(
    "courses",
    metadata,
    id_column(),
    Column("name", Text, nullable=False),
    Column("code", Text, nullable=False),  # as in the catalogue of studies; may be empty
    Column("term", Text, nullable=False),
    by_column(),  # who made it
    Column("made_on", DateTime, nullable=False),
    Column("closed_on", DateTime),
)

# Who teaches a course, and who studies in it.
course_members = Table(
    "course_members",
    metadata,
    owner_column("courses", "course_id", is_key=True),
    owner_column("users", "user_id", is_key=True, index=True),
    Column(
        "role",
        Text,
        CheckConstraint("role IN ('teacher', 'student')", "known_role"),
        nullable=False,
    ),
    Column("made_on", DateTime, nullable=False),
)

assignments = Table(
    "assignments",
    metadata,
    id_column(),
    owner_column("courses", "course_id", index=True),
    Column("batch_id", Text, ForeignKey("batches.id", ondelete="SET NULL"), unique=True),
    by_column(),
    Column("name", Text, nullable=False),
    Column("instructions", Text, nullable=False),  # what students read
    Column("made_on", DateTime, nullable=False),
    Column("opens_on", DateTime),
    Column("due_on", DateTime, index=True),  # from then on it is late
    Column("closes_on", DateTime),  # from then on nothing is taken
    Column("rules", Text, nullable=False),  # JSON: who sees what, thresholds, self-checks
    Column("request", Text, nullable=False),  # JSON: what its checks are asked for
    Column("is_blind", Boolean, nullable=False),
    Column("unveiled_on", DateTime),  # since when teachers see names
    Column("keep_days", Integer),  # what is handed in, after the deadline; None as the site says
)

# The assignment's own text, and templates that everybody may use: never counted as copied.
assignment_files = Table(
    "assignment_files",
    metadata,
    id_column(),
    owner_column("assignments", "assignment_id", index=True),
    Column("name", Text, nullable=False),
    Column("size", Number, nullable=False),
    Column("sha256", LargeBinary(32), nullable=False),
    Column("data", LargeBinary, nullable=False),
)

# What an institution asks its students to agree to when they hand in; texts are never changed.
consent_texts = Table(
    "consent_texts",
    metadata,
    id_column(),
    Column("texts", Text, nullable=False),  # JSON, by language
    by_column(),
    Column("made_on", DateTime, nullable=False),
)

# One attempt of one student, or of a group.
submissions = Table(
    "submissions",
    metadata,
    id_column(),
    owner_column("assignments", "assignment_id", index=True),
    Column("user_id", Text, ForeignKey("users.id", ondelete="SET NULL"), index=True),  # the student
    Column("student", Text, nullable=False),  # as a file or a platform names the student
    Column("number", Integer, nullable=False),  # of the student in the assignment: blind marking
    Column("attempt", Integer, nullable=False),
    Column("group_name", Text),  # handed in together, never a source of each other
    Column("name", Text, nullable=False),  # of the file
    Column("size", Number, nullable=False),
    Column("sha256", LargeBinary(32), nullable=False),
    Column("handed_in_on", DateTime, nullable=False),
    Column("handed_in_by", Text, ForeignKey("users.id", ondelete="SET NULL"), index=True),
    Column("is_late", Boolean, nullable=False),
    Column("job_id", Text, index=True),
    Column("check_id", Text, ForeignKey("checks.id", ondelete="SET NULL"), index=True),
    Column("receipt", Text),  # JSON, once it is read: pages, words, notes
    Column("consent_id", Text, ForeignKey("consent_texts.id", ondelete="SET NULL"), index=True),
    Column("withdrawn_on", DateTime),
    UniqueConstraint("assignment_id", "number", "attempt", "name"),
)

# What a student asks before handing in; the text goes with the answer, and soon.
self_checks = Table(
    "self_checks",
    metadata,
    id_column(),
    owner_column("assignments", "assignment_id", index=True),
    owner_column("users", "user_id", index=True),
    Column("job_id", Text, index=True),
    Column("name", Text, nullable=False),
    Column("sha256", LargeBinary(32), nullable=False),
    Column("made_on", DateTime, nullable=False),
    Column("ends_on", DateTime, nullable=False),  # when the answer is deleted
    Column("summary", Text),  # JSON: figures alone
    Column("packed", LargeBinary),  # the answer as the student may see it
)

# A report shown to a colleague, a commission, or whoever has the address.
report_links = Table(
    "report_links",
    metadata,
    id_column(),
    Column("hash", LargeBinary(32), nullable=False, unique=True),  # of what the address ends in
    Column("check_id", Text, ForeignKey("checks.id", ondelete="CASCADE"), index=True),
    Column("batch_id", Text, ForeignKey("batches.id", ondelete="CASCADE"), index=True),
    by_column(),
    Column("made_on", DateTime, nullable=False),
    Column("ends_on", DateTime, nullable=False),
    Column("revoked_on", DateTime),
    Column("recipient", Text, nullable=False),  # the name in the watermark
    Column("recipient_id", Text, ForeignKey("users.id", ondelete="SET NULL"), index=True),
    Column("email", Text),  # where the link was sent
    Column("is_commission", Boolean, nullable=False),  # may comment and decide
    Column("told_on", DateTime),  # that it ends soon
)

report_link_openings = Table(
    "report_link_openings",
    metadata,
    id_column(),
    owner_column("report_links", "link_id"),
    Column("on", DateTime, nullable=False),
    by_column(),
    Column("address", Text),
    Index("ix_report_link_openings_link_id_on", "link_id", "on"),
)

# What a commission decided about a report.
commission_decisions = Table(
    "commission_decisions",
    metadata,
    id_column(),
    owner_column("checks", "check_id", index=True),
    Column("link_id", Text, ForeignKey("report_links.id", ondelete="SET NULL"), index=True),
    by_column(),
    Column("user_name", Text, nullable=False),
    Column("made_on", DateTime, nullable=False),
    Column("decision", Text, nullable=False),
    Column("comment", Text, nullable=False),
)

# Each behind those it belongs to.
CAMPUS_TABLES = (
    *(courses, course_members, assignments, assignment_files, consent_texts, submissions),
    *(self_checks, report_links, report_link_openings, commission_decisions),
)
