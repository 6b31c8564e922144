"""Files are read in processes of their own, so that a hostile one costs itself and nothing else."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import lru_cache
from typing import IO, Any, NamedTuple, TypeVar

from likewise.catalogue import Value
from likewise.errors import ReadingError
from likewise.model import Document, Message
from likewise.progress import PageProgress
from likewise.reading.confinement import Confinement, is_required
from likewise.reading.packed import message_in, unpack
from likewise.reading.request import Limits, Request

# When a fresh process takes over, whatever the libraries leak; plain text needs none of them.
WEAR_OF_PROCESS, WEAR_OF_DOCUMENT, WEAR_OF_TEXT = 10_000, 50, 1
_LOOK_EVERY_SECONDS = 0.25
_ENDING_SECONDS = 1.0  # between the last byte of a process and its end
_MOST_KILLS = 3  # by others, before the file is believed to be the reason
_KILLED = -9  # the status of a process that SIGKILL has ended
_STARTING = Limits(seconds=120.0, total_seconds=120.0)
_KEPT_VARIABLES = (
    *("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "LD_LIBRARY_PATH"),
    *("LIKEWISE_KERNELS", "TESSDATA_PREFIX"),
)


class Reading(NamedTuple):
    """What a reader made of some bytes."""

    document: Document
    is_plain_text: bool


T = TypeVar("T")


class Sandbox:
    """Processes that read, started when they are needed and kept for the next file.

    Any number of threads may call `read`; each has a process to itself meanwhile.
    """

    def __init__(self, limits: Limits, worker: str = "likewise.reading.worker") -> None:
        self._limits, self._worker = limits, worker
        self._idle: list[_Reader] = []
        self._busy: set[_Reader] = set()
        self._is_closed = False
        self._lock = threading.Lock()
        os.register_at_fork(after_in_child=self._forget)

    def read(self, data: bytes, request: Request) -> Reading:
        """The document in some bytes; `ReadingError` also where the reader crashed or hung."""
        return self._with_reader(lambda reader: reader.read(data, request))

    def call(self, function: Callable[..., T], data: bytes, **arguments: Any) -> T:
        """What a function of a module of ours makes of some bytes, inside a reader.

        It takes the bytes and arguments that JSON can hold, and returns bytes or such a value.
        """
        name = f"{function.__module__}:{function.__qualname__}"
        answer: T = self._with_reader(lambda reader: reader.call(name, data, arguments))
        return answer

    def confinement(self) -> Confinement:
        """How the readers are confined on this system, from one that has been started."""
        return self._with_reader(lambda reader: reader.confinement())

    def _with_reader(self, use: Callable[[_Reader], T]) -> T:
        kills = 0
        while True:
            reader = self._reader()
            try:
                return use(reader)
            except _Died as death:
                # What it read before may have hurt the process, or somebody else has killed it
                # (the system, for room): only a fresh one tells.
                kills += death.was_killed
                if kills > _MOST_KILLS or not (reader.wear or death.was_killed):
                    raise ReadingError(death.message) from death
            except ReadingError:
                raise
            except BaseException:
                reader.kill()  # who wanted the file gave up; it would answer the next with this one
                raise
            finally:
                self._back(reader)

    def close(self) -> None:
        """End all processes; files that are being read are given up."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
            for reader in self._busy:
                reader.kill()
        for reader in idle:
            reader.close()

    def _reader(self) -> _Reader:
        with self._lock:
            if self._is_closed:
                raise ReadingError("reading.stopped")
            reader = self._idle.pop() if self._idle else _Reader(self._limits, self._worker)
            self._busy.add(reader)
        return reader

    def _back(self, reader: _Reader) -> None:
        with self._lock:
            self._busy.discard(reader)
            is_kept = reader.is_fit and not self._is_closed
            if is_kept:
                self._idle.append(reader)
        if not is_kept:
            reader.close()

    def _forget(self) -> None:
        """In a forked child: these processes answer its parent."""
        self._lock = threading.Lock()
        self._idle, self._busy = [], set()


