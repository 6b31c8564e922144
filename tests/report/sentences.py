"""Every sentence that readers can say, taken from the source: with a hole where a value stands.

A small interpreter of what Python hands to the functions that speak: texts, f-strings, `or`,
either-or, names, tables, `.format`, and what called functions return. Whatever it does not follow
is a hole.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import likewise

HOUSE = Path(likewise.__file__).parent
ROOMS = ("reading", "corpus", "library", "search", "align", "internet")
HOLE = "\0"
DEEPEST = 6

# Which arguments of a call are sentences for people that end in a report.
SPEAKING = {
    "note": (1,),
    "_note": (1, 4),
    "Note": (1,),
    "Unread": (1,),
    "ReadingError": (0,),
    "_Died": (0,),
    "Damaged": (0,),
    "Decoded": (2,),
    "with_note": (0,),
    "OpenPdf": (1,),
    "Foreign": (1,),
    "complain": (2,),
    "BadZipFile": (0,),
    "NotFetched": (0,),
    "ProviderFailed": (0,),
    "_says": (0,),
}
KEPT_ASIDE = {"damage", "reason", "answer"}  # what is assigned to these is told later
WITH_A_TEXT = ("repaired", "_repaired_by_line")  # return a text and a sentence about it


@dataclass(frozen=True)
class Place:
    """Where an expression stands: what names mean there."""

    module: str
    function: ast.FunctionDef | None = None


@cache
def modules() -> dict[str, ast.Module]:
    paths = [path for room in ROOMS for path in (HOUSE / room).rglob("*.py")]
    return {str(path): ast.parse(path.read_text("utf-8")) for path in paths}


@cache
def all_named() -> dict[str, list[tuple[str, ast.expr]]]:
    """What the names of constants stand for, and in which module."""
    found: dict[str, list[tuple[str, ast.expr]]] = defaultdict(list)
    for path, module in modules().items():
        for node in module.body:
            match node:
                case ast.Assign([ast.Name(name)], value):
                    found[name].append((path, value))
                case ast.AnnAssign(ast.Name(name), _, value) if value:
                    found[name].append((path, value))
    return {name: each for name, each in found.items() if name.strip("_").isupper()}


@cache
def all_functions() -> dict[str, list[tuple[str, ast.FunctionDef]]]:
    found: dict[str, list[tuple[str, ast.FunctionDef]]] = defaultdict(list)
    for path, module in modules().items():
        for node in ast.walk(module):
            if isinstance(node, ast.FunctionDef):
                found[node.name].append((path, node))
    return found


def here_first(found: list[tuple[str, Any]], place: Place) -> list[tuple[str, Any]]:
    """What the module itself has by a name, else what any other has."""
    return [each for each in found if each[0] == place.module] or found


def constants(name: str, place: Place) -> list[ast.expr]:
    return [value for _, value in here_first(all_named().get(name, []), place)]


def sentences() -> set[str]:
    """All that can be said."""
    found: set[str] = set()
    for path, module in modules().items():
        for node, place in walk(module, Place(path)):
            for told in spoken_in(node, place):
                found |= texts(told, place)
    return {tidy(text) for text in found if re.search("[a-z]{2}", text)}


def spoken_in(node: ast.AST, place: Place) -> Iterator[ast.expr]:
    match node:
        case ast.Call(ast.Attribute(ast.Attribute(attr=kept), "append"), [told]):
            if kept in KEPT_ASIDE:
                yield told
        case ast.Call(ast.Name(called) | ast.Attribute(attr=called), handed):
            yield from (handed[at] for at in SPEAKING.get(called, ()) if at < len(handed))
        case ast.Assign([ast.Attribute(attr=name)], value) if name in KEPT_ASIDE:
            yield value
        case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)):
            for target, value in zip(targets, values, strict=False):  # one may be starred
                if getattr(target, "id", "") in KEPT_ASIDE:
                    yield value
        case ast.Return(ast.Tuple([_, told])):
            if place.function and place.function.name in WITH_A_TEXT:
                yield told


def walk(node: ast.AST, place: Place) -> Iterator[tuple[ast.AST, Place]]:
    """Every node with the function around it."""
    for child in ast.iter_child_nodes(node):
        around = Place(place.module, child) if isinstance(child, ast.FunctionDef) else place
        yield child, around
        yield from walk(child, around)


def texts(node: ast.expr, inside: Place, depth: int = 0) -> set[str]:
    """What an expression may say; a hole where that cannot be told."""
    if depth > DEEPEST:
        return {HOLE}
    deeper = depth + 1
    match node:
        case ast.Constant(str(text)):
            return {text}
        case ast.Constant(bytes(text)):
            return {text.decode("utf-8", "replace")}
        case ast.Constant(None):
            return set()
        case ast.JoinedStr(parts):
            return joined([texts(part, inside, deeper) for part in parts])
        case ast.FormattedValue(value, conversion):
            return texts(value, inside, deeper) if conversion == -1 else {HOLE}
        case ast.BinOp(left, ast.Add(), right):
            return joined([texts(left, inside, deeper), texts(right, inside, deeper)])
        case ast.IfExp(_, yes, no):
            return texts(yes, inside, deeper) | texts(no, inside, deeper)
        case ast.BoolOp(_, values):
            return {text for value in values for text in texts(value, inside, deeper)}
        case ast.Call(ast.Attribute(value, "format")):
            return {re.sub(r"\{\w*\}", HOLE, each) for each in texts(value, inside, deeper)}
        case ast.Call(ast.Attribute(value, "encode" | "strip" | "upper")):
            return texts(value, inside, deeper)
        case ast.Call(ast.Name(called) | ast.Attribute(attr=called)) if called in all_functions():
            return returned(called, inside, deeper)
        case ast.Subscript(ast.Name(name)) if name in all_named():
            return in_tables(constants(name, inside), inside, deeper)
        case ast.Name(name):
            return of_name(name, inside, deeper)
    return {HOLE}


def joined(parts: list[set[str]]) -> set[str]:
    return {"".join(each) for each in product(*(part or {""} for part in parts))}


def returned(name: str, inside: Place, depth: int) -> set[str]:
    """What functions of a name may return."""
    found: set[str] = set()
    for path, function in here_first(all_functions()[name], inside):
        for node in ast.walk(function):
            match node:
                case ast.Return(value) if value:
                    found |= texts(value, Place(path, function), depth)
    return found or {HOLE}


def of_name(name: str, inside: Place, depth: int) -> set[str]:
    """What a name may stand for: where it is assigned, looped over, or kept by a module."""
    found: set[str] = set()
    for node in ast.walk(inside.function) if inside.function else ():
        match node:
            case ast.Assign([ast.Name(target)], value) if target == name:
                found |= texts(value, inside, depth)
            case ast.NamedExpr(ast.Name(target), value) if target == name:
                found |= texts(value, inside, depth)
            case ast.For(ast.Tuple(targets), over):
                at = [getattr(target, "id", "") for target in targets]
                if name in at:
                    found |= looped(over, at.index(name), inside, depth)
    if not found:
        found = {text for each in constants(name, inside) for text in texts(each, inside, depth)}
    return found or {HOLE}


def looped(over: ast.expr, at: int, inside: Place, depth: int) -> set[str]:
    """What stands at one place of the rows of a table."""
    match over:
        case ast.Name(name):
            rows = constants(name, inside)
            return {text for each in rows for text in looped(each, at, inside, depth)}
        case ast.Call(ast.Attribute(ast.Name(name), "items")):
            return in_tables(constants(name, inside), inside, depth)
        case ast.Tuple(rows) | ast.List(rows):
            cells = [row.elts[at] for row in rows if isinstance(row, ast.Tuple)]
            return {text for cell in cells for text in texts(cell, inside, depth)}
    return {HOLE}


def in_tables(tables: list[ast.expr], inside: Place, depth: int) -> set[str]:
    values = [value for each in tables if isinstance(each, ast.Dict) for value in each.values]
    return {text for value in values for text in texts(value, inside, depth)}


def tidy(text: str) -> str:
    """The text with holes that touch made one."""
    return re.sub(f"{HOLE}+", HOLE, text.replace("{}", HOLE))
