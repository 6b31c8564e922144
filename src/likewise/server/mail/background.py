"""Work that a request leaves behind, so that nobody can tell by its length what was found."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from weakref import WeakKeyDictionary

from likewise.server.context import ServerContext
from likewise.server.logs import log, trace_of

_WAITING = 200  # requests; who asks for more has asked for mischief

Task = Callable[[], None]


class Background:
    """Does what was posted, one after the other, in a thread that dies with the process."""

    def __init__(self) -> None:
        self._tasks: queue.Queue[Task] = queue.Queue(_WAITING)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def post(self, task: Task) -> None:
        """Do something soon. What is too much is dropped, and the log says so."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="mail", daemon=True)
                self._thread.start()
        try:
            self._tasks.put_nowait(task)
        except queue.Full:
            log("warning", "mail dropped", waiting=_WAITING)

    def finish(self) -> None:
        """Wait until nothing is left to do."""
        self._tasks.join()

    def _work(self) -> None:
        while True:
            task = self._tasks.get()
            try:
                task()
            except Exception as error:  # of a database that is gone: the next may go
                log("warning", "mail failed", **trace_of(error))
            finally:
                self._tasks.task_done()


_of_sites: WeakKeyDictionary[ServerContext, Background] = WeakKeyDictionary()
_making = threading.Lock()


def background_of(context: ServerContext) -> Background:
    """That of a server."""
    with _making:
        return _of_sites.setdefault(context, Background())
