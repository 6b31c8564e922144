"""Two servers, one upgraded after the other while people use them: `./dev bench upgrade`.

An older commit serves a PostgreSQL library through haproxy: two servers, and a worker of its own.
Then, under load, the steps of docs/running.md: the tables are brought up to date, the worker is
replaced, and one server after the other. Every request and its answer is written down; in the end
every upload that was accepted is there, checked once. `--restart` does the same between two servers
of this version, which haproxy takes out by asking whether they are ready.
"""

from __future__ import annotations

import argparse
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx

from bench.corpus import say
from bench.record import RESULTS, keep
from bench.speed.upgrade_load import Load, figures_of
from likewise.library import Library
from likewise.server.config import Config
from likewise.server.context import ServerContext
from tests.library.postgres import postgres_server
from tests.server.jobbing import PASSWORD, a_teacher

ROOT = Path(__file__).parents[1]
OLD = "0fe9fda"  # the last commit with version 6 of the schema
TEACHERS, READERS = 4, 4
CALM_SECONDS = 6.0
PATIENCE_SECONDS = 120.0
START = "import sys; from likewise.cli import main; sys.argv[0] = 'likewise'; main()"
BALANCER = """
global
    stats socket {folder}/admin level admin
defaults
    mode http
    timeout connect 2s
    timeout client 60s
    timeout server 60s
    timeout check 5s
    retries 3
    option redispatch
frontend people
    bind 127.0.0.1:{port}
    default_backend servers
backend servers
    balance roundrobin
    option httpchk
    http-check send meth GET uri {check} hdr Host localhost
    http-check expect status 200
    server a 127.0.0.1:{a} check inter 500ms fall 2 rise 1
    server b 127.0.0.1:{b} check inter 500ms fall 2 rise 1
"""


def main() -> int:
    """Do it, print what happened, keep the figures."""
    parser = argparse.ArgumentParser(prog="./dev bench upgrade", description=__doc__)
    parser.add_argument("--old", default=OLD, help="the commit that is upgraded")
    parser.add_argument("--restart", action="store_true", help="from this version to itself")
    parser.add_argument("--output", type=Path, default=RESULTS / "upgrade.json")
    arguments = parser.parse_args()
    if shutil.which("haproxy") is None:
        say("haproxy is not installed: apt-get install haproxy")
        return 2
    with tempfile.TemporaryDirectory(prefix="likewise-upgrade-") as folder:
        figures = upgraded(Path(folder), None if arguments.restart else arguments.old)
    say(str(figures))
    option = " --restart" if arguments.restart else ""
    section = "restart" if arguments.restart else "upgrade"
    keep(arguments.output, section, f"./dev bench upgrade{option}", figures)
    return int(bool(figures["failed"] or figures["lost"] or figures["doubled"]))


def upgraded(folder: Path, old: str | None) -> dict[str, Any]:
    """Everything, from an older commit to this one, or from this one to itself."""
    with ExitStack() as stack:
        before = stack.enter_context(checked_out(old, folder)) if old else ROOT
        server = stack.enter_context(postgres_server())
        place = server.render_as_string(hide_password=False)
        machines = Machines(place, folder, before)
        stack.callback(machines.stop_all)
        with machines.library_of(before):
            pass
        ports = {name: free_port() for name in ("people", "a", "b")}
        check = "/api/v1/health/live" if old else "/api/v1/health/ready"
        balancer = stack.enter_context(balanced(folder, ports, check))
        for name in ("a", "b"):
            machines.serve(name, ports[name], before)
        machines.work("old worker", before)
        for name in ("a", "b"):
            balancer.wait_until_up(name)
        address = f"http://127.0.0.1:{ports['people']}/api/v1"
        load = stack.enter_context(Load(address, TEACHERS, READERS))
        load.phase("before")
        time.sleep(CALM_SECONDS)
        seconds: dict[str, float] = {}
        if old:
            load.phase("tables")
            began = time.monotonic()
            machines.run(ROOT, "library", "upgrade", "--quiet")
            seconds["tables"] = round(time.monotonic() - began, 2)
            time.sleep(CALM_SECONDS)
        load.phase("worker")
        machines.work("new worker", ROOT)
        machines.stop("old worker")
        time.sleep(CALM_SECONDS)
        for name in ("a", "b"):
            load.phase(f"server {name}")
            began = time.monotonic()
            if old:  # it does not know how to say that it is about to stop
                balancer.drain(name)
            machines.stop(name)
            machines.serve(name, ports[name], ROOT)
            balancer.ready(name)
            balancer.wait_until_up(name)
            seconds[f"server {name}"] = round(time.monotonic() - began, 2)
            time.sleep(CALM_SECONDS)
        load.phase("after")
        time.sleep(CALM_SECONDS)
        load.stop()
        ended = load.outcomes(PATIENCE_SECONDS)
        return {"from": old or "this version", "seconds": seconds} | figures_of(load, ended)


