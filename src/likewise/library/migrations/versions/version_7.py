"""What hosts keep since there are courses, students and other ways to log in."""

from likewise.library.registry import registered_hosts

revision = "7"
down_revision = "6"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for host in registered_hosts():
        host.migrate(revision)
