"""Text of a document that is not to count as copied: found, shown, and each kind can be kept."""

from likewise.align.exclude.exclusions import (
    ORDER,
    Common,
    CommonRuns,
    Exclusions,
    Templates,
    exclude,
)

__all__ = ["ORDER", "Common", "Exclusions", "CommonRuns", "Templates", "exclude"]
