"""A PostgreSQL server of one's own that can be stopped and started again."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import URL

from tests.library import postgres


class Stoppable:
    """A server with its data in a folder, as often as it is started."""

    def __init__(self, binaries: Path, folder: Path) -> None:
        self._binaries, self._folder = binaries, folder
        self._user = postgres._unprivileged_user() if os.geteuid() == 0 else None
        self._process: subprocess.Popen[bytes] | None = None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = URL.create(
            postgres.DRIVER, "likewise", None, "127.0.0.1", port, database="postgres"
        )
        if self._user:
            shutil.chown(folder, self._user)
        subprocess.run(
            [binaries / "initdb", "-D", folder / "data", "-U", "likewise", "-A", "trust", "-N"],
            user=self._user,
            cwd=folder,
            env={"LC_ALL": "C.UTF-8", "PATH": os.environ.get("PATH", "")},
            stdout=subprocess.DEVNULL,
            check=True,
        )

    @property
    def place(self) -> str:
        return self.url.render_as_string(hide_password=False)

    def start(self) -> None:
        data, port = self._folder / "data", str(self.url.port)
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._binaries / "postgres", "-D", data, "-p", port, "-k", self._folder],
                user=self._user,
                cwd=self._folder,
                stdout=log,
                stderr=log,
            )
        postgres._wait_for(self.url, self._process)

    def stop(self) -> None:
        """At once, whoever is connected."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(60)
            self._process = None


@contextmanager
def stoppable_server() -> Iterator[Stoppable]:
    """Started; `NoServer` where this machine has no binaries of PostgreSQL."""
    binaries = postgres._installed_binaries()
    if binaries is None:
        raise postgres.NoServer("stopping one takes the binaries of PostgreSQL")
    with tempfile.TemporaryDirectory(prefix="likewise-pg-") as folder:
        server = Stoppable(binaries, Path(folder))
        server.start()
        try:
            yield server
        finally:
            server.stop()
