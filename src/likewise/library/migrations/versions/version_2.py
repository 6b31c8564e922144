"""Collections, and the tables of hosts."""

import sqlalchemy as sa
from alembic import op

from likewise.library.filters import add_search_index
from likewise.library.registry import registered_hosts

revision = "2"
down_revision = "1"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("documents") as documents:
        documents.add_column(sa.Column("collection", sa.Text(), server_default="", nullable=False))
        documents.drop_constraint("uq_documents_sha256", type_="unique")
        documents.create_index("ix_documents_collection", ["collection"])
        documents.create_unique_constraint(
            "uq_documents_sha256_collection", ["sha256", "collection"]
        )
        for name in (
            *("owner", "author", "advisor", "organisation"),
            *("language", "type", "year", "words"),
        ):
            documents.create_index(f"ix_documents_{name}", [name, "id"])
    for name in ("owner", "author"):
        op.create_index(f"ix_document_references_{name}", "document_references", [name])
    add_search_index(op.get_bind())
    for host in registered_hosts():
        host.migrate(revision)
