"""The tables of a campus, of logging in by others and of mail, as revision 7 makes them."""

import sqlalchemy as sa
from alembic import op

from likewise.server.database.audit_migration import number_people
from likewise.server.database.classes_migration import make_assignments_of_classes

Number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def migrate_to_campus() -> None:
    """Make them, and the columns that older tables have gained; classes become assignments."""
    _make_account_tables()
    _make_campus_tables()
    _change_tables()
    make_assignments_of_classes()


def _make_account_tables() -> None:
    op.create_table(
        "login_providers",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("issuer", sa.Text(), nullable=False),
        sa.Column("client_id", sa.Text(), nullable=False),
        sa.Column("client_secret", sa.LargeBinary()),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("is_active", sa.Boolean(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("made_on", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_login_providers"),
    )

    op.create_table(
        "audit_people",
        sa.Column("number", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text()),
        sa.Column("name", sa.Text()),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_audit_people_user_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("number", name="pk_audit_people"),
        sa.UniqueConstraint("user_id", name="uq_audit_people_user_id"),
    )

    op.create_table(
        "identities",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("provider_id", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("made_on", sa.DateTime(), nullable=False),
        sa.Column("used_on", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["provider_id"],
            ["login_providers.id"],
            name="fk_identities_provider_id",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_identities_user_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_identities"),
        sa.UniqueConstraint("provider_id", "subject", name="uq_identities_provider_id_subject"),
    )
    op.create_index("ix_identities_user_id", "identities", ["user_id"])

    op.create_table(
        "login_requests",
        sa.Column("hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("provider_id", sa.Text(), nullable=False),
        sa.Column("request", sa.Text(), nullable=False),
        sa.Column("made_on", sa.DateTime(), nullable=False),
        sa.Column("ends_on", sa.DateTime(), nullable=False),
        sa.Column("used_on", sa.DateTime()),
        sa.ForeignKeyConstraint(
            ["provider_id"],
            ["login_providers.id"],
            name="fk_login_requests_provider_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("hash", name="pk_login_requests"),
    )
    op.create_index("ix_login_requests_provider_id", "login_requests", ["provider_id"])

    op.create_table(
        "mail_queue",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text()),
        sa.Column("to", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("language", sa.Text()),
        sa.Column("values", sa.Text(), nullable=False),
        sa.Column("key", sa.Text()),
        sa.Column("made_on", sa.DateTime(), nullable=False),
        sa.Column("not_before", sa.DateTime(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("sent_on", sa.DateTime()),
        sa.Column("failed_on", sa.DateTime()),
        sa.Column("error", sa.Text()),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_mail_queue_user_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_mail_queue"),
        sa.UniqueConstraint("key", name="uq_mail_queue_key"),
    )
    op.create_index("ix_mail_queue_not_before", "mail_queue", ["not_before"])
    op.create_index("ix_mail_queue_user_id", "mail_queue", ["user_id"])

    op.create_table(
        "recovery_codes",
        sa.Column("hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("made_on", sa.DateTime(), nullable=False),
        sa.Column("used_on", sa.DateTime()),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_recovery_codes_user_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("hash", name="pk_recovery_codes"),
    )
    op.create_index("ix_recovery_codes_user_id", "recovery_codes", ["user_id"])

    op.create_table(
        "second_factors",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("made_on", sa.DateTime(), nullable=False),
        sa.Column("confirmed_on", sa.DateTime()),
        sa.Column("last_step", Number),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_second_factors_user_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", name="pk_second_factors"),
    )


def _make_campus_tables() -> None:
    op.create_table(
        "consent_texts",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("texts", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text()),
        sa.Column("made_on", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_consent_texts_user_id", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_consent_texts"),
    )
    op.create_index("ix_consent_texts_user_id", "consent_texts", ["user_id"])

    op.create_table(
        "courses",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("term", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text()),
        sa.Column("made_on", sa.DateTime(), nullable=False),
        sa.Column("closed_on", sa.DateTime()),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_courses_user_id", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_courses"),
    )
    op.create_index("ix_courses_user_id", "courses", ["user_id"])

    op.create_table(
        "assignments",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("course_id", sa.Text(), nullable=False),
        sa.Column("batch_id", sa.Text()),
        sa.Column("user_id", sa.Text()),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("instructions", sa.Text(), nullable=False),
        sa.Column("made_on", sa.DateTime(), nullable=False),
        sa.Column("opens_on", sa.DateTime()),
        sa.Column("due_on", sa.DateTime()),
        sa.Column("closes_on", sa.DateTime()),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("request", sa.Text(), nullable=False),
        sa.Column("is_blind", sa.Boolean(), nullable=False),
        sa.Column("unveiled_on", sa.DateTime()),
        sa.Column("keep_days", sa.Integer()),
        sa.ForeignKeyConstraint(
            ["batch_id"], ["batches.id"], name="fk_assignments_batch_id", ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["course_id"], ["courses.id"], name="fk_assignments_course_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_assignments_user_id", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_assignments"),
        sa.UniqueConstraint("batch_id", name="uq_assignments_batch_id"),
    )
    op.create_index("ix_assignments_course_id", "assignments", ["course_id"])
    op.create_index("ix_assignments_due_on", "assignments", ["due_on"])
    op.create_index("ix_assignments_user_id", "assignments", ["user_id"])

    op.create_table(
        "course_members",
        sa.Column("course_id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("made_on", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["course_id"], ["courses.id"], name="fk_course_members_course_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_course_members_user_id", ondelete="CASCADE"
        ),
        sa.CheckConstraint(
            "role IN ('teacher', 'student')", name=op.f("ck_course_members_known_role")
        ),
        sa.PrimaryKeyConstraint("course_id", "user_id", name="pk_course_members"),
    )
    op.create_index("ix_course_members_user_id", "course_members", ["user_id"])

    op.create_table(
        "assignment_files",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("assignment_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("size", Number, nullable=False),
        sa.Column("sha256", sa.LargeBinary(length=32), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["assignment_id"],
            ["assignments.id"],
            name="fk_assignment_files_assignment_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_assignment_files"),
    )
    op.create_index("ix_assignment_files_assignment_id", "assignment_files", ["assignment_id"])

    op.create_table(
        "report_links",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("check_id", sa.Text()),
        sa.Column("batch_id", sa.Text()),
        sa.Column("user_id", sa.Text()),
        sa.Column("made_on", sa.DateTime(), nullable=False),
        sa.Column("ends_on", sa.DateTime(), nullable=False),
        sa.Column("revoked_on", sa.DateTime()),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("recipient_id", sa.Text()),
        sa.Column("email", sa.Text()),
        sa.Column("is_commission", sa.Boolean(), nullable=False),
        sa.Column("told_on", sa.DateTime()),
        sa.ForeignKeyConstraint(
            ["batch_id"], ["batches.id"], name="fk_report_links_batch_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["check_id"], ["checks.id"], name="fk_report_links_check_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["recipient_id"], ["users.id"], name="fk_report_links_recipient_id", ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_report_links_user_id", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_report_links"),
        sa.UniqueConstraint("hash", name="uq_report_links_hash"),
    )
    op.create_index("ix_report_links_batch_id", "report_links", ["batch_id"])
    op.create_index("ix_report_links_check_id", "report_links", ["check_id"])
    op.create_index("ix_report_links_recipient_id", "report_links", ["recipient_id"])
    op.create_index("ix_report_links_user_id", "report_links", ["user_id"])

    op.create_table(
        "self_checks",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("assignment_id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("job_id", sa.Text()),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("sha256", sa.LargeBinary(length=32), nullable=False),
        sa.Column("made_on", sa.DateTime(), nullable=False),
        sa.Column("ends_on", sa.DateTime(), nullable=False),
        sa.Column("summary", sa.Text()),
        sa.Column("packed", sa.LargeBinary()),
        sa.ForeignKeyConstraint(
            ["assignment_id"],
            ["assignments.id"],
            name="fk_self_checks_assignment_id",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_self_checks_user_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_self_checks"),
    )
    op.create_index("ix_self_checks_assignment_id", "self_checks", ["assignment_id"])
    op.create_index("ix_self_checks_job_id", "self_checks", ["job_id"])
    op.create_index("ix_self_checks_user_id", "self_checks", ["user_id"])

    op.create_table(
        "submissions",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("assignment_id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text()),
        sa.Column("student", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("group_name", sa.Text()),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("size", Number, nullable=False),
        sa.Column("sha256", sa.LargeBinary(length=32), nullable=False),
        sa.Column("handed_in_on", sa.DateTime(), nullable=False),
        sa.Column("handed_in_by", sa.Text()),
        sa.Column("is_late", sa.Boolean(), nullable=False),
        sa.Column("job_id", sa.Text()),
        sa.Column("check_id", sa.Text()),
        sa.Column("receipt", sa.Text()),
        sa.Column("consent_id", sa.Text()),
        sa.Column("withdrawn_on", sa.DateTime()),
        sa.ForeignKeyConstraint(
            ["assignment_id"],
            ["assignments.id"],
            name="fk_submissions_assignment_id",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["check_id"], ["checks.id"], name="fk_submissions_check_id", ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["consent_id"],
            ["consent_texts.id"],
            name="fk_submissions_consent_id",
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["handed_in_by"], ["users.id"], name="fk_submissions_handed_in_by", ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_submissions_user_id", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_submissions"),
        sa.UniqueConstraint(
            "assignment_id",
            "number",
            "attempt",
            "name",
            name="uq_submissions_assignment_id_number_attempt_name",
        ),
    )
    op.create_index("ix_submissions_assignment_id", "submissions", ["assignment_id"])
    op.create_index("ix_submissions_check_id", "submissions", ["check_id"])
    op.create_index("ix_submissions_consent_id", "submissions", ["consent_id"])
    op.create_index("ix_submissions_handed_in_by", "submissions", ["handed_in_by"])
    op.create_index("ix_submissions_job_id", "submissions", ["job_id"])
    op.create_index("ix_submissions_user_id", "submissions", ["user_id"])

    op.create_table(
        "commission_decisions",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("check_id", sa.Text(), nullable=False),
        sa.Column("link_id", sa.Text()),
        sa.Column("user_id", sa.Text()),
        sa.Column("user_name", sa.Text(), nullable=False),
        sa.Column("made_on", sa.DateTime(), nullable=False),
        sa.Column("decision", sa.Text(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["check_id"], ["checks.id"], name="fk_commission_decisions_check_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["link_id"],
            ["report_links.id"],
            name="fk_commission_decisions_link_id",
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_commission_decisions_user_id", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_commission_decisions"),
    )
    op.create_index("ix_commission_decisions_check_id", "commission_decisions", ["check_id"])
    op.create_index("ix_commission_decisions_link_id", "commission_decisions", ["link_id"])
    op.create_index("ix_commission_decisions_user_id", "commission_decisions", ["user_id"])

    op.create_table(
        "report_link_openings",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("link_id", sa.Text(), nullable=False),
        sa.Column("on", sa.DateTime(), nullable=False),
        sa.Column("user_id", sa.Text()),
        sa.Column("address", sa.Text()),
        sa.ForeignKeyConstraint(
            ["link_id"],
            ["report_links.id"],
            name="fk_report_link_openings_link_id",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_report_link_openings_user_id", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_report_link_openings"),
    )
    op.create_index("ix_report_link_openings_link_id_on", "report_link_openings", ["link_id", "on"])
    op.create_index("ix_report_link_openings_user_id", "report_link_openings", ["user_id"])


def _change_tables() -> None:
    with op.batch_alter_table("audit") as table:
        table.add_column(sa.Column("person", sa.Text()))
        table.create_index("ix_audit_person", ["person"])

    number_people(op.get_bind())

    with op.batch_alter_table("check_comments") as table:
        table.add_column(sa.Column("link_id", sa.Text()))
        table.create_index("ix_check_comments_link_id", ["link_id"])
        table.create_foreign_key(
            "fk_check_comments_link_id", "report_links", ["link_id"], ["id"], ondelete="SET NULL"
        )

    with op.batch_alter_table("collections") as table:
        table.add_column(
            sa.Column(
                "is_open_to_students", sa.Boolean(), nullable=False, server_default=sa.false()
            )
        )
        table.add_column(sa.Column("keep_days", sa.Integer()))

    with op.batch_alter_table("sessions") as table:
        table.add_column(sa.Column("identity_id", sa.Text()))
        table.add_column(sa.Column("provider_session", sa.Text()))
        table.create_index("ix_sessions_identity_id", ["identity_id"])
        table.create_index("ix_sessions_provider_session", ["provider_session"])
        table.create_foreign_key(
            "fk_sessions_identity_id", "identities", ["identity_id"], ["id"], ondelete="SET NULL"
        )

    named = [one["name"] for one in sa.inspect(op.get_bind()).get_check_constraints("users")]
    with op.batch_alter_table("users") as table:
        for name in filter(None, named):  # of the roles, under the names it has had
            table.drop_constraint(op.f(name), type_="check")
        table.create_check_constraint(
            op.f("ck_users_known_role"), "role IN ('administrator', 'teacher', 'student')"
        )
        table.add_column(sa.Column("email_verified_on", sa.DateTime()))
        table.add_column(sa.Column("mail_kinds", sa.Text()))
