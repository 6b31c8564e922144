"""What is shipped and what is installed beside it: known, named, and under licences we may use."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email.message import Message
from fnmatch import fnmatch
from importlib import metadata, resources
from importlib.metadata import PackageMetadata
from pathlib import Path
from typing import Any, cast

import jsonschema_rs
import pytest
from packaging.tags import sys_tags

from likewise.machine import data_folder
from likewise.reading import read as lw_read
from likewise.reading.cache import cache_folder
from release import bill, building, resolving
from release.__main__ import OF_ALL, requirements
from release.licences import EXCEPTIONS, installed_tree, is_allowed, licence_of

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "likewise"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
CODE = {".py", ".pyx", ".pyi", ".h", ".c", ".cpp", ".so", ".pyd"}
DATA = tomllib.loads((PACKAGE / "licences" / "data.toml").read_text("utf-8"))
BUNDLES = [PACKAGE / part / "static" / "licences.json" for part in ("report", "server")]


def data_files() -> list[str]:
    """What stands in the package and is neither code nor built from ui/."""
    names = (path.relative_to(PACKAGE) for path in sorted(PACKAGE.rglob("*")) if path.is_file())
    return [
        name.as_posix()
        for name in names
        if name.suffix not in CODE and not {"static", "__pycache__"} & set(name.parts)
    ]


def test_every_file_that_is_not_code_has_its_origin_written_down():
    named = [file["path"] for file in DATA["file"]]
    unnamed = [
        path for path in data_files() if not any(fnmatch(path, pattern) for pattern in named)
    ]
    assert unnamed == [], "write into licences/data.toml where they come from"
    gone = [pattern for pattern in named if not list(PACKAGE.glob(pattern))]
    assert gone == []


def test_every_source_of_data_has_a_licence_that_travels_with_the_package():
    texts = {"Apache-2.0": ROOT / "LICENSE"}
    sources = {source["name"]: source["licence"] for source in DATA["source"]}
    for file in DATA["file"]:
        for name in file["sources"]:
            licence = sources[name]
            text = texts.get(licence) or PACKAGE / "licences" / f"{licence}.txt"
            assert text.is_file(), f"{file['path']} is under {licence}"


def test_the_notice_names_every_source_and_every_file_made_from_one():
    notice = " ".join((ROOT / "NOTICE").read_text("utf-8").split())
    for source in DATA["source"]:
        assert source["notice"] in notice
    for file in DATA["file"]:
        made_by_others = [name for name in file["sources"] if name != "Likewise"]
        if made_by_others and not file["path"].startswith("licences/"):
            assert file["path"] in notice


@pytest.mark.parametrize("listing", BUNDLES, ids=["report", "server"])
@pytest.mark.bundles
def test_built_pages_say_what_they_contain_with_every_text(listing):
    bundled = {package["name"]: package for package in json.loads(listing.read_text("utf-8"))}
    assert {"@vue/runtime-core", "@vue/reactivity"} <= bundled.keys()
    lock = json.loads((ROOT / "ui" / "package-lock.json").read_text("utf-8"))["packages"]
    for name, package in bundled.items():
        locked = lock[f"node_modules/{name}"]
        assert (package["version"], package["licence"]) == (locked["version"], locked["license"])
        assert "Permission is hereby granted" in package["text"], name
        assert "Copyright" in package["text"], name


@pytest.mark.bundles
def test_a_report_as_a_page_carries_the_notices_of_what_is_in_it(tmp_path):
    essays = ROOT / "examples" / "essays"
    report = tmp_path / "report.html"
    command = ["compare", essays / "nora-printing.txt", essays / "peter-printing.txt"]
    asking = likewise(*command, "--report", report)
    assert asking.returncode == 0, asking.stderr
    page = report.read_text("utf-8")
    assert "Permission is hereby granted, free of charge" in page
    for package in json.loads(BUNDLES[0].read_text("utf-8")):
        assert f"{package['name']} {package['version']}" in page
        assert re.search(r"Copyright.*", package["text"])[0] in page


@pytest.mark.bundles
def test_licences_are_printed_by_the_program_itself():
    told = likewise("--licences")
    assert told.returncode == 0, told.stderr
    for words in ("Apache Tika", "UNICODE LICENSE V3", "vue-router", "Eduardo San Martin Morote"):
        assert words in told.stdout
    for path in (file["path"] for file in DATA["file"]):
        assert path in told.stdout


def likewise(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "likewise.cli", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


# Packages beside it.


def test_every_package_that_is_installed_beside_it_has_a_licence_we_may_use():
    project = PROJECT["project"]
    tree = installed_tree(requirements(project, OF_ALL))
    assert {"numpy", "psycopg-binary", "argon2-cffi", "pyspark", "starlette"} <= tree.keys()
    refused = {
        name: licence_of(distribution.metadata)
        for name, distribution in tree.items()
        if not is_allowed(licence_of(distribution.metadata), name)
    }
    assert refused == {}


def test_the_exceptions_are_named_in_the_notice():
    notice = (ROOT / "NOTICE").read_text("utf-8")
    assert all(name in notice for name in EXCEPTIONS)


@pytest.mark.parametrize("listing", BUNDLES, ids=["report", "server"])
@pytest.mark.bundles
def test_every_package_in_the_built_pages_has_a_licence_we_may_use(listing):
    for package in json.loads(listing.read_text("utf-8")):
        assert is_allowed(package["licence"]), package["name"]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ({"License-Expression": "mit"}, "MIT"),
        ({"License": "The BSD 2-Clause License"}, "BSD-2-Clause"),
        ({"License": "see file", "Classifier": "License :: OSI Approved :: MIT License"}, "MIT"),
        ({"License": "GPL-3.0-only"}, "GPL-3.0-only"),
        ({"License": "ask my lawyer"}, "unknown: ask my lawyer"),
        ({}, "unknown: []"),
    ],
)
def test_licences_are_read_from_whatever_a_package_says(written, read):
    message = Message()
    for key, value in written.items():
        message[key] = value
    assert licence_of(cast(PackageMetadata, message)) == read
    assert is_allowed(read) == (read in ("MIT", "BSD-2-Clause"))


def test_what_is_no_licence_is_not_allowed():
    for expression in ("", "MIT OR", "AND MIT", "(MIT", "MIT MIT", "unknown: MIT"):
        assert not is_allowed(expression), expression


# A release.


@pytest.fixture
def index(tmp_path, monkeypatch):
    """A folder of small wheels in the place of every index: what pip finds, it finds there."""
    folder = tmp_path / "index"
    folder.mkdir()
    for variable in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(variable)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", folder.as_uri())
    return folder


def wheel(folder: Path, name: str, tag: str = "py3-none-any", *requires: str) -> str:
    """Write a wheel of version 1.0; its hash."""
    path = folder / f"{name}-1.0-{tag}.whl"
    needs = "".join(f"Requires-Dist: {each}\n" for each in requires)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{name}.py", f"tag = {tag!r}\n")
        about = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n{needs}"
        archive.writestr(f"{name}-1.0.dist-info/METADATA", about)
        archive.writestr(f"{name}-1.0.dist-info/WHEEL", f"Wheel-Version: 1.0\nTag: {tag}\n")
        archive.writestr(f"{name}-1.0.dist-info/RECORD", "")
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_requirements_hold_the_hash_of_every_archive_and_pip_refuses_others(index, tmp_path):
    here = f"cp{sys.version_info.major}{sys.version_info.minor}"
    system = next(tag.platform for tag in sys_tags())
    hashes = {
        "pure": wheel(index, "pure", "py3-none-any", "steppe>=1", "unused; extra == 'more'"),
        "steppe": wheel(index, "steppe", f"{here}-{here}-{system}"),
    }
    arm = wheel(index, "steppe", "cp312-cp312-manylinux_2_28_aarch64")
    constraints = tmp_path / "constraints.txt"
    constraints.write_text("pure==1.0\nsteppe==1.0\n")
    packages = resolving.resolve(["pure"], constraints)
    assert {package.name: package.sha256 for package in packages} == hashes
    systems = ("manylinux_2_28_aarch64", "win_arm64")
    packages, lacking = resolving.with_other_systems(packages, systems, ["3.12"])
    assert lacking == ["steppe==1.0 for win_arm64, Python 3.12"]
    assert [package.elsewhere for package in packages] == [frozenset(), frozenset({arm})]
    assert resolving.closure(packages, ["pure"]) == {"pure", "steppe"}

    listed = tmp_path / "requirements.txt"
    listed.write_text(resolving.hashed_requirements(packages, "For a test."))
    assert listed.read_text().count("--hash=sha256:") == 3
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed"]
    command += ["--require-hashes", "--requirement", str(listed)]
    assert subprocess.run(command, capture_output=True).returncode == 0
    changed = index / "pure-1.0-py3-none-any.whl"
    changed.write_bytes(changed.read_bytes() + b"\0")
    refused = subprocess.run(command, capture_output=True, text=True)
    assert refused.returncode != 0 and "THESE PACKAGES DO NOT MATCH THE HASHES" in refused.stderr


def test_a_package_without_a_pin_is_refused(index, tmp_path):
    wheel(index, "pure", "py3-none-any", "steppe")
    wheel(index, "steppe")
    constraints = tmp_path / "constraints.txt"
    constraints.write_text("pure==1.0\n")
    with pytest.raises(resolving.CannotResolve, match=r"not pinned in constraints\.txt: steppe"):
        resolving.resolve(["pure"], constraints)


def test_without_a_network_that_is_said(index, tmp_path, monkeypatch):
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/")  # nobody listens there
    monkeypatch.setenv("PIP_RETRIES", "0")
    constraints = tmp_path / "constraints.txt"
    constraints.write_text("pure==1.0\n")
    with pytest.raises(resolving.CannotResolve, match="are you offline"):
        resolving.resolve(["pure"], constraints)


def a_bill() -> dict[str, Any]:
    """A bill of what is installed here, without asking an index."""
    names = ("numpy", "fastapi", "starlette", "psycopg", "regex")
    packages = []
    for name in names:
        found = metadata.distribution(name)
        archive = f"{name}-{found.version}.whl"
        needs = tuple(found.requires or [])
        packages.append(resolving.Package(name, found.version, archive, "ab" * 32, needs))
    return bill.bill_of_materials(
        *("1.2.3", packages, ["numpy"], ["numpy", "fastapi", "psycopg", "regex"]),
        *(PACKAGE, ROOT / "ui" / "package-lock.json", 1_800_000_000),
    )


def test_the_bill_of_materials_obeys_the_schema_of_cyclonedx():
    folder = resources.files("cyclonedx.schema").joinpath("_res")

    def schema(name: str) -> Any:
        return json.loads(folder.joinpath(name).read_text("utf-8"))

    def retrieve(address: str) -> Any:
        return schema(address.rpartition("/")[2])

    whole = schema("bom-1.6.SNAPSHOT.schema.json")
    validator = jsonschema_rs.validator_for(whole, retriever=retrieve)
    described = a_bill()
    assert [
        f"{error.instance_path}: {error.message}" for error in validator.iter_errors(described)
    ] == []
    described["components"][0]["type"] = "thing"
    assert not validator.is_valid(described)


def test_the_bill_of_materials_names_everything_once_with_licence_and_hash():
    described = a_bill()
    by_ref = {component["bom-ref"]: component for component in described["components"]}
    assert len(by_ref) == len(described["components"])
    assert described["metadata"]["timestamp"] == "2027-01-15T08:00:00Z"
    purls = {component.get("purl", "").rpartition("@")[0] for component in by_ref.values()}
    assert {"pkg:pypi/fastapi", "pkg:npm/vue-router", "pkg:npm/%40vue/runtime-core"} <= purls
    assert {"Apache Tika", "Unicode Character Database"} <= {c["name"] for c in by_ref.values()}
    for component in by_ref.values():
        (licence,) = component["licenses"]
        assert "name" not in licence.get("license", {}), component["name"]
        assert component["type"] == "data" or component["hashes"]
    scopes = {component["name"]: component.get("scope") for component in by_ref.values()}
    assert (scopes["numpy"], scopes["fastapi"]) == ("required", "optional")
    refs = by_ref.keys() | {described["metadata"]["component"]["bom-ref"]}
    edges = {edge["ref"]: edge["dependsOn"] for edge in described["dependencies"]}
    assert edges.keys() <= refs and {ref for needs in edges.values() for ref in needs} <= refs
    fastapi = next(ref for ref in edges if ref.startswith("pkg:pypi/fastapi@"))
    assert [ref.partition("@")[0] for ref in edges[fastapi]] == ["pkg:pypi/starlette"]
    assert a_bill() == described


def test_a_source_archive_is_the_same_whoever_packs_it_and_when(tmp_path):
    (tmp_path / "likewise-1.0").mkdir()
    packed = []
    for name, mode in (("one", 0o600), ("two", 0o664)):
        file = tmp_path / "likewise-1.0" / "setup.py"
        file.write_text("print('hello')\n")
        file.chmod(mode)
        os.utime(file, (mode, mode))
        with tarfile.open(tmp_path / f"{name}.tar.gz", "w:gz") as tar:
            tar.add(tmp_path / "likewise-1.0", "likewise-1.0")
        building.repack(tmp_path / f"{name}.tar.gz", tmp_path / name, 1_800_000_000)
        packed.append((tmp_path / name).read_bytes())
    assert packed[0] == packed[1]
    with tarfile.open(tmp_path / "one") as tar:
        (member,) = [member for member in tar if member.isfile()]
        assert (member.mtime, member.mode, member.uname) == (1_800_000_000, 0o644, "")


def test_a_wheel_without_pages_or_kernels_is_refused(tmp_path):
    wheel(tmp_path, "likewise")
    lacking = building.missing_from(tmp_path / "likewise-1.0-py3-none-any.whl", kernels=5)
    assert "likewise/server/static/index.html" in lacking
    assert "compiled kernels (is there a C compiler?)" in lacking


def test_a_release_is_made_of_a_commit_and_of_nothing_else(tmp_path):
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org"]
    for command in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "one"]):
        subprocess.run([*git, *command], cwd=tmp_path, check=True)
    assert building.commit_seconds(tmp_path) > 1_700_000_000
    (tmp_path / "forgotten.py").write_text("")
    with pytest.raises(building.CannotBuild, match=r"forgotten\.py"):
        building.commit_seconds(tmp_path)


def test_check_sums_are_read_by_the_usual_program(tmp_path):
    for name in ("b.txt", "a.txt"):
        (tmp_path / name).write_text(name)
    sums = bill.check_sums([tmp_path / "b.txt", tmp_path / "a.txt"])
    checking = ["sha256sum", "--check", "--strict"]
    done = subprocess.run(checking, input=sums, cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == "a.txt: OK\nb.txt: OK\n"


# A service user: bench/attacks/wheel.py is one.


def test_a_bare_number_as_user_has_no_home_and_needs_none(monkeypatch, tmp_path):
    for name in ("HOME", "LIKEWISE_CACHE", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os, "getuid", lambda: 2**31 - 7)  # nobody has this number
    with pytest.raises(RuntimeError):
        Path.home()
    assert cache_folder().parts[:2] == data_folder().parts[:2] == ("/", "nonexistent")
    page = tmp_path / "page.html"
    page.write_text("<p>Read without a home, and therefore without a cache.</p>")
    assert "without a cache" in lw_read(page).text
