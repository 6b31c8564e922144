"""People who read and hand in while servers are upgraded, and what became of every request."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import httpx

from tests.library.texts import invented
from tests.server.jobbing import PASSWORD

THINKS_SECONDS = (0.1, 0.4)
PAGES = ("/me", "/documents?limit=20", "/checks?limit=20", "/jobs?limit=20", "/institution")


@dataclass(frozen=True, slots=True)
class Answer:
    """One request: in which phase, what it was, its status (0 for none) and the milliseconds."""

    phase: str
    what: str
    status: int
    ms: float
    error: str = ""


class Load:
    """Threads, each somebody with a connection of their own through the balancer."""

    def __init__(self, address: str, teachers: int, readers: int) -> None:
        self._address = address
        self._phase = ""
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self.answers: list[Answer] = []
        self.accepted: list[str] = []
        tasks: list[Callable[[httpx.Client, random.Random], None]] = [self._hand_in] * teachers
        tasks += [self._read] * readers
        self._threads = [
            threading.Thread(target=self._go_on, args=(task, number), daemon=True)
            for number, task in enumerate(tasks)
        ]

    def __enter__(self) -> Load:
        with self._client() as client:
            answer = client.post("/token", json={"name": "aigul", "password": PASSWORD})
            answer.raise_for_status()
            self._token = answer.json()["access_token"]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def phase(self, name: str) -> None:
        self._phase = name

    def stop(self) -> None:
        self._stopping.set()
        for thread in self._threads:
            thread.join()

    def _client(self) -> httpx.Client:
        return httpx.Client(base_url=self._address, timeout=60)

    def _go_on(self, task: Callable[[httpx.Client, random.Random], None], number: int) -> None:
        dice = random.Random(number)
        with self._client() as client:
            client.headers["Authorization"] = f"Bearer {self._token}"
            while not self._stopping.is_set():
                task(client, dice)
                time.sleep(dice.uniform(*THINKS_SECONDS))

    def _read(self, client: httpx.Client, dice: random.Random) -> None:
        self._ask(client, "read", "GET", dice.choice(PAGES))

    def _hand_in(self, client: httpx.Client, dice: random.Random) -> None:
        text = invented(300, dice.randrange(1 << 40))
        files = {"file": (f"essay-{dice.randrange(1 << 40)}.txt", text.encode(), "text/plain")}
        answer = self._ask(client, "hand in", "POST", "/checks", files=files)
        if answer is not None and answer.status_code < 300:
            with self._lock:
                self.accepted.append(answer.json()["id"])

    def _ask(
        self, client: httpx.Client, what: str, method: str, path: str, **how: Any
    ) -> httpx.Response | None:
        phase, began, error = self._phase, time.perf_counter(), ""
        answer = None
        try:
            answer = client.request(method, path, **how)
        except httpx.HTTPError as failure:
            error = type(failure).__name__
        status = answer.status_code if answer is not None else 0
        if answer is not None and status >= 400:
            error = answer.text[:200]
        ms = 1e3 * (time.perf_counter() - began)
        with self._lock:
            self.answers.append(Answer(phase, what, status, ms, error))
        return answer

    def outcomes(self, patience_seconds: float) -> Counter[str]:
        """The states of all that was accepted, once nothing waits any more; and how many checks."""
        until = time.monotonic() + patience_seconds
        with self._client() as client:
            client.headers["Authorization"] = f"Bearer {self._token}"
            while True:
                states = Counter(self._state(client, id) for id in self.accepted)
                if time.monotonic() > until or not states.keys() & {"queued", "running"}:
                    break
                time.sleep(1)
            total = client.get("/checks", params={"limit": 1}).json()["total"]
        return states | Counter({"(all checks)": total})

    def _state(self, client: httpx.Client, id: str) -> str:
        answer = client.get(f"/checks/{id}")
        return str(answer.json()["state"]) if answer.status_code == 200 else "gone"


def figures_of(load: Load, ended: Counter[str]) -> dict[str, Any]:
    """What was asked, what failed, and how long it took, phase by phase."""
    phases: dict[str, dict[str, Any]] = {}
    for name in dict.fromkeys(one.phase for one in load.answers):
        some = [one for one in load.answers if one.phase == name]
        times = sorted(one.ms for one in some)
        phases[name] = {
            "requests": len(some),
            "failed": sum(_has_failed(one) for one in some),
            "p50_ms": round(times[len(times) // 2], 1),
            "p95_ms": round(times[int(len(times) * 0.95)], 1),
            "longest_ms": round(times[-1], 1),
        }
    accepted = len(load.accepted)
    return {
        "requests": len(load.answers),
        "failed": sum(map(_has_failed, load.answers)),
        "failures": Counter(
            f"{one.phase}: {one.what} {one.status} {one.error}"
            for one in load.answers
            if _has_failed(one)
        ),
        "accepted": accepted,
        "done": ended["done"],
        "lost": accepted - ended["done"],
        "doubled": ended["(all checks)"] - accepted,
        "states": ended,
        "phases": phases,
    }


def _has_failed(one: Answer) -> bool:
    return one.status == 0 or one.status >= 400
