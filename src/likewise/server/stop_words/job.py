"""Fingerprints made anew, while checks go on with the old ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from likewise.server.jobs.work import Work


def rebuild_library(work: Work) -> Mapping[str, Any]:
    """Do a job of the kind `rebuild`; killed, the next attempt goes on where this one was."""

    def tell(_stage: str, done: int, total: int) -> None:
        work.tell("making fingerprints", done, total)

    work.tell("making fingerprints", 0, 0)
    return {"documents": work.site.library.rebuild(tell)}
