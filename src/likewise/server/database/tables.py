"""The tables that a server keeps beside the documents: people, jobs, checks.

They stand in the library's own database, so that one backup, one copy and one upgrade take
everything along. Rows are named by random letters, never by numbers that could be guessed.
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
    false,
)

from likewise.library.schema import Number, metadata
from likewise.server.database.account_tables import (
    ACCOUNT_TABLES,
    audit_people,
    identities,
    login_providers,
    login_requests,
    mail_queue,
    recovery_codes,
    second_factors,
)
from likewise.server.database.campus_tables import (
    CAMPUS_TABLES,
    assignment_files,
    assignments,
    commission_decisions,
    consent_texts,
    course_members,
    courses,
    report_link_openings,
    report_links,
    self_checks,
    submissions,
)
from likewise.server.database.columns import by_column, id_column, owner_column

users = Table(
    "users",
    metadata,
    id_column(),
    Column("name", Text, nullable=False, unique=True),  # to log in by, in small letters
    Column("shown_name", Text, nullable=False),
    Column(
        "role",
        Text,
        CheckConstraint("role IN ('administrator', 'teacher', 'student')", "known_role"),
        nullable=False,
    ),
    Column("password", Text, nullable=False),  # argon2; empty where only providers vouch
    Column("must_change", Boolean, nullable=False),  # the password was given by somebody else
    Column("is_active", Boolean, nullable=False),
    Column("made_on", DateTime, nullable=False),
    Column("language", Text),  # of the pages
    Column("most_documents", Integer),  # what the person may hold; None as the site says
    Column("most_bytes", Number),
    Column("most_checks_a_day", Integer),
    Column("email", Text),  # where a link to a new password is sent
    Column("email_verified_on", DateTime),  # by a provider, or by a link that was sent there
    Column("mail_kinds", Text),  # JSON: what the person wants to be told by mail
)

# What access tokens are signed with, shared by all servers. The newest signs.
signing_keys = Table(
    "signing_keys",
    metadata,
    id_column(),
    Column("secret", LargeBinary, nullable=False),
    Column("made_on", DateTime, nullable=False),
    Column("ends_on", DateTime, nullable=False),
)

# A log in, and every refresh that came of it.
sessions = Table(
    "sessions",
    metadata,
    id_column(),
    owner_column("users", "user_id", index=True),
    Column("made_on", DateTime, nullable=False),
    Column("used_on", DateTime, nullable=False),
    Column("ends_on", DateTime, nullable=False),
    Column("ended_on", DateTime),
    Column("ended_why", Text),
    Column("address", Text),
    Column("agent", Text),
    Column("authenticated_on", DateTime),  # when the password was given last
    Column("identity_id", Text, ForeignKey("identities.id", ondelete="SET NULL"), index=True),
    Column("provider_session", Text, index=True),  # as the provider names it when it ends it
)

# Links to a new password, sent by mail; each is good once and not for long.
password_resets = Table(
    "password_resets",
    metadata,
    Column("hash", LargeBinary(32), primary_key=True),
    owner_column("users", "user_id", index=True),
    Column("made_on", DateTime, nullable=False),
    Column("ends_on", DateTime, nullable=False),
    Column("used_on", DateTime),
)

refresh_tokens = Table(
    "refresh_tokens",
    metadata,
    Column("hash", LargeBinary(32), primary_key=True),
    owner_column("sessions", "session_id", index=True),
    Column("made_on", DateTime, nullable=False),
    Column("used_on", DateTime),  # a second use ends the session
)

# Wrong passwords, by name and by address.
guesses = Table(
    "guesses",
    metadata,
    Column("of", Text, primary_key=True),
    Column("failures", Integer, nullable=False),
    Column("last_on", DateTime, nullable=False),
    Column("locked_until", DateTime),
)

api_keys = Table(
    "api_keys",
    metadata,
    id_column(),
    owner_column("users", "user_id", index=True),
    Column("name", Text, nullable=False),
    Column("hash", LargeBinary(32), nullable=False),
    Column("scopes", Text, nullable=False),  # JSON
    Column("made_on", DateTime, nullable=False),
    Column("ends_on", DateTime),
    Column("used_on", DateTime),
    Column("ended_on", DateTime),
)

audit = Table(
    "audit",
    metadata,
    id_column(),
    Column("on", DateTime, nullable=False),
    by_column(),
    Column("person", Text, index=True),  # the number of whoever did it, in `audit_people`
    Column("user_name", Text),  # as the person was called, in lines of before there were numbers
    Column("act", Text, nullable=False),
    Column("target", Text),
    Column("address", Text),
    Column("detail", Text, nullable=False),  # JSON
    Index("ix_audit_on", "on"),
)

# Where documents stand. The one without letters is the shared library.
collections = Table(
    "collections",
    metadata,
    id_column(),
    Column("name", Text, nullable=False),
    Column("about", Text, nullable=False),
    Column("owner_id", Text, ForeignKey("users.id", ondelete="SET NULL"), index=True),
    Column("is_shared", Boolean, nullable=False),
    Column("made_on", DateTime, nullable=False),
    # Whether reports of students may name its documents.
    Column("is_open_to_students", Boolean, nullable=False, server_default=false()),
    Column("keep_days", Integer),  # documents, from when they were added; None without end
)

document_types = Table(
    "document_types",
    metadata,
    Column("name", Text, primary_key=True),
    Column("position", Integer, nullable=False),
)

# Files that were accepted and wait for a job; what is long stands apart, in parts.
uploads = Table(
    "uploads",
    metadata,
    id_column(),
    owner_column("users", "user_id", index=True),
    Column("name", Text, nullable=False),
    Column("size", Number, nullable=False),
    Column("sha256", LargeBinary(32), nullable=False),
    Column("made_on", DateTime, nullable=False),
)

upload_parts = Table(
    "upload_parts",
    metadata,
    owner_column("uploads", "upload_id", is_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("data", LargeBinary, nullable=False),
)

jobs = Table(
    "jobs",
    metadata,
    id_column(),
    Column("kind", Text, nullable=False),
    by_column(),
    Column("request", Text, nullable=False),  # JSON
    Column("state", Text, nullable=False),  # queued, running, done, failed, cancelled
    Column("made_on", DateTime, nullable=False),
    Column("not_before", DateTime, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("worker", Text),
    Column("leased_until", DateTime),
    Column("started_on", DateTime),
    Column("ended_on", DateTime),
    Column("stage", Text),
    Column("done", Number, nullable=False),
    Column("total", Number, nullable=False),
    Column("is_unwanted", Boolean, nullable=False),  # somebody asked to cancel it
    Column("error", Text),
    Column("outcome", Text),  # JSON
    Column("dismissed_on", DateTime),  # it failed, and somebody has seen to it
    Index("ix_jobs_waiting", "state", "not_before"),
)

batches = Table(
    "batches",
    metadata,
    id_column(),
    owner_column("users", "user_id", index=True),
    Column("job_id", Text, nullable=False, index=True),
    Column("name", Text, nullable=False),
    Column("request", Text, nullable=False),  # JSON
    Column("made_on", DateTime, nullable=False),
    Column("is_shared", Boolean, nullable=False),
    Column("summary", Text),  # JSON, when it is done
    Column("closed_on", DateTime),  # nothing in it needs to be looked at any more
)

batch_results = Table(
    "batch_results",
    metadata,
    owner_column("batches", "batch_id", is_key=True),
    Column("packed", LargeBinary, nullable=False),
)

checks = Table(
    "checks",
    metadata,
    id_column(),
    owner_column("users", "user_id", index=True),
    Column("job_id", Text, index=True),  # none for a check of a batch
    Column("batch_id", Text, ForeignKey("batches.id", ondelete="CASCADE"), index=True),
    Column("name", Text, nullable=False),  # of the document
    Column("request", Text, nullable=False),  # JSON
    Column("made_on", DateTime, nullable=False, index=True),
    Column("is_shared", Boolean, nullable=False),  # other teachers may open it
    Column("summary", Text),  # JSON, when it is done
    Column("opened_on", DateTime),  # when its owner first opened the report
)

check_results = Table(
    "check_results",
    metadata,
    owner_column("checks", "check_id", is_key=True),
    Column("packed", LargeBinary, nullable=False),
)

# What a reader of a report took out of the count: a source, or a stretch of the text.
check_exclusions = Table(
    "check_exclusions",
    metadata,
    id_column(),
    owner_column("checks", "check_id", index=True),
    by_column(),
    Column("user_name", Text, nullable=False),
    Column("made_on", DateTime, nullable=False),
    Column("source", Text),
    Column("start", Integer),
    Column("end", Integer),
    Column("reason", Text, nullable=False),
)

# Four eyes: another teacher has read the report and agrees.
check_confirmations = Table(
    "check_confirmations",
    metadata,
    id_column(),
    owner_column("checks", "check_id", index=True),
    by_column(),
    Column("user_name", Text, nullable=False),
    Column("made_on", DateTime, nullable=False),
    Column("comment", Text, nullable=False),
)

# What a teacher writes beside a place of the text.
check_comments = Table(
    "check_comments",
    metadata,
    id_column(),
    owner_column("checks", "check_id", index=True),
    by_column(),
    Column("user_name", Text, nullable=False),
    Column("made_on", DateTime, nullable=False),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("comment", Text, nullable=False),
    Column("link_id", Text, ForeignKey("report_links.id", ondelete="SET NULL"), index=True),
)

# What departments file: figures of a report as they were when somebody signed for them. The id is
# the code under which anybody may see that it is genuine; it outlives its check.
certificates = Table(
    "certificates",
    metadata,
    id_column(),
    Column("number", Integer, nullable=False, unique=True),  # of this server, from 1
    Column("check_id", Text, ForeignKey("checks.id", ondelete="SET NULL"), index=True),
    by_column(),
    Column("user_name", Text, nullable=False),
    Column("made_on", DateTime, nullable=False),
    Column("revoked_on", DateTime),
    Column("facts", Text, nullable=False),  # JSON: all that the page says
)

# Each behind those it belongs to.
TABLES = (
    *(users, *ACCOUNT_TABLES, signing_keys, sessions, refresh_tokens, guesses, api_keys, audit),
    *(collections, document_types, uploads, upload_parts, jobs, batches, batch_results, checks),
    *(check_results, check_exclusions, check_confirmations, password_resets, *CAMPUS_TABLES),
    *(check_comments, certificates),
)

__all__ = [
    "ACCOUNT_TABLES",
    "CAMPUS_TABLES",
    "api_keys",
    "assignment_files",
    "assignments",
    "audit",
    "audit_people",
    "batch_results",
    "batches",
    "certificates",
    "check_comments",
    "check_confirmations",
    "check_exclusions",
    "check_results",
    "checks",
    "collections",
    "commission_decisions",
    "consent_texts",
    "course_members",
    "courses",
    "document_types",
    "guesses",
    "identities",
    "jobs",
    "login_providers",
    "login_requests",
    "mail_queue",
    "password_resets",
    "recovery_codes",
    "refresh_tokens",
    "report_link_openings",
    "report_links",
    "second_factors",
    "self_checks",
    "sessions",
    "signing_keys",
    "submissions",
    "upload_parts",
    "uploads",
    "users",
]
