"""Pages of the site that are made when it is built: what the program says of itself, and the files
of the repository's root. Into the guides go the pictures that pictures.py has made, where it could.
A hook of MkDocs, see mkdocs.yml.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from likewise.library import Library
from likewise.server.app import make_app
from likewise.server.context import ServerContext

ROOT = Path(__file__).parents[2]
FROM_THE_ROOT = {
    "contributing.md": "CONTRIBUTING.md",
    "security.md": "SECURITY.md",
    "changelog.md": "CHANGELOG.md",
}
SUBJECTS = "evidence/*"
# A guide has a comment where a picture belongs, so that it reads well without.
PICTURE = re.compile(r"^<!-- picture: ([\w-]+) \| (.+) -->$", re.MULTILINE)
PICTURES = ROOT / "build" / "pictures"
SCALE = 2  # pixels of a picture to one of the page
FRAME = "border: 1px solid #8884; border-radius: 6px"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """The subjects of the evidence are whatever pages there are."""
    pages = sorted(f"evidence/{path.name}" for path in (ROOT / "docs" / "evidence").glob("*.md"))
    config.nav = _expanded(config.nav, pages)
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages that nobody writes by hand."""
    for name, source in FROM_THE_ROOT.items():
        text = (ROOT / source).read_text("utf-8").replace("](docs/", "](")
        files.append(File.generated(config, name, content=_with_links_to_pages(text)))
    files.append(File.generated(config, "reference/command-line.md", content=command_line()))
    files.append(File.generated(config, "reference/http.md", content=http_interface()))
    for path in sorted(PICTURES.glob("*/*.png")):
        name = f"pictures/{path.relative_to(PICTURES).as_posix()}"
        files.append(File.generated(config, name, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Puts the pictures of a guide in their places, in its language."""
    language = Path(page.file.src_uri).stem

    def shown(place: re.Match[str]) -> str:
        name, caption = place.groups()
        path = PICTURES / language / f"{name}.png"
        if not path.is_file():
            return ""
        address = f"../pictures/{language}/{name}.png"
        width = int.from_bytes(path.read_bytes()[16:20]) // SCALE  # as PNG's header has it
        drawn = f'![{caption}]({address}){{ width="{width}" loading="lazy" style="{FRAME}" }}'
        return f"[{drawn}]({address})"  # to be looked at as large as it is

    return PICTURE.sub(shown, markdown)


def command_line() -> str:
    """What `--help` says, for every verb."""
    parts = ["# Command line", "What `likewise COMMAND --help` prints."]
    for verb in _verbs():
        parts += [f"## likewise {verb}", f"```text\n{_help(*verb.split())}\n```"]
    return "\n\n".join(parts) + "\n"


def http_interface() -> str:
    """Every address of the server, from its OpenAPI description."""
    parts = [
        "# HTTP",
        "Every address of `likewise serve`. The same with all fields is `openapi.json` on a "
        "server, for whoever has an account there.",
    ]
    groups: dict[str, list[str]] = {}
    for path, operations in _description()["paths"].items():
        for method, operation in operations.items():
            group = (operation.get("tags") or ["other"])[0]
            summary = str(operation.get("summary", "")).replace("|", "\\|")
            groups.setdefault(group, []).append(f"| `{method.upper()} {path}` | {summary} |")
    for group, rows in groups.items():
        parts += [f"## {group}", "\n".join(["| address | what it does |", "| --- | --- |", *rows])]
    return "\n\n".join(parts) + "\n"


def _description() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder, Library(Path(folder, "docs.db")) as library:
        return make_app(ServerContext(library)).openapi()


def _verbs() -> Iterator[str]:
    for verb in _commands(_help()):
        yield verb
        for part in _commands(_help(verb)):
            yield f"{verb} {part}"


def _commands(help_text: str) -> list[str]:
    """The names in the boxes of commands that Typer draws."""
    boxes = re.findall(
        r"^╭─ (?!Options|Arguments)[^╮]*╮\n(.*?)^╰", help_text, re.MULTILINE | re.DOTALL
    )
    return [name for box in boxes for name in re.findall(r"^│ ([a-z][\w-]*) ", box, re.MULTILINE)]


def _help(*verb: str) -> str:
    command = [sys.executable, "-m", "likewise", *verb, "--help"]
    shown = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=True,
        env={"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"},
    )
    return "\n".join(line.rstrip() for line in shown.stdout.strip().splitlines())


def _with_links_to_pages(text: str) -> str:
    for page, source in FROM_THE_ROOT.items():
        text = text.replace(f"]({source})", f"]({page})")
    return text


def _expanded(nav: Any, pages: list[str]) -> Any:
    if isinstance(nav, list):
        return [
            one for part in nav for one in (pages if part == SUBJECTS else [_expanded(part, pages)])
        ]
    if isinstance(nav, dict):
        return {title: _expanded(part, pages) for title, part in nav.items()}
    return nav
