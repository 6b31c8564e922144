"""The recipes of CONTRIBUTING.md work as they stand there."""

from __future__ import annotations

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
RECIPES = dict(
    section.split("\n", 1) for section in re.split(r"^### ", TEXT, flags=re.MULTILINE)[1:]
)
_STEP = re.compile(
    r"^(?:Make `(?P<new>[^`]+)`:"
    r"|In `(?P<changed>[^`]+)`, below the line with `(?P<anchor>[^`]+)`, add:"
    r"|At the end of `(?P<longer>[^`]+)`, add:)\n\n```\w+\n(?P<code>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_COMMANDS = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NOT_COPIED = shutil.ignore_patterns("node_modules", "__pycache__", ".*_cache", ".hypothesis")


class Step(NamedTuple):
    """A file that is made (no anchor), or changed below a line, or at its end (an empty one)."""

    path: str
    anchor: str | None
    code: str

    def apply(self, root: Path) -> None:
        path = root / self.path
        if self.anchor is None:
            path.write_text(self.code, "utf-8")
            return
        text = path.read_text("utf-8")
        if self.code in text:  # somebody follows the recipe in this very tree
            return
        lines = text.splitlines(keepends=True)
        at = [number for number, line in enumerate(lines, 1) if self.anchor in line]
        lines.insert(at[0] if self.anchor else len(lines), self.code)
        path.write_text("".join(lines), "utf-8")


def steps_of(name: str) -> list[Step]:
    return [
        Step(
            step["new"] or step["changed"] or step["longer"],
            step["anchor"] if step["changed"] else None if step["new"] else "",
            step["code"],
        )
        for step in _STEP.finditer(RECIPES[name])
    ]


def commands_of(name: str) -> list[str]:
    return [line for block in _COMMANDS.findall(RECIPES[name]) for line in block.splitlines()]


def imports_in(code: str) -> list[tuple[str, str]]:
    tree = ast.parse(code)
    froms = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return [(node.module or "", alias.name) for node in froms for alias in node.names]


def test_there_are_six_recipes_and_each_has_a_test_and_commands() -> None:
    assert list(RECIPES) == [
        *("A format", "A measure", "A search provider", "A route of the server", "A language"),
        "Words in the lexicon",
    ]
    for name in RECIPES:
        assert any("def test_" in step.code for step in steps_of(name)), name
        assert any(command.startswith("./dev run pytest") for command in commands_of(name)), name


@pytest.mark.parametrize("name", RECIPES)
def test_no_code_of_a_recipe_stands_outside_its_steps(name: str) -> None:
    fences = RECIPES[name].count("\n```") // 2
    assert fences == len(steps_of(name)) + len(_COMMANDS.findall(RECIPES[name]))


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_changes_files_that_are_there(name: str) -> None:
    for step in steps_of(name):
        path = ROOT / step.path
        assert path.is_file() or step.anchor is None, step.path
        assert path.parent.is_dir(), step.path
        if step.anchor:
            lines = path.read_text("utf-8").splitlines()
            assert sum(step.anchor in line for line in lines) == 1, (step.path, step.anchor)


@pytest.mark.parametrize("name", RECIPES)
def test_what_a_recipe_imports_is_there(name: str) -> None:
    steps = steps_of(name)
    made = {step.path.removeprefix("src/").removesuffix(".py").replace("/", ".") for step in steps}
    for step in steps:
        if step.path.endswith(".py") and step.anchor is None:
            for module, symbol in imports_in(step.code):
                assert module in made or hasattr(import_module(module), symbol), (module, symbol)


def test_a_path_that_the_text_names_is_there_or_is_made() -> None:
    made = {step.path for name in RECIPES for step in steps_of(name)}
    prose = re.sub(r"```.*?^```$", "", TEXT, flags=re.DOTALL | re.MULTILINE)
    for path in re.findall(r"`((?:src|tests|ui|docs|bench)/[^` ]*)`", prose):
        pattern = re.sub(r"<\w+>", "*", path).rstrip("/")
        assert path in made or list(ROOT.glob(pattern)), path


@pytest.mark.slow
@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_works_word_for_word(name: str, tmp_path: Path) -> None:
    root = tmp_path / "likewise"
    for folder in ("src", "tests", "ui", "bench", "docs", "examples"):
        shutil.copytree(ROOT / folder, root / folder, ignore=_NOT_COPIED)
    shutil.copy(ROOT / "pyproject.toml", root)
    for step in steps_of(name):
        step.apply(root)
    python = shlex.quote(sys.executable)
    environment = {**os.environ, "PYTHONPATH": str(root / "src"), "LIKEWISE_CACHE": str(tmp_path)}
    changed = sorted({step.path for step in steps_of(name) if step.path.endswith(".py")})
    commands = [
        *(f"{python} -m ruff {verb} {' '.join(changed)}" for verb in ("check", "format --check")),
        f"{shlex.quote(str(Path(sys.executable).with_name('lint-imports')))} --no-cache",
    ]
    for command in commands_of(name):
        if "tests/security" in command:  # asks every route, which takes minutes and runs anyhow
            continue
        command = re.sub(r"\./dev run (?=pytest|likewise)", f"{python} -m ", command)
        commands.append(command.replace("./dev run python", python))
    for command in commands:
        run = subprocess.run(
            ["sh", "-c", command], cwd=root, env=environment, capture_output=True, text=True
        )
        assert run.returncode == 0, f"{command}\n{run.stdout}\n{run.stderr}"
