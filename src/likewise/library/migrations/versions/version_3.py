"""Receipts of what was erased."""

import sqlalchemy as sa
from alembic import op

from likewise.library.registry import references_of, registered_hosts

revision = "3"
down_revision = "2"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for host in registered_hosts():
        host.migrate(revision)
    op.create_table(
        "erasures",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("made_on", sa.DateTime(), nullable=False),
        sa.Column("user_id", sa.Text()),
        sa.Column("user_name", sa.Text()),
        sa.Column("receipt", sa.Text(), nullable=False),
        *references_of("erasures"),
        sa.PrimaryKeyConstraint("id", name="pk_erasures"),
    )
    op.create_index("ix_erasures_made_on", "erasures", ["made_on"])
    op.create_index("ix_erasures_user_id", "erasures", ["user_id"])