class _Died(Exception):
    """The process ended before it answered."""

    def __init__(self, message: Message, *, was_killed: bool = False) -> None:
        super().__init__(message)
        self.message, self.was_killed = message, was_killed


class _Reader:
    """One process, one file at a time."""

    def __init__(self, limits: Limits, worker: str) -> None:
        self.wear = 0
        self._limits = limits
        self._confinement: Confinement | None = None
        self._process = subprocess.Popen(
            # Without the current folder on the path: a file there may be called json.py.
            [sys.executable, "-P", "-m", worker],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # a library's complaint may quote the document
            env=_environment(),
            # Ctrl-C is for us; we end it. A process that leads a session of its own hears none, and
            # whoever kills its group kills its readers with it.
            start_new_session=not _leads_session(),
        )
        first = {"limits": asdict(limits), "is_sandbox_required": is_required()}
        self._send(json.dumps(first).encode() + b"\n")

    @property
    def is_fit(self) -> bool:
        """Whether it can read another file."""
        return self._process.poll() is None and self.wear < WEAR_OF_PROCESS

    def kill(self) -> None:
        try:
            self._process.kill()
        except PermissionError:  # we have become somebody else; without its pipes it ends itself
            self._close_pipes()
        self._process.wait()

    def read(self, data: bytes, request: Request) -> Reading:
        asked = {
            "name": request.name,
            "web_page": request.web_page,
            "charset": request.charset,
            "ocr": request.ocr,
            "verify": request.verify,
        }
        kind, answer = self._ask(asked, data, request.tell_page)
        self.wear += WEAR_OF_TEXT if kind == b"t" else WEAR_OF_DOCUMENT
        with self._nonsense_told():
            if kind not in (b"d", b"t"):
                raise ValueError(kind)
            return Reading(unpack(answer, request.name), kind == b"t")

    def call(self, function: str, data: bytes, arguments: dict[str, Any]) -> Any:
        kind, answer = self._ask({"function": function, "arguments": arguments}, data)
        self.wear += WEAR_OF_TEXT
        with self._nonsense_told():
            if kind == b"b":
                return answer
            if kind != b"j":
                raise ValueError(kind)
            return json.loads(answer.decode("utf-8", "surrogatepass"))

    def confinement(self) -> Confinement:
        """What it has given up; it says so when it has started, which is not the file's time."""
        if self._confinement is None:
            with _Watch(self._process, _STARTING) as watch:
                kind, answer = self._answer(watch)
            with self._nonsense_told():
                if kind != b"c":
                    raise ValueError(kind)
                told = json.loads(answer)
                missing = tuple((str(name), str(why)) for name, why in told["missing"])
                self._confinement = Confinement(tuple(map(str, told["layers"])), missing)
        return self._confinement

    def _ask(
        self,
        asked: dict[str, Any],
        data: bytes,
        tell_page: PageProgress | None = None,
    ) -> tuple[bytes, bytes]:
        """The kind of an answer, and the answer."""
        self.confinement()
        with _Watch(self._process, self._limits) as watch:
            self._send(json.dumps(asked | {"size": len(data)}).encode() + b"\n")
            self._send(data)
            while True:
                kind, answer = self._answer(watch)
                if kind != b"p":
                    break
                watch.saw_life()
                if tell_page:
                    tell_page(*struct.unpack("<QQ", answer))
        if kind == b"m":
            self.kill()  # what is left of its memory is of no use to the next file
            raise _Died(Message("reading.memory"))
        if kind == b"e":
            self.wear += WEAR_OF_DOCUMENT
            with self._nonsense_told():
                message = message_in(json.loads(answer))
            raise ReadingError(message)
        return kind, answer

    @contextlib.contextmanager
    def _nonsense_told(self) -> Iterator[None]:
        """What comes from a process that met a hostile file is data, and may be none."""
        try:
            yield
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            self.kill()
            raise ReadingError("reading.nonsense") from error

    def close(self) -> None:
        self._close_pipes()
        self.kill()

    def _close_pipes(self) -> None:
        for end in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                end.close()  # type: ignore[union-attr]

    def _send(self, data: bytes) -> None:
        with contextlib.suppress(OSError):  # it has died; reading its answer tells how
            _end(self._process.stdin).write(data)
            _end(self._process.stdin).flush()

    def _answer(self, watch: _Watch) -> tuple[bytes, bytes]:
        answers = _end(self._process.stdout)
        head = answers.read(9)
        if len(head) == 9:
            (size,) = struct.unpack("<Q", head[1:])
            if size <= self._limits.memory_bytes:
                answer = answers.read(size)
                if len(answer) == size:
                    return head[:1], answer
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_ENDING_SECONDS)
        was_killed = self._process.poll() == _KILLED  # by somebody else: we come next
        self._process.kill()
        status = self._process.wait()
        if watch.reason:
            raise ReadingError(watch.reason)
        raise _Died(Message("reading.crashed", {"error": _how(status)}), was_killed=was_killed)


