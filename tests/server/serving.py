"""`likewise serve` and `likewise worker` as processes of their own, and their callers."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.server.jobbing import PASSWORD

START = "import typer; from likewise.cli.{verb} import {verb}; typer.run({verb})"


@contextmanager
def started(verb: str, place: str, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A process of ours and the first line it says; killed in the end if it still runs."""
    own = {"LIKEWISE_JOB_LEASE_SECONDS": "3", "LIKEWISE_LOG_LEVEL": "warning"}
    with tempfile.TemporaryDirectory(prefix="likewise-data-") as folder:  # not the user's home
        own["XDG_DATA_HOME"] = folder
        yield from _process(verb, place, options, os.environ | own)


def _process(
    verb: str, place: str, options: tuple[str, ...], environment: dict[str, str]
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    process = subprocess.Popen(
        [sys.executable, "-c", START.format(verb=verb), "--library", place, *options],
        env=environment,
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    try:
        yield process, _ready(process)
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def _ready(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        if "Ctrl-C" in line:
            return line
    raise AssertionError("it ended before it was ready")


@contextmanager
def logged_in(line: str, name: str = "aigul") -> Iterator[httpx.Client]:
    address = re.search(r"http://[\d.:]+", line)
    assert address is not None
    with httpx.Client(base_url=f"{address[0]}/api/v1", timeout=60) as client:
        answer = client.post("/token", json={"name": name, "password": PASSWORD})
        assert answer.status_code == 200, answer.text
        client.headers["Authorization"] = f"Bearer {answer.json()['access_token']}"
        yield client


def ended(process: subprocess.Popen[str], how: signal.Signals = signal.SIGTERM) -> int:
    process.send_signal(how)
    return process.wait(30)


def is_gone(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return Path(f"/proc/{process}/stat").read_text().split()[2] == "Z"


@contextmanager
def upload_begun(line: str) -> Iterator[None]:
    """Half of a file is on its way to the server."""
    match = re.search(r"http://([\d.]+):(\d+)", line)
    assert match is not None
    with logged_in(line) as client:
        token = client.headers["Authorization"]
    head = (
        "POST /api/v1/checks HTTP/1.1\r\nHost: here\r\nContent-Length: 5000000\r\n"
        f"Authorization: {token}\r\nContent-Type: multipart/form-data; boundary=b\r\n\r\n"
        '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
    )
    with socket.create_connection((match[1], int(match[2]))) as connection:
        connection.sendall(head.encode() + b"words " * 400_000)
        yield
