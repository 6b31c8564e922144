"""The first schema."""

import sqlalchemy as sa
from alembic import op

revision = "1"
down_revision = None
branch_labels = None
depends_on = None

Number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "recipes",
        sa.Column("id", Number, autoincrement=False, nullable=False),
        sa.Column("recipe", sa.Text(), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_recipes"),
        sa.UniqueConstraint("recipe", name="uq_recipes_recipe"),
    )
    op.create_table(
        "library",
        sa.Column("id", sa.SmallInteger(), nullable=False),
        sa.Column("uid", sa.Text(), nullable=False),
        sa.Column("made_on", sa.DateTime(), nullable=False),
        sa.Column("changes", Number, nullable=False),
        sa.Column("last_document", Number, nullable=False),
        sa.Column("recipe_id", Number, nullable=False),
        sa.Column("next_recipe_id", Number),
        sa.CheckConstraint("id = 1", name="ck_library_one_row"),
        sa.PrimaryKeyConstraint("id", name="pk_library"),
        sa.ForeignKeyConstraint(["recipe_id"], ["recipes.id"], name="fk_library_recipe_id"),
        sa.ForeignKeyConstraint(
            ["next_recipe_id"], ["recipes.id"], name="fk_library_next_recipe_id"
        ),
    )
    op.create_table(
        "documents",
        sa.Column("id", Number, autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("sha256", sa.LargeBinary(32), nullable=False),
        sa.Column("is_file", sa.Boolean(), nullable=False),
        sa.Column("text_hash", sa.LargeBinary(16), nullable=False),
        sa.Column("copy_of", Number),
        sa.Column("owner", sa.Text()),
        sa.Column("added_on", sa.DateTime(), nullable=False),
        sa.Column("path", sa.Text()),
        sa.Column("language", sa.Text()),
        sa.Column("type", sa.Text()),
        sa.Column("organisation", sa.Text()),
        sa.Column("author", sa.Text()),
        sa.Column("advisor", sa.Text()),
        sa.Column("year", sa.SmallInteger()),
        sa.Column("month", sa.SmallInteger()),
        sa.Column("words", sa.Integer(), nullable=False),
        sa.Column("chars", sa.Integer(), nullable=False),
        sa.Column("searched", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_documents"),
        sa.UniqueConstraint("sha256", name="uq_documents_sha256"),
        sa.ForeignKeyConstraint(["copy_of"], ["documents.id"], name="fk_documents_copy_of"),
    )
    op.create_index("ix_documents_text_hash", "documents", ["text_hash"])
    op.create_index("ix_documents_copy_of", "documents", ["copy_of"])
    op.create_index("ix_documents_name", "documents", ["name"])
    op.create_index("ix_documents_added_on", "documents", ["added_on"])
    op.create_table(
        "document_references",
        sa.Column("document_id", Number, autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text()),
        sa.Column("author", sa.Text()),
        sa.Column("added_on", sa.DateTime(), nullable=False),
        sa.Column("path", sa.Text()),
        sa.PrimaryKeyConstraint("document_id", "number", name="pk_document_references"),
        _of_document("document_references"),
    )
    op.create_table(
        "tags",
        sa.Column("document_id", Number, autoincrement=False, nullable=False),
        sa.Column("tag", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("document_id", "tag", name="pk_tags"),
        _of_document("tags"),
    )
    op.create_index("ix_tags_tag", "tags", ["tag"])
    for name in ("texts", "originals"):
        op.create_table(
            name,
            sa.Column("document_id", Number, autoincrement=False, nullable=False),
            sa.Column("packed", sa.LargeBinary(), nullable=False),
            sa.PrimaryKeyConstraint("document_id", name=f"pk_{name}"),
            _of_document(name),
        )
    op.create_table(
        "sketches",
        sa.Column("document_id", Number, autoincrement=False, nullable=False),
        sa.Column("recipe_id", Number, autoincrement=False, nullable=False),
        sa.Column("change", Number, nullable=False),
        sa.Column("shingles", sa.Integer(), nullable=False),
        sa.Column("fingerprints", sa.Integer(), nullable=False),
        sa.Column("hashes", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("document_id", "recipe_id", name="pk_sketches"),
        sa.ForeignKeyConstraint(
            ["recipe_id"], ["recipes.id"], name="fk_sketches_recipe_id", ondelete="CASCADE"
        ),
        _of_document("sketches"),
    )
    op.create_index("ix_sketches_in_order", "sketches", ["recipe_id", "change", "document_id"])
    op.create_table(
        "removals",
        sa.Column("document_id", Number, autoincrement=False, nullable=False),
        sa.Column("change", Number, nullable=False),
        sa.PrimaryKeyConstraint("document_id", name="pk_removals"),
    )
    op.create_index("ix_removals_change", "removals", ["change"])
    op.create_table(
        "document_tables",
        sa.Column("document_id", Number, autoincrement=False, nullable=False),
        sa.Column("recipe_id", Number, autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("change", Number, nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.Column("hashes", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("document_id", "recipe_id", "number", name="pk_document_tables"),
        sa.ForeignKeyConstraint(
            ["recipe_id"], ["recipes.id"], name="fk_document_tables_recipe_id", ondelete="CASCADE"
        ),
        _of_document("document_tables"),
    )
    op.create_index(
        "ix_document_tables_in_order",
        "document_tables",
        ["recipe_id", "change", "document_id", "number"],
    )
    op.create_table(
        "stop_words",
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("word", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("language", "word", name="pk_stop_words"),
    )
    op.create_table(
        "key_values",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_key_values"),
    )


def _of_document(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["document_id"], ["documents.id"], name=f"fk_{table}_document_id", ondelete="CASCADE"
    )
