"""Files are read in processes of their own, so that a hostile one costs itself and nothing else."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import signal
import struct
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from likewise.catalogue import Value
from likewise.errors import ReadingError
from likewise.model import Document, Message
from likewise.process_pool import Child, Closed, Died, Patience, Pool, Program
from likewise.progress import PageProgress
from likewise.reading.confinement import Confinement, is_required
from likewise.reading.request import CallJob, Limits, ReadJob, Request
from likewise.reading.serialization import message_in, unpack

# When a fresh process takes over, whatever the libraries leak; plain text needs none of them.
WEAR_OF_PROCESS, WEAR_OF_DOCUMENT, WEAR_OF_TEXT = 10_000, 50, 1
# Beside threads and module paths: what a reader needs to know of the system, which is nothing.
_ENVIRONMENT = {"HOME": "/", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1"}
_MOST_KILLS = 3  # by others, before the file is believed to be the reason
_STARTING = Patience(total_seconds=120.0, silent_seconds=120.0)


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
        self.pool = Pool(lambda: _Reader(limits, worker))

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
            try:
                with self.pool.process() as reader:
                    return use(reader)
            except Closed:
                raise ReadingError("reading.stopped") from None
            except _ReaderDied as error:
                # What it read before may have hurt the process, or somebody else has killed it
                # (the system, for room): only a fresh one tells.
                kills += error.was_killed
                if kills > _MOST_KILLS or not (reader.usage or error.was_killed):
                    raise ReadingError(error.message) from error

    def close(self) -> None:
        """End all processes; files that are being read are given up."""
        self.pool.close()


class _ReaderDied(Exception):
    """The process ended before it answered."""

    def __init__(self, message: Message, *, was_killed: bool = False) -> None:
        super().__init__(message)
        self.message, self.was_killed = message, was_killed


class _Reader(Child):
    """One process, one file at a time."""

    def __init__(self, limits: Limits, worker: str) -> None:
        program = Program(
            worker,
            variables=("TESSDATA_PREFIX",),
            # It runs no programs; Windows looks for libraries on the path of programs, too.
            system_variables=("PATH",) if sys.platform == "win32" else (),
            own_variables=_ENVIRONMENT,
            # Ctrl-C is for us; we end it. A process that leads a session of its own hears none, and
            # whoever kills its group kills its readers with it.
            has_own_session=not _leads_session(),
        )
        super().__init__(program, WEAR_OF_PROCESS)
        self._limits = limits
        self._patience = Patience(limits.total_seconds, limits.seconds)
        self._confinement: Confinement | None = None
        self.send_line({"limits": asdict(limits), "is_sandbox_required": is_required()})

    def read(self, data: bytes, request: Request) -> Reading:
        job: ReadJob = {
            "name": request.name,
            "web_page": request.web_page,
            "charset": request.charset,
            "ocr": request.ocr,
            "verify": request.verify,
        }
        kind, answer = self._ask(job, data, request.tell_page)
        self.usage += WEAR_OF_TEXT if kind == b"t" else WEAR_OF_DOCUMENT
        with self._refuse_nonsense():
            if kind not in (b"d", b"t"):
                raise ValueError(kind)
            return Reading(unpack(answer, request.name), kind == b"t")

    def call(self, function: str, data: bytes, arguments: Mapping[str, object]) -> Any:
        job: CallJob = {"function": function, "arguments": arguments}
        kind, answer = self._ask(job, data)
        self.usage += WEAR_OF_TEXT
        with self._refuse_nonsense():
            if kind == b"b":
                return answer
            if kind != b"j":
                raise ValueError(kind)
            return json.loads(answer.decode("utf-8", "surrogatepass"))

    def confinement(self) -> Confinement:
        """What it has given up; it says so when it has started, which is not the file's time."""
        if self._confinement is None:
            with self._report_death(_STARTING):
                kind, answer = self.receive(_STARTING, self._limits.memory_bytes)
            with self._refuse_nonsense():
                if kind != b"c":
                    raise ValueError(kind)
                report = json.loads(answer)
                missing = tuple((str(name), str(why)) for name, why in report["missing"])
                self._confinement = Confinement(tuple(map(str, report["layers"])), missing)
        return self._confinement

    def _ask(
        self, job: ReadJob | CallJob, data: bytes, tell_page: PageProgress | None = None
    ) -> tuple[bytes, bytes]:
        """The kind of an answer, and the answer."""
        self.confinement()
        with self._report_death(self._patience):
            kind, answer = self.ask(
                job,
                data,
                patience=self._patience,
                most_bytes=self._limits.memory_bytes,
                on_progress=tell_page and (lambda reply: tell_page(*struct.unpack("<QQ", reply))),
            )
        if kind == b"m":
            self.kill()  # what is left of its memory is of no use to the next file
            raise _ReaderDied(Message("reading.memory"))
        if kind == b"e":
            self.usage += WEAR_OF_DOCUMENT
            with self._refuse_nonsense():
                reply = json.loads(answer)
                message, about = message_in(reply["message"]), reply["about"]
                if not isinstance(about, str | None):
                    raise ValueError("not the name of anything")
            raise ReadingError(message, about)
        return kind, answer

    @contextlib.contextmanager
    def _refuse_nonsense(self) -> Iterator[None]:
        """What comes from a process that met a hostile file is data, and may be none."""
        try:
            yield
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            self.kill()
            raise ReadingError("reading.nonsense") from error

    @contextlib.contextmanager
    def _report_death(self, patience: Patience) -> Iterator[None]:
        try:
            yield
        except Died as death:
            if death.expired == "silent":
                seconds = patience.silent_seconds
                raise ReadingError("reading.no_page_for", seconds=seconds) from None
            if death.expired == "total":
                seconds = patience.total_seconds
                raise ReadingError("reading.not_after", seconds=seconds) from None
            message = Message("reading.crashed", {"error": _how(death.status)})
            raise _ReaderDied(message, was_killed=death.was_killed) from None


def _leads_session() -> bool:
    return hasattr(os, "getsid") and os.getsid(0) == os.getpid()


def _how(status: int) -> Value:
    """How a process ended: by a signal, or with a status.

    >>> _how(-11), str(_how(3))
    ('SIGSEGV', 'exit status 3')
    """
    if status < 0:
        with contextlib.suppress(ValueError):
            return signal.Signals(-status).name
    return Message("reading.exit_status", {"status": status})


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
