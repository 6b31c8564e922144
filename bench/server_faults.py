"""A server that is hurt while it works: `./dev bench server_faults --kills 60`.

On each engine workers are killed with SIGKILL in each kind of job, at moments drawn uniformly over
a measured run; the server is killed in the middle of uploads and right after it accepted one;
PostgreSQL is stopped for 20 s while people hand in; and the disk fills up. Afterwards every upload
that was accepted is there, every job has ended or says why, and nothing is doubled.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx

from bench.corpus import say
from bench.faults import ENGINES, line, summary
from bench.record import RESULTS, keep
from likewise.library import Library
from likewise.server.config import Config
from likewise.server.context import ServerContext
from likewise.server.people.users import add_person
from tests.server.jobbing import PASSWORD, a_teacher, archive, essays_in, until_ended, uploads_in
from tests.server.killing import KINDS, Broken, Callers, ask_add, kills, sent
from tests.server.serving import logged_in, started, upload_begun
from tests.server.stoppable import stoppable_server

SERVE = ("--port", "0", "--workers", "2", "--no-browser")
AWAY_SECONDS = 20
DISK_MB = 48
PATIENCE_SECONDS = 180.0


def main() -> int:
    """Hurt it on each engine, print what happened, keep the figures."""
    parser = argparse.ArgumentParser(prog="./dev bench server_faults", description=__doc__)
    parser.add_argument("--kills", type=int, default=60, help="on each engine")
    parser.add_argument("--uploads", type=int, default=5, help="that the server is killed in")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--engine", choices=ENGINES, action="append")
    parser.add_argument("--output", type=Path, default=RESULTS / "server_faults.json")
    arguments = parser.parse_args()
    command = f"./dev bench server_faults --kills {arguments.kills} --seed {arguments.seed}"
    is_broken = False
    for engine in arguments.engine or ENGINES:
        figures = on_engine(engine, arguments.kills, arguments.uploads, arguments.seed)
        say(f"{engine}: {figures}")
        keep(arguments.output, engine, f"{command} --engine {engine}", figures)
        is_broken = is_broken or bool(figures["broken"])
    return int(is_broken)


def on_engine(engine: str, number: int, uploads: int, seed: int) -> dict[str, Any]:
    """Everything that can be done to a server on an engine."""
    found: list[dict[str, Any]] = []

    def noted(told: dict[str, Any]) -> None:
        told = {"engine": engine} | told
        found.append(told)
        say(f"  {line(told)}" if "at" in told else f"  {told}")

    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="likewise-hurt-")))
        os.environ["LIKEWISE_CACHE"] = str(folder / "cache")
        server = stack.enter_context(stoppable_server()) if engine == "postgresql" else None
        place = server.place if server else str(folder / "library.db")
        context = stack.enter_context(opened(place))
        with served(context, place) as by:
            for told in kills(by, number, seed, list(KINDS)):
                noted(told)
        for told in killed_servers(context, place, uploads, random.Random(seed)):
            noted(told)
        if server is not None:
            with served(context, place) as by:
                noted(_tried("outage", lambda: outage(by, server.stop, server.start)))
        else:
            noted(_tried("disk", full_disk))
        problems = [*map(str, context.library.verify())]
        if problems or uploads_in(context):
            left = f"{problems[:3]}, {uploads_in(context)} uploads left"
            noted({"work": "verify", "broken": left})
    return summary(engine, found) | {
        "missed": sum("missed" in told for told in found),
        "servers_killed": sum(told["work"] == "server" for told in found),
        "others": [told for told in found if told["work"] in ("outage", "disk")],
    }


@contextmanager
def opened(place: str) -> Iterator[ServerContext]:
    with Library(place) as library:
        context = ServerContext(library, Config())
        a_teacher(context)
        add_person(context, "dean", PASSWORD, role="administrator", or_keep=True)
        yield context


@contextmanager
def served(context: ServerContext, place: str) -> Iterator[Callers]:
    with (
        started("serve", place, *SERVE) as (_process, said),
        logged_in(said) as teacher,
        logged_in(said, "dean") as dean,
    ):
        yield Callers(context, teacher, dean)


def _tried(work: str, what: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    try:
        return {"work": work} | what()
    except (Broken, AssertionError, httpx.HTTPError) as error:
        return {"work": work, "broken": f"{type(error).__name__}: {error}"}


def killed_servers(
    context: ServerContext, place: str, number: int, dice: random.Random
) -> Iterator[dict[str, Any]]:
    """Half of an upload is nothing; one that was accepted is there after the next start."""
    for i in range(number):
        seed = 700_000 + i
        with started("serve", place, *SERVE) as (process, said), logged_in(said) as teacher:
            job = sent(teacher, "/documents", "essays.zip", archive(20, seed))["job"]
            with upload_begun(said):
                time.sleep(dice.uniform(0, 0.3))
                process.kill()
                process.wait()
        with served(context, place):
            ended = until_ended(context, job, PATIENCE_SECONDS)
        is_whole = (
            ended.state == "done" and essays_in(context, seed) == 20 and not uploads_in(context)
        )
        told = {"work": "server"}
        yield told | ({"left": "done"} if is_whole else {"broken": f"{ended.state} {ended.error}"})


def outage(by: Callers, stop: Callable[[], None], start: Callable[[], None]) -> dict[str, Any]:
    """People hand in all the time, and the database is away for a while."""
    accepted: dict[int, str] = {}
    answers: Counter[str] = Counter()
    over = threading.Event()

    def hand_in(first: int) -> None:
        seed = first
        while not over.is_set():
            seed += 1
            files = [("file", ("essays.zip", archive(10, seed)))]
            try:
                answer = by.teacher.post("/documents", files=files, timeout=90)
            except httpx.HTTPError as error:
                answers[type(error).__name__] += 1
                continue
            answers[str(answer.status_code)] += 1
            if answer.status_code == 202:
                accepted[seed] = answer.json()["job"]
            time.sleep(0.5)

    people = [threading.Thread(target=hand_in, args=[800_000 + 1_000 * i]) for i in range(3)]
    for person in people:
        person.start()
    time.sleep(5)
    stop()
    time.sleep(AWAY_SECONDS)
    start()
    time.sleep(8)
    over.set()
    for person in people:
        person.join()
    states = Counter(
        until_ended(by.context, id, PATIENCE_SECONDS).state for id in accepted.values()
    )
    short = [seed for seed in accepted if essays_in(by.context, seed) != 10]
    if short or set(states) != {"done"}:
        raise Broken(f"{dict(states)}, {len(short)} uploads are not there or doubled")
    return {"seconds": AWAY_SECONDS, "accepted": len(accepted), "answers": dict(answers)}


def full_disk() -> dict[str, Any]:
    """A library on a small disk of its own, which something else fills."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="likewise-disk-")))
        mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m", "tmpfs", str(folder)]
        if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode:
            return {"left_out": "a small disk can only be mounted as root"}
        stack.callback(subprocess.run, ["umount", "--lazy", str(folder)], check=False)
        place = str(folder / "library.db")
        context = stack.enter_context(opened(place))
        by = stack.enter_context(served(context, place))
        jobs = {seed: ask_add(by, seed).job for seed in (900_001, 900_002)}
        with suppress(OSError), (folder / "filler").open("wb") as filler:
            while filler.write(bytes(1 << 16)):
                filler.flush()
        refused = Counter(
            by.teacher.post("/documents", files=[("file", ("a.zip", archive(5, 910_000 + i)))])
            .json()
            .get("kind", "accepted")
            for i in range(3)
        )
        time.sleep(10)  # jobs meet the full disk
        (folder / "filler").unlink()
        states = {seed: until_ended(context, job, PATIENCE_SECONDS) for seed, job in jobs.items()}
        said = Counter(f"{job.state}: {job.error}" for job in states.values())
        for job in states.values():
            if job.state == "failed":
                by.teacher.post(f"/jobs/{job.id}/retry").raise_for_status()
        for seed, job in states.items():
            again = until_ended(context, job.id, PATIENCE_SECONDS)
            if again.state != "done" or essays_in(context, seed) != 60:
                raise Broken(f"after room was made: {again.state} {again.error}")
        if problems := [*map(str, context.library.verify())]:
            raise Broken(f"verify: {problems[:3]}")
        return {"megabytes": DISK_MB, "refused": dict(refused), "jobs": dict(said)}


if __name__ == "__main__":
    sys.exit(main())
