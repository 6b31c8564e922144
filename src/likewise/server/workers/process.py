"""The process that a supervisor starts: `python -m likewise.server.workers.process`.

On its standard input it gets one line of JSON (where the library is, how to run, its own name): an
address may hold a password, and everybody can read command lines. When that input ends, the
supervisor has ended, and so does the worker. Its standard output carries its heartbeat.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from typing import Any

from likewise.errors import LikewiseError
from likewise.library import Library
from likewise.server.config import Config
from likewise.server.context import ServerContext
from likewise.server.logs import log, set_up_logs
from likewise.server.mail.addresses import sends_mail
from likewise.server.mail.sender import MailSender
from likewise.server.workers.announcements import CHORES, PREPARATIONS
from likewise.server.workers.attempt import is_lost
from likewise.server.workers.handlers import warm_up
from likewise.server.workers.heartbeat import Heartbeat, silent_seconds
from likewise.server.workers.lease_keeper import end_readers
from likewise.server.workers.limits import limit_memory
from likewise.server.workers.stop_signal import StopSignal
from likewise.server.workers.worker import Worker

GIVES_WAY = 10
_AGAIN_SECONDS = 1.0
_ORPHAN_SECONDS = 15.0
_SET_PDEATHSIG = 1


def main() -> int:
    _end_with_parent()
    start_message = json.loads(_read_first_line())
    config = Config(**start_message["config"])
    set_up_logs(config)
    heartbeat = Heartbeat(_take_output(), silent_seconds(config))
    heartbeat.start()
    limit_memory(config.worker_memory_mb)
    if hasattr(os, "nice"):
        os.nice(GIVES_WAY)  # its readers, too: people wait for answers, jobs have time
    stopping = StopSignal()
    signal.signal(signal.SIGTERM, lambda *_: stopping.set())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the supervisor
    threading.Thread(target=_watch_parent, args=[stopping], daemon=True).start()
    library = _open_library(start_message["place"], stopping)
    if library is None:
        return 0
    with library:
        worker = Worker(ServerContext(library, config), start_message["name"], heartbeat)
        threading.Thread(target=_stop_when, args=[stopping, worker], daemon=True).start()
        warm_up()
        if sends_mail(config):
            # Its own context: what a job is doing with the other is none of its business.
            MailSender(ServerContext(library, config), PREPARATIONS, CHORES).start()
        worker.run()
    return 0


def _read_first_line() -> bytes:
    """Without a buffer, whose lock a thread that waits for more would hold to the very end."""
    line = bytearray()
    while not line.endswith(b"\n") and (more := os.read(0, 1)):
        line += more
    return bytes(line)


def _take_output() -> int:
    """The pipe to the supervisor, which neither readers get nor libraries that print."""
    pipe = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    return pipe


def _open_library(place: str, stopping: StopSignal) -> Library | None:
    """The library, as soon as its database answers."""
    while not stopping.is_set:
        try:
            return Library(place, create=False)
        except LikewiseError as error:
            if not is_lost(error):
                log("error", "the library cannot be opened", error=str(error))
                raise SystemExit(2) from None
            time.sleep(_AGAIN_SECONDS)
    return None


def _stop_when(stopping: StopSignal, worker: Worker) -> None:
    stopping.wait()
    worker.stop()


def _watch_parent(stopping: StopSignal) -> None:
    while os.read(0, 1):
        pass
    stopping.set()
    time.sleep(_ORPHAN_SECONDS)
    end_readers()
    os._exit(1)  # whatever keeps it: nobody would restart it, and its lease runs out


def _end_with_parent() -> None:
    """Have the kernel tell us, where it is Linux; elsewhere the end of our input does."""
    import ctypes

    try:
        prctl: Any = ctypes.CDLL(None, use_errno=True).prctl
    except (AttributeError, OSError, TypeError):
        return
    prctl(_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)


if __name__ == "__main__":
    sys.exit(main())
