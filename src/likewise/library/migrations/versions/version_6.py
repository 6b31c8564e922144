"""What hosts keep since there are comments and certificates."""

from likewise.library.registry import registered_hosts

revision = "6"
down_revision = "5"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for host in registered_hosts():
        host.migrate(revision)
