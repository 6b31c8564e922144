"""Workers that are killed in each kind of job, and what must hold afterwards."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import cycle
from typing import Any

import httpx
from sqlalchemy import Table, func, select

from likewise.library import schema
from likewise.server.context import ServerContext
from likewise.server.database import tables
from likewise.server.jobs.queue import Job, enqueue
from tests.library.texts import invented
from tests.server.jobbing import archive, essays_in, kill, seen, until_at_work, until_ended

PATIENCE = 8  # attempts at one moment: a run may be shorter than the measured one
FILES, CLASS = 60, 12
LONG = 4_000  # words of a document that is checked


class Broken(Exception):
    """Something that was promised does not hold."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A job that was accepted, and what must be there when it is done."""

    job: str
    holds: Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Callers:
    """Who asks, and the database to look into."""

    context: ServerContext
    teacher: httpx.Client
    administrator: httpx.Client


def sent(client: httpx.Client, path: str, name: str, data: bytes) -> dict[str, Any]:
    answer = client.post(path, files=[("file", (name, data))])
    if answer.status_code != 202:
        raise Broken(f"{path} answers {answer.status_code}: {answer.text[:200]}")
    found: dict[str, Any] = answer.json()
    return found


def ask_add(by: Callers, seed: int) -> Asked:
    job = sent(by.teacher, "/documents", "essays.zip", archive(FILES, seed))["job"]
    return Asked(job, lambda: essays_in(by.context, seed) == FILES)


def ask_check(by: Callers, seed: int) -> Asked:
    text = invented(LONG, seed) + " " + " ".join(invented(60, 10_000 + i) for i in range(FILES))
    told = sent(by.teacher, "/checks", "thesis.txt", text.encode())
    results, id = tables.check_results, told["id"]

    def holds() -> bool:
        is_told = by.teacher.get(f"/checks/{id}").json()["summary"] is not None
        return is_told and _rows(by.context, results, results.c.check_id == id) == 1

    return Asked(told["job"], holds)


def ask_batch(by: Callers, seed: int) -> Asked:
    told = sent(by.teacher, "/batches", "class.zip", archive(CLASS, 500_000 + seed, words=400))
    checks, id = tables.checks, told["id"]
    return Asked(told["job"], lambda: _rows(by.context, checks, checks.c.batch_id == id) == CLASS)


def ask_submissions(by: Callers, seed: int) -> Asked:
    """An archive that fills an assignment to which a few have handed in before."""
    course = by.teacher.post("/courses", json={"name": f"course {seed}"}).json()["id"]
    path = f"/courses/{course}/assignments"
    assignment = by.teacher.post(path, json={"name": "Essay"}).json()["id"]
    path = f"/assignments/{assignment}/submissions"
    first = sent(by.teacher, path, "first.zip", archive(2, 600_000 + seed, words=400))
    until_ended(by.context, first["job"])
    told = sent(by.teacher, path, "class.zip", archive(CLASS, 700_000 + seed, words=400))

    def holds() -> bool:
        batch = by.teacher.get(f"/assignments/{assignment}").json()
        listed = by.teacher.get(path, params={"attempts": "all", "limit": 500}).json()["items"]
        checks = tables.checks
        return (
            len({one["check"] for one in listed} - {None}) == len(listed) == CLASS + 2
            and _rows(by.context, checks, checks.c.batch_id == batch["batch"]) == CLASS + 2
            and batch["summary"]["documents"] == CLASS + 2
        )

    return Asked(told["job"], holds)


def ask_rebuild(by: Callers, seed: int) -> Asked:
    changed = by.administrator.patch("/stop-words/en", json={"add": [f"zzword{seed}"]})
    if changed.is_error:
        raise Broken(f"stop words: {changed.text[:200]}")
    recipe = {"shingle": 4 + seed % 3, "unit": "words", "stem": bool(seed % 2)}
    answer = by.administrator.patch("/recipe", json=recipe)
    return Asked(
        answer.json()["job"], lambda: not by.administrator.get("/rebuild").json().get("stale")
    )


def ask_tidy(by: Callers, _seed: int) -> Asked:
    with by.context.store.beside() as connection:
        return Asked(enqueue(connection, "tidy", None, {}), lambda: True)


def ask_erase(by: Callers, seed: int) -> Asked:
    """A document that a check quotes is erased, once, whatever is killed meanwhile."""
    text = invented(400, 900_000 + seed)
    (number,) = by.context.library.add_texts({f"erased-{seed}.txt": text}).ids
    check = sent(by.teacher, "/checks", "quoting.txt", f"{text} {invented(50, seed)}".encode())
    until_ended(by.context, check["job"])
    told = by.administrator.post("/erasures", json={"documents": [number]}).json()
    documents = schema.documents

    def holds() -> bool:
        receipt = by.administrator.get(f"/erasures/{told['id']}").json()
        result = by.teacher.get(f"/checks/{check['id']}/result").text
        counts = receipt["counts"]
        return (
            receipt["state"] == "done"
            and counts["documents"] == counts["checks_blackened"] == 1
            and f"erased-{seed}" not in result
            and _rows(by.context, documents, documents.c.id == number) == 0
        )

    return Asked(told["job"], holds)


def _rows(context: ServerContext, table: Table, which: Any) -> int:
    with context.store.reading() as connection:
        query = select(func.count()).select_from(table).where(which)
        return connection.execute(query).scalar_one()


KINDS: dict[str, Callable[[Callers, int], Asked]] = {
    "add": ask_add,
    "check": ask_check,
    "batch": ask_batch,
    "submissions": ask_submissions,
    "rebuild": ask_rebuild,
    "tidy": ask_tidy,
    "erase": ask_erase,
}


def seconds_of(job: Job) -> float:
    assert job.started_on is not None and job.ended_on is not None
    return (job.ended_on - job.started_on).total_seconds()


def kills(by: Callers, number: int, seed: int, kinds: list[str]) -> Iterator[dict[str, Any]]:
    """Kill workers at moments drawn uniformly over a measured run; what each kill found."""
    dice, asked_for = random.Random(seed), iter(range(1, 1_000_000))
    length: dict[str, float] = {}
    for kind in kinds:
        runs = [_undisturbed(by, kind, next(asked_for)) for _again in range(3)]
        length[kind] = sorted(runs[1:])[-1]  # the first loads what the others have
    for kind, _ in zip(cycle(kinds), range(number), strict=False):
        yield _killed(by, kind, length[kind], dice, asked_for)


def _undisturbed(by: Callers, kind: str, seed: int) -> float:
    asked = KINDS[kind](by, seed)
    job = until_ended(by.context, asked.job)
    if job.state != "done" or not asked.holds():
        raise Broken(f"{kind} is {job.state} without any kill: {job.error}")
    return seconds_of(job)


def _killed(
    by: Callers, kind: str, length: float, dice: random.Random, seeds: Iterator[int]
) -> dict[str, Any]:
    at = dice.random()
    for _again in range(PATIENCE):
        asked = KINDS[kind](by, next(seeds))
        with suppress(AssertionError):  # it was over before anybody could look
            process = until_at_work(by.context, asked.job)
            time.sleep(at * length)
            if seen(by.context, asked.job).state == "running":
                kill(process)
        told: dict[str, Any] = {"work": kind, "at": at}
        job = until_ended(by.context, asked.job)
        if job.state != "done":
            return told | {"broken": f"{job.state}: {job.error}"}
        if not asked.holds():
            return told | {"broken": "what was accepted is not there, or is doubled"}
        if job.attempts > 1:
            return told | {"left": f"done in attempt {job.attempts}"}
    return {"work": kind, "missed": at}
