"""What the server sends and takes, as TypeScript: writes ui/src/app/api/shapes.ts.

    python ui/shapes.py

And which measures there are, in ui/src/report/measures.ts. A test compares both files with what
the code says of itself, so that they cannot drift apart.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "src" / "app" / "api" / "shapes.ts"
MEASURES = Path(__file__).parent / "src" / "report" / "measures.ts"
HEAD = "// Made by ui/shapes.py from the server's description of itself; not to be edited.\n"
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
    from likewise.server.site import Site

    with Library(folder / "empty.db") as library:
        description = make_app(Site(library)).openapi()
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


def _or_null(value: str | int | None) -> str:
    return "null" if value is None else f'"{value}"' if isinstance(value, str) else str(value)


if __name__ == "__main__":
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        FILE.write_text(of_the_server(Path(folder)), "utf-8")
    MEASURES.write_text(of_the_registry(), "utf-8")
    sys.exit(0)
