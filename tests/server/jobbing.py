"""Jobs that are handed in, done by real worker processes, and waited for."""

from __future__ import annotations

import hashlib
import io
import os
import signal
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy import func, select

from likewise.errors import LikewiseError
from likewise.library import Library, schema
from likewise.server.caller import Caller
from likewise.server.config import Config
from likewise.server.context import ServerContext
from likewise.server.database import tables
from likewise.server.http.form_parts import ReceivedFile
from likewise.server.jobs.queue import Job, enqueue, jobs, read_job
from likewise.server.jobs.uploads import keep_upload
from likewise.server.people.users import add_person
from likewise.server.workers.supervisor import Supervisor
from tests.library.texts import invented

PASSWORD = "wormwood after rain"
PATIENCE_SECONDS = 60.0
PROGRAM = "likewise.server.workers.process"
WORDS = 60
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Running:
    """Worker processes over a library, and whoever hands something in."""

    context: ServerContext
    supervisor: Supervisor
    caller: Caller


@contextmanager
def running(
    place: str, workers: int = 1, program: str = PROGRAM, **config: int
) -> Iterator[Running]:
    """Workers that are supervised from this process."""
    how = Config(workers=workers, log_level="error", **{"job_lease_seconds": 3} | config)  # type: ignore[arg-type]
    with Library(place) as library:
        context = ServerContext(library, how)
        caller = a_teacher(context)
        supervisor = Supervisor(context, place, workers, program)
        supervisor.start()
        try:
            yield Running(context, supervisor, caller)
        finally:
            supervisor.stop()


def a_teacher(context: ServerContext, name: str = "aigul") -> Caller:
    person = add_person(context, name, PASSWORD, or_keep=True)
    return Caller(person.id, person.name, "teacher", "here")


def archive(files: int, seed: int, words: int = WORDS) -> bytes:
    """Essays in a ZIP archive; those of two seeds share nothing."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as made:
        for i in range(files):
            made.writestr(f"essay-{seed}-{i}.txt", invented(words, seed * 10_000 + i))
    return packed.getvalue()


def hand_in(
    context: ServerContext,
    caller: Caller,
    files: int,
    seed: int,
    words: int = WORDS,
    collection: str = "",
) -> str:
    """Ask for documents to be added; the job."""
    return hand_in_bytes(context, caller, archive(files, seed, words), collection)


def hand_in_bytes(context: ServerContext, caller: Caller, data: bytes, collection: str = "") -> str:
    digest = hashlib.sha256(data).digest()
    file = ReceivedFile("essays.zip", len(data), digest, io.BytesIO(data))
    with context.store.beside() as connection:
        upload = keep_upload(connection, caller, file)
        request = {"uploads": [upload], "collection": collection, "metadata": {}, "table": None}
        return enqueue(connection, "add", caller.id, request)


def seen(context: ServerContext, id: str) -> Job:
    with context.store.reading() as connection:
        job = read_job(connection, id)
    assert job is not None
    return job


def worker_of(context: ServerContext, id: str) -> int | None:
    """The process that does a job."""
    with context.store.reading() as connection:
        name = connection.execute(select(jobs.c.worker).where(jobs.c.id == id)).scalar()
    return int(name.split(":")[-2]) if name else None


def until(what: Callable[[], T | None], why: str, seconds: float = PATIENCE_SECONDS) -> T:
    """Wait for something to become true."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if found := what():
                return found
        except LikewiseError:
            pass  # the database may be away
        time.sleep(0.01)
    raise AssertionError(f"waited {seconds:g} s in vain: {why}")


def until_ended(context: ServerContext, id: str, seconds: float = PATIENCE_SECONDS) -> Job:
    def ended() -> Job | None:
        job = seen(context, id)
        return job if job.has_ended else None

    return until(ended, "the job does not end", seconds)


def until_at_work(context: ServerContext, id: str, attempt: int = 1) -> int:
    """Wait until a process is at a job; its number."""

    def process() -> int | None:
        job = seen(context, id)
        assert not job.has_ended, f"it has ended: {job.error}"
        is_at_it = job.state == "running" and job.attempts >= attempt
        return worker_of(context, id) if is_at_it else None

    return until(process, "no worker takes the job")


def kill(process: int, how: signal.Signals = signal.SIGKILL) -> None:
    os.kill(process, how)


def essays_in(context: ServerContext, seed: int) -> int:
    """How many documents of an archive there are."""
    with context.store.reading() as connection:
        named = schema.documents.c.name.like(f"%essay-{seed}-%")
        return connection.execute(
            select(func.count()).select_from(schema.documents).where(named)
        ).scalar_one()


def uploads_in(context: ServerContext) -> int:
    with context.store.reading() as connection:
        return connection.execute(select(func.count()).select_from(tables.uploads)).scalar_one()
