"""People who use a server, from a process of their own: `python -m bench.speed.server_load`.

Each person does one thing after the other and thinks in between. Every call is a line of the log:
when, what, the status, the milliseconds that the caller waited, and those that the server took.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2 as httpx

from bench.speed.library_texts import Texts
from bench.speed.server_files import docx_file
from bench.speed.server_memory import memory_of

THINKS_SECONDS = (0.5, 1.5)
MEMORY_SECONDS = 5.0
POLL_SECONDS = 0.1
PATIENCE_SECONDS = 120.0
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
SORTS = ("-added_on", "name", "-words", "author")


class Log:
    """Lines of JSON, compressed as they are written."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = gzip.open(path, "wt", encoding="utf-8", compresslevel=6)  # noqa: SIM115
        self._start = time.time()

    def write(self, **line: Any) -> None:
        self._file.write(json.dumps({"t": round(time.time() - self._start, 3), **line}) + "\n")

    def close(self) -> None:
        self._file.close()


@dataclass
class Person:
    """Somebody with a browser."""

    client: httpx.AsyncClient
    name: str
    password: str
    log: Log
    dice: random.Random
    phase: str = ""
    refresh_token: str = ""
    good_until: float = 0.0

    async def log_in(self) -> None:
        answer = await self.call(
            "log in", "POST", "/token", json={"name": self.name, "password": self.password}
        )
        self._take(answer.json())

    async def refresh(self) -> None:
        body = {"refresh_token": self.refresh_token}
        self._take((await self.call("refresh", "POST", "/token/refresh", json=body)).json())

    def _take(self, tokens: dict[str, Any]) -> None:
        self.client.headers["Authorization"] = f"Bearer {tokens['access_token']}"
        self.refresh_token = tokens["refresh_token"]
        self.good_until = time.monotonic() + tokens["expires_in"] * 0.8

    async def call(self, kind: str, method: str, path: str, **how: Any) -> httpx.Response:
        """One call, written down; what is not answered as it should be is an error."""
        if path not in ("/token", "/token/refresh") and time.monotonic() > self.good_until:
            await self.refresh()
        start = time.perf_counter()
        try:
            answer = await self.client.request(method, path, **how)
        except httpx.HTTPError as error:
            self._write(kind, 0, start, None, type(error).__name__)
            raise
        server = _server_ms(answer)
        wrong = answer.text[:300] if answer.status_code >= 400 else None
        self._write(kind, answer.status_code, start, server, wrong)
        answer.raise_for_status()
        return answer

    def _write(
        self, kind: str, status: int, start: float, server: float | None, error: str | None
    ) -> None:
        line = {
            "phase": self.phase,
            "what": kind,
            "status": status,
            "ms": round(1e3 * (time.perf_counter() - start), 1),
            "server_ms": server,
        }
        self.log.write(**line, **({"error": error} if error else {}))

    async def list(self) -> None:
        """A page of the library: as it is, sorted, filtered or searched."""
        asked: dict[str, Any] = {"limit": 50}
        chance = self.dice.random()
        if chance < 0.4:
            asked["offset"] = 50 * self.dice.randrange(10)
        elif chance < 0.7:
            asked["sort"] = self.dice.choice(SORTS)
        elif chance < 0.9:
            asked["search"] = str(self.dice.randrange(1_000, 10_000))
        else:
            asked["language"] = "en"
        answer = await self.call("list", "GET", "/documents", params=asked)
        self.seen = [item["id"] for item in answer.json()["items"]]

    async def show(self) -> None:
        if not getattr(self, "seen", None):
            await self.list()
        if self.seen:
            await self.call("show", "GET", f"/documents/{self.dice.choice(self.seen)}")

    async def jobs(self) -> None:
        await self.call("jobs", "GET", "/jobs")

    async def me(self) -> None:
        await self.call("me", "GET", "/me")

    async def check(self, file: bytes, poll: float = POLL_SECONDS) -> float:
        """Upload, progress, result; the seconds from the first to the last."""
        start = time.perf_counter()
        form = {"file": ("essay.docx", file, DOCX)}
        given = (await self.call("upload check", "POST", "/checks", files=form)).json()
        await self.finished(given["job"], poll)
        await self.call("result", "GET", f"/checks/{given['id']}/result")
        seconds = time.perf_counter() - start
        self.log.write(phase=self.phase, what="check", seconds=round(seconds, 3))
        return seconds

    async def add(self, file: bytes) -> str:
        form = {"file": (f"essay-{self.dice.randrange(10**9)}.docx", file, DOCX)}
        given = (await self.call("upload document", "POST", "/documents", files=form)).json()
        return str(given["job"])

    async def finished(self, job: str, poll: float = POLL_SECONDS) -> None:
        """Wait for a job; one that fails, or never ends, is an error."""
        end = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < end:
            seen = (await self.call("progress", "GET", f"/jobs/{job}")).json()
            if seen["state"] == "done":
                return
            if seen["state"] in ("failed", "cancelled"):
                break
            await asyncio.sleep(poll)
        else:
            seen = {"state": "never ended", "error": None}
        self.log.write(phase=self.phase, what="job", error=f"{seen['state']}: {seen['error']}")
        raise ValueError(f"the job {seen['state']}: {seen['error']}")

    async def think(self) -> None:
        await asyncio.sleep(self.dice.uniform(*THINKS_SECONDS))


