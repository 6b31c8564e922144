"""What the pages read and send, as TypeScript.

    python ui/shapes.py

writes ui/src/app/api/shapes.ts from the server's description of itself, ui/src/report/view.ts from
the dataclasses of likewise.report.view, as the encoder of results writes them, and which measures
and languages there are into ui/src/report/measures.ts and ui/src/languages.ts. A test compares the
files with what the code says of itself, so that they cannot drift apart.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

FILE = Path(__file__).parent / "src" / "app" / "api" / "shapes.ts"
MEASURES = Path(__file__).parent / "src" / "report" / "measures.ts"
LANGUAGES = Path(__file__).parent / "src" / "languages.ts"
VIEW_FILE = Path(__file__).parent / "src" / "report" / "view.ts"
HEAD = "// Made by ui/shapes.py from the server's description of itself; not to be edited.\n"
HEAD_OF_LANGUAGES = """// Made by ui/shapes.py from the registry of languages; not to be edited.

/** How people of each language write numbers. */
"""
HEAD_OF_MEASURES = """// Made by ui/shapes.py from the registry of measures; not to be edited.

/** The measures of a pair in the order of results: what each is called in the agreement, if it
 * takes part in it, and its row among the shares of text, if it is one. */
"""
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean"}


def typescript(schemas: dict[str, Any]) -> str:
    """All shapes, in the order of their names."""
    parts = [HEAD]
    for name in sorted(schemas):
        schema = schemas[name]
        if "properties" not in schema:
            parts.append(f"export type {named(name)} = {kind_of(schema)};\n")
            continue
        required = set(schema.get("required", ()))
        lines = [
            f"  {field}{'' if field in required else '?'}: {kind_of(value)};"
            for field, value in schema["properties"].items()
        ]
        parts.append(f"export interface {named(name)} {{\n" + "\n".join(lines) + "\n}\n")
    return "\n".join(parts)


def named(name: str) -> str:
    """A name without underscores: Page_User_ is PageUser."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def kind_of(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return named(schema["$ref"].rpartition("/")[2])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(map(kind_of, schema["anyOf"])))
    if "enum" in schema:
        return " | ".join(f'"{value}"' for value in schema["enum"])
    if "const" in schema:
        return f'"{schema["const"]}"'
    match schema.get("type"):
        case "null":
            return "null"
        case "array" if "prefixItems" in schema:
            return "[" + ", ".join(map(kind_of, schema["prefixItems"])) + "]"
        case "array":
            inner = kind_of(schema.get("items", {}))
            return f"({inner})[]" if "|" in inner else f"{inner}[]"
        case "object" if isinstance(schema.get("additionalProperties"), dict):
            return f"Record<string, {kind_of(schema['additionalProperties'])}>"
        case "object":
            return "Record<string, unknown>"
        case str(plain):
            return PLAIN[plain]
        case _:
            return "unknown"


def of_the_server(folder: Path) -> str:
    """As the server of this code describes itself."""
    from likewise.library import Library
    from likewise.server.app import make_app
    from likewise.server.context import ServerContext

    with Library(folder / "empty.db") as library:
        description = make_app(ServerContext(library)).openapi()
    return typescript(description["components"]["schemas"])


def of_the_registry() -> str:
    """The measures that are registered."""
    from likewise.measure import registered

    lines = [
        f'  {{ name: "{each.name}", agreesAs: {_or_null(each.agrees_as)}, '
        f"row: {_or_null(each.row)} }},"
        for each in registered()
    ]
    listed = "\n".join(["export const MEASURES = [", *lines, "] as const;"])
    named = 'export type MeasureName = (typeof MEASURES)[number]["name"];'
    return f"{HEAD_OF_MEASURES}{listed}\n\n{named}\n"


def of_the_languages() -> str:
    """The languages that are registered."""
    from likewise.catalogue import texts
    from likewise.languages import registered

    lines = [
        f'  {each.code}: {{ decimal: "{each.decimal_sign}", '
        f'thousands: "{_escaped(each.thousands_sign)}", '
        f'percent: "{_escaped(each.percent_sign)}" }},'
        for each in registered()
    ]
    listed = "\n".join(["export const SIGNS = {", *lines, "} as const;"])
    names = [f'  {each.code}: "{texts(each.code)["language.name"]}",' for each in registered()]
    named = "\n".join(["export const NAMES = {", *names, "} as const;"])
    return (
        f"{HEAD_OF_LANGUAGES}{listed}\n\n"
        f"/** What each language calls itself, known before its words are loaded. */\n{named}\n\n"
        "export type Language = keyof typeof SIGNS;\n"
        "export const LANGUAGES = Object.keys(SIGNS) as Language[];\n"
    )