class _Watch:
    """Ends a process that shows no life for too long."""

    def __init__(self, process: subprocess.Popen[bytes], limits: Limits) -> None:
        self.reason: Message | None = None
        self._process, self._limits = process, limits
        self._began = self._life = time.monotonic()

    def saw_life(self) -> None:
        self._life = time.monotonic()

    def __enter__(self) -> _Watch:
        _watchman.add(self)
        return self

    def __exit__(self, *_: object) -> None:
        _watchman.remove(self)

    def look(self) -> None:
        now = time.monotonic()
        if now - self._life > self._limits.seconds:
            self.reason = Message("reading.no_page_for", {"seconds": self._limits.seconds})
        elif now - self._began > self._limits.total_seconds:
            self.reason = Message("reading.not_after", {"seconds": self._limits.total_seconds})
        if self.reason:
            self._process.kill()


class _Watchman:
    """One thread that looks at all watches: a thread for each file costs more than short files."""

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


_watchman = _Watchman()


def _leads_session() -> bool:
    return hasattr(os, "getsid") and os.getsid(0) == os.getpid()


def _end(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe


def _how(status: int) -> Value:
    """
    >>> _how(-11), str(_how(3))
    ('SIGSEGV', 'exit status 3')
    """
    if status < 0:
        with contextlib.suppress(ValueError):
            return signal.Signals(-status).name
    return Message("reading.exit_status", {"status": status})


def _environment() -> dict[str, str]:
    """What the process needs to start, and none of our secrets."""
    kept = {key: os.environ[key] for key in _KEPT_VARIABLES if key in os.environ}
    single = dict.fromkeys(
        ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_THREAD_LIMIT"), "1"
    )
    paths = os.pathsep.join(os.path.abspath(path) for path in sys.path if path)  # noqa: PTH100
    own = {"PYTHONPATH": paths, "PYTHONIOENCODING": "utf-8", "PYTHONDONTWRITEBYTECODE": "1"}
    return kept | single | own | {"HOME": "/"}


_shared: dict[Limits, Sandbox] = {}
_shared_lock = threading.Lock()


def shared_sandbox(limits: Limits) -> Sandbox:
    """The sandbox for everyone who reads within the same limits; it ends with the program."""
    with _shared_lock:
        if limits not in _shared:
            _shared[limits] = Sandbox(limits)
        return _shared[limits]


@lru_cache(maxsize=1)
def reader_confinement() -> Confinement:
    """How readers are confined on this system, from one that is started for the question alone."""
    sandbox = Sandbox(Limits())
    try:
        return sandbox.confinement()
    finally:
        sandbox.close()


@contextlib.contextmanager
def stop_reading_on_error() -> Iterator[None]:
    """Whatever ends the work ends the processes that are in the middle of a file."""
    try:
        yield
    except BaseException:
        stop_reading()
        raise


@atexit.register
def stop_reading() -> None:
    """End every process that reads; the next file starts new ones."""
    with _shared_lock:
        sandboxes = list(_shared.values())
        _shared.clear()
    for sandbox in sandboxes:
        sandbox.close()