@contextmanager
def checked_out(commit: str, folder: Path) -> Iterator[Path]:
    """The files of a commit; its kernels are this version's where their sources are the same."""
    tree = folder / "old"
    git = ["git", "-C", str(ROOT)]
    subprocess.run([*git, "worktree", "add", "--detach", str(tree), commit], check=True)
    try:
        kernels = "src/likewise/kernels"
        same = subprocess.run([*git, "diff", "--quiet", commit, "HEAD", "--", kernels])
        if same.returncode == 0:
            for built in (ROOT / kernels).glob("*.so"):
                shutil.copy(built, tree / kernels)
        yield tree
    finally:
        subprocess.run([*git, "worktree", "remove", "--force", str(tree)], check=True)


class Machines:
    """Servers and workers as processes, each of some version."""

    def __init__(self, place: str, folder: Path, before: Path) -> None:
        self._place, self._folder, self._before = place, folder, before
        self._processes: dict[str, subprocess.Popen[bytes]] = {}

    @contextmanager
    def library_of(self, tree: Path) -> Iterator[None]:
        """A library that a version has made, with a teacher in it."""
        if tree == ROOT:
            with Library(self._place) as library:
                a_teacher(ServerContext(library, Config()))
        else:
            made = (
                "import sys; from likewise.library import Library;"
                "from likewise.server.context import ServerContext;"
                "from likewise.server.people.users import add_person;"
                "context = ServerContext(Library(sys.argv[1]));"
                "add_person(context, 'aigul', sys.argv[2])"
            )
            command = [sys.executable, "-c", made, self._place, PASSWORD]
            subprocess.run(command, env=self._environment(tree), cwd=self._folder, check=True)
        yield

    def run(self, tree: Path, *arguments: str) -> None:
        """A command of a version, to its end."""
        subprocess.run(
            [sys.executable, "-c", START, *arguments], env=self._environment(tree), check=True
        )

    def serve(self, name: str, port: int, tree: Path) -> None:
        options = ("--port", str(port), "--workers", "0", "--no-browser")
        self._start(name, tree, "serve", *options)

    def work(self, name: str, tree: Path) -> None:
        self._start(name, tree, "worker", "--workers", "1")

    def stop(self, name: str) -> None:
        """As a service is stopped; whatever it still answers it answers."""
        process = self._processes.pop(name)
        process.terminate()
        if (status := process.wait(PATIENCE_SECONDS)) != 0:
            raise RuntimeError(f"{name} ended with status {status}")

    def stop_all(self) -> None:
        for process in self._processes.values():
            process.kill()
            process.wait()

    def _start(self, name: str, tree: Path, *arguments: str) -> None:
        with (self._folder / f"{name}.log").open("ab") as log:
            self._processes[name] = subprocess.Popen(
                [sys.executable, "-c", START, *arguments],
                env=self._environment(tree),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def _environment(self, tree: Path) -> dict[str, str]:
        own = {
            "PYTHONPATH": str(tree / "src"),
            "LIKEWISE_LIBRARY": self._place,
            "LIKEWISE_CACHE": str(self._folder / f"cache-{tree.name}"),
            "LIKEWISE_DRAIN_SECONDS": "3",
            "LIKEWISE_LOG_LEVEL": "warning",
            "XDG_DATA_HOME": str(self._folder / "data"),
        }
        return os.environ | own


class Balancer:
    """haproxy, and how it is told what to do."""

    def __init__(self, folder: Path) -> None:
        self._socket = folder / "admin"

    def _ask(self, command: str) -> str:
        with socket.socket(socket.AF_UNIX) as admin:
            admin.connect(str(self._socket))
            admin.sendall(f"{command}\n".encode())
            return b"".join(iter(lambda: admin.recv(65_536), b"")).decode()

    def _row(self, name: str) -> dict[str, str]:
        lines = self._ask("show stat").removeprefix("# ").splitlines()
        head = lines[0].split(",")
        rows = (dict(zip(head, line.split(","), strict=False)) for line in lines[1:] if line)
        return next(row for row in rows if row["pxname"] == "servers" and row["svname"] == name)

    def wait_until_up(self, name: str) -> None:
        wait_for(lambda: self._row(name)["status"] == "UP", f"{name} does not come up")

    def drain(self, name: str) -> None:
        """Send it nothing more, and wait until it has answered everything."""
        self._ask(f"set server servers/{name} state drain")
        wait_for(lambda: self._row(name)["scur"] == "0", f"{name} is still being asked")

    def ready(self, name: str) -> None:
        self._ask(f"set server servers/{name} state ready")


@contextmanager
def balanced(folder: Path, ports: dict[str, int], check: str) -> Iterator[Balancer]:
    """haproxy in front of two servers."""
    settings = folder / "haproxy.cfg"
    values = {"port": ports["people"], "a": ports["a"], "b": ports["b"]}
    settings.write_text(BALANCER.format(folder=folder, check=check, **values))
    process = subprocess.Popen(["haproxy", "-db", "-q", "-f", str(settings)])
    try:
        wait_for((folder / "admin").exists, "haproxy does not start")
        yield Balancer(folder)
    finally:
        process.terminate()
        process.wait()


def wait_for(holds: Any, otherwise: str) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        if time.monotonic() > until:
            raise TimeoutError(otherwise)
        time.sleep(0.1)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


if __name__ == "__main__":
    try:
        sys.exit(main())
    except httpx.HTTPError as error:
        sys.exit(f"upgrade: {error!r}")
