"""A `likewise serve` that can be killed and started again at the same address, and its callers."""

from __future__ import annotations

import io
import os
import signal
import socket
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path

import httpx

import likewise
from bench.attacks.processes import command_line, descendants
from likewise.library import Library
from likewise.server.config import Config
from likewise.server.context import ServerContext
from likewise.server.people.users import add_person

PASSWORD = "wormwood after rain"
ROOT = Path(__file__).parents[2]
START_SECONDS = 90.0
_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType='
    '"application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-'
    'officedocument.wordprocessingml.document.main+xml"/></Types>'
)
_RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="r1" Target="word/document.xml" Type="http://schemas.openxmlformats.org/'
    'officeDocument/2006/relationships/officeDocument"/></Relationships>'
)
_BODY = (
    '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
    "<w:p><w:r><w:t>{}</w:t></w:r></w:p></w:body></w:document>"
)


class Server:
    """One server over a library, with its workers, as often as it is started."""

    def __init__(self, place: str, folder: Path, workers: int = 2) -> None:
        self._place, self._workers = place, workers
        self._folder, self.log = folder, folder / "server.log"
        self._process: subprocess.Popen[bytes] | None = None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/api/v1"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start it and wait until it answers."""
        command = [sys.executable, "-m", "likewise.cli", "serve", "--library", self._place]
        command += ["--port", str(self.port), "--workers", str(self._workers), "--no-browser"]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=_environment(self._folder),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            if self._process.poll() is not None:
                said = self.log.read_text("utf-8", "replace")[-2000:]
                raise RuntimeError(f"the server ended while it started: {said}")
            try:
                httpx.get(f"{self.url}/health", timeout=5)
                return
            except httpx.HTTPError:
                time.sleep(0.05)
        raise RuntimeError(f"the server does not answer within {START_SECONDS:g} s")

    def kill(self) -> None:
        """At once, in the middle of whatever it does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def stop(self) -> None:
        """As an administrator stops it; killed where it does not."""
        if self._process is None or self._process.poll() is not None:
            return
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            left = [self._process.pid, *descendants(self._process.pid)]
            for process in left:
                with_signal(process, signal.SIGKILL)
            self._process.wait()

    def processes(self, kind: str) -> list[int]:
        """The processes of the server that are workers, or readers."""
        module = {"worker": "likewise.server.workers.process", "reader": "likewise.reading."}[kind]
        return [one for one in descendants(self.pid) if module in command_line(one)]


def with_signal(process: int, what: signal.Signals) -> bool:
    """Send a signal; False where nobody is there any more."""
    try:
        os.kill(process, what)
    except ProcessLookupError:
        return False
    return True


def _environment(folder: Path) -> dict[str, str]:
    own = {
        "PYTHONPATH": str(Path(likewise.__file__).parents[1]),
        "XDG_DATA_HOME": str(folder / "data"),  # not the user's home
        "LIKEWISE_CACHE": str(folder / "cache"),
        "LIKEWISE_LOG_FORMAT": "json",
    }
    return {**os.environ, "LIKEWISE_JOB_LEASE_SECONDS": "5", **own}


def with_people(
    place: str, names: list[str], texts: Iterator[tuple[str, str]] | None = None
) -> None:
    """A library with people in it, and documents if there are any."""
    with Library(place) as library:
        context = ServerContext(library, Config())
        for name in names:
            add_person(context, name, PASSWORD, or_keep=True)
        if texts is not None:
            library.add_texts(list(texts))
            library.candidates("to be or not to be")  # the index is made, not by the first caller


@contextmanager
def logged_in(url: str, name: str, timeout: float = 30.0) -> Iterator[httpx.Client]:
    """A caller with a token."""
    with httpx.Client(base_url=url, timeout=timeout) as client:
        log_in(client, name)
        yield client


def log_in(client: httpx.Client, name: str) -> None:
    answer = client.post("/token", json={"name": name, "password": PASSWORD})
    answer.raise_for_status()
    client.headers["Authorization"] = f"Bearer {answer.json()['access_token']}"


def docx_of(text: str) -> bytes:
    """A small Word document of one paragraph."""
    return packed({**_PARTS, "word/document.xml": _BODY.format(escape(text))})


_PARTS = {"[Content_Types].xml": _TYPES, "_rels/.rels": _RELATIONS}


def packed(parts: dict[str, str | bytes]) -> bytes:
    """Parts in a ZIP archive."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in parts.items():
            file.writestr(name, content)
    return made.getvalue()
