"""Which code does which kind of job; imported when a job of the kind comes."""

from __future__ import annotations

from contextlib import suppress
from typing import get_args

from likewise.server.jobs.queue import IS_SELF_CHECK, Job, Kind
from likewise.server.jobs.work import Handler


def handler_of(job: Job) -> Handler:
    """What does a job; a request for similar documents is one of the kind `check`.

    What is handed in to an assignment is checked by one of the kind `batch`.
    """
    if "similar" in job.request:
        from likewise.server.similar.job import measure_similar

        return measure_similar
    if IS_SELF_CHECK in job.request:
        from likewise.server.self_checks.job import check_unsubmitted

        return check_unsubmitted
    if "assignment" in job.request:
        from likewise.server.submissions.job import check_submissions

        return check_submissions
    return _handler_of_kind(job.kind)


def _handler_of_kind(kind: Kind) -> Handler:
    if kind == "add":
        from likewise.server.documents.job import add_uploads

        return add_uploads
    if kind == "check":
        from likewise.server.checks.job import check_upload

        return check_upload
    if kind == "batch":
        from likewise.server.classes.job import check_class

        return check_class
    if kind == "rebuild":
        from likewise.server.stop_words.rebuild import rebuild_library

        return rebuild_library
    if kind == "duplicates":
        from likewise.server.duplicates.job import find_duplicates

        return find_duplicates
    if kind == "erase":
        from likewise.server.erasures.job import erase

        return erase
    from likewise.server.retention import tidy

    return tidy


def warm_up() -> None:
    """Import what jobs need, so that the first need not wait for it."""
    for kind in get_args(Kind):
        with suppress(ImportError):  # the job itself will say so
            _handler_of_kind(kind)
