"""What is shipped and what is installed beside it: known, named, and under licences we may use."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "likewise"
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
def test_built_pages_say_what_they_contain_with_every_text(listing):
    bundled = {package["name"]: package for package in json.loads(listing.read_text("utf-8"))}
    assert {"@vue/runtime-core", "@vue/reactivity"} <= bundled.keys()
    lock = json.loads((ROOT / "ui" / "package-lock.json").read_text("utf-8"))["packages"]
    for name, package in bundled.items():
        locked = lock[f"node_modules/{name}"]
        assert (package["version"], package["licence"]) == (locked["version"], locked["license"])
        assert "Permission is hereby granted" in package["text"], name
        assert "Copyright" in package["text"], name


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
