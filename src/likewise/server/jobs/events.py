"""Jobs that are watched as they go on, by any number of people.

One task asks the database for all watched jobs at once; each who watches holds no thread and no
connection. Everything here runs in one event loop.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from functools import partial

import anyio
from fastapi.concurrency import run_in_threadpool
from sqlalchemy import Connection, select
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from likewise.errors import LikewiseError
from likewise.server.caller import Caller
from likewise.server.context import ServerContext, utc_now
from likewise.server.database import tables
from likewise.server.jobs.queue import COLUMNS, Job, job_of, jobs
from likewise.server.problems import Problem

LOOK_EVERY_SECONDS = 0.3
QUIET_SECONDS = 15.0  # after which a comment shows that the stream lives
ASK_AGAIN_SECONDS = 5.0  # whether the caller may still watch
MOST_STREAMS = 16  # of one person, on one server


class Follower:
    """One who watches a job: the newest state that was not seen yet."""

    def __init__(self) -> None:
        self._news = asyncio.Event()
        self.job: Job | None = None
        self.is_over = False

    def notify(self, job: Job | None) -> None:
        """What the job is now; None where there will be no more."""
        if job is None:
            self.is_over = True
        elif job == self.job:
            return
        self.job = job or self.job
        self._news.set()

    async def news(self, seconds: float) -> bool:
        """Wait for a change; False where there was none."""
        with anyio.move_on_after(seconds):
            await self._news.wait()
            self._news.clear()
            return True
        return False


class Watch:
    """Everybody who watches jobs on this server."""

    def __init__(self, context: ServerContext) -> None:
        self._context = context
        self._followers: dict[str, set[Follower]] = {}
        self._streams: Counter[str] = Counter()
        self._task: asyncio.Task[None] | None = None
        self.is_closed = False

    @contextmanager
    def following(self, job: str, caller: Caller) -> Iterator[Follower]:
        """Watch a job, in the name of a caller."""
        if self._streams[caller.id] >= MOST_STREAMS:
            raise Problem(
                "too many requests",
                "server.watched_jobs",
                details={"retry_after": int(QUIET_SECONDS)},
                n=MOST_STREAMS,
            )
        follower = Follower()
        self._streams[caller.id] += 1
        self._followers.setdefault(job, set()).add(follower)
        if self.is_closed:
            follower.notify(None)
        elif self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._look())
        try:
            yield follower
        finally:
            self._streams[caller.id] -= 1
            self._streams += Counter()  # drops those who watch nothing
            self._followers[job].discard(follower)
            if not self._followers[job]:
                del self._followers[job]

    def close(self) -> None:
        """End every stream: the server is going to stop."""
        self.is_closed = True
        for follower in [one for some in self._followers.values() for one in some]:
            follower.notify(None)

    async def closed(self) -> None:
        """Wait until nobody is asking the database any more."""
        self.close()
        if self._task is not None:
            await self._task

    async def _look(self) -> None:
        while self._followers and not self.is_closed:
            ids = list(self._followers)
            try:
                jobs_by_id = await run_in_threadpool(partial(_read, self._context, ids))
            except LikewiseError:
                jobs_by_id = None  # the database will answer again
            for id in ids if jobs_by_id is not None else ():
                for follower in self._followers.get(id, ()):
                    follower.notify(jobs_by_id.get(id) if jobs_by_id is not None else None)
            await asyncio.sleep(LOOK_EVERY_SECONDS)


def _read(context: ServerContext, ids: list[str]) -> dict[str, Job]:
    with context.store.reading() as connection:
        rows = connection.execute(select(*COLUMNS).where(jobs.c.id.in_(ids)))
        return {job.id: job for job in map(job_of, rows)}


def may_still_watch(connection: Connection, caller: Caller, owner: str | None) -> bool:
    """Whether a caller who was let in would be let in now."""
    role = connection.execute(
        select(tables.users.c.role).where(tables.users.c.id == caller.id, tables.users.c.is_active)
    ).scalar()
    if role is None or (owner != caller.id and role != "administrator"):
        return False
    way = tables.sessions if caller.session is not None else tables.api_keys
    lives = select(way.c.id).where(
        way.c.id == (caller.session or caller.key),
        way.c.ended_on.is_(None),
        way.c.ends_on.is_(None) | (way.c.ends_on > utc_now()),
    )
    return connection.execute(lives).first() is not None


async def changes(
    context: ServerContext, follower: Follower, caller: Caller, job: Job
) -> AsyncIterator[Job]:
    """A job whenever it has changed, until it has ended or the caller may not watch any more."""
    yield job
    last_check = asyncio.get_running_loop().time()
    while not (job.has_ended or follower.is_over):
        has_changed = await follower.news(ASK_AGAIN_SECONDS)
        now = asyncio.get_running_loop().time()
        if now - last_check >= ASK_AGAIN_SECONDS:
            last_check = now
            if not await run_in_threadpool(partial(_may_go_on, context, caller, job)):
                return
        if has_changed and follower.job is not None and follower.job != job:
            job = follower.job
        yield job  # the same one again where nothing has changed


def _may_go_on(context: ServerContext, caller: Caller, job: Job) -> bool:
    try:
        with context.store.reading() as connection:
            return may_still_watch(connection, caller, job.user_id)
    except LikewiseError:
        return True  # asked again soon


class EventStream(StreamingResponse):
    """A stream that ends at once when the caller goes away; `closing` is called in the end."""

    def __init__(self, content: AsyncIterator[str], closing: Callable[[], None]) -> None:
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        super().__init__(content, media_type="text/event-stream", headers=headers)
        self._closing = closing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def listen() -> None:
            await self.listen_for_disconnect(receive)
            group.cancel_scope.cancel()

        try:
            async with anyio.create_task_group() as group:
                group.start_soon(listen)
                await self.stream_response(send)
                group.cancel_scope.cancel()
        finally:
            self._closing()
