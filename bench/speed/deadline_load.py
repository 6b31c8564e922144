"""Students who hand in within a minute, teachers who read meanwhile, and what became of it all."""

from __future__ import annotations

import random
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

import httpx

from bench.speed.deadline_files import essay

READS_EVERY_SECONDS = 3.0
MOST_FILES = 3
RESUBMITS, LOSES_CONNECTION = 0.15, 0.15  # of the students
TRIES = 5
_NO_TLS = ssl.create_default_context()  # one for all: two hundred take seconds to make


@dataclass(frozen=True, slots=True)
class Answer:
    """A page or a hand-in: in which phase, what it was, when it began and how long it took."""

    phase: str
    what: str
    began: datetime
    ms: float
    error: str = ""


@dataclass(slots=True)
class Student:
    """What one student hands in, an attempt after the other, and the receipts."""

    name: str
    headers: Mapping[str, str]
    attempts: list[dict[str, bytes]]
    starts: list[float]  # seconds from the beginning, of each attempt
    loses: str = ""  # the connection: `half` of the upload, or the `answer`
    receipts: list[tuple[datetime, datetime, dict[str, Any]]] = field(default_factory=list)


def students_of(
    headers: Mapping[str, Mapping[str, str]], seconds: float, late_seconds: float
) -> list[Student]:
    """With their files made: some resubmit, some lose their connection, some are late."""
    students = []
    for number, (name, header) in enumerate(headers.items()):
        dice = random.Random(number)
        files = dict(essay(dice, f"part {n + 1}") for n in range(dice.randint(1, MOST_FILES)))
        attempts, starts = [files], [dice.uniform(0, seconds + late_seconds)]
        if dice.random() < RESUBMITS:
            first = next(iter(files))
            better, data = essay(dice, first.rpartition(".")[0])
            rest = {one: files[one] for one in files if one != first}
            attempts.append({better: data, **rest})
            starts.append(starts[0] + dice.uniform(1, 10))
        loses = dice.choice(("half", "answer")) if dice.random() < LOSES_CONNECTION else ""
        students.append(Student(name, header, attempts, starts, loses))
    return students


class DeadlineLoad:
    """Threads, each somebody with a connection of their own."""

    def __init__(self, address: str, assignment: str) -> None:
        self._address, self._assignment = address, assignment
        self._phase = ""
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._readers: list[threading.Thread] = []
        self.answers: list[Answer] = []

    def phase(self, name: str) -> None:
        self._phase = name

    # Teachers

    def read(
        self, teachers: Sequence[Mapping[str, str]], course: str, earlier: str, checks: list[str]
    ) -> None:
        """Every teacher opens a page every few seconds from now on."""
        pages: dict[str, Callable[[random.Random], list[str]]] = {
            "overview": lambda _: [
                *("/courses", "/assignments?when=open", "/checks/attention"),
                "/checks?limit=10",
            ],
            "assignment": lambda _: [f"/assignments/{self._assignment}", f"/courses/{course}"],
            "submissions": lambda dice: [
                f"/assignments/{dice.choice((self._assignment, earlier))}/submissions?limit=50"
            ],
            "report": lambda dice: [f"/checks/{dice.choice(checks)}/view"],
        }
        for number, headers in enumerate(teachers):
            thread = threading.Thread(
                target=self._read_on, args=(number, headers, pages), daemon=True
            )
            thread.start()
            self._readers.append(thread)

    def _read_on(
        self,
        number: int,
        headers: Mapping[str, str],
        pages: Mapping[str, Callable[[random.Random], list[str]]],
    ) -> None:
        dice = random.Random(number)
        names = list(pages)
        with httpx.Client(
            base_url=self._address, headers=dict(headers), timeout=60, verify=_NO_TLS
        ) as client:
            self._stopping.wait(dice.uniform(0, READS_EVERY_SECONDS))
            while not self._stopping.is_set():
                name = names[dice.randrange(len(names))]
                phase, began, start = self._phase, datetime.now(UTC), time.perf_counter()
                error = ""
                for path in pages[name](dice):
                    error = error or _error_of(client, path)
                seconds = time.perf_counter() - start
                self._note(Answer(phase, name, began, 1e3 * seconds, error))
                self._stopping.wait(max(0.0, READS_EVERY_SECONDS - seconds))

    def stop_reading(self) -> None:
        self._stopping.set()
        for thread in self._readers:
            thread.join()

    # Students

    def hand_in_all(self, students: Sequence[Student]) -> None:
        """Everybody at their own time; returns when everybody has all receipts."""
        began = time.monotonic()
        threads = [
            threading.Thread(target=self._hand_in, args=(one, began), daemon=True)
            for one in students
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _hand_in(self, student: Student, began: float) -> None:
        path = f"{self._address}/assignments/{self._assignment}/submissions"
        with httpx.Client(headers=dict(student.headers), timeout=120, verify=_NO_TLS) as client:
            for number, (files, start) in enumerate(
                zip(student.attempts, student.starts, strict=True)
            ):
                time.sleep(max(0.0, began + start - time.monotonic()))
                parts = [("file", (name, data)) for name, data in files.items()]
                if student.loses and number == 0:
                    _lose_connection(client.build_request("POST", path, files=parts), student.loses)
                for _ in range(TRIES):
                    sent, clock = datetime.now(UTC), time.perf_counter()
                    error, receipt = "", None
                    try:
                        answer = client.post(path, files=parts)
                        if answer.status_code == 202:
                            receipt = answer.json()
                        else:
                            error = f"{answer.status_code} {answer.text[:200]}"
                    except httpx.HTTPError as failure:
                        error = type(failure).__name__
                    ms = 1e3 * (time.perf_counter() - clock)
                    self._note(Answer(self._phase, "hand in", sent, ms, error))
                    if receipt is not None:
                        student.receipts.append((sent, datetime.now(UTC), receipt))
                        break
                    time.sleep(1)

    def _note(self, answer: Answer) -> None:
        with self._lock:
            self.answers.append(answer)


def _error_of(client: httpx.Client, path: str) -> str:
    try:
        answer = client.get(path)
    except httpx.HTTPError as failure:
        return f"{path}: {type(failure).__name__}"
    return "" if answer.status_code == 200 else f"{path}: {answer.status_code}"


def _lose_connection(request: httpx.Request, what: str) -> None:
    """Send half of a request, or all of it, and hang up before the answer."""
    body = request.read()
    address = urlsplit(str(request.url))
    head = f"POST {address.path} HTTP/1.1\r\n"
    head += "".join(f"{name}: {value}\r\n" for name, value in request.headers.items())
    sent = body if what == "answer" else body[: len(body) // 2]
    with socket.create_connection((address.hostname, address.port), timeout=60) as connection:
        connection.sendall(head.encode() + b"\r\n" + sent)
        if what == "answer":
            time.sleep(0.05)
