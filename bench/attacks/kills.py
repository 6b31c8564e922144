"""Servers, workers and readers killed at random moments: nothing lost, nothing twice.

People hand in, check and remove all the time at a real server with two workers; every second one
of its processes is ended by SIGKILL, PostgreSQL is stopped and started now and then. Afterwards
every upload that was accepted is there once, what was removed is gone, every job has ended.
"""

from __future__ import annotations

import json
import os
import random
import signal
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import select

from bench.attacks.serving import Server, docx_of, log_in, packed, with_people, with_signal
from bench.corpus import say
from likewise.library import Library, schema
from likewise.server.database import tables
from likewise.server.jobs.queue import jobs
from tests.library.texts import invented
from tests.server.stoppable import Stoppable, stoppable_server

ENGINES = ("sqlite", "postgresql")
PEOPLE = 4
FILES = 4  # in an archive that is handed in: two of text, two of Word
WORDS = 80
TARGETS = {"server": 0.2, "worker": 0.35, "reader": 0.45}
DATABASE_EVERY = 80  # kills
WAIT_SECONDS = 2.0  # for a worker or a reader to be killed
PATIENCE_SECONDS = 240.0
ROUNDS = 4  # in which what failed is tried again in the end
_ARCHIVE = "essays"
LOSSES = ("lost", "twice", "back again", "check without result", "never ended", "left behind")


@dataclass
class Ledger:
    """What the server has said to people, and so must hold."""

    uploads: dict[int, str] = field(default_factory=dict)  # accepted, by seed: the job
    unknown: list[int] = field(default_factory=list)  # seeds of those that got no answer
    checks: dict[str, str] = field(default_factory=dict)  # accepted, by id: the job
    removed: set[str] = field(default_factory=set)  # names of documents
    perhaps_removed: set[str] = field(default_factory=set)
    answers: Counter[str] = field(default_factory=Counter)


