"""A worker process whose jobs do what no job should; run by a supervisor in tests.

What a job of the kind `tidy` does stands in its request; other jobs are done as ever. With a
library as its argument the program supervises such a worker, until it is killed.
"""

from __future__ import annotations

import ctypes
import sys
import time
from collections.abc import Mapping
from typing import Any

from likewise.library import Library
from likewise.library.registry import write_value
from likewise.reading.request import Limits, Request
from likewise.reading.sandbox import Sandbox
from likewise.server.config import Config
from likewise.server.context import ServerContext
from likewise.server.jobs.queue import Job
from likewise.server.jobs.work import Handler, Work
from likewise.server.workers import attempt, process
from likewise.server.workers.handlers import handler_of
from likewise.server.workers.supervisor import Supervisor

HALF_WRITTEN = "tests.half_written"
LONG = 3600.0


def hold_interpreter() -> None:
    """What a pattern with too many ways does: no other thread runs. But it lets the core rest."""
    library = ctypes.PyDLL(None)  # whose functions, unlike those of CDLL, keep the lock
    while True:
        library.sleep(int(LONG))


def hold_in_transaction(work: Work) -> None:
    with work.context.store.beside() as connection:
        write_value(connection, HALF_WRITTEN, "yes")
        hold_interpreter()


def wait_for_reader() -> None:
    """A file that hangs in its reader, which has an hour for it."""
    limits = Limits(seconds=LONG, total_seconds=LONG)
    Sandbox(limits, "tests.reading.evil_worker").read(b"hang", Request("a.txt", limits))


def tell_for_ever(work: Work) -> None:
    while True:
        work.report_progress("waiting", 0, 1)
        time.sleep(0.01)


def stuck(work: Work) -> Mapping[str, Any]:
    match work.job.request.get("do"):
        case "hold":
            hold_interpreter()
        case "hold in transaction":
            hold_in_transaction(work)
        case "hold once":
            if work.job.attempts == 1:
                hold_interpreter()
        case "read":
            wait_for_reader()
        case "sleep":
            time.sleep(LONG)
        case "tell":
            tell_for_ever(work)
    return {"attempt": work.job.attempts}


def stuck_handler(job: Job) -> Handler:
    return stuck if job.kind == "tidy" else handler_of(job)


def supervise(place: str) -> None:
    with Library(place) as library:
        config = Config(workers=1, log_level="error", job_lease_seconds=3)
        Supervisor(ServerContext(library, config), place, 1, "tests.server.stuck_worker").start()
        time.sleep(LONG)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        supervise(sys.argv[1])
        sys.exit()
    attempt.handler_of = stuck_handler  # type: ignore[attr-defined]
    sys.exit(process.main())
