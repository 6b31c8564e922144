"""The view as it is, for programs."""

from __future__ import annotations

from pathlib import Path

from likewise.report.view import View
from likewise.results import SCHEMA, by_name, encode, utf8

FORMAT = 1  # raised when a program that reads these files would have to change


def write_json(view: View, path: Path) -> None:
    """Write a view as one JSON object in one line."""
    path.write_bytes(json_of(view) + b"\n")


def json_of(view: View) -> bytes:
    """The view as JSON: its type, the versions of format and schema, then everything."""
    head = {"type": view.kind, "format": FORMAT, "schema": SCHEMA}
    return utf8(encode(head | by_name(view), compact=False))
