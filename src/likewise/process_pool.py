"""Processes of our own that wait for work: one piece at a time, asked and answered over pipes.

    request   a line of JSON, with the sizes of what follows, then that many bytes
    answer    a byte for its kind, eight for its length, then the answer itself; before it may come
              any number of answers of the kind `PROGRESS`, each a sign of life

Never pickles: what comes from a process that met a stranger's file is data, and may be none. One
that crashes, hangs or is killed costs what it was asked and nothing else.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Any, BinaryIO, Generic, Literal, NamedTuple, TypeVar

PROGRESS = b"p"
_HEAD = struct.Struct("<cQ")
_LOOK_EVERY_SECONDS = 0.25
_ENDING_SECONDS = 1.0  # between the last byte of a process and its end
_KILLED = -9  # the status of a process that SIGKILL has ended
# Of our environment: where the libraries of the system lie, and which kernels are used.
_VARIABLES = ("LD_LIBRARY_PATH", "SYSTEMROOT", "LIKEWISE_KERNELS")
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_THREAD_LIMIT")


# Inside the process


def open_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Where requests come from and answers go; what a library prints is not taken for one."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return sys.stdin.buffer, answers


def read_request(requests: BinaryIO) -> tuple[dict[str, Any], list[bytes]] | None:
    """The next request and its parts; None where nobody asks any more."""
    line = requests.readline()
    if not line:
        return None
    request: dict[str, Any] = json.loads(line)
    sizes = request.pop("sizes")
    parts = [requests.read(size) for size in sizes]
    return (request, parts) if [len(part) for part in parts] == sizes else None


def send_answer(answers: BinaryIO, kind: bytes, data: bytes) -> None:
    answers.write(_HEAD.pack(kind, len(data)))
    answers.write(data)
    answers.flush()


def limit_memory(limit_bytes: int) -> bool:
    """Take no more memory than that, and leave no core behind; False where that cannot be had."""
    if sys.platform == "win32":
        return False
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (limit_bytes, limit_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # it would hold people's text
    return True


# Outside of it


@dataclass(frozen=True, slots=True)
class Program:
    """What a process runs, and what it gets to know: of our environment nothing but a few names."""

    module: str
    arguments: Sequence[str] = ()
    variables: Sequence[str] = ()  # of our environment, beside those that every program needs
    system_variables: Sequence[str] = ("PATH", "LANG", "LC_ALL")  # and these, if it may know them
    own_variables: Mapping[str, str] = field(default_factory=dict)
    has_own_session: bool = True

    def start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            # Without the current folder on the path: a file there may be called json.py.
            [sys.executable, "-P", "-m", self.module, *self.arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # a library's complaint may quote the document
            env=self._environment(),
            start_new_session=self.has_own_session,
        )

    def _environment(self) -> dict[str, str]:
        """What the process needs to start, and none of our secrets."""
        names = (*_VARIABLES, *self.variables, *self.system_variables)
        inherited = {name: os.environ[name] for name in names if name in os.environ}
        paths = os.pathsep.join(os.path.abspath(path) for path in sys.path if path)  # noqa: PTH100
        defaults = dict.fromkeys(_THREADS, "1") | {"PYTHONPATH": paths}
        return inherited | defaults | {"PYTHONIOENCODING": "utf-8"} | dict(self.own_variables)


class Patience(NamedTuple):
    """How long an answer is waited for, and how long without a sign of life."""

    total_seconds: float
    silent_seconds: float = math.inf


Expired = Literal["silent", "total"]


class Died(Exception):
    """The process has ended without an answer."""

    def __init__(self, status: int, *, was_killed: bool, expired: Expired | None) -> None:
        super().__init__(status)
        self.status = status
        self.was_killed = was_killed  # by somebody else
        self.expired = expired  # which patience came to its end; then we have ended it


class Child:
    """One process, asked one thing at a time."""

    def __init__(self, program: Program, max_usage: int) -> None:
        self.usage = 0
        self._max_usage = max_usage
        self._owes_answer = False
        self._process = program.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_fit(self) -> bool:
        """Whether it can be asked again: it lives, owes nobody an answer and is not worn out."""
        return (
            self._process.poll() is None and not self._owes_answer and self.usage < self._max_usage
        )

    def send_line(self, value: Mapping[str, Any]) -> None:
        """Tell it something that needs no answer."""
        self._send(json.dumps(value).encode() + b"\n")

    def ask(
        self,
        request: Mapping[str, Any],
        *parts: bytes,
        patience: Patience,
        most_bytes: int,
        on_progress: Callable[[bytes], None] | None = None,
    ) -> tuple[bytes, bytes]:
        """The kind of its answer, and the answer; `Died` where none comes."""
        self._owes_answer = True
        with _Watch(self._process, patience) as watch:
            self.send_line({**request, "sizes": [len(part) for part in parts]})
            self._send(*parts)
            answer = self._receive(watch, most_bytes, on_progress)
        self._owes_answer = False
        return answer

    def receive(self, patience: Patience, most_bytes: int) -> tuple[bytes, bytes]:
        """What it says without being asked, when it has started."""
        self._owes_answer = True
        with _Watch(self._process, patience) as watch:
            answer = self._receive(watch, most_bytes, None)
        self._owes_answer = False
        return answer

    def kill(self) -> None:
        try:
            self._process.kill()
        except PermissionError:  # we have become somebody else; without its pipes it ends itself
            self._close_pipes()
        self._process.wait()

    def close(self) -> None:
        self._close_pipes()
        self.kill()

    def _close_pipes(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                _open(pipe).close()

    def _send(self, *parts: bytes) -> None:
        with contextlib.suppress(OSError):  # it has died; reading its answer tells how
            for part in parts:
                _open(self._process.stdin).write(part)
            _open(self._process.stdin).flush()

    def _receive(
        self, watch: _Watch, most_bytes: int, on_progress: Callable[[bytes], None] | None
    ) -> tuple[bytes, bytes]:
        while (answer := self._frame(most_bytes)) is not None:
            if answer[0] != PROGRESS:
                return answer
            watch.saw_life()
            if on_progress:
                on_progress(answer[1])
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_ENDING_SECONDS)
        was_killed = self._process.poll() == _KILLED and not watch.expired
        self._process.kill()
        raise Died(self._process.wait(), was_killed=was_killed, expired=watch.expired)

    def _frame(self, most_bytes: int) -> tuple[bytes, bytes] | None:
        pipe = _open(self._process.stdout)
        head = pipe.read(_HEAD.size)
        if len(head) == _HEAD.size:
            kind, size = _HEAD.unpack(head)
            if size <= most_bytes:
                data = pipe.read(size)
                if len(data) == size:
                    return kind, data
        return None


def _open(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe


class Closed(Exception):
    """The pool was closed."""


C = TypeVar("C", bound=Child)


class Pool(Generic[C]):
    """Processes that are started when they are needed and wait for the next piece of work.

    Any number of threads may use it; each has a process to itself meanwhile.
    """

    def __init__(self, start: Callable[[], C]) -> None:
        self._start = start
        self._idle: list[C] = []
        self._busy: set[C] = set()
        self._is_closed = False
        self._lock = threading.Lock()
        os.register_at_fork(after_in_child=self._forget)

    @property
    def busy(self) -> tuple[C, ...]:
        """The processes that are at work."""
        with self._lock:
            return tuple(self._busy)

    @contextlib.contextmanager
    def process(self) -> Iterator[C]:
        """A process; `Closed` where the pool is. One that is not fit any more ends with its use."""
        with self._lock:
            if self._is_closed:
                raise Closed
            child = self._waiting() or self._start()
            self._busy.add(child)
        try:
            yield child
        finally:
            with self._lock:
                self._busy.discard(child)
                is_reusable = child.is_fit and not self._is_closed
                if is_reusable:
                    self._idle.append(child)
            if not is_reusable:
                child.close()

    def close(self) -> None:
        """End all processes; what they are asked is given up."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
            for child in self._busy:
                child.kill()
        for child in idle:
            child.close()

    def _waiting(self) -> C | None:
        while self._idle:
            child = self._idle.pop()
            if child.is_fit:
                return child
            child.close()  # somebody has killed it while it waited
        return None

    def _forget(self) -> None:
        """In a forked child: these processes answer its parent."""
        self._lock = threading.Lock()
        self._idle, self._busy = [], set()


