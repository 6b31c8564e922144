"""Rows of fingerprints that several documents may share."""

import sqlalchemy as sa
from alembic import op

from likewise.library.registry import registered_hosts

revision = "5"
down_revision = "4"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for host in registered_hosts():
        host.migrate(revision)
    op.add_column("sketches", sa.Column("others", sa.BigInteger()))
    op.create_index(
        "ix_sketches_others",
        "sketches",
        ["document_id", "recipe_id", "change", "others"],
        postgresql_where=sa.text("others IS NOT NULL"),
        sqlite_where=sa.text("others IS NOT NULL"),
    )
