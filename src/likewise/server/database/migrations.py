"""The tables of a server in each revision of a library's schema, as they were then."""

import sqlalchemy as sa
from alembic import op

from likewise.server.database.campus_migration import migrate_to_campus

Number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def migrate(revision: str) -> None:
    """Change the tables as a revision asks."""
    if revision == "2":
        _make_tables()
    if revision == "3":
        _add_password_resets()
    if revision == "6":
        _add_comments_and_certificates()
    if revision == "7":
        migrate_to_campus()


def _make_tables() -> None:
    op.create_table(
        "document_types",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_document_types"),
    )
    op.create_table(
        "guesses",
        sa.Column("of", sa.Text(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("last_on", sa.DateTime(), nullable=False),
        sa.Column("locked_until", sa.DateTime()),
        sa.PrimaryKeyConstraint("of", name="pk_guesses"),
    )
    op.create_table(
        "signing_keys",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("made_on", sa.DateTime(), nullable=False),
        sa.Column("ends_on", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_signing_keys"),
    )
    op.create_table(
        "users",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("shown_name", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("password", sa.Text(), nullable=False),
        sa.Column("must_change", sa.Boolean(), nullable=False),
        sa.Column("is_active", sa.Boolean(), nullable=False),
        sa.Column("made_on", sa.DateTime(), nullable=False),
        sa.Column("language", sa.Text()),
        sa.Column("most_documents", sa.Integer()),
        sa.Column("most_bytes", Number),
        sa.Column("most_checks_a_day", sa.Integer()),
        sa.PrimaryKeyConstraint("id", name="pk_users"),
        sa.CheckConstraint("role IN ('administrator', 'teacher')", name="ck_users_known_role"),
        sa.UniqueConstraint("name", name="uq_users_name"),
    )
    op.create_table(
        "api_keys",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("scopes", sa.Text(), nullable=False),
        sa.Column("made_on", sa.DateTime(), nullable=False),
        sa.Column("ends_on", sa.DateTime()),
        sa.Column("used_on", sa.DateTime()),
        sa.Column("ended_on", sa.DateTime()),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_api_keys_user_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_api_keys"),
    )
    op.create_index("ix_api_keys_user_id", "api_keys", ["user_id"])

    op.create_table(
        "audit",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("on", sa.DateTime(), nullable=False),
        sa.Column("user_id", sa.Text()),
        sa.Column("user_name", sa.Text()),
        sa.Column("act", sa.Text(), nullable=False),
        sa.Column("target", sa.Text()),
        sa.Column("address", sa.Text()),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_audit_user_id", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_audit"),
    )
    op.create_index("ix_audit_on", "audit", ["on"])
    op.create_index("ix_audit_user_id", "audit", ["user_id"])

    op.create_table(
        "batches",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("job_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("request", sa.Text(), nullable=False),
        sa.Column("made_on", sa.DateTime(), nullable=False),
        sa.Column("is_shared", sa.Boolean(), nullable=False),
        sa.Column("summary", sa.Text()),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_batches_user_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_batches"),
    )
    op.create_index("ix_batches_job_id", "batches", ["job_id"])
    op.create_index("ix_batches_user_id", "batches", ["user_id"])

    op.create_table(
        "collections",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("owner_id", sa.Text()),
        sa.Column("is_shared", sa.Boolean(), nullable=False),
        sa.Column("made_on", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["owner_id"], ["users.id"], name="fk_collections_owner_id", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_collections"),
    )
    op.create_index("ix_collections_owner_id", "collections", ["owner_id"])

    op.create_table(
        "jobs",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text()),
        sa.Column("request", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("made_on", sa.DateTime(), nullable=False),
        sa.Column("not_before", sa.DateTime(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("worker", sa.Text()),
        sa.Column("leased_until", sa.DateTime()),
        sa.Column("started_on", sa.DateTime()),
        sa.Column("ended_on", sa.DateTime()),
        sa.Column("stage", sa.Text()),
        sa.Column("done", Number, nullable=False),
        sa.Column("total", Number, nullable=False),
        sa.Column("is_unwanted", sa.Boolean(), nullable=False),
        sa.Column("error", sa.Text()),
        sa.Column("outcome", sa.Text()),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_jobs_user_id", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_jobs"),
    )
    op.create_index("ix_jobs_user_id", "jobs", ["user_id"])
    op.create_index("ix_jobs_waiting", "jobs", ["state", "not_before"])

    op.create_table(
        "sessions",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("made_on", sa.DateTime(), nullable=False),
        sa.Column("used_on", sa.DateTime(), nullable=False),
        sa.Column("ends_on", sa.DateTime(), nullable=False),
        sa.Column("ended_on", sa.DateTime()),
        sa.Column("ended_why", sa.Text()),
        sa.Column("address", sa.Text()),
        sa.Column("agent", sa.Text()),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_sessions_user_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_sessions"),
    )
    op.create_index("ix_sessions_user_id", "sessions", ["user_id"])

    op.create_table(
        "uploads",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("size", Number, nullable=False),
        sa.Column("sha256", sa.LargeBinary(length=32), nullable=False),
        sa.Column("made_on", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_uploads_user_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_uploads"),
    )
    op.create_index("ix_uploads_user_id", "uploads", ["user_id"])

    op.create_table(
        "batch_results",
        sa.Column("batch_id", sa.Text(), nullable=False),
        sa.Column("packed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["batch_id"], ["batches.id"], name="fk_batch_results_batch_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("batch_id", name="pk_batch_results"),
    )
    op.create_table(
        "checks",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("job_id", sa.Text()),
        sa.Column("batch_id", sa.Text()),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("request", sa.Text(), nullable=False),
        sa.Column("made_on", sa.DateTime(), nullable=False),
        sa.Column("is_shared", sa.Boolean(), nullable=False),
        sa.Column("summary", sa.Text()),
        sa.ForeignKeyConstraint(
            ["batch_id"], ["batches.id"], name="fk_checks_batch_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_checks_user_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_checks"),
    )
    op.create_index("ix_checks_batch_id", "checks", ["batch_id"])
    op.create_index("ix_checks_job_id", "checks", ["job_id"])
    op.create_index("ix_checks_made_on", "checks", ["made_on"])
    op.create_index("ix_checks_user_id", "checks", ["user_id"])

    op.create_table(
        "refresh_tokens",
        sa.Column("hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("made_on", sa.DateTime(), nullable=False),
        sa.Column("used_on", sa.DateTime()),
        sa.ForeignKeyConstraint(
            ["session_id"], ["sessions.id"], name="fk_refresh_tokens_session_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("hash", name="pk_refresh_tokens"),
    )
    op.create_index("ix_refresh_tokens_session_id", "refresh_tokens", ["session_id"])

    op.create_table(
        "upload_parts",
        sa.Column("upload_id", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["upload_id"], ["uploads.id"], name="fk_upload_parts_upload_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("upload_id", "number", name="pk_upload_parts"),
    )
    op.create_table(
        "check_confirmations",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("check_id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text()),
        sa.Column("user_name", sa.Text(), nullable=False),
        sa.Column("made_on", sa.DateTime(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["check_id"], ["checks.id"], name="fk_check_confirmations_check_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_check_confirmations_user_id", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_check_confirmations"),
    )
    op.create_index("ix_check_confirmations_check_id", "check_confirmations", ["check_id"])
    op.create_index("ix_check_confirmations_user_id", "check_confirmations", ["user_id"])

    op.create_table(
        "check_exclusions",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("check_id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text()),
        sa.Column("user_name", sa.Text(), nullable=False),
        sa.Column("made_on", sa.DateTime(), nullable=False),
        sa.Column("source", sa.Text()),
        sa.Column("start", sa.Integer()),
        sa.Column("end", sa.Integer()),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["check_id"], ["checks.id"], name="fk_check_exclusions_check_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_check_exclusions_user_id", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_check_exclusions"),
    )
    op.create_index("ix_check_exclusions_check_id", "check_exclusions", ["check_id"])
    op.create_index("ix_check_exclusions_user_id", "check_exclusions", ["user_id"])

    op.create_table(
        "check_results",
        sa.Column("check_id", sa.Text(), nullable=False),
        sa.Column("packed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["check_id"], ["checks.id"], name="fk_check_results_check_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("check_id", name="pk_check_results"),
    )


def _add_password_resets() -> None:
    """Passwords that their owners renew, and log ins that are proved again."""
    op.add_column("users", sa.Column("email", sa.Text()))
    op.add_column("sessions", sa.Column("authenticated_on", sa.DateTime()))
    op.create_table(
        "password_resets",
        sa.Column("hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("made_on", sa.DateTime(), nullable=False),
        sa.Column("ends_on", sa.DateTime(), nullable=False),
        sa.Column("used_on", sa.DateTime()),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_password_resets_user_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("hash", name="pk_password_resets"),
    )
    op.create_index("ix_password_resets_user_id", "password_resets", ["user_id"])


def _add_comments_and_certificates() -> None:
    """Comments, certificates; reports that were opened, classes and jobs that are done with."""
    op.add_column("batches", sa.Column("closed_on", sa.DateTime()))
    op.add_column("checks", sa.Column("opened_on", sa.DateTime()))
    op.add_column("jobs", sa.Column("dismissed_on", sa.DateTime()))
    op.create_table(
        "check_comments",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("check_id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text()),
        sa.Column("user_name", sa.Text(), nullable=False),
        sa.Column("made_on", sa.DateTime(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["check_id"], ["checks.id"], name="fk_check_comments_check_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_check_comments_user_id", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_check_comments"),
    )
    op.create_index("ix_check_comments_check_id", "check_comments", ["check_id"])
    op.create_index("ix_check_comments_user_id", "check_comments", ["user_id"])

    op.create_table(
        "certificates",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("check_id", sa.Text()),
        sa.Column("user_id", sa.Text()),
        sa.Column("user_name", sa.Text(), nullable=False),
        sa.Column("made_on", sa.DateTime(), nullable=False),
        sa.Column("revoked_on", sa.DateTime()),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["check_id"], ["checks.id"], name="fk_certificates_check_id", ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_certificates_user_id", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_certificates"),
        sa.UniqueConstraint("number", name="uq_certificates_number"),
    )
    op.create_index("ix_certificates_check_id", "certificates", ["check_id"])
    op.create_index("ix_certificates_user_id", "certificates", ["user_id"])
