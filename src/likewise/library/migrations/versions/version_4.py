"""Blocks of concepts, by which the source of a rewritten or translated text is found.

The blocks of documents that are there already are made from their texts by a rebuild.
"""

import sqlalchemy as sa
from alembic import op

from likewise.library.registry import registered_hosts
from likewise.library.schema import Number

revision = "4"
down_revision = "3"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for host in registered_hosts():
        host.migrate(revision)
    op.create_table(
        "concept_blocks",
        sa.Column("document_id", Number, autoincrement=False, nullable=False),
        sa.Column("recipe_id", Number, autoincrement=False, nullable=False),
        sa.Column("change", Number, nullable=False),
        sa.Column("blocks", sa.Integer(), nullable=False),
        sa.Column("concepts", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("document_id", "recipe_id", name="pk_concept_blocks"),
        sa.ForeignKeyConstraint(
            ["document_id"],
            ["documents.id"],
            name="fk_concept_blocks_document_id",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["recipe_id"], ["recipes.id"], name="fk_concept_blocks_recipe_id", ondelete="CASCADE"
        ),
    )
    op.create_index(
        "ix_concept_blocks_in_order", "concept_blocks", ["recipe_id", "change", "document_id"]
    )
