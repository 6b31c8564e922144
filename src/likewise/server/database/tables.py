"""The tables that a server keeps beside the documents: people, jobs, checks."""

from likewise.library.schema.server import *  # noqa: F403
