"""Passwords that their owners renew, log ins that are proved again, receipts of what was erased."""

import sqlalchemy as sa
from alembic import op

revision = "3"
down_revision = "2"
branch_labels = None
depends_on = None


def upgrade() -> None:
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
    op.create_table(
        "erasures",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("made_on", sa.DateTime(), nullable=False),
        sa.Column("user_id", sa.Text()),
        sa.Column("user_name", sa.Text()),
        sa.Column("receipt", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_erasures_user_id", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_erasures"),
    )
    op.create_index("ix_erasures_made_on", "erasures", ["made_on"])
    op.create_index("ix_erasures_user_id", "erasures", ["user_id"])
