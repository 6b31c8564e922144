"""The view as it is, for programs."""

from __future__ import annotations

import json
import re
from pathlib import Path

from likewise.report.view import View, plain

FORMAT = 1  # raised when a program that reads these files would have to change
_HALVES = re.compile("[\ud800-\udfff]")  # of surrogate pairs: UTF-8 cannot hold them alone


def write_json(view: View, path: Path) -> None:
    """Write a view as one JSON object in one line."""
    path.write_text(json_of(view) + "\n", encoding="utf-8", newline="\n")


def json_of(view: View) -> str:
    """The view as JSON: its type, the version of the format, then everything."""
    said = {"type": view.kind, "format": FORMAT, **plain(view)}
    text = json.dumps(said, ensure_ascii=False, allow_nan=False)
    return _HALVES.sub(lambda half: f"\\u{ord(half[0]):04x}", text)
