"""`likewise check`: documents against many, and where each piece of their text comes from."""

from likewise.cli.check.command import EXAMPLES, check

__all__ = ["EXAMPLES", "check"]
