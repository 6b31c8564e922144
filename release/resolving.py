"""Which archives of which versions belong to a release, as pip finds them.

Only pip is asked, by its documented options: whatever index, mirror or folder it is configured
with is the one that counts. The archives of other systems are found by asking for them.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from packaging.utils import canonicalize_name

from release.licences import needed

# Of Linux: Debian 12, Ubuntu 22.04, Red Hat 9 and newer.
SYSTEMS = ("manylinux_2_34_x86_64", "manylinux_2_34_aarch64", "macosx_14_0_arm64")
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
_OFFLINE = ("NewConnectionError", "NameResolution", "ConnectTimeout", "ProxyError")
_NO_ARCHIVE = re.compile(r"No matching distribution found for ([\w.-]+)")


class CannotResolve(Exception):
    """Why there is no list of archives."""


@dataclass(frozen=True, slots=True)
class Package:
    """A version, its archive for this machine, and the hashes of all that may be installed."""

    name: str
    version: str
    archive: str
    sha256: str
    requires: tuple[str, ...] = ()  # as its metadata says
    extras: tuple[str, ...] = ()
    elsewhere: frozenset[str] = frozenset()  # hashes of other systems' archives

    @property
    def key(self) -> str:
        return str(canonicalize_name(self.name))

    @property
    def needs(self) -> list[str]:
        return sorted({canonicalize_name(each.name) for each in needed(self.requires, self.extras)})


def resolve(requirements: Iterable[str], constraints: Path) -> list[Package]:
    """Every package that these requirements install here, in the order of names."""
    pins = dict(
        line.split("==") for line in constraints.read_text("utf-8").splitlines() if "==" in line
    )
    pinned = {canonicalize_name(name) for name in pins}
    packages = _asked(["--constraint", str(constraints), *requirements])
    loose = sorted(package.name for package in packages if package.key not in pinned)
    if loose:
        raise CannotResolve(f"not pinned in {constraints.name}: {', '.join(loose)}")
    return packages


def with_other_systems(
    packages: Sequence[Package], systems: Iterable[str] = SYSTEMS, pythons: Iterable[str] = PYTHONS
) -> tuple[list[Package], list[str]]:
    """The same with the hashes of archives for other systems; and what has none for which."""
    hashes: dict[str, set[str]] = {package.key: set() for package in packages}
    lacking = []
    pythons = list(pythons)
    for system in systems:
        for python in pythons:
            print(f"dev: looking for archives for {system}, Python {python}", file=sys.stderr)
            # An archive for any system is the same archive.
            asked = {p.key: f"{p.name}=={p.version}" for p in packages if _is_for_one_system(p)}
            options = ["--no-deps", "--only-binary=:all:"]
            options += [f"--platform={tag}" for tag in _tags(system)]
            options += ["--python-version", python, "--target", tempfile.gettempdir()]
            while asked:
                try:
                    found = _asked([*options, *asked.values()])
                except NoArchive as error:
                    lacking.append(f"{asked.pop(error.name)} for {system}, Python {python}")
                    continue
                for package in found:
                    hashes[package.key].add(package.sha256)
                break
    return [
        replace(package, elsewhere=frozenset(hashes[package.key] - {package.sha256}))
        for package in packages
    ], lacking


class NoArchive(CannotResolve):
    """A version has no archive for a system."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} has no archive")
        self.name = str(canonicalize_name(name))


def _tags(system: str) -> list[str]:
    """All tags that a system accepts, the newest first: pip derives them for macOS alone.

    >>> _tags("manylinux_2_34_x86_64")[:2], _tags("macosx_14_0_arm64")
    (['manylinux_2_34_x86_64', 'manylinux_2_33_x86_64'], ['macosx_14_0_arm64'])
    """
    linux = re.fullmatch(r"manylinux_2_(\d+)_(\w+)", system)
    if linux is None:
        return [system]
    older = [f"manylinux_2_{minor}" for minor in range(int(linux[1]), 4, -1)]
    return [f"{tag}_{linux[2]}" for tag in (*older, "manylinux2014", "manylinux2010", "manylinux1")]


def _is_for_one_system(package: Package) -> bool:
    return package.archive.endswith(".whl") and not package.archive.endswith("-none-any.whl")


def _asked(arguments: Sequence[str]) -> list[Package]:
    """What pip would install, installing nothing."""
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed"]
    with tempfile.TemporaryDirectory(prefix="likewise-release-") as folder:
        report, log = Path(folder, "report.json"), Path(folder, "log.txt")
        of_ours = ["--no-input", "--log", str(log)]
        asking = subprocess.run(
            [*command, "--quiet", *of_ours, "--report", str(report), *arguments],
            env=os.environ | {"PIP_DISABLE_PIP_VERSION_CHECK": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        if asking.returncode:
            told = log.read_text("utf-8", "replace") if log.is_file() else asking.stderr
            if any(sign in told for sign in _OFFLINE):
                raise CannotResolve(
                    "the package index cannot be reached: are you offline?\n"
                    + asking.stderr.strip()
                )
            missing = _NO_ARCHIVE.search(asking.stderr)
            if missing and "--only-binary=:all:" in arguments:
                raise NoArchive(missing[1])
            raise CannotResolve(f"pip could not resolve:\n{asking.stderr.strip()}")
        found = json.loads(report.read_text("utf-8"))["install"]
    packages = []
    for each in found:
        told, archive = each["metadata"], each["download_info"]
        hashes = archive.get("archive_info", {}).get("hashes", {})
        if "sha256" not in hashes:
            raise CannotResolve(f"the index gives no SHA-256 for {told['name']} {told['version']}")
        packages.append(
            Package(
                *(told["name"], told["version"]),
                *(archive["url"].rpartition("/")[2], hashes["sha256"]),
                tuple(told.get("requires_dist", [])),
                tuple(each.get("requested_extras", [])),
            )
        )
    return sorted(packages, key=lambda package: package.key)


def closure(packages: Iterable[Package], names: Iterable[str]) -> set[str]:
    """The keys of these packages and of all that they need."""
    by_key = {package.key: package for package in packages}
    reached: set[str] = set()
    waiting = [str(canonicalize_name(name)) for name in names]
    while waiting:
        key = waiting.pop()
        if key in by_key and key not in reached:
            reached.add(key)
            waiting += by_key[key].needs
    return reached


def hashed_requirements(packages: Iterable[Package], heading: str) -> str:
    """A file for `pip install --require-hashes -r`."""
    lines = [f"# {line}".rstrip() for line in heading.splitlines()]
    for package in packages:
        hashes = [package.sha256, *sorted(package.elsewhere)]
        rest = " \\\n".join(f"    --hash=sha256:{each}" for each in hashes)
        lines.append(f"{package.name}=={package.version} \\\n{rest}")
    return "\n".join(lines) + "\n"
