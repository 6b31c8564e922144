"""The pages as they are built into the package."""

from __future__ import annotations

import gzip
import importlib.util
import re
from pathlib import Path
from typing import Any

from likewise.server.http.pages import STATIC

UI = Path(__file__).parents[2] / "ui"


def test_the_first_view_is_at_most_120_kilobytes_gzipped() -> None:
    page = (STATIC / "index.html").read_text("utf-8")
    named = re.findall(r'(?:src|href)="/(assets/[^"]+)"', page)
    assert any(name.endswith(".js") for name in named)
    assert any(name.endswith(".css") for name in named)
    sizes = {name: len(gzip.compress((STATIC / name).read_bytes())) for name in named}
    assert len(gzip.compress(page.encode())) + sum(sizes.values()) <= 120_000, sizes


def test_nothing_is_asked_of_other_servers() -> None:
    for path in [STATIC / "index.html", *STATIC.rglob("*.css")]:
        assert not re.search(
            r"""(?:src|href|url\()=?["'(]?(?:https?:)?//""", path.read_text("utf-8")
        )


def test_the_shapes_of_the_pages_are_those_of_the_server(tmp_path: Path) -> None:
    shapes = shapes_of_ui()
    assert shapes.FILE.read_text("utf-8") == shapes.of_the_server(tmp_path)


def test_the_types_of_the_report_page_are_those_of_the_views() -> None:
    shapes = shapes_of_ui()
    assert shapes.VIEW_FILE.read_text("utf-8") == shapes.of_the_report()
    assert shapes.MEASURES.read_text("utf-8") == shapes.of_the_registry()
    assert shapes.LANGUAGES.read_text("utf-8") == shapes.of_the_languages()


def shapes_of_ui() -> Any:
    spec = importlib.util.spec_from_file_location("shapes", UI / "shapes.py")
    assert spec is not None and spec.loader is not None
    shapes = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(shapes)
    return shapes
