"""The way of one job through the code: `python -m bench.trace find examples/essays`.

Which modules of Likewise are entered, in the order of their first call, and which of its types are
made on the way, how often and by whom: each is a conversion of what was there before. `http` in the
place of a verb asks a server in this process to check one document, and does its job.
"""

from __future__ import annotations

import io
import os
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

ROOM = "likewise."
EXAMPLES = Path(__file__).parents[1] / "examples"
PASSWORD = "wormwood after rain"


@dataclass(slots=True)
class Trace:
    """What was entered and made, in the order of the first time."""

    modules: dict[str, str] = field(default_factory=dict)  # and the function that was called first
    made: Counter[str] = field(default_factory=Counter)
    makers: dict[str, str] = field(default_factory=dict)
    loading: Counter[int] = field(default_factory=Counter)  # modules, by thread

    def hear(self, frame: FrameType, event: str, _argument: object) -> None:
        name, thread = frame.f_code.co_name, threading.get_ident()
        if name == "<module>":
            self.loading[thread] += {"call": 1, "return": -1}.get(event, 0)
        module = str(frame.f_globals.get("__name__", ""))
        if event != "call" or self.loading[thread] or not module.startswith(ROOM):
            return
        if name == "__init__" and (made := frame.f_locals.get("self")) is not None:
            kind = f"{type(made).__module__}.{type(made).__qualname__}".removeprefix(ROOM)
            if kind not in self.made:
                self.makers[kind] = _maker(frame)
            self.made[kind] += 1
        if frame.f_code.co_filename != "<string>":  # what a dataclass wrote for itself
            self.modules.setdefault(module.removeprefix(ROOM), name)


def _maker(frame: FrameType) -> str:
    """The first function above that is written by somebody."""
    above = frame.f_back
    while above is not None:
        module = str(above.f_globals.get("__name__", ""))
        if module.startswith(ROOM) and above.f_code.co_filename != "<string>":
            return f"{module.removeprefix(ROOM)}.{above.f_code.co_name}"
        above = above.f_back
    return ""


def traced(job: Callable[[], object]) -> Trace:
    """What a job passes, on all threads of this process."""
    trace = Trace()
    threading.setprofile(trace.hear)
    sys.setprofile(trace.hear)
    try:
        job()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return trace


def by_command_line(arguments: list[str]) -> Trace:
    from likewise.cli import main

    def run() -> None:
        with redirect_stdout(io.StringIO()):
            main(arguments)

    return traced(run)


def by_http() -> Trace:
    """A check over HTTP, from the request to its result."""
    from fastapi.testclient import TestClient

    from likewise.library import Library
    from likewise.server.app import make_app
    from likewise.server.config import Config
    from likewise.server.context import ServerContext
    from likewise.server.people.users import add_person
    from likewise.server.workers.worker import work_off

    with tempfile.TemporaryDirectory() as folder, Library(Path(folder, "library.db")) as library:
        library.add(EXAMPLES / "archive")
        context = ServerContext(library, Config(workers=0))
        add_person(context, "aigul", PASSWORD, role="teacher", or_keep=True)
        client = TestClient(make_app(context), base_url="http://testserver/api/v1")
        answer = client.post("/token", json={"name": "aigul", "password": PASSWORD})
        client.headers["Authorization"] = f"Bearer {answer.json()['access_token']}"
        essay = EXAMPLES / "essays/kirill-library.txt"

        def check() -> None:
            files: dict[str, Any] = {
                "file": (essay.name, essay.read_bytes()),
                "request": (None, "{}", "application/json"),
            }
            id = client.post("/checks", files=files).raise_for_status().json()["id"]
            work_off(context)
            client.get(f"/checks/{id}/result").raise_for_status()

        return traced(check)


def main() -> None:
    os.environ["LIKEWISE_DEBUG"] = "1"
    arguments = sys.argv[1:]
    trace = by_http() if arguments == ["http"] else by_command_line(arguments)
    print(f"{len(trace.modules)} modules:")
    for module, function in trace.modules.items():
        print(f"  {module}  ({function})")
    print(f"{len(trace.made)} types, {trace.made.total():,} made:")
    for kind, times in trace.made.items():
        print(f"  {times:>9,} {kind}  by {trace.makers[kind]}")


if __name__ == "__main__":
    main()
