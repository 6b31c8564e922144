"""What the source gives to messages, errors and notes, taken from its syntax trees."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import likewise
from likewise.catalogue import GROUPS

HOUSE = Path(likewise.__file__).parent
# Which argument of a call is a key or a message.
MESSAGES = {"Message": 0, "_problem": 0, "Note": 1, "Unread": 1, "note": 1, "Problem": 1}
ROOMS = "|".join(group for group in GROUPS if group != "report")
KEY = re.compile(rf"(?:{ROOMS})\.[a-z0-9_]+")
NAMES_OF_ROWS = {"server.settings", "server.tidied_on", "server.worker_signed_on"}
NAMES_OF_FILES = (".py", ".json", ".md", ".db", ".log", ".html", ".toml", ".lock", ".txt")


@dataclass(frozen=True)
class Call:
    """A call that is given a key or a message."""

    path: Path
    name: str
    node: ast.Call
    argument: ast.expr

    def __str__(self) -> str:
        return f"{self.path.relative_to(HOUSE)}:{self.node.lineno}"


@cache
def trees() -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text("utf-8")) for path in sorted(HOUSE.rglob("*.py"))}


@cache
def errors() -> frozenset[str]:
    """The names of all classes of the one family of exceptions."""
    found = {"LikewiseError"}
    while True:
        more = {
            node.name
            for tree in trees().values()
            for node in ast.walk(tree)
            if isinstance(node, ast.ClassDef) and found & {_name(base) for base in node.bases}
        }
        if more <= found:
            return frozenset(found)
        found |= more


def calls() -> Iterator[Call]:
    places = dict.fromkeys(errors(), 0) | MESSAGES
    for path, tree in trees().items():
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call):
                continue
            place = places.get(_name(node.func))
            if place is None or len(node.args) <= place:
                continue
            if not isinstance(node.args[place], ast.Starred):
                yield Call(path, _name(node.func), node, node.args[place])


@cache
def keys_written() -> frozenset[str]:
    """Every text in the source that looks like the key of a message."""
    return frozenset(
        node.value
        for tree in trees().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and KEY.fullmatch(node.value)
        and not node.value.endswith(NAMES_OF_FILES)
        and node.value not in NAMES_OF_ROWS
    )


def _name(node: ast.expr) -> str:
    return getattr(node, "id", None) or getattr(node, "attr", "")