def _escaped(signs: str) -> str:
    return "".join(sign if sign.isascii() else f"\\u{ord(sign):04x}" for sign in signs)


def _or_null(value: str | int | None) -> str:
    return "null" if value is None else f'"{value}"' if isinstance(value, str) else str(value)


# The report's page

VIEW_HEAD = """\
// Made by ui/shapes.py from src/likewise/report/view.py; not to be edited.

import type { Message } from "../words";
import type { MeasureName } from "./measures";

/** Where something starts and ends, in code points of its document's text. */
export type Span = readonly [start: number, end: number];
"""
NAMED = (Literal, Union, UnionType, tuple)


def of_the_report() -> str:
    """What the page draws: the types that the module of the views names, in their order."""
    from likewise.model import Message, Span
    from likewise.report import view

    names: dict[Any, str] = {
        str: "string",
        int: "number",
        float: "number",
        bool: "boolean",
        NoneType: "null",
        Any: "unknown",
        Span: "Span",
        Message: "Message",
    }
    own = {kind: name for name, kind in vars(view).items() if is_named(kind) and kind not in names}
    parts = [
        f"export type {name} = {kind_in(kind, names | own, inside=kind)};\n"
        if get_origin(kind)
        else interface(kind, names | own)
        for kind, name in own.items()
    ]
    return "\n".join([VIEW_HEAD, *parts])


def is_named(kind: Any) -> bool:
    """A dataclass, or another name for a type."""
    return (isinstance(kind, type) and is_dataclass(kind)) or get_origin(kind) in NAMED


def interface(kind: Any, names: dict[Any, str]) -> str:
    """A dataclass with its documentation and the comments beside its fields."""
    hints, source = get_type_hints(kind), inspect.getsource(kind)
    lines = [
        f"  {field.name}: {kind_in(hints[field.name], names)};{comment(field.name, source)}"
        for field in fields(kind)
        if "flat" not in field.metadata
    ]
    is_flat = len(lines) < len(fields(kind))  # measures by name, beside the other fields
    above = " extends Record<MeasureName, number>" if is_flat else ""
    told = "\n * ".join(inspect.cleandoc(kind.__doc__).split("\n")).replace(" * \n", " *\n")
    told = f"/**\n * {told}\n */" if "\n" in told else f"/** {told} */"
    return f"{told}\nexport interface {kind.__name__}{above} {{\n" + "\n".join(lines) + "\n}\n"


def comment(name: str, source: str) -> str:
    found = re.search(rf"^    {name}: [^#\n]*#( [^\n]*)$", source, re.M)
    return f" //{found[1]}" if found else ""


def kind_in(declared: Any, names: dict[Any, str], inside: Any = None) -> str:
    """A declared type as the encoder of results writes it."""
    if declared in names and declared is not inside:
        return names[declared]
    origin, within = get_origin(declared), get_args(declared)
    if origin is Literal:
        return " | ".join(map(json.dumps, within))
    if origin in (Union, UnionType):
        return " | ".join(kind_in(each, names) for each in within)
    if origin is tuple and within[-1] is Ellipsis:
        inner = kind_in(within[0], names)
        return f"({inner})[]" if "|" in inner and inner[0] != "[" else f"{inner}[]"
    if origin is tuple:
        return f"[{', '.join(kind_in(each, names) for each in within)}]"
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return f"Record<string, {kind_in(within[1], names)}>"
    raise TypeError(f"nobody has said how {declared} is written")


if __name__ == "__main__":
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        FILE.write_text(of_the_server(Path(folder)), "utf-8")
    MEASURES.write_text(of_the_registry(), "utf-8")
    LANGUAGES.write_text(of_the_languages(), "utf-8")
    VIEW_FILE.write_text(of_the_report(), "utf-8")
    sys.exit(0)
