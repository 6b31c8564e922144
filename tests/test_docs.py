"""The documentation names what is there."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from release.version import problems

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
SOURCE = ROOT / "src" / "likewise"
GUIDES = ["administration.md"]  # the others name no buttons


def sentences(node: Any) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict):
        for value in node.values():
            yield from sentences(value)


def words_of_the_pages() -> set[str]:
    files = [
        *(ROOT / "ui" / "src" / "app" / "words").glob("*/en.json"),
        *(SOURCE / "catalogue").glob("*/en.json"),
    ]
    return {text.rstrip("…") for path in files for text in sentences(json.loads(path.read_text()))}


@pytest.mark.parametrize("name", GUIDES)
def test_a_button_that_a_guide_names_exists(name: str) -> None:
    text = re.sub(r"```.*?```", "", (DOCS / name).read_text("utf-8"), flags=re.DOTALL)
    named = set(re.findall(r"(?<![*\w])\*([A-Z][^*\n]*[^*.\n])\*(?!\*)", text))
    assert named - words_of_the_pages() == set()


def glossary() -> list[list[str]]:
    lines = (DOCS / "glossary.md").read_text("utf-8").splitlines()
    rows = [[cell.strip() for cell in line[1:-1].split("|")] for line in lines if line[:2] == "| "]
    return [row for row in rows if row[0] != "term" and not row[0].startswith("---")]


def test_the_glossary_gives_each_of_its_terms_one_row() -> None:
    terms = [row[0] for row in glossary()]
    assert 55 <= len(terms) <= 110
    assert len(terms) == len(set(terms))


@pytest.mark.parametrize("row", glossary(), ids=lambda row: row[0])
def test_a_name_of_the_glossary_stands_in_the_code(row: list[str]) -> None:
    source = "\n".join(path.read_text("utf-8") for path in SOURCE.rglob("*.py"))
    for name in re.findall(r"`([^`]+)`", row[1]):
        if "/" in name:
            assert list(SOURCE.glob(re.sub(r"<\w+>", "*", name.rstrip("/")))), name
        else:
            assert re.search(rf"\b{re.escape(name)}\b", source), name


def test_every_page_of_the_documentation_is_in_the_navigation_of_the_site() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:")[2]
    for path in DOCS.rglob("*.md"):
        name = path.relative_to(DOCS).as_posix()
        assert name.startswith("evidence/") or f" {name}\n" in navigation, name


def test_a_link_of_the_documentation_leads_somewhere() -> None:
    for path in [*DOCS.glob("*.md"), *(ROOT / name for name in ("README.md", "CONTRIBUTING.md"))]:
        text = re.sub(r"```.*?```", "", path.read_text("utf-8"), flags=re.DOTALL)
        for link in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
            is_elsewhere = link.startswith(("http:", "https:"))
            assert is_elsewhere or (path.parent / link).exists(), (path.name, link)


def test_workflows_call_verbs_that_there_are() -> None:
    help_text = subprocess.run(
        [sys.executable, ROOT / "dev", "--help"], capture_output=True, text=True, check=True
    ).stdout
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        for verb in re.findall(r"\./dev (\w+)", path.read_text("utf-8")):
            assert re.search(rf"\b{verb}\b", help_text), (path.name, verb)


def test_a_release_needs_one_version_in_tag_package_changelog_and_citation(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "1.2.0"\n')
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## [1.2.0] - 2026-11-16\n")
    (tmp_path / "CITATION.cff").write_text("version: 1.2.0\n")
    assert problems("v1.2.0", tmp_path) == []
    assert problems("v1.3.0", tmp_path) == ["the tag is v1.3.0, and the package's version is 1.2.0"]
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## [Unreleased]\n")
    (tmp_path / "CITATION.cff").write_text("version: 1.1.0\n")
    assert len(problems("v1.2.0", tmp_path)) == 2


def test_a_file_that_the_map_of_the_code_names_exists() -> None:
    text = (DOCS / "architecture.md").read_text("utf-8")
    named = set(re.findall(r"`([\w/.-]+\.(?:py|txt|json|ts|toml)|[\w/]+/)`", text))
    there = [path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*")]
    for name in named:
        bare = name.rstrip("/")
        is_inside = any(path == bare or path.endswith(f"/{bare}") for path in there)
        assert is_inside or (ROOT / bare).exists(), name
