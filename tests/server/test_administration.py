"""The administrator's page says what the code does."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from likewise.server.app import make_app
from likewise.server.config import PREFIX, Config
from likewise.server.context import ServerContext, SiteSettings
from likewise.server.http.request_log import RequestMetrics
from likewise.server.metrics import exposition

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "administration.md").read_text("utf-8")
# What searching the web needs is told where that is told.
SOURCES = [
    path.read_text("utf-8")
    for path in sorted((ROOT / "src").rglob("*.py"))
    if "internet" not in path.parts
]
_VARIABLE = re.compile(r'environ(?:\.get\(|\[)\s*"([A-Z_]+)"')
_OF_SYSTEMS = {"LOCALAPPDATA", "LD_LIBRARY_PATH"}


def rows_under(heading: str) -> list[list[str]]:
    """The cells of the first table under a heading, without its head."""
    below = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    lines = below.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("| --- "))
    rows = []
    for line in lines[first + 1 :]:
        if not line.startswith("| "):
            break
        rows.append([cell.strip() for cell in line.strip("|").split(" | ")])
    return rows


def test_every_setting_of_a_process_is_in_its_table() -> None:
    expected = [
        [
            f"`{PREFIX}{one.name.upper()}`",
            f"`{one.default}`" if one.default != "" else "empty",
            one.metadata["about"],
        ]
        for one in fields(Config)
    ]
    assert rows_under("Settings of a process") == expected


def test_every_setting_of_the_site_is_in_its_table() -> None:
    rows = rows_under("Settings of the site")
    assert [row[:3] for row in rows] == [_row_of(name) for name in SiteSettings.model_fields]
    assert all(about for *_, about in rows)


def test_every_variable_that_the_code_reads_is_told() -> None:
    read = {name for source in SOURCES for name in _VARIABLE.findall(source)}
    read |= {name for source in SOURCES for name in re.findall(r'"(LIKEWISE_[A-Z_]+)"', source)}
    told = set(re.findall(r"[A-Z][A-Z_]+[A-Z]", PAGE))
    assert read - told - _OF_SYSTEMS - {PREFIX} == set()


@pytest.mark.parametrize("engine_name", ["sqlite"])
def test_every_metric_is_told(context: ServerContext) -> None:
    metrics = RequestMetrics()
    metrics.count_answer("GET", "/", 200, 0.1, 0)
    named = set(re.findall(r"^# TYPE (\w+)", exposition(context, metrics), re.M))
    assert named == set(re.findall(r"`((?:likewise|process)_\w+?)(?:\{[a-z,]+\})?`", PAGE)) & named
    for name in named:
        assert f"`{name}" in PAGE, name


@pytest.mark.parametrize("engine_name", ["sqlite"])
def test_every_address_of_the_api_that_is_named_is_there(context: ServerContext) -> None:
    paths = make_app(context).openapi()["paths"]
    for method, path in re.findall(r"`(GET|PUT|POST|PATCH|DELETE) (/api/v1/[a-z/-]+)`", PAGE):
        assert method.lower() in paths.get(path, {}), f"{method} {path}"


def test_every_command_that_is_named_is_there() -> None:
    """With the options that are shown; that they work is tested where the commands are."""
    from typer.main import get_command

    from likewise.cli.app import app

    commands = re.findall(r"^(?:.*/bin/|.*?)\blikewise ((?:[a-z-]+ ?)+)(.*)$", _shell(), re.M)
    assert len(commands) > 10
    for words, rest in commands:
        command = get_command(app)
        for word in words.split():
            inside = getattr(command, "commands", {})
            if word not in inside:
                break
            command = inside[word]
        known = {name for one in command.params for name in one.opts}
        for option in re.findall(r"(?<=\s)--[a-z-]+", f" {rest}"):
            assert option in known, f"likewise {words}{rest}: {option}"


def _shell() -> str:
    blocks = re.findall(r"```(?:sh|ini)\n(.*?)```", PAGE, re.S)
    lines = [line.removeprefix("ExecStart=") for block in blocks for line in block.splitlines()]
    starting = re.compile(r"(sudo -u likewise )?(/opt/likewise/bin/)?likewise ")
    return "\n".join(line.partition(" #")[0] for line in lines if starting.match(line))


def _row_of(name: str) -> list[str]:
    default = SiteSettings.model_fields[name].default
    about = SiteSettings.model_json_schema()["properties"][name]
    one = next(kind for kind in about.get("anyOf", [about]) if kind.get("type") != "null")
    if "maxLength" in one:
        allowed = f"at most {one['maxLength']} characters"
    elif one["type"] == "boolean":
        allowed = "yes or no"
    elif "maximum" in one:
        allowed = f"{one['minimum']:,} – {one['maximum']:,}"
    else:
        allowed = f"{one['minimum']:,} or more"
    if default is None:
        return [f"`{name}`", "no limit", allowed]
    if isinstance(default, bool):
        return [f"`{name}`", "yes" if default else "no", allowed]
    return [f"`{name}`", "empty" if default == "" else f"{default:,}", allowed]
