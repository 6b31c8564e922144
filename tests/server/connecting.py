"""A server as a process, with its log in a file and callers who speak to it by bare sockets."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from tests.server.serving import START

ASK = b"GET /api/v1/health HTTP/1.1\r\nHost: here\r\n\r\n"


@dataclass(frozen=True)
class Running:
    process: subprocess.Popen[str]
    port: int
    log: Path

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.read_text("utf-8").splitlines()]

    def connect(self, address: str = "127.0.0.1") -> socket.socket:
        """A connection from one of this machine's addresses."""
        return socket.create_connection(
            ("127.0.0.1", self.port), timeout=60, source_address=(address, 0)
        )

    def health(self, address: str = "127.0.0.1") -> int:
        transport = httpx.HTTPTransport(local_address=address)
        with httpx.Client(transport=transport, timeout=60) as client:
            return client.get(f"http://127.0.0.1:{self.port}/api/v1/health").status_code


@contextmanager
def running(folder: Path, *, files: int | None = None, **settings: object) -> Iterator[Running]:
    """A server with some settings and perhaps a limit on its open files; ended in the end."""
    own = {f"LIKEWISE_{name.upper()}": str(value) for name, value in settings.items()}
    own |= {"XDG_DATA_HOME": str(folder / "data"), "XDG_CACHE_HOME": str(folder / "cache")}
    log = folder / "log"

    program = START.format(verb="serve")
    if files is not None:
        limit = f"resource.setrlimit(resource.RLIMIT_NOFILE, ({files}, {files}))"
        program = f"import resource; {limit}; {program}"
    with log.open("w") as written:
        process = subprocess.Popen(
            [
                *(sys.executable, "-c", program, "--no-browser"),
                *("--library", str(folder / "campus.db"), "--port", "0", "--workers", "0"),
            ],
            env=os.environ | own,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=written,
            text=True,
        )
    assert process.stdout is not None
    try:
        said = ""
        while "Ctrl-C" not in said:
            said = process.stdout.readline()
            assert said, log.read_text("utf-8")
        match = re.search(r":(\d+) \(Ctrl", said)
        assert match is not None
        yield Running(process, int(match[1]), log)
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def is_closed(connection: socket.socket) -> bool:
    """Whether the server has closed it, as far as one can see now."""
    connection.setblocking(False)
    try:
        while data := connection.recv(4096):
            del data
        return True
    except BlockingIOError:
        return False
    except ConnectionError:
        return True
    finally:
        connection.settimeout(60)


def until(done: Callable[[], bool], what: str, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def answer_of(connection: socket.socket) -> bytes:
    """Everything that comes until the server closes the connection."""
    parts = []
    while data := connection.recv(65_536):
        parts.append(data)
    return b"".join(parts)