def _server_ms(answer: httpx.Response) -> float | None:
    said = answer.headers.get("server-timing", "")
    return float(said.partition("dur=")[2]) if "dur=" in said else None


class Load:
    """What is done to a server, phase by phase."""

    def __init__(self, question: dict[str, Any]) -> None:
        self.asked = question
        self.log = Log(Path(question["log"]))
        texts = Texts(Path(question["folder"]), question["words"])
        documents, pages = question["documents"], question["pages"]
        self.files = [docx_file(texts, number, documents, pages) for number in range(40)]
        self.new_file: Callable[[int], bytes] = lambda number: docx_file(
            texts, 1_000 + number, documents, 1
        )
        self._added = 0

    async def run(self) -> None:
        """Everybody logs in, then the phases, one after the other."""
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
        people = [
            Person(
                httpx.AsyncClient(
                    base_url=self.asked["url"], timeout=PATIENCE_SECONDS, limits=limits
                ),
                name,
                self.asked["password"],
                self.log,
                random.Random(name),
            )
            for name in self.asked["people"]
        ]
        memory = asyncio.create_task(self._watch_memory(self.asked["pid"]))
        phases: dict[str, Callable[[list[Person]], Awaitable[None]]] = {
            "warm-up": self._check,  # the workers open the library, the index is loaded
            "list": self._list,
            "check": self._check,
            "uploads": self._uploads,
            "mixed": self._mixed,
        }
        for person in people:
            person.phase = "log in"
            await person.log_in()
        for name in self.asked["phases"]:
            for person in people:
                person.phase = name
            self.log.write(phase=name, what="begin")
            await phases[name](people)
        memory.cancel()
        for person in people:
            await person.client.aclose()
        self.log.close()

    async def _until(self, seconds: float, person: Person, act: Callable[[], Any]) -> None:
        """One thing after the other; an error is in the log, and life goes on."""
        end = time.monotonic() + seconds
        await asyncio.sleep(person.dice.uniform(0, THINKS_SECONDS[1]))
        while time.monotonic() < end:
            with suppress(httpx.HTTPError, ValueError):
                await act()
            await person.think()

    async def _list(self, people: list[Person]) -> None:
        seconds = self.asked["seconds"]
        await asyncio.gather(*(self._until(seconds, person, person.list) for person in people))

    async def _check(self, people: list[Person]) -> None:
        for number in range(self.asked["checks"]):
            with suppress(httpx.HTTPError, ValueError):
                await people[0].check(self.files[number % len(self.files)], poll=0.05)

    async def _uploads(self, people: list[Person]) -> None:
        """Twenty files at once, again and again, while others go on with other things."""
        seconds = self.asked["seconds"]
        others = [self._until(seconds, person, self._light(person)) for person in people]

        async def at_once() -> None:
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                files = [self._next_file() for _ in range(20)]
                senders = [people[number % len(people)] for number in range(20)]
                with suppress(httpx.HTTPError, ValueError):
                    sent = zip(senders, files, strict=True)
                    jobs = await asyncio.gather(*(one.add(file) for one, file in sent))
                    await asyncio.gather(
                        *(one.finished(job, 1.0) for one, job in zip(senders, jobs, strict=True))
                    )

        await asyncio.gather(at_once(), *others)

    def _next_file(self) -> bytes:
        self._added += 1
        return self.new_file(self._added)

    def _light(self, person: Person) -> Callable[[], Any]:
        """What takes no time, chosen anew each time."""

        async def act() -> None:
            acts: list[Callable[[], Any]] = [person.list, person.list, person.show, person.me]
            await person.dice.choice(acts)()

        return act

    async def _mixed(self, people: list[Person]) -> None:
        seconds = 60.0 * self.asked["minutes"]

        def of(person: Person) -> Callable[[], Any]:
            async def act() -> None:
                chance = person.dice.random()
                if chance < 0.6:
                    await person.list()
                elif chance < 0.8:
                    await person.show()
                elif chance < 0.92:
                    await person.dice.choice((person.me, person.jobs))()
                elif chance < 0.97:
                    await person.check(person.dice.choice(self.files), poll=1.0)
                else:
                    await person.finished(await person.add(self._next_file()), 1.0)
                await asyncio.sleep(person.dice.uniform(0, self.asked["rest"]))

            return act

        await asyncio.gather(*(self._until(seconds, person, of(person)) for person in people))

    async def _watch_memory(self, pid: int) -> None:
        while True:
            self.log.write(what="memory", **memory_of(pid))
            await asyncio.sleep(MEMORY_SECONDS)


if __name__ == "__main__":
    asyncio.run(Load(json.loads(sys.argv[1])).run())
