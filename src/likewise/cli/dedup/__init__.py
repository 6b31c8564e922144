"""`likewise dedup`: near-duplicates out of a corpus, on this machine or on Spark."""

from likewise.cli.dedup.command import EXAMPLES, dedup

__all__ = ["EXAMPLES", "dedup"]
