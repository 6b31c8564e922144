"""Which code does which kind of job; imported when a job of the kind comes."""

from __future__ import annotations

from contextlib import suppress
from typing import get_args

from likewise.server.job_queue import Kind
from likewise.server.jobs.work import Doing


def doing(kind: Kind) -> Doing:
    """What does jobs of a kind."""
    if kind == "add":
        from likewise.server.jobs.adding import add_uploads

        return add_uploads
    if kind == "check":
        from likewise.server.jobs.checking import check_upload

        return check_upload
    if kind == "batch":
        from likewise.server.jobs.batching import check_class

        return check_class
    if kind == "rebuild":
        from likewise.server.jobs.rebuilding import rebuild_library

        return rebuild_library
    if kind == "erase":
        from likewise.server.jobs.erasing import erase

        return erase
    from likewise.server.jobs.tidying import tidy

    return tidy


def warm_up() -> None:
    """Import what jobs need, so that the first need not wait for it."""
    for kind in get_args(Kind):
        with suppress(ImportError):  # the job itself will say so
            doing(kind)
