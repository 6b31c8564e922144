"""People at work while hostile files arrive every minute: no error, and no long wait.

The same people do the same twice at a real server, each time over a fresh library: first alone,
then while somebody hands in what stops servers. Everybody comes from an address of his own.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import resource
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from bench.attacks.hostile import ATTACKS, FROM, Attack, Target, prepare
from bench.attacks.kills import place_on
from bench.attacks.serving import PASSWORD, Server, docx_of, with_people
from bench.corpus import say
from tests.library.texts import invented

DOCUMENTS = 300  # that are there before
WORDS = 200
THINKS_SECONDS = (1.0, 9.0)
POLL_SECONDS = 0.7
TIMEOUT_SECONDS = 120.0
HEALTH_SECONDS = 5.0
LAST_SECONDS = 180.0  # for hostile jobs to end when people have gone
MOST_RATIO = 2.0
LEAST_CALLS = 20  # of a kind, before its 95th percentile is compared


@dataclass(frozen=True, slots=True)
class Call:
    """One request and its answer."""

    kind: str
    seconds: float
    error: str | None


@dataclass
class Phase:
    """What happened while people worked."""

    calls: list[Call] = field(default_factory=list)
    hostile: list[dict[str, Any]] = field(default_factory=list)
    health: Counter[str] = field(default_factory=Counter)
    events: dict[str, int] = field(default_factory=dict)


def run(
    *,
    users: int = 50,
    seconds: float = 3600.0,
    hostile_every: float = 60.0,
    engine: str = "postgresql",
    attacks: str = "",
    seed: int = 5,
) -> dict[str, Any]:
    """The same twice, without and with hostile files; what others noticed of them.

    `attacks` are words, with commas: only attacks with one of them in their name are made.
    """
    wanted = [word.strip() for word in attacks.split(",")]
    chosen = [name for name in ATTACKS if any(word in name for word in wanted)]
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 8192)), hard))
    prepare(chosen)
    phases = {}
    for name, every in (("alone", 0.0), ("with hostile files", hostile_every)):
        say(f"  {users} people for {seconds:g} s, {name}")
        phases[name] = _phase(engine, users, seconds, every, chosen, seed)
        say(f"  {_told(phases[name])}")
    return _figures(*phases.values(), engine=engine, users=users, seconds=seconds)


def _phase(
    engine: str, users: int, seconds: float, every: float, attacks: list[str], seed: int
) -> Phase:
    with place_on(engine) as (folder, place, _database):
        names = [f"teacher{i}" for i in range(users)]
        with_people(place, [*names, *(f"mallory{i}" for i in range(len(attacks)))], _texts())
        server = Server(place, folder)
        server.start()
        try:
            phase = asyncio.run(_Crowd(server, names, seconds, every, attacks, seed).work())
        finally:
            server.stop()
        phase.events = _events(server.log)
        return phase


def _texts() -> Iterator[tuple[str, str]]:
    return ((f"{i}.txt", invented(WORDS, i)) for i in range(DOCUMENTS))


def _events(log: Path) -> dict[str, int]:
    """What the server wrote about itself that is no mere information."""
    found: Counter[str] = Counter()
    for line in log.read_text("utf-8", "replace").splitlines():
        with suppress(ValueError, KeyError, TypeError):
            told = json.loads(line)
            if told["level"] in ("warning", "error"):
                found[told["event"][:100]] += 1
    return dict(found.most_common(20))


class _Crowd:
    """People at work, and somebody else."""

    def __init__(
        self,
        server: Server,
        names: list[str],
        seconds: float,
        every: float,
        attacks: list[str],
        seed: int,
    ) -> None:
        self._server, self._names, self._every, self._seed = server, names, every, seed
        self._attacks = attacks
        self._seconds, self._phase = seconds, Phase()

    async def work(self) -> Phase:
        end = time.monotonic() + self._seconds
        hostile = asyncio.create_task(self._attack(end)) if self._every else None
        health = asyncio.create_task(self._watch_health())
        people = [
            _Person(self._server.url, name, i, self._seed, self._phase.calls)
            for i, name in enumerate(self._names)
        ]
        await asyncio.gather(*(person.work(end) for person in people))
        if hostile is not None:
            await hostile
        health.cancel()
        return self._phase

    async def _watch_health(self) -> None:
        async with httpx.AsyncClient(base_url=self._server.url, timeout=30) as client:
            while True:
                try:
                    key = str((await client.get("/health")).status_code)
                except httpx.HTTPError as error:
                    key = type(error).__name__
                self._phase.health[key] += 1
                await asyncio.sleep(HEALTH_SECONDS)

    async def _attack(self, end: float) -> None:
        """One thing after the other, whatever has become of the last one.

        Each by somebody else: a limit for one person is not to spare the server the next.
        """
        running: list[asyncio.Task[None]] = []
        every, number = self._every, 0
        await asyncio.sleep(min(every, 2))
        while time.monotonic() < end:
            name = self._attacks[number % len(self._attacks)]
            who = f"mallory{number % len(self._attacks)}"
            running.append(asyncio.create_task(self._one(name, ATTACKS[name].attack, who)))
            number += 1
            await asyncio.sleep(min(every, max(0.0, end - time.monotonic())))
        await asyncio.gather(*running)

    async def _one(self, name: str, attack: Attack, who: str) -> None:
        began = time.monotonic()
        told: dict[str, Any] = {"attack": name}
        self._phase.hostile.append(told)
        transport = httpx.AsyncHTTPTransport(local_address=FROM)
        async with httpx.AsyncClient(
            base_url=self._server.url, transport=transport, timeout=TIMEOUT_SECONDS
        ) as client:
            try:
                body = {"name": who, "password": PASSWORD}
                answer = await client.post("/token", json=body)
                client.headers["Authorization"] = f"Bearer {answer.json()['access_token']}"
                told |= await attack(Target(client, self._server.port, self._names[0]))
                told["answered_s"] = round(time.monotonic() - began, 1)
                if told["job"]:
                    told |= await _ended(client, told["job"])
            except (httpx.HTTPError, KeyError, ValueError) as error:
                told["answer"] = type(error).__name__
        told["seconds"] = round(time.monotonic() - began, 1)
        told.pop("job", None)


async def _ended(client: httpx.AsyncClient, job: str) -> dict[str, Any]:
    """Wait for a hostile job; how it ended."""
    end = time.monotonic() + LAST_SECONDS
    while time.monotonic() < end:
        with suppress(httpx.HTTPError, ValueError):
            seen = (await client.get(f"/jobs/{job}")).json()
            if seen.get("state") in ("done", "failed", "cancelled"):
                unread = [
                    one["reason"]
                    for one in (seen["outcome"] or {}).get("documents", [])
                    if one["state"] == "unread"
                ]
                why = seen["error"] or "; ".join(unread)
                return {"state": seen["state"], "why": why[:200], "attempts": seen["attempts"]}
        await asyncio.sleep(1)
    return {"state": "never ended"}


class _Person:
    """Somebody with a browser, who thinks between two clicks."""

    def __init__(self, url: str, name: str, number: int, seed: int, calls: list[Call]) -> None:
        address = f"127.0.{1 + number // 200}.{1 + number % 200}"
        self._client = httpx.AsyncClient(
            base_url=url,
            timeout=TIMEOUT_SECONDS,
            transport=httpx.AsyncHTTPTransport(local_address=address),
            headers={"X-Likewise": "page"},
        )
        self._name, self._calls = name, calls
        self._dice = random.Random(f"{seed}:{name}")
        self._good_until = 0.0
        self._documents: list[int] = []

    async def work(self, end: float) -> None:
        acts = {
            self._list: 26,
            self._search: 16,
            self._show: 16,
            self._me: 8,
            self._jobs: 8,
            self._similar: 8,
            self._hand_in: 7,
            self._check: 8,
            self._log_in_again: 3,
        }
        async with self._client:
            await asyncio.sleep(self._dice.uniform(0, min(THINKS_SECONDS[1], 5)))
            while time.monotonic() < end:
                with suppress(httpx.HTTPError, ValueError, KeyError):  # noted by whoever called
                    await self._stay()
                    await self._dice.choices(list(acts), list(acts.values()))[0]()
                await asyncio.sleep(self._dice.uniform(*THINKS_SECONDS))

    async def _call(self, kind: str, method: str, path: str, **how: Any) -> httpx.Response:
        began = time.monotonic()
        try:
            answer = await self._client.request(method, path, **how)
        except httpx.HTTPError as error:
            self._note(kind, began, f"{kind}: {type(error).__name__}")
            raise
        wrong = f"{kind}: {answer.status_code} {answer.text[:200]}" if answer.is_error else None
        self._note(kind, began, wrong)
        return answer.raise_for_status()

    def _note(self, kind: str, began: float, error: str | None = None) -> None:
        self._calls.append(Call(kind, time.monotonic() - began, error))

    async def _stay(self) -> None:
        """Logged in, as a page stays: by its cookie."""
        if not self._good_until:
            await self._log_in()
        elif time.monotonic() > self._good_until:
            self._take(await self._call("refresh", "POST", "/token/refresh"))

    async def _log_in(self) -> None:
        body = {"name": self._name, "password": PASSWORD, "cookie": True}
        self._take(await self._call("log in", "POST", "/token", json=body))

    def _take(self, answer: httpx.Response) -> None:
        told = answer.json()
        self._client.headers["Authorization"] = f"Bearer {told['access_token']}"
        self._good_until = time.monotonic() + told["expires_in"] * 0.8

    async def _log_in_again(self) -> None:
        await self._call("log out", "POST", "/token/end")
        await self._log_in()

    async def _list(self) -> None:
        asked = {"limit": 50, "sort": self._dice.choice(("-added_on", "name", "-words"))}
        answer = await self._call("list", "GET", "/documents", params=asked)
        self._documents = [item["id"] for item in answer.json()["items"]]

    async def _search(self) -> None:
        asked = {"search": str(self._dice.randrange(DOCUMENTS)), "limit": 50}
        await self._call("search", "GET", "/documents", params=asked)

    async def _show(self) -> None:
        if not self._documents:
            await self._list()
        if self._documents:
            await self._call("show", "GET", f"/documents/{self._dice.choice(self._documents)}")

    async def _me(self) -> None:
        await self._call("me", "GET", "/me")

    async def _jobs(self) -> None:
        await self._call("jobs", "GET", "/jobs")

    def _essay(self) -> bytes:
        own = invented(WORDS, self._dice.randrange(1 << 40))
        return docx_of(f"{own} {invented(WORDS, self._dice.randrange(DOCUMENTS))[:400]}")

    async def _similar(self) -> None:
        files = [("file", ("essay.docx", self._essay()))]
        await self._call("similar", "POST", "/similar", files=files)

    async def _hand_in(self) -> None:
        name = f"essay-{self._dice.randrange(1 << 40)}.docx"
        began = time.monotonic()
        answer = await self._call(
            "upload", "POST", "/documents", files=[("file", (name, self._essay()))]
        )
        await self._finished(answer.json()["job"])
        self._note("upload until added", began)

    async def _check(self) -> None:
        began = time.monotonic()
        files = [("file", ("essay.docx", self._essay()))]
        told = (await self._call("upload", "POST", "/checks", files=files)).json()
        await self._finished(told["job"])
        self._note("upload until checked", began)
        await self._call("result", "GET", f"/checks/{told['id']}/result")
        await self._call("report", "GET", f"/checks/{told['id']}/report")

    async def _finished(self, job: str) -> None:
        end = time.monotonic() + TIMEOUT_SECONDS
        seen: dict[str, Any] = {"state": "queued", "error": "it did not end"}
        began = time.monotonic()
        while time.monotonic() < end:
            seen = (await self._call("progress", "GET", f"/jobs/{job}")).json()
            if seen["state"] == "done":
                return
            if seen["state"] in ("failed", "cancelled"):
                break
            await asyncio.sleep(POLL_SECONDS)
        self._note("job", began, f"job: {seen['state']}: {seen['error']}")
        raise ValueError("the job was not done")


# Figures


def _got_through(told: dict[str, Any]) -> bool:
    """Whether something hostile was never answered, or its job never ended."""
    return told.get("state") == "never ended" or "Timeout" in str(told.get("answer", ""))


def _percentiles(values: list[float]) -> dict[str, float]:
    ordered = sorted(values)
    p95 = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    return {
        "calls": len(ordered),
        "p50_ms": round(1e3 * statistics.median(ordered), 1),
        "p95_ms": round(1e3 * p95, 1),
        "most_ms": round(1e3 * ordered[-1], 1),
    }


def _by_kind(calls: list[Call]) -> dict[str, dict[str, float]]:
    kinds: dict[str, list[float]] = {}
    for call in calls:
        kinds.setdefault(call.kind, []).append(call.seconds)
    return {kind: _percentiles(values) for kind, values in sorted(kinds.items())}


def _requests(calls: list[Call]) -> list[float]:
    """Of single requests; what takes several is a kind of its own."""
    return [call.seconds for call in calls if not call.kind.startswith(("upload until", "job"))]


def _told(phase: Phase) -> str:
    errors = [call.error for call in phase.calls if call.error]
    spread = _percentiles(_requests(phase.calls)) if phase.calls else {}
    return f"{spread}, {len(errors)} errors {errors[:3]}, health {dict(phase.health)}"


def _figures(
    alone: Phase, beside: Phase, *, engine: str, users: int, seconds: float
) -> dict[str, Any]:
    errors = [call.error for call in beside.calls if call.error]
    errors_alone = [call.error for call in alone.calls if call.error]
    kinds, kinds_beside = _by_kind(alone.calls), _by_kind(beside.calls)
    ratios = {
        kind: round(kinds_beside[kind]["p95_ms"] / max(kinds[kind]["p95_ms"], 0.1), 2)
        for kind in kinds
        if kind in kinds_beside
        and min(kinds[kind]["calls"], kinds_beside[kind]["calls"]) >= LEAST_CALLS
    }
    first, second = _percentiles(_requests(alone.calls)), _percentiles(_requests(beside.calls))
    ratio = round(second["p95_ms"] / max(first["p95_ms"], 0.1), 2)
    people = f"{users} people for {seconds / 60:g} minutes beside hostile files"
    rows: list[dict[str, Any]] = [
        {
            "attack": f"{people}: errors for others",
            "attempts": second["calls"],
            "got_through": len(errors),
            "asked": 0,
        },
        {
            "attack": f"{people}: p95, times that without",
            "attempts": second["calls"],
            "got_through": ratio,
            "asked": f"≤ {MOST_RATIO:g}",
            "reached": ratio <= MOST_RATIO,
        },
    ]
    for name, hostile in ATTACKS.items():
        tried = [told for told in beside.hostile if told["attack"] == name]
        if tried:
            never = sum(_got_through(told) for told in tried)
            row = {"attack": name, "attempts": len(tried), "got_through": never, "asked": 0}
            rows.append(row | ({"before": hostile.before} if hostile.before else {}))
    return {
        "rows": rows,
        "engine": engine,
        "users": users,
        "seconds": seconds,
        "alone": kinds,
        "beside": kinds_beside,
        "ratios": ratios,
        "all_requests": {"alone": first, "beside": second, "ratio": ratio},
        "errors": dict(Counter(errors).most_common(10)),
        "errors_alone": dict(Counter(errors_alone).most_common(10)),
        "health": {"alone": dict(alone.health), "beside": dict(beside.health)},
        "events": {"alone": alone.events, "beside": beside.events},
        "hostile": beside.hostile,
        "load": os.getloadavg()[1],
    }
