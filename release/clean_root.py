"""The image's steps in a clean Debian, without an engine: `python -m release.clean_root`.

debootstrap makes the base, and every stage of deploy/container/Containerfile is done in a copy of
it: what an engine would run is run by chroot, in name spaces of its own. Then the last stage is
started as an engine starts it: as its user, on a root that is read-only, with its folders and /tmp
writable, and asked whether it is ready. Needs root, debootstrap and a Debian mirror; it takes
minutes, so it belongs to no test.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parent.parent
CONTAINERFILE = ROOT / "deploy" / "container" / "Containerfile"
WRITABLE = ("/var/lib/likewise", "/var/cache/likewise", "/tmp")  # noqa: S108 - of the root
PORT = 18_000


@dataclass
class Stage:
    """A part of a Containerfile: its steps, and what they leave behind."""

    name: str
    folder: Path
    environment: dict[str, str] = field(default_factory=dict)
    directory: str = "/"
    user: str = "0:0"
    entrypoint: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)
    check: list[str] = field(default_factory=list)


def main() -> int:
    """Do all steps, start what comes of them, say how it went."""
    parser = argparse.ArgumentParser(prog="python -m release.clean_root", description=__doc__)
    parser.add_argument("--suite", default="bookworm")
    parser.add_argument("--mirror", default="http://deb.debian.org/debian")
    parser.add_argument("--folder", type=Path, help="kept, with its base; else a temporary one")
    parser.add_argument(
        "--share", type=Path, action="append", default=[], help="seen by steps: a package index"
    )
    arguments = parser.parse_args()
    if os.geteuid() != 0 or shutil.which("debootstrap") is None:
        print("it needs root and debootstrap", file=sys.stderr)
        return 2
    folder = arguments.folder or Path(tempfile.mkdtemp(prefix="likewise-root-"))
    folder.mkdir(parents=True, exist_ok=True)
    try:
        base = make_base(folder, arguments.suite, arguments.mirror)
        last = build(base, folder, arguments.share)
        return try_out(last)
    finally:
        if arguments.folder is None:
            shutil.rmtree(folder)


def make_base(folder: Path, suite: str, mirror: str) -> Path:
    """What the image is made from: Debian with its essential packages and nothing else."""
    base = folder / "base"
    if not (base / "etc" / "debian_version").exists():
        say(f"debootstrap {suite}")
        variant = ["--variant=minbase", "--include=ca-certificates"]
        subprocess.run(["debootstrap", *variant, suite, str(base), mirror], check=True)
    for name in ("etc/resolv.conf", "etc/pip.conf", "etc/ssl/certs/ca-certificates.crt"):
        if (source := Path("/") / name).is_file():  # how this machine reaches mirrors
            (base / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, base / name)
    return base


def build(base: Path, folder: Path, share: list[Path]) -> Stage:
    """Every stage in a folder of its own; the last."""
    stages: dict[str, Stage] = {}
    stage = Stage("", folder)
    for word, rest in steps():
        say(f"{word} {rest[:100]}")
        if word == "FROM":
            name = rest.partition(" AS ")[2] or "last"
            stage = stages[name] = Stage(name, folder / name)
            shutil.rmtree(stage.folder, ignore_errors=True)
            subprocess.run(["cp", "--archive", str(base), str(stage.folder)], check=True)
        elif word == "RUN":
            in_root(stage, ["/bin/sh", "-c", rest], share)
        elif word == "COPY":
            copy(stage, stages, rest)
        elif word == "ENV":
            pairs = (one.partition("=") for one in shlex.split(rest))
            stage.environment |= {name: value for name, _, value in pairs}
        elif word == "WORKDIR":
            stage.directory = rest
            (stage.folder / rest.lstrip("/")).mkdir(parents=True, exist_ok=True)
        elif word == "USER":
            stage.user = rest
        elif word in ("ENTRYPOINT", "CMD"):
            setattr(stage, {"ENTRYPOINT": "entrypoint", "CMD": "command"}[word], json.loads(rest))
        elif word == "HEALTHCHECK":
            stage.check = json.loads(rest.partition(" CMD ")[2])
    return stage


def steps() -> list[tuple[str, str]]:
    """The instructions of the Containerfile, each with what stands behind it."""
    lines = re.sub(r"^#.*\n", "", CONTAINERFILE.read_text("utf-8"), flags=re.M)
    joined = re.sub(r"\\\n\s*", " ", lines)
    pairs = (line.partition(" ") for line in joined.splitlines() if line.strip())
    known = {"LABEL", "EXPOSE", "STOPSIGNAL", "ARG"}
    return [(word, rest.strip()) for word, _, rest in pairs if word not in known]


def copy(stage: Stage, stages: dict[str, Stage], rest: str) -> None:
    """Files of the checkout, or of an earlier stage."""
    words = rest.split()
    above = ROOT
    if words[0].startswith("--from="):
        above = stages[words.pop(0).partition("=")[2]].folder
    *sources, target = words
    within = target if target.startswith("/") else f"{stage.directory}/{target}"
    into = stage.folder / within.lstrip("/")
    for source in sources:
        path = above / source.lstrip("/")
        if path.is_dir():  # its contents, without what the engine is not sent
            leave_out = shutil.ignore_patterns("__pycache__", "*.so", "node_modules", "static")
            ignored = leave_out if above == ROOT else None
            shutil.copytree(path, into, symlinks=True, ignore=ignored, dirs_exist_ok=True)
        else:
            named = target.endswith("/") or len(sources) > 1
            (into if named else into.parent).mkdir(parents=True, exist_ok=True)
            shutil.copy(path, into / path.name if named else into)


def in_root(stage: Stage, command: list[str], share: list[Path]) -> None:
    """A command as root, in the folder as its root, with /proc, /dev and the network."""
    mounts = "mount -t proc proc proc && mount --rbind /dev dev"
    for one in share:
        mounts += f" && mkdir -p .{one} && mount --bind {one} .{one}"
    inside = f"cd {shlex.quote(str(stage.folder))} && {mounts} && exec chroot . /usr/bin/env "
    directory = f"--chdir={stage.directory}"
    words = [directory, *assignments(stage), *command]
    script = inside + shlex.join(words)
    subprocess.run(["unshare", "--mount", "--pid", "--fork", "/bin/sh", "-c", script], check=True)


def assignments(stage: Stage) -> list[str]:
    path = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    passed: tuple[str, ...] = (
        "PIP_INDEX_URL",
        "PIP_EXTRA_INDEX_URL",
        "PIP_FIND_LINKS",
        "NPM_CONFIG_REGISTRY",
        "npm_config_registry",
    )
    passed += ("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy")
    passed += ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "PIP_CERT")
    here = [f"{name}={os.environ[name]}" for name in passed if name in os.environ]
    own = [f"{name}={value}" for name, value in stage.environment.items()]
    return ["--ignore-environment", "HOME=/root", path, *here, *own]


def started(stage: Stage, words: list[str], **more: str) -> list[str]:
    """The command line that an engine's start comes to: no rights, and a root to read alone."""
    folder, (user, _, group) = shlex.quote(str(stage.folder)), stage.user.partition(":")
    mounts = [
        f"mount --bind {folder} {folder}",
        f"cd {folder}",
        "mount -t proc proc proc",
        "mount --rbind /dev dev",
        *(f"mount -t tmpfs -o mode=0700,uid={user},gid={group} tmpfs .{one}" for one in WRITABLE),
        "mount -o remount,ro,bind .",
    ]
    rights = ["setpriv", f"--reuid={user}", f"--regid={group}", "--clear-groups"]
    rights += ["--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"]
    own = [f"{name}={value}" for name, value in more.items()]
    chroot = ["chroot", ".", *rights, "/usr/bin/env", f"--chdir={stage.directory}"]
    script = (
        " && ".join(mounts) + " && exec " + shlex.join([*chroot, *assignments(stage), *own, *words])
    )
    return ["unshare", "--mount", "--pid", "--fork", "--kill-child", "/bin/sh", "-c", script]


