"""Students who hand in within a minute before a deadline: `./dev bench deadline`.

A real server and a real worker over a library on SQLite, then on PostgreSQL. Teachers read pages at
a steady rate all the time; in one minute of it every student hands in one to three files, some
twice, some again after a connection that broke, some too late. In the end every receipt is compared
with what the database holds.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import select

from bench.corpus import say
from bench.record import RESULTS, keep
from bench.speed.deadline_files import SOURCES, essay, source
from bench.speed.deadline_load import Answer, DeadlineLoad, Student, students_of
from likewise.library import Library
from likewise.server.caller import Role
from likewise.server.config import Config
from likewise.server.context import ServerContext
from likewise.server.database import tables
from likewise.server.people.users import add_person
from tests.library.postgres import postgres_server
from tests.server.jobbing import PASSWORD
from tests.server.serving import logged_in, started

ENGINES = ("sqlite", "postgresql")
MOST_TIMES = 2.0  # the 95th percentile of a page with the hand-ins, to that without them
EARLIER = 20  # works of an assignment that is over, whose reports are read
WITHOUT, WITH = ("before", "after"), "hand-ins"
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Scale:
    """How many, and how long."""

    students: int = 200
    teachers: int = 20
    seconds: float = 60.0  # in which everybody hands in
    late_seconds: float = 3.0
    calm_seconds: float = 25.0  # of reading alone, before and after
    patience_seconds: float = 1_200.0


USUAL = Scale()


def main() -> int:
    """Measure, print, keep the figures."""
    parser = argparse.ArgumentParser(prog="./dev bench deadline", description=__doc__)
    parser.add_argument("--engine", choices=ENGINES, help="only this one")
    parser.add_argument("--students", type=int, default=USUAL.students)
    parser.add_argument("--teachers", type=int, default=USUAL.teachers)
    parser.add_argument("--calm", type=float, default=USUAL.calm_seconds, help="seconds")
    parser.add_argument("--patience", type=float, default=USUAL.patience_seconds, help="seconds")
    parser.add_argument("--output", type=Path, default=RESULTS / "deadline.json")
    arguments = parser.parse_args()
    scale = replace(
        USUAL,
        students=arguments.students,
        teachers=arguments.teachers,
        calm_seconds=arguments.calm,
        patience_seconds=arguments.patience,
    )
    failed = False
    for engine in (arguments.engine,) if arguments.engine else ENGINES:
        figures = handed_in_before_deadline(engine, scale)
        say(str(figures))
        keep(arguments.output, engine, _command(engine, scale), figures)
        failed |= bool(figures["lost"] or figures["twice"] or figures["errors"])
    return int(failed)


def handed_in_before_deadline(engine: str, scale: Scale) -> dict[str, Any]:
    """One run on an empty library."""
    with ExitStack() as stack:
        folder = stack.enter_context(_folder())
        os.environ["LIKEWISE_CACHE"] = str(Path(folder) / "cache")
        place = str(Path(folder) / "campus.db")
        if engine == "postgresql":
            server = stack.enter_context(postgres_server())
            place = server.render_as_string(hide_password=False)
        names = _people(place, scale)
        serve = ("--port", "0", "--workers", "0", "--no-browser")
        _, line = stack.enter_context(started("serve", place, *serve))
        stack.enter_context(started("worker", place, "--workers", "1"))
        teacher = stack.enter_context(logged_in(line, names["teacher"][0]))
        accounts = [*names["teacher"], *names["student"]]
        with ThreadPoolExecutor(4) as pool:
            headers = dict(
                zip(
                    accounts,
                    pool.map(lambda name: _headers(line, name), accounts),
                    strict=True,
                )
            )
        course, earlier, checks = _prepare(teacher, names, scale)
        assignment = _assignment(teacher, course, "The essay", datetime.now(UTC) + DAY)
        students = students_of(
            {name: headers[name] for name in names["student"]}, scale.seconds, scale.late_seconds
        )
        load = DeadlineLoad(str(teacher.base_url).rstrip("/"), assignment)
        load.phase("warm")
        load.read([headers[name] for name in names["teacher"]], course, earlier, checks)
        time.sleep(min(10.0, scale.calm_seconds))
        load.phase("before")
        time.sleep(scale.calm_seconds)
        due = datetime.now(UTC) + timedelta(seconds=scale.seconds)
        teacher.patch(f"/assignments/{assignment}", json={"due_on": due.isoformat()})
        load.phase(WITH)
        load.hand_in_all(students)
        load.phase("checks go on")
        states = _wait_for_checks(teacher, assignment, scale.patience_seconds)
        checked = datetime.now(UTC)
        load.phase("settling")
        time.sleep(min(5.0, scale.calm_seconds))
        load.phase("after")
        time.sleep(scale.calm_seconds)
        load.stop_reading()
        with Library(place) as library:
            rows = _rows(ServerContext(library), assignment)
        return {
            "engine": engine,
            "students": scale.students,
            "teachers": scale.teachers,
            "seconds": scale.seconds,
            "checked_after_seconds": None
            if states["waiting"]
            else round((checked - due).total_seconds(), 1),
            "states": dict(states),
        } | figures_of(load.answers, students, rows, due)


def _command(engine: str, scale: Scale) -> str:
    calm, patience = f"{scale.calm_seconds:g}", f"{scale.patience_seconds:g}"
    return f"./dev bench deadline --engine {engine} --calm {calm} --patience {patience}"


def _folder() -> tempfile.TemporaryDirectory[str]:
    """Workers that are killed may still write into it."""
    return tempfile.TemporaryDirectory(prefix="likewise-deadline-", ignore_cleanup_errors=True)


def _people(place: str, scale: Scale) -> dict[str, list[str]]:
    """Accounts, and a library of documents that everybody reads."""
    names = {
        "teacher": [f"teacher{n}" for n in range(scale.teachers)],
        "student": [f"student{n}" for n in range(scale.students)],
    }
    with Library(place) as library:
        context = ServerContext(library, Config())
        library.add_texts({f"book {n}.txt": source(n) for n in range(SOURCES)}, owner="teacher0")
        roles: dict[str, Role] = {"teacher": "teacher", "student": "student"}
        for kind, some in names.items():
            for name in some:
                add_person(context, name, PASSWORD, role=roles[kind])
    return names


def _headers(line: str, name: str) -> dict[str, str]:
    with logged_in(line, name) as client:
        return {"Authorization": str(client.headers["Authorization"])}


def _prepare(
    teacher: httpx.Client, names: dict[str, list[str]], scale: Scale
) -> tuple[str, str, list[str]]:
    """A course with everybody in it, and an assignment of which all is checked."""
    course = _made(teacher.post("/courses", json={"name": "History of the steppe"}))["id"]
    for kind, some in names.items():
        members = [{"user_name": name, "role": kind} for name in some]
        _made(teacher.post(f"/courses/{course}/members", json={"members": members}))
    earlier = _assignment(teacher, course, "An earlier essay", datetime.now(UTC) - DAY)
    works = {f"Student {n}": essay(random.Random(-1 - n), "essay") for n in range(EARLIER)}
    parts = [("file", (f"{who}/{name}", data)) for who, (name, data) in works.items()]
    _made(teacher.post(f"/assignments/{earlier}/submissions", files=parts))
    _wait_for_checks(teacher, earlier, USUAL.patience_seconds)
    path = f"/assignments/{earlier}/submissions"
    items = teacher.get(path, params={"limit": EARLIER}).json()["items"]
    return course, earlier, [one["check"] for one in items]


def _assignment(teacher: httpx.Client, course: str, name: str, due: datetime) -> str:
    body = {"name": name, "due_on": due.isoformat()}
    return str(_made(teacher.post(f"/courses/{course}/assignments", json=body))["id"])


def _made(answer: httpx.Response) -> Any:
    if answer.status_code >= 300:
        raise RuntimeError(answer.text)
    return answer.json()


def _wait_for_checks(
    teacher: httpx.Client, assignment: str, patience_seconds: float
) -> Counter[str]:
    """Until nothing waits any more; the states of all files."""
    until = time.monotonic() + patience_seconds
    path = f"/assignments/{assignment}/submissions"
    while time.monotonic() < until:
        asked: dict[str, str | int] = {"attempts": "all", "state": "waiting", "limit": 1}
        if teacher.get(path, params=asked).json()["total"] == 0:
            break
        time.sleep(1)
    states: Counter[str] = Counter()
    for state in ("waiting", "checked", "unread", "failed", "cancelled", "replaced"):
        asked = {"attempts": "all", "state": state, "limit": 1}
        states[state] = int(teacher.get(path, params=asked).json()["total"])
    return +states


def _rows(context: ServerContext, assignment: str) -> list[Any]:
    submissions, users = tables.submissions, tables.users
    query = select(submissions, users.c.name.label("user")).join_from(
        submissions, users, users.c.id == submissions.c.user_id
    )
    with context.store.reading() as connection:
        return list(connection.execute(query.where(submissions.c.assignment_id == assignment)))


def figures_of(
    answers: list[Answer], students: list[Student], rows: list[Any], due: datetime
) -> dict[str, Any]:
    """What was lost, what stands twice, and how long people waited."""
    kept = {row.id: row for row in rows}
    receipts = [receipt for one in students for receipt in one.receipts]
    files = [file for *_, receipt in receipts for file in receipt["files"]]
    lost = sum(
        file["id"] not in kept or bytes(kept[file["id"]].sha256).hex() != file["sha256"]
        for file in files
    )
    attempts = sum(len(one.attempts) for one in students)
    expected = Counter(
        (one.name, name) for one in students for some in one.attempts for name in some
    )
    there = Counter((row.user, row.name) for row in rows)
    deadline = due.replace(tzinfo=None)
    wrongly = sum(bool(row.is_late) != (row.handed_in_on >= deadline) for row in rows)
    wrongly += sum(
        (receipt["is_late"] and got < due) or (not receipt["is_late"] and sent > due)
        for sent, got, receipt in receipts
        if receipt["is_new"]
    )
    errors = Counter(f"{one.phase}: {one.what}: {one.error}" for one in answers if one.error)
    return {
        "hand_ins": attempts,
        "receipts": len(receipts),
        "resubmitted": sum(len(one.attempts) > 1 for one in students),
        "connections_lost": sum(bool(one.loses) for one in students),
        "files": len(files),
        "rows": len(rows),
        "lost": lost + attempts - len(receipts) + sum((expected - there).values()),
        "twice": sum((there - expected).values()),
        "late": sum(bool(row.is_late) for row in rows),
        "wrongly_late": wrongly,
        "errors": sum(errors.values()),
        "first_errors": dict(errors.most_common(5)),
        "slowest": _slowest(answers, due),
        "hand_in_ms": _times([one for one in answers if one.what == "hand in"]),
        "pages": {
            what: _page_times([one for one in answers if one.what == what])
            for what in ("overview", "assignment", "submissions", "report")
        },
    }


def _slowest(answers: list[Answer], due: datetime) -> list[str]:
    """What took longest, with how many seconds before the deadline it began."""
    longest = sorted(answers, key=lambda one: -one.ms)[:12]
    return [
        f"{(one.began - due).total_seconds():.1f} s: {one.what}, {one.ms:.0f} ms" for one in longest
    ]


def _page_times(answers: list[Answer]) -> dict[str, Any]:
    without = _times([one for one in answers if one.phase in WITHOUT])
    found = {"without": without, "with": _times([one for one in answers if one.phase == WITH])}
    for phase in (*WITHOUT, "checks go on"):
        found[phase] = _times([one for one in answers if one.phase == phase])
    times = found["with"].get("p95", 0.0) / max(without.get("p95", 0.0), 0.1)
    return {**found, "times": round(times, 2)}


def _times(answers: list[Answer]) -> dict[str, float]:
    ms = sorted(one.ms for one in answers)
    if not ms:
        return {"n": 0}
    parts = {"p50": 0.5, "p95": 0.95}
    found = {name: round(ms[int(len(ms) * part)], 1) for name, part in parts.items()}
    return {"n": len(ms), **found, "longest": round(ms[-1], 1)}


if __name__ == "__main__":
    sys.exit(main())
