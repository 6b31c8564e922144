"""The source archive and the wheel, built from a commit and from nothing else.

Two builds of a commit give the same bytes where the compiler does: times come from the commit,
paths are taken out of the kernels, owners and modes are those of nobody in particular.
"""

from __future__ import annotations

import gzip
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

PAGES = ("src/likewise/report/static", "src/likewise/server/static")
# Without these a wheel would install and disappoint.
EXPECTED = (
    *("likewise/report/static/report.js", "likewise/report/static/licences.json"),
    *("likewise/server/static/index.html", "likewise/server/static/licences.json"),
    *("likewise/licences/data.toml", "likewise/language/alphabet.txt"),
    *("licenses/LICENSE", "licenses/NOTICE", "entry_points.txt"),
)


class CannotBuild(Exception):
    """Why there is no archive."""


def commit_seconds(root: Path) -> int:
    """When the commit was made; a release is of a commit, so nothing may be uncommitted."""
    changed = _git(root, "status", "--porcelain").strip()
    if changed:
        raise CannotBuild(f"a release is made of a commit; commit or put aside:\n{changed}")
    return int(_git(root, "log", "-1", "--format=%ct"))


def export(root: Path, folder: Path) -> None:
    """The files of the commit, with the built pages in the place of their sources."""
    archive = _git_bytes(root, "archive", "--format=tar", "HEAD")
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        tar.extractall(folder, filter="data")
    for others in ("ui", "tests"):
        shutil.rmtree(folder / others)
    for pages in PAGES:
        if not (root / pages).is_dir():
            raise CannotBuild("the pages are not built: run ./dev ui")
        shutil.copytree(root / pages, folder / pages)
        (folder / pages / "built.txt").unlink(missing_ok=True)


def build(source: Path, output: Path, scratch: Path, constraints: Path, seconds: int) -> list[Path]:
    """The source archive of a folder, and the wheel of that archive."""
    python = _build_environment(source, scratch / "environment", constraints)
    output.mkdir(parents=True, exist_ok=True)
    made = scratch / "made"
    made.mkdir()
    _backend(python, "build_sdist", source, made, seconds)
    archive = next(made.glob("*.tar.gz"))
    repack(archive, output / archive.name, seconds)
    unpacked = scratch / "unpacked"
    with tarfile.open(output / archive.name) as tar:
        tar.extractall(unpacked, filter="data")
    _backend(python, "build_wheel", next(unpacked.iterdir()), made, seconds)
    wheel = next(made.glob("*.whl"))
    shutil.copyfile(wheel, output / wheel.name)
    lacking = missing_from(output / wheel.name, kernels=len(list(source.rglob("_*.pyx"))))
    if lacking:
        raise CannotBuild(f"the wheel lacks {', '.join(lacking)}")
    return [output / archive.name, output / wheel.name]


def repack(archive: Path, target: Path, seconds: int) -> None:
    """The same files in order, without anything of the machine that packed them."""
    packed = io.BytesIO()
    with (
        tarfile.open(archive) as old,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as new,
    ):
        for member in sorted(old.getmembers(), key=lambda member: member.name):
            clean = tarfile.TarInfo(member.name)
            clean.type, clean.size, clean.mtime = member.type, member.size, seconds
            clean.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            new.addfile(clean, old.extractfile(member) if member.isfile() else None)
    with target.open("wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=seconds) as compressed:
        compressed.write(packed.getvalue())


def missing_from(wheel: Path, kernels: int) -> list[str]:
    """What a wheel should contain and does not."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    lacking = [path for path in EXPECTED if not any(name.endswith(path) for name in names)]
    compiled = [name for name in names if name.startswith("likewise/kernels/_")]
    if len([name for name in compiled if name.endswith((".so", ".pyd"))]) != kernels:
        lacking.append("compiled kernels (is there a C compiler?)")
    return lacking


def _build_environment(source: Path, folder: Path, constraints: Path) -> str:
    project = tomllib.loads((source / "pyproject.toml").read_text("utf-8"))
    # The pages are built already.
    requires = [
        name for name in project["build-system"]["requires"] if not name.startswith("nodejs")
    ]
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    command = [str(python), "-m", "pip", "install", "--quiet", "--no-input"]
    command += ["--disable-pip-version-check", "--constraint", str(constraints), *requires]
    installing = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if installing.returncode:
        raise CannotBuild(
            "what a build needs could not be installed (is the package index reachable?):\n"
            + installing.stderr.strip()
        )
    return str(python)


def _backend(python: str, hook: str, source: Path, output: Path, seconds: int) -> None:
    variables = {**os.environ, "SOURCE_DATE_EPOCH": str(seconds), "PYTHONHASHSEED": "0"}
    variables.pop("PYTHONPATH", None)
    if sys.platform != "win32":
        # Debugging information would name the folder, which is another one each time.
        flags = f"-ffile-prefix-map={source}=."
        variables["CFLAGS"] = f"{variables.get('CFLAGS', '')} {flags}".strip()
    script = f"import sys; from setuptools import build_meta; build_meta.{hook}(sys.argv[1])"
    building = subprocess.run(
        [python, "-c", script, str(output)],
        cwd=source,
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        umask=0o022,
    )
    if building.returncode:
        raise CannotBuild(f"{hook} failed:\n{building.stdout[-4000:]}")


def _git(root: Path, *arguments: str) -> str:
    return _git_bytes(root, *arguments).decode()


def _git_bytes(root: Path, *arguments: str) -> bytes:
    asking = subprocess.run(
        ["git", "-c", "safe.directory=*", *arguments], cwd=root, capture_output=True
    )
    if asking.returncode:
        raise CannotBuild(f"git {arguments[0]}: {asking.stderr.decode().strip()}")
    return asking.stdout