def try_out(stage: Stage) -> int:
    """Start it as the image is started, and ask it; the exit status."""
    say("likewise doctor")
    subprocess.run(started(stage, [*stage.entrypoint, "doctor"]), check=True)
    say("reading a file, confined")
    example = stage.folder / "opt" / "example.txt"
    example.write_text("The wind over the steppe carries the smell of wormwood.\n" * 20, "utf-8")
    reading = [*stage.entrypoint, "read", "/opt/example.txt"]
    subprocess.run(started(stage, reading, LIKEWISE_REQUIRE_SANDBOX="1"), check=True)
    say("serve")
    settings = {"LIKEWISE_PORT": str(PORT), "LIKEWISE_LIBRARY": "/var/lib/likewise/library.db"}
    settings |= {"LIKEWISE_DRAIN_SECONDS": "1", "LIKEWISE_HOST": "127.0.0.1"}
    server = subprocess.Popen(started(stage, [*stage.entrypoint, *stage.command], **settings))
    try:
        if not is_ready(server):
            say("it was never ready")
            return 1
        checked = subprocess.run(started(stage, stage.check, LIKEWISE_PORT=str(PORT)))
        with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/") as answer:
            page = answer.read()
        say(f"its health check: {checked.returncode}; its page: {len(page):,} bytes")
        return int(checked.returncode != 0 or b"<script" not in page)
    finally:
        server.terminate()
        with suppress(subprocess.TimeoutExpired):
            server.wait(30)
        server.kill()


def is_ready(server: subprocess.Popen[bytes]) -> bool:
    address = f"http://127.0.0.1:{PORT}/api/v1/health/ready"
    until = time.monotonic() + 90
    while time.monotonic() < until and server.poll() is None:
        with suppress(OSError), urllib.request.urlopen(address, timeout=5) as answer:
            return bool(answer.status == 200)
        time.sleep(0.5)
    return False


def say(sentence: str) -> None:
    print(f"== {sentence}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
