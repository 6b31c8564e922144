"""`likewise serve` with its workers, as a person starts it; it can be killed and started anew."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx

from likewise.library import Library
from likewise.server.config import Config
from likewise.server.context import ServerContext
from likewise.server.people.users import add_person

PASSWORD = "wormwood after rain"


class LiveServer:
    """One library and the server over it."""

    def __init__(self, place: str, folder: Path) -> None:
        self._place, self._folder = place, folder
        self._process: subprocess.Popen[str] | None = None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self.said: list[str] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    @property
    def place(self) -> str:
        """Of the library."""
        return self._place

    def start(self, workers: int = 1) -> None:
        """Start it, and wait until it answers; a worker more takes a second to be there."""
        command = [sys.executable, "-m", "likewise", "serve", "--library", self._place]
        how = ["--no-browser", "--port", str(self._port), "--workers", str(workers)]
        environment = {
            "LIKEWISE_JOB_LEASE_SECONDS": "3",
            "LIKEWISE_LOG_LEVEL": "warning",
            "XDG_DATA_HOME": str(self._folder),
        }
        with (self._folder / "server.log").open("ab") as log:
            self._process = subprocess.Popen(
                [*command, *how],
                env=os.environ | environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.said.append(line)
            if "Ctrl-C" in line:
                return
        raise AssertionError(f"it did not start: {(self._folder / 'server.log').read_text()}")

    def kill(self) -> None:
        """At once, as when the power fails."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            assert self._process.stdout is not None
            self._process.stdout.close()
            self._process = None

    def __enter__(self) -> LiveServer:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()

    def first_password(self) -> str:
        """As whoever started the server finds it: in the file that it names."""
        told = next(line for line in self.said if "password" in line)
        named = re.search(r"the password is in (.+)", told)
        assert named is not None
        found = re.search(r"password: (.+)", Path(named[1].strip()).read_text())
        assert found is not None
        return found[1]

    def people(self, **roles: str) -> None:
        """Make people who know `PASSWORD`, each with a role and a name to be shown."""
        with Library(self._place) as library:
            context = ServerContext(library, Config(workers=0))
            for name, told in roles.items():
                role, _, shown = told.partition(":")
                add_person(context, name, PASSWORD, role=role, shown_name=shown or name)  # type: ignore[arg-type]

    def texts(self, owner: str, texts: dict[str, str]) -> None:
        """Put texts into the library, without a server."""
        with Library(self._place) as library:
            library.add_texts(texts, owner=owner)

    @contextmanager
    def client(self, name: str, password: str = PASSWORD) -> Iterator[httpx.Client]:
        """Somebody who uses the API without a browser."""
        with httpx.Client(base_url=f"{self.address}/api/v1", timeout=60) as client:
            answer = client.post("/token", json={"name": name, "password": password})
            assert answer.status_code == 200, answer.text
            client.headers["Authorization"] = f"Bearer {answer.json()['access_token']}"
            yield client

    def found(self, name: str, path: str, **query: Any) -> Any:
        """What the API tells somebody."""
        with self.client(name) as client:
            answer = client.get(path, params=query)
            assert answer.status_code == 200, answer.text
            return answer.json()
