"""`likewise --licences`: what others made and the package contains, and under which licence."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from textwrap import fill
from typing import Any

_PAGES = ("report", "server")  # the parts of the package that have built pages


def licences() -> str:
    """The whole list as text: data files with their sources, then the built pages."""
    return "\n".join([*_of_data(), *_of_pages()])


def _of_data() -> Iterator[str]:
    folder = files("likewise").joinpath("licences")
    listed: dict[str, Any] = tomllib.loads(folder.joinpath("data.toml").read_text("utf-8"))
    licence_of = {source["name"]: source["licence"] for source in listed["source"]}
    yield "Likewise is under the Apache License 2.0 (Apache-2.0).\n"
    yield "Data in the package, and what it was made from:\n"
    for file in listed["file"]:
        sources = ", ".join(f"{name} ({licence_of[name]})" for name in file["sources"])
        yield f"  {file['path']}: {sources}"
        for sentence in (file["how"], file.get("unrecorded", "")):
            if sentence:
                yield _indented(sentence, "    ")
    yield ""
    for source in listed["source"]:
        if source["notice"]:
            yield _indented(f"{source['notice']} {source['address']}", "  ") + "\n"
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(".txt"):
            yield f"{entry.name.removesuffix('.txt')}:\n\n{entry.read_text('utf-8')}"


def _of_pages() -> Iterator[str]:
    texts: dict[str, set[str]] = {}
    for part in _PAGES:
        file = files(f"likewise.{part}").joinpath("static", "licences.json")
        for package in json.loads(file.read_text("utf-8")) if file.is_file() else []:
            name = f"{package['name']} {package['version']} ({package['licence']})"
            texts.setdefault(package["text"], set()).add(name)
    yield "In the built pages:\n" if texts else "The pages are not built.\n"
    for text, names in texts.items():
        yield _indented(", ".join(sorted(names)), "  ") + "\n\n" + text


def _indented(sentence: str, by: str) -> str:
    return fill(sentence, 96, initial_indent=by, subsequent_indent=by)
