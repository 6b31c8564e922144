"""Code of a stranger inside a reader: what it cannot do, with and without what the system gives."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from likewise.errors import ReadingError
from likewise.reading.confinement import REQUIRED, Confinement
from likewise.reading.request import Limits, Request
from likewise.reading.sandbox import Sandbox

ROOT = Path(__file__).parents[2]
SOMEBODY = 12345  # a user to whom nothing belongs
LAYERS = set(REQUIRED) | {"capabilities", "audit"}


class Start(NamedTuple):
    """How the process is started that starts the reader."""

    name: str
    interpreter: str
    user: int | None
    without_namespaces: bool


def starts() -> Iterator[Start]:
    for without in (False, True):
        tail = ", without name spaces" if without else ""
        yield Start(f"as we are{tail}", sys.executable, None, without)
        if os.geteuid() == 0 and (other := interpreter_for_all()):
            yield Start(f"as somebody{tail}", other, SOMEBODY, without)
            yield Start(f"as root, with an interpreter for all{tail}", other, None, without)


def interpreter_for_all() -> str | None:
    """A Python of this version that every user can run, with packages that everyone can read."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for found in (sys.executable, f"/usr/bin/{version}", f"/usr/local/bin/{version}"):
        path = Path(found)
        shared = (path.resolve(), Path(sysconfig.get_path("purelib")), ROOT / "src")
        if path.exists() and all(map(everyone_reaches, shared)):
            return found
    return shutil.which(version, path="/usr/bin") if everyone_reaches(ROOT) else None


def everyone_reaches(path: Path) -> bool:
    return all(one.stat().st_mode & 0o005 == 0o005 for one in (path, *path.parents))


@pytest.fixture
def target(tmp_path: Path) -> Iterator[dict[str, str]]:
    """A library, a folder and a program that listens, as everybody on this machine could use."""
    for folder in (tmp_path, *tmp_path.parents):
        if folder.owner() == Path.home().owner() and folder != Path("/"):
            folder.chmod(0o777)
        if folder.name.startswith("pytest-of"):
            break
    secret = tmp_path / "library.db"
    secret.write_text("secret")
    secret.chmod(0o666)
    address = str(tmp_path / "socket")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen()
        Path(address).chmod(0o777)
        yield {"secret": str(secret), "folder": str(tmp_path), "address": address}
    assert secret.read_text() == "secret"
    assert {path.name for path in tmp_path.iterdir()} == {"library.db", "socket"}


def probed(start: Start, target: dict[str, str]) -> dict[str, Any]:
    order = target | {"without_namespaces": start.without_namespaces}
    paths = [str(ROOT / "src"), str(ROOT), sysconfig.get_path("purelib")]
    done = subprocess.run(
        [start.interpreter, "-P", "-m", "tests.security.probe", json.dumps(order)],
        env={"PYTHONPATH": os.pathsep.join(paths), "PATH": os.defpath},
        cwd="/",
        user=start.user,
        group=start.user,
        extra_groups=[] if start.user else None,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("start", list(starts()), ids=lambda start: start.name)
def test_hostile_code_in_a_reader_gets_nothing(start: Start, target: dict[str, str]) -> None:
    found = probed(start, target)
    got_through = {name: what for name, what in found["outcomes"].items() if what != "refused"}
    assert got_through == {}
    assert len(found["outcomes"]) > 50
    assert set(found["layers"]) >= LAYERS, found["missing"]
    assert ("namespaces" in found["layers"]) <= (not start.without_namespaces)
    assert found["works"] == {
        "thread": "[1]",
        "own signal": "returned 0",
        "fonts": "listed",
        "entropy": "8",
    }
    if start.name == "as root, with an interpreter for all":
        assert "uid" in found["layers"], found["missing"]


def test_the_same_code_gets_nearly_everything_outside(target: dict[str, str]) -> None:
    """Else the attempts would be refused because they are wrong, not because of us."""
    from tests.security.hostile_worker import attempts

    harmless = ("read the library", "list a folder", "read the list of users", "a file in memory")
    found = attempts(**target)
    outcomes = {name: str(found[name]()) for name in (*harmless, "a socket: ipv4, 1")}
    assert "refused" not in outcomes.values()


def test_where_the_sandbox_is_required_and_not_complete_nothing_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LIKEWISE_REQUIRE_SANDBOX", "1")
    bare = Sandbox(Limits(), "tests.security.bare_worker")
    try:
        assert not bare.confinement().is_complete
        with pytest.raises(ReadingError, match=r"sandbox is required .* landlock: not on this"):
            bare.read(b"Steppe and sky.", Request())
    finally:
        bare.close()


def test_where_it_is_complete_files_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIKEWISE_REQUIRE_SANDBOX", "1")
    strict = Sandbox(Limits())
    try:
        assert strict.read(b"Steppe and sky.", Request()).document.text == "Steppe and sky."
    finally:
        strict.close()


def test_what_is_missing_is_told_by_its_name() -> None:
    some = Confinement(("rlimits", "no_new_privs", "seccomp"), (("landlock", "none"), ("uid", "x")))
    assert not some.is_complete
    assert some.lacks == "landlock: none"
