"""Mail that a server sends: a queue in the database, and who takes letters out of it."""