class _Watch:
    """Ends a process that takes too long."""

    def __init__(self, process: subprocess.Popen[bytes], patience: Patience) -> None:
        self.expired: Expired | None = None
        self._process, self._patience = process, patience
        self._began = self._life = time.monotonic()

    def saw_life(self) -> None:
        self._life = time.monotonic()

    def __enter__(self) -> _Watch:
        _watch_thread.add(self)
        return self

    def __exit__(self, *_: object) -> None:
        _watch_thread.remove(self)

    def look(self) -> None:
        now = time.monotonic()
        if now - self._life > self._patience.silent_seconds:
            self.expired = "silent"
        elif now - self._began > self._patience.total_seconds:
            self.expired = "total"
        if self.expired:
            with contextlib.suppress(PermissionError):  # it ends itself when it is closed
                self._process.kill()


class _WatchThread:
    """One thread that looks at all watches: a thread for each costs more than short work."""

    def __init__(self) -> None:
        self.forget()
        os.register_at_fork(after_in_child=self.forget)

    def forget(self) -> None:
        self._watches: set[_Watch] = set()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def add(self, watch: _Watch) -> None:
        with self._changed:
            self._watches.add(watch)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="watchman", daemon=True)
                self._thread.start()
            if len(self._watches) == 1:
                self._changed.notify()

    def remove(self, watch: _Watch) -> None:
        with self._changed:
            self._watches.discard(watch)

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._watches:
                    self._changed.wait()
                for watch in self._watches:  # inside the lock: what has ended is not killed later
                    watch.look()
            time.sleep(_LOOK_EVERY_SECONDS)


_watch_thread = _WatchThread()
