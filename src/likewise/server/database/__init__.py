"""The tables that a server keeps in a library, and what backups and erasures do to them."""
