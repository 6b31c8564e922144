"""Which package may import which, versions, and nothing of the machine it was built on."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, cast

import grimp
import pytest
from importlinter.cli import lint_imports

from tests.conftest import LONGEST, PATHS

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PINS = (ROOT / "constraints.txt").read_text("utf-8").splitlines()


def canonical(requirement: str) -> str:
    """The name in a requirement, as package indexes compare names.

    >>> canonical("Set_Similarity.Search>=1.0 ; python_version > '3'")
    'set-similarity-search'
    """
    return re.sub(r"[-_.]+", "-", re.match(r"[\w.-]+", requirement)[0]).lower()


def requirements() -> list[str]:
    project = PROJECT["project"]
    extras = project["optional-dependencies"].values()
    return sum(extras, project["dependencies"] + PROJECT["build-system"]["requires"])


def files_of_ours() -> list[Path]:
    """Every file that is, or would be, committed, except documents to compare."""
    listing = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-z", "-co", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if listing.returncode:
        pytest.skip("not a git checkout")
    names = filter(None, listing.stdout.split("\0"))
    return [ROOT / name for name in names if not name.startswith("examples/")]


def test_every_package_imports_only_the_packages_below_it(monkeypatch):
    monkeypatch.chdir(ROOT)
    assert lint_imports(no_cache=True) == 0, "run ./dev check to see which import"


def test_every_package_has_its_place_among_the_layers():
    layers = PROJECT["tool"]["importlinter"]["contracts"][0]["layers"]
    placed = set(re.findall(r"\w+", " ".join(layers)))
    source = ROOT / "src" / "likewise"
    packages = {path.stem for path in source.glob("[!_]*.py")}
    packages |= {path.parent.name for path in source.glob("*/__init__.py")}
    assert packages <= placed


def test_the_front_door_opens_on_the_line_and_on_two_hosts():
    graph = grimp.build_graph("likewise", cache_dir=None)
    packages = {name.split(".")[1] for name in graph.find_modules_directly_imported_by("likewise")}
    assert packages.isdisjoint({"cli", "server", "scale", "internet"})


def test_every_verb_has_its_file_or_folder_and_what_they_share_is_one_package():
    from likewise.cli.app import command

    cli = ROOT / "src" / "likewise" / "cli"
    files = {path.stem for path in cli.glob("*.py")} | {
        path.parent.name for path in cli.glob("*/__init__.py")
    }
    assert files - {"__init__", "__main__", "app", "shared"} == set(cast(Any, command()).commands)


def test_constraints_are_names_and_versions_and_nothing_else():
    assert [line for line in PINS if not re.fullmatch(r"[\w.-]+==[\w.]+", line)] == []
    assert sorted(PINS, key=str.lower) == PINS


def test_every_direct_dependency_is_pinned():
    assert {canonical(name) for name in requirements()} <= {canonical(pin) for pin in PINS}


def test_no_file_names_a_machine_or_a_package_registry():
    of_a_machine = re.compile(
        r"(?<![\w.~}-])/(?:home|root|work|Users|mnt)/\w"  # someone's folder
        r"|[A-Z]:\\Users"
        r"|python[h]osted|pypi\.org/simple|registry\.npm[j]s|extra-index[-]url"
    )
    found = []
    for path in files_of_ours():
        data = path.read_bytes() if path.is_file() else b""
        if b"\0" not in data:
            lines = data.decode("utf-8", "replace").splitlines()
            found += [f"{path.name}: {line}" for line in lines if of_a_machine.search(line)]
    assert found == []


def test_dev_explains_itself_to_a_bare_interpreter():
    helping = subprocess.run(
        [sys.executable, "-I", "-S", ROOT / "dev", "--help"], capture_output=True, text=True
    )
    assert helping.returncode == 0, helping.stderr
    for verb in ("demo", "test", "check", "bench", "evidence", "release"):
        assert re.search(rf"^ +{verb} +\S", helping.stdout, re.MULTILINE)


def test_dev_names_an_unknown_verb():
    asking = subprocess.run(
        [sys.executable, "-I", "-S", ROOT / "dev", "dance"], capture_output=True, text=True
    )
    assert asking.returncode == 2
    assert "no verb 'dance'" in asking.stderr


def test_what_the_order_of_the_tests_names_is_there():
    for name in (*PATHS, *LONGEST):
        assert (ROOT / name).exists(), name
