"""A job while it runs, as the code that does it sees it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from likewise.progress import Progress
from likewise.server.context import ServerContext
from likewise.server.jobs.queue import Job


class Cancelled(Exception):
    """Somebody asked that the job be given up."""


class LostLease(Cancelled):
    """The job was given to another, because this worker was silent for too long."""


class TookTooLong(Cancelled):
    """The job has run for longer than one of its kind may."""


class WaitsForTurn(Exception):
    """Another job has to end first: this one goes back to the others, and nobody is to blame."""


class WorkerShutdown(BaseException):
    """The process is about to end: the job goes back to the others, and nobody is to blame."""


@dataclass(frozen=True, slots=True)
class Work:
    """A job, and the way to say how far it is.

    `report_progress(stage, done, total)` may be called as often as one likes, also inside a
    transaction; it raises `Cancelled` when the job is no longer wanted. A stage is a key such as
    "reading", "checking", "aligning".
    """

    context: ServerContext
    job: Job
    report_progress: Progress


# What each kind of job does. It may be run again after a crash at any moment: it finds what an
# earlier attempt left and goes on, and nothing is doubled. It returns what is kept as the outcome.
Handler = Callable[[Work], Mapping[str, Any]]
