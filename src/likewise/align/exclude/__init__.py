"""Text of a document that is not to count as copied: found, shown, and each kind can be kept."""

from likewise.align.exclude.exclusions import (
    ORDER,
    Common,
    Exclusions,
    Held,
    Templates,
    exclude,
)

__all__ = ["ORDER", "Common", "Exclusions", "Held", "Templates", "exclude"]
