"""Which Likewise this is."""

from __future__ import annotations

from importlib import metadata


def version() -> str:
    """As the installed package says."""
    try:
        return metadata.version("likewise")
    except metadata.PackageNotFoundError:
        return "unknown (not installed as a package)"