def run(*, kills: int = 1000, engine: str = "both", seed: int = 7) -> dict[str, Any]:
    """Kill on each engine, half of them on the one and half on the other; what held."""
    engines = ENGINES if engine == "both" else (engine,)
    found = [on_engine(one, max(1, kills // len(engines)), seed) for one in engines]
    rows = []
    for told in found:
        killed = told["kills"]
        for what in LOSSES:
            number = len(told["problems"].get(what, []))
            rows.append(
                {
                    "attack": f"kill -9 on {told['engine']}: {what}",
                    "attempts": killed,
                    "got_through": number,
                    "asked": 0,
                }
            )
        rows.append(
            {
                "attack": f"kill -9 on {told['engine']}: verify finds",
                "attempts": killed,
                "got_through": len(told["verify"]),
                "asked": 0,
            }
        )
    return {"rows": rows, "engines": found, "seed": seed}


def on_engine(engine: str, kills: int, seed: int) -> dict[str, Any]:
    """One server on an engine, hurt so often."""
    with place_on(engine) as (folder, place, database):
        names = [f"teacher{i}" for i in range(PEOPLE)]
        with_people(place, names)
        server = Server(place, folder)
        server.start()
        ledger, over = Ledger(), threading.Event()
        people = [
            threading.Thread(target=_Person(server, name, i, seed, ledger, over).work)
            for i, name in enumerate(names)
        ]
        began = time.monotonic()
        try:
            for person in people:
                person.start()
            killed, restarts = _kill(server, database, kills, random.Random(seed))
        finally:
            over.set()
            for person in people:
                person.join()
        seconds = time.monotonic() - began
        try:
            told = _afterwards(server, place, ledger)
        finally:
            server.stop()
        return {
            "engine": engine,
            "kills": sum(killed.values()),
            "killed": dict(killed),
            "database_restarts": restarts,
            "seconds": round(seconds),
            "accepted": len(ledger.uploads),
            "unanswered": len(ledger.unknown),
            "checks": len(ledger.checks),
            "removed": len(ledger.removed),
            "answers": dict(ledger.answers),
            **told,
        }


@contextmanager
def place_on(engine: str) -> Iterator[tuple[Path, str, Stoppable | None]]:
    """A folder, an empty place for a library, and the database server if it is one."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="likewise-attack-")))
        os.environ["LIKEWISE_CACHE"] = str(folder / "cache")
        if engine == "postgresql":
            database = stack.enter_context(stoppable_server())
            yield folder, database.place, database
        else:
            yield folder, str(folder / "library.db"), None


def _kill(
    server: Server, database: Stoppable | None, kills: int, dice: random.Random
) -> tuple[Counter[str], int]:
    killed: Counter[str] = Counter()
    restarts = 0
    began = time.monotonic()
    for number in range(1, kills + 1):
        time.sleep(dice.uniform(0.05, 0.7))
        wanted = dice.choices(list(TARGETS), list(TARGETS.values()))[0]
        killed[_kill_one(server, wanted, dice)] += 1
        if database is not None and number % DATABASE_EVERY == 0:
            database.stop()
            time.sleep(dice.uniform(0, 2))
            database.start()
            restarts += 1
        if number % 50 == 0:
            rate = number / (time.monotonic() - began)
            say(f"  {number} kills, {rate:.2f} a second: {dict(killed)}")
    return killed, restarts


def _kill_one(server: Server, wanted: str, dice: random.Random) -> str:
    """Kill a process of the kind, or of the next kind up where none comes; which it was."""
    for kind in ("reader", "worker")[("reader", "worker", "server").index(wanted) :]:
        end = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < end:
            processes = server.processes(kind)
            if processes and with_signal(dice.choice(processes), signal.SIGKILL):
                return kind
            time.sleep(0.05)
    server.kill()
    server.start()
    return "server"


# People


class _Person:
    """Somebody who hands in, checks and removes, whatever happens to the server."""

    def __init__(
        self,
        server: Server,
        name: str,
        number: int,
        seed: int,
        ledger: Ledger,
        over: threading.Event,
    ) -> None:
        self._server, self._name, self._ledger, self._over = server, name, ledger, over
        self._dice = random.Random(f"{seed}:{name}")
        self._next = 100_000 * (number + 1)
        self._own: list[int] = []  # seeds of accepted uploads

    def work(self) -> None:
        with httpx.Client(base_url=self._server.url, timeout=30) as client:
            while not self._over.is_set():
                try:
                    if "Authorization" not in client.headers:
                        log_in(client, self._name)
                    self._act(client)
                except httpx.HTTPStatusError as error:
                    status = error.response.status_code
                    self._ledger.answers[str(status)] += 1
                    if status == 401:
                        client.headers.pop("Authorization", None)
                    self._over.wait(0.2)
                except httpx.HTTPError as error:
                    self._ledger.answers[type(error).__name__] += 1
                    self._over.wait(0.2)
                self._over.wait(self._dice.uniform(0, 0.6))

    def _act(self, client: httpx.Client) -> None:
        chance = self._dice.random()
        if chance < 0.45 or not self._own:
            self._hand_in(client)
        elif chance < 0.75:
            self._check(client)
        else:
            self._remove(client)

    def _hand_in(self, client: httpx.Client) -> None:
        self._next += 1
        seed = self._next
        files = [("file", (f"{_ARCHIVE}.zip", archive(seed)))]
        self._ledger.unknown.append(seed)
        try:
            answer = client.post("/documents", files=files)
        except httpx.ConnectError:
            self._ledger.unknown.remove(seed)  # it was never sent
            raise
        self._ledger.answers[f"upload {answer.status_code}"] += 1
        if answer.status_code != 202:
            self._ledger.unknown.remove(seed)
            return
        self._ledger.uploads[seed] = answer.json()["job"]
        self._ledger.unknown.remove(seed)
        self._own.append(seed)
        self._wait(client, answer.json()["job"])

    def _check(self, client: httpx.Client) -> None:
        text = invented(300, self._dice.randrange(1 << 30)) + " "
        text += text_of(self._dice.choice(self._own), 0)
        answer = client.post("/checks", files=[("file", ("thesis.docx", docx_of(text)))])
        self._ledger.answers[f"check {answer.status_code}"] += 1
        if answer.status_code == 202:
            told = answer.json()
            self._ledger.checks[told["id"]] = told["job"]
            self._wait(client, told["job"])

    def _remove(self, client: httpx.Client) -> None:
        name = f"essay-{self._dice.choice(self._own)}-{self._dice.randrange(FILES)}"
        found = client.get("/documents", params={"search": name}).raise_for_status().json()
        for item in found["items"]:
            if item["name"].rpartition("/")[2].partition(".")[0] != name:
                continue
            self._ledger.perhaps_removed.add(name)
            client.delete(f"/documents/{item['id']}").raise_for_status()
            self._ledger.removed.add(name)

    def _wait(self, client: httpx.Client, job: str) -> None:
        """Not so long that a job which is killed again and again would keep somebody idle."""
        end = time.monotonic() + 4
        while time.monotonic() < end and not self._over.is_set():
            state = client.get(f"/jobs/{job}").raise_for_status().json()["state"]
            if state in ("done", "failed", "cancelled"):
                return
            self._over.wait(0.2)


def text_of(seed: int, number: int) -> str:
    """What stands in a file that is handed in."""
    return invented(WORDS, seed * 10 + number)


def archive(seed: int) -> bytes:
    """Files in a ZIP archive; those of two seeds share nothing."""
    parts: dict[str, str | bytes] = {}
    for i in range(FILES):
        text = text_of(seed, i)
        name = f"essay-{seed}-{i}"
        parts |= {f"{name}.docx": docx_of(text)} if i % 2 else {f"{name}.txt": text}
    return packed(parts)


# Afterwards


def _afterwards(server: Server, place: str, ledger: Ledger) -> dict[str, Any]:
    """Let everything end, try again what failed, and look."""
    failed = _until_ended(server, place, ledger)
    with Library(place) as library:
        verify = [*map(str, library.verify())]
        with library.store.reading() as connection:
            rows = connection.execute(select(jobs.c.id, jobs.c.state, jobs.c.outcome)).all()
            states = {row.id: row.state for row in rows}
            outcomes = {row.id: json.loads(row.outcome or "{}") for row in rows}
            there = Counter(
                name.rpartition("/")[2].partition(".")[0]
                for (name,) in connection.execute(select(schema.documents.c.name))
            )
            results = {id for (id,) in connection.execute(select(_results.c.check_id))}
            left = [id for (id,) in connection.execute(select(tables.uploads.c.id))]
    problems: dict[str, list[str]] = {}
    unread = 0
    for seed, job in ledger.uploads.items():
        told = {
            one["name"].rpartition("/")[2].partition(".")[0]: one["reason"]
            for one in outcomes.get(job, {}).get("documents", [])
            if one["state"] == "unread"
        }
        for i in range(FILES):
            name = f"essay-{seed}-{i}"
            unread += name in told or _ARCHIVE in told
            # Of an archive that could not be opened the archive itself is told.
            is_away = name in ledger.perhaps_removed or name in told or _ARCHIVE in told
            if not there[name] and not is_away:
                problems.setdefault("lost", []).append(f"{name}: {states.get(job, 'no job')}")
    for name, number in there.items():
        if number > 1:
            problems.setdefault("twice", []).append(name)
        if name in ledger.removed:
            problems.setdefault("back again", []).append(name)
    for id, job in ledger.checks.items():
        if id not in results:
            state = states.get(job, "no job")
            problems.setdefault("check without result", []).append(f"{id}: {state}")
    never = [f"{id}: {state}" for id, state in states.items() if state in ("queued", "running")]
    if never:
        problems["never ended"] = never
    if left:
        problems["left behind"] = left
    return {
        "problems": problems,
        "verify": verify,
        "tried_again": failed,
        "unread_and_told": unread,
        "documents": sum(there.values()),
    }


_results = tables.check_results


def _until_ended(server: Server, place: str, ledger: Ledger) -> int:
    """All jobs have ended, those that failed after another try; how many were tried again."""
    again = 0
    for _round in range(ROUNDS):
        failed = _failed(place, ledger)
        again += len(failed)
        if not failed:
            break
        for name in {name for name, _ in failed}:
            with httpx.Client(base_url=server.url, timeout=60) as client:
                log_in(client, name)
                for owner, job in failed:
                    if owner == name:
                        client.post(f"/jobs/{job}/retry")
    return again


def _failed(place: str, ledger: Ledger) -> list[tuple[str, str]]:
    """Wait until no job is open; who asked for those that failed."""
    end = time.monotonic() + PATIENCE_SECONDS
    users = tables.users
    with Library(place) as library:
        while True:
            with library.store.reading() as connection:
                query = select(users.c.name, jobs.c.id, jobs.c.state)
                rows = connection.execute(
                    query.join_from(jobs, users, jobs.c.user_id == users.c.id)
                ).all()
            waiting = [row for row in rows if row.state in ("queued", "running")]
            if not waiting or time.monotonic() > end:
                known = {*ledger.uploads.values(), *ledger.checks.values()}
                return [(r.name, r.id) for r in rows if r.state == "failed" and r.id in known]
            time.sleep(0.3)
