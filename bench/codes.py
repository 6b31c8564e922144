"""The table of codes in docs/codes.md: `python -m bench.codes > docs/codes.md`.

A code is the key of a message. Who gives it, an error or a note, is taken from the source.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

import likewise
from likewise.catalogue import texts

HEAD = """# Codes

What Likewise tells has a code that programs can rely on; the sentence beside it may be worded
better one day. An error has it as `error.code`, `--json` and the API as `code`, with what stands in
the sentence as `values`. The command line speaks English, reports and pages English, Russian and
Kazakh. Made by `python -m bench.codes`.
"""
ROOMS = {
    "core": "Settings, search, alignment, reports",
    "reading": "Files that are read",
    "corpus": "Corpora",
    "library": "Libraries",
    "internet": "The Internet",
    "scale": "Spark",
    "server": "The server",
    "cli": "The command line",
}


def table_of_codes() -> str:
    """The whole page, a table a room."""
    givers = _givers()
    parts = [HEAD]
    for group, room in ROOMS.items():
        rows = [f"## {room}\n", "| code | given by | sentence |", "| --- | --- | --- |"]
        for key, text in texts("en", group).items():
            given_by = ", ".join(sorted(givers[key])) or "a note, a reason or a part of one"
            rows.append(f"| `{key}` | {given_by} | {_shown(text)} |")
        parts.append("\n".join(rows) + "\n")
    return "\n".join(parts)


def _shown(text: str | dict[str, str]) -> str:
    form = text["other"] if isinstance(text, dict) else text
    return re.sub(r"\{(\w+)(?::\w+|!r)?\}", r"{\1}", form).replace("|", "\\|")


def _givers() -> dict[str, set[str]]:
    """Which exceptions carry a key; a key that none carries is a note's, a reason's or a part."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in Path(likewise.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                name = getattr(node.exc.func, "id", "")
                for given in node.exc.args[:2]:
                    if isinstance(given, ast.Constant) and given.value in texts("en"):
                        found[str(given.value)].add(f"`{name}`")
    return found


if __name__ == "__main__":
    print(table_of_codes(), end="")
