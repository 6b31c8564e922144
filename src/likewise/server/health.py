"""Whether a server can do its work, and what whoever looks after it wants to know."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

from pydantic import Field
from sqlalchemy import ColumnElement, Connection, func, select, text

from likewise.errors import LikewiseError
from likewise.library import schema
from likewise.library.rebuild import stale_documents
from likewise.reading.cache import cache_folder
from likewise.reading.sandbox import reader_confinement
from likewise.server.jobs.present import busy_workers, present_workers
from likewise.server.shapes import Shape
from likewise.server.site import Site, this_moment
from likewise.version import version

PATIENCE_SECONDS = 2.0

# Its own threads: the others may all be waiting for the database that is asked after.
_askers = ThreadPoolExecutor(2, thread_name_prefix="health")


class Disk(Shape):
    """Room where a server keeps something."""

    of: str
    free_bytes: int
    total_bytes: int


class Jobs(Shape):
    """The queue."""

    waiting: int
    running: int
    failed_today: int
    oldest_waiting_seconds: float


class MissingLayer(Shape):
    """A layer of the sandbox that this system does not have."""

    layer: str
    reason: str


class SandboxState(Shape):
    """How the processes that read files are confined on this server."""

    is_complete: bool = Field(description="whether all holds that --require-sandbox promises")
    layers: list[str]
    missing: list[MissingLayer]


class Details(Shape):
    """The state of a server and of its library."""

    version: str
    database: str
    library_version: str
    documents: int
    stale_documents: int
    database_bytes: int
    index_bytes: int
    needs_rebuild: bool
    workers: int = Field(description="that have been heard of in the last minute")
    busy_workers: int
    jobs: Jobs
    disks: list[Disk]
    sandbox: SandboxState


async def database_answers(site: Site) -> bool:
    """Whether the database answers before whoever asks loses patience."""
    loop = asyncio.get_running_loop()
    try:
        return await asyncio.wait_for(loop.run_in_executor(_askers, _ask, site), PATIENCE_SECONDS)
    except TimeoutError:
        return False


def _ask(site: Site) -> bool:
    try:
        with site.store.reading() as connection:
            return connection.execute(text("SELECT 1")).scalar() == 1
    except LikewiseError:
        return False


def details(site: Site) -> Details:
    """Everything, for administrators."""
    with site.store.reading() as connection:
        state = site.store.state(connection)
        documents = select(func.count()).select_from(schema.documents)
        return Details(
            version=version(),
            database=connection.dialect.name,
            library_version=schema.VERSION,
            documents=connection.execute(documents).scalar_one(),
            stale_documents=stale_documents(connection, state.next_recipe_id),
            database_bytes=_database_bytes(connection),
            index_bytes=_index_bytes(),
            needs_rebuild=state.next_recipe_id is not None,
            workers=len(present_workers(connection)),
            busy_workers=len(busy_workers(connection)),
            jobs=_jobs(connection),
            disks=_disks(site),
            sandbox=_sandbox(),
        )


def _sandbox() -> SandboxState:
    found = reader_confinement()
    return SandboxState(
        is_complete=found.is_complete,
        layers=list(found.layers),
        missing=[MissingLayer(layer=layer, reason=reason) for layer, reason in found.missing],
    )


def _database_bytes(connection: Connection) -> int:
    if connection.dialect.name == "sqlite":
        pages = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
        return int(connection.exec_driver_sql(pages).scalar_one())
    size = select(func.pg_database_size(func.current_database()))
    return int(connection.execute(size).scalar_one())


def _index_bytes() -> int:
    """Of the files on this machine. A server that only answers has none: workers make them."""
    files = (cache_folder() / "libraries").rglob("*")
    sizes = []
    for path in files:
        with suppress(OSError):  # it was merged into another meanwhile
            sizes.append(path.stat().st_size if path.is_file() else 0)
    return sum(sizes)


def _jobs(connection: Connection) -> Jobs:
    job, moment = schema.server.jobs.c, this_moment()

    def how_many(*conditions: ColumnElement[bool]) -> int:
        return connection.execute(select(func.count(job.id)).where(*conditions)).scalar_one()

    oldest = connection.execute(
        select(func.min(job.not_before)).where(job.state == "queued", job.not_before <= moment)
    ).scalar()
    return Jobs(
        waiting=how_many(job.state == "queued"),
        running=how_many(job.state == "running"),
        failed_today=how_many(job.state == "failed", job.ended_on > moment - timedelta(days=1)),
        oldest_waiting_seconds=(moment - oldest).total_seconds() if oldest else 0.0,
    )


def _disks(site: Site) -> list[Disk]:
    """Where this server writes; PostgreSQL looks after its own disk."""
    places = {"cache": cache_folder(), "uploads": Path(tempfile.gettempdir())}
    if site.store.is_file:
        places["library"] = Path(site.store.name).absolute().parent
    return [_room(of, folder) for of, folder in places.items()]


def _room(of: str, folder: Path) -> Disk:
    while not folder.exists():  # it is made when it is needed
        folder = folder.parent
    room = shutil.disk_usage(folder)
    return Disk(of=of, free_bytes=room.free, total_bytes=room.total)
