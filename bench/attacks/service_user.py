"""An installation of a wheel, and a user of no importance that runs it.

The environment belongs to root and can be read; the user is a bare number without home, and but for
its folders for state, cache and temporary files may write nothing.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from release import building, resolving
from release.__main__ import OF_A_SERVER, requirements

ROOT = Path(__file__).parents[2]
UID = 100_000 + os.getpid() % 60_000  # nobody has this number; two runs have two


class Failed(Exception):
    """What did not work, and what it said."""


@dataclass(slots=True)
class Service:
    """An installation, and the user that runs it."""

    folder: Path
    variables: dict[str, str] = field(default_factory=dict)

    @property
    def state(self) -> Path:
        return self.folder / "state"

    @property
    def files(self) -> Path:
        return self.folder / "files"

    @property
    def library(self) -> str:
        return str(self.state / "campus.db")

    def environment(self, **changes: str) -> dict[str, str]:
        """Nothing of ours, and no HOME."""
        own = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TMPDIR": str(self.folder / "tmp")}
        return {**own, "LIKEWISE_CACHE": str(self.folder / "cache"), **self.variables, **changes}

    def command(self, *words: object) -> list[str]:
        return [str(self.folder / "environment" / "bin" / "likewise"), *map(str, words)]

    def run(self, *words: object, given: str = "", status: int = 0, **changes: str) -> str:
        """Run a command as the user; what it said."""
        return self._ran(self.command(*words), given, status, self.environment(**changes), UID)

    def script(self, text: str, *words: object, uid: int = UID) -> str:
        python = str(self.folder / "environment" / "bin" / "python")
        return self._ran([python, "-c", text, *map(str, words)], "", 0, self.environment(), uid)

    def _ran(
        self, command: list[str], given: str, status: int, variables: dict[str, str], uid: int
    ) -> str:
        done: subprocess.CompletedProcess[str] = subprocess.run(
            command,
            **_as_user(uid),
            cwd=self.state,
            env={name: value for name, value in variables.items() if value},
            input=given,
            capture_output=True,
            text=True,
            timeout=1800,
        )
        if done.returncode != status or "Traceback" in done.stderr:
            said = (done.stderr or done.stdout).strip()[-1500:]
            raise Failed(f"status {done.returncode}, not {status}: {said}")
        return done.stdout

    @contextmanager
    def started(self, *words: object, **changes: str) -> Iterator[tuple[Any, str]]:
        """A process of the user's, and all that it said until it was ready."""
        log = self.folder / "log.txt"
        with log.open("a") as errors:
            process = subprocess.Popen(
                self.command(*words),
                **_as_user(UID),
                cwd=self.state,
                env=self.environment(**changes),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
            try:
                yield process, _until_ready(process, log)
                process.send_signal(signal.SIGTERM)
                if process.wait(60):
                    raise Failed(f"{words[0]} ended with status {process.returncode}")
            finally:
                process.kill()
                process.wait()
                if process.stdout:
                    process.stdout.close()


def _as_user(uid: int) -> dict[str, Any]:
    return {"user": uid, "group": uid, "extra_groups": [], "umask": 0o077}


def _until_ready(process: subprocess.Popen[str], log: Path) -> str:
    said = ""
    for line in process.stdout or ():
        said += line
        if "Ctrl-C" in line:
            return said
    raise Failed(f"it ended before it was ready: {said[-500:]} {log.read_text()[-1500:]}")


def installed(folder: Path, wheel: Path | None, is_fresh: bool) -> Service:
    """A folder that anybody may look into, with an environment that root alone may change."""
    folder.chmod(0o755)
    for name in ("state", "cache", "tmp"):
        (folder / name).mkdir(mode=0o700)
        os.chown(folder / name, UID, UID)
    files = shutil.copytree(
        ROOT / "tests" / "files",
        folder / "files",
        ignore=shutil.ignore_patterns("making", "README.md"),
    )
    shutil.copytree(ROOT / "examples", folder / "examples")
    wheel = wheel or built_wheel(folder / "build")
    environment = folder / "environment"
    subprocess.run([readable_python(), "-m", "venv", str(environment)], check=True)
    pip = [str(environment / "bin" / "pip"), "install", "--quiet", "--no-input"]
    pip.append("--disable-pip-version-check")
    if is_fresh:
        project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
        asked = requirements(project, OF_A_SERVER)
        packages = resolving.resolve(asked, ROOT / "constraints.txt")
        listed = folder / "requirements.txt"
        listed.write_text(resolving.hashed_requirements(packages, "for this machine"), "utf-8")
        subprocess.run([*pip, "--require-hashes", "-r", str(listed)], check=True)
    else:
        # Not by their .pth files: the package that is worked on stays out.
        here = next(Path(path) for path in sys.path if Path(path).name == "site-packages")
        there = next(environment.glob("lib/python*/site-packages"))
        (there / "lent.pth").write_text(f"{here}\n")
    subprocess.run([*pip, "--no-deps", "--ignore-installed", str(wheel)], check=True)
    subprocess.run(["chmod", "-R", "a+rX", str(files), str(environment)], check=True)
    return Service(folder)


def built_wheel(scratch: Path) -> Path:
    source = scratch / "source"
    scratch.mkdir()
    building.export(ROOT, source)
    seconds = int(time.time())
    constraints = ROOT / "constraints.txt"
    return building.build(source, scratch / "dist", scratch, constraints, seconds)[1]


def readable_python() -> str:
    """An interpreter of our version that somebody else may run too."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for path in (Path(sys.executable).resolve(), Path("/usr/bin", version)):
        try:
            asking = subprocess.run([path, "-c", ""], **_as_user(UID), cwd="/")
        except OSError:
            continue
        if asking.returncode == 0:
            return str(path)
    raise SystemExit(f"no {version} here may be run by others than its owner")
